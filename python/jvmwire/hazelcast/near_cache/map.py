"""A map whose values are kept near: read here, until the cluster says that they have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._runtime.client import operation
from jvmwire.hazelcast.near_cache.records import MISSING, NearCacheStatistics
from jvmwire.hazelcast.proxies.map import AsyncMap, Map, MapOperations
from jvmwire.hazelcast.proxies.map_bulk import LOAD_ALL, LOAD_KEYS
from jvmwire.hazelcast.proxies.map_keys import (
    CONTAINS_KEY,
    ENTRY_VIEW,
    FORCE_UNLOCK,
    GET,
    IS_LOCKED,
    LOCK,
    TRY_LOCK,
    UNLOCK,
)
from jvmwire.hazelcast.proxies.map_processing import (
    EXECUTE_ON_ALL,
    EXECUTE_ON_KEYS,
    EXECUTE_WHERE,
)
from jvmwire.hazelcast.proxies.map_query_caches import QueryCacheT
from jvmwire.hazelcast.proxies.map_whole import CLEAR, EVICT_ALL, REMOVE_ALL
from jvmwire.hazelcast.query_cache.cache import AsyncQueryCache, QueryCache

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmwire._core import HazelcastMessage
    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire._runtime.operations import Operation
    from jvmwire.codec.arrow import ArrowArray
    from jvmwire.hazelcast.cluster import Cluster
    from jvmwire.hazelcast.near_cache.near_cache import NearCache

_CHANGE_NOTHING = frozenset(
    message.id
    for message in (CONTAINS_KEY, ENTRY_VIEW, FORCE_UNLOCK, GET, IS_LOCKED, LOCK, TRY_LOCK, UNLOCK)
)
"""Of the requests for one key: all others may change what stands there."""
_CHANGE_ALL = frozenset(
    message.id
    for message in (
        *(CLEAR, EVICT_ALL, REMOVE_ALL, LOAD_ALL, LOAD_KEYS),
        *(EXECUTE_ON_ALL, EXECUTE_ON_KEYS, EXECUTE_WHERE),
    )
)
"""Of the requests for the whole map."""


class NearCachedMapOperations(MapOperations[QueryCacheT]):
    """What can be done with such a map: as with any.

    What this client changes it reads changed; what others change, as soon as the members say so: by
    default when a hundred keys have changed, or after ten seconds. Values that are absent are kept
    too.
    """

    _near: NearCache

    @property
    def near_cache_statistics(self) -> NearCacheStatistics:
        """What became of the near cache."""
        return self._near.statistics

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, or None."""
        data, caller = self._data(key), self._caller_id()
        yield from self._near.ready()
        if (found := self._near.find(data)) is not MISSING:
            return found
        yield from self._cluster.ready()
        reservation = self._near.reserve(data)
        try:
            [value] = yield from self._on_key(GET, data, caller)
        except BaseException:
            self._near.cancel(reservation)
            raise
        return self._near.publish(reservation, value)

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether something stands under `key`."""
        yield from self._near.ready()
        if (found := self._near.find(self._data(key))) is not MISSING:
            return found is not None
        return (yield from MapOperations.contains_key.body(self, key))

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Return what stands under `keys`; what is not there is left out."""
        keys = list(keys)
        values = yield from self._get_kept(keys)
        return {key: value for key, value in zip(keys, values, strict=True) if value is not None}

    @operation
    def get_many(self, keys: Iterable[object]) -> Operation[list[Any]]:
        """Return what stands under each of `keys`, in their order."""
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
        """Put many entries; not as one: on an error some may be there and some not."""
        try:
            yield from MapOperations.put_all.body(self, entries)
        finally:
            self._changed(entries)

    @operation
    def arrow_put_all(
        self, keys: Iterable[object] | ArrowArray, values: Iterable[object] | ArrowArray
    ) -> Operation[None]:
        """Put each of `values` under the key at its place; nothing stays near."""
        try:
            yield from MapOperations.arrow_put_all.body(self, keys, values)
        finally:
            self._near.clear()

    @operation
    def put_many(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries: a `set` an entry, all in flight; on an error some are there."""
        try:
            yield from MapOperations.put_many.body(self, entries)
        finally:
            self._changed(entries)

    @operation
    def execute_on_key(self, key: object, processor: object) -> Operation[Any]:
        """Have an entry processor change the entry under `key`; return what it returns."""
        try:
            return (yield from MapOperations.execute_on_key.body(self, key, processor))
        finally:
            self._changed([key])

    @operation
    def destroy(self) -> Operation[None]:
        """Remove the map from the cluster, with all that is in it."""
        yield from MapOperations.destroy.body(self)
        yield from self._near.close()

    def _changed(self, keys: Iterable[object]) -> None:
        for data in self._datas(keys):
            self._near.invalidate(data)

    def _on_key(
        self, message: HazelcastMessage, key: bytes, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        try:
            return (yield from super()._on_key(message, key, *rest, read=read))
        finally:
            if message.id not in _CHANGE_NOTHING:
                self._near.invalidate(key)

    def _ask_where(
        self, message: HazelcastMessage, *told: bytes, predicate: object
    ) -> Operation[tuple[Any, ...]]:
        try:
            return (yield from super()._ask_where(message, *told, predicate=predicate))
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


class NearCachedMap(NearCachedMapOperations[QueryCache], Map):
    """A map of the cluster with a near cache, for threads."""

    def __init__(self, client: SyncCaller, cluster: Cluster, name: str, near: NearCache) -> None:
        super().__init__(client, cluster, name)
        self._near = near


class AsyncNearCachedMap(NearCachedMapOperations[AsyncQueryCache], AsyncMap):
    """A map of the cluster with a near cache, for asyncio."""

    def __init__(self, client: AsyncCaller, cluster: Cluster, name: str, near: NearCache) -> None:
        super().__init__(client, cluster, name)
        self._near = near
