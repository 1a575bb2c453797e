"""Bulk decoding in batches takes little extra memory, and lets other threads run."""

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from jvmwire import codec
from kit.memory import in_a_process_of_its_own
from kit.primitives import python
from kit.scale import times

# 1 GB with DEPTH=full, else 256 MB, in batches of 8 MB.
BATCHES = max(32, times(5))

DECODED = """
seen = 0
for _ in range({batches}):
    seen += len({decode})
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
        ("count = 4 << 20; chunk = b'\\xac\\x02' * count", "codec.UNSIGNED64.decode_all(chunk)"),
        ("count = 1 << 20; chunk = bytes(8 * count)", "codec.Fixed('int64').decode_all(chunk)"),
        (
            "count = 1 << 17; chunk = framing.encode(bytes(60)) * count",
            "framing.decode_all(chunk)[0]",
        ),
        ("count = 1 << 17; chunk = framing.encode(bytes(60)) * count", "fed(chunk)"),
        (
            "count = 1 << 17; chunk = strings.encode('\\u20ac\\0' * 12 + 'xy') * count",
            "strings.decode_all(chunk)",
        ),
    ],
    ids=["varints", "numbers", "frames", "frames in pieces", "strings"],
)
def test_a_large_input_in_batches_takes_less_than_100_mb_above_it(made: str, decode: str) -> None:
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
    """Another thread runs only if the GIL is released: the switch interval is ten minutes."""
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
