"""Listener service of a client: one id per listener for its registrations on all members."""

from __future__ import annotations

import itertools
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import Call, Cancel, Listen, Sleep
from jvmwire.errors import JvmWireError
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast.errors import HazelcastError, MemberLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import HazelcastMessage
    from jvmwire._runtime.operations import Connection, Mailbox, Operation, Task
    from jvmwire.hazelcast._options import HazelcastOptions

CLEANUP_INTERVAL = 1.0
"""Seconds between two removals of abandoned listeners. (Chosen by jvmwire.)"""

REGISTRATION_POLL_INTERVAL = 0.01
"""Seconds between two checks of a registration by a concurrent task. (Chosen by jvmwire.)"""

Kept = set[tuple[str, "Connection"]]
"""Ids of registrations, and connections that they are on."""

_log = get_logger("jvmwire.connection")
_ids = itertools.count(1)


def next_event_id() -> int:
    """Return a correlation id for a registration: below zero, where no call counts."""
    return -next(_ids)


@dataclass(eq=False, slots=True)
class Registration:
    """A listener and the connections on which it is registered."""

    add: HazelcastMessage
    fields: tuple[Any, ...]
    """Fields of `add` except `local_only`, which is the last field where the message has it."""
    remove: HazelcastMessage | None
    remove_fields: tuple[Any, ...]
    """Fields of `remove` except the registration id, which is the last field."""
    mailbox: Mailbox
    structure: tuple[str, str] | None = None
    """Service and name, if members drop the registration when that structure is destroyed."""
    registered: Callable[[], None] | None = None
    """Function called when a member has registered the listener: it sends no earlier events."""
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Id in this client, which `remove_listener` takes."""
    on: dict[Connection, tuple[int, str] | None] = field(default_factory=dict)
    """Correlation id and the member's registration id per connection; None until answered."""

    def request_fields(self, *, local_only: bool) -> tuple[Any, ...]:
        """Return the fields of `add` for one member."""
        if len(self.fields) < self.add.required:
            return (*self.fields, local_only)
        return self.fields


