"""IAtomicReference: a value in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

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


class AtomicReferenceOperations(Proxy):
    """What can be done with a value, None at first. Values are the same if their bytes are."""

    service = "hz:impl:atomicReferenceService"

    @operation
    def get(self) -> Operation[Any]:
        """Return the value."""
        return self._object((yield from self._value(GET)))

    @operation
    def set(self, value: object) -> Operation[None]:
        """Make it `value`."""
        yield from self._ask(SET, self._maybe(value))

    @operation
    def get_and_set(self, value: object) -> Operation[Any]:
        """Make it `value`; return what it was."""
        return self._object((yield from self._value(GET_AND_SET, self._maybe(value))))

    @operation
    def compare_and_set(self, expected: object, value: object) -> Operation[bool]:
        """Make it `value` if it is `expected`; return whether it was."""
        told = self._maybe(expected), self._maybe(value)
        done: bool = yield from self._value(COMPARE_AND_SET, *told)
        return done

    @operation
    def contains(self, value: object) -> Operation[bool]:
        """Return whether it is `value`."""
        found: bool = yield from self._value(CONTAINS, self._maybe(value))
        return found

    @operation
    def is_none(self) -> Operation[bool]:
        """Return whether it is None."""
        is_none: bool = yield from self._value(IS_NULL)
        return is_none

    @operation
    def clear(self) -> Operation[None]:
        """Make it None."""
        yield from self._ask(CLEAR)

    # Functions are classes of the members', told by what is serialized.

    @operation
    def alter(self, function: object) -> Operation[None]:
        """Make it what a function makes of it."""
        yield from self._ask(ALTER, self._data(function))

    @operation
    def alter_and_get(self, function: object) -> Operation[Any]:
        """Make it what a function makes of it; return what it is now."""
        return self._object((yield from self._value(ALTER_AND_GET, self._data(function))))

    @operation
    def get_and_alter(self, function: object) -> Operation[Any]:
        """Make it what a function makes of it; return what it was."""
        return self._object((yield from self._value(GET_AND_ALTER, self._data(function))))

    @operation
    def apply(self, function: object) -> Operation[Any]:
        """Return what a function makes of it, and leave it as it is."""
        return self._object((yield from self._value(APPLY, self._data(function))))

    def _maybe(self, value: object) -> bytes | None:
        return None if value is None else self._data(value)


class AtomicReference(AtomicReferenceOperations, SyncProxy):
    """A value of the cluster, for threads."""


class AsyncAtomicReference(AtomicReferenceOperations, AsyncProxy):
    """A value of the cluster, for asyncio."""
