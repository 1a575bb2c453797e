"""Continuous query caches: entries of a map that match a predicate, kept up to date by members."""

from jvmwire.hazelcast.query_cache.cache import AsyncQueryCache, QueryCache
from jvmwire.hazelcast.query_cache.config import QueryCacheConfig
from jvmwire.hazelcast.query_cache.subscriber import EventLost

__all__ = ["AsyncQueryCache", "EventLost", "QueryCache", "QueryCacheConfig"]
