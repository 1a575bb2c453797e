"""Contenders that decode in separate processes, so that the memory of each is independent.

CPython returns the memory of small objects as soon as a block of 1 MiB of it is free, and a single
remaining object keeps such a block. In a shared process, the cost of memory for a contender would
depend on the memory that the others and the duel itself had left.
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
    """Function that decodes a chunk to an object."""
    ToList = Callable[[Any], list[bytes]]
    """Function that converts that object to a list of payloads."""

WORKER_TIMEOUT = 60.0
"""Maximum seconds of any call in a separate process."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of glibc's mallopt, from its malloc.h."""


def keep_memory() -> None:
    """Make glibc keep freed memory, up to 1 GiB: as far as it can, in blocks of up to 32 MiB.

    Otherwise it returns memory at times, and the next contender pays by chance for fresh pages.
    """
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(M_TRIM_THRESHOLD, 1 << 30)
        mallopt(M_MMAP_THRESHOLD, 32 << 20)


class Worker:
    """Process that only executes the calls sent to it."""

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))

    def do(self, what: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Call a function of a module in the process; return its result."""
        return self._pool.submit(what, *given, **named).result(WORKER_TIMEOUT)

    def close(self) -> None:
        """End the process."""
        self._pool.shutdown()


class IsolatedDecoder(Worker):
    """Process of one contender; `decode` and `to_list` are functions of a module.

    Before a round it decodes the chunk of the last one again and drops the result: as in a stream
    of chunks, in which each is processed before the next is decoded.
    """

    def __init__(self, decode: Decode, to_list: ToList) -> None:
        super().__init__()
        self.do(_Competitor.begin, decode, to_list)

    def work(self, chunk: bytes, amount: float) -> PreparedRun:
        """Prepare to decode a chunk."""
        self.do(_Competitor.prepare, chunk, amount)
        return PreparedRun(lambda: self.do(_Competitor.run), lambda: self.do(_Competitor.result))


class _Competitor:
    """State of the contender's process."""

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
