"""Base classes of the proxies of a cluster's data structures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import Caller, operation
from jvmwire._times import to_seconds
from jvmwire.hazelcast._arguments import NULL, no_none, text
from jvmwire.hazelcast._commands import NO_PARTITION, Key, Request
from jvmwire.hazelcast._listener_service import Registration
from jvmwire.hazelcast._proxies.entries import EntryEvent, EntryEventType
from jvmwire.hazelcast._proxies.thread_identity import CallerIdentity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import timedelta

    from jvmwire._runtime.operations import Mailbox, Operation
    from jvmwire.hazelcast._cluster import Cluster

_DESTROY = HazelcastMessage.named("Client.destroyProxy")

MAX_MILLIS = (1 << 63) - 1
"""Milliseconds that mean no limit: `Long.MAX_VALUE`."""
UNSET = -1
"""Milliseconds that mean the value of the member's configuration."""


def milliseconds(seconds: float | timedelta | None, name: str, *, absent: int = UNSET) -> int:
    """Convert seconds to the milliseconds of a message.

    Args:
        seconds: Seconds or a `timedelta`, or None for `absent`.
        name: Name of the argument, for the error message.
        absent: Milliseconds if `seconds` is None.

    Returns:
        Milliseconds, `MAX_MILLIS` at most; at least 1 if `seconds` is above 0.

    Raises:
        TypeError: `seconds` is neither a number nor a `timedelta`.
        ConfigError: `seconds` is below 0 or NaN.
    """
    if seconds is None:
        return absent
    millis = to_seconds(name, seconds) * 1000
    if millis >= MAX_MILLIS:
        return MAX_MILLIS
    # To members 0 means an unlimited time to live: `TimeUtil.timeInMsOrOneIfResultIsZero`.
    return round(millis) or int(millis > 0)


@dataclass(frozen=True, slots=True)
class ItemEvent:
    """The event that an item was added to a collection or removed from it.

    Args:
        item: The item, or None if the listener does not include values.
        added: True if it was added, False if it was removed.
        member: UUID of the member on which it happened.
    """

    item: Any
    """None if the listener does not include values."""
    added: bool
    member: str


