"""Position in a stream: an offset in each of the segments that together cover all routing keys."""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Mapping  # noqa: TC003 - of a dataclass
from dataclasses import dataclass, field
from types import MappingProxyType

from jvmwire.errors import DecodeError
from jvmwire.options import check_options
from jvmwire.pravega._arguments import check_offset

MAX_TEXT = 16 << 20
"""Bytes of a cut's text after decompression, at most (chosen by jvmwire: a million segments)."""
_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class StreamCut:
    """Position in a stream, between the events before it and those after it.

    Args:
        stream: The stream, `scope/stream`.
        positions: The offset in bytes in each segment, by segment id.

    Raises:
        ValueError: a segment id or an offset is negative.
    """

    stream: str
    positions: Mapping[int, int] = field(default_factory=dict)
    """Offsets in bytes, by segment id."""

    def __post_init__(self) -> None:
        check_options(self)
        positions = {
            check_offset("a segment id", segment_id): check_offset("an offset of a cut", offset)
            for segment_id, offset in self.positions.items()
        }
        object.__setattr__(self, "positions", MappingProxyType(positions))

    def __hash__(self) -> int:
        return hash((self.stream, frozenset(self.positions.items())))

    def __reduce__(self) -> tuple[type[StreamCut], tuple[str, dict[int, int]]]:
        return StreamCut, (self.stream, dict(self.positions))

    def to_text(self) -> str:
        """Encode the cut as text, in the format of Java's `StreamCut.asText`.

        Returns:
            Base64 of gzipped text.
        """
        ids = sorted(self.positions)
        numbers = [each & 0xFFFFFFFF for each in ids]
        epochs = [each >> 32 for each in ids]
        offsets = [self.positions[each] for each in ids]
        lists = ",".join(map(str, numbers)), ",".join(map(str, epochs)), ",".join(map(str, offsets))
        text = ":".join(["0", self.stream, *lists])
        return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()

    @classmethod
    def from_text(cls, text: str) -> StreamCut:
        """Decode a cut from its text, written by `to_text` or by Java.

        Args:
            text: Base64 of gzipped text.

        Returns:
            The cut.

        Raises:
            DecodeError: the text is not a stream cut.

        Source: StreamCut.from (Pravega 0.13).
        """
        try:
            unpacking = zlib.decompressobj(_GZIP)
            plain = unpacking.decompress(base64.b64decode(text, validate=True), MAX_TEXT)
            _, stream, *lists = plain.decode().split(":")
            numbers, epochs, offsets = (
                [int(number) for number in each.split(",") if number] for each in lists
            )
            places = zip(epochs, numbers, offsets, strict=True)
            cut = cls(stream, {epoch << 32 | number: at for epoch, number, at in places})
        except (ValueError, zlib.error) as error:
            raise DecodeError(f"{text!r} is not the text of a stream cut: {error}") from error
        if not unpacking.eof:
            raise DecodeError(f"the text of a stream cut ends early, or is above {MAX_TEXT} bytes")
        return cut
