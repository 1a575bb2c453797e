"""Hostile captures against honest ones: CPU time and memory of decoding, as ratios within one run.

    python -m benches.bombs [--scale 1.0] [--only NAME,...] [--way messages,calls,...]

An honest capture has as many payload bytes, rows and packets as the hostile one: calls of Hadoop
RPC of the mean length in segments of the mean length. Such calls need less work where a row is not
a message, or where the work is not that of a call; `HONEST` then has a capture of ordinary traffic
that needs work of the same kind:

- Where the hostile one begins in the middle of connections of another protocol, the honest one
  begins in the middle of as many long replies of Hadoop, so that both are searched for a message
  that is not there.
- Where the hostile one opens many connections, the honest one opens as many: a connection is a row
  of `streams`, and takes state whatever is said on it. They end before the next ones begin.
- Where bytes of the hostile one are missing, which is a row each time, the honest one has as many
  rows of another reason.
- Where a message of the hostile one has millions of elements, the honest one has as many elements
  in messages of a thousand: each element is a value of the column `fields`.
- Where the hostile one leaves messages in fragments open, in the honest one they become whole.

A way is a table (`messages`,
`calls`, `streams`, `traffic`), the command `jvmwire decode` (`cli`) or `jvmwire decode --follow`
(`follow`), or a query of Spark (`spark`), of which only the Python workers' memory is measured.
Aimed at are a ratio of 1.5 at most, 600 MB, and 30 s of CPU.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kit.memory_peaks import watched_workers

if TYPE_CHECKING:
    from collections.abc import Callable

CLIENT, SERVER = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])
SYN, RST, FIN, PUSH_ACK, SYN_ACK = 2, 4, 0x11, 0x18, 0x12
WAYS = ("messages", "calls", "streams", "traffic", "cli", "follow", "spark")
HELLO = b"hrpc\x09\x00\x00"
STORM_SETUP = b'{"pidDir":"/tmp","context":{},"conf":{}}\nend\n'
PRAVEGA_HELLO = struct.pack(">iiii", -127, 8, 16, 5)


class Capture:
    """Writer of a pcap file of raw IP packets that counts the packets and their payload."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.packets, self.payload = file, 0, 0
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 101))

    def packet(
        self, ends: tuple[bytes, bytes], data: bytes, identification: int = 0, fragment: int = 0
    ) -> None:
        """Write one IP packet."""
        header = struct.pack(
            ">BBHHHBBH4s4s",
            *(0x45, 0, 20 + len(data), identification & 0xFFFF, fragment, 64, 6, 0),
            *ends,
        )
        self.packets += 1
        seconds, micros = divmod(self.packets * 10, 1_000_000)
        length = len(header) + len(data)
        self.file.write(struct.pack("<IIII", 1_700_000_000 + seconds, micros, length, length))
        self.file.write(header + data)

    def segment(
        self,
        ends: tuple[bytes, bytes],
        ports: tuple[int, int],
        sequence: int,
        flags: int,
        data: bytes = b"",
    ) -> None:
        """Write one TCP segment."""
        numbers = (*ports, sequence & 0xFFFFFFFF, 0, 0x50, flags, 65_535, 0, 0)
        self.payload += len(data)
        self.packet(ends, struct.pack(">HHIIBBHHH", *numbers) + data)


