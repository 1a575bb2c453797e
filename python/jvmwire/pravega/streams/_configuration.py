"""Configuration of a stream: its scaling policy, retention policy and tags."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta  # noqa: TC003 - of a dataclass

from jvmwire._checks import check_range
from jvmwire._times import to_seconds
from jvmwire.errors import ConfigError
from jvmwire.options import check_options, of_class
from jvmwire.pravega._arguments import MAX_INT, MAX_LONG, check_milliseconds
from jvmwire.pravega.streams import _controller_pb2 as messages

MAX_TAGS = 127
"""Tags per stream, at most: fewer than `StreamConfiguration.MAX_TAG_COUNT`."""
MAX_TAG_LENGTH = 255
"""Characters per tag, at most: fewer than `StreamConfiguration.MAX_TAG_LENGTH`."""
_KINDS = messages.ScalingPolicy
_KEEPS = messages.RetentionPolicy


@dataclass(frozen=True, slots=True)
class ScalingPolicy:
    """Scaling policy of a stream: its number of segments, fixed or by rate.

    Args:
        min_segments: The minimum number of segments; the exact number if no rate is set.
        events_per_second: Target rate per segment; a segment well above it is split, segments far
            below it are merged. 0 is no rate.
        kbytes_per_second: Target rate per segment in KB/s; 0 is no rate. Only one rate may be set.
        scale_factor: The number of segments into which one segment is split, at most.

    Raises:
        ConfigError: both rates are set, or a value is out of range.

    Source: ScalingPolicy (Pravega 0.13).
    """

    min_segments: int = 1
    events_per_second: int = 0
    """Target rate per segment; a segment above it is split, segments far below it are merged."""
    kbytes_per_second: int = 0
    scale_factor: int = 2

    def __post_init__(self) -> None:
        if self.events_per_second and self.kbytes_per_second:
            raise ConfigError("a stream scales by events or by bytes, not by both")
        check_range("min_segments", self.min_segments, 1, MAX_INT)
        check_range("events_per_second", self.events_per_second, 0, MAX_INT)
        check_range("kbytes_per_second", self.kbytes_per_second, 0, MAX_INT)
        check_range("scale_factor", self.scale_factor, 1, MAX_INT)

    def to_proto(self) -> messages.ScalingPolicy:
        """Convert the policy to its protobuf message.

        Returns:
            The message as a controller expects it.
        """
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
        """Create a policy from its protobuf message.

        Args:
            message: The message as a controller sends it.

        Returns:
            The policy.
        """
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
    """Retention policy of a stream; without a limit everything is kept.

    Args:
        min_seconds: Events are kept at least this many seconds, or this `timedelta`.
        min_bytes: At least this many bytes are kept. Only one of both limits may be set.

    Raises:
        ConfigError: both limits are set, or a value is out of range.

    Source: RetentionPolicy (Pravega 0.13).
    """

    min_seconds: float | timedelta | None = None
    min_bytes: int | None = None
    """At least this many bytes are kept."""

    def __post_init__(self) -> None:
        if self.min_seconds is not None and self.min_bytes is not None:
            raise ConfigError("a stream keeps by time or by size, not by both")
        if self.min_seconds is not None:
            check_milliseconds("min_seconds", self.min_seconds)
            # As a number, so that equal policies are equal.
            object.__setattr__(self, "min_seconds", to_seconds("min_seconds", self.min_seconds))
        if self.min_bytes is not None:
            check_range("min_bytes", self.min_bytes, 1, MAX_LONG)

    def to_proto(self) -> messages.RetentionPolicy | None:
        """Convert the policy to its protobuf message.

        Returns:
            The message as a controller expects it; None without a limit.
        """
        if self.min_seconds is not None:
            milliseconds = check_milliseconds("min_seconds", self.min_seconds)
            return _KEEPS(retentionType=_KEEPS.TIME, retentionParam=milliseconds, retentionMax=-1)
        if self.min_bytes is not None:
            return _KEEPS(retentionType=_KEEPS.SIZE, retentionParam=self.min_bytes, retentionMax=-1)
        return None

    @classmethod
    def from_proto(cls, message: messages.RetentionPolicy) -> RetentionPolicy:
        """Create a policy from its protobuf message.

        Args:
            message: The message as a controller sends it.

        Returns:
            The policy.
        """
        match message.retentionType:
            case _KEEPS.TIME:
                return cls(min_seconds=message.retentionParam / 1000)
            case _KEEPS.SIZE:
                return cls(min_bytes=message.retentionParam)
            case _:
                return cls()


@dataclass(frozen=True, slots=True)
class StreamConfiguration:
    """Configuration with which a stream is created or updated.

    Args:
        scaling: The scaling policy; by default one segment.
        retention: The retention policy; by default everything is kept.
        tags: At most 127 tags of 1 to 255 characters.
        rollover_size: Bytes per chunk of a segment in long-term storage; 0 is the store's default.
        timestamp_aggregation_timeout: Seconds for which watermarks wait for a writer that noted
            times before and does not now; default 0.

    Raises:
        ConfigError: a value is out of range.

    Source: StreamConfiguration (Pravega 0.13).
    """

    scaling: ScalingPolicy = field(default_factory=ScalingPolicy, metadata=of_class(ScalingPolicy))
    retention: RetentionPolicy = field(
        default_factory=RetentionPolicy, metadata=of_class(RetentionPolicy)
    )
    tags: frozenset[str] = frozenset()
    rollover_size: int = 0
    timestamp_aggregation_timeout: float | timedelta = 0.0

    def __post_init__(self) -> None:
        check_options(self)
        check_range("rollover_size", self.rollover_size, 0, MAX_LONG)
        wait = to_seconds("timestamp_aggregation_timeout", self.timestamp_aggregation_timeout)
        if wait != 0:
            check_milliseconds("timestamp_aggregation_timeout", wait)
        # As a number, so that equal configurations are equal.
        object.__setattr__(self, "timestamp_aggregation_timeout", wait)
        if len(self.tags) > MAX_TAGS:
            raise ConfigError(f"a stream has at most {MAX_TAGS} tags, got {len(self.tags)}")
        for tag in self.tags:
            if not 0 < len(tag) <= MAX_TAG_LENGTH:
                expected = f"1 to {MAX_TAG_LENGTH} characters"
                raise ConfigError(f"a tag must have {expected}, got {len(tag)}")

    def to_proto(self, stream: messages.StreamInfo) -> messages.StreamConfig:
        """Convert the configuration to its protobuf message.

        Args:
            stream: The stream that is configured.

        Returns:
            The message as a controller expects it.
        """
        return messages.StreamConfig(
            streamInfo=stream,
            scalingPolicy=self.scaling.to_proto(),
            retentionPolicy=self.retention.to_proto(),
            tags=messages.Tags(tag=sorted(self.tags)),
            rolloverSizeBytes=self.rollover_size,
            timestampAggregationTimeout=round(
                to_seconds("timestamp_aggregation_timeout", self.timestamp_aggregation_timeout)
                * 1000
            ),
        )

    @classmethod
    def from_proto(cls, message: messages.StreamConfig) -> StreamConfiguration:
        """Create a configuration from its protobuf message.

        Args:
            message: The message as a controller sends it.

        Returns:
            The configuration.
        """
        return cls(
            scaling=ScalingPolicy.from_proto(message.scalingPolicy),
            retention=RetentionPolicy.from_proto(message.retentionPolicy),
            tags=frozenset(message.tags.tag),
            rollover_size=message.rolloverSizeBytes,
            timestamp_aggregation_timeout=message.timestampAggregationTimeout / 1000,
        )
