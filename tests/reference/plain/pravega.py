"""Pravega's appends: events in blocks, an `AppendBlockEnd` each."""

from __future__ import annotations

from struct import Struct

EVENT = Struct(">ii")
BEGIN = Struct(">ii16sii")
END = Struct(">iqq")
BLOCK_END = 4
HEADER_LEN = 8


def encode_blocks(
    events: list[bytes], writer_id: bytes, last: int, request_id: int, limit: int
) -> list[bytes]:
    """Return appends of up to `limit` bytes each, or of one event that is larger."""
    blocks = []
    at = 0
    while at < len(events):
        data = bytearray()
        first = at
        while at < len(events):
            event = events[at]
            if len(data) + EVENT.size + len(event) > limit and at > first:
                break
            data += EVENT.pack(0, len(event))
            data += event
            at += 1
        last += at - first
        length = BEGIN.size - HEADER_LEN + len(data) + END.size
        begin = BEGIN.pack(BLOCK_END, length, writer_id, len(data), len(data))
        blocks.append(begin + data + END.pack(at - first, last, request_id))
    return blocks
