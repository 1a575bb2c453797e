"""The query caches of a map."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Generic, TypeVar

from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import text
from jvmwire.hazelcast.proxies.proxy import Proxy
from jvmwire.hazelcast.query_cache.cache import QueryCacheOperations
from jvmwire.hazelcast.query_cache.config import QueryCacheConfig

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.query_cache.subscriber import Subscriber

QueryCacheT = TypeVar("QueryCacheT", bound=QueryCacheOperations)


class QueryCacheHolder(Proxy, Generic[QueryCacheT]):
    """What makes query caches of a map."""

    @abc.abstractmethod
    def _query_cache(self, subscriber: Subscriber) -> QueryCacheT:
        """Return a query cache, of the style of the client."""

    @operation
    def get_query_cache(
        self, name: str, config: QueryCacheConfig | None = None
    ) -> Operation[QueryCacheT]:
        """Return the client's query cache of that name; if there is none, make it.

        `config` says how; it means nothing for one that is there. Members from 3.8 on tell query
        caches what changes.
        """
        text("name", name)
        config = config or QueryCacheConfig()
        subscriber = self._cluster.query_cache(self.name, name, config)
        yield from subscriber.ready()
        return self._query_cache(subscriber)

    @operation
    def destroy(self) -> Operation[None]:
        """Remove the map from the cluster, with all that is in it, and its query caches here."""
        for subscriber in self._cluster.query_caches_of(self.name):
            yield from subscriber.destroy()
        yield from Proxy.destroy.body(self)
