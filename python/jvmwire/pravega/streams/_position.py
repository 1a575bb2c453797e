"""Position of a reader in a reader group, to be stored with the results of its events."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - of a dataclass
from dataclasses import dataclass, field

from jvmwire.pravega.streams._versioned import COMPACT_LONG, RANGE, UTF, MapOf, RecordFormat, Source

AT_END = -1
"""Offset of a sealed segment that was read to its end."""
_END = (1 << 62) - 2
"""The encoding of that offset: `RevisionDataOutput.COMPACT_LONG_MAX`."""


class _Offset:
    def write(self, out: bytearray, value: int) -> None:
        COMPACT_LONG.write(out, _END if value < 0 else value)

    def read(self, source: Source) -> int:
        value: int = COMPACT_LONG.read(source)
        return AT_END if value == _END else value


_POSITION = RecordFormat(((("segments", MapOf(UTF, _Offset())),), (("ranges", MapOf(UTF, RANGE)),)))


@dataclass(frozen=True, slots=True)
class Position:
    """Offsets after the events that a reader returned, by segment name.

    Args:
        segments: The offset in bytes of each segment; -1 is the end of a sealed segment.
        ranges: The range of routing positions of each segment, None where it is not known.
    """

    segments: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float] | None] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Encode the position as Java's `Position.toBytes` does.

        Returns:
            The serialised position.
        """
        ranges = {segment: self.ranges.get(segment) for segment in self.segments}
        return _POSITION.encode({"segments": self.segments, "ranges": ranges})

    @classmethod
    def from_bytes(cls, data: bytes) -> Position:
        """Decode a position that `to_bytes`, here or in Java, encoded.

        Args:
            data: The serialised position.

        Returns:
            The position.

        Raises:
            DecodeError: the bytes are not a position.
        """
        return cls(**_POSITION.decode(data))
