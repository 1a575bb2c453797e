"""IAtomicLong: a signed 64-bit integer, kept in the partition of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._arguments import integer
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

GET, SET = _named("AtomicLong.get"), _named("AtomicLong.set")
GET_AND_SET, COMPARE_AND_SET = _named("AtomicLong.getAndSet"), _named("AtomicLong.compareAndSet")
ADD_AND_GET, GET_AND_ADD = _named("AtomicLong.addAndGet"), _named("AtomicLong.getAndAdd")
INCREMENT_AND_GET = _named("AtomicLong.incrementAndGet")
DECREMENT_AND_GET = _named("AtomicLong.decrementAndGet")
GET_AND_INCREMENT = _named("AtomicLong.getAndIncrement")
ALTER, APPLY = _named("AtomicLong.alter"), _named("AtomicLong.apply")
ALTER_AND_GET, GET_AND_ALTER = _named("AtomicLong.alterAndGet"), _named("AtomicLong.getAndAlter")


class AtomicLongOperations(ClientProxy):
    """Operations of an atomic integer, which is 0 at first and wraps around at 64 bits."""

    service = "hz:impl:atomicLongService"

    @operation
    def get(self) -> Operation[int]:
        """Return the value.

        Returns:
            The value.
        """
        return (yield from self._number(GET, read=True))

    @operation
    def set(self, value: int) -> Operation[None]:
        """Set the value.

        Args:
            value: New value.
        """
        yield from self._ask(SET, value)

    @operation
    def get_and_set(self, value: int) -> Operation[int]:
        """Set the value and return the old one.

        Args:
            value: New value.

        Returns:
            The old value.
        """
        return (yield from self._number(GET_AND_SET, value))

    @operation
    def compare_and_set(self, expected: int, value: int) -> Operation[bool]:
        """Set the value if the current value equals `expected`.

        Args:
            expected: Value that must be the current one.
            value: New value.

        Returns:
            True if the value was set.
        """
        done: bool = yield from self._value(
            COMPARE_AND_SET, integer("expected", expected), integer("value", value)
        )
        return done

    @operation
    def add_and_get(self, delta: int) -> Operation[int]:
        """Add to the value and return the new value.

        Args:
            delta: Number to add.

        Returns:
            The new value.
        """
        return (yield from self._number(ADD_AND_GET, delta))

    @operation
    def get_and_add(self, delta: int) -> Operation[int]:
        """Add to the value and return the old value.

        Args:
            delta: Number to add.

        Returns:
            The old value.
        """
        return (yield from self._number(GET_AND_ADD, delta))

    @operation
    def increment_and_get(self) -> Operation[int]:
        """Add 1 to the value and return the new value.

        Returns:
            The new value.
        """
        return (yield from self._number(INCREMENT_AND_GET))

    @operation
    def decrement_and_get(self) -> Operation[int]:
        """Subtract 1 from the value and return the new value.

        Returns:
            The new value.
        """
        return (yield from self._number(DECREMENT_AND_GET))

    @operation
    def get_and_increment(self) -> Operation[int]:
        """Add 1 to the value and return the old value.

        Returns:
            The old value.
        """
        return (yield from self._number(GET_AND_INCREMENT))

    # Functions are Java classes on the members; the client sends a serialized instance.

    @operation
    def alter(self, function: object) -> Operation[None]:
        """Replace the value by the result of a function that runs on the member.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.
        """
        yield from self._ask(ALTER, self._data(function))

    @operation
    def alter_and_get(self, function: object) -> Operation[int]:
        """Replace the value by the result of a function and return the new value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The new value.
        """
        return (yield from self._number(ALTER_AND_GET, self._data(function)))

    @operation
    def get_and_alter(self, function: object) -> Operation[int]:
        """Replace the value by the result of a function and return the old value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The old value.
        """
        return (yield from self._number(GET_AND_ALTER, self._data(function)))

    @operation
    def apply(self, function: object) -> Operation[Any]:
        """Return the result of a function on the value, without changing the value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The result of the function.
        """
        return self._object((yield from self._value(APPLY, self._data(function))))

    def _number(self, message: HazelcastMessage, *rest: Any, read: bool = False) -> Operation[int]:
        number: int = yield from self._value(message, *rest, read=read)
        return number


class AtomicLong(AtomicLongOperations, ThreadIdentity):
    """An atomic 64-bit integer of the cluster, for threads."""


class AsyncAtomicLong(AtomicLongOperations, TaskIdentity):
    """An atomic 64-bit integer of the cluster, for asyncio."""