class ClientProxy(CallerIdentity):
    """A data structure of the cluster, identified by its service and its name.

    Args:
        client: Client that runs the operations.
        cluster: Cluster of the client.
        name: Name of the structure.
    """

    service: ClassVar[str]
    """Name of the Java service that keeps structures of this kind."""

    def __init__(self, client: Caller, cluster: Cluster, name: str) -> None:
        super().__init__(client)
        self._cluster = cluster
        self.name = text("name", name)

    def _data(self, value: object) -> bytes:
        if value is None:
            raise no_none()
        return self._cluster.serialization.to_data(value)

    def _object(self, data: bytes | None) -> Any:
        return self._cluster.serialization.to_object(data)

    def _datas(self, values: Iterable[object]) -> list[bytes]:
        datas = self._cluster.serialization.to_data_all(values)
        if NULL in datas:
            raise no_none()
        return datas

    def _objects(self, datas: Iterable[bytes | None]) -> list[Any]:
        return self._cluster.serialization.to_object_all(datas)

    def _pairs(self, entries: list[tuple[bytes, bytes]]) -> list[tuple[Any, Any]]:
        if not entries:
            return []
        keys, values = zip(*entries, strict=True)
        return list(zip(self._objects(keys), self._objects(values), strict=True))

    def _key_request(
        self, message: HazelcastMessage, key: bytes, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        """Call the owner of a key; `rest` are the fields after name and key."""
        cluster = self._cluster
        idempotent = read or message.retryable or cluster.options.redo
        # Positional, because every call creates one and keywords would take half as long again.
        request = Request(
            message,
            (self.name, key, *rest),
            NO_PARTITION,
            idempotent,
            None,
            key,
            (self.service, self.name),
        )
        return cluster.call(request)

    def _ask(
        self, message: HazelcastMessage, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        """Call the structure's owner, or any member if all have it; `rest` follows the name."""
        cluster = self._cluster
        structure = self.service, self.name
        idempotent = read or message.retryable or cluster.options.redo
        request = Request(message, (self.name, *rest), idempotent=idempotent, structure=structure)
        if message.partition == "name":
            request.key = self.name
        elif message.partition == "any":
            request.key = Key.ANY_PARTITION
        return cluster.call(request)

    def _value(self, message: HazelcastMessage, *rest: Any, read: bool = False) -> Operation[Any]:
        """Make a call whose response has one field of a simple type; return that field."""
        fields = yield from self._ask(message, *rest, read=read)
        return fields[0] if fields else None

    def _acquire_request(
        self,
        message: HazelcastMessage,
        *rest: Any,
        undo: Callable[[tuple[Any, ...]], Operation[Any]],
        key: bytes | str | Key | None = None,
    ) -> Operation[tuple[Any, ...]]:
        """Make a call whose grant `undo` gives back if the caller has stopped waiting for it."""
        cluster = self._cluster
        request = Request(
            message,
            (self.name, *rest),
            idempotent=message.retryable or cluster.options.redo,
            key=self.name if key is None else key,
            structure=(self.service, self.name),
            on_abandoned_reply=undo,
        )
        return cluster.call(request)

    def _acquire(self, message: HazelcastMessage, *rest: Any, release: Request) -> Operation[bool]:
        """Make a call whose grant `release` gives back; return whether it was granted."""
        undo = partial(self._cluster.release_if_granted, release)
        fields = yield from self._acquire_request(message, *rest, undo=undo, key=release.key)
        return not fields or bool(fields[0])

    def _release(self, message: HazelcastMessage, *rest: Any, key: bytes | None = None) -> Request:
        """Return the request that gives back a grant of the structure, or of a key in it."""
        fields = (self.name, *rest) if key is None else (self.name, key, *rest)
        idempotent = message.retryable or self._cluster.options.redo
        return Request(
            message, fields, idempotent=idempotent, key=self.name if key is None else key
        )

    def _listen(
        self,
        add: HazelcastMessage,
        remove: HazelcastMessage,
        fields: tuple[Any, ...],
        understand: Callable[[tuple[Any, ...]], Any],
        callback: Callable[[Any], Any],
    ) -> Operation[Registration]:
        """Add a listener whose events are decoded, then queued for the callback or the iterator."""
        wanted = self._cluster.new_mailbox(callback, lambda pushed: understand(pushed[1]))
        yield from self._cluster.create_proxy(self.service, self.name)
        mailbox: Mailbox = yield wanted
        registration = Registration(
            add, (self.name, *fields), remove, (self.name,), mailbox, (self.service, self.name)
        )
        yield from self._cluster.register(registration)
        return registration

    def _entry_event(self, fields: tuple[Any, ...]) -> EntryEvent:
        *datas, kind, member, count = fields
        key, value, old_value, merging_value = self._objects(datas)
        return EntryEvent(EntryEventType(kind), key, value, old_value, merging_value, member, count)

    def _item_event(self, fields: tuple[Any, ...]) -> ItemEvent:
        item, member, kind = fields
        return ItemEvent(self._object(item), kind == 1, member)

    @operation
    def remove_listener(self, registration_id: str) -> Operation[bool]:
        """Remove a listener.

        Args:
            registration_id: Id that the call which added the listener returned.

        Returns:
            True if there was a listener with this id.
        """
        return (yield from self._cluster.remove(registration_id))

    @operation
    def destroy(self) -> Operation[None]:
        """Destroy the structure in the cluster, together with its content."""
        request = Request(_DESTROY, (self.name, self.service), idempotent=True)
        yield from self._cluster.ready()
        yield from self._cluster.call(request)
        self._cluster.forget_proxy(self.service, self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
