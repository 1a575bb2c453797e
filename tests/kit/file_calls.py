"""Interruption of work at each file-system call, by an error or the end of the process."""

import errno
import fcntl
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Literal
from unittest import mock

from jvmwire.errors import JvmWireError

from .forked import forked

When = Literal["before", "after"]

CALLS = (
    "open", "fdopen", "replace", "rename", "link", "unlink", "rmdir", "mkdir", "fsync", "fchmod",
    "fchown", "ftruncate", "close", "stat", "lstat", "listdir", "scandir",
)  # fmt: skip
"""Functions of `os` that count as steps (pathlib and shutil use them too), besides writes."""


class Steps:
    """Counter of calls that stops at one of them."""

    def __init__(self, number: int, when: When, stop: Callable[[], None]) -> None:
        self.reached = 0
        self.armed = True
        self._number = number
        self._when = when
        self._stop = stop

    def of(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return `call` wrapped as a step."""

        def step(*arguments: Any, **named: Any) -> Any:
            if not self.armed:
                return call(*arguments, **named)
            self.reached += 1
            is_it = self.reached == self._number
            if is_it and self._when == "before":
                self._stop()
            result = call(*arguments, **named)
            if is_it and self._when == "after":
                self._stop()
            return result

        return step


@contextmanager
def stopping(number: int, when: When, stop: Callable[[], None]) -> Iterator[Steps]:
    """Have `stop` called before or after the call of this number."""
    steps = Steps(number, when, stop)

    class Raw(io.FileIO):
        write = steps.of(io.FileIO.write)

    fdopen = os.fdopen

    def opened(descriptor: int, mode: str = "r", buffering: int = -1) -> Any:
        if mode == "wb":
            return io.BufferedWriter(Raw(descriptor, "w"))
        return fdopen(descriptor, mode, buffering)

    patches = [mock.patch.object(os, name, steps.of(getattr(os, name))) for name in CALLS]
    patches[CALLS.index("fdopen")] = mock.patch.object(os, "fdopen", steps.of(opened))
    patches.append(mock.patch.object(fcntl, "flock", steps.of(fcntl.flock)))
    for patch in patches:
        patch.start()
    try:
        yield steps
    finally:
        steps.armed = False
        for patch in patches:
            patch.stop()


def _interrupt() -> None:
    raise KeyboardInterrupt


def _fail() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at_each_call(act: Callable[[], object]) -> Iterator[None]:
    """Run `act` repeatedly in a child process that is killed at each of its calls in turn.

    Control returns after each kill, and the generator ends after the first child that runs to its
    end.
    """
    for when in ("before", "after"):
        for number in count(1):

            def child(number: int = number, when: When = when) -> bool:
                with stopping(number, when, _kill):
                    act()
                return True

            _, status = os.waitpid(forked(child), 0)
            yield
            code = os.waitstatus_to_exitcode(status)
            if code == 0:
                break
            assert code == -signal.SIGKILL


def failing_at_each_call(act: Callable[[], object]) -> Iterator[None]:
    """Run `act` repeatedly in this process, with an error at each of its calls in turn.

    The error is one of the disk before a call, and Ctrl-C after it. Control returns each time.
    """
    for when, stop in (("before", _fail), ("after", _interrupt)):
        for number in count(1):
            steps = None
            try:
                with stopping(number, when, stop) as steps:  # type: ignore[arg-type]
                    act()
            except (OSError, KeyboardInterrupt, JvmWireError):
                yield
            else:
                if steps.reached < number:
                    break
                yield  # the call had no effect on the result
