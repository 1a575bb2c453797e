"""Requests of a map that carry a predicate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastEntryColumns
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast.predicates import PartitionPredicate, without_pages

if TYPE_CHECKING:
    from jvmwire._core import HazelcastMessage
    from jvmwire._runtime.operations import Operation


class QueryOperations(ClientProxy):
    """Base of map operations that accept a predicate."""

    def _ask_where(
        self, message: HazelcastMessage, *fields: bytes, predicate: object
    ) -> Operation[tuple[Any, ...]]:
        """Query all members, or the owner of one partition; the predicate is the last field."""
        data = self._data(without_pages(predicate))
        if (key := self._partition_key(predicate)) is None:
            return (yield from self._ask(message, *fields, data))
        return (
            yield from self._cluster.request(
                message,
                (self.name, *fields, data),
                key=key,
                structure=(self.service, self.name),
            )
        )

    def _gather(
        self, all_: HazelcastMessage, where: HazelcastMessage, predicate: object
    ) -> Operation[HazelcastEntryColumns]:
        """Fetch all entries, or those that a predicate finds, and return them undecoded."""
        message, fields = all_, []
        if predicate is not None:
            message, fields = where, [self._data(without_pages(predicate))]
        gathered = HazelcastEntryColumns(message.response)
        request = Request(
            message,
            (self.name, *fields),
            idempotent=True,
            gathered=gathered,
            key=self._partition_key(predicate),
            structure=(self.service, self.name),
        )
        yield from self._cluster.call(request)
        return gathered

    def _partition_key(self, predicate: object) -> bytes | None:
        if isinstance(predicate, PartitionPredicate):
            return self._data(predicate.partition_key)
        return None
