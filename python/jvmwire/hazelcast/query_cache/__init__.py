"""Continuous query caches: entries of a map that match a predicate, kept up to date by members."""

from jvmwire.hazelcast.query_cache._cache import AsyncQueryCache, QueryCache
from jvmwire.hazelcast.query_cache._config import QueryCacheConfig
from jvmwire.hazelcast.query_cache._subscriber import EventLost

__all__ = ["AsyncQueryCache", "EventLost", "QueryCache", "QueryCacheConfig"]
