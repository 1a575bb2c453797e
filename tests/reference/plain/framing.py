"""Frames with a four-byte length, which may include itself, followed by that many bytes."""

from __future__ import annotations

from struct import Struct

from jvmwire.errors import DecodeError

HEADER_LEN = 4


class Framing:
    """A frame format; `byte_order` is that of the length, "big" or "little"."""

    def __init__(self, byte_order: str, *, includes_itself: bool, limit: int) -> None:
        self._limit = limit
        self._length = Struct({"big": ">i", "little": "<i"}[byte_order])
        self._counted = HEADER_LEN if includes_itself else 0

    def encode(self, payload: bytes) -> bytes:
        return self._length.pack(len(payload) + self._counted) + payload

    def decode(self, data: bytes, offset: int = 0) -> tuple[bytes, int] | None:
        """Return the payload at `offset` and where it ends, or `None` if it is incomplete."""
        start = offset + HEADER_LEN
        if start > len(data):
            return None
        (length,) = self._length.unpack_from(data, offset)
        length -= self._counted
        if not 0 <= length <= self._limit:
            raise DecodeError(f"{length} bytes are stated", "frame length", offset)
        end = start + length
        return (data[start:end], end) if end <= len(data) else None

    def decode_all(self, data: bytes) -> tuple[list[bytes], int]:
        """Return the payloads of all complete frames, and how many bytes these take."""
        payloads = []
        offset = 0
        while (frame := self.decode(data, offset)) is not None:
            payload, offset = frame
            payloads.append(payload)
        return payloads, offset
