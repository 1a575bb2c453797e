"""Queues of a double: `com.hazelcast.collection.impl.queue`."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from jvmwire.hazelcast.testing._calls import Wait
from jvmwire.hazelcast.testing._entries import identity
from jvmwire.hazelcast.testing._items import ADDED, REMOVED, CollectionService
from jvmwire.hazelcast.testing._locks import NO_TIMEOUT_MS

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call

CAPACITY = (1 << 31) - 1
"""Items that a queue without `max-size` takes (`Integer.MAX_VALUE`)."""


class Queues(CollectionService[deque[bytes]]):
    """Queues, and the calls of clients to them."""

    name = "hz:impl:queueService"

    def _new(self, name: str) -> deque[bytes]:
        return deque()

    def _drop(self, name: str, structure: deque[bytes]) -> None:
        self._cluster.budget.give_back(len(structure), sum(map(len, structure)))

    def offer(self, call: Call, name: str, value: bytes, timeout: int) -> bool:
        return self.add_all(call, name, [value])

    def put(self, call: Call, name: str, value: bytes) -> None:
        self.add_all(call, name, [value])

    def add_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        self._cluster.budget.take(len(values), sum(map(len, values)))
        self._find(name).extend(values)
        for value in values:
            self._tell(name, value, ADDED)
        self._cluster.waiting.notify((self.name, name))
        return True

    def poll(self, call: Call, name: str, timeout: int) -> bytes | None:
        items = self._find(name)
        if not items:
            raise Wait((self.name, name), max(0, timeout), None)
        item = items.popleft()
        self._tell(name, item, REMOVED)
        return item

    def take(self, call: Call, name: str) -> bytes | None:
        if not self._find(name):
            raise Wait((self.name, name), NO_TIMEOUT_MS, None)
        return self.poll(call, name, 0)

    def peek(self, call: Call, name: str) -> bytes | None:
        items = self._find(name)
        return items[0] if items else None

    def size(self, call: Call, name: str) -> int:
        return len(self._find(name))

    def is_empty(self, call: Call, name: str) -> bool:
        return not self._find(name)

    def remaining_capacity(self, call: Call, name: str) -> int:
        return CAPACITY - len(self._find(name))

    def iterator(self, call: Call, name: str) -> list[bytes]:
        return list(self._find(name))

    def contains(self, call: Call, name: str, value: bytes) -> bool:
        return any(identity(item) == identity(value) for item in self._find(name))

    def contains_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return {identity(item) for item in self._find(name)} >= {*map(identity, values)}

    def drain_to(self, call: Call, name: str) -> list[bytes]:
        return self.drain_to_max_size(call, name, CAPACITY)

    def drain_to_max_size(self, call: Call, name: str, most: int) -> list[bytes]:
        items = self._find(name)
        most = len(items) if most < 0 else min(most, len(items))
        drained = [items.popleft() for _ in range(most)]
        for item in drained:
            self._tell(name, item, REMOVED)
        return drained

    def clear(self, call: Call, name: str) -> None:
        self.drain_to(call, name)

    def remove(self, call: Call, name: str, value: bytes) -> bool:
        items = self._find(name)
        for at, item in enumerate(items):
            if identity(item) == identity(value):
                del items[at]
                self._tell(name, item, REMOVED)
                return True
        return False

    def compare_and_remove_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._keep(name, values, keeps=False)

    def compare_and_retain_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._keep(name, values, keeps=True)

    def _keep(self, name: str, values: list[bytes], *, keeps: bool) -> bool:
        """Keep the items that are among the values, or those that are not."""
        items, among = self._find(name), {*map(identity, values)}
        removed = [item for item in items if (identity(item) in among) is not keeps]
        kept = [item for item in items if (identity(item) in among) is keeps]
        items.clear()
        items.extend(kept)
        for item in removed:
            self._tell(name, item, REMOVED)
        return bool(removed)