class Connection:
    """One connection of a capture."""

    def __init__(
        self,
        capture: Capture,
        *,
        number: int = 0,
        port: int = 8020,
        is_seen_from_start: bool = True,
    ) -> None:
        self._capture = capture
        self._ends: tuple[bytes, bytes] = (struct.pack(">I", 0x0B000000 + number), SERVER)
        self._ports = (1024 + number % 60_000, port)
        self._sequence = [1000, 5000]
        if is_seen_from_start:
            capture.segment(self._ends, self._ports, 999, SYN)
            capture.segment(self._ends[::-1], self._ports[::-1], 4999, SYN_ACK)

    def client(self, data: bytes, size: int = 60_000) -> None:
        """Write bytes of the client, in segments of `size`."""
        self._write(0, data, size)

    def server(self, data: bytes, size: int = 60_000) -> None:
        """Write bytes of the server."""
        self._write(1, data, size)

    def close(self) -> None:
        """End both sides."""
        self._capture.segment(self._ends, self._ports, self._sequence[0], FIN)
        self._capture.segment(self._ends[::-1], self._ports[::-1], self._sequence[1], FIN)

    def reset(self) -> None:
        """Abort the connection."""
        self._capture.segment(self._ends, self._ports, self._sequence[0], RST)

    def _write(self, side: int, data: bytes, size: int) -> None:
        ends, ports = self._ends, self._ports
        if side:
            ends, ports = (ends[1], ends[0]), (ports[1], ports[0])
        for at in range(0, len(data), size):
            piece = data[at : at + size]
            self._capture.segment(ends, ports, self._sequence[side], PUSH_ACK, piece)
            self._sequence[side] += len(piece)


def varint(number: int) -> bytes:
    """Encode a number as a protobuf varint."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def number(field: int, value: int) -> bytes:
    """Encode a field that is a number."""
    return varint(field << 3) + varint(value)


def text(field: int, value: bytes) -> bytes:
    """Encode a field that is bytes."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def frame(*parts: bytes) -> bytes:
    """Encode a frame of Hadoop RPC."""
    body = b"".join(varint(len(part)) + part for part in parts)
    return struct.pack(">i", len(body)) + body


def header(call_id: int, rest: bytes = b"") -> bytes:
    """Encode a request's header."""
    return number(1, 2) + number(2, 0) + number(3, call_id << 1) + text(4, b"c" * 16) + rest


def call(
    call_id: int, argument: bytes, method: bytes = b"getFileInfo", protocol: bytes | None = None
) -> bytes:
    """Encode a call."""
    protocol = protocol or b"org.apache.hadoop.hdfs.protocol.ClientProtocol"
    return frame(header(call_id), text(1, method) + text(2, protocol) + number(3, 1), argument)


def context(user: bytes = b"bob") -> bytes:
    """Encode a connection's context."""
    protocol = text(3, b"org.apache.hadoop.hdfs.protocol.ClientProtocol")
    about = number(1, 2) + number(2, 0) + number(3, 5) + text(4, b"c" * 16)
    return frame(about, text(2, text(1, user)) + protocol)


def reply(call_id: int, body: bytes = b"") -> bytes:
    """Encode the reply to a call."""
    return frame(number(1, call_id) + number(2, 0) + number(3, 9), body)


def hazelcast(kind: int, flags: int, data: bytes) -> bytes:
    """Encode a frame of Hazelcast."""
    return struct.pack("<iBBHqiH", 22 + len(data), 1, flags, kind, 1, -1, 22) + data


def hadoop(capture: Capture, number: int = 0) -> Connection:
    """Begin a connection of Hadoop RPC."""
    connection = Connection(capture, number=number)
    connection.client(HELLO + context())
    return connection


def storm(capture: Capture) -> Connection:
    """Begin the connection of a Storm component."""
    connection = Connection(capture)
    connection.server(STORM_SETUP)
    connection.client(b'{"pid":1}\nend\n')
    return connection


def pravega(capture: Capture) -> Connection:
    """Begin a connection of Pravega."""
    connection = Connection(capture, port=12345)
    connection.client(PRAVEGA_HELLO)
    connection.server(PRAVEGA_HELLO)
    return connection


def unanswered_calls(capture: Capture, scale: float) -> None:
    """Write calls with long paths that are never answered."""
    connection = hadoop(capture)
    for call_id in range(int(400 * scale)):
        connection.client(call(call_id, text(1, b"/" + b"a" * 16_000_000)))


