"""Configuration of a continuous query cache."""

from __future__ import annotations

from dataclasses import dataclass, field

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.predicates import TruePredicate, without_pages
from jvmwire.options import check_options

BATCH_SIZE = 1
"""`QueryCacheConfig.DEFAULT_BATCH_SIZE`."""
BUFFER_SIZE = 16
"""Events per partition that a member buffers: `QueryCacheConfig.DEFAULT_BUFFER_SIZE`."""
MAX_ENTRIES = 10_000
"""Maximum number of entries: `EvictionConfig.DEFAULT_MAX_ENTRY_COUNT`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryCacheConfig:
    """Configuration of a query cache; names are those of Java's `QueryCacheConfig`.

    Args:
        predicate: Predicate that selects the entries; `TruePredicate()` by default.
        include_value: Whether values are cached, True by default.
        populate: Whether the cache starts with the current entries, True by default.
        batch_size: Events of a partition per message; 1 by default.
        buffer_size: Events of a partition that its member buffers; 16 by default.
        delay_seconds: Maximum delay of an event in seconds; 0 by default.
        coalesce: Whether only the last waiting event of a key is sent, False by default.
        max_entries: Maximum number of entries; 10,000 by default.

    Raises:
        ConfigError: a setting is outside of its range.
    """

    predicate: object = field(default_factory=TruePredicate)
    """Predicate that selects the entries."""
    include_value: bool = True
    """Whether values are cached; otherwise only keys are, and values are read from the map."""
    populate: bool = True
    """Whether the cache starts with the current entries; otherwise it starts empty."""
    batch_size: int = BATCH_SIZE
    """Events of a partition per message; useful with a `delay_seconds`."""
    buffer_size: int = BUFFER_SIZE
    """Events of a partition that its member buffers until they are sent; further events drop the
    oldest."""
    delay_seconds: int = 0
    """Maximum seconds that an event waits for others; members check every five seconds."""
    coalesce: bool = False
    """Whether only the last waiting event of a key is sent."""
    max_entries: int = MAX_ENTRIES
    """Maximum number of entries; beyond it, the least recently read entry is evicted."""

    def __post_init__(self) -> None:
        check_options(self)
        without_pages(self.predicate)
        for name in ("batch_size", "buffer_size", "max_entries"):
            if (count := getattr(self, name)) < 1:
                raise ConfigError(f"{name} is {count}: it is at least 1")
        if self.delay_seconds < 0:
            raise ConfigError(f"delay_seconds is {self.delay_seconds}: it is at least 0")
