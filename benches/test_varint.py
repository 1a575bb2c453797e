"""Varints from Python: one value per call, and many at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import leb128
import numpy as np
import pyarrow as pa
import pytest
import varint

from benches import inputs
from benches.harness import PreparedRun, Target, compare, in_process, run_through
from jvmwire import codec
from reference.cython import varint as compiled
from reference.plain import varint as plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from pytest_benchmark.fixture import BenchmarkFixture

ONES = 100_000
"""Values that are passed one by one."""
MANY = 500_000

WIDTHS = list(inputs.WIDTHS)
FORMATS: dict[str, tuple[codec.Varint, Any]] = {
    "unsigned64": (codec.UNSIGNED64, compiled.Unsigned64),
    "zigzag64": (codec.ZIGZAG64, compiled.ZigZag64),
    "vlong": (codec.VLONG, compiled.VLong),
}


def ones(random: np.random.Generator) -> tuple[list[int], list[bytes]]:
    values = inputs.varints(random, "small", ONES).tolist()
    return values, [plain.Unsigned64.encode(value) for value in values]


def test_decode_one(benchmark: BenchmarkFixture) -> None:
    def with_end(decode: Callable[[bytes], tuple[int, int]]) -> Callable[[Any], PreparedRun]:
        return lambda given: in_process(
            lambda: run_through(map(decode, given[1])),
            ONES,
            result=lambda _: [value for value, _ in map(decode, given[1])],
        )

    def without(decode: Callable[[Any], int]) -> Callable[[Any], PreparedRun]:
        return lambda given: in_process(
            lambda: run_through(map(decode, given[1])),
            ONES,
            result=lambda _: [*map(decode, given[1])],
        )

    compare(
        benchmark,
        {
            "jvmwire": with_end(codec.UNSIGNED64.decode),
            "Cython": with_end(compiled.Unsigned64.decode),
            "Python": with_end(plain.Unsigned64.decode),
            "leb128": without(leb128.u.decode),
            "varint": without(varint.decode_bytes),
        },
        inputs=ones,
        check=lambda given, decoded: decoded == given[0],
        unit="value",
        work="One varint to `int`",
        targets=[Target("Cython", within_ns=6), Target("leb128", times=5)],
    )


def test_encode_one(benchmark: BenchmarkFixture) -> None:
    def encoded(encode: Callable[[int], Any]) -> Callable[[Any], PreparedRun]:
        return lambda given: in_process(
            lambda: run_through(map(encode, given[0])),
            ONES,
            result=lambda _: [*map(encode, given[0])],
        )

    compare(
        benchmark,
        {
            "jvmwire": encoded(codec.UNSIGNED64.encode),
            "Cython": encoded(compiled.Unsigned64.encode),
            "Python": encoded(plain.Unsigned64.encode),
            "leb128": encoded(leb128.u.encode),
            "varint": encoded(varint.encode),
        },
        inputs=ones,
        check=lambda given, wires: wires == given[1],
        unit="value",
        work="One `int` to a varint",
        targets=[Target("Cython", within_ns=6), Target("leb128", times=5)],
    )


Many = tuple["NDArray[Any]", bytes]


def many(name: str, widths: str, random: np.random.Generator) -> Many:
    values: NDArray[Any] = inputs.varints(random, widths, MANY)
    if name != "unsigned64":
        # Small ones of both signs, as zigzag has them.
        values = (values >> np.uint64(1)).view(np.int64) ^ -(values & np.uint64(1)).view(np.int64)
    return values, FORMATS[name][1].encode_all(values)


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("name", FORMATS)
def test_decode_many(benchmark: BenchmarkFixture, name: str, widths: str) -> None:
    ours, theirs = FORMATS[name]
    compare(
        benchmark,
        {
            "jvmwire, Arrow": lambda given: in_process(
                lambda: ours.decode_all(given[1]), MANY, result=pa.array
            ),
            "Cython, array": lambda given: in_process(lambda: theirs.decode_all(given[1]), MANY),
        },
        inputs=partial(many, name, widths),
        check=lambda given, decoded: np.array_equal(np.asarray(decoded), given[0]),
        unit="value",
        work=f"Many varints, {name}, {widths} widths, decoded",
    )


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("name", FORMATS)
def test_encode_many(benchmark: BenchmarkFixture, name: str, widths: str) -> None:
    ours, theirs = FORMATS[name]

    def jvmwire(given: Many) -> PreparedRun:
        values = pa.array(given[0])
        return in_process(lambda: ours.encode_all(values), MANY)

    compare(
        benchmark,
        {
            "jvmwire, of Arrow": jvmwire,
            "Cython, of an array": lambda given: in_process(
                lambda: theirs.encode_all(given[0]), MANY
            ),
        },
        inputs=partial(many, name, widths),
        check=lambda given, wire: (
            wire == given[1] and np.array_equal(theirs.decode_all(wire), given[0])
        ),
        unit="value",
        work=f"Many varints, {name}, {widths} widths, encoded",
    )
