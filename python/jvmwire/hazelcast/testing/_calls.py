"""Calls of clients, and those of them that wait."""

from __future__ import annotations

import itertools
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from jvmwire.hazelcast.testing._limits import MAX_WAITING, Budget, too_many, weight

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jvmwire._core import HazelcastMessage
    from jvmwire.hazelcast.errors import HazelcastError
    from jvmwire.hazelcast.testing._members import DoubleMember
    from jvmwire.hazelcast.testing._timers import Timer, Timers


class Client(Protocol):
    """Connection of a client to a member."""

    member: DoubleMember
    uuid: str
    """UUID of the client; empty before it is authenticated."""
    parked: set[ParkedCall]
    """The calls of this connection that wait."""
    registrations: set[tuple[Hashable, str]]
    """The listeners of this connection: where they are registered, and their ids."""

    def send(
        self, message: HazelcastMessage, call_id: int, fields: tuple[Any, ...], *, event: bool
    ) -> None:
        """Send a response or an event.

        Args:
            message: The message.
            call_id: Correlation id of the request.
            fields: The fields of the message.
            event: Whether it is an event.
        """

    def refuse(self, call_id: int, error: HazelcastError) -> None:
        """Send an exception.

        Args:
            call_id: Correlation id of the request.
            error: The exception.
        """


@dataclass(slots=True, eq=False)
class Call:
    """A request of a client."""

    client: Client
    message: HazelcastMessage
    call_id: int
    fields: tuple[Any, ...] = field(repr=False)

    @property
    def owner(self) -> str:
        """UUID of the client, which owns locks and permits."""
        return self.client.uuid


class Wait(Exception):
    """The call cannot be executed yet: it is tried again when its key is notified.

    Args:
        key: What it waits for.
        timeout: Milliseconds that it waits; below 0 it waits for ever.
        expired: Its result if that time is over; an exception is raised.
    """

    def __init__(self, key: Hashable, timeout: int, expired: object) -> None:
        super().__init__(key)
        self.key, self.timeout, self.expired = key, timeout, expired


@dataclass(slots=True, eq=False)
class ParkedCall:
    """A call that waits."""

    call: Call
    key: Hashable
    expired: object
    size: int
    timer: Timer | None = None


class WaitingCalls:
    """The calls that wait, by what they wait for, in the order in which they came.

    Args:
        timers: The timers of the double.
        budget: The limits of what it holds.
        run: Executes a call again; returns whether it must wait still.
        expire: Answers a call whose time is over.
    """

    def __init__(
        self,
        timers: Timers,
        budget: Budget,
        run: Callable[[Call], bool],
        expire: Callable[[Call, object], None],
    ) -> None:
        self._timers, self._budget, self._run, self._expire = timers, budget, run, expire
        self._parked: dict[Hashable, OrderedDict[int, ParkedCall]] = {}
        self._places: dict[ParkedCall, int] = {}
        self._numbers = itertools.count()
        self._notified: deque[Hashable] = deque()
        self._is_waking = False

    def park(self, call: Call, wait: Wait, now: int) -> None:
        """Let a call wait.

        Args:
            call: The call.
            wait: What it waits for, and how long.
            now: The time.

        Raises:
            HazelcastError: too many calls wait, or too large ones.
        """
        if len(self._places) >= MAX_WAITING:
            raise too_many(MAX_WAITING, "waiting calls")
        parked = ParkedCall(call, wait.key, wait.expired, weight(call.fields))
        self._budget.take(0, parked.size)
        if wait.timeout >= 0:
            parked.timer = self._timers.at(now + wait.timeout, lambda: self._time_out(parked))
        number = self._places[parked] = next(self._numbers)
        self._parked.setdefault(wait.key, OrderedDict())[number] = parked
        call.client.parked.add(parked)

    def notify(self, key: Hashable) -> None:
        """Let the calls that wait for something be tried again, by the next `wake`.

        Args:
            key: What they wait for.
        """
        if key in self._parked:
            self._notified.append(key)

    def wake(self) -> None:
        """Try the calls that were notified, each kind up to the first that must wait still."""
        if self._is_waking:
            return
        self._is_waking = True
        try:
            while self._notified:
                key = self._notified.popleft()
                while waiting := self._parked.get(key):
                    parked = next(iter(waiting.values()))
                    if self._run(parked.call):
                        break
                    self.remove(parked)
        finally:
            self._is_waking = False

    def end(self, key: Hashable, error: HazelcastError) -> None:
        """Answer all calls that wait for something with an error.

        Args:
            key: What they wait for.
            error: The error.
        """
        for parked in list(self._parked.get(key, {}).values()):
            self.remove(parked)
            self._expire(parked.call, error)

    def remove(self, parked: ParkedCall) -> None:
        """Forget a call.

        Args:
            parked: The call.
        """
        number = self._places.pop(parked, None)
        if number is None:
            return
        self._budget.give_back(0, parked.size)
        waiting = self._parked[parked.key]
        del waiting[number]
        if not waiting:
            del self._parked[parked.key]
        if parked.timer is not None:
            parked.timer.cancel()
        parked.call.client.parked.discard(parked)

    def _time_out(self, parked: ParkedCall) -> None:
        self.remove(parked)
        self._expire(parked.call, parked.expired)
        self.notify(parked.key)  # those behind it may have a smaller wish
