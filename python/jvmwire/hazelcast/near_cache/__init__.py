"""Near caches: entries of a map that the client keeps until the cluster invalidates them."""

from jvmwire.hazelcast.near_cache._config import EvictionPolicy, InMemoryFormat, NearCacheConfig
from jvmwire.hazelcast.near_cache._records import NearCacheStatistics

__all__ = ["EvictionPolicy", "InMemoryFormat", "NearCacheConfig", "NearCacheStatistics"]
