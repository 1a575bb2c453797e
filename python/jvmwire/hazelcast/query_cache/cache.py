"""A query cache as its users see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import AsyncResource, SyncResource, operation
from jvmwire.hazelcast.bulk import call_all
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.proxies.holder import Holder, TaskHolder, ThreadHolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.cluster import Cluster
    from jvmwire.hazelcast.proxies.entries import EntryEvent
    from jvmwire.hazelcast.query_cache.subscriber import EventLost, Subscriber

_GET = HazelcastMessage.named("Map.get")


class QueryCacheOperations(Holder):
    """What can be done with a query cache: it is read here, and changes as its map does.

    What was changed shows as soon as the members tell it. Events that did not come are told again,
    or the map is read again; so it is when members are lost, join, or begin anew.
    """

    _cluster: Cluster
    _subscriber: Subscriber

    @property
    def name(self) -> str:
        """What the cache is called, among those of its map."""
        return self._subscriber.name

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, or None if the predicate does not find it."""
        return (yield from self._values([key]))[0]

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Return what stands under `keys`; what is not there is left out."""
        keys = list(keys)
        values = yield from self._values(keys)
        return {key: value for key, value in zip(keys, values, strict=True) if value is not None}

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether the predicate finds `key`."""
        yield from self._subscriber.ready()
        return self._cluster.serialization.to_data(key) in self._subscriber.records

    @operation
    def key_set(self) -> Operation[list[Any]]:
        """Return the keys."""
        yield from self._subscriber.ready()
        return self._cluster.serialization.to_object_all(self._subscriber.records.entries)

    @operation
    def values(self) -> Operation[list[Any]]:
        """Return the values; None for each if they are not kept."""
        yield from self._subscriber.ready()
        kept = self._subscriber.records.entries.values()
        return self._cluster.serialization.to_object_all(kept)

    @operation
    def entry_set(self) -> Operation[list[tuple[Any, Any]]]:
        """Return keys and values; None for each value if they are not kept."""
        yield from self._subscriber.ready()
        entries = self._subscriber.records.entries
        to_object_all = self._cluster.serialization.to_object_all
        return list(zip(to_object_all(entries), to_object_all(entries.values()), strict=True))

    @operation
    def size(self) -> Operation[int]:
        """Return how many entries the predicate finds, as far as they are kept."""
        yield from self._subscriber.ready()
        return len(self._subscriber.records)

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether there is no entry."""
        yield from self._subscriber.ready()
        return not self._subscriber.records

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        include_value: bool = True,
    ) -> Operation[str]:
        """Call `callback` with each change of the cache, or those of a key.

        Returns the id that `remove_listener` takes. What was found out by reading again is told
        as well. That the map was cleared is told of each partition, with the count of its entries.
        """
        yield from self._subscriber.ready()
        data = None if key is None else self._cluster.serialization.to_data(key)
        return (
            yield from self._subscriber.add_entry_listener(
                callback, data, include_value=include_value
            )
        )

    @operation
    def add_event_lost_listener(self, callback: Callable[[EventLost], Any]) -> Operation[str]:
        """Call `callback` when events did not come; the cache makes good for them by itself."""
        yield from self._subscriber.ready()
        return (yield from self._subscriber.add_event_lost_listener(callback))

    @operation
    def remove_listener(self, registration_id: str) -> Operation[bool]:
        """Stop a listener; return whether it was one."""
        return (yield from self._subscriber.remove_listener(registration_id))

    @operation
    def destroy(self) -> Operation[None]:
        """Keep nothing more, here and at the members; who uses the cache then is refused."""
        yield from self._subscriber.destroy()

    def _values(self, keys: list[object]) -> Operation[list[Any]]:
        caller, subscriber = self._caller_id(), self._subscriber
        cluster = self._cluster
        yield from subscriber.ready()
        records = subscriber.records
        datas = cluster.serialization.to_data_all(keys)
        values = [records.read(data) for data in datas]
        if not subscriber.config.include_value:
            there = [at for at, data in enumerate(datas) if data in records]
            requests = [
                Request(
                    _GET,
                    (subscriber.map_name, datas[at], caller),
                    repeatable=True,
                    key=datas[at],
                )
                for at in there
            ]
            answers = yield from call_all(cluster, requests)
            for at, [value] in zip(there, answers, strict=True):
                values[at] = value
        return cluster.serialization.to_object_all(values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} of {self._subscriber.map_name!r}>"


class QueryCache(ThreadHolder, QueryCacheOperations, SyncResource):
    """A query cache, for threads."""

    def __init__(self, client: SyncCaller, cluster: Cluster, subscriber: Subscriber) -> None:
        super().__init__(client)
        self._cluster, self._subscriber = cluster, subscriber


class AsyncQueryCache(TaskHolder, QueryCacheOperations, AsyncResource):
    """A query cache, for asyncio."""

    def __init__(self, client: AsyncCaller, cluster: Cluster, subscriber: Subscriber) -> None:
        super().__init__(client)
        self._cluster, self._subscriber = cluster, subscriber