class ListenerService:
    """The listeners of a client, on all connections where that is needed."""

    def __init__(self, options: HazelcastOptions, posts: Callable[[], list[Connection]]) -> None:
        self._options = options
        # Gives the connections to listen on, as they are now.
        self._posts = posts
        self._registrations: dict[str, Registration] = {}
        self._local: dict[str, tuple[Mailbox, Task | None]] = {}
        self._removed: list[Registration] = []

    def register(self, registration: Registration) -> Operation[str]:
        """Register a listener on all members where needed; return its id in this client."""
        self._registrations[registration.id] = registration
        try:
            for connection in self._posts():
                yield from self._register(registration, connection)
        except BaseException:
            self.remove_later(registration)
            raise
        return registration.id

    def register_locally(self, mailbox: Mailbox, producer_task: Task | None = None) -> str:
        """Register a listener of client-side events, with its feeder task; return its id."""
        key = str(uuid.uuid4())
        self._local[key] = mailbox, producer_task
        return key

    def register_all(self, connection: Connection) -> Operation[None]:
        """Register all listeners on a new connection, where that is needed."""
        if connection not in self._posts():
            return
        for registration in list(self._registrations.values()):
            try:
                yield from self._register(registration, connection)
            except HazelcastError as error:  # the others are listened to all the same
                at, what = connection.endpoint, registration.add.name
                _log.warning("%s refuses %s, which was listened to: %s", at, what, error)

    def forget(self, connection: Connection) -> None:
        """Drop all registrations of a lost connection."""
        for registration in self._registrations.values():
            registration.on.pop(connection, None)

    def _register(self, registration: Registration, connection: Connection) -> Operation[None]:
        while connection in registration.on:
            if registration.on[connection] is not None:
                return
            yield Sleep(REGISTRATION_POLL_INTERVAL)  # another is about it, and may be refused
        registration.on[connection] = None
        fields = registration.request_fields(local_only=self._options.smart)
        request = Request(registration.add, fields, idempotent=True)
        try:
            event_id, [member_id] = yield from subscribe(
                connection,
                request,
                registration.mailbox,
                self._options.retry_pause,
                on_abandoned_reply=lambda answered: self._undo(registration, connection, answered),
            )
        except BaseException as error:
            registration.on.pop(connection, None)
            if connection.alive or not isinstance(error, JvmWireError):
                raise
            return  # whoever replaces the connection will be asked
        if registration.registered is not None:
            registration.registered()
        if registration.id in self._registrations:
            registration.on[connection] = (event_id, member_id)
        else:
            yield from self._unregister(registration, connection, event_id, member_id)

    def remove(self, registration_id: str) -> Operation[bool]:
        """Remove a listener; return whether the id was registered."""
        if (local := self._local.pop(registration_id, None)) is not None:
            mailbox, producer_task = local
            mailbox.end()
            if producer_task is not None:
                yield Cancel(producer_task)
            return True
        registration = self._registrations.pop(registration_id, None)
        if registration is None:
            return False
        registration.mailbox.end()
        try:
            yield from self._unregister_all(registration)
        except BaseException:
            self._removed.append(registration)  # the rest of it soon
            raise
        return True

    def remove_later(self, registration: Registration) -> None:
        """Remove a listener in the background, for callers that must not wait."""
        if self._registrations.pop(registration.id, None) is not None:
            registration.mailbox.end()
            self._removed.append(registration)

    def cleanup_loop(self) -> Operation[None]:
        """Remove abandoned registrations from members."""
        while True:
            yield Sleep(CLEANUP_INTERVAL)
            while self._removed:
                yield from self._unregister_all(self._removed.pop())

    def structures(self) -> set[tuple[str, str]]:
        """Return the structures that have listeners."""
        registrations = self._registrations.values()
        return {one.structure for one in registrations if one.structure is not None}

    def renew(self, structure: tuple[str, str], only: Kept | None) -> Operation[Kept]:
        """Register the listeners of a structure again, or those of `only`.

        Returns:
            Those that the member still had: they may be dropped yet.
        """
        kept: Kept = set()
        for registration in list(self._registrations.values()):
            if registration.structure != structure:
                continue
            for connection, known in list(registration.on.items()):
                if known is None or (
                    only is not None and (registration.id, connection) not in only
                ):
                    continue
                # In this order: a registration that the member no longer has was dropped with all
                # others, and what is registered after that was found out stays.
                del registration.on[connection]
                try:
                    if (yield from self._unregister(registration, connection, *known)):
                        kept.add((registration.id, connection))
                    yield from self._register(registration, connection)
                except BaseException:
                    registration.on.setdefault(connection, known)
                    raise
        return kept

    def _unregister_all(self, registration: Registration) -> Operation[None]:
        for connection, known in list(registration.on.items()):
            if known is not None:
                yield from self._unregister(registration, connection, *known)
                registration.on.pop(connection, None)

    def _undo(
        self, registration: Registration, connection: Connection, answered: object
    ) -> Operation[None]:
        """Remove a registration whose caller had stopped waiting when the member answered."""
        if registration.id in self._registrations:
            self.remove_later(registration)
            return
        if registration.remove is None or not isinstance(answered, (list, tuple)):
            return
        request = Request(
            registration.remove, (*registration.remove_fields, *answered), idempotent=True
        )
        try:
            yield Call(connection, request)
        except JvmWireError as error:
            _log.debug("a listener was not removed from %s: %s", connection.endpoint, error)

    def _unregister(
        self, registration: Registration, connection: Connection, event_id: int, member_id: str
    ) -> Operation[bool]:
        """Remove a registration from a member; return whether the member had it."""
        yield Listen(connection, event_id, None)
        if registration.remove is None:
            return False
        fields = (*registration.remove_fields, member_id)
        try:
            found = yield Call(connection, Request(registration.remove, fields, idempotent=True))
        except JvmWireError as error:
            if connection.alive and not isinstance(error, HazelcastError):
                raise  # the caller has no more time
            _log.debug("a listener was not removed from %s: %s", connection.endpoint, error)
            return False
        return bool(found and found[0])


def subscribe(
    connection: Connection,
    request: Request,
    mailbox: Mailbox,
    pause: float,
    *,
    on_abandoned_reply: Callable[[Any], Operation[Any]] | None = None,
) -> Operation[tuple[int, tuple[Any, ...]]]:
    """Register for events of a member, which go to `mailbox`; return their id and the response.

    A member that has just lost another may refuse, although it has kept the registration: each
    attempt has its own id, so that events of a refused one are dropped. Attempts are `pause`
    seconds apart. `on_abandoned_reply` undoes a response that arrives when the caller has stopped
    waiting.
    """
    while True:
        event_id = next_event_id()
        yield Listen(connection, event_id, mailbox)
        try:
            return event_id, (
                yield Call(connection, request, event_id, on_abandoned_reply=on_abandoned_reply)
            )
        except BaseException as error:
            # Not by an instruction: a cancelled operation may yield none.
            connection.listeners.pop(event_id, None)
            if not (_is_transient(error)):
                raise
            _log.debug("%s refuses %s for now: %s", connection.endpoint, request, error)
        yield Sleep(pause)


def _is_transient(error: BaseException) -> bool:
    return isinstance(error, HazelcastError) and (error.retryable or isinstance(error, MemberLost))