def long_users(capture: Capture, scale: float) -> None:
    """Write connections whose users have names of 10 MB."""
    for at in range(int(200 * scale)):
        Connection(capture, number=at).client(HELLO + context(b"u" * 10_000_000))


def tuple_ids(capture: Capture, scale: float) -> None:
    """Write tuples with long ids that are never acknowledged."""
    connection = storm(capture)
    for at in range(int(400 * scale)):
        tuple_id = b"%d%s" % (at, b"x" * 4_000_000)
        connection.server(
            b'{"id":"%s","comp":"c","stream":"s","task":1,"tuple":[]}\nend\n' % tuple_id
        )


def _open_fragments(*, are_whole: bool) -> Callable[[Capture, float], None]:
    """Return a writer of Hazelcast messages in fragments, with others between them."""

    def build(capture: Capture, scale: float) -> None:
        ping = hazelcast(15, 0xC0, b"")
        for at in range(int(40 * scale)):
            connection = Connection(capture, number=at, port=5701)
            connection.client(b"CB2" + hazelcast(0x0101, 0x80, b"x" * 1000) + ping)
            for _ in range(7):
                connection.client(hazelcast(0x0101, 0, b"x" * (8 << 20)) + ping)
            if are_whole:
                connection.client(hazelcast(0x0101, 0x40, b""))

    return build


def _streams(*, are_closed: bool) -> Callable[[Capture, float], None]:
    """Return a writer of a hundred thousand connections of 20 calls each, without answers."""

    def build(capture: Capture, scale: float) -> None:
        said = HELLO + context() + b"".join(call(i, text(1, b"/a" * 10)) for i in range(20))
        for at in range(int(100_000 * scale)):
            connection = Connection(capture, number=at)
            connection.client(said)
            if are_closed:
                connection.reset()

    return build


def pings(capture: Capture, scale: float) -> None:
    """Write messages of four bytes, 15,000 in a packet."""
    connection = hadoop(capture)
    for _ in range(int(500 * scale)):
        connection.client(b"\xff" * 60_000)


