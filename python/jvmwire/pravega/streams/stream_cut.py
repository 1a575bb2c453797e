"""A place in a stream: an offset in each of the segments that together have all keys."""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Mapping  # noqa: TC003 - of a dataclass
from dataclasses import dataclass, field
from types import MappingProxyType

from jvmwire.errors import DecodeError
from jvmwire.pravega.arguments import check_offset

MAX_TEXT = 16 << 20
"""Bytes of a cut's text when it is unpacked. Ours: a million segments."""
_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class StreamCut:
    """Where a reader is in a stream: what is before was read, what is behind was not."""

    stream: str
    positions: Mapping[int, int] = field(default_factory=dict)
    """Offsets, by segment id."""

    def __post_init__(self) -> None:
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
        """Return it as Java's `StreamCut.asText`."""
        ids = sorted(self.positions)
        numbers = [each & 0xFFFFFFFF for each in ids]
        epochs = [each >> 32 for each in ids]
        offsets = [self.positions[each] for each in ids]
        lists = ",".join(map(str, numbers)), ",".join(map(str, epochs)), ",".join(map(str, offsets))
        text = ":".join(["0", self.stream, *lists])
        return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()

    @classmethod
    def from_text(cls, text: str) -> StreamCut:
        """Return the cut that was written so, by us or by Java.

        Raises:
            DecodeError: it is none.
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
