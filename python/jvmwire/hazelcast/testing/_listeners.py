"""Listeners of clients."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast.testing._limits import MAX_LISTENERS, Budget, too_many, weight

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from jvmwire._core import HazelcastMessage
    from jvmwire.hazelcast.testing._calls import Call, Client
    from jvmwire.hazelcast.testing._members import DoubleMember


@dataclass(slots=True, eq=False)
class Registration:
    """One listener of a client, on one connection."""

    client: Client
    call_id: int
    local_only: bool
    """Whether it is sent only the events of the member that it is registered at."""
    wish: Any
    """What it wants to be sent, as its service defines it."""
    size: int

    def send(self, message: HazelcastMessage, *fields: Any) -> None:
        """Send an event.

        Args:
            message: The event's message.
            *fields: Its fields.
        """
        self.client.send(message, self.call_id, fields, event=True)


class Registrations:
    """All listeners, by the structure or the subject that they listen to.

    Args:
        budget: The limits of what the double holds.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._listeners: dict[Hashable, dict[str, Registration]] = {}
        self._count = 0

    def add(self, call: Call, subject: Hashable, *, local_only: bool, wish: Any = None) -> str:
        """Register a listener.

        Args:
            call: The request.
            subject: What it listens to.
            local_only: Whether it is sent only the events of the member of the call.
            wish: What it wants to be sent.

        Returns:
            The id of the registration.

        Raises:
            HazelcastError: there are too many.
        """
        if self._count >= MAX_LISTENERS:
            raise too_many(MAX_LISTENERS, "listeners")
        registration_id = str(uuid.uuid4())
        size = weight(call.fields)
        self._budget.take(0, size)
        listener = Registration(call.client, call.call_id, local_only, wish, size)
        self._listeners.setdefault(subject, {})[registration_id] = listener
        self._count += 1
        call.client.registrations.add((subject, registration_id))
        return registration_id

    def remove(self, subject: Hashable, registration_id: str) -> bool:
        """Remove a listener.

        Args:
            subject: What it listens to.
            registration_id: The id of the registration.

        Returns:
            Whether there was such a listener.
        """
        registered = self._listeners.get(subject, {})
        listener = registered.pop(registration_id, None)
        if listener is None:
            return False
        if not registered:
            del self._listeners[subject]
        self._count -= 1
        self._budget.give_back(0, listener.size)
        listener.client.registrations.discard((subject, registration_id))
        return True

    def remove_all_of(self, client: Client) -> None:
        """Remove the listeners of a connection.

        Args:
            client: The connection.
        """
        for subject, registration_id in list(client.registrations):
            self.remove(subject, registration_id)

    def remove_all_at(self, subject: Hashable) -> None:
        """Remove the listeners of a structure.

        Args:
            subject: The structure.
        """
        for registration_id in list(self._listeners.get(subject, {})):
            self.remove(subject, registration_id)

    def at(
        self,
        subject: Hashable,
        origin: DoubleMember | None,
        accepts: Callable[[Any], bool] | None = None,
    ) -> Iterator[Registration]:
        """Yield the listeners that an event is for.

        Args:
            subject: What they listen to.
            origin: The member at which it happened; None for all members.
            accepts: Whether a listener's wish is for it; None for all.

        Yields:
            The listeners.
        """
        for listener in list(self._listeners.get(subject, {}).values()):
            if listener.local_only and origin not in (None, listener.client.member):
                continue
            if accepts is None or accepts(listener.wish):
                yield listener

    def has(self, subject: Hashable) -> bool:
        """Return whether anyone listens to a subject.

        Args:
            subject: The subject.

        Returns:
            Whether there is a listener.
        """
        return subject in self._listeners
