"""Poll of many descriptors that another thread can wake up."""

from __future__ import annotations

import math
import select
import socket
from contextlib import suppress
from time import monotonic
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")


class Poller(Generic[KeyT]):
    """Descriptors, each polled for reading or writing, and a wakeup socket pair."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self.watched: dict[int, KeyT] = {}
        """Keys by polled descriptor."""
        self._wakeup_recv, self._wakeup_send = socket.socketpair()
        self._wakeup_recv.settimeout(0)
        self._wakeup_send.settimeout(0)
        self._wakeup_fd = self._wakeup_recv.fileno()
        self._poll.register(self._wakeup_fd, select.POLLIN)

    def watch(self, key: KeyT, read_fd: int, write_fd: int, *, writing: bool) -> None:
        """Poll `read_fd` for input and, if `writing`, `write_fd` for room."""
        self.watched[read_fd] = self.watched[write_fd] = key
        if read_fd == write_fd:
            self._poll.register(read_fd, select.POLLIN | (select.POLLOUT if writing else 0))
        else:
            self._poll.register(read_fd, select.POLLIN)
            if writing:
                self._poll.register(write_fd, select.POLLOUT)
            else:
                self._drop(write_fd)

    def forget(self, read_fd: int, write_fd: int) -> None:
        """Stop polling these descriptors."""
        for fd in {read_fd, write_fd}:
            # In this order: what is polled has a key, also if a signal's handler raises here.
            self._drop(fd)
            self.watched.pop(fd, None)

    def _drop(self, fd: int) -> None:
        with suppress(KeyError):
            self._poll.unregister(fd)

    def wait(self, until: float) -> list[tuple[int, int]]:
        """Return the ready descriptors, each with a mask of select's `POLL...` flags.

        `until` is a monotonic time. A descriptor without a key must be passed to `drain_wakeup`.
        One thread at a time may wait; other threads may call all other methods meanwhile. Their
        changes apply from the next wait on, so that they must `wake` the waiting thread.
        """
        wait_ms = None if until == math.inf else max(0.0, (until - monotonic()) * 1000)
        return self._poll.poll(wait_ms)

    def drain_wakeup(self, fd: int) -> None:
        """Read the wakeup bytes if `fd` is the wakeup socket."""
        if fd == self._wakeup_fd:
            self._wakeup_recv.recv(4096)

    def wake(self) -> None:
        """End the current wait, or else the next wait at once."""
        with suppress(OSError):  # full: a wakeup is pending; closed: no thread waits
            self._wakeup_send.send(b"\0")

    def close(self) -> None:
        """Close the wakeup sockets."""
        self._wakeup_recv.close()
        self._wakeup_send.close()


READABLE = select.POLLIN | select.POLLHUP | select.POLLERR | select.POLLNVAL
"""Mask of the events after which a read returns data, an end or an error."""
