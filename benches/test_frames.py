"""Frames of a chunk to Python: Arrow against lists of `bytes`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from benches import inputs
from benches.cython.framing import Framing as CythonFraming
from benches.duel import Target, duel, here
from benches.plain.framing import Framing as PlainFraming
from jvmwire import codec

if TYPE_CHECKING:
    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

COUNTS = {64: 100_000, 1024: 10_000}
"""Frames of a chunk, by the size of their payloads."""
LIMIT = 1 << 20


def frames(size: int, random: np.random.Generator) -> tuple[list[bytes], bytes]:
    payloads = inputs.payloads(random, size, COUNTS[size])
    framing = PlainFraming("big", includes_itself=False, limit=LIMIT)
    return payloads, b"".join(map(framing.encode, payloads))


@pytest.mark.parametrize("size", COUNTS)
def test_decode_all(benchmark: BenchmarkFixture, size: int) -> None:
    ours = codec.Framing.length(limit=LIMIT)
    cython = CythonFraming("big", includes_itself=False, limit=LIMIT)
    plain = PlainFraming("big", includes_itself=False, limit=LIMIT)
    count = COUNTS[size]
    duel(
        benchmark,
        {
            "jvmwire, Arrow": lambda given: here(
                lambda: ours.decode_all(given[1]),
                count,
                result=lambda made: pa.array(made[0]).to_pylist(),
            ),
            "Cython, list": lambda given: here(
                lambda: cython.decode_all(given[1]), count, result=lambda made: made[0]
            ),
            "Python, list": lambda given: here(
                lambda: plain.decode_all(given[1]), count, result=lambda made: made[0]
            ),
        },
        inputs=partial(frames, size),
        check=lambda given, payloads: payloads == given[0],
        unit="frame",
        work=f"Frames of {size} bytes, {count:,} in a chunk",
    )


@pytest.mark.parametrize("size", COUNTS)
def test_view_all(benchmark: BenchmarkFixture, size: int) -> None:
    ours = codec.Framing.length(limit=LIMIT)
    cython = CythonFraming("big", includes_itself=False, limit=LIMIT)
    count = COUNTS[size]
    duel(
        benchmark,
        {
            "jvmwire, Arrow views": lambda given: here(
                lambda: ours.view_all(given[1]),
                count,
                result=lambda made: pa.array(made[0]).to_pylist(),
            ),
            "Cython, list": lambda given: here(
                lambda: cython.decode_all(given[1]), count, result=lambda made: made[0]
            ),
            "jvmwire, Arrow": lambda given: here(
                lambda: ours.decode_all(given[1]),
                count,
                result=lambda made: pa.array(made[0]).to_pylist(),
            ),
        },
        inputs=partial(frames, size),
        check=lambda given, payloads: payloads == given[0],
        unit="frame",
        work=f"Frames of {size} bytes, {count:,} in a chunk, not copied",
        targets=[Target("Cython, list", times=15)] if size == 64 else [],
    )
