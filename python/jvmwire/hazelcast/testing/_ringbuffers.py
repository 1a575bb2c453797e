"""Ring buffers of a double: `com.hazelcast.ringbuffer.impl`."""

from __future__ import annotations

from collections import deque
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._calls import Wait
from jvmwire.hazelcast.testing._locks import NO_TIMEOUT_MS
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call

CAPACITY = 10_000
"""Items of a ring buffer: the default of `RingbufferConfig`."""
TOPIC_PREFIX = "_hz_rb_"
"""What the name of a reliable topic's ring begins with (`TOPIC_RB_PREFIX`)."""
MAX_READ = 1000
"""Items of one answer (`RingbufferProxy.MAX_BATCH_SIZE`)."""


class Ring:
    """A ring buffer, which overwrites its oldest item.

    Args:
        capacity: Largest number of items.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.items: deque[bytes] = deque()
        self.tail = -1

    @property
    def head(self) -> int:
        """Sequence of the oldest item."""
        return self.tail + 1 - len(self.items)


class Ringbuffers(Service[Ring]):
    """Ring buffers, and the calls of clients to them."""

    name = "hz:impl:ringbufferService"

    def _new(self, name: str) -> Ring:
        # RingbufferService.getRingbufferConfig: a reliable topic's ring is configured by its topic.
        configured = name.removeprefix(TOPIC_PREFIX)
        for pattern, capacity in self._cluster.ring_capacities.items():
            if fnmatchcase(configured, pattern):
                return Ring(capacity)
        return Ring(CAPACITY)

    def _drop(self, name: str, structure: Ring) -> None:
        self._cluster.budget.give_back(len(structure.items), sum(map(len, structure.items)))

    def size(self, call: Call, name: str) -> int:
        return len(self._find(name).items)

    def tail_sequence(self, call: Call, name: str) -> int:
        return self._find(name).tail

    def head_sequence(self, call: Call, name: str) -> int:
        return self._find(name).head

    def capacity(self, call: Call, name: str) -> int:
        return self._find(name).capacity

    def remaining_capacity(self, call: Call, name: str) -> int:
        return self._find(name).capacity  # without a time to live, each item may be overwritten

    def add(self, call: Call, name: str, overflow_policy: int, value: bytes) -> int:
        return self.add_all(call, name, [value], overflow_policy)

    def add_all(self, call: Call, name: str, values: list[bytes], overflow_policy: int) -> int:
        ring = self._find(name)
        self._cluster.budget.take(len(values), sum(map(len, values)))
        ring.items.extend(values)
        ring.tail += len(values)
        while len(ring.items) > ring.capacity:
            self._cluster.budget.give_back(1, len(ring.items.popleft()))
        self._cluster.waiting.notify((self.name, name))
        return ring.tail

    def _check(self, ring: Ring, sequence: int) -> None:
        if sequence < ring.head:
            raise java.refuse(
                java.STALE_SEQUENCE,
                f"sequence:{sequence} is too small and data store is disabled."
                f" The current headSequence is:{ring.head} tailSequence is:{ring.tail}",
            )
        if sequence > ring.tail + 1:
            text = f"sequence:{sequence} is too large. The current tailSequence is:{ring.tail}"
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)

    def read_one(self, call: Call, name: str, sequence: int) -> bytes:
        ring = self._find(name)
        self._check(ring, sequence)
        if sequence > ring.tail:
            raise Wait((self.name, name), NO_TIMEOUT_MS, None)
        return ring.items[sequence - ring.head]

    def read_many(
        self, call: Call, name: str, start: int, least: int, most: int, filter_: bytes | None
    ) -> tuple[Any, ...]:
        if filter_ is not None:
            raise java.refuse(java.UNSUPPORTED, "the double of a cluster has no filters of rings")
        ring = self._find(name)
        self._check(ring, start)
        if ring.tail + 1 - start < least:
            raise Wait((self.name, name), NO_TIMEOUT_MS, None)
        sequences = range(start, min(ring.tail + 1, start + min(most, MAX_READ)))
        items = [ring.items[sequence - ring.head] for sequence in sequences]
        return len(items), items, list(sequences), start + len(items)
