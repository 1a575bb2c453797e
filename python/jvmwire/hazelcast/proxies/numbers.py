"""IAtomicLong: a number of 64 bits in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import whole
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

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


class AtomicLongOperations(Proxy):
    """What can be done with a number; it is 0 at first, and goes round at 64 bits."""

    service = "hz:impl:atomicLongService"

    @operation
    def get(self) -> Operation[int]:
        """Return the number."""
        return (yield from self._number(GET, read=True))

    @operation
    def set(self, value: int) -> Operation[None]:
        """Make it `value`."""
        yield from self._ask(SET, value)

    @operation
    def get_and_set(self, value: int) -> Operation[int]:
        """Make it `value`; return what it was."""
        return (yield from self._number(GET_AND_SET, value))

    @operation
    def compare_and_set(self, expected: int, value: int) -> Operation[bool]:
        """Make it `value` if it is `expected`; return whether it was."""
        done: bool = yield from self._value(
            COMPARE_AND_SET, whole("expected", expected), whole("value", value)
        )
        return done

    @operation
    def add_and_get(self, delta: int) -> Operation[int]:
        """Add to it; return what it is now."""
        return (yield from self._number(ADD_AND_GET, delta))

    @operation
    def get_and_add(self, delta: int) -> Operation[int]:
        """Add to it; return what it was."""
        return (yield from self._number(GET_AND_ADD, delta))

    @operation
    def increment_and_get(self) -> Operation[int]:
        """Add 1; return what it is now."""
        return (yield from self._number(INCREMENT_AND_GET))

    @operation
    def decrement_and_get(self) -> Operation[int]:
        """Take 1 away; return what it is now."""
        return (yield from self._number(DECREMENT_AND_GET))

    @operation
    def get_and_increment(self) -> Operation[int]:
        """Add 1; return what it was."""
        return (yield from self._number(GET_AND_INCREMENT))

    # Functions are classes of the members', told by what is serialized.

    @operation
    def alter(self, function: object) -> Operation[None]:
        """Make it what a function makes of it."""
        yield from self._ask(ALTER, self._data(function))

    @operation
    def alter_and_get(self, function: object) -> Operation[int]:
        """Make it what a function makes of it; return what it is now."""
        return (yield from self._number(ALTER_AND_GET, self._data(function)))

    @operation
    def get_and_alter(self, function: object) -> Operation[int]:
        """Make it what a function makes of it; return what it was."""
        return (yield from self._number(GET_AND_ALTER, self._data(function)))

    @operation
    def apply(self, function: object) -> Operation[Any]:
        """Return what a function makes of it, and leave it as it is."""
        return self._object((yield from self._value(APPLY, self._data(function))))

    def _number(self, message: HazelcastMessage, *rest: Any, read: bool = False) -> Operation[int]:
        number: int = yield from self._value(message, *rest, read=read)
        return number


class AtomicLong(AtomicLongOperations, SyncProxy):
    """A number of the cluster, for threads."""


class AsyncAtomicLong(AtomicLongOperations, AsyncProxy):
    """A number of the cluster, for asyncio."""
