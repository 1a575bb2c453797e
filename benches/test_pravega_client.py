"""Writing and reading Pravega: jvmwire's client beside Java's, that of PyPI, and bare sockets."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from benches.duel import Target, Work, duel, here
from benches.pravega_rivals import Java, Ours, Pip, Raw
from jvmwire.pravega import Appender, SegmentStore
from jvmwire.pravega.streams import StreamClient
from kit import processes
from kit.namespace import inside
from kit.pravega import StandalonePeer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

SIZES = {100: 50_000, 1_000: 10_000, 10_000: 1_000, 100_000: 100}
"""Events of a round, by their bytes."""
AWAITED = {100: 1_000, 1_000: 1_000, 10_000: 500, 100_000: 200}
"""Those of which each is waited for."""
BETTER = {100: 2.0, 1_000: 1.5, 10_000: 1.2, 100_000: 1.2}
"""How many times the better of the other clients' rate is aimed at, by the events' bytes."""
EVENT_HEADER = 8
SMALL = 100
CACHE_BYTES = 1 << 30
"""What the store has for what it did not move to its storage yet: of a standalone one's 128 MiB a
round can fill so much that the store has all appends wait for seconds, whoever's they are."""
WRITING_ROUNDS = 21
"""Of who writes: short ones, of which many tell more than a few long ones, for as much memory."""
READING_ROUNDS = 7
"""Of who reads what stays."""
TO_WARM = 8_000
"""Small events that each client awaits first: behind some 20,000 of them the store's compiler has
little left to do, which takes one of two cores until then."""
AT_REST = 0.03
"""Seconds of CPU that all processes but this one take at most in `GLANCE` when they are at rest."""
GLANCE = 0.1
REST_TIMEOUT = 10.0


@dataclass(frozen=True)
class Stage:
    """A store, and who is to compete on it."""

    size: int
    store: SegmentStore
    streams: StreamClient
    pip: Pip
    java: Java
    peer: StandalonePeer

    def stream(self, who: str) -> tuple[str, str]:
        """Make a stream; return its name and that of its one segment."""
        name = f"bench/{who}"
        self.streams.create_stream(name)
        [segment] = self.streams.segments(name)
        return name, segment.name

    def end_of(self, segment: str) -> int:
        """Return where a segment ends."""
        return self.store.get_segment_info(segment).write_offset

    def events(self, count: int, random: np.random.Generator) -> list[bytes]:
        """Make so many events."""
        block = random.bytes(self.size * count)
        return [block[at : at + self.size] for at in range(0, len(block), self.size)]


@pytest.fixture(params=SIZES)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    """A store of its own for each, as it keeps all in memory: of 4 GiB it can use some 2.5.

    All who compete are inside.
    """
    with ExitStack() as stack:
        peer = StandalonePeer(tmp_path, heap="4g", heap_at_once=True, cache_bytes=CACHE_BYTES)
        stack.enter_context(peer)
        stack.enter_context(inside(peer.pid))
        streams = stack.enter_context(StreamClient(peer.controller))
        streams.create_scope("bench")
        stage = Stage(
            size=request.param,
            store=stack.enter_context(SegmentStore(peer.store)),
            streams=streams,
            pip=stack.enter_context(closing(Pip(peer.controller))),
            java=stack.enter_context(Java(peer.controller, tmp_path)),
            peer=peer,
        )
        warm(stage)
        yield stage


def warm(stage: Stage) -> None:
    """Have the store, and all who compete on it, do so often what they do that it is compiled."""
    stream, segment = stage.stream("warm")
    events = [bytes(SMALL)] * TO_WARM
    with stage.store.appender(segment) as appender:
        for event in events:
            appender.append(event)
    stage.pip.work("await_each", (stream, events), TO_WARM, lambda found: found).run()
    stage.java.work(f"await {stream} {SMALL} {TO_WARM}", TO_WARM, lambda found: found).run()


@pytest.fixture
def raw(stage: Stage) -> Iterator[Raw]:
    with closing(Raw(stage.peer.store)) as raw:
        yield raw


def aims(clients: float, raw: float) -> list[Target]:
    """Return what is aimed at: so many times the other clients, or so much of the raw socket."""
    return [
        *(
            Target(rival, clients, by="wall", way="clients")
            for rival in ("pravega of PyPI", "Java")
        ),
        Target("raw socket", raw, by="wall", way="raw socket"),
    ]


def at_rest(stage: Stage, rival: Callable[[list[bytes]], Work]) -> Callable[[list[bytes]], Work]:
    """Have a rival begin when nobody works any more at what the one before it appended.

    Behind a round of 100 ms the store goes on for as long, and now and then for two seconds: it
    writes to its storage and compiles. Then it collects the garbage of all that: as it may stand
    still for 180 ms, whoever came when it was due would pay for the others too.
    """

    def prepare(given: list[bytes]) -> Work:
        ready = rival(given)
        deadline = time.monotonic() + REST_TIMEOUT
        before = taken_by_others()
        while time.monotonic() < deadline:
            time.sleep(GLANCE)
            before, last = taken_by_others(), before
            if before - last <= AT_REST:
                break
        stage.peer.collect_garbage()
        return ready

    return prepare


def taken_by_others() -> float:
    """Return the seconds of CPU that this process's descendants have taken."""
    taken = processes.cpu_seconds()
    return sum(taken.values()) - taken[os.getpid()]


