"""Configuration of a near cache."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._times import to_seconds
from jvmwire.errors import ConfigError
from jvmwire.options import check_options, of_class

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

MAX_ENTRIES = 10_000
"""Maximum number of entries: `EvictionConfig.DEFAULT_MAX_ENTRY_COUNT`."""
RECONCILIATION_INTERVAL = 60.0
"""Seconds between two checks for missed invalidations.
`hazelcast.invalidation.reconciliation.interval.seconds`."""
MAX_TOLERATED_MISS_COUNT = 10
"""Missed invalidations per partition before its cached entries become stale.
`hazelcast.invalidation.max.tolerated.miss.count`."""


class EvictionPolicy(enum.Enum):
    """Policy for the entry to evict when the cache is full."""

    LRU = enum.auto()
    """The least recently read entry."""
    LFU = enum.auto()
    """The least frequently read entry, of these the least recently read one."""
    NONE = enum.auto()
    """No entry: new entries are not cached."""


class InMemoryFormat(enum.Enum):
    """Representation of cached values."""

    BINARY = enum.auto()
    """Serialized: each read returns a new object."""
    OBJECT = enum.auto()
    """As objects: all reads return the same object, which must not be changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCacheConfig:
    """Configuration of a near cache; names are those of Java's `NearCacheConfig`.

    Args:
        in_memory_format: Representation of cached values, `BINARY` by default.
        invalidate_on_change: Whether the cluster invalidates changed entries, True by default.
        time_to_live: Seconds after which an entry expires, or a `timedelta`; None is without limit.
        max_idle: Seconds without a read after which an entry expires, or a `timedelta`; None is
            without limit.
        eviction_policy: Policy for the entry to evict when the cache is full, `LRU` by default.
        max_entries: Maximum number of entries; 10,000 by default.
        reconciliation_interval: Seconds, or a `timedelta`, between two checks for missed
            invalidations; 60 by default.
        max_tolerated_miss_count: Missed invalidations per partition before its entries become
            stale; 10 by default.

    Raises:
        ConfigError: a setting is outside of its range.
    """

    in_memory_format: InMemoryFormat = field(
        default=InMemoryFormat.BINARY, metadata=of_class(InMemoryFormat)
    )
    invalidate_on_change: bool = True
    """Whether the cluster invalidates changed entries; otherwise entries only expire."""
    time_to_live: float | timedelta | None = None
    """Seconds after which an entry expires."""
    max_idle: float | timedelta | None = None
    """Seconds without a read after which an entry expires."""
    eviction_policy: EvictionPolicy = field(
        default=EvictionPolicy.LRU, metadata=of_class(EvictionPolicy)
    )
    max_entries: int = MAX_ENTRIES
    reconciliation_interval: float | timedelta = RECONCILIATION_INTERVAL
    max_tolerated_miss_count: int = MAX_TOLERATED_MISS_COUNT

    def __post_init__(self) -> None:
        check_options(self)
        if self.max_entries < 1:
            raise ConfigError(f"max_entries is {self.max_entries}: there is at least one")
        for name in ("time_to_live", "max_idle", "reconciliation_interval"):
            if (given := getattr(self, name)) is None:
                continue
            seconds = to_seconds(name, given)
            if seconds == 0:
                raise ConfigError(f"{name} must be more than 0 seconds, got {seconds:g}")
            object.__setattr__(self, name, seconds)


def near_cache_of(configs: Mapping[str, NearCacheConfig], name: str) -> NearCacheConfig | None:
    """Return a map's configuration, by its name or by the longest matching pattern with a `*`.

    Args:
        configs: Configurations by map name or pattern.
        name: Name of the map.

    Returns:
        The configuration, or None.
    """
    if (config := configs.get(name)) is not None:
        return config
    fitting = [pattern for pattern in configs if _fits(pattern, name)]
    return configs[max(fitting, key=len)] if fitting else None


def _fits(pattern: str, name: str) -> bool:
    head, star, tail = pattern.partition("*")
    # MatchingPointConfigPatternMatcher: one star, which matches any text.
    long_enough = len(name) >= len(head) + len(tail)
    return bool(star) and long_enough and name.startswith(head) and name.endswith(tail)
