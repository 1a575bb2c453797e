"""IAtomicLong, IAtomicReference and ICountDownLatch of the CP subsystem."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._arguments import integer
from jvmwire.hazelcast._proxies.proxy import milliseconds
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity
from jvmwire.hazelcast.cp._proxy import CPProxy

if TYPE_CHECKING:
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

LONG_GET, LONG_GET_AND_SET = _named("CPAtomicLong.get"), _named("CPAtomicLong.getAndSet")
LONG_ADD_AND_GET, LONG_GET_AND_ADD = (
    _named("CPAtomicLong.addAndGet"),
    _named("CPAtomicLong.getAndAdd"),
)
LONG_COMPARE_AND_SET = _named("CPAtomicLong.compareAndSet")
LONG_ALTER, LONG_APPLY = _named("CPAtomicLong.alter"), _named("CPAtomicLong.apply")
REF_GET, REF_SET = _named("CPAtomicRef.get"), _named("CPAtomicRef.set")
REF_CONTAINS, REF_APPLY = _named("CPAtomicRef.contains"), _named("CPAtomicRef.apply")
REF_COMPARE_AND_SET = _named("CPAtomicRef.compareAndSet")
LATCH_SET, LATCH_COUNT = _named("CPCountDownLatch.trySetCount"), _named("CPCountDownLatch.getCount")
LATCH_AWAIT, LATCH_DOWN = _named("CPCountDownLatch.await"), _named("CPCountDownLatch.countDown")
LATCH_ROUND = _named("CPCountDownLatch.getRound")

OLD_VALUE, NEW_VALUE = 0, 1
"""Result of `alter`, old or new value: `AlterOp.AlterResultType`."""
RETURN_NOTHING, RETURN_OLD, RETURN_NEW = 0, 1, 2
"""Result of a reference's function: `ApplyOp.ReturnValueType`."""


class CPAtomicLongOperations(CPProxy):
    """Operations of an atomic 64-bit integer of a CP group, which is 0 at first."""

    service = "hz:raft:atomicLongService"

    @operation
    def get(self) -> Operation[int]:
        """Return the value.

        Returns:
            The value.
        """
        return int((yield from self._ask(LONG_GET)))

    @operation
    def set(self, value: int) -> Operation[None]:
        """Set the value.

        Args:
            value: New value.
        """
        yield from self._ask(LONG_GET_AND_SET, integer("value", value))

    @operation
    def get_and_set(self, value: int) -> Operation[int]:
        """Set the value and return the old one.

        Args:
            value: New value.

        Returns:
            The old value.
        """
        return int((yield from self._ask(LONG_GET_AND_SET, integer("value", value))))

    @operation
    def compare_and_set(self, expected: int, value: int) -> Operation[bool]:
        """Set the value if the current value equals `expected`.

        Args:
            expected: Value that must be the current one.
            value: New value.

        Returns:
            True if the value was set.
        """
        arguments = integer("expected", expected), integer("value", value)
        return bool((yield from self._ask(LONG_COMPARE_AND_SET, *arguments)))

    @operation
    def add_and_get(self, delta: int) -> Operation[int]:
        """Add a number to the value and return the new value.

        Args:
            delta: Number to add; negative numbers subtract.

        Returns:
            The new value.
        """
        return int((yield from self._ask(LONG_ADD_AND_GET, integer("delta", delta))))

    @operation
    def get_and_add(self, delta: int) -> Operation[int]:
        """Add a number to the value and return the old value.

        Args:
            delta: Number to add; negative numbers subtract.

        Returns:
            The old value.
        """
        return int((yield from self._ask(LONG_GET_AND_ADD, integer("delta", delta))))

    # Functions are Java classes on the members; the client sends a serialized instance.

    @operation
    def alter_and_get(self, function: object) -> Operation[int]:
        """Replace the value by the result of a function and return the new value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The new value.
        """
        return int((yield from self._ask(LONG_ALTER, self._data(function), NEW_VALUE)))

    @operation
    def get_and_alter(self, function: object) -> Operation[int]:
        """Replace the value by the result of a function and return the old value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The old value.
        """
        return int((yield from self._ask(LONG_ALTER, self._data(function), OLD_VALUE)))

    @operation
    def apply(self, function: object) -> Operation[Any]:
        """Return the result of a function on the value, without changing the value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The result of the function.
        """
        return self._object((yield from self._ask(LONG_APPLY, self._data(function))))


