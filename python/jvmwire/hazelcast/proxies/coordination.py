"""ICountDownLatch and ISemaphore: those who wait for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import at_least
from jvmwire.hazelcast.proxies.holder import AsyncHeld, SyncHeld
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy, milliseconds

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

AWAIT, COUNT_DOWN = _named("CountDownLatch.await"), _named("CountDownLatch.countDown")
GET_COUNT, TRY_SET_COUNT = (
    _named("CountDownLatch.getCount"),
    _named("CountDownLatch.trySetCount"),
)
INIT, ACQUIRE, RELEASE = (
    _named("Semaphore.init"),
    _named("Semaphore.acquire"),
    _named("Semaphore.release"),
)
TRY_ACQUIRE, DRAIN = _named("Semaphore.tryAcquire"), _named("Semaphore.drainPermits")
AVAILABLE = _named("Semaphore.availablePermits")
REDUCE, INCREASE = _named("Semaphore.reducePermits"), _named("Semaphore.increasePermits")


class CountDownLatchOperations(Proxy):
    """What can be done with a latch: it opens when it was counted down to 0."""

    service = "hz:impl:countDownLatchService"

    @operation
    def try_set_count(self, count: int) -> Operation[bool]:
        """Close it until it was counted down `count` times; False if it is not open."""
        done: bool = yield from self._value(TRY_SET_COUNT, at_least("count", count, 0))
        return done

    @operation
    def get_count(self) -> Operation[int]:
        """Return how often it must be counted down until it opens."""
        count: int = yield from self._value(GET_COUNT)
        return count

    @operation
    def count_down(self) -> Operation[None]:
        """Count down by 1."""
        yield from self._ask(COUNT_DOWN)

    @operation
    def wait(self, *, timeout: float) -> Operation[bool]:
        """Wait until it opens, for `timeout` seconds; return whether it is open."""
        opened: bool = yield from self._value(AWAIT, milliseconds(timeout, "timeout"), read=True)
        return opened


class SemaphoreOperations(Proxy):
    """What can be done with a semaphore. The cluster frees what a client held that is gone."""

    service = "hz:impl:semaphoreService"

    @operation
    def init(self, permits: int) -> Operation[bool]:
        """Give it so many permits, if nobody did yet; return whether this call did."""
        done: bool = yield from self._value(INIT, at_least("permits", permits, 0))
        return done

    @operation
    def acquire(self, permits: int = 1) -> Operation[None]:
        """Wait for permits and take them.

        How long this waits, the client's timeout says: `client.within(None)` waits for ever.
        What is granted to who waits no longer is given back as soon as the client hears of it.
        """
        release = self._release(RELEASE, at_least("permits", permits, 0))
        yield from self._take(ACQUIRE, permits, release=release)

    @operation
    def try_acquire(self, permits: int = 1, *, timeout: float = 0.0) -> Operation[bool]:
        """Take permits if they are free within `timeout` seconds."""
        release = self._release(RELEASE, at_least("permits", permits, 0))
        told = permits, milliseconds(timeout, "timeout")
        return (yield from self._take(TRY_ACQUIRE, *told, release=release))

    @operation
    def release(self, permits: int = 1) -> Operation[None]:
        """Give permits back, or new ones: who gives need not have taken."""
        yield from self._ask(RELEASE, at_least("permits", permits, 0))

    @operation
    def available_permits(self) -> Operation[int]:
        """Return how many permits are free."""
        available: int = yield from self._value(AVAILABLE)
        return available

    @operation
    def drain_permits(self) -> Operation[int]:
        """Take all permits that are free; return how many.

        What is granted to who waits no longer is given back, as by `acquire`.
        """

        def undo(granted: tuple[Any, ...]) -> Operation[Any]:
            return self._cluster.give_back(self._release(RELEASE, *granted), granted)

        [drained] = yield from self._claim(DRAIN, undo=undo)
        count: int = drained
        return count

    @operation
    def reduce_permits(self, reduction: int) -> Operation[None]:
        """Have fewer permits; there may be less than none."""
        yield from self._ask(REDUCE, at_least("reduction", reduction, 0))

    @operation
    def increase_permits(self, increase: int) -> Operation[None]:
        """Have more permits. From 3.11 on."""
        yield from self._ask(INCREASE, at_least("increase", increase, 0))

    _take_hold, _let_go = acquire, release


class CountDownLatch(CountDownLatchOperations, SyncProxy):
    """A latch of the cluster, for threads."""


class AsyncCountDownLatch(CountDownLatchOperations, AsyncProxy):
    """A latch of the cluster, for asyncio."""


class Semaphore(SemaphoreOperations, SyncHeld, SyncProxy):
    """A semaphore of the cluster, for threads; a context manager of one permit."""


class AsyncSemaphore(SemaphoreOperations, AsyncHeld, AsyncProxy):
    """A semaphore of the cluster, for asyncio; an asynchronous context manager of one permit."""
