"""Frames of a chunk to Python: Arrow against lists of `bytes`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from benches import inputs
from benches.cython.framing import Framing as CythonFraming
from benches.duel import Target, Work, duel, here
from benches.plain.framing import Framing as PlainFraming
from jvmwire import codec
from kit.primitives import python

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

COUNTS = {64: 100_000, 1024: 10_000}
"""Frames of a chunk, by the size of their payloads."""
LIMIT = 1 << 20


def frames(size: int, random: np.random.Generator) -> tuple[list[bytes], bytes]:
    payloads = inputs.payloads(random, size, COUNTS[size])
    return payloads, b"".join(map(PLAIN.encode, payloads))


def rival(
    decode: Callable[[bytes], tuple[Any, int]], to_list: Callable[[Any], list[bytes]] = list
) -> Callable[[tuple[list[bytes], bytes]], Work]:
    """Return what makes ready to cut a chunk into frames."""
    return lambda given: here(
        lambda: decode(given[1]), len(given[0]), result=lambda made: to_list(made[0])
    )


OURS = codec.Framing.length(limit=LIMIT)
CYTHONS = CythonFraming("big", includes_itself=False, limit=LIMIT)
PLAIN = PlainFraming("big", includes_itself=False, limit=LIMIT)

COPIED = {"jvmwire, Arrow": rival(OURS.decode_all, python)}
VIEWED = {"jvmwire, Arrow views": rival(OURS.view_all, python)}
CYTHON = {"Cython, list": rival(CYTHONS.decode_all)}
PYTHON = {"Python, list": rival(PLAIN.decode_all)}


@pytest.mark.parametrize("size", COUNTS)
@pytest.mark.parametrize(
    ("rivals", "how"),
    [(COPIED | CYTHON | PYTHON, ""), (VIEWED | CYTHON | COPIED, ", not copied")],
    ids=["copied", "viewed"],
)
def test_decode_all(
    benchmark: BenchmarkFixture, rivals: dict[str, Callable[[Any], Work]], how: str, size: int
) -> None:
    duel(
        benchmark,
        rivals,
        inputs=partial(frames, size),
        check=lambda given, payloads: payloads == given[0],
        unit="frame",
        work=f"Frames of {size} bytes, {COUNTS[size]:,} in a chunk{how}",
        targets=[Target("Cython, list", times=15)] if size == 64 else [],
    )
