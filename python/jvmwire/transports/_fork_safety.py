"""Fork handlers that detach a forked child from the connections of its parent."""

from __future__ import annotations

import os
import threading
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import io
    import socket
    from collections.abc import Callable

T = TypeVar("T")

_acts: weakref.WeakKeyDictionary[Any, Callable[[Any], object]] = weakref.WeakKeyDictionary()


fork_lock = threading.RLock()
"""Lock that delays `os.fork` of other threads until a new resource is passed to
`register_after_fork`."""


def register_after_fork(copied: T, act: Callable[[T], object]) -> None:
    """Register `act(copied)` to run in each forked child while `copied` is alive.

    `act` must take no lock and write nothing: the state that other threads hold is as the fork
    found it.
    """
    _acts[copied] = act


def close_inherited(copy: socket.socket | io.FileIO) -> None:
    """Close a forked child's copy of a descriptor without affecting the parent's connection."""
    # Redirected first, since `close` may change state that both processes share: whether a pipe
    # blocks.
    redirect_to_devnull(copy)
    with suppress(OSError):
        copy.close()


def redirect_to_devnull(copy: socket.socket | io.FileIO) -> None:
    """Redirect a forked child's copy of a descriptor, which an event loop watches, to `/dev/null`.

    The copy stays open because the event loop still refers to it: the loop may close, write to or
    unregister the descriptor, and its epoll set is shared with the parent.
    """
    with suppress(OSError, ValueError):  # the descriptor is closed already
        null_device = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.dup2(null_device, copy.fileno(), inheritable=False)
        finally:
            os.close(null_device)


def _act() -> None:
    try:
        for copied, act in list(_acts.items()):
            act(copied)
        _acts.clear()
    finally:
        fork_lock.release()


os.register_at_fork(
    before=fork_lock.acquire, after_in_parent=fork_lock.release, after_in_child=_act
)
