"""Access to the query caches of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._runtime.client import Either, operation, operation_factory
from jvmwire.hazelcast._arguments import text
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast.query_cache._cache import AsyncQueryCache, QueryCache
from jvmwire.hazelcast.query_cache._config import QueryCacheConfig

if TYPE_CHECKING:
    from jvmwire._runtime.client import Caller
    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._cluster import Cluster
    from jvmwire.hazelcast.query_cache._caches import QueryCaches


class QueryCacheHolder(ClientProxy):
    """Operations of a map that create and destroy its query caches.

    Args:
        client: Client that runs the operations.
        cluster: Cluster of the client.
        name: Name of the map.
        query_caches: Query caches of the client.
    """

    def __init__(
        self, client: Caller, cluster: Cluster, name: str, query_caches: QueryCaches
    ) -> None:
        super().__init__(client, cluster, name)
        self._query_caches = query_caches

    @operation_factory
    def get_query_cache(
        self, name: str, config: QueryCacheConfig | None = None
    ) -> Operation[Either[QueryCache, AsyncQueryCache]]:
        """Return the client's query cache of this name, and create it if there is none.

        Members from 3.8 on send changes to query caches.

        Args:
            name: Name of the query cache among those of the map.
            config: Configuration for a new query cache; ignored if the cache exists.

        Returns:
            The query cache, filled with the current entries.
        """
        text("name", name)
        config = config or QueryCacheConfig()
        subscriber = self._query_caches.get(self.name, name, config)
        yield from subscriber.ready()
        return self._styled(QueryCache, AsyncQueryCache)(self._client, self._cluster, subscriber)

    @operation
    def destroy(self) -> Operation[None]:
        """Destroy the map in the cluster with its content, and its query caches in this client."""
        for subscriber in self._query_caches.of_map(self.name):
            yield from subscriber.destroy()
        yield from ClientProxy.destroy.body(self)
