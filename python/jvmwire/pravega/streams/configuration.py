"""How a stream is to grow, what it is to keep, and what it is tagged with."""

from __future__ import annotations

from dataclasses import dataclass, field

from jvmwire.pravega.arguments import MAX_INT, MAX_LONG, check_milliseconds, check_range
from jvmwire.pravega.streams import controller_pb2 as messages

MAX_TAGS = 127
"""Tags of a stream: fewer than `StreamConfiguration.MAX_TAG_COUNT`."""
MAX_TAG_LENGTH = 255
"""Characters of a tag: fewer than `StreamConfiguration.MAX_TAG_LENGTH`."""
_KINDS = messages.ScalingPolicy
_KEEPS = messages.RetentionPolicy


@dataclass(frozen=True, slots=True)
class ScalingPolicy:
    """How many segments a stream has."""

    min_segments: int = 1
    """At least so many, and exactly so many without a rate."""
    events_per_second: int = 0
    """Of a segment; above it is split, far below it is merged."""
    kbytes_per_second: int = 0
    scale_factor: int = 2
    """Into how many segments one is split at most."""

    def __post_init__(self) -> None:
        if self.events_per_second and self.kbytes_per_second:
            raise ValueError("a stream scales by events or by bytes, not by both")
        check_range("min_segments", self.min_segments, 1, MAX_INT)
        check_range("events_per_second", self.events_per_second, 0, MAX_INT)
        check_range("kbytes_per_second", self.kbytes_per_second, 0, MAX_INT)
        check_range("scale_factor", self.scale_factor, 1, MAX_INT)

    def to_proto(self) -> messages.ScalingPolicy:
        """Return it as a controller takes it."""
        if self.events_per_second:
            kind, rate = _KINDS.BY_RATE_IN_EVENTS_PER_SEC, self.events_per_second
        elif self.kbytes_per_second:
            kind, rate = _KINDS.BY_RATE_IN_KBYTES_PER_SEC, self.kbytes_per_second
        else:
            return _KINDS(scaleType=_KINDS.FIXED_NUM_SEGMENTS, minNumSegments=self.min_segments)
        return _KINDS(
            scaleType=kind,
            targetRate=rate,
            scaleFactor=self.scale_factor,
            minNumSegments=self.min_segments,
        )

    @classmethod
    def from_proto(cls, message: messages.ScalingPolicy) -> ScalingPolicy:
        """Return what a controller tells of."""
        by_events = message.scaleType == _KINDS.BY_RATE_IN_EVENTS_PER_SEC
        by_bytes = message.scaleType == _KINDS.BY_RATE_IN_KBYTES_PER_SEC
        return cls(
            min_segments=message.minNumSegments,
            events_per_second=message.targetRate if by_events else 0,
            kbytes_per_second=message.targetRate if by_bytes else 0,
            scale_factor=message.scaleFactor if by_events or by_bytes else 2,
        )


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """What a stream keeps; without a limit, all."""

    min_seconds: float | None = None
    """Events at least so long."""
    min_bytes: int | None = None
    """At least so many bytes."""

    def __post_init__(self) -> None:
        if self.min_seconds is not None and self.min_bytes is not None:
            raise ValueError("a stream keeps by time or by size, not by both")
        if self.min_seconds is not None:
            check_milliseconds("min_seconds", self.min_seconds)
        if self.min_bytes is not None:
            check_range("min_bytes", self.min_bytes, 1, MAX_LONG)

    def to_proto(self) -> messages.RetentionPolicy | None:
        """Return it as a controller takes it."""
        if self.min_seconds is not None:
            milliseconds = check_milliseconds("min_seconds", self.min_seconds)
            return _KEEPS(retentionType=_KEEPS.TIME, retentionParam=milliseconds, retentionMax=-1)
        if self.min_bytes is not None:
            return _KEEPS(retentionType=_KEEPS.SIZE, retentionParam=self.min_bytes, retentionMax=-1)
        return None

    @classmethod
    def from_proto(cls, message: messages.RetentionPolicy) -> RetentionPolicy:
        """Return what a controller tells of."""
        match message.retentionType:
            case _KEEPS.TIME:
                return cls(min_seconds=message.retentionParam / 1000)
            case _KEEPS.SIZE:
                return cls(min_bytes=message.retentionParam)
            case _:
                return cls()


@dataclass(frozen=True, slots=True)
class StreamConfiguration:
    """What a stream is made with, and may be changed to."""

    scaling: ScalingPolicy = field(default_factory=ScalingPolicy)
    retention: RetentionPolicy = field(default_factory=RetentionPolicy)
    tags: frozenset[str] = frozenset()
    rollover_size: int = 0
    """Bytes of the chunks that hold a segment; 0 is as the store likes."""

    def __post_init__(self) -> None:
        check_range("rollover_size", self.rollover_size, 0, MAX_LONG)
        if len(self.tags) > MAX_TAGS:
            raise ValueError(f"a stream has at most {MAX_TAGS} tags, got {len(self.tags)}")
        for tag in self.tags:
            if not 0 < len(tag) <= MAX_TAG_LENGTH:
                expected = f"1 to {MAX_TAG_LENGTH} characters"
                raise ValueError(f"a tag must have {expected}, got {len(tag)}")

    def to_proto(self, stream: messages.StreamInfo) -> messages.StreamConfig:
        """Return it as a controller takes it."""
        return messages.StreamConfig(
            streamInfo=stream,
            scalingPolicy=self.scaling.to_proto(),
            retentionPolicy=self.retention.to_proto(),
            tags=messages.Tags(tag=sorted(self.tags)),
            rolloverSizeBytes=self.rollover_size,
        )

    @classmethod
    def from_proto(cls, message: messages.StreamConfig) -> StreamConfiguration:
        """Return what a controller tells of."""
        return cls(
            scaling=ScalingPolicy.from_proto(message.scalingPolicy),
            retention=RetentionPolicy.from_proto(message.retentionPolicy),
            tags=frozenset(message.tags.tag),
            rollover_size=message.rolloverSizeBytes,
        )
