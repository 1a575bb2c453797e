"""Bulk decoding in batches takes little memory beside its input, and lets other threads run."""

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from jvmwire import codec
from kit.depth import times
from kit.memory import in_a_process_of_its_own
from kit.primitives import python

# With DEPTH=full 1.6 GB, else 64 MB of input; batches of 8 MB.
BATCHES = times(8)

# Batches of a stream, mapped: the file is the input, and is not counted as memory that grew.
DECODED = """
import mmap, tempfile
file = tempfile.TemporaryFile()
for _ in range({batches}):
    file.write(chunk)
file.flush()
mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
seen = 0
with memoryview(mapped) as data:
    for start in range(0, len(data), len(chunk)):
        with data[start : start + len(chunk)] as piece:
            seen += len({decode})
        mapped.madvise(mmap.MADV_DONTNEED, start // 4096 * 4096)
mapped.close()
assert seen == {batches} * count, seen
"""
SETUP = """
from jvmwire import codec
import pyarrow as pa
framing = codec.Framing.length()
strings = codec.JAVA_UTF
decoder = framing.decoder()
def fed(piece):
    decoder.feed(piece)
    return decoder.next_batch()
{made}
"""


@pytest.mark.parametrize(
    ("made", "decode"),
    [
        ("count = 4 << 20; chunk = b'\\xac\\x02' * count", "codec.UNSIGNED64.decode_all(piece)"),
        ("count = 1 << 20; chunk = bytes(8 * count)", "codec.Fixed('int64').decode_all(piece)"),
        (
            "count = 1 << 17; chunk = framing.encode(bytes(60)) * count",
            "framing.decode_all(piece)[0]",
        ),
        ("count = 1 << 17; chunk = framing.encode(bytes(60)) * count", "fed(piece)"),
        (
            "count = 1 << 17; chunk = strings.encode('\\u20ac\\0' * 12 + 'xy') * count",
            "strings.decode_all(piece)",
        ),
    ],
    ids=["varints", "numbers", "frames", "frames in pieces", "strings"],
)
def test_a_large_input_in_batches_takes_less_than_100_mb(made: str, decode: str) -> None:
    code = DECODED.format(batches=BATCHES, decode=decode)
    assert in_a_process_of_its_own(code, setup=SETUP.format(made=made)) < 100_000_000


def _frames(count: int) -> bytes:
    return codec.Framing.length().encode(bytes(60)) * count


@pytest.mark.parametrize(
    "bulk",
    [
        lambda: codec.UNSIGNED64.decode_all(bytes(4 << 20)),
        lambda: codec.Framing.length().decode_all(_frames(1 << 16)),
        lambda: codec.JAVA_UTF.decode_all(codec.JAVA_UTF.encode("\u20ac" * 20) * (1 << 16)),
        lambda: codec.Fixed("int64").decode_all(bytearray(8 << 20)),
        lambda: codec.VLONG.encode_all(pa.array(range(1 << 20), pa.int64())),
    ],
    ids=["varints", "frames", "strings", "of a bytearray", "encoding"],
)
def test_other_threads_run_while_much_is_decoded(bulk: Callable[[], Any]) -> None:
    """With a switch only every ten minutes, another thread runs only when the GIL is let go."""
    ran = threading.Event()
    stop = threading.Event()

    def other() -> None:
        while not stop.is_set():
            ran.set()
            time.sleep(0)

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=other)
    thread.start()
    try:
        sys.setswitchinterval(600)
        deadline = time.monotonic() + 60
        ran.clear()
        while not ran.is_set() and time.monotonic() < deadline:
            bulk()
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert ran.is_set()


def test_what_others_may_write_to_is_copied_before_they_run() -> None:
    wire = bytearray(b"\x01" * (1 << 20))
    stop = threading.Event()

    def scribble() -> None:
        while not stop.is_set():
            wire[:] = b"\x01" * len(wire)

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(times(20)):
            assert set(python(codec.UNSIGNED64.decode_all(wire))) == {1}
    finally:
        stop.set()
        thread.join()
