"""Waits for many transports at once, or to be woken by another thread."""

from __future__ import annotations

import math
import select
import socket
from contextlib import suppress
from time import monotonic
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")


class Poller(Generic[KeyT]):
    """Descriptors, each watched for reading or for writing, and a bell."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self.watched: dict[int, KeyT] = {}
        """Who is watched, by descriptor."""
        self._wakeup_recv, self._wakeup_send = socket.socketpair()
        self._wakeup_recv.settimeout(0)
        self._wakeup_send.settimeout(0)
        self._wakeup_fd = self._wakeup_recv.fileno()
        self._poll.register(self._wakeup_fd, select.POLLIN)

    def watch(self, key: KeyT, read_fd: int, write_fd: int, *, writing: bool) -> None:
        """Watch `read_fd` for something to read and, if `writing`, `write_fd` for room."""
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
        """Watch these no more."""
        for fd in {read_fd, write_fd}:
            self.watched.pop(fd, None)
            self._drop(fd)

    def _drop(self, fd: int) -> None:
        with suppress(KeyError):
            self._poll.unregister(fd)

    def wait(self, until: float) -> list[tuple[int, int]]:
        """Return descriptors that are ready, and for what: a mask of select's `POLL...`.

        `until` is monotonic. One that nobody is watched by is for `drain_wakeup`. One thread at a time may
        wait; the others may meanwhile do all else. What they change in what is watched counts from
        the next wait on, so they `wake` who waits.
        """
        wait_ms = None if until == math.inf else max(0.0, (until - monotonic()) * 1000)
        return self._poll.poll(wait_ms)

    def drain_wakeup(self, fd: int) -> None:
        """Let the bell be heard once, if it is that which was ready."""
        if fd == self._wakeup_fd:
            self._wakeup_recv.recv(4096)

    def wake(self) -> None:
        """End the present wait, or the next one at once."""
        with suppress(OSError):  # full: it rings already; closed: nobody waits
            self._wakeup_send.send(b"\0")

    def close(self) -> None:
        """Give the bell back."""
        self._wakeup_recv.close()
        self._wakeup_send.close()


READABLE = select.POLLIN | select.POLLHUP | select.POLLERR | select.POLLNVAL
"""The masks of `wait` after which a read tells more: data, an end, or an error."""
