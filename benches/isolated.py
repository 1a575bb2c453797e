"""Contenders that decode in processes of their own, so that each has its memory for itself.

What CPython takes for small objects it gives back as soon as a block of 1 MiB of it is free, and a
single object that stays keeps such a block. In one process a contender would find memory cheap or
dear by what the others and the duel itself had left in it.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, ClassVar

from benches.harness import Measurement, PreparedRun, in_process

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")
    Decode = Callable[[bytes], Any]
    """Makes an object of a chunk."""
    ToList = Callable[[Any], list[bytes]]
    """Makes a list of payloads of that."""

WORKER_TIMEOUT = 60.0
"""Seconds that anything may take in a process apart."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of glibc's mallopt, from its malloc.h."""


def keep_memory() -> None:
    """Have glibc keep what was freed, up to 1 GiB: as far as it can, in blocks of up to 32 MiB.

    Else it gives memory back at times, and whoever is next pays for fresh pages, by chance.
    """
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(M_TRIM_THRESHOLD, 1 << 30)
        mallopt(M_MMAP_THRESHOLD, 32 << 20)


class Worker:
    """A process that does what it is told, and nothing else."""

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))

    def do(self, what: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Have it call a function of a module; return what that returns."""
        return self._pool.submit(what, *given, **named).result(WORKER_TIMEOUT)

    def close(self) -> None:
        """End it."""
        self._pool.shutdown()


class IsolatedDecoder(Worker):
    """One contender's process; `decode` and `to_list` are functions of a module.

    Before a round it decodes the chunk of the last one again and drops what came of it: as in a
    stream of chunks, of which one is done with before the next is decoded.
    """

    def __init__(self, decode: Decode, to_list: ToList) -> None:
        super().__init__()
        self.do(_Competitor.begin, decode, to_list)

    def work(self, chunk: bytes, amount: float) -> PreparedRun:
        """Have it get ready to decode a chunk."""
        self.do(_Competitor.prepare, chunk, amount)
        return PreparedRun(lambda: self.do(_Competitor.run), lambda: self.do(_Competitor.result))


class _Competitor:
    """What the process has."""

    decode: ClassVar[Decode]
    to_list: ClassVar[ToList]
    ready: ClassVar[PreparedRun]
    last: ClassVar[bytes] = b""
    """The chunk of the round before."""

    @classmethod
    def begin(cls, decode: Decode, to_list: ToList) -> None:
        keep_memory()
        cls.decode, cls.to_list = staticmethod(decode), staticmethod(to_list)

    @classmethod
    def prepare(cls, chunk: bytes, amount: float) -> None:
        cls.ready = in_process(lambda: cls.decode(chunk), amount, result=cls.to_list)
        cls.decode(cls.last)
        cls.last = chunk
        gc.collect()

    @classmethod
    def run(cls) -> Measurement:
        return cls.ready.run()

    @classmethod
    def result(cls) -> object:
        made = cls.ready.result()
        del cls.ready
        return made
