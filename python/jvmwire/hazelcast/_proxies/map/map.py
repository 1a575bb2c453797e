"""IMap: keys and values, distributed over the members by partition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from jvmwire.hazelcast._proxies.map.arrow import ArrowOperations
from jvmwire.hazelcast._proxies.map.entries import MapEntries
from jvmwire.hazelcast._proxies.map.events import EventOperations
from jvmwire.hazelcast._proxies.map.processing import ProcessingOperations
from jvmwire.hazelcast._proxies.map.query_caches import QueryCacheHolder, QueryCacheT
from jvmwire.hazelcast._proxies.proxy import AsyncProxy, SyncProxy
from jvmwire.hazelcast.query_cache._cache import AsyncQueryCache, QueryCache

if TYPE_CHECKING:
    from jvmwire.hazelcast.near_cache._records import NearCacheStatistics
    from jvmwire.hazelcast.query_cache._subscriber import Subscriber


class MapOperations(
    QueryCacheHolder[QueryCacheT],
    MapEntries,
    ArrowOperations,
    ProcessingOperations,
    EventOperations,
    Generic[QueryCacheT],
):
    """All operations of a map."""

    service = "hz:impl:mapService"

    @property
    def near_cache_statistics(self) -> NearCacheStatistics | None:
        """Statistics of the map's near cache; None if the map has none."""
        return None


class Map(MapOperations[QueryCache], SyncProxy):
    """A map of the cluster, for threads."""

    def _query_cache(self, subscriber: Subscriber) -> QueryCache:
        return QueryCache(self._client, self._cluster, subscriber)


class AsyncMap(MapOperations[AsyncQueryCache], AsyncProxy):
    """A map of the cluster, for asyncio."""

    def _query_cache(self, subscriber: Subscriber) -> AsyncQueryCache:
        return AsyncQueryCache(self._client, self._cluster, subscriber)
