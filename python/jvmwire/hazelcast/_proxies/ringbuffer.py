"""Ringbuffer: a bounded ring of items, addressed by sequence and kept in one partition."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

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
    """Policy for an item for which the ring has no room."""

    OVERWRITE = 0
    """The item replaces the oldest one."""
    FAIL = 1
    """The item is not added."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of a read of many items.

    Args:
        items: The items.
        sequences: Sequence of each item; None from members before 3.9.
        read_count: Number of examined items; with a filter, more than `items` has.
        next_sequence: Sequence at which to continue.
    """

    items: list[Any]
    sequences: list[int] | None
    read_count: int
    next_sequence: int


class RingbufferOperations(ClientProxy):
    """Operations of a ringbuffer."""

    service = "hz:impl:ringbufferService"

    @operation
    def capacity(self) -> Operation[int]:
        """Return the maximum number of items.

        Returns:
            The number of items.
        """
        return (yield from self._number(CAPACITY))

    @operation
    def size(self) -> Operation[int]:
        """Return the number of items.

        Returns:
            The number of items.
        """
        return (yield from self._number(SIZE))

    @operation
    def head_sequence(self) -> Operation[int]:
        """Return the sequence of the oldest item.

        Returns:
            The sequence.
        """
        return (yield from self._number(HEAD))

    @operation
    def tail_sequence(self) -> Operation[int]:
        """Return the sequence of the newest item.

        Returns:
            The sequence, or -1 if the ring is empty.
        """
        return (yield from self._number(TAIL))

    @operation
    def remaining_capacity(self) -> Operation[int]:
        """Return the number of items that can be added before the oldest is overwritten.

        Returns:
            The number of items.
        """
        return (yield from self._number(ROOM))

    @operation
    def add(
        self, item: object, *, overflow: OverflowPolicy = OverflowPolicy.OVERWRITE
    ) -> Operation[int]:
        """Add an item.

        Args:
            item: Item to add.
            overflow: Policy if the ring has no room.

        Returns:
            The sequence of the item, or -1 if it was not added.
        """
        return (yield from self._number(ADD, int(overflow), self._data(item)))

    @operation
    def add_all(
        self, items: Iterable[object], *, overflow: OverflowPolicy = OverflowPolicy.OVERWRITE
    ) -> Operation[int]:
        """Add many items.

        Args:
            items: Items to add, in their order.
            overflow: Policy if the ring has no room.

        Returns:
            The sequence of the last item, or -1 if they were not added.
        """
        return (yield from self._number(ADD_ALL, self._datas(items), int(overflow)))

    @operation
    def read_one(self, sequence: int) -> Operation[Any]:
        """Return the item at `sequence`; wait for it if it is the next item to be added.

        Args:
            sequence: Sequence of the item.

        Returns:
            The item.

        Raises:
            StaleSequence: the item was overwritten.
        """
        return self._object((yield from self._value(READ_ONE, sequence)))

    @operation
    def read_many(
        self, sequence: int, *, minimum: int = 1, maximum: int = 100, predicate: object = None
    ) -> Operation[ReadResult]:
        """Wait for `minimum` items from `sequence` on, then return up to `maximum` items.

        Args:
            sequence: Sequence of the first item.
            minimum: Number of items to wait for, from 0.
            maximum: Maximum number of items, from 1.
            predicate: Serializable counterpart of a Java `IFunction` of the members, used as a
                filter.

        Returns:
            The items and the sequence at which to continue.
        """
        at_least("minimum", minimum, 0)
        at_least("maximum", maximum, 1)
        data = None if predicate is None else self._data(predicate)
        count, items, sequences, _ = yield from self._ask(
            READ_MANY, sequence, minimum, maximum, data
        )
        # The next sequence in the response is not used: it is 0 if the read began at `sequence`.
        return ReadResult(self._objects(items), sequences, count, sequence + count)

    def _number(self, message: HazelcastMessage, *rest: Any) -> Operation[int]:
        number: int = yield from self._value(message, *rest)
        return number


class Ringbuffer(RingbufferOperations, ThreadIdentity):
    """A ringbuffer of the cluster, for threads."""


class AsyncRingbuffer(RingbufferOperations, TaskIdentity):
    """A ringbuffer of the cluster, for asyncio."""