def growth(stage: Stage, segment: str) -> Callable[[], int]:
    """Return what tells by how much a segment has grown."""
    before = stage.end_of(segment)
    return lambda: stage.end_of(segment) - before


def warm_appender(stage: Stage, segment: str) -> Appender:
    """Return what has appended to a segment already."""
    stage.store.create_segment(segment)
    appender = stage.store.appender(segment)
    appender.append(b"first")
    return appender


def javas_work(stage: Stage, what: str, count: int, segment: str, _: list[bytes]) -> Work:
    """Java's client; it writes already while it gets ready, so where it begins is seen after."""
    before: list[int] = []
    done = stage.java.work(what, count, lambda _: stage.end_of(segment) - before.pop())
    before.append(stage.end_of(segment))
    return done


def pips_work(stage: Stage, what: str, stream: str, segment: str, given: list[bytes]) -> Work:
    """The client of PyPI."""
    grown = growth(stage, segment)
    return stage.pip.work(what, (stream, given), len(given), lambda _: grown())


def duel_of_writers(
    benchmark: BenchmarkFixture,
    stage: Stage,
    rivals: Mapping[str, Callable[[list[bytes]], Work]],
    *,
    count: int,
    work: str,
    targets: Sequence[Target],
) -> None:
    """Let each append so many events to a segment of its own, which is to grow by these."""
    duel(
        benchmark,
        {name: at_rest(stage, rival) for name, rival in rivals.items()},
        inputs=lambda random: stage.events(count, random),
        check=lambda given, grown: grown == len(given) * (EVENT_HEADER + stage.size),
        unit="event",
        work=work,
        targets=targets,
        rounds=WRITING_ROUNDS,
    )


def test_appending_events(benchmark: BenchmarkFixture, stage: Stage, raw: Raw) -> None:
    size, count = stage.size, SIZES[stage.size]
    pips_stream, pips = stage.stream("pip")
    javas_stream, javas = stage.stream("java")
    # Set up before the clocks run, as all the others' writers are.
    of_lists, of_columns = (warm_appender(stage, f"bench/ours/{of}") for of in ("list", "arrow"))
    stage.store.create_segment("bench/raw/0")

    def ours(given: list[bytes]) -> Work:
        grown = growth(stage, "bench/ours/list")
        return here(lambda: of_lists.append_all(given), count, result=lambda _: grown())

    def of_arrow(given: list[bytes]) -> Work:
        column, grown = pa.array(given, pa.binary()), growth(stage, "bench/ours/arrow")
        return here(lambda: of_columns.append_all(column), count, result=lambda _: grown())

    def blasted(given: list[bytes]) -> Work:
        wire, last = raw.encoded("bench/raw/0", given)
        grown = growth(stage, "bench/raw/0")
        return here(lambda: raw.blast(wire, last), count, result=lambda _: grown())

    write = f"write {javas_stream} {size} {count}"
    duel_of_writers(
        benchmark,
        stage,
        {
            "jvmwire, Arrow": of_arrow,
            "jvmwire": ours,
            "pravega of PyPI": partial(pips_work, stage, "write", pips_stream, pips),
            "Java": partial(javas_work, stage, write, count, javas),
            "raw socket": blasted,
        },
        count=count,
        work=f"appending events of {size} bytes to a segment store",
        targets=aims(BETTER[size], 0.85),
    )


def test_awaiting_each_event(benchmark: BenchmarkFixture, stage: Stage) -> None:
    size, count = stage.size, AWAITED[stage.size]
    pips_stream, pips = stage.stream("pip-awaited")
    javas_stream, javas = stage.stream("java-awaited")
    our_process = Ours(stage.peer.store, "bench/awaited/0")

    def ours(given: list[bytes]) -> Work:
        return our_process.work(given, growth(stage, "bench/awaited/0"))

    await_each = f"await {javas_stream} {size} {count}"
    with closing(our_process):
        duel_of_writers(
            benchmark,
            stage,
            {
                "jvmwire": ours,
                "pravega of PyPI": partial(pips_work, stage, "await_each", pips_stream, pips),
                "Java": partial(javas_work, stage, await_each, count, javas),
            },
            count=count,
            work=f"appending events of {size} bytes, each awaited before the next",
            targets=[Target("Java", times=1.0, by="wall")],
        )


def test_reading_events(benchmark: BenchmarkFixture, stage: Stage, raw: Raw) -> None:
    size, count = stage.size, SIZES[stage.size]
    stream, segment = stage.stream("read")
    with stage.store.appender(segment) as appender:
        appender.append_all([bytes(size)] * count)
    end = count * (EVENT_HEADER + size)

    def into_arrow(_: None) -> Work:
        return here(
            lambda: sum(len(batch.events) for batch in stage.store.read_batches(segment)), count
        )

    def into_lists(_: None) -> Work:
        return here(lambda: sum(map(len, stage.store.read_events(segment))), count)

    def by_pip(_: None) -> Work:
        return stage.pip.work("read", (stream, count), count, lambda found: found)

    def by_java(_: None) -> Work:
        return stage.java.work(f"read {stream} {count}", count, lambda found: found)

    def discarded(_: None) -> Work:
        return here(
            lambda: raw.discard(segment, end),
            count,
            result=lambda at: at // (EVENT_HEADER + size),
        )

    duel(
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
