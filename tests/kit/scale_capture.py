"""Make a big capture of a small one: its conversations again and again, each by new clients.

    PYTHONPATH=tests python -m kit.scale_capture IN OUT (--calls N | --bytes N | --copies N)
        [--first-copy N]

A copy is all packets of IN, with every client's address replaced by one of 10.0.0.0/8 and the times
moved on. Copies overlap: `CONCURRENT` of them run at any time, as they would on a busy server.
Checksums are as right, or as wrong, as they were.

IN is pcap or pcapng, plain or gzip, of TCP over IPv4 over Ethernet. OUT is pcap in microseconds;
what is written first is never read again, so `-` may be a pipe.
"""

from __future__ import annotations

import argparse
import gzip
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import dpkt
import numpy as np

from jvmwire.capture import CaptureWriter, View, read_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

CONCURRENT = 8
"""Copies that overlap in time."""
MAX_COPIES = 1 << 24
"""As many addresses as 10.0.0.0/8 has."""
_TEN = 10 << 24

_RECORD_HEADER = 16
_ADDRESS = {"source": 26, "destination": 30}
"""Offsets of the addresses in an Ethernet frame."""
_IP_CHECKSUM = 24
_TCP_CHECKSUM = 16
"""Offset of the checksum in the TCP header, whose position follows from the IP header's length."""


class NotAmplifiable(ValueError):
    """A capture of anything else than TCP over IPv4 over Ethernet."""


