"""Mutations that damage a capture as networks and taps do, packet by packet, from a seed."""

from __future__ import annotations

import gzip
import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kit.scale import seeded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

_HEADER = 24
_ETHERNET, _SEQUENCE, _FLAGS = 14, 4, 13
_SYN_FIN_RST = 0x07


@dataclass(frozen=True)
class Packet:
    """A record of a pcap file, little-endian in microseconds: TCP over IPv4 over Ethernet."""

    seconds: int
    micros: int
    frame: bytes
    original_length: int

    def record(self) -> bytes:
        """Encode the packet as a record of the file."""
        head = (self.seconds, self.micros, len(self.frame), self.original_length)
        return struct.pack("<4I", *head) + self.frame

    @property
    def _tcp(self) -> int:
        return _ETHERNET + (self.frame[_ETHERNET] & 15) * 4

    @property
    def payload_at(self) -> int:
        """Offset of the payload in the frame."""
        return self._tcp + (self.frame[self._tcp + 12] >> 4) * 4

    @property
    def _end(self) -> int:
        """Offset of the end of the IP packet: short Ethernet frames are padded."""
        return _ETHERNET + int.from_bytes(self.frame[_ETHERNET + 2 : _ETHERNET + 4], "big")

    @property
    def payload(self) -> bytes:
        """The bytes of the stream that the packet carries."""
        return self.frame[self.payload_at : self._end]

    @property
    def is_plain(self) -> bool:
        """Whether the packet neither opens nor closes a connection."""
        return not self.frame[self._tcp + _FLAGS] & _SYN_FIN_RST

    @property
    def micros_since_1970(self) -> int:
        """Capture time in microseconds since 1970."""
        return self.seconds * 1_000_000 + self.micros

    def repeats(self, other: Packet) -> bool:
        """Return whether both packets carry bytes of the same position of a stream."""
        if not (self.payload and other.payload) or self._ends != other._ends:
            return False
        ahead = (self._number - other._number + 0x8000_0000) % 0x1_0000_0000 - 0x8000_0000
        return -len(self.payload) < ahead < len(other.payload)

    @property
    def _ends(self) -> bytes:
        """The addresses and ports of the source and the destination."""
        return self.frame[_ETHERNET + 12 : _ETHERNET + 20] + self.frame[self._tcp : self._tcp + 4]

    @property
    def _number(self) -> int:
        return int.from_bytes(self.frame[self._tcp + _SEQUENCE : self._tcp + _SEQUENCE + 4], "big")

    def part(self, start: int, stop: int) -> Packet:
        """Return the segment with only these bytes of its payload; checksums are unchanged."""
        frame = bytearray(self.frame[: self.payload_at] + self.payload[start:stop])
        at = self._tcp + _SEQUENCE
        sequence = int.from_bytes(frame[at : at + 4], "big") + start
        frame[at : at + 4] = (sequence & 0xFFFF_FFFF).to_bytes(4, "big")
        frame[_ETHERNET + 2 : _ETHERNET + 4] = (len(frame) - _ETHERNET).to_bytes(2, "big")
        return replace(self, frame=bytes(frame), original_length=len(frame))

    def cut_to(self, length: int) -> Packet:
        """Return the packet as a snaplen of `length` cuts it."""
        return replace(self, frame=self.frame[:length])


def read_packets(path: Path) -> tuple[bytes, list[Packet]]:
    """Read the file's header and its packets."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    at, packets = _HEADER, []
    while at < len(content):
        seconds, micros, length, original = struct.unpack_from("<4I", content, at)
        packets.append(Packet(seconds, micros, content[at + 16 : at + 16 + length], original))
        at += 16 + length
    return content[:_HEADER], packets


def write_packets(path: Path, header: bytes, packets: Iterable[Packet]) -> Path:
    """Write a file, and return its path."""
    path.write_bytes(header + b"".join(packet.record() for packet in packets))
    return path


def shuffled(packets: Sequence[Packet], seed: int, window: int = 4) -> list[Packet]:
    """Let packets overtake each other within a window; each position in the file keeps its time."""
    chance = seeded(seed)
    keys = [number + chance.random() * window for number in range(len(packets))]
    order = sorted(range(len(packets)), key=keys.__getitem__)
    return [
        replace(packets[new], seconds=old.seconds, micros=old.micros)
        for new, old in zip(order, packets, strict=True)
    ]


def disordered(packets: Sequence[Packet], seed: int, window: int) -> list[Packet]:
    """Let packets overtake each other as several queues do: each packet keeps its time.

    A packet moves by at most `window` positions and passes only packets that are less than a second
    older; copies of the same bytes keep their order.
    """
    chance = seeded(seed)
    order: list[int] = []
    for number, packet in enumerate(packets):
        at = len(order)
        for _ in range(chance.randrange(window + 1)):
            if not at:
                break
            before = packets[order[at - 1]]
            since = packet.micros_since_1970 - before.micros_since_1970
            is_far = number - order[at - 1] > window or since >= 1_000_000
            if is_far or packet.repeats(before):
                break
            at -= 1
        order.insert(at, number)
    return [packets[number] for number in order]


def duplicated(packets: Sequence[Packet], seed: int) -> list[Packet]:
    """Repeat some packets, at once or a few packets later."""
    chance = seeded(seed)
    out: list[Packet] = []
    late: list[Packet] = []
    for packet in packets:
        out.append(packet)
        if late and chance.random() < 0.3:
            again = late.pop(0)
            out.append(replace(again, seconds=packet.seconds, micros=packet.micros))
        if packet.is_plain and chance.random() < 0.1:
            late.append(packet)
    return out


def resplit(packets: Sequence[Packet], seed: int) -> list[Packet]:
    """Split segments in two that overlap by some bytes."""
    chance = seeded(seed)
    out = []
    for packet in packets:
        length = len(packet.payload)
        if length < 4 or not packet.is_plain:
            out.append(packet)
            continue
        cut = chance.randrange(1, length)
        overlap = chance.randrange(min(cut, 8) + 1)
        out += [packet.part(0, cut), packet.part(cut - overlap, length)]
    return out


def truncated(packets: Sequence[Packet], seed: int) -> list[Packet]:
    """Cut the ends off some long packets, as a snaplen does."""
    chance = seeded(seed)
    return [
        packet.cut_to(len(packet.frame) - chance.randrange(1, 60))
        if len(packet.payload) > 80 and chance.random() < 0.02
        else packet
        for packet in packets
    ]


def dropped(packets: Sequence[Packet], seed: int) -> list[Packet]:
    """Leave out some packets with payload, as a tap under load does."""
    chance = seeded(seed)
    return [p for p in packets if not (p.payload and chance.random() < 0.01)]


def started_late(packets: Sequence[Packet], seed: int) -> list[Packet]:
    """Leave out the first packets: the capture starts in the middle of connections."""
    return list(packets[seeded(seed).randrange(20, 60) :])


HARMLESS: dict[str, Callable[[Sequence[Packet], int], list[Packet]]] = {
    "shuffled": shuffled,
    "duplicated": duplicated,
    "resplit": resplit,
}
"""Mutations that lose nothing: the rows are those of the original, except for their times."""

HARMFUL: dict[str, Callable[[Sequence[Packet], int], list[Packet]]] = {
    "truncated": truncated,
    "dropped": dropped,
    "started late": started_late,
}
"""Mutations that lose rows; other rows report the loss."""
