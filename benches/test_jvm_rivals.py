"""The JVM's own codecs, warm, against jvmwire as called from Python, many values per call."""

from __future__ import annotations

import struct
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from benches import inputs
from benches.harness import PreparedRun, Target, compare, in_process
from benches.jvm_codecs import Jvm
from jvmwire import codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray
    from pytest_benchmark.fixture import BenchmarkFixture

VALUES = 500_000
TEXT_SIZE = 8 << 20
"""Approximate bytes of all texts of a round."""
TEXTS = {"short": 32, "long": 16_000}
"""Bytes of one text."""
FRAMES_SIZE = 8 << 20
CHUNK = 1 << 16
"""Bytes that a socket returns at once: Frames.java."""
LIMIT = 1 << 20
SCRIPTS = ["ascii", "latin", "greek", "cjk", "emoji"]
AIMED_AT = {"latin": 8.0, "greek": 8.0, "cjk": 7.0}
"""Target speed as a multiple of readUTF's."""


ALONE = "LengthFieldBasedFrameDecoder.decode"
"""Nothing of Netty but the decoder, and all bytes at once."""
IN_PIPELINE = "LengthFieldBasedFrameDecoder.channelRead"
"""Netty as it is used: chunks in, frames to the next handler."""


def aims(rival: str, times: float | None) -> list[Target]:
    return [] if times is None else [Target(rival, times=times)]


@pytest.fixture
def jvm(tmp_path: Path) -> Iterator[Callable[[str], Jvm]]:
    """Start a JVM for a rival."""
    with ExitStack() as running:
        yield lambda rival: running.enter_context(Jvm(rival, tmp_path))


Numbers = tuple["NDArray[Any]", bytes]


def longs(widths: str, random: np.random.Generator) -> Numbers:
    values = inputs.varints(random, widths, VALUES)
    # Small ones of both signs, as zigzag has them.
    signed = (values >> np.uint64(1)).view(np.int64) ^ -(values & np.uint64(1)).view(np.int64)
    return signed, codec.VLONG.encode_all(pa.array(signed))


def unsigned(widths: str, random: np.random.Generator) -> Numbers:
    values = inputs.varints(random, widths, VALUES)
    return values, codec.UNSIGNED64.encode_all(pa.array(values))


@pytest.mark.parametrize("widths", inputs.WIDTHS)
@pytest.mark.parametrize(
    ("ours", "make", "rival", "kind", "aimed_at"),
    [
        (codec.VLONG, longs, "WritableUtils.readVLong", ">i8", 2.0),
        (codec.UNSIGNED64, unsigned, "CodedInputStream.readRawVarint64", ">u8", None),
    ],
    ids=["vlong", "unsigned64"],
)
def test_varints(
    benchmark: BenchmarkFixture,
    jvm: Callable[[str], Jvm],
    ours: codec.Varint,
    make: Callable[[str, np.random.Generator], Numbers],
    rival: str,
    kind: str,
    aimed_at: float | None,
    widths: str,
) -> None:
    theirs = jvm(rival)
    compare(
        benchmark,
        {
            "jvmwire, Arrow": lambda given: in_process(
                lambda: ours.decode_all(given[1]), VALUES, result=pa.array
            ),
            rival: lambda given: theirs.work(
                given[1], VALUES, lambda told: np.frombuffer(told, kind)
            ),
        },
        inputs=partial(make, widths),
        check=lambda given, decoded: np.array_equal(np.asarray(decoded), given[0]),
        unit="value",
        work=f"{ours.name}, {widths} widths, decoded",
        targets=aims(rival, aimed_at),
    )


Texts = tuple[list[str], bytes]


