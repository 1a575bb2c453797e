"""What things are called: a stream `scope/stream`, its segments by number and epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.pravega.arguments import check_name
from jvmwire.pravega.streams import controller_pb2 as messages

if TYPE_CHECKING:
    from uuid import UUID


class InvalidStreamName(ConfigError, ValueError):
    """A stream was not called `scope/stream`."""


def scope_info(scope: str) -> messages.ScopeInfo:
    """Return a scope's name as a controller takes it.

    Raises:
        TypeError, ValueError: it is not a string, or is empty.
    """
    return messages.ScopeInfo(scope=check_name("scope", scope))


def stream_info(stream: str) -> messages.StreamInfo:
    """Return a stream's name as a controller takes it.

    Raises:
        InvalidStreamName: it is not `scope/stream`.
        TypeError: it is not a string.
    """
    if not isinstance(stream, str):
        raise TypeError(f"the name of a stream must be a str, got {type(stream).__name__}")
    scope, slash, name = stream.partition("/")
    if not (scope and slash and name) or "/" in name:
        raise InvalidStreamName(f"{stream!r} is no stream: they are called scope/stream")
    return messages.StreamInfo(scope=scope, stream=name)


@dataclass(frozen=True, slots=True)
class StreamSegment:
    """A segment of a stream, and the routing keys whose events are in it."""

    stream: str
    segment_id: int
    """Its number, and in the upper half the epoch in which it came to be."""
    low: float
    """The first position of its keys; `pravega_positions` says where a key is."""
    high: float
    """The position behind its last."""

    @property
    def name(self) -> str:
        """What a segment store calls it: `NameUtils.getQualifiedStreamSegmentName`."""
        return segment_name(self.stream, self.segment_id)


def segment_name(stream: str, segment_id: int) -> str:
    """Return what a segment store calls a segment."""
    return f"{stream}/{segment_id & 0xFFFFFFFF}.#epoch.{segment_id >> 32}"


def segment_id_of(name: str) -> int:
    """Return the id of a segment by what a segment store calls it.

    Raises:
        ConfigError: no segment of a stream is called so.
    """
    number, _, epoch = name.rpartition("/")[2].partition(".#epoch.")
    if not (number.isdecimal() and epoch.isdecimal()):
        raise ConfigError(f"{name!r} is no segment of a stream: scope/stream/0.#epoch.0 is one")
    return int(epoch) << 32 | int(number)


def transaction_name(segment: str, transaction: UUID) -> str:
    """Return where a transaction keeps a segment's events: `NameUtils.getTransactionNameFromId`."""
    return f"{segment}#transaction.{transaction.hex}"


def segment_of(told: messages.SegmentRange) -> StreamSegment:
    """Return the segment that a controller tells of."""
    info = told.segmentId.streamInfo
    name = f"{info.scope}/{info.stream}"
    return StreamSegment(name, told.segmentId.segmentId, told.minKey, told.maxKey)
