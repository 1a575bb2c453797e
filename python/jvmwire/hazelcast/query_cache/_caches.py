"""Query caches of one client, by the names of their map and their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.query_cache._subscriber import Subscriber

if TYPE_CHECKING:
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.query_cache._config import QueryCacheConfig


class QueryCaches:
    """The query caches of one client.

    Args:
        cluster: Invoker of the client.
    """

    def __init__(self, cluster: Invoker) -> None:
        self._cluster = cluster
        self._caches: dict[tuple[str, str], Subscriber] = {}

    def get(self, map_name: str, name: str, config: QueryCacheConfig) -> Subscriber:
        """Return a query cache of a map, made if it does not exist.

        Args:
            map_name: Name of the map.
            name: Name of the query cache.
            config: Configuration of a new query cache; ignored if the cache exists.

        Returns:
            The content of the cache.
        """
        if (known := self._caches.get((map_name, name))) is None:
            known = Subscriber(self._cluster, map_name, name, config, self._forget)
            self._caches[map_name, name] = known
        return known

    def of_map(self, map_name: str) -> list[Subscriber]:
        """Return all query caches of a map.

        Args:
            map_name: Name of the map.

        Returns:
            The contents of the caches.
        """
        return [one for one in self._caches.values() if one.map_name == map_name]

    def _forget(self, subscriber: Subscriber) -> None:
        """Drop a query cache, so that the next use of its name creates another."""
        self._caches.pop((subscriber.map_name, subscriber.name), None)
