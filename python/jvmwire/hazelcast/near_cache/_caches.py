"""Near caches of one client, by the name of their map."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from jvmwire.hazelcast.near_cache._config import near_cache_of
from jvmwire.hazelcast.near_cache._near_cache import MAP_SERVICE, NearCache

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.near_cache._records import NearCacheStatistics


class NearCaches:
    """The near caches of one client.

    Args:
        cluster: Invoker of the client, whose options have the configurations.
    """

    def __init__(self, cluster: Invoker) -> None:
        self._cluster = cluster
        self._caches: dict[str, NearCache] = {}

    def get(self, name: str) -> NearCache | None:
        """Return the near cache of a map, created if one is configured.

        Args:
            name: Name of the map.

        Returns:
            The cache; None if none is configured for this name.
        """
        if (known := self._caches.get(name)) is None:
            config = near_cache_of(self._cluster.options.near_caches, name)
            if config is None:
                return None
            known = self._caches[name] = NearCache(self._cluster, name, config, monotonic)
        return known

    def __contains__(self, name: str) -> bool:
        return name in self._caches

    def invalidate(self, name: str, keys: Iterable[bytes] | None) -> None:
        """Invalidate entries of a map in its near cache, if it has one.

        Args:
            name: Name of the map.
            keys: Serialized keys of the entries; None invalidates all.
        """
        if (near := self._caches.get(name)) is None:
            return
        if keys is None:
            near.clear()
            return
        for key in keys:
            near.invalidate(key)

    def note_destroyed(self, service: str, name: str) -> None:
        """Clear the near cache of a destroyed map, and start it again.

        Args:
            service: Java service of the destroyed structure.
            name: Name of the structure.
        """
        if service == MAP_SERVICE and (near := self._caches.get(name)) is not None:
            near.start_over()

    def statistics(self) -> dict[str, NearCacheStatistics]:
        """Return the statistics of each near cache.

        Returns:
            The statistics by map name.
        """
        return {name: near.statistics for name, near in self._caches.items()}
