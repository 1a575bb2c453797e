"""IMap: keys and values, spread over the members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.proxies.map_arrow import ArrowOperations
from jvmwire.hazelcast.proxies.map_bulk import BulkOperations
from jvmwire.hazelcast.proxies.map_events import EventOperations
from jvmwire.hazelcast.proxies.map_keys import KeyOperations
from jvmwire.hazelcast.proxies.map_processing import ProcessingOperations
from jvmwire.hazelcast.proxies.map_whole import WholeOperations
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, SyncProxy

if TYPE_CHECKING:
    from jvmwire.hazelcast.near_cache.records import NearCacheStatistics


class MapOperations(
    KeyOperations,
    BulkOperations,
    WholeOperations,
    ArrowOperations,
    ProcessingOperations,
    EventOperations,
):
    """What can be done with a map."""

    service = "hz:impl:mapService"

    @property
    def near_cache_statistics(self) -> NearCacheStatistics | None:
        """What became of the map's near cache; None if it has none."""
        return None


class Map(MapOperations, SyncProxy):
    """A map of the cluster, for threads."""


class AsyncMap(MapOperations, AsyncProxy):
    """A map of the cluster, for asyncio."""
