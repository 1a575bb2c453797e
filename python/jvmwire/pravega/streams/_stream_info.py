"""Description of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmwire.pravega.streams._configuration import StreamConfiguration
    from jvmwire.pravega.streams._names import StreamSegment
    from jvmwire.pravega.streams._stream_cut import StreamCut


@dataclass(frozen=True, slots=True)
class StreamInfo:
    """The configuration of a stream, where it begins and ends, and its segments.

    Attributes:
        stream: The stream, `scope/stream`.
        configuration: Its scaling policy, retention policy and tags.
        head: The stream cut at the first event that was not truncated.
        tail: The stream cut after which the next events will be written; without positions if the
            stream is sealed.
        segments: The segments that accept events, none if the stream is sealed.
    """

    stream: str
    configuration: StreamConfiguration
    head: StreamCut
    tail: StreamCut
    segments: tuple[StreamSegment, ...]

    @property
    def is_sealed(self) -> bool:
        """Whether the stream accepts no more events."""
        return not self.segments
