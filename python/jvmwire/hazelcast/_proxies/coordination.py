"""ICountDownLatch and ISemaphore: synchronisation of the cluster's clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import ClientProxy, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import (
    AsyncLockContext,
    SyncLockContext,
    TaskIdentity,
    ThreadIdentity,
)

if TYPE_CHECKING:
    from datetime import timedelta

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


class CountDownLatchOperations(ClientProxy):
    """Operations of a latch, which opens when its count reaches 0."""

    service = "hz:impl:countDownLatchService"

    @operation
    def try_set_count(self, count: int) -> Operation[bool]:
        """Set the count if it is 0.

        Args:
            count: Number of calls of `count_down` until the latch opens, from 0.

        Returns:
            False if the latch is closed, that is, its count is not 0.
        """
        done: bool = yield from self._value(TRY_SET_COUNT, at_least("count", count, 0))
        return done

    @operation
    def get_count(self) -> Operation[int]:
        """Return the number of calls of `count_down` until the latch opens.

        Returns:
            The count.
        """
        count: int = yield from self._value(GET_COUNT)
        return count

    @operation
    def count_down(self) -> Operation[None]:
        """Decrease the count by 1."""
        yield from self._ask(COUNT_DOWN)

    @operation
    def wait(self, *, timeout: float | timedelta) -> Operation[bool]:
        """Wait for the latch to open.

        Args:
            timeout: Seconds to wait.

        Returns:
            True if the latch is open.
        """
        opened: bool = yield from self._value(AWAIT, milliseconds(timeout, "timeout"), read=True)
        return opened


class SemaphoreOperations(ClientProxy):
    """Operations of a semaphore; the cluster releases the permits of a disconnected client."""

    service = "hz:impl:semaphoreService"

    @operation
    def init(self, permits: int) -> Operation[bool]:
        """Set the number of permits, if no call has set it yet.

        Args:
            permits: Number of permits, from 0.

        Returns:
            True if this call set it.
        """
        done: bool = yield from self._value(INIT, at_least("permits", permits, 0))
        return done

    @operation
    def acquire(self, permits: int = 1) -> Operation[None]:
        """Wait for permits and take them.

        The client's timeout limits the wait: `client.within(None)` waits without limit. If permits
        are granted after the caller has stopped waiting, the client releases them as soon as the
        reply arrives.

        Args:
            permits: Number of permits.
        """
        release = self._release(RELEASE, at_least("permits", permits, 0))
        yield from self._acquire(ACQUIRE, permits, release=release)

    @operation
    def try_acquire(self, permits: int = 1, *, timeout: float | timedelta = 0.0) -> Operation[bool]:
        """Take permits if they are free within `timeout` seconds.

        Args:
            permits: Number of permits.
            timeout: Seconds to wait.

        Returns:
            True if the permits were taken.
        """
        release = self._release(RELEASE, at_least("permits", permits, 0))
        fields = permits, milliseconds(timeout, "timeout")
        return (yield from self._acquire(TRY_ACQUIRE, *fields, release=release))

    @operation
    def release(self, permits: int = 1) -> Operation[None]:
        """Release permits; a caller that has taken none adds new permits.

        Args:
            permits: Number of permits.
        """
        yield from self._ask(RELEASE, at_least("permits", permits, 0))

    @operation
    def available_permits(self) -> Operation[int]:
        """Return the number of free permits.

        Returns:
            The number of permits.
        """
        available: int = yield from self._value(AVAILABLE)
        return available

    @operation
    def drain_permits(self) -> Operation[int]:
        """Take all free permits.

        Permits that are granted after the caller has stopped waiting are released, as by
        `acquire`.

        Returns:
            The number of permits taken.
        """

        def undo(granted: tuple[Any, ...]) -> Operation[Any]:
            return self._cluster.release_if_granted(self._release(RELEASE, *granted), granted)

        [drained] = yield from self._acquire_request(DRAIN, undo=undo)
        count: int = drained
        return count

    @operation
    def reduce_permits(self, reduction: int) -> Operation[None]:
        """Reduce the number of permits; it may become negative.

        Args:
            reduction: Number of permits to remove.
        """
        yield from self._ask(REDUCE, at_least("reduction", reduction, 0))

    @operation
    def increase_permits(self, increase: int) -> Operation[None]:
        """Increase the number of permits; needs members from 3.11 on.

        Args:
            increase: Number of permits to add.
        """
        yield from self._ask(INCREASE, at_least("increase", increase, 0))

    _enter_lock, _exit_lock = acquire, release


class CountDownLatch(CountDownLatchOperations, ThreadIdentity):
    """A latch of the cluster, for threads."""


class AsyncCountDownLatch(CountDownLatchOperations, TaskIdentity):
    """A latch of the cluster, for asyncio."""


class Semaphore(SemaphoreOperations, SyncLockContext, ThreadIdentity):
    """A semaphore of the cluster, for threads; a context manager of one permit."""


class AsyncSemaphore(SemaphoreOperations, AsyncLockContext, TaskIdentity):
    """A semaphore of the cluster, for asyncio; an asynchronous context manager of one permit."""
