"""What becomes of drivers when their process forks or ends."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING, NoReturn, Protocol

from jvmwire.errors import LocalProtocolError

if TYPE_CHECKING:
    from jvmwire._runtime.operations import AnyOperation


class ProcessBound(Protocol):
    """Something that must not outlive its process, nor be used in a fork of it."""

    def invalidate_after_fork(self) -> None:
        """Become useless, in a forked child: touch no lock, write nothing."""

    def close_at_exit(self) -> None:
        """End in time for the interpreter's exit."""


_living: weakref.WeakSet[ProcessBound] = weakref.WeakSet()


def register(driver: ProcessBound) -> None:
    """Tell `driver` of forks and of the interpreter's exit."""
    _living.add(driver)


def unregister(driver: ProcessBound) -> None:
    """Tell it no more."""
    _living.discard(driver)


def stop_accepting(operation: AnyOperation) -> NoReturn:
    """Refuse what an orphaned driver is asked to do."""
    operation.close()
    raise LocalProtocolError("this client belongs to the parent process: make a new one")


def _invalidate_all() -> None:
    for driver in list(_living):
        driver.invalidate_after_fork()
    _living.clear()


@atexit.register
def _close_all() -> None:
    for driver in list(_living):
        driver.close_at_exit()


os.register_at_fork(after_in_child=_invalidate_all)
