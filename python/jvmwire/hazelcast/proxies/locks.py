"""ILock: held by one thread, or in asyncio by one task, of one client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.proxies.holder import AsyncHeld, SyncHeld
from jvmwire.hazelcast.proxies.proxy import (
    FOREVER,
    UNSET,
    AsyncProxy,
    Proxy,
    SyncProxy,
    milliseconds,
)

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

LOCK, TRY_LOCK, UNLOCK = _named("Lock.lock"), _named("Lock.tryLock"), _named("Lock.unlock")
FORCE_UNLOCK, IS_LOCKED = _named("Lock.forceUnlock"), _named("Lock.isLocked")
IS_MINE, COUNT = _named("Lock.isLockedByCurrentThread"), _named("Lock.getLockCount")
LEASE_LEFT = _named("Lock.getRemainingLeaseTime")


class LockOperations(Proxy):
    """What can be done with a lock. The cluster frees what a client held that is gone."""

    service = "hz:impl:lockService"

    @operation
    def lock(self, *, lease: float | None = None) -> Operation[None]:
        """Wait for the lock and take it; it frees itself after `lease` seconds.

        How long this waits, the client's timeout says: `client.within(None)` waits for ever.
        What is granted to who waits no longer is given back as soon as the client hears of it.
        """
        caller, next_id = self._caller_id(), self._cluster.next_reference_id
        told = milliseconds(lease, "lease", absent=UNSET), caller, next_id()
        yield from self._take(LOCK, *told, release=self._release(UNLOCK, caller, next_id()))

    @operation
    def try_lock(self, *, timeout: float = 0.0, lease: float | None = None) -> Operation[bool]:
        """Take the lock if it is free within `timeout` seconds."""
        caller, next_id = self._caller_id(), self._cluster.next_reference_id
        told = (
            caller,
            milliseconds(lease, "lease", absent=FOREVER),
            milliseconds(timeout, "timeout"),
            next_id(),
        )
        release = self._release(UNLOCK, caller, next_id())
        return (yield from self._take(TRY_LOCK, *told, release=release))

    @operation
    def unlock(self) -> Operation[None]:
        """Give the lock back.

        Raises:
            IllegalMonitorState: the caller does not hold it.
        """
        yield from self._ask(UNLOCK, self._caller_id(), self._cluster.next_reference_id())

    @operation
    def force_unlock(self) -> Operation[None]:
        """Free the lock, whoever holds it."""
        yield from self._ask(FORCE_UNLOCK, self._cluster.next_reference_id())

    @operation
    def is_locked(self) -> Operation[bool]:
        """Return whether anyone holds the lock."""
        locked: bool = yield from self._value(IS_LOCKED)
        return locked

    @operation
    def is_locked_by_caller(self) -> Operation[bool]:
        """Return whether the caller holds the lock."""
        mine: bool = yield from self._value(IS_MINE, self._caller_id())
        return mine

    @operation
    def lock_count(self) -> Operation[int]:
        """Return how often its holder has taken the lock."""
        count: int = yield from self._value(COUNT)
        return count

    @operation
    def remaining_lease(self) -> Operation[float | None]:
        """Return after how many seconds the lock frees itself; None is never."""
        left: int = yield from self._value(LEASE_LEFT)
        return None if left < 0 or left == FOREVER else left / 1000

    _take_hold, _let_go = lock, unlock


class Lock(LockOperations, SyncHeld, SyncProxy):
    """A lock of the cluster, for threads; a context manager."""


class AsyncLock(LockOperations, AsyncHeld, AsyncProxy):
    """A lock of the cluster, for asyncio; an asynchronous context manager."""
