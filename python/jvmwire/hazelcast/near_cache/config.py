"""What is told of a near cache."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_ENTRIES = 10_000
"""Entries that a near cache keeps: `EvictionConfig.DEFAULT_MAX_ENTRY_COUNT`."""
RECONCILIATION_INTERVAL = 60.0
"""Seconds between asking members what was missed.
`hazelcast.invalidation.reconciliation.interval.seconds`."""
MAX_TOLERATED_MISS_COUNT = 10
"""Invalidations of a partition that may be missed before what is kept of it is read again.
`hazelcast.invalidation.max.tolerated.miss.count`."""


class EvictionPolicy(enum.Enum):
    """What goes where there is no more room."""

    LRU = enum.auto()
    """What was not read for longest."""
    LFU = enum.auto()
    """What was read least often, of these what was not read for longest."""
    NONE = enum.auto()
    """Nothing: what finds no room is not kept."""


class InMemoryFormat(enum.Enum):
    """How values are kept."""

    BINARY = enum.auto()
    """Serialized: each reader gets an object of its own."""
    OBJECT = enum.auto()
    """As objects: all readers get the same one, and must not change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCacheConfig:
    """How a near cache is kept; names are those of Java's `NearCacheConfig`."""

    in_memory_format: InMemoryFormat = InMemoryFormat.BINARY
    invalidate_on_change: bool = True
    """Whether the cluster tells what has changed; else only time takes entries out."""
    time_to_live: float | None = None
    """Seconds that an entry is kept."""
    max_idle: float | None = None
    """Seconds that an entry is kept while nobody reads it."""
    eviction_policy: EvictionPolicy = EvictionPolicy.LRU
    max_entries: int = MAX_ENTRIES
    reconciliation_interval: float = RECONCILIATION_INTERVAL
    max_tolerated_miss_count: int = MAX_TOLERATED_MISS_COUNT

    def __post_init__(self) -> None:
        if self.max_entries < 1:
            raise ConfigError(f"max_entries is {self.max_entries}: there is at least one")
        for name in ("time_to_live", "max_idle", "reconciliation_interval"):
            seconds = getattr(self, name)
            if seconds is not None and not seconds > 0:
                raise ConfigError(f"{name} is {seconds}: it is more than 0 seconds")


def near_cache_of(configs: Mapping[str, NearCacheConfig], name: str) -> NearCacheConfig | None:
    """Return what is told of a map: under its name, else under the longest pattern with a `*`."""
    if (config := configs.get(name)) is not None:
        return config
    fitting = [pattern for pattern in configs if _fits(pattern, name)]
    return configs[max(fitting, key=len)] if fitting else None


def _fits(pattern: str, name: str) -> bool:
    head, star, tail = pattern.partition("*")
    # MatchingPointConfigPatternMatcher: one star, which stands for any text.
    long_enough = len(name) >= len(head) + len(tail)
    return bool(star) and long_enough and name.startswith(head) and name.endswith(tail)
