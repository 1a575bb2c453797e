"""Signals that end a command: it cleans up first, and then ends by the signal as it would have."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)
"""What a system, a service manager or a closed terminal ends a command by."""
CLEANUP_TIME: Final = 2.0
"""Seconds after Ctrl-C in which another one does not interrupt the cleaning up (chosen by
jvmwire). Later it does: what cleans up may hang."""


class _Terminated(SystemExit):
    """A signal came. asyncio and click let a `SystemExit` pass, whichever task it meets."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def clean_termination() -> Iterator[None]:
    """Let the signals that end a process raise an exception within the block, once.

    After the block Ctrl-C ends the process at once and silently: all is written, and what is left
    is the end of the interpreter.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # it is ignored under nohup
            signal.signal(number, _terminate)
    heeds_interrupts = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # it is after `&`
    if heeds_interrupts:
        signal.signal(signal.SIGINT, _Interrupts())
    try:
        yield
    except _Terminated as error:
        signal.signal(error.number, signal.SIG_DFL)
        os.kill(os.getpid(), error.number)
    finally:
        if heeds_interrupts:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


class _Interrupts:
    """Handler of SIGINT: raises `KeyboardInterrupt`, but not while the last one is cleaned up."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if now - self._last >= CLEANUP_TIME:
            self._last = now
            raise KeyboardInterrupt


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    for each in SIGNALS:  # another one does not interrupt the cleaning up
        if signal.getsignal(each) is _terminate:
            signal.signal(each, signal.SIG_IGN)
    raise _Terminated(number)
