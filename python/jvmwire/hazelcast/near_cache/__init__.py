"""Near caches: entries of a map that the client keeps until the cluster invalidates them."""

from jvmwire.hazelcast.near_cache.config import EvictionPolicy, InMemoryFormat, NearCacheConfig
from jvmwire.hazelcast.near_cache.records import NearCacheStatistics

__all__ = ["EvictionPolicy", "InMemoryFormat", "NearCacheConfig", "NearCacheStatistics"]