@dataclass(frozen=True)
class Template:
    """The packets of one copy, folded to the time between two copies' starts.

    A packet late in the recording is next to an early packet of the next copy: `folds` is the
    number of copies by which it is behind.
    """

    data: NDArray[np.uint8]
    """Records of a pcap file, in order of their folded times."""
    starts: NDArray[np.int64]
    """Offset of each record in `data`; one more at the end."""
    times: NDArray[np.int64]
    """Folded times, in microseconds."""
    period: int
    folds: NDArray[np.int64]
    address: NDArray[np.int64]
    """Offset of the client's address in `data`."""
    ip_checksum: NDArray[np.int64]
    tcp_checksum: NDArray[np.int64]

    @classmethod
    def of(cls, source: Path) -> Template:
        """Read a small capture."""
        packets = list(_packets(source))
        if not packets:
            raise NotAmplifiable(f"{source} holds no packets")
        clients = _clients(frame for _, frame in packets)
        times = np.array([ts for ts, _ in packets], np.int64)
        period = int(np.ptp(times)) // CONCURRENT + 1
        since = times - times.min()
        folds, folded = since // period, since % period
        order = np.argsort(folded, kind="stable")
        records = bytearray()
        starts, addresses, tcp = [0], [], []
        for number in order:
            frame = packets[number][1]
            at = len(records) + _RECORD_HEADER
            source_end, destination_end = _ends(frame)
            # The client is the side that opened the connection.
            own = "source" if (source_end, destination_end) in clients else "destination"
            addresses.append(at + _ADDRESS[own])
            tcp.append(at + 14 + (frame[14] & 15) * 4 + _TCP_CHECKSUM)
            records += bytes(8) + len(frame).to_bytes(4, "little") * 2 + frame
            starts.append(len(records))
        ip = np.array(starts[:-1], np.int64) + _RECORD_HEADER + _IP_CHECKSUM
        return cls(
            data=np.frombuffer(bytes(records), np.uint8),
            starts=np.array(starts, np.int64),
            times=times.min() + folded[order],
            period=period,
            folds=folds[order],
            address=np.array(addresses, np.int64),
            ip_checksum=ip,
            tcp_checksum=np.array(tcp, np.int64),
        )

    @property
    def size(self) -> int:
        """Bytes of one copy in a file."""
        return len(self.data)

    def copies(self, first: int, count: int) -> Iterator[bytes]:
        """Yield the packets of `count` copies in order of time, one period at a time."""
        if not 0 <= first <= first + count <= MAX_COPIES:
            raise ValueError(f"copies are numbered up to {MAX_COPIES}, not {first + count}")
        last_fold = int(self.folds.max())
        for period in range(first, first + count + last_fold):
            # The copy of each packet; at both ends some packets belong to none.
            copy = period - self.folds
            wanted = (copy >= first) & (copy < first + count)
            records = self._patched(copy, self.times + period * self.period)
            if wanted.all():
                yield records.tobytes()
            else:
                yield records[np.repeat(wanted, np.diff(self.starts))].tobytes()

    def _patched(self, copy: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.uint8]:
        data = self.data.copy()
        _put(data, self.starts[:-1], times // 1_000_000, "<u4")
        _put(data, self.starts[:-1] + 4, times % 1_000_000, "<u4")
        old = _get(data, self.address, ">u4")
        new = _TEN + copy % MAX_COPIES
        _put(data, self.address, new, ">u4")
        for place in (self.ip_checksum, self.tcp_checksum):
            _put(data, place, _adjusted(_get(data, place, ">u2"), old, new), ">u2")
        return data


def _adjusted(
    checksum: NDArray[np.int64], old: NDArray[np.int64], new: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Adjust a checksum for a changed address, as RFC 1624 does: HC' = ~(~HC + ~m + m')."""
    total = ~checksum & 0xFFFF
    for shift in (16, 0):
        total += (~(old >> shift) & 0xFFFF) + (new >> shift & 0xFFFF)
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _put(data: NDArray[np.uint8], at: NDArray[np.int64], values: NDArray[Any], kind: str) -> None:
    width = np.dtype(kind).itemsize
    octets = values.astype(kind).view(np.uint8).reshape(-1, width)
    for column in range(width):
        data[at + column] = octets[:, column]


def _get(data: NDArray[np.uint8], at: NDArray[np.int64], kind: str) -> NDArray[np.int64]:
    width = np.dtype(kind).itemsize
    octets = np.stack([data[at + column] for column in range(width)], axis=1)
    return np.ascontiguousarray(octets).view(kind).ravel().astype(np.int64)


def amplify(source: Path, out: BinaryIO, *, copies: int, first_copy: int = 0) -> None:
    """Write `copies` of a capture; those of other `first_copy`s have other clients."""
    out.write(CaptureWriter().header())
    for records in Template.of(source).copies(first_copy, copies):
        out.write(records)


def copies_for(source: Path, *, calls: int = 0, size: int = 0) -> int:
    """Return how many copies have at least so many calls, or bytes."""
    if size:
        return math.ceil(size / Template.of(source).size)
    view = View("calls", columns=["id"])
    return math.ceil(calls / sum(batch.num_rows for _, batch in read_tables(source, [view])))


def _packets(source: Path) -> Iterator[tuple[int, bytes]]:
    with source.open("rb") as plain:
        packed = plain.read(2) == b"\x1f\x8b"
    with gzip.open(source) if packed else source.open("rb") as file:
        reader = dpkt.pcap.UniversalReader(file)
        if reader.datalink() != dpkt.pcap.DLT_EN10MB:
            raise NotAmplifiable(f"{source} is of link type {reader.datalink()}, not Ethernet")
        for ts, frame in reader:
            if frame[12:14] != b"\x08\x00" or frame[23] != dpkt.ip.IP_PROTO_TCP:
                raise NotAmplifiable(f"{source} holds more than TCP over IPv4")
            yield round(ts * 1_000_000), frame


End = bytes


def _ends(frame: bytes) -> tuple[End, End]:
    """Return address and port of the source and of the destination."""
    tcp = 14 + (frame[14] & 15) * 4
    return frame[26:30] + frame[tcp : tcp + 2], frame[30:34] + frame[tcp + 2 : tcp + 4]


def _clients(frames: Iterator[bytes]) -> set[tuple[End, End]]:
    """Return (client, server) of every connection: the sender of a SYN, or else the higher port."""
    opened: set[tuple[End, End]] = set()
    seen: dict[frozenset[End], tuple[End, End]] = {}
    for frame in frames:
        source, destination = _ends(frame)
        flags = frame[14 + (frame[14] & 15) * 4 + 13]
        if flags & 0x12 == 0x02:
            opened.add((source, destination))
        ordered = sorted((source, destination), key=lambda end: end[4:], reverse=True)
        seen.setdefault(frozenset((source, destination)), (ordered[0], ordered[1]))
    known = {frozenset(pair) for pair in opened}
    return opened | {pair for ends, pair in seen.items() if ends not in known}


def main() -> None:
    """Amplify a capture with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m kit.scale_capture", description=__doc__)
    parser.add_argument("source", metavar="IN", type=Path)
    parser.add_argument("out", metavar="OUT", help="a file, or '-' for standard output")
    amount = parser.add_mutually_exclusive_group(required=True)
    amount.add_argument("--copies", type=int)
    amount.add_argument("--calls", type=int, help="at least so many calls")
    amount.add_argument("--bytes", type=int, help="at least so many bytes")
    parser.add_argument(
        "--first-copy", type=int, default=0, help="number of the first copy's client"
    )
    given = parser.parse_args()
    copies = given.copies or copies_for(given.source, calls=given.calls or 0, size=given.bytes or 0)
    if given.out == "-":
        amplify(given.source, sys.stdout.buffer, copies=copies, first_copy=given.first_copy)
    else:
        with Path(given.out).open("wb") as out:
            amplify(given.source, out, copies=copies, first_copy=given.first_copy)


if __name__ == "__main__":
    main()
