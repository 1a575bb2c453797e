"""Reassembly of fragmented messages: one after the other on a stream, or interleaved by id."""

from __future__ import annotations

from jvmwire.errors import DecodeError

STREAM_BEGINS, STREAM_GOES_ON, STREAM_ENDS = range(3)
"""Flags of early Pravega."""
BEGINS, ENDS = 0x80, 0x40
"""Flags of Hazelcast."""


class StreamAssembler:
    """Assembler of fragments where a message ends before the next begins."""

    def __init__(self, *, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._length = 0
        self._offset = 0

    def push(self, flag: int, fragment: bytes) -> bytes | None:
        """Take a fragment, and return the message that it ends."""
        at = self._offset
        self._offset += len(fragment)
        if (flag == STREAM_BEGINS) == bool(self._pieces):
            raise DecodeError("a fragment out of order", "fragment", at, flag)
        length = self._length + len(fragment)
        if length > self._limit:
            raise DecodeError(f"{length} bytes", "bytes of a fragmented message", at, length)
        self._pieces.append(fragment)
        self._length = length
        if flag != STREAM_ENDS:
            return None
        message = b"".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        return message


class KeyedAssembler:
    """Assembler of fragments with the id of their message, where messages may interleave."""

    def __init__(self, *, limit: int, total_limit: int, open_limit: int) -> None:
        self._limit = limit
        self._total_limit = total_limit
        self._open_limit = open_limit
        self._open: dict[int, list[bytes]] = {}
        self._lengths: dict[int, int] = {}
        self._buffered = 0
        self._offset = 0

    def push(self, correlation_id: int, flags: int, fragment: bytes) -> bytes | None:
        """Take a fragment of a message, and return the message if this ends it."""
        at = self._offset
        self._offset += len(fragment)
        if bool(flags & BEGINS) == (correlation_id in self._open):
            raise DecodeError("a fragment out of order", "fragment", at, correlation_id)
        length = self._lengths.get(correlation_id, 0) + len(fragment)
        if length > self._limit:
            raise DecodeError(f"{length} bytes", "bytes of a fragmented message", at, length)
        if flags & BEGINS and flags & ENDS:
            return fragment
        total = self._buffered + len(fragment)
        if total > self._total_limit:
            raise DecodeError(f"{total} bytes", "bytes of all open messages", at, total)
        if flags & BEGINS:
            count = len(self._open) + 1
            if count > self._open_limit:
                raise DecodeError(f"{count} messages", "open messages", at, count)
            self._open[correlation_id] = []
        self._open[correlation_id].append(fragment)
        self._lengths[correlation_id] = length
        self._buffered = total
        if not flags & ENDS:
            return None
        self._buffered -= self._lengths.pop(correlation_id)
        return b"".join(self._open.pop(correlation_id))
