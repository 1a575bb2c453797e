"""Signals that end a command: cleanup first, then the end that the signal would have caused."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)
"""The signals by which a system, a service manager or a closed terminal ends a command."""
CLEANUP_TIME: Final = 2.0
"""Seconds after Ctrl-C in which another one does not interrupt the cleanup (chosen by jvmwire).
After that it does, since the cleanup may hang."""


def tell_listening(to: str) -> None:
    """Print to standard error that the command listens, and how it ends.

    It is printed once what the server delivers from now on will be seen, so that a program which
    started the command knows.

    Args:
        to: What the command listens to, such as `map 'orders'`.
    """
    from jvmwire._cli.tabular import warn  # few commands listen

    warn(f"listening to {to}, Ctrl-C ends")


@contextmanager
def deferred_termination() -> Iterator[None]:
    """Let no signal interrupt the block, so that a record which it writes is whole.

    A signal that arrives within the block takes effect at its end. Only for what does not wait: a
    file takes bytes at once, while the reader of a pipe may never take them.
    """
    _deferred.is_active = True
    try:
        yield
    finally:
        _deferred.is_active = False
        number, _deferred.signal = _deferred.signal, None
        if number is not None:
            signal.raise_signal(number)


class _Deferred:
    """The signal that waits for the end of `deferred_termination`."""

    def __init__(self) -> None:
        self.is_active = False
        self.signal: int | None = None

    def takes(self, number: int) -> bool:
        """Return whether a signal has to wait, and note that it does.

        Args:
            number: Number of the signal.
        """
        if self.is_active:
            self.signal = number
        return self.is_active


_deferred: Final = _Deferred()


class _Terminated(SystemExit):
    """Exception for a signal; asyncio and click let a `SystemExit` pass through any task."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def clean_termination() -> Iterator[None]:
    """Raise an exception within the block, once, for a signal that ends the process.

    After the block Ctrl-C ends the process at once and silently: all output is written, and only
    the shutdown of the interpreter is left.
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
    """Handler of SIGINT that raises `KeyboardInterrupt`, except during the cleanup after it."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        if _deferred.takes(number):
            return
        now = time.monotonic()
        if now - self._last >= CLEANUP_TIME:
            self._last = now
            raise KeyboardInterrupt


def _terminate(number: int, _frame: FrameType | None) -> None:
    if _deferred.takes(number):
        return
    for each in SIGNALS:  # another signal must not interrupt the cleanup
        if signal.getsignal(each) is _terminate:
            signal.signal(each, signal.SIG_IGN)
    raise _Terminated(number)
