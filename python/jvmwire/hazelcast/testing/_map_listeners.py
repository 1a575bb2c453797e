"""Listeners of maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire.hazelcast.testing._entries import Entries, identity
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast._proxies.entries import EntryEventType
    from jvmwire.hazelcast.testing._calls import Call

ENTRY_EVENT = HazelcastMessage.named("Event.Entry")
"""The event of an entry, or of all entries, of a map of any kind."""


@dataclass(slots=True, eq=False)
class EntryWish:
    """What a listener of a map wants to be sent."""

    flags: int
    includes_values: bool
    key: bytes | None = None
    """Identity of the only key; None for all."""
    predicate: Callable[[bytes, bytes], bool] | None = None
    """Whether an entry of this key and this value is wanted."""


class MapListeners(Service[Entries]):
    """The calls that register listeners of maps, and their events."""

    def _predicate(self, data: bytes) -> Callable[[bytes, bytes], bool]:
        """Return whether a key and a value match a serialized predicate."""
        raise NotImplementedError

    def _tell(
        self,
        name: str,
        event: EntryEventType,
        key: bytes,
        value: bytes | None,
        old: bytes | None,
    ) -> None:
        """Send the event of one entry."""
        if not self._cluster.listeners.has(self._subject(name)):
            return
        origin = self._cluster.origin_of_key(key)

        def accepts(wish: EntryWish) -> bool:
            if not wish.flags & event or wish.key not in (None, identity(key)):
                return False
            tested = old if value is None else value
            return wish.predicate is None or tested is None or wish.predicate(key, tested)

        for listener in self._cluster.listeners.at(self._subject(name), origin, accepts):
            values = (value, old) if listener.wish.includes_values else (None, None)
            listener.send(ENTRY_EVENT, key, *values, None, int(event), origin.uuid, 1)

    def _tell_of_all(self, name: str, event: EntryEventType, count: int) -> None:
        """Send the event of all entries."""
        origin = self._cluster.origin_of_name(name)
        none = (None, None, None, None)
        for listener in self._cluster.listeners.at(
            self._subject(name), origin, lambda wish: wish.flags & event
        ):
            listener.send(ENTRY_EVENT, *none, int(event), origin.uuid, count)

    def add_entry_listener(
        self, call: Call, name: str, values: bool, flags: int, local_only: bool
    ) -> str:
        return self._add(call, name, EntryWish(flags, values), local_only)

    def add_entry_listener_to_key(
        self, call: Call, name: str, key: bytes, values: bool, flags: int, local_only: bool
    ) -> str:
        return self._add(call, name, EntryWish(flags, values, identity(key)), local_only)

    def add_entry_listener_with_predicate(
        self, call: Call, name: str, predicate: bytes, values: bool, flags: int, local_only: bool
    ) -> str:
        wish = EntryWish(flags, values, None, self._predicate(predicate))
        return self._add(call, name, wish, local_only)

    def add_entry_listener_to_key_with_predicate(
        self,
        call: Call,
        name: str,
        key: bytes,
        predicate: bytes,
        values: bool,
        flags: int,
        local_only: bool,
    ) -> str:
        wish = EntryWish(flags, values, identity(key), self._predicate(predicate))
        return self._add(call, name, wish, local_only)

    def _add(self, call: Call, name: str, wish: EntryWish, local_only: bool) -> str:
        subject = self._subject(name)
        return self._cluster.listeners.add(call, subject, local_only=local_only, wish=wish)

    def remove_entry_listener(self, call: Call, name: str, registration_id: str) -> bool:
        return self._cluster.listeners.remove(self._subject(name), registration_id)

    def add_partition_lost_listener(self, call: Call, name: str, local_only: bool) -> str:
        # None is lost: the members that run have all entries.
        return self._cluster.listeners.add(call, ("lost", name), local_only=local_only)

    def remove_partition_lost_listener(self, call: Call, name: str, registration_id: str) -> bool:
        return self._cluster.listeners.remove(("lost", name), registration_id)
