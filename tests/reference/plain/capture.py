"""Plain baseline: a capture's messages in Python with dpkt and struct, as a careful user writes it.

One pass over the packets; no class per packet, no unnecessary copies; only the columns of the table
of messages are parsed. Reads the contents of the benchmarks' captures: Hadoop RPC over TCP over
IPv4, without SASL.
"""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, NamedTuple

import dpkt

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = "stream long, side string, offset long, length long, ts timestamp, name string, id string"

_LENGTH = struct.Struct(">i")
_PREAMBLE = 7
"""`hrpc`, version, service class, authentication."""
_CONNECTION_CONTEXT = -3
_PING = -4
_FATAL = 2


class Message(NamedTuple):
    """A row."""

    stream: int
    side: str
    offset: int
    length: int
    ts: float
    name: str
    id: str | None


class Direction:
    """The bytes that one end of a connection wrote: in order, without repeats."""

    __slots__ = ("buffer", "client", "early", "name", "next", "offset", "stream")

    def __init__(self, stream: int, *, client: bool) -> None:
        self.stream = stream
        self.client = client
        self.name = "client" if client else "server"
        self.next: int | None = None
        self.early: dict[int, bytes] = {}
        self.buffer = bytearray()
        self.offset = 0

    def take(self, sequence: int, data: bytes) -> None:
        """Insert a segment at its position."""
        if self.next is None:
            self.next = sequence
        behind = (sequence - self.next) & 0xFFFFFFFF
        if behind == 0:
            self.buffer += data
            self.next = (sequence + len(data)) & 0xFFFFFFFF
            if self.early:
                self._take_early()
        elif behind < 1 << 31:
            self.early[sequence] = data
        else:  # sent again, maybe with new bytes at the end
            known = (1 << 32) - behind
            if known < len(data):
                self.take(self.next, data[known:])

    def _take_early(self) -> None:
        assert self.next is not None
        for sequence in sorted(self.early, key=lambda s: (s - (self.next or 0)) & 0xFFFFFFFF):
            if (self.next - sequence) & 0xFFFFFFFF < 1 << 31:
                data = self.early.pop(sequence)
                known = (self.next - sequence) & 0xFFFFFFFF
                if known < len(data):
                    self.buffer += data[known:]
                    self.next = (sequence + len(data)) & 0xFFFFFFFF

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Yield the complete frames, without lengths: the offset of each, and its bytes."""
        buffer = self.buffer
        at = _PREAMBLE if self.client and not self.offset and len(buffer) >= _PREAMBLE else 0
        while len(buffer) - at >= 4 and not (self.client and not self.offset and not at):
            (size,) = _LENGTH.unpack_from(buffer, at)
            if len(buffer) - at - 4 < size:
                break
            yield self.offset + at, bytes(buffer[at + 4 : at + 4 + size])
            at += size + 4
        if at:
            del buffer[:at]
            self.offset += at

    def messages(self, ts: float) -> Iterator[Message]:
        """Yield the messages that are complete now."""
        buffer, at = self.buffer, 0
        if self.client and not self.offset and len(buffer) >= _PREAMBLE:
            yield Message(self.stream, self.name, 0, _PREAMBLE, ts, "ConnectionHeader", None)
            at = _PREAMBLE
        while len(buffer) - at >= 4 and not (self.client and not self.offset and not at):
            (size,) = _LENGTH.unpack_from(buffer, at)
            if len(buffer) - at - 4 < size:
                break
            name, number = (_request if self.client else _reply)(buffer, at + 4)
            yield Message(self.stream, self.name, self.offset + at, size + 4, ts, name, str(number))
            at += size + 4
        if at:
            del buffer[:at]
            self.offset += at


def _varint(buffer: bytearray, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        octet = buffer[at]
        at += 1
        value |= (octet & 127) << shift
        if octet < 128:
            return value, at
        shift += 7


def _header(buffer: bytearray, at: int, wanted: int) -> dict[int, int]:
    """Read the integers of a delimited header, up to field `wanted`."""
    size, at = _varint(buffer, at)
    end = at + size
    fields: dict[int, int] = {}
    while at < end:
        tag, at = _varint(buffer, at)
        if tag & 7 == 0:
            fields[tag >> 3], at = _varint(buffer, at)
            if tag >> 3 == wanted:
                break
        else:
            length, at = _varint(buffer, at)
            at += length
    return fields


def _request(buffer: bytearray, at: int) -> tuple[str, int]:
    zigzag = _header(buffer, at, 3)[3]
    number = zigzag >> 1 ^ -(zigzag & 1)
    if number == _CONNECTION_CONTEXT:
        return "ConnectionContext", number
    return "Ping" if number == _PING else "Call", number


def _reply(buffer: bytearray, at: int) -> tuple[str, int]:
    fields = _header(buffer, at, 2)
    number = (fields[1] & 0xFFFFFFFF ^ 1 << 31) - (1 << 31)  # int32, written as uint32
    return "Fatal" if fields[2] == _FATAL else "Reply", number


def decode(data: bytes) -> Iterator[Message]:
    """Yield the messages of a pcap."""
    for direction, ts, _ in segments(data):
        yield from direction.messages(ts)


def segments(data: bytes) -> Iterator[tuple[Direction, float, dpkt.ip.IP]]:
    """Yield each direction with new bytes, its previous length, and the packet."""
    directions: dict[tuple[bytes, int, bytes, int], Direction] = {}
    streams = 0
    for ts, frame in dpkt.pcap.Reader(io.BytesIO(data)):
        ip = dpkt.ethernet.Ethernet(frame).data
        if not isinstance(ip, dpkt.ip.IP) or not isinstance(ip.data, dpkt.tcp.TCP):
            continue
        tcp = ip.data
        key = (ip.src, tcp.sport, ip.dst, tcp.dport)
        direction = directions.get(key)
        if tcp.flags & dpkt.tcp.TH_SYN:
            if not tcp.flags & dpkt.tcp.TH_ACK:
                direction = directions[key] = Direction(streams, client=True)
                back = (ip.dst, tcp.dport, ip.src, tcp.sport)
                directions[back] = Direction(streams, client=False)
                streams += 1
            if direction is not None:
                direction.next = (tcp.seq + 1) & 0xFFFFFFFF
        elif direction is not None and tcp.data:
            direction.take(tcp.seq, tcp.data)
            yield direction, ts, ip
        if direction is not None and tcp.flags & dpkt.tcp.TH_RST:
            directions.pop(key, None)
