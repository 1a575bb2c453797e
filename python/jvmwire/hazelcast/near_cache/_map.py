"""Map with a near cache, from which reads are served until the cluster invalidates an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._runtime.client import Caller, operation
from jvmwire.hazelcast._proxies.map.bulk import LOAD_ALL, LOAD_KEYS
from jvmwire.hazelcast._proxies.map.entries import (
    CONTAINS_KEY,
    ENTRY_VIEW,
    FORCE_UNLOCK,
    GET,
    IS_LOCKED,
    LOCK,
    TRY_LOCK,
    UNLOCK,
)
from jvmwire.hazelcast._proxies.map.map import AsyncMap, Map, MapOperations
from jvmwire.hazelcast._proxies.map.processing import (
    EXECUTE_ON_ALL,
    EXECUTE_ON_KEYS,
    EXECUTE_WHERE,
)
from jvmwire.hazelcast._proxies.map.views import CLEAR, EVICT_ALL, REMOVE_ALL
from jvmwire.hazelcast.near_cache._records import MISSING, NearCacheStatistics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmwire._core import HazelcastMessage
    from jvmwire._runtime.operations import Operation
    from jvmwire.codec._arrow import ArrowArray
    from jvmwire.hazelcast._cluster import Cluster
    from jvmwire.hazelcast.near_cache._near_cache import NearCache
    from jvmwire.hazelcast.query_cache._caches import QueryCaches

_CHANGE_NOTHING = frozenset(
    message.id
    for message in (CONTAINS_KEY, ENTRY_VIEW, FORCE_UNLOCK, GET, IS_LOCKED, LOCK, TRY_LOCK, UNLOCK)
)
"""Requests for one key that do not change its entry; all others invalidate the key."""
_CHANGE_ALL = frozenset(
    message.id
    for message in (
        *(CLEAR, EVICT_ALL, REMOVE_ALL, LOAD_ALL, LOAD_KEYS),
        *(EXECUTE_ON_ALL, EXECUTE_ON_KEYS, EXECUTE_WHERE),
    )
)
"""Requests for the whole map that may change any entry."""


class NearCachedMapOperations(MapOperations):
    """Operations of a map with a near cache, the same as those of any map.

    A client reads its own changes at once, and those of others when the members send
    invalidations: by default after a hundred changed keys, or after ten seconds. The absence of a
    value is cached too.
    """

    def __init__(
        self,
        client: Caller,
        cluster: Cluster,
        name: str,
        query_caches: QueryCaches,
        near: NearCache,
    ) -> None:
        super().__init__(client, cluster, name, query_caches)
        self._near = near

    @property
    def near_cache_statistics(self) -> NearCacheStatistics:
        """Statistics of the map's near cache."""
        return self._near.statistics

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return the value under `key`, from the near cache if it is there.

        Args:
            key: Key of the entry.

        Returns:
            The value, or None if there is no entry.
        """
        data, caller = self._data(key), self._caller_id()
        yield from self._near.ready()
        if (found := self._near.find(data)) is not MISSING:
            return found
        yield from self._cluster.ready()
        reservation = self._near.reserve(data)
        try:
            [value] = yield from self._key_request(GET, data, caller)
        except BaseException:
            self._near.cancel(reservation)
            raise
        return self._near.publish(reservation, value)

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether the map has an entry of `key`, by the near cache if the key is there.

        Args:
            key: Key of the entry.

        Returns:
            True if there is an entry.
        """
        yield from self._near.ready()
        if (found := self._near.find(self._data(key))) is not MISSING:
            return found is not None
        return (yield from MapOperations.contains_key.body(self, key))

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Fetch the values of many keys as a dict, from the near cache where they are there.

        Args:
            keys: Keys of the entries.

        Returns:
            Values by key; keys without an entry are left out.
        """
        keys = list(keys)
        values = yield from self._get_kept(keys)
        return {key: value for key, value in zip(keys, values, strict=True) if value is not None}

    @operation
    def get_many(self, keys: Iterable[object]) -> Operation[list[Any]]:
        """Fetch the value of each key, from the near cache where it is there.

        Args:
            keys: Keys of the entries.

        Returns:
            The values in the order of `keys`, None for a key without an entry.
        """
        return (yield from self._get_kept(list(keys)))

    def _get_kept(self, keys: list[object]) -> Operation[list[Any]]:
        datas = self._datas(keys)
        near = self._near
        yield from near.ready()
        values = [near.find(data) for data in datas]
        missing = [at for at, value in enumerate(values) if value is MISSING]
        if not missing:
            return values
        yield from self._cluster.ready()
        reservations = [near.reserve(datas[at]) for at in missing]
        try:
            found = yield from self._get_datas([datas[at] for at in missing])
        except BaseException:
            for reservation in reservations:
                near.cancel(reservation)
            raise
        for at, reservation, value in zip(missing, reservations, found, strict=True):
            values[at] = near.publish(reservation, value)
        return values

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries, not atomically: after an error, a part of them may have been put.

        Args:
            entries: Values by key.
        """
        try:
            yield from MapOperations.put_all.body(self, entries)
        finally:
            self._changed(entries)

    @operation
    def arrow_put_all(
        self, keys: Iterable[object] | ArrowArray, values: Iterable[object] | ArrowArray
    ) -> Operation[None]:
        """Put each of `values` under the key of the same row, and clear the near cache.

        Args:
            keys: Keys of the entries.
            values: Values of the entries, one per key.
        """
        try:
            yield from MapOperations.arrow_put_all.body(self, keys, values)
        finally:
            self._near.clear()

    @operation
    def put_many(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries with one `set` per entry, all in flight together.

        After an error, a part of the entries may have been put.

        Args:
            entries: Values by key.
        """
        try:
            yield from MapOperations.put_many.body(self, entries)
        finally:
            self._changed(entries)

    @operation
    def execute_on_key(self, key: object, processor: object) -> Operation[Any]:
        """Run an entry processor on the entry of `key`.

        Args:
            key: Key of the entry.
            processor: Serializable counterpart of a Java `EntryProcessor` of the members.

        Returns:
            The result of the entry processor.
        """
        try:
            return (yield from MapOperations.execute_on_key.body(self, key, processor))
        finally:
            self._changed([key])

    @operation
    def destroy(self) -> Operation[None]:
        """Destroy the map in the cluster with its content, and its near cache."""
        yield from MapOperations.destroy.body(self)
        yield from self._near.close()

    def _changed(self, keys: Iterable[object]) -> None:
        for data in self._datas(keys):
            self._near.invalidate(data)

    def _key_request(
        self, message: HazelcastMessage, key: bytes, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        try:
            return (yield from super()._key_request(message, key, *rest, read=read))
        finally:
            if message.id not in _CHANGE_NOTHING:
                self._near.invalidate(key)

    def _ask_where(
        self, message: HazelcastMessage, *fields: bytes, predicate: object
    ) -> Operation[tuple[Any, ...]]:
        try:
            return (yield from super()._ask_where(message, *fields, predicate=predicate))
        finally:
            if message.id in _CHANGE_ALL:
                self._near.clear()

    def _ask(
        self, message: HazelcastMessage, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        try:
            return (yield from super()._ask(message, *rest, read=read))
        finally:
            if message.id in _CHANGE_ALL:
                self._near.clear()


class NearCachedMap(NearCachedMapOperations, Map):
    """A map of the cluster with a near cache, for threads."""


class AsyncNearCachedMap(NearCachedMapOperations, AsyncMap):
    """A map of the cluster with a near cache, for asyncio."""