class CPAtomicReferenceOperations(CPProxy):
    """Operations of an atomic reference of a CP group, which is None at first."""

    service = "hz:raft:atomicRefService"

    @operation
    def get(self) -> Operation[Any]:
        """Return the value.

        Returns:
            The value, or None.
        """
        return self._object((yield from self._ask(REF_GET)))

    @operation
    def set(self, value: object) -> Operation[None]:
        """Set the value.

        Args:
            value: New value, or None.
        """
        yield from self._ask(REF_SET, self._nullable_data(value), False)  # noqa: FBT003

    @operation
    def get_and_set(self, value: object) -> Operation[Any]:
        """Set the value and return the old one.

        Args:
            value: New value, or None.

        Returns:
            The old value, or None.
        """
        old = yield from self._ask(REF_SET, self._nullable_data(value), True)  # noqa: FBT003
        return self._object(old)

    @operation
    def compare_and_set(self, expected: object, value: object) -> Operation[bool]:
        """Set the value if the serialized bytes of the current value equal those of `expected`.

        Args:
            expected: Value that must be the current one.
            value: New value, or None.

        Returns:
            True if the value was set.
        """
        arguments = self._nullable_data(expected), self._nullable_data(value)
        return bool((yield from self._ask(REF_COMPARE_AND_SET, *arguments)))

    @operation
    def contains(self, value: object) -> Operation[bool]:
        """Return whether the current value equals `value`.

        Args:
            value: Value to compare with, or None.

        Returns:
            True if both are equal.
        """
        return bool((yield from self._ask(REF_CONTAINS, self._nullable_data(value))))

    @operation
    def alter_and_get(self, function: object) -> Operation[Any]:
        """Replace the value by the result of a function and return the new value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The new value.
        """
        return (yield from self._apply(function, RETURN_NEW, alter=True))

    @operation
    def get_and_alter(self, function: object) -> Operation[Any]:
        """Replace the value by the result of a function and return the old value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The old value.
        """
        return (yield from self._apply(function, RETURN_OLD, alter=True))

    @operation
    def alter(self, function: object) -> Operation[None]:
        """Replace the value by the result of a function that runs on the members.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.
        """
        yield from self._apply(function, RETURN_NOTHING, alter=True)

    @operation
    def apply(self, function: object) -> Operation[Any]:
        """Return the result of a function on the value, without changing the value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The result of the function.
        """
        return (yield from self._apply(function, RETURN_NEW, alter=False))

    def _apply(self, function: object, returned: int, *, alter: bool) -> Operation[Any]:
        return self._object(
            (yield from self._ask(REF_APPLY, self._data(function), returned, alter))
        )


class CPCountDownLatchOperations(CPProxy):
    """Operations of a latch of a CP group, which opens when its count reaches 0."""

    service = "hz:raft:countDownLatchService"

    @operation
    def try_set_count(self, count: int) -> Operation[bool]:
        """Set the count if it is 0.

        Args:
            count: Number of calls of `count_down` until the latch opens, from 1.

        Returns:
            False if the latch is closed, that is, its count is not 0.
        """
        return bool((yield from self._ask(LATCH_SET, at_least("count", count, 1))))

    @operation
    def get_count(self) -> Operation[int]:
        """Return the number of calls of `count_down` until the latch opens.

        Returns:
            The count.
        """
        return int((yield from self._ask(LATCH_COUNT)))

    @operation
    def count_down(self) -> Operation[None]:
        """Decrease the count by 1, exactly once even if the request is retried."""
        round_ = yield from self._ask(LATCH_ROUND)
        yield from self._ask(LATCH_DOWN, uuid.uuid4(), round_)

    @operation
    def wait(self, *, timeout: float | timedelta) -> Operation[bool]:
        """Wait for the latch to open.

        Args:
            timeout: Seconds to wait.

        Returns:
            True if the latch is open.
        """
        return bool(
            (yield from self._ask(LATCH_AWAIT, uuid.uuid4(), milliseconds(timeout, "timeout")))
        )


class CPAtomicLong(CPAtomicLongOperations, ThreadIdentity):
    """An atomic 64-bit integer of a CP group, for threads."""


class AsyncCPAtomicLong(CPAtomicLongOperations, TaskIdentity):
    """An atomic 64-bit integer of a CP group, for asyncio."""


class CPAtomicReference(CPAtomicReferenceOperations, ThreadIdentity):
    """An atomic reference of a CP group, for threads."""


class AsyncCPAtomicReference(CPAtomicReferenceOperations, TaskIdentity):
    """An atomic reference of a CP group, for asyncio."""


class CPCountDownLatch(CPCountDownLatchOperations, ThreadIdentity):
    """A latch of a CP group, for threads."""


class AsyncCPCountDownLatch(CPCountDownLatchOperations, TaskIdentity):
    """A latch of a CP group, for asyncio."""
