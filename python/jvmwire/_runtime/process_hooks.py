"""Hooks that invalidate drivers in a forked child and close them when the process exits."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING, NoReturn, Protocol

from jvmwire.errors import WrongProcess

if TYPE_CHECKING:
    from jvmwire._runtime.operations import AnyOperation


class ProcessBound(Protocol):
    """Object that must not outlive its process, nor be used in a forked child."""

    def invalidate_after_fork(self) -> None:
        """Refuse all use, in a forked child: take no lock, write nothing."""

    def close_at_exit(self) -> None:
        """Close before the interpreter exits."""


_living: weakref.WeakSet[ProcessBound] = weakref.WeakSet()


def register(driver: ProcessBound) -> None:
    """Notify `driver` of forks and of the interpreter's exit."""
    _living.add(driver)


def unregister(driver: ProcessBound) -> None:
    """Stop notifying `driver`."""
    _living.discard(driver)


def refuse(operation: AnyOperation) -> NoReturn:
    """Raise the error of a driver that belongs to the parent process."""
    operation.close()
    raise WrongProcess(
        "this client belongs to the parent process: create a new one in this process"
    )


def _invalidate_all() -> None:
    for driver in list(_living):
        driver.invalidate_after_fork()
    _living.clear()


@atexit.register
def _close_all() -> None:
    for driver in list(_living):
        driver.close_at_exit()


os.register_at_fork(after_in_child=_invalidate_all)
