"""Contenders that append to Pravega and await each event before the next."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from benches.pravega_competitors import Ours
from benches.pravega_setup import Rival, at_rest, events, growth, javas_work, opened, pips_work

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import numpy as np

    from benches.harness import PreparedRun

AWAITED = {100: 1_000, 1_000: 1_000, 10_000: 500, 100_000: 200}
"""Events per round, by the bytes of an event."""
AWAITING = ("jvmwire", "pravega of PyPI", "Java")
ROUNDS_OF_A_STORE = 22
"""Rounds per store, which leave 1.4 GB of the largest events in it."""
OURS = "bench/awaited/0"


@contextmanager
def awaiting(size: int, directory: Path) -> Iterator[Mapping[str, Rival]]:
    """Prepare the contenders that await each event, warm, on a new store."""
    count = AWAITED[size]
    with opened(size, directory) as stage, closing(Ours(stage.peer.store, OURS)) as our_process:
        pips_stream, pips = stage.stream("pip-awaited")
        javas_stream, javas = stage.stream("java-awaited")

        def ours(given: list[bytes]) -> PreparedRun:
            return our_process.work(given, growth(stage, OURS))

        await_each = f"await {javas_stream} {size} {count}"
        by_pip = partial(pips_work, stage, "await_each", pips_stream, pips)
        by_java = partial(javas_work, stage, await_each, count, javas)
        each: tuple[Rival, ...] = (ours, by_pip, by_java)
        for rival in each:
            rival([bytes(size)] * count).run()
        yield {name: at_rest(stage, rival) for name, rival in zip(AWAITING, each, strict=True)}


class Awaiting:
    """Contenders that await each event, on one store after the other."""

    def __init__(self, size: int, directory: Path) -> None:
        self._size = size
        self._directory = directory
        self._stack = ExitStack()
        self._rivals: Mapping[str, Rival] = {}
        self._rounds = 0

    def events(self, random: np.random.Generator) -> list[bytes]:
        """Make the events of the next round, on the next store if this one has had its rounds."""
        if self._rounds % ROUNDS_OF_A_STORE == 0:
            self._stack.close()
            directory = self._directory / str(self._rounds)
            directory.mkdir()
            self._rivals = self._stack.enter_context(awaiting(self._size, directory))
        self._rounds += 1
        return events(self._size, AWAITED[self._size], random)

    def rival(self, name: str) -> Rival:
        """Return the contender of that name, on the present store."""
        return lambda given: self._rivals[name](given)

    def close(self) -> None:
        """Close the last contenders, and their store."""
        self._stack.close()
