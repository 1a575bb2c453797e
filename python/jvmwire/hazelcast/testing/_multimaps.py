"""Multi-maps of a double: `com.hazelcast.multimap.impl`, whose values are sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast.testing._entries import identity
from jvmwire.hazelcast.testing._key_locks import KeyLocks
from jvmwire.hazelcast.testing._map_listeners import ENTRY_EVENT, EntryWish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire.hazelcast.testing._calls import Call

Values = dict[bytes, bytes]
"""The values of a key, by their identity."""
ADDED, REMOVED = EntryEventType.ADDED, EntryEventType.REMOVED


class MultiMaps(KeyLocks[dict[bytes, tuple[bytes, Values]]]):
    """Multi-maps, and the calls of clients to them."""

    name = "hz:impl:multiMapService"

    def _new(self, name: str) -> dict[bytes, tuple[bytes, Values]]:
        return {}

    def _drop(self, name: str, structure: dict[bytes, tuple[bytes, Values]]) -> None:
        for key, values in structure.values():
            self._cluster.budget.give_back(len(values), _size(key, values))

    def _values(self, name: str, key: bytes) -> Values:
        return self._find(name).get(identity(key), (key, {}))[1]

    def _entries(self, name: str) -> Iterator[tuple[bytes, bytes]]:
        for key, values in self._find(name).values():
            for value in values.values():
                yield key, value

    def _tell(
        self, name: str, event: EntryEventType, key: bytes, value: bytes | None, old: bytes | None
    ) -> None:
        origin = self._cluster.origin_of_key(key)
        for listener in self._cluster.listeners.at(
            self._subject(name), origin, lambda wish: wish.key in (None, identity(key))
        ):
            values = (value, old) if listener.wish.includes_values else (None, None)
            listener.send(ENTRY_EVENT, key, *values, None, int(event), origin.uuid, 1)

    def put(self, call: Call, name: str, key: bytes, value: bytes, thread_id: int) -> bool:
        self._check_lock(call, name, key, thread_id)
        values = self._values(name, key)
        if identity(value) in values:
            return False
        self._cluster.budget.take(1, len(key) + len(value))
        values[identity(value)] = value
        self._find(name).setdefault(identity(key), (key, values))
        self._tell(name, ADDED, key, value, None)
        return True

    def get(self, call: Call, name: str, key: bytes, thread_id: int) -> list[bytes]:
        return list(self._values(name, key).values())

    def remove(self, call: Call, name: str, key: bytes, thread_id: int) -> list[bytes]:
        self._check_lock(call, name, key, thread_id)
        removed = self._take_all(name, key)
        for value in removed:
            self._tell(name, REMOVED, key, None, value)
        return removed

    def delete(self, call: Call, name: str, key: bytes, thread_id: int) -> None:
        self._check_lock(call, name, key, thread_id)
        self._take_all(name, key)  # without events, as members do

    def _take_all(self, name: str, key: bytes) -> list[bytes]:
        """Remove the values of a key, and return them."""
        stored, values = self._find(name).pop(identity(key), (key, {}))
        self._cluster.budget.give_back(len(values), _size(stored, values))
        return list(values.values())

    def remove_entry(self, call: Call, name: str, key: bytes, value: bytes, thread_id: int) -> bool:
        self._check_lock(call, name, key, thread_id)
        values = self._values(name, key)
        removed = values.pop(identity(value), None)
        if removed is None:
            return False
        if not values:
            del self._find(name)[identity(key)]
        self._cluster.budget.give_back(1, len(key) + len(removed))
        self._tell(name, REMOVED, key, None, removed)
        return True

    def key_set(self, call: Call, name: str) -> list[bytes]:
        return [key for key, _ in self._find(name).values()]

    def values(self, call: Call, name: str) -> list[bytes]:
        return [value for _, value in self._entries(name)]

    def entry_set(self, call: Call, name: str) -> list[tuple[bytes, bytes]]:
        return list(self._entries(name))

    def contains_key(self, call: Call, name: str, key: bytes, thread_id: int) -> bool:
        return identity(key) in self._find(name)

    def contains_value(self, call: Call, name: str, value: bytes) -> bool:
        return any(identity(value) in values for _, values in self._find(name).values())

    def contains_entry(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int
    ) -> bool:
        return identity(value) in self._values(name, key)

    def size(self, call: Call, name: str) -> int:
        return sum(len(values) for _, values in self._find(name).values())

    def value_count(self, call: Call, name: str, key: bytes, thread_id: int) -> int:
        return len(self._values(name, key))

    def clear(self, call: Call, name: str) -> None:
        """Remove the values of all keys that are not locked."""
        cleared = 0
        for key, _ in list(self._find(name).values()):
            if self._cluster.locks.get(self._lock_key(name, key)) is None:
                cleared += len(self._take_all(name, key))
        origin = self._cluster.origin_of_name(name)
        event = int(EntryEventType.CLEAR_ALL)  # even if nothing was there, as members do
        for listener in self._cluster.listeners.at(self._subject(name), origin):
            listener.send(ENTRY_EVENT, *[None] * 4, event, origin.uuid, cleared)

    # Listeners

    def add_entry_listener(self, call: Call, name: str, values: bool, local_only: bool) -> str:
        subject, wish = self._subject(name), EntryWish(-1, values)
        return self._cluster.listeners.add(call, subject, local_only=local_only, wish=wish)

    def add_entry_listener_to_key(
        self, call: Call, name: str, key: bytes, values: bool, local_only: bool
    ) -> str:
        subject, wish = self._subject(name), EntryWish(-1, values, identity(key))
        return self._cluster.listeners.add(call, subject, local_only=local_only, wish=wish)

    def remove_entry_listener(self, call: Call, name: str, registration_id: str) -> bool:
        return self._cluster.listeners.remove(self._subject(name), registration_id)


def _size(key: bytes, values: Values) -> int:
    return len(key) * len(values) + sum(map(len, values.values()))
