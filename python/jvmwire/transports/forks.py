"""A forked child has copies of its parent's connections, and here it loses them."""

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


no_fork = threading.RLock()
"""Held while something is made that `in_child` is not told of yet: no thread forks meanwhile."""


def in_child(copied: T, act: Callable[[T], object]) -> None:
    """Have each forked child `act` on its copy of what this process owns, until that is forgotten.

    It may take no lock and write nothing: what other threads hold and do is as the fork found it.
    """
    _acts[copied] = act


def leave(copy: socket.socket | io.FileIO) -> None:
    """Close a copy that nobody in the child watches; the connection is the parent's."""
    # First, as closing may change what both processes see: whether a pipe blocks.
    lead_nowhere(copy)
    with suppress(OSError):
        copy.close()


def lead_nowhere(copy: socket.socket | io.FileIO) -> None:
    """Have a copy that a loop watches lead nowhere; the connection is the parent's.

    It stays open, as what the loop knows of it does: that may close it, write to it or stop to
    watch it yet, and what it watches by epoll it shares with the parent.
    """
    with suppress(OSError, ValueError):  # it is closed already
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.dup2(nowhere, copy.fileno(), inheritable=False)
        finally:
            os.close(nowhere)


def _act() -> None:
    try:
        for copied, act in list(_acts.items()):
            act(copied)
        _acts.clear()
    finally:
        no_fork.release()


os.register_at_fork(before=no_fork.acquire, after_in_parent=no_fork.release, after_in_child=_act)
