"""A map, many keys at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire.client import operation
from jvmwire.hazelcast.bulk import call_all, group, group_entries, send_all
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.proxies.proxy import UNSET, Proxy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    from jvmwire.operations import Operation

    T = TypeVar("T")

_named = HazelcastMessage.named

SET = _named("Map.set")
GET = _named("Map.get")
GET_ALL = _named("Map.getAll")
PUT_ALL = _named("Map.putAll")
LOAD_ALL = _named("Map.loadAll")
LOAD_KEYS = _named("Map.loadGivenKeys")


class BulkOperations(Proxy):
    """What can be done with many keys of a map: all in flight together."""

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Return what stands under `keys`; what is not there is left out."""
        yield from self._cluster.create_proxy(self.service, self.name)
        grouped = group(self._datas(keys), self._cluster.partitions.count)
        requests = [
            Request(GET_ALL, (self.name, datas), partition_id, repeatable=True)
            for partition_id, datas in grouped.items()
        ]
        found: dict[Any, Any] = {}
        for [entries] in (yield from call_all(self._cluster, requests)):
            found.update(self._pairs(entries))
        return found

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries; not as one: on an error some may be there and some not."""
        yield from self._cluster.create_proxy(self.service, self.name)
        datas = self._datas(entries.keys()), self._datas(entries.values())
        grouped = group_entries(*datas, self._cluster.partitions.count)
        redo = self._cluster.options.redo
        requests = [
            Request(PUT_ALL, (self.name, pairs), partition_id, repeatable=redo)
            for partition_id, pairs in grouped.items()
        ]
        yield from call_all(self._cluster, requests)

    @operation
    def get_many(self, keys: Iterable[object]) -> Operation[list[Any]]:
        """Return what stands under each of `keys`, in their order: a `get` a key, all in flight."""
        return self._objects((yield from self._get_datas(self._datas(keys))))

    def _get_datas(self, keys: list[bytes]) -> Operation[list[bytes | None]]:
        caller = self._caller_id()
        yield from self._cluster.create_proxy(self.service, self.name)
        rows = [(self.name, key, caller) for key in keys]
        return (yield from send_all(self._cluster, GET, rows, repeatable=True))

    @operation
    def put_many(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries: a `set` an entry, all in flight; on an error some are there."""
        caller = self._caller_id()
        yield from self._cluster.create_proxy(self.service, self.name)
        keys, values = self._datas(entries.keys()), self._datas(entries.values())
        rows = [
            (self.name, key, value, caller, UNSET) for key, value in zip(keys, values, strict=True)
        ]
        redo = self._cluster.options.redo
        yield from send_all(self._cluster, SET, rows, repeatable=redo)

    @operation
    def load_all(
        self, keys: Iterable[object] | None = None, *, replace_existing: bool = True
    ) -> Operation[None]:
        """Have the map's store load `keys`, or all it has."""
        if keys is None:
            yield from self._ask(LOAD_ALL, replace_existing)
        else:
            yield from self._ask(LOAD_KEYS, self._datas(keys), replace_existing)
