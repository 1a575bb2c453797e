"""Continuous query caches: what a predicate finds in a map, kept here as the members tell it."""

from jvmwire.hazelcast.query_cache.cache import AsyncQueryCache, QueryCache
from jvmwire.hazelcast.query_cache.config import QueryCacheConfig
from jvmwire.hazelcast.query_cache.subscriber import EventLost

__all__ = ["AsyncQueryCache", "EventLost", "QueryCache", "QueryCacheConfig"]
