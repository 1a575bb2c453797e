"""What is told of a continuous query cache."""

from __future__ import annotations

from dataclasses import dataclass, field

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.predicates import Everything, without_pages

BATCH_SIZE = 1
"""`QueryCacheConfig.DEFAULT_BATCH_SIZE`."""
BUFFER_SIZE = 16
"""Events of a partition that its member keeps: `QueryCacheConfig.DEFAULT_BUFFER_SIZE`."""
MAX_ENTRIES = 10_000
"""Entries that a cache keeps: `EvictionConfig.DEFAULT_MAX_ENTRY_COUNT`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryCacheConfig:
    """How a query cache is kept; names are those of Java's `QueryCacheConfig`."""

    predicate: object = field(default_factory=Everything)
    """Says which entries are kept."""
    include_value: bool = True
    """Whether values are kept; else keys alone, and the map is asked for values."""
    populate: bool = True
    """Whether the cache begins with what is there; else with what changes from now on."""
    batch_size: int = BATCH_SIZE
    """Events of a partition that are told at once; of use with a `delay_seconds`."""
    buffer_size: int = BUFFER_SIZE
    """Events of a partition that its member keeps until they are told: more push out the first."""
    delay_seconds: int = 0
    """Seconds that an event waits for others at most; members look every five."""
    coalesce: bool = False
    """Whether of the events of a key that wait together only the last is told."""
    max_entries: int = MAX_ENTRIES
    """Entries that are kept: of more, what was not read for longest goes."""

    def __post_init__(self) -> None:
        without_pages(self.predicate)
        for name in ("batch_size", "buffer_size", "max_entries"):
            if (count := getattr(self, name)) < 1:
                raise ConfigError(f"{name} is {count}: it is at least 1")
        if self.delay_seconds < 0:
            raise ConfigError(f"delay_seconds is {self.delay_seconds}: it is at least 0")
