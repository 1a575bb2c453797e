"""Names of scopes, streams (`scope/stream`) and segments, which have a number and an epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.pravega._arguments import check_name
from jvmwire.pravega.streams import _controller_pb2 as messages

if TYPE_CHECKING:
    from uuid import UUID


class InvalidStreamName(ConfigError, ValueError):
    """The name of a stream does not have the form `scope/stream`."""


def scope_info(scope: str) -> messages.ScopeInfo:
    """Convert the name of a scope to its protobuf message.

    Raises:
        TypeError, ValueError: the name is not a string, or is empty.
    """
    return messages.ScopeInfo(scope=check_name("scope", scope))


def stream_info(stream: str) -> messages.StreamInfo:
    """Convert the name of a stream to its protobuf message.

    Raises:
        InvalidStreamName: the name does not have the form `scope/stream`.
        TypeError: the name is not a string.
    """
    if not isinstance(stream, str):
        raise TypeError(f"the name of a stream must be a str, got {type(stream).__name__}")
    scope, slash, name = stream.partition("/")
    if not (scope and slash and name) or "/" in name:
        raise InvalidStreamName(f"{stream!r} is not the name of a stream: expected scope/stream")
    return messages.StreamInfo(scope=scope, stream=name)


@dataclass(frozen=True, slots=True)
class StreamSegment:
    """A segment of a stream, and the range of routing keys whose events it holds.

    Attributes:
        stream: The stream, `scope/stream`.
        segment_id: The number of the segment, with the epoch of its creation in the upper 32 bits.
        low: The first routing position of the segment, 0.0 to 1.0.
        high: The end of its range of routing positions, exclusive.
    """

    stream: str
    segment_id: int
    low: float
    """The first routing position; `pravega_positions` computes the position of a key."""
    high: float
    """The end of the range of routing positions, exclusive."""

    @property
    def name(self) -> str:
        """The name at the segment store: `NameUtils.getQualifiedStreamSegmentName`."""
        return segment_name(self.stream, self.segment_id)


def segment_name(stream: str, segment_id: int) -> str:
    """Return the name of a segment at the segment store."""
    return f"{stream}/{segment_id & 0xFFFFFFFF}.#epoch.{segment_id >> 32}"


def segment_id_of(name: str) -> int:
    """Return the id of a segment from its name at the segment store.

    Raises:
        ConfigError: the name is not that of a stream's segment.
    """
    number, _, epoch = name.rpartition("/")[2].partition(".#epoch.")
    if not (number.isdecimal() and epoch.isdecimal()):
        raise ConfigError(
            f"{name!r} is not a segment of a stream: expected scope/stream/0.#epoch.0"
        )
    return int(epoch) << 32 | int(number)


def transaction_name(segment: str, transaction: UUID) -> str:
    """Return the segment of a transaction's events: `NameUtils.getTransactionNameFromId`."""
    return f"{segment}#transaction.{transaction.hex}"


def segment_of(proto: messages.SegmentRange) -> StreamSegment:
    """Convert a controller's description of a segment to a `StreamSegment`."""
    info = proto.segmentId.streamInfo
    name = f"{info.scope}/{info.stream}"
    return StreamSegment(name, proto.segmentId.segmentId, proto.minKey, proto.maxKey)
