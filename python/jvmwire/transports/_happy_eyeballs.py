"""Happy Eyeballs (RFC 8305): staggered connection attempts, of which the first to succeed wins."""

import errno
import os
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest

from jvmwire.errors import ConnectFailed
from jvmwire.transports._deadline import Deadline
from jvmwire.transports._fork_safety import (
    close_inherited,
    fork_lock,
    register_after_fork,
)
from jvmwire.transports._transport import address_text, os_error_message

ATTEMPT_DELAY = 0.25
"""Seconds before the next address is tried in parallel: RFC 8305, section 5."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address to try."""

    family: socket.AddressFamily
    address: tuple[str, int] | tuple[str, int, int, int]

    def __str__(self) -> str:
        return address_text(self.address) or str(self.address)


@dataclass(slots=True)
class ConnectAttempts:
    """The state of one connection race: addresses not tried yet, and failures so far."""

    endpoint: object
    waiting: deque[Candidate]
    open_socket: Callable[[Candidate], socket.socket]
    failures: list[str] = field(default_factory=list)

    def record_failure(self, candidate: Candidate, error: Exception) -> None:
        """Record that the attempt for `candidate` failed, with the reason."""
        self.failures.append(self._outcome(candidate, os_error_message(error)))

    def describe(self, candidates: Iterable[Candidate]) -> str:
        """Return a text with the outcome of each address after the deadline."""
        late = [self._outcome(candidate, "no answer") for candidate in candidates]
        not_tried = [self._outcome(candidate, "not tried") for candidate in self.waiting]
        return ", ".join(self.failures + late + not_tried)

    def error(self) -> ConnectFailed:
        """Return the error to raise after all addresses failed."""
        return ConnectFailed(f"cannot connect to {self.endpoint}: {', '.join(self.failures)}")

    def _outcome(self, candidate: Candidate, outcome: str) -> str:
        """Return what happened to one address, which an endpoint that is an address names."""
        address = str(candidate)
        return outcome if address == str(self.endpoint) else f"{address} ({outcome})"


def interleave_families(candidates: Iterable[Candidate]) -> deque[Candidate]:
    """Return the candidates with the address families interleaved: RFC 8305, section 4.

    The family of the first candidate comes first.
    """
    families: dict[socket.AddressFamily, list[Candidate]] = {}
    for candidate in candidates:
        families.setdefault(candidate.family, []).append(candidate)
    turns = zip_longest(*families.values())
    return deque(candidate for turn in turns for candidate in turn if candidate is not None)


def run(race: ConnectAttempts, deadline: Deadline) -> socket.socket:
    """Return the connected socket of the first address that accepts the connection."""
    attempts: dict[int, tuple[Candidate, socket.socket]] = {}
    poll = select.poll()
    next_start = 0.0
    try:
        while race.waiting or attempts:
            deadline.check(race.describe(candidate for candidate, _ in attempts.values()))
            if race.waiting and (not attempts or time.monotonic() >= next_start):
                candidate = race.waiting.popleft()
                try:
                    sock = _begin(race, candidate)
                except OSError as error:
                    race.record_failure(candidate, error)
                else:
                    attempts[sock.fileno()] = candidate, sock
                    poll.register(sock, select.POLLOUT)
                    next_start = time.monotonic() + ATTEMPT_DELAY
                continue
            for fd, _ in deadline.wait(poll, next_start if race.waiting else None):
                poll.unregister(fd)
                candidate, sock = attempts.pop(fd)
                try:
                    finish(sock)
                except OSError as error:
                    sock.close()
                    race.record_failure(candidate, error)
                    next_start = 0.0  # a failed attempt lets the next address start at once
                else:
                    return sock
    finally:
        for _, sock in attempts.values():
            sock.close()
    raise race.error()


def _begin(race: ConnectAttempts, candidate: Candidate) -> socket.socket:
    with fork_lock:
        sock = race.open_socket(candidate)
        register_after_fork(sock, close_inherited)
    try:
        with suppress(BlockingIOError):
            sock.connect(candidate.address)
    except BaseException:
        sock.close()
        raise
    return sock


def finish(sock: socket.socket) -> None:
    """Raise an `OSError` if a connection attempt that has ended has failed."""
    if code := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        raise OSError(code, os.strerror(code))
    # A self-connection: the kernel chose the target port of this machine, where no server listens,
    # as the local port.
    if sock.getsockname() == sock.getpeername():
        raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