def texts(script: str, size: int, random: np.random.Generator) -> Texts:
    made = inputs.strings(random, script, size, TEXT_SIZE // size)
    return made, codec.JAVA_UTF.encode_all(pa.array(made))


def texts_told(told: bytes) -> list[str]:
    made = []
    at = 0
    while at < len(told):
        [length] = struct.unpack_from(">i", told, at)
        at += 4 + length
        made.append(told[at - length : at].decode())
    return made


@pytest.mark.parametrize("size", TEXTS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_read_utf(
    benchmark: BenchmarkFixture, jvm: Callable[[str], Jvm], script: str, size: str
) -> None:
    theirs = jvm("DataInput.readUTF")
    compare(
        benchmark,
        {
            "jvmwire, Arrow": lambda given: in_process(
                lambda: codec.JAVA_UTF.decode_all(given[1]),
                len(given[1]) / 1e6,
                result=lambda made: pa.array(made).to_pylist(),
            ),
            "DataInput.readUTF": lambda given: theirs.work(
                given[1], len(given[1]) / 1e6, texts_told
            ),
        },
        inputs=partial(texts, script, TEXTS[size]),
        check=lambda given, decoded: decoded == given[0],
        unit="MB",
        work=f"{size} texts, {script}, decoded",
        targets=aims("DataInput.readUTF", AIMED_AT.get(script) if size == "long" else None),
    )


@pytest.mark.parametrize("size", TEXTS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_write_utf(
    benchmark: BenchmarkFixture, jvm: Callable[[str], Jvm], script: str, size: str
) -> None:
    theirs = jvm("DataOutput.writeUTF")

    def jvmwire(given: Texts) -> PreparedRun:
        array = pa.array(given[0])
        return in_process(lambda: codec.JAVA_UTF.encode_all(array), len(given[1]) / 1e6)

    compare(
        benchmark,
        {
            "jvmwire, of Arrow": jvmwire,
            "DataOutput.writeUTF": lambda given: theirs.work(given[1], len(given[1]) / 1e6, bytes),
        },
        inputs=partial(texts, script, TEXTS[size]),
        check=lambda given, wire: wire == given[1],
        unit="MB",
        work=f"{size} texts, {script}, encoded",
    )


Frames = tuple[list[int], bytes]


def frames(size: int, random: np.random.Generator) -> Frames:
    payloads = inputs.payloads(random, size, FRAMES_SIZE // size)
    wire = codec.Framing.length().encode_all(pa.array(payloads))
    return list(map(len, payloads)), wire


def lengths_told(told: bytes) -> object:
    return np.frombuffer(told, ">i4").tolist()


@pytest.mark.parametrize("size", [64, 1024])
def test_frames_of_a_buffer(
    benchmark: BenchmarkFixture, jvm: Callable[[str], Jvm], size: int
) -> None:
    ours = codec.Framing.length(limit=LIMIT)

    def lengths(scanned: Any) -> object:
        starts, ends, _ = scanned
        return pc.subtract(pa.array(ends), pa.array(starts)).to_pylist()

    def netty(rival: str) -> Callable[[Frames], PreparedRun]:
        theirs = jvm(rival)
        return lambda given: theirs.work(given[1], len(given[0]), lengths_told)

    compare(
        benchmark,
        {
            "jvmwire, their places": lambda given: in_process(
                lambda: ours.scan(given[1]), len(given[0]), result=lengths
            ),
            ALONE: netty(ALONE),
            IN_PIPELINE: netty(IN_PIPELINE),
        },
        inputs=partial(frames, size),
        check=lambda given, found: found == given[0],
        unit="frame",
        work=f"Frames of {size} bytes, found in a buffer",
        targets=aims(IN_PIPELINE, 5.0 if size == 64 else None),
    )


@pytest.mark.parametrize("size", [64, 1024])
def test_frames_of_a_stream(
    benchmark: BenchmarkFixture, jvm: Callable[[str], Jvm], size: int
) -> None:
    framing = codec.Framing.length(limit=LIMIT)
    netty = jvm(IN_PIPELINE)

    def jvmwire(given: Frames) -> PreparedRun:
        decoder = framing.decoder()
        wire = given[1]
        chunks = [wire[at : at + CHUNK] for at in range(0, len(wire), CHUNK)]

        def decode() -> list[codec.Array]:
            batches = []
            for chunk in chunks:
                decoder.feed(chunk)
                batches.append(decoder.next_batch())
            return batches

        return in_process(decode, len(given[0]), result=lengths)

    def lengths(batches: Any) -> object:
        found: Any = pa.chunked_array([pa.array(batch) for batch in batches])
        return pc.binary_length(found).to_pylist()

    compare(
        benchmark,
        {
            "jvmwire, Arrow": jvmwire,
            IN_PIPELINE: lambda given: netty.work(given[1], len(given[0]), lengths_told),
        },
        inputs=partial(frames, size),
        check=lambda given, found: found == given[0],
        unit="frame",
        work=f"Frames of {size} bytes, of a stream in chunks of {CHUNK:,}",
    )