def _midway(fill: bytes, size: int) -> Callable[[Capture, float], None]:
    def build(capture: Capture, scale: float) -> None:
        for at in range(max(1, int(100 * scale))):
            connection = Connection(capture, number=at, port=6379, is_seen_from_start=False)
            connection.client((fill * ((1 << 20) // len(fill) + 1))[: 1 << 20], size)

    return build


def storm_lines(capture: Capture, scale: float) -> None:
    """Write a damaged message, and then lines without an `end`."""
    connection = storm(capture)
    connection.server(b"x\nend\n")
    connection.server(b"a\n" * int(4_000_000 * scale), 100)
    connection.close()


def blanks(capture: Capture, scale: float) -> None:
    """Write white space before the first message."""
    Connection(capture).server(b" " * int(1_000_000 * scale), 5)


def counted_lines(capture: Capture, scale: float) -> None:
    """Write a Hama reply that counts its lines, each in a packet."""
    connection = Connection(capture)
    connection.server(b"%0%=\n0\n%1%=\n2\nuser.name\nbob\n")
    connection.client(b"%ACK_0%=\n%12%=\n")
    count = int(1_000_000 * scale)
    connection.server(b"%d\n" % count + b"\n" * count, 1)
    connection.close()


def _fragments(count: int, length: int, size: int) -> Callable[[Capture, float], None]:
    def build(capture: Capture, scale: float) -> None:
        connection = Connection(capture, port=5701)
        many = max(2, int(count * scale))
        flags = [0x80, *[0] * (many - 2), 0x40]
        connection.client(b"CB2")
        connection.client(b"".join(hazelcast(0x0101, it, b"x" * length) for it in flags), size)
        connection.close()

    return build


def one_frame(capture: Capture, scale: float) -> None:
    """Write the message of `long-fragments` in one frame: the baseline of its fragments."""
    connection = Connection(capture, port=5701)
    connection.client(b"CB2")
    data = b"x" * (int(256 * scale) * 65_514)
    connection.client(hazelcast(0x0101, 0xC0, data), 1460)
    connection.close()


def long_header(capture: Capture, scale: float) -> None:
    """Write a header of small fields whose frame arrives byte by byte."""
    connection = hadoop(capture)
    count = int(500_000 * scale)
    about = header(1, number(1, 2) * 30_000)
    body = varint(len(about)) + about
    connection.client(struct.pack(">i", len(body) + count + 1000) + body)
    connection.client(bytes(count), 1)
    connection.close()


def nested_lists(capture: Capture, scale: float) -> None:
    """Write damage in Pravega, and then lists at every 20th byte that reach to the end."""
    connection = pravega(capture)
    connection.server(struct.pack(">ii", 99_999, 4) + b"abcd")
    end = int(16_000_000 * scale) // 20 * 20
    out = bytearray()
    for at in range(0, end, 20):
        rest = end - at - 8
        out += struct.pack(">iiqi", 75, rest, 0, max((rest - 12) // 2, 1))
    connection.server(bytes(out))
    connection.close()


def _elements(kind: str, most: int = 1 << 30) -> Callable[[Capture, float], None]:
    """Return a writer of lists with millions of elements in all, at most `most` in a message."""

    def build(capture: Capture, scale: float) -> None:
        size = int(32_000_000 * scale)
        match kind:
            case "storm list":
                connection, count = storm(capture), size // 2
            case "storm members":
                connection, count = storm(capture), size // 5
            case "hadoop listing" | "hadoop unknown":
                connection, count = hadoop(capture), size // 2
            case "pravega list":
                connection, count = pravega(capture), min(size, 16_000_000) // 8
            case "hazelcast list":
                connection, count = Connection(capture, port=5701), size // 4
                connection.client(b"CB2")
            case _:
                connection, count = Connection(capture), min(size, 1 << 20)
                connection.server(b"%0%=\n0\n")
        said, answered = bytearray(), bytearray()
        for message, at in enumerate(range(0, count, most)):
            request, response = _list(kind, message, min(most, count - at))
            said += request
            answered += response
            if len(said) + len(answered) > 60_000:
                connection.client(bytes(said))
                connection.server(bytes(answered))
                said, answered = bytearray(), bytearray()
        connection.client(bytes(said))
        connection.server(bytes(answered))
        connection.close()

    return build


def _list(kind: str, message: int, count: int) -> tuple[bytes, bytes]:
    """Encode a message with `count` elements, and its call: bytes of both sides."""
    match kind:
        case "storm list":
            return b'{"command":"emit","tuple":[' + b"0," * count + b"0]}\nend\n", b""
        case "storm members":
            return b'{"command":"sync"' + b',"":0' * count + b"}\nend\n", b""
        case "hadoop listing":
            arguments = text(1, b"/a") + text(2, b"") + number(3, 0)
            listing = reply(message, text(1, text(1, b"") * count))
            return call(message, arguments, b"getListing"), listing
        case "hadoop unknown":
            return call(message, number(1, 0) * count, b"nosuch", b"x.Y"), b""
        case "pravega list":
            return b"", struct.pack(">iiqi", 75, 12 + 8 * count, 0, count) + bytes(8 * count)
        case "hazelcast list":
            elements = struct.pack("<i", count) + bytes(4 * count)
            return hazelcast(0x0101, 0xC0, b""), hazelcast(106, 0xC0, elements)
        case _:
            return b"", b"%1%=\n" + b"%d\n" % count + b"\n" * count


def _traffic(*, has_names: bool, count: int, length: int) -> Callable[[Capture, float], None]:
    def build(capture: Capture, scale: float) -> None:
        connection = hadoop(capture)
        for call_id in range(int(count * scale)):
            filler = b"x" * length
            if has_names:
                request = call(call_id, text(1, b"/a"), b"m%d%s" % (call_id, filler), b"x.Y")
            else:
                request = call(call_id, text(1, b"/%d/%s" % (call_id, filler)))
            connection.client(request)
            connection.server(reply(call_id))
        connection.close()

    return build


def _segments(kind: str) -> Callable[[Capture, float], None]:
    def build(capture: Capture, scale: float) -> None:
        count = int(200_000 * scale)
        ends, ports = (CLIENT, SERVER), (40_000, 8020)

        def write(sequence: int, data: bytes = b"", flags: int = PUSH_ACK) -> None:
            capture.segment(ends, ports, sequence, flags, data)

        if kind not in {"syn", "opened", "holes of many", "segments of many"}:
            write(0, flags=SYN)
        match kind:
            case "syn":
                for at in range(count):
                    many = (struct.pack(">I", 0x0B000000 + at), SERVER)
                    capture.segment(many, ports, at * 7919, SYN)
            case "opened":
                for at in range(count):
                    many = (struct.pack(">I", 0x0B000000 + at), SERVER)
                    capture.segment(many, ports, at * 7919, SYN)
                    capture.segment(many, ports, at * 7919 + 1, RST)
            case "holes of many":
                for at in range(count // 2):
                    many = (struct.pack(">I", 0x0B000000 + at), SERVER)
                    capture.segment(many, ports, 0, SYN)
                    capture.segment(many, ports, 100, PUSH_ACK, b"x" * 1000)
            case "segments of many":
                for at in range(count // 2):
                    many = (struct.pack(">I", 0x0B000000 + at), SERVER)
                    capture.segment(many, ports, 0, SYN)
                    capture.segment(many, ports, 1, PUSH_ACK, b"x" * 500)
                    capture.segment(many[::-1], ports[::-1], 1, PUSH_ACK, b"x" * 500)
            case "holes backwards":
                for at in range(count):
                    write(1 + 2 * (count - at), b"x")
            case "overlaps":
                for at in range(count // 10):
                    write(2 + at % 3000, b"x" * 3000)
            case "covering":
                for at in range(30_000):
                    write(10 + 2 * at, b"x")
                for _ in range(count // 100):
                    write(10, b"x" * 60_000)
            case "fragments":
                for at in range(count):
                    offset = 1 + 2 * (at % 4000)
                    capture.packet(ends, bytes(8), at // 4000, 0x2000 | offset)

    return build


REDIS, MYSQL = b"$3\r\nGET\r\n$5\r\nhello\r\n", b"\5\0\0\1\3abcd\7\0\0\2\xfe\0\0\x22\0\0\0"
KINDS = (
    *("storm list", "storm members", "hadoop listing", "hadoop unknown"),
    *("pravega list", "hazelcast list", "hama"),
)
BOMBS: dict[str, Callable[[Capture, float], None]] = {
    "unanswered-calls": unanswered_calls,
    "long-users": long_users,
    "tuple-ids": tuple_ids,
    "open-fragments": _open_fragments(are_whole=False),
    "many-streams": _streams(are_closed=False),
    "pings": pings,
    "midway-redis": _midway(REDIS, 40),
    "midway-mysql": _midway(MYSQL, 1448),
    "midway-random": _midway(random.Random(1).randbytes(1 << 20), 1448),  # noqa: S311
    "midway-zeros": _midway(b"\0", 1448),
    "midway-text": _midway(b"The quick brown fox jumps over the lazy dog ", 1448),
    "midway-lines": _midway(b"<p>The quick brown fox</p>\r\n", 1448),
    "storm-lines": storm_lines,
    "blanks": blanks,
    "counted-lines": counted_lines,
    "tiny-fragments": _fragments(40_000, 32, 54),
    "long-fragments": _fragments(256, 65_514, 1460),
    "long-header": long_header,
    "nested-lists": nested_lists,
    **{f"message-{kind.replace(' ', '-')}": _elements(kind) for kind in KINDS},
    "traffic-names": _traffic(has_names=True, count=600_000, length=1000),
    "traffic-paths": _traffic(has_names=False, count=1000, length=2_000_000),
    "tcp-syn": _segments("syn"),
    "tcp-holes-of-many": _segments("holes of many"),
    "tcp-holes-backwards": _segments("holes backwards"),
    "tcp-overlaps": _segments("overlaps"),
    "tcp-covering": _segments("covering"),
    "ip-fragments": _segments("fragments"),
}


def _listing(size: int) -> bytes:
    """Return the inside of a long reply: the status of files, all of them different."""
    chance = random.Random(1)  # noqa: S311
    out = bytearray()
    while len(out) < size:
        name = f"part-{len(out):05}-{chance.getrandbits(64):016x}.parquet".encode()
        sizes = number(3, chance.getrandbits(28)) + text(4, number(1, 0o644))
        times = number(7, 1_700_000_000_000 + chance.getrandbits(30))
        entry = number(1, 2) + text(2, name) + sizes + text(5, b"etl") + text(6, b"etl") + times
        out += text(1, entry)
    return bytes(out)


LISTING = _listing(1 << 20)
HONEST = {
    "many-streams": _streams(are_closed=True),
    "open-fragments": _open_fragments(are_whole=True),
    "long-fragments": one_frame,
    "tcp-syn": _segments("opened"),
    "tcp-holes-of-many": _segments("segments of many"),
    "midway-redis": _midway(LISTING, 40),
    **dict.fromkeys(
        [f"midway-{of}" for of in ("mysql", "random", "zeros", "text", "lines")],
        _midway(LISTING, 1448),
    ),
    **{f"message-{kind.replace(' ', '-')}": _elements(kind, 1000) for kind in KINDS},
}
"""Honest captures as baselines of bombs that are not compared with calls of Hadoop."""


def honest(capture: Capture, payload: int, rows: int, packets: int) -> None:
    """Write calls: as many rows, packets and bytes in all, or 8 bytes per packet if it has none."""
    payload = payload or 8 * packets
    # One message per row, but none longer than a client may send.
    rows = max(rows, payload // (32 << 20), 2)
    size, mean = max(payload // packets, 1) if packets else 60_000, payload // rows
    connection = hadoop(capture)
    argument = text(1, b"/" + b"a" * max(mean - 120, 1))
    said: list[bytes] = []
    length = 0
    for call_id in range(rows):
        said.append(call(call_id, argument) if mean >= 60 else b"\xff\xff\xff\xff")
        length += len(said[-1])
        if length > 1 << 20:
            connection.client(b"".join(said), min(size, 60_000))
            said, length = [], 0
    connection.client(b"".join(said), min(size, 60_000))
    connection.close()


def write(path: Path, build: Callable[..., None], *arguments: float) -> Capture:
    """Write a capture, compressed, and return its counts."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        capture = Capture(file)  # type: ignore[arg-type]
        build(capture, *arguments)
    return capture


def _decode(way: str, path: str) -> None:
    """Decode one table and print how many rows there are."""
    from jvmwire.capture import make_view, read_tables
    from jvmwire.errors import JvmWireError

    rows = 0
    try:
        for _, batch in read_tables(Path(path), [make_view(way)]):
            rows += batch.num_rows
    except JvmWireError as error:
        print(error, file=sys.stderr)
    print(rows)


def measure(way: str, path: Path) -> dict[str, float]:
    """Decode in a separate process; return seconds of CPU, peak of memory in MB, rows."""
    command = [sys.executable, "-m", "benches.bombs", "--decode", way, str(path)]
    if way in {"cli", "follow"}:
        command = [sys.executable, "-m", "jvmwire", "decode", str(path)]
        command += ["--follow"] if way == "follow" else ["-o", "/dev/null"]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            command,
            stdout=out if way not in {"cli", "follow"} else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if way == "follow":
            _wait_until_idle(process.pid)
            process.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        out.seek(0)
        said = out.read().split()
    rows = int(said[-1]) if said else 0
    return {
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss / 1000,
        "rows": rows,
    }


class Spark:
    """Meter of the Python workers of queries in a local Spark; each query has its own workers."""

    def __init__(self) -> None:
        import jvmwire.spark

        settings = {"spark.python.worker.reuse": "false"}
        self._session = jvmwire.spark.new_session("local[1]", name="bombs", settings=settings)
        jvmwire.spark.register(self._session)

    def measure(self, path: Path) -> dict[str, float]:
        """Read the table `messages`; return the peak of memory in MB."""
        with watched_workers() as peaks:
            rows = self._session.read.format("jvmwire").load(str(path))
            rows.write.format("noop").mode("overwrite").save()
        return {"cpu": 0.0, "peak": max(peaks.values(), default=0) / 1e6, "rows": 0}

    def stop(self) -> None:
        """End the session."""
        self._session.stop()


def _wait_until_idle(pid: int) -> None:
    """Return when the process has used no CPU for two seconds, after it has used some."""
    before, idle = -1, 0
    while idle < 20:
        time.sleep(0.1)
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return
        if fields[0] == "Z":
            return
        used = int(fields[11]) + int(fields[12])
        idle = idle + 1 if used == before and used > 10 else 0
        before = used


def main() -> None:
    """Measure the bombs that were selected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--way", default=",".join(WAYS))
    parser.add_argument("--decode", nargs=2)
    options = parser.parse_args()
    if options.decode:
        return _decode(*options.decode)
    ways = options.way.split(",")
    spark = Spark() if "spark" in ways else None
    try:
        _compare(
            ways, options.only.split(",") if options.only else list(BOMBS), options.scale, spark
        )
    finally:
        if spark is not None:
            spark.stop()
    return None


def _compare(ways: list[str], names: list[str], scale: float, spark: Spark | None) -> None:
    def measured(way: str, path: Path) -> dict[str, float]:
        return spark.measure(path) if spark and way == "spark" else measure(way, path)

    start = {way: measured(way, _empty())["cpu"] for way in ways}
    print(f"{'bomb':24} {'way':9} {'MB':>7} {'rows':>9} {'CPU s':>7} {'honest':>7} {'ratio':>6}"
          f" {'peak MB':>8} {'honest':>7}")  # fmt: skip
    for name in names:
        with tempfile.TemporaryDirectory(dir=os.environ.get("BOMBS")) as directory:
            bomb, plain = Path(directory, "bomb.pcap.gz"), Path(directory, "honest.pcap.gz")
            counted = write(bomb, BOMBS[name], scale)
            rows = int(measure("messages", bomb)["rows"])
            if name in HONEST:
                write(plain, HONEST[name], scale)
            else:
                write(plain, honest, counted.payload, rows, counted.packets)
            for way in ways:
                of, against = measured(way, bomb), measured(way, plain)
                cpu, known = (max(it["cpu"] - start[way], 0.01) for it in (of, against))
                print(
                    f"{name:24} {way:9} {counted.payload / 1e6:7.1f} {rows:9} {cpu:7.2f}"
                    f" {known:7.2f} {cpu / known:6.2f} {of['peak']:8.0f} {against['peak']:7.0f}",
                    flush=True,
                )
                print(json.dumps({"bomb": name, "way": way, **of}), file=sys.stderr)


def _empty() -> Path:
    """Return a capture without packets, to measure the cost of the start."""
    path = Path(tempfile.gettempdir(), "jvmwire-bombs-empty.pcap.gz")
    write(path, lambda _: None)
    return path


if __name__ == "__main__":
    main()
