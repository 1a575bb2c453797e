"""Hazelcast's values: against the codec of its last 3.x Python client, and a murmur3 in C."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import mmh3
import pyarrow as pa
import pytest

from benches.harness import PreparedRun, Target, compare, in_process, run_through
from benches.hazelcast_competitors import new_service
from jvmwire._core import hazelcast_partition_hash
from jvmwire.hazelcast.serialization import SerializationService

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

VALUES = 2_000
MANY = 100_000
SEED = 0x01000193

OURS = SerializationService()


def texts(random: np.random.Generator, count: int) -> list[Any]:
    return [f"value {number}" for number in random.integers(0, 1 << 62, count)]


def accents(random: np.random.Generator, count: int) -> list[Any]:
    return [f"caf\xe9 {number}" for number in random.integers(0, 1 << 62, count)]


def ints(random: np.random.Generator, count: int) -> list[Any]:
    return [int(number) for number in random.integers(-(1 << 31), 1 << 31, count)]


def floats(random: np.random.Generator, count: int) -> list[Any]:
    return [float(number) for number in random.normal(size=count)]


def lists(random: np.random.Generator, count: int) -> list[Any]:
    return [list(part) for part in zip(*[iter(ints(random, 4 * count))] * 4, strict=True)]


KINDS = {"text": texts, "accents": accents, "int": ints, "float": floats, "list": lists}

kinds = pytest.mark.parametrize("kind", KINDS)


def some(kind: str, count: int, random: np.random.Generator) -> list[Any]:
    return KINDS[kind](random, count)


def bytes_of(data: Any) -> bytes:
    return data if isinstance(data, bytes) else bytes(data.to_bytes())


@kinds
def test_encoding_values(benchmark: BenchmarkFixture, kind: str) -> None:
    theirs = new_service()

    def work(encode: Callable[[Any], Any], values: list[Any]) -> PreparedRun:
        return in_process(
            lambda: run_through(map(encode, values)),
            VALUES,
            result=lambda _: [bytes_of(encode(value)) for value in values],
        )

    compare(
        benchmark,
        {
            "jvmwire": partial(work, OURS.to_data),
            "hazelcast-python-client": partial(work, theirs.to_data),
        },
        inputs=partial(some, kind, VALUES),
        check=lambda values, datas: datas == OURS.to_data_all(values),
        unit="values",
        work=f"a value ({kind}) becomes Data",
        targets=[Target("hazelcast-python-client", times=5)],
    )


@kinds
def test_decoding_values(benchmark: BenchmarkFixture, kind: str) -> None:
    theirs = new_service()

    def work(service: Any, data_of: Callable[[bytes], Any], values: list[Any]) -> PreparedRun:
        datas = [data_of(data) for data in OURS.to_data_all(values)]
        return in_process(
            lambda: run_through(map(service.to_object, datas)),
            VALUES,
            result=lambda _: [*map(service.to_object, datas)],
        )

    data_class = type(theirs.to_data(1))
    compare(
        benchmark,
        {
            "jvmwire": partial(work, OURS, bytes),
            "hazelcast-python-client": partial(work, theirs, data_class),
        },
        inputs=partial(some, kind, VALUES),
        check=lambda values, made: made == values,
        unit="values",
        work=f"Data becomes a value ({kind})",
        targets=[Target("hazelcast-python-client", times=5)],
    )


@kinds
def test_decoding_many_values(benchmark: BenchmarkFixture, kind: str) -> None:
    def at_once(values: list[Any]) -> PreparedRun:
        datas = OURS.to_data_all(values)
        return in_process(lambda: OURS.to_object_all(datas), MANY)

    def one_by_one(values: list[Any]) -> PreparedRun:
        datas = OURS.to_data_all(values)
        return in_process(lambda: [OURS.to_object(data) for data in datas], MANY)

    compare(
        benchmark,
        {"to_object_all": at_once, "to_object": one_by_one},
        inputs=partial(some, kind, MANY),
        check=lambda values, made: made == values,
        unit="values",
        work=f"many Data become values ({kind})",
    )


@pytest.mark.parametrize("kind", ["text", "int", "float"])
def test_decoding_many_values_to_arrow(benchmark: BenchmarkFixture, kind: str) -> None:
    def column(values: list[Any]) -> PreparedRun:
        datas: Any = OURS.to_data_all(values)
        return in_process(lambda: OURS.to_arrow(datas), MANY, result=as_list)

    def objects(values: list[Any]) -> PreparedRun:
        datas = OURS.to_data_all(values)
        return in_process(lambda: pa.array(OURS.to_object_all(datas)), MANY, result=as_list)

    compare(
        benchmark,
        {"to_arrow": column, "objects, then Arrow": objects},
        inputs=partial(some, kind, MANY),
        check=lambda values, made: made == values,
        unit="values",
        work=f"many Data become an Arrow array ({kind})",
    )


def as_list(made: Any) -> list[Any]:
    values: Any = pa.array(made)
    return list(values.to_pylist())


@pytest.mark.parametrize("size", [64, 4096])
def test_hashing_keys(benchmark: BenchmarkFixture, size: int) -> None:
    def keys(random: np.random.Generator) -> list[bytes]:
        return [random.bytes(size) for _ in range(VALUES)]

    def ours(payloads: list[bytes]) -> PreparedRun:
        datas = [bytes(8) + payload for payload in payloads]
        return hashing(hazelcast_partition_hash, datas)

    def murmur(payload: bytes) -> int:
        return mmh3.hash(payload, SEED)

    def hashing(of: Callable[[bytes], int], given: list[bytes]) -> PreparedRun:
        return in_process(
            lambda: run_through(map(of, given)), VALUES, result=lambda _: [*map(of, given)]
        )

    def theirs(payloads: list[bytes]) -> PreparedRun:
        # Its seed is a number that each call converts: without a seed, it does not.
        return in_process(
            lambda: run_through(map(mmh3.hash, payloads)),
            VALUES,
            result=lambda _: [*map(murmur, payloads)],
        )

    compare(
        benchmark,
        {"jvmwire": ours, "mmh3": theirs},
        inputs=keys,
        check=lambda payloads, hashes: hashes == [*map(murmur, payloads)],
        unit="keys",
        work=f"the partition hash of a key of {size} bytes",
        targets=[Target("mmh3", times=0.8)],
    )
