"""Ringbuffer: a ring of items by their sequence, in one partition."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import at_least
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

CAPACITY, SIZE = _named("Ringbuffer.capacity"), _named("Ringbuffer.size")
HEAD, TAIL = _named("Ringbuffer.headSequence"), _named("Ringbuffer.tailSequence")
ROOM = _named("Ringbuffer.remainingCapacity")
ADD, ADD_ALL = _named("Ringbuffer.add"), _named("Ringbuffer.addAll")
READ_ONE, READ_MANY = _named("Ringbuffer.readOne"), _named("Ringbuffer.readMany")


class OverflowPolicy(enum.IntEnum):
    """What becomes of an item for which there is no room."""

    OVERWRITE = 0
    """It takes the place of the oldest."""
    FAIL = 1
    """It is not added."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Items that were read."""

    items: list[Any]
    sequences: list[int] | None
    """Of each item; None of members before 3.9."""
    read_count: int
    """How many were looked at: with a filter, more than there are items."""
    next_sequence: int
    """Where to read on."""


class RingbufferOperations(Proxy):
    """What can be done with a ringbuffer."""

    service = "hz:impl:ringbufferService"

    @operation
    def capacity(self) -> Operation[int]:
        """Return how many items it holds at most."""
        return (yield from self._number(CAPACITY))

    @operation
    def size(self) -> Operation[int]:
        """Return how many items it holds."""
        return (yield from self._number(SIZE))

    @operation
    def head_sequence(self) -> Operation[int]:
        """Return the sequence of the oldest item."""
        return (yield from self._number(HEAD))

    @operation
    def tail_sequence(self) -> Operation[int]:
        """Return the sequence of the newest item; -1 of an empty ring."""
        return (yield from self._number(TAIL))

    @operation
    def remaining_capacity(self) -> Operation[int]:
        """Return how many items can be added before the oldest is overwritten."""
        return (yield from self._number(ROOM))

    @operation
    def add(
        self, item: object, *, overflow: OverflowPolicy = OverflowPolicy.OVERWRITE
    ) -> Operation[int]:
        """Add an item; return its sequence, or -1 if it was not added."""
        return (yield from self._number(ADD, int(overflow), self._data(item)))

    @operation
    def add_all(
        self, items: Iterable[object], *, overflow: OverflowPolicy = OverflowPolicy.OVERWRITE
    ) -> Operation[int]:
        """Add items; return the sequence of the last, or -1 if they were not added."""
        return (yield from self._number(ADD_ALL, self._datas(items), int(overflow)))

    @operation
    def read_one(self, sequence: int) -> Operation[Any]:
        """Return the item at `sequence`; if it is the next one, wait for it.

        Raises:
            StaleSequence: it was overwritten.
        """
        return self._object((yield from self._value(READ_ONE, sequence)))

    @operation
    def read_many(
        self, sequence: int, *, minimum: int = 1, maximum: int = 100, predicate: object = None
    ) -> Operation[ReadResult]:
        """Return items from `sequence` on, once there are `minimum` of them.

        `predicate` is a filter of the members' (`IFunction`), told by what is serialized.
        """
        at_least("minimum", minimum, 0)
        at_least("maximum", maximum, 1)
        told = None if predicate is None else self._data(predicate)
        count, items, sequences, _ = yield from self._ask(
            READ_MANY, sequence, minimum, maximum, told
        )
        # What members say of where to read on is 0 where they begin at what was asked for.
        return ReadResult(self._objects(items), sequences, count, sequence + count)

    def _number(self, message: HazelcastMessage, *rest: Any) -> Operation[int]:
        number: int = yield from self._value(message, *rest)
        return number


class Ringbuffer(RingbufferOperations, SyncProxy):
    """A ringbuffer of the cluster, for threads."""


class AsyncRingbuffer(RingbufferOperations, AsyncProxy):
    """A ringbuffer of the cluster, for asyncio."""
