"""Program that feeds a decoder or a server adversarial input and prints the memory that it took.

The input is meant to make the decoder or the server slow or large.

python -m kit.adversarial_inputs CASE
"""

import asyncio
import sys
from collections.abc import Iterable
from itertools import repeat

from jvmwire.capture import CaptureDecoder, CaptureWriter, DumpDecoder, View
from jvmwire.pravega.early import Dialect, EarlyServer, MemoryStore, Segment
from kit import wire
from kit.memory_peaks import peak_of_this

MIB = 1 << 20
# Looks like the beginning of a header at each eighth byte, but is not a header anywhere.
DECOYS = b"\x0a\x06\x03\x08\x08\x08\xff\x7f" * (MIB // 8)
CALLS = b"".join(wire.stat(id_, "/a") for id_ in range(10_000))
# A frame of 64 MiB, the largest allowed.
LARGEST = b"\x04\0\0\0"


def feed(pieces: Iterable[bytes], side: str = "client", table: str = "messages") -> None:
    """Decode a dump that arrives in `pieces`."""
    decoder = DumpDecoder([View(table)], protocol="hadoop", of=side)
    for piece in pieces:
        decoder.feed("client", piece)
        while decoder.next_batch() is not None:
            pass
    decoder.finish()


def feed_streams(count: int, mib: int) -> None:
    """Decode a capture of connections that each hold one message that does not end."""
    writer = CaptureWriter()
    decoder = CaptureDecoder([View("messages")], protocol="hadoop")
    decoder.feed(writer.header())
    connections = []
    for number in range(count):
        connection, packets = writer.open(f"10.0.0.7:{40000 + number}", "10.0.0.1:8020", 0)
        decoder.feed(packets)
        begin = wire.connection_header() + LARGEST + wire.request_header(1)
        decoder.feed(writer.data(connection, "client", begin, 1))
        connections.append(connection)
    for _ in range(mib):
        for connection in connections:
            decoder.feed(writer.data(connection, "client", b"\0" * MIB, 2))
    decoder.finish()
    assert any("memory" in reason for reason, _, _ in decoder.undecoded())


async def read_late(count: int, mib: int) -> None:
    """Request much from the server of the early protocol at once, and read it after a delay."""
    store = MemoryStore()
    store.segments["s"] = Segment(data=bytearray(mib * MIB))
    async with EarlyServer(store=store) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", await server.start())
        asked = {"segment": "s", "offset": 0, "suggested_length": mib * MIB}
        writer.write(Dialect.early().encode("ReadSegment", asked) * count)
        await asyncio.sleep(1)
        wanted = count * mib * MIB
        while wanted > 0:
            piece = await reader.read(MIB)
            assert piece
            wanted -= len(piece)
        writer.close()


def main(case: str) -> None:
    """Run one case."""
    match case:
        case "zeros":
            feed(repeat(b"\0" * MIB, 64))
        case "ones":
            feed(repeat(b"\xff" * MIB, 32))
        case "decoys":
            feed(repeat(DECOYS, 24))
        case "decoys, judged by themselves":
            feed(repeat(DECOYS, 12), "any")
        case "calls never answered":
            feed(repeat(CALLS, 60))
        case "calls never answered, as calls":
            feed(repeat(CALLS, 30), table="calls")
        case "one frame of the largest size":
            feed([LARGEST + wire.request_header(1), *repeat(b"\0" * MIB, 70)])
        case "a long header in small pieces":
            fields = wire.number(99, 1) * 500
            feed([LARGEST + wire.varint(10 * MIB), *repeat(fields, 30_000)])
        case "a page without end":
            feed([b"GET / HTTP/1.0", *repeat(b"a: b" * MIB, 20)])
        case "streams that hold much":
            feed_streams(8, 60)
        case "reads that are taken late":
            asyncio.run(read_late(24, 16))
        case _:
            raise ValueError(case)
    print(peak_of_this() >> 20)  # noqa: T201 - who started it reads it


if __name__ == "__main__":
    main(sys.argv[1])
