"""ILock: a reentrant lock held by one thread, or in asyncio by one task, of one client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import MAX_MILLIS, UNSET, ClientProxy, milliseconds
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

LOCK, TRY_LOCK, UNLOCK = _named("Lock.lock"), _named("Lock.tryLock"), _named("Lock.unlock")
FORCE_UNLOCK, IS_LOCKED = _named("Lock.forceUnlock"), _named("Lock.isLocked")
IS_MINE, COUNT = _named("Lock.isLockedByCurrentThread"), _named("Lock.getLockCount")
LEASE_LEFT = _named("Lock.getRemainingLeaseTime")


class LockOperations(ClientProxy):
    """Operations of a lock; the cluster releases the locks of a client that has disconnected."""

    service = "hz:impl:lockService"

    @operation
    def lock(self, *, lease: float | timedelta | None = None) -> Operation[None]:
        """Wait for the lock and acquire it.

        The client's timeout limits the wait: `client.within(None)` waits without limit. If the lock
        is granted after the caller has stopped waiting, the client releases it as soon as the reply
        arrives.

        Args:
            lease: Seconds after which the cluster releases the lock; None is without limit.
        """
        caller, next_id = self._caller_id(), self._cluster.next_reference_id
        arguments = milliseconds(lease, "lease", absent=UNSET), caller, next_id()
        yield from self._acquire(LOCK, *arguments, release=self._release(UNLOCK, caller, next_id()))

    @operation
    def try_lock(
        self, *, timeout: float | timedelta = 0.0, lease: float | timedelta | None = None
    ) -> Operation[bool]:
        """Take the lock if it is free within `timeout` seconds.

        Args:
            timeout: Seconds to wait for the lock.
            lease: Seconds after which the cluster releases the lock; None is without limit.

        Returns:
            True if the lock was taken.
        """
        caller, next_id = self._caller_id(), self._cluster.next_reference_id
        arguments = (
            caller,
            milliseconds(lease, "lease", absent=MAX_MILLIS),
            milliseconds(timeout, "timeout"),
            next_id(),
        )
        release = self._release(UNLOCK, caller, next_id())
        return (yield from self._acquire(TRY_LOCK, *arguments, release=release))

    @operation
    def unlock(self) -> Operation[None]:
        """Release the lock.

        Raises:
            IllegalMonitorState: the caller does not hold the lock.
        """
        yield from self._ask(UNLOCK, self._caller_id(), self._cluster.next_reference_id())

    @operation
    def force_unlock(self) -> Operation[None]:
        """Release the lock, regardless of its holder."""
        yield from self._ask(FORCE_UNLOCK, self._cluster.next_reference_id())

    @operation
    def is_locked(self) -> Operation[bool]:
        """Return whether any thread or task holds the lock.

        Returns:
            True if the lock is held.
        """
        locked: bool = yield from self._value(IS_LOCKED)
        return locked

    @operation
    def is_locked_by_caller(self) -> Operation[bool]:
        """Return whether the calling thread or task holds the lock.

        Returns:
            True if the caller holds the lock.
        """
        mine: bool = yield from self._value(IS_MINE, self._caller_id())
        return mine

    @operation
    def lock_count(self) -> Operation[int]:
        """Return the number of times that the holder has taken the lock.

        Returns:
            The number of times.
        """
        count: int = yield from self._value(COUNT)
        return count

    @operation
    def remaining_lease(self) -> Operation[float | None]:
        """Return the seconds until the cluster releases the lock.

        Returns:
            Seconds, or None if the lock has no lease.
        """
        left: int = yield from self._value(LEASE_LEFT)
        return None if left < 0 or left == MAX_MILLIS else left / 1000

    _enter_lock, _exit_lock = lock, unlock


class Lock(LockOperations, SyncLockContext, ThreadIdentity):
    """A lock of the cluster, for threads; a context manager."""


class AsyncLock(LockOperations, AsyncLockContext, TaskIdentity):
    """A lock of the cluster, for asyncio; an asynchronous context manager."""
