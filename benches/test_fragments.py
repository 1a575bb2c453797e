"""Reassembly of messages from fragments, against a plain copy of their bytes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from benches import inputs
from benches.harness import PreparedRun, compare, in_process
from jvmwire import codec
from reference.cython import fragments as compiled
from reference.plain import fragments as plain

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

MESSAGES = 8
"""Messages per round, one after the other, or all interleaved."""
SIZE = 1 << 20
"""Bytes of a message."""
SIZES = [64 << 10, 1 << 10]
"""Bytes of a fragment."""
LIMITS = {"limit": SIZE, "total_limit": MESSAGES * SIZE, "open_limit": MESSAGES}

Pushed = list[tuple[int, ...]]


def messages(size: int, random: np.random.Generator) -> list[inputs.Fragments]:
    return [inputs.fragments(random, size, SIZE) for _ in range(MESSAGES)]


def check(given: list[inputs.Fragments], joined: object) -> bool:
    return joined == [one.message for one in given]


def copied(given: list[inputs.Fragments]) -> PreparedRun:
    views = [memoryview(one.message) for one in given]
    return in_process(lambda: [*map(bytes, views)], MESSAGES * SIZE / 1e6)


@pytest.mark.parametrize("size", SIZES)
def test_stream(benchmark: BenchmarkFixture, size: int) -> None:
    last = SIZE // size - 1
    flags = [
        plain.STREAM_BEGINS,
        *[plain.STREAM_GOES_ON] * (last - 1),
        plain.STREAM_ENDS,
    ]

    def one_by_one(
        assembler: Callable[..., Any],
    ) -> Callable[[list[inputs.Fragments]], PreparedRun]:
        def ready(given: list[inputs.Fragments]) -> PreparedRun:
            push = assembler(limit=SIZE).push
            pushed = [(flags, one.pieces) for one in given]

            def run() -> list[bytes]:
                return [
                    message
                    for flags, pieces in pushed
                    for message in map(push, flags, pieces)
                    if message is not None
                ]

            return in_process(run, MESSAGES * SIZE / 1e6)

        return ready

    def all_at_once(given: list[inputs.Fragments]) -> PreparedRun:
        pieces = pa.array([piece for one in given for piece in one.pieces], pa.binary())
        all_flags = pa.array(flags * MESSAGES, pa.uint8())
        assembler = codec.StreamAssembler(limit=SIZE)
        return in_process(
            lambda: assembler.push_all(all_flags, pieces),
            MESSAGES * SIZE / 1e6,
            result=lambda made: pa.array(made).to_pylist(),
        )

    compare(
        benchmark,
        {
            "jvmwire": one_by_one(codec.StreamAssembler),
            "jvmwire, Arrow": all_at_once,
            "Cython": one_by_one(compiled.StreamAssembler),
            "Python": one_by_one(plain.StreamAssembler),
            "a copy of the bytes": copied,
        },
        inputs=partial(messages, size),
        check=check,
        unit="MB",
        work=f"Messages of 1 MiB, one after the other, in fragments of {size >> 10} KiB",
    )


@pytest.mark.parametrize("size", SIZES)
def test_keyed(benchmark: BenchmarkFixture, size: int) -> None:
    last = SIZE // size - 1

    def turn_by_turn(given: list[inputs.Fragments]) -> tuple[list[int], list[int], list[bytes]]:
        ids, flags, pieces = [], [], []
        for index in range(last + 1):
            for number, one in enumerate(given):
                ids.append(number)
                flags.append({0: plain.BEGINS, last: plain.ENDS}.get(index, 0))
                pieces.append(one.pieces[index])
        return ids, flags, pieces

    def one_by_one(
        assembler: Callable[..., Any],
    ) -> Callable[[list[inputs.Fragments]], PreparedRun]:
        def ready(given: list[inputs.Fragments]) -> PreparedRun:
            push = assembler(**LIMITS).push
            pushed = turn_by_turn(given)
            return in_process(
                lambda: [message for message in map(push, *pushed) if message is not None],
                MESSAGES * SIZE / 1e6,
            )

        return ready

    def all_at_once(given: list[inputs.Fragments]) -> PreparedRun:
        ids, flags, pieces = turn_by_turn(given)
        pushed = pa.array(ids, pa.int64()), pa.array(flags, pa.uint8()), pa.array(pieces)
        assembler = codec.KeyedAssembler(**LIMITS)
        return in_process(
            lambda: assembler.push_all(*pushed),
            MESSAGES * SIZE / 1e6,
            result=lambda made: pa.array(made[1]).to_pylist(),
        )

    compare(
        benchmark,
        {
            "jvmwire": one_by_one(codec.KeyedAssembler),
            "jvmwire, Arrow": all_at_once,
            "Cython": one_by_one(compiled.KeyedAssembler),
            "Python": one_by_one(plain.KeyedAssembler),
            "a copy of the bytes": copied,
        },
        inputs=partial(messages, size),
        check=check,
        unit="MB",
        work=f"{MESSAGES} messages of 1 MiB at once, in fragments of {size >> 10} KiB",
    )
