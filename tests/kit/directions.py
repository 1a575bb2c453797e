"""Reassembly of both directions of each connection of a capture, without jvmwire's decoder."""

import gzip
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import dpkt

from .tap import Side


@dataclass
class Directions:
    """The bytes that the two sides of a connection wrote."""

    client: bytes
    server: bytes
    turns: list[tuple[Side, bytes]]
    """The same bytes in order of arrival, grouped in turns of one side."""


@dataclass
class _Half:
    side: Side
    first: int = 0
    joined: bytearray = field(default_factory=bytearray)
    early: dict[int, bytes] = field(default_factory=dict)

    def take(self, seq: int, data: bytes) -> bytes:
        """Return the bytes that follow on those taken before, and are new."""
        place = (seq - self.first) % (1 << 32)
        before = len(self.joined)
        # The same bytes may have been sent again, as part of a longer segment.
        self.early[place] = max(self.early.get(place, b""), data, key=len)
        for start in sorted(self.early):
            if start > len(self.joined):
                break
            self.joined += self.early.pop(start)[len(self.joined) - start :]
        return bytes(self.joined[before:])

    def whole(self) -> bytes:
        if self.early:
            raise ValueError(f"bytes {len(self.joined)} to {min(self.early)} were not captured")
        return bytes(self.joined)


def directions(path: Path) -> list[Directions]:
    """Return the connections of a whole capture of Ethernet frames, in order."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    halves: dict[tuple[int, int], _Half] = {}
    turns: dict[tuple[int, int], list[tuple[Side, bytes]]] = {}
    for _, packet in dpkt.pcap.Reader(BytesIO(content)):
        tcp = dpkt.ethernet.Ethernet(packet).data.data
        way = (tcp.sport, tcp.dport)
        if tcp.flags & dpkt.tcp.TH_SYN:
            if tcp.flags & dpkt.tcp.TH_ACK:
                halves[way] = _Half("server", tcp.seq + 1)
            else:
                halves[way] = _Half("client", tcp.seq + 1)
                turns.setdefault(way, [])
        elif tcp.data:
            half = halves[way]
            if new := half.take(tcp.seq, bytes(tcp.data)):
                said = turns[way if half.side == "client" else way[::-1]]
                if said and said[-1][0] == half.side:
                    new = said.pop()[1] + new
                said.append((half.side, new))
    return [
        Directions(halves[way].whole(), halves[way[::-1]].whole(), said)
        for way, said in turns.items()
    ]
