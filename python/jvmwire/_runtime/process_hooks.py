"""What becomes of drivers when their process forks or ends."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING, NoReturn, Protocol

from jvmwire.errors import LocalProtocolError

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Running


class Mortal(Protocol):
    """Something that must not outlive its process, nor be used in a fork of it."""

    def orphan(self) -> None:
        """Become useless, in a forked child: touch no lock, write nothing."""

    def close_at_exit(self) -> None:
        """End in time for the interpreter's exit."""


_living: weakref.WeakSet[Mortal] = weakref.WeakSet()


def remember(driver: Mortal) -> None:
    """Tell `driver` of forks and of the interpreter's exit."""
    _living.add(driver)


def forget(driver: Mortal) -> None:
    """Tell it no more."""
    _living.discard(driver)


def refuse(operation: Running) -> NoReturn:
    """Refuse what an orphaned driver is asked to do."""
    operation.close()
    raise LocalProtocolError("this client belongs to the parent process: make a new one")


def _orphan_all() -> None:
    for driver in list(_living):
        driver.orphan()
    _living.clear()


@atexit.register
def _close_all() -> None:
    for driver in list(_living):
        driver.close_at_exit()


os.register_at_fork(after_in_child=_orphan_all)
