"""IAtomicReference: one serialized value, kept in the partition of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

GET, SET = _named("AtomicReference.get"), _named("AtomicReference.set")
GET_AND_SET = _named("AtomicReference.getAndSet")
COMPARE_AND_SET = _named("AtomicReference.compareAndSet")
CONTAINS, IS_NULL = _named("AtomicReference.contains"), _named("AtomicReference.isNull")
CLEAR = _named("AtomicReference.clear")
ALTER, APPLY = _named("AtomicReference.alter"), _named("AtomicReference.apply")
ALTER_AND_GET = _named("AtomicReference.alterAndGet")
GET_AND_ALTER = _named("AtomicReference.getAndAlter")


class AtomicReferenceOperations(ClientProxy):
    """Operations of an atomic reference, None at first.

    Two values are equal if their serialized bytes are equal.
    """

    service = "hz:impl:atomicReferenceService"

    @operation
    def get(self) -> Operation[Any]:
        """Return the value.

        Returns:
            The value, or None.
        """
        return self._object((yield from self._value(GET)))

    @operation
    def set(self, value: object) -> Operation[None]:
        """Set the value.

        Args:
            value: New value, or None.
        """
        yield from self._ask(SET, self._nullable_data(value))

    @operation
    def get_and_set(self, value: object) -> Operation[Any]:
        """Set the value and return the old one.

        Args:
            value: New value, or None.

        Returns:
            The old value, or None.
        """
        return self._object((yield from self._value(GET_AND_SET, self._nullable_data(value))))

    @operation
    def compare_and_set(self, expected: object, value: object) -> Operation[bool]:
        """Set the value if the current value equals `expected`.

        Args:
            expected: Value that must be the current one.
            value: New value, or None.

        Returns:
            True if the value was set.
        """
        arguments = self._nullable_data(expected), self._nullable_data(value)
        done: bool = yield from self._value(COMPARE_AND_SET, *arguments)
        return done

    @operation
    def contains(self, value: object) -> Operation[bool]:
        """Return whether the current value equals `value`.

        Args:
            value: Value to compare with, or None.

        Returns:
            True if both are equal.
        """
        found: bool = yield from self._value(CONTAINS, self._nullable_data(value))
        return found

    @operation
    def is_none(self) -> Operation[bool]:
        """Return whether the value is None.

        Returns:
            True if the value is None.
        """
        is_none: bool = yield from self._value(IS_NULL)
        return is_none

    @operation
    def clear(self) -> Operation[None]:
        """Set the value to None."""
        yield from self._ask(CLEAR)

    # Functions are Java classes on the members; the client sends a serialized instance.

    @operation
    def alter(self, function: object) -> Operation[None]:
        """Replace the value by the result of a function that runs on the member.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.
        """
        yield from self._ask(ALTER, self._data(function))

    @operation
    def alter_and_get(self, function: object) -> Operation[Any]:
        """Replace the value by the result of a function and return the new value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The new value.
        """
        return self._object((yield from self._value(ALTER_AND_GET, self._data(function))))

    @operation
    def get_and_alter(self, function: object) -> Operation[Any]:
        """Replace the value by the result of a function and return the old value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The old value.
        """
        return self._object((yield from self._value(GET_AND_ALTER, self._data(function))))

    @operation
    def apply(self, function: object) -> Operation[Any]:
        """Return the result of a function on the value, without changing the value.

        Args:
            function: Serializable counterpart of a Java `IFunction` of the members.

        Returns:
            The result of the function.
        """
        return self._object((yield from self._value(APPLY, self._data(function))))

    def _nullable_data(self, value: object) -> bytes | None:
        return None if value is None else self._data(value)


class AtomicReference(AtomicReferenceOperations, ThreadIdentity):
    """An atomic reference of the cluster, for threads."""


class AsyncAtomicReference(AtomicReferenceOperations, TaskIdentity):
    """An atomic reference of the cluster, for asyncio."""
