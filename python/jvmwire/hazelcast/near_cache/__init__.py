"""Near caches: what was read of a map is kept here, until the cluster says that it has changed."""

from jvmwire.hazelcast.near_cache.config import EvictionPolicy, InMemoryFormat, NearCacheConfig
from jvmwire.hazelcast.near_cache.records import NearCacheStatistics

__all__ = ["EvictionPolicy", "InMemoryFormat", "NearCacheConfig", "NearCacheStatistics"]
