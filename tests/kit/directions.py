"""The bytes of each direction of each connection of a capture, put together without our decoder."""

import gzip
from collections import defaultdict
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import dpkt


@dataclass
class Directions:
    """What the two sides of a connection wrote."""

    client: bytes
    server: bytes


@dataclass
class _Half:
    first: int = 0
    segments: dict[int, bytes] = field(default_factory=dict)

    def joined(self) -> bytes:
        out = bytearray()
        for place in sorted(self.segments):
            if place > len(out):
                raise ValueError(f"bytes {len(out)} to {place} were not captured")
            out += self.segments[place][len(out) - place :]
        return bytes(out)


def directions(path: Path) -> list[Directions]:
    """Return the connections of a whole capture of Ethernet frames, in order."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    halves: dict[tuple[int, int], _Half] = defaultdict(_Half)
    opened: list[tuple[int, int]] = []
    for _, packet in dpkt.pcap.Reader(BytesIO(content)):
        tcp = dpkt.ethernet.Ethernet(packet).data.data
        way = (tcp.sport, tcp.dport)
        if tcp.flags & dpkt.tcp.TH_SYN:
            halves[way] = _Half(first=tcp.seq + 1)
            if not tcp.flags & dpkt.tcp.TH_ACK and way not in opened:
                opened.append(way)
        elif tcp.data:
            place = (tcp.seq - halves[way].first) % (1 << 32)
            segments = halves[way].segments
            # The same bytes may have been sent again, as part of more.
            segments[place] = max(segments.get(place, b""), bytes(tcp.data), key=len)
    return [Directions(halves[way].joined(), halves[way[::-1]].joined()) for way in opened]
