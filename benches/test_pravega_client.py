"""Writing and reading Pravega: jvmwire's client against Java's, that of PyPI, and bare sockets."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from benches.harness import PreparedRun, Target, compare, in_process
from benches.pravega_await_each import AWAITED, AWAITING, Awaiting
from benches.pravega_competitors import Raw
from benches.pravega_setup import (
    Rival,
    Stage,
    at_rest,
    events,
    growth,
    javas_work,
    opened,
    pips_work,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

    from jvmwire.pravega import Appender

SIZES = {100: 50_000, 1_000: 10_000, 10_000: 1_000, 100_000: 100}
"""Events per round, by the bytes of an event."""
BETTER = {100: 2.0, 1_000: 1.5, 10_000: 1.2, 100_000: 1.2}
"""Target as a multiple of the better of the other clients' rates, by the events' bytes."""
EVENT_HEADER = 8
WRITING_ROUNDS = 21
"""Rounds of writers: many short ones tell more than a few long ones of as much memory."""
AWAITING_ROUNDS = {100: 21, 1_000: 21, 10_000: 21, 100_000: 63}
"""Rounds of writers that await each event: with large events nine tenths of all CPU are the store's
own, so that clients differ by less than rounds do.
"""
READING_ROUNDS = 7
"""Rounds of readers of stored data."""


@pytest.fixture(params=SIZES)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    with opened(request.param, tmp_path) as stage:
        yield stage


@pytest.fixture
def raw(stage: Stage) -> Iterator[Raw]:
    with closing(Raw(stage.peer.store)) as raw:
        yield raw


def aims(clients: float, raw: float) -> list[Target]:
    """Return the targets: multiples of the other clients' speed, or of the raw socket's."""
    return [
        *(
            Target(rival, clients, by="wall", alternative="clients")
            for rival in ("pravega of PyPI", "Java")
        ),
        Target("raw socket", raw, by="wall", alternative="raw socket"),
    ]


def warm_appender(stage: Stage, segment: str) -> Appender:
    """Return an appender that has already appended to a segment."""
    stage.store.create_segment(segment)
    appender = stage.store.appender(segment)
    appender.append(b"first")
    return appender


def duel_of_writers(
    benchmark: BenchmarkFixture,
    rivals: Mapping[str, Rival],
    *,
    size: int,
    inputs: Callable[[np.random.Generator], list[bytes]],
    work: str,
    targets: Sequence[Target],
    rounds: int = WRITING_ROUNDS,
) -> None:
    """Compare rivals that append events of that size to their own segments; growth is checked."""
    compare(
        benchmark,
        rivals,
        inputs=inputs,
        check=lambda given, grown: grown == len(given) * (EVENT_HEADER + size),
        unit="event",
        work=work,
        targets=targets,
        rounds=rounds,
    )


def test_appending_events(benchmark: BenchmarkFixture, stage: Stage, raw: Raw) -> None:
    size, count = stage.size, SIZES[stage.size]
    pips_stream, pips = stage.stream("pip")
    javas_stream, javas = stage.stream("java")
    # Set up before the clocks run, as all the others' writers are.
    of_lists, of_columns = (warm_appender(stage, f"bench/ours/{of}") for of in ("list", "arrow"))
    stage.store.create_segment("bench/raw/0")

    def ours(given: list[bytes]) -> PreparedRun:
        grown = growth(stage, "bench/ours/list")
        return in_process(lambda: of_lists.append_all(given), count, result=lambda _: grown())

    def of_arrow(given: list[bytes]) -> PreparedRun:
        column, grown = pa.array(given, pa.binary()), growth(stage, "bench/ours/arrow")
        return in_process(lambda: of_columns.append_all(column), count, result=lambda _: grown())

    def blasted(given: list[bytes]) -> PreparedRun:
        wire, last = raw.encoded("bench/raw/0", given)
        grown = growth(stage, "bench/raw/0")
        return in_process(lambda: raw.blast(wire, last), count, result=lambda _: grown())

    write = f"write {javas_stream} {size} {count}"
    rivals: dict[str, Rival] = {
        "jvmwire, Arrow": of_arrow,
        "jvmwire": ours,
        "pravega of PyPI": partial(pips_work, stage, "write", pips_stream, pips),
        "Java": partial(javas_work, stage, write, count, javas),
        "raw socket": blasted,
    }
    duel_of_writers(
        benchmark,
        {name: at_rest(stage, rival) for name, rival in rivals.items()},
        size=size,
        inputs=partial(events, size, count),
        work=f"appending events of {size} bytes to a segment store",
        targets=aims(BETTER[size], 0.85),
    )


@pytest.mark.parametrize("size", AWAITED)
def test_awaiting_each_event(benchmark: BenchmarkFixture, size: int, tmp_path: Path) -> None:
    with closing(Awaiting(size, tmp_path)) as awaiting_each:
        duel_of_writers(
            benchmark,
            {name: awaiting_each.rival(name) for name in AWAITING},
            size=size,
            inputs=awaiting_each.events,
            work=f"appending events of {size} bytes, each awaited before the next",
            targets=[Target("Java", times=1.0, by="wall")],
            rounds=AWAITING_ROUNDS[size],
        )


def test_reading_events(benchmark: BenchmarkFixture, stage: Stage, raw: Raw) -> None:
    size, count = stage.size, SIZES[stage.size]
    stream, segment = stage.stream("read")
    with stage.store.appender(segment) as appender:
        appender.append_all([bytes(size)] * count)
    end = count * (EVENT_HEADER + size)

    def into_arrow(_: None) -> PreparedRun:
        return in_process(
            lambda: sum(len(batch.events) for batch in stage.store.read_batches(segment)), count
        )

    def into_lists(_: None) -> PreparedRun:
        return in_process(lambda: sum(map(len, stage.store.read_events(segment))), count)

    def by_pip(_: None) -> PreparedRun:
        return stage.pip.work("read", (stream, count), count, lambda found: found)

    def by_java(_: None) -> PreparedRun:
        return stage.java.work(f"read {stream} {count}", count, lambda found: found)

    def discarded(_: None) -> PreparedRun:
        return in_process(
            lambda: raw.discard(segment, end),
            count,
            result=lambda at: at // (EVENT_HEADER + size),
        )

    compare(
        benchmark,
        {
            "jvmwire, Arrow": into_arrow,
            "jvmwire": into_lists,
            "pravega of PyPI": by_pip,
            "Java": by_java,
            "raw socket": discarded,
        },
        inputs=lambda _: None,
        check=lambda _, found: found == count,
        unit="event",
        work=f"reading events of {size} bytes from a segment store",
        targets=aims(1.2, 0.8),
        rounds=READING_ROUNDS,
    )
