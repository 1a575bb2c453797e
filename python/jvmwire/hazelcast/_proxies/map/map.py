"""IMap: keys and values, distributed over the members by partition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast._proxies.map.arrow import ArrowOperations
from jvmwire.hazelcast._proxies.map.entries import MapEntries
from jvmwire.hazelcast._proxies.map.events import EventOperations
from jvmwire.hazelcast._proxies.map.processing import ProcessingOperations
from jvmwire.hazelcast._proxies.map.query_caches import QueryCacheHolder
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from jvmwire.hazelcast.near_cache._records import NearCacheStatistics


class MapOperations(
    QueryCacheHolder,
    MapEntries,
    ArrowOperations,
    ProcessingOperations,
    EventOperations,
):
    """All operations of a map."""

    service = "hz:impl:mapService"

    @property
    def near_cache_statistics(self) -> NearCacheStatistics | None:
        """Statistics of the map's near cache; None if the map has none."""
        return None


class Map(MapOperations, ThreadIdentity):
    """A map of the cluster, for threads."""


class AsyncMap(MapOperations, TaskIdentity):
    """A map of the cluster, for asyncio."""
