"""Peak memory of decoding in bulk, in addition to its input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from benches import inputs, memory
from benches.harness import FEWEST, PreparedRun, compare
from reference.cython import varint
from reference.plain import mutf8
from reference.plain.framing import Framing

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture


def varints(random: np.random.Generator) -> tuple[Any, bytes]:
    values = inputs.varints(random, "small", 500_000)
    return values, varint.Unsigned64.encode_all(values)


def frames(random: np.random.Generator) -> tuple[Any, bytes]:
    payloads = inputs.payloads(random, 64, 100_000)
    framing = Framing("big", includes_itself=False, limit=memory.LIMIT)
    return payloads, b"".join(map(framing.encode, payloads))


def texts(random: np.random.Generator) -> tuple[Any, bytes]:
    made = inputs.strings(random, "latin", 32, 100_000)
    return made, b"".join(map(mutf8.encode_utf, made))


INPUTS = {"varints": varints, "frames": frames, "texts": texts}


@pytest.mark.parametrize("what", INPUTS)
def test_decode_all(benchmark: BenchmarkFixture, what: str) -> None:
    def rival(name: str) -> Callable[[tuple[Any, bytes]], PreparedRun]:
        return lambda given: memory.in_its_own_process(what, name, given[1])

    compare(
        benchmark,
        {name: rival(name) for name in memory.RIVALS[what]},
        inputs=INPUTS[what],
        check=lambda given, digest: digest == memory.digest(given[0]),
        unit="MB",
        work=f"Memory for many {what}",
        rounds=FEWEST,
    )
