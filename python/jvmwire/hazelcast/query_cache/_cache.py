"""Public operations of a query cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import Caller, operation
from jvmwire.hazelcast._arguments import NULL, no_none
from jvmwire.hazelcast._bulk import call_all
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.thread_identity import CallerIdentity, TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast._proxies.entries import EntryEvent
    from jvmwire.hazelcast.query_cache._subscriber import EventLost, Subscriber

_GET = HazelcastMessage.named("Map.get")


class QueryCacheOperations(CallerIdentity):
    """Operations of a query cache, which is read locally and follows the changes of its map.

    A change is visible when the members have sent it. Lost events are requested again, or the map
    is read again; the map is also read again when members are lost, join, or restart.

    Args:
        client: Client that runs the operations.
        cluster: Invoker of the client.
        subscriber: Content of the cache.
    """

    def __init__(self, client: Caller, cluster: Invoker, subscriber: Subscriber) -> None:
        super().__init__(client)
        self._cluster, self._subscriber = cluster, subscriber

    @property
    def name(self) -> str:
        """The name of the cache among those of its map."""
        return self._subscriber.name

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return the value under `key`.

        Args:
            key: Key of the entry.

        Returns:
            The value, or None if the cache has no such entry.
        """
        return (yield from self._values([key]))[0]

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Return the values of many keys.

        Args:
            keys: Keys of the entries.

        Returns:
            Values by key; keys without an entry are left out.
        """
        keys = list(keys)
        values = yield from self._values(keys)
        return {key: value for key, value in zip(keys, values, strict=True) if value is not None}

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether the cache has an entry of `key`.

        Args:
            key: Key of the entry.

        Returns:
            True if there is an entry.
        """
        [data] = self._datas([key])
        yield from self._subscriber.ready()
        return data in self._subscriber.records

    @operation
    def key_set(self) -> Operation[list[Any]]:
        """Return all keys.

        Returns:
            The keys.
        """
        yield from self._subscriber.ready()
        return self._cluster.serialization.to_object_all(self._subscriber.records.entries)

    @operation
    def values(self) -> Operation[list[Any]]:
        """Return all values.

        Returns:
            The values, or None for each entry if values are not cached.
        """
        yield from self._subscriber.ready()
        kept = self._subscriber.records.entries.values()
        return self._cluster.serialization.to_object_all(kept)

    @operation
    def entry_set(self) -> Operation[list[tuple[Any, Any]]]:
        """Return all entries.

        Returns:
            Pairs of key and value; values are None if they are not cached.
        """
        yield from self._subscriber.ready()
        entries = self._subscriber.records.entries
        to_object_all = self._cluster.serialization.to_object_all
        return list(zip(to_object_all(entries), to_object_all(entries.values()), strict=True))

    @operation
    def size(self) -> Operation[int]:
        """Return the number of cached entries.

        Returns:
            The number of entries.
        """
        yield from self._subscriber.ready()
        return len(self._subscriber.records)

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether the cache has no entries.

        Returns:
            True if there is no entry.
        """
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
        """Call `callback` with each change of the cache, or with those of one key.

        Changes that were found by reading the map again are included. If the map is cleared, there
        is one event per partition, with the number of its entries.

        Args:
            callback: Function that takes an `EntryEvent`.
            key: Key whose changes are delivered; None is every key.
            include_value: Whether events contain the values.

        Returns:
            The registration id that `remove_listener` takes.
        """
        data = None if key is None else self._cluster.serialization.to_data(key)
        yield from self._subscriber.ready()
        return (
            yield from self._subscriber.add_entry_listener(
                callback, data, include_value=include_value
            )
        )

    @operation
    def add_event_lost_listener(self, callback: Callable[[EventLost], Any]) -> Operation[str]:
        """Call `callback` when events were lost; the cache recovers by itself.

        Args:
            callback: Function that takes an `EventLost`.

        Returns:
            The registration id that `remove_listener` takes.
        """
        yield from self._subscriber.ready()
        return (yield from self._subscriber.add_event_lost_listener(callback))

    @operation
    def remove_listener(self, registration_id: str) -> Operation[bool]:
        """Remove a listener.

        Args:
            registration_id: Id that the call which added the listener returned.

        Returns:
            True if there was a listener with this id.
        """
        return (yield from self._subscriber.remove_listener(registration_id))

    @operation
    def destroy(self) -> Operation[None]:
        """Destroy the cache here and on the members; later operations of the cache fail."""
        yield from self._subscriber.destroy()

    def _datas(self, keys: list[object]) -> list[bytes]:
        datas = self._cluster.serialization.to_data_all(keys)
        if NULL in datas:
            raise no_none()
        return datas

    def _values(self, keys: list[object]) -> Operation[list[Any]]:
        caller, subscriber = self._caller_id(), self._subscriber
        cluster, datas = self._cluster, self._datas(keys)
        yield from subscriber.ready()
        records = subscriber.records
        values = [records.read(data) for data in datas]
        if not subscriber.config.include_value:
            there = [at for at, data in enumerate(datas) if data in records]
            requests = [
                Request(
                    _GET,
                    (subscriber.map_name, datas[at], caller),
                    idempotent=True,
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


class QueryCache(QueryCacheOperations, ThreadIdentity):
    """A query cache, for threads."""


class AsyncQueryCache(QueryCacheOperations, TaskIdentity):
    """A query cache, for asyncio."""
