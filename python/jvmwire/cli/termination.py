"""Signals that end a command: it cleans up first, and then ends by the signal as it would have."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
"""What a system, a service manager or a closed terminal ends a command by."""


class _Terminated(SystemExit):
    """A signal came. asyncio and click let a `SystemExit` pass, whichever task it meets."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def clean_termination() -> Iterator[None]:
    """Let the signals that end a process raise an exception within the block, once."""
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # it is ignored under nohup
            signal.signal(number, _terminate)
    try:
        yield
    except _Terminated as error:
        signal.signal(error.number, signal.SIG_DFL)
        os.kill(os.getpid(), error.number)


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    for each in SIGNALS:  # another one does not interrupt the cleaning up
        if signal.getsignal(each) is _terminate:
            signal.signal(each, signal.SIG_IGN)
    raise _Terminated(number)
