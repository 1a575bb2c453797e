"""Frames of a chunk to Python: Arrow against lists of `bytes`."""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING

import pytest

from benches import inputs
from benches.harness import PreparedRun, Target, compare
from benches.isolated import IsolatedDecoder
from jvmwire import codec
from kit.primitives import python
from reference.cython.framing import Framing as CythonFraming
from reference.plain.framing import Framing as PlainFraming

if TYPE_CHECKING:
    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

    from benches.isolated import Decode, ToList

CHUNKS = [(64, 100_000), (1024, 10_000)]
"""The size of payloads, and their number; there is a target for the first."""
LIMIT = 1 << 20


def frames(size: int, count: int, random: np.random.Generator) -> tuple[list[bytes], bytes]:
    payloads = inputs.payloads(random, size, count)
    return payloads, b"".join(map(PLAIN.encode, payloads))


def copied(chunk: bytes) -> codec.Array:
    return OURS.decode_all(chunk)[0]


def viewed(chunk: bytes) -> codec.Array:
    return OURS.view_all(chunk)[0]


def by_cython(chunk: bytes) -> list[bytes]:
    return CYTHONS.decode_all(chunk)[0]


def by_python(chunk: bytes) -> list[bytes]:
    return PLAIN.decode_all(chunk)[0]


def memcpy(chunk: bytes) -> bytes:
    return memoryview(chunk).tobytes()


OURS = codec.Framing.length(limit=LIMIT)
CYTHONS = CythonFraming("big", includes_itself=False, limit=LIMIT)
PLAIN = PlainFraming("big", includes_itself=False, limit=LIMIT)

CONTENDERS: dict[str, tuple[Decode, ToList]] = {
    "jvmwire, Arrow": (copied, python),
    "jvmwire, Arrow views": (viewed, python),
    "Cython, list": (by_cython, list),
    "Python, list": (by_python, list),
    "memcpy": (memcpy, by_python),
}
"""The decoder of a chunk, and the conversion of its result to a list."""


@pytest.mark.parametrize("chunk", CHUNKS, ids=str)
def test_copies_of_all(benchmark: BenchmarkFixture, chunk: tuple[int, int]) -> None:
    names = ["jvmwire, Arrow", "Cython, list", "Python, list", "memcpy"]
    compete(benchmark, chunk, names, "", Target("memcpy", times=0.7))


@pytest.mark.parametrize("chunk", CHUNKS, ids=str)
def test_views_of_all(benchmark: BenchmarkFixture, chunk: tuple[int, int]) -> None:
    names = ["jvmwire, Arrow views", "Cython, list", "jvmwire, Arrow"]
    compete(benchmark, chunk, names, ", not copied", Target("Cython, list", times=15))


def compete(
    benchmark: BenchmarkFixture, chunk: tuple[int, int], names: list[str], how: str, target: Target
) -> None:
    size, count = chunk
    with ExitStack() as stack:
        apart = {
            name: stack.enter_context(closing(IsolatedDecoder(*CONTENDERS[name]))) for name in names
        }
        compare(
            benchmark,
            {name: partial(decoding, one) for name, one in apart.items()},
            inputs=partial(frames, size, count),
            check=lambda given, payloads: payloads == given[0],
            unit="frame",
            work=f"Frames of {size} bytes, {count:,} in a chunk{how}",
            targets=[target] if chunk == CHUNKS[0] else [],
        )


def decoding(one: IsolatedDecoder, given: tuple[list[bytes], bytes]) -> PreparedRun:
    payloads, chunk = given
    return one.work(chunk, len(payloads))
