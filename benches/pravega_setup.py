"""New store with all its contenders, warm and at rest."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benches.harness import PreparedRun
from benches.pravega_competitors import Java, Pip
from jvmwire.pravega import SegmentStore
from jvmwire.pravega.streams import StreamClient
from kit import processes
from kit.namespace import inside
from kit.pravega import StandalonePeer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np

CACHE_BYTES = 1 << 30
"""Cache of the store for data that is not in its storage yet: one round can fill so much of the 128
MiB of a standalone store that the store delays all appends for seconds, whichever client sent them.
"""
SMALL = 100
TO_WARM = 8_000
"""Small events that each client awaits first: after some 20,000 of them the store's compiler has
little left to do, which takes one of two cores until then.
"""
AT_REST = 0.03
"""Seconds of CPU that all processes but this one take at most in `GLANCE` when they are at rest."""
GLANCE = 0.1
REST_TIMEOUT = 10.0

Rival = Callable[[list[bytes]], PreparedRun]
"""Function that prepares to append events."""


@dataclass(frozen=True)
class Stage:
    """A store, and the clients that compete on it."""

    size: int
    store: SegmentStore
    streams: StreamClient
    pip: Pip
    java: Java
    peer: StandalonePeer

    def stream(self, who: str) -> tuple[str, str]:
        """Create a stream; return its name and the name of its only segment."""
        name = f"bench/{who}"
        self.streams.create_stream(name)
        [segment] = self.streams.segments(name)
        return name, segment.name

    def end_of(self, segment: str) -> int:
        """Return the write offset of a segment."""
        return self.store.get_segment_info(segment).write_offset


@contextmanager
def opened(size: int, directory: Path) -> Iterator[Stage]:
    """Start a new store, which keeps all data in memory: 4 GiB are enough for 1.6 GB of events.

    All contenders are in its network namespace.
    """
    with ExitStack() as stack:
        peer = StandalonePeer(directory, heap="4g", heap_at_once=True, cache_bytes=CACHE_BYTES)
        stack.enter_context(peer)
        stack.enter_context(inside(peer.pid))
        streams = stack.enter_context(StreamClient(peer.controller))
        streams.create_scope("bench")
        stage = Stage(
            size=size,
            store=stack.enter_context(SegmentStore(peer.store)),
            streams=streams,
            pip=stack.enter_context(closing(Pip(peer.controller))),
            java=stack.enter_context(Java(peer.controller, directory)),
            peer=peer,
        )
        warm(stage)
        yield stage


def events(size: int, count: int, random: np.random.Generator) -> list[bytes]:
    """Make so many events of that size."""
    block = random.bytes(size * count)
    return [block[at : at + size] for at in range(0, len(block), size)]


def warm(stage: Stage) -> None:
    """Repeat the work of the store and of its contenders until it is compiled."""
    stream, segment = stage.stream("warm")
    small = [bytes(SMALL)] * TO_WARM
    with stage.store.appender(segment) as appender:
        for event in small:
            appender.append(event)
    stage.pip.work("await_each", (stream, small), TO_WARM, lambda found: found).run()
    stage.java.work(f"await {stream} {SMALL} {TO_WARM}", TO_WARM, lambda found: found).run()


def at_rest(stage: Stage, rival: Rival) -> Rival:
    """Start a rival only when all work on the appends of the previous one has ended.

    After a round of 100 ms the store works for as long, and now and then for two seconds: it writes
    to its storage and compiles. Then the garbage is collected: since the store may pause for 180
    ms, the contender during the pause would pay for the others too.
    """

    def prepare(given: list[bytes]) -> PreparedRun:
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
    """Return a function that returns by how much a segment has grown."""
    before = stage.end_of(segment)
    return lambda: stage.end_of(segment) - before


def javas_work(stage: Stage, what: str, count: int, segment: str, _: list[bytes]) -> PreparedRun:
    """Prepare Java's client, which writes already meanwhile: its start is read afterwards."""
    before: list[int] = []
    done = stage.java.work(what, count, lambda _: stage.end_of(segment) - before.pop())
    before.append(stage.end_of(segment))
    return done


def pips_work(
    stage: Stage, what: str, stream: str, segment: str, given: list[bytes]
) -> PreparedRun:
    """Prepare the client of PyPI."""
    grown = growth(stage, segment)
    return stage.pip.work(what, (stream, given), len(given), lambda _: grown())
