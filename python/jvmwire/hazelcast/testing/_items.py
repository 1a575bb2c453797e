"""Base of the services of collections, and the events of their items."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from jvmwire._core import HazelcastMessage
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call

T = TypeVar("T")

ADDED, REMOVED = 1, 2
"""`ItemEventType`."""

_ITEM_EVENT = HazelcastMessage.named("Event.Item")


class CollectionService(Service[T]):
    """Structures of items, whose listeners are sent each item that is added or removed."""

    def _count(self, item: bytes) -> None:
        """Count an item before it is added."""
        self._cluster.budget.take(1, len(item))

    def _tell(self, name: str, item: bytes, kind: int) -> None:
        """Send the event of an item; one that was removed is counted no more."""
        if kind == REMOVED:
            self._cluster.budget.give_back(1, len(item))
        self._send(name, item, kind)

    def _send(self, name: str, item: bytes | None, kind: int) -> None:
        """Send the event of an item."""
        origin = self._cluster.origin_of_name(name)
        self._publish(
            name,
            origin,
            _ITEM_EVENT,
            lambda includes_values: (item if includes_values else None, origin.uuid, kind),
        )

    def add_listener(self, call: Call, name: str, values: bool, local_only: bool) -> str:
        subject = self._subject(name)
        return self._cluster.listeners.add(call, subject, local_only=local_only, wish=values)

    def remove_listener(self, call: Call, name: str, registration_id: str) -> bool:
        return self._cluster.listeners.remove(self._subject(name), registration_id)
