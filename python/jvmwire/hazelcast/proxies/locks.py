"""ILock: held by one thread, or in asyncio by one task, of one client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire.client import operation
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
    from jvmwire.operations import Operation

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

        How long this waits, the client's timeout says: `client.within(None)` waits for ever. Who
        waits no longer may get the lock all the same, and holds it until he gives it back or the
        client is closed: `try_lock` waits on the member's side.
        """
        told = milliseconds(lease, absent=UNSET), self._caller_id()
        yield from self._ask(LOCK, *told, self._cluster.next_reference_id())

    @operation
    def try_lock(self, *, timeout: float = 0.0, lease: float | None = None) -> Operation[bool]:
        """Take the lock if it is free within `timeout` seconds."""
        times = milliseconds(lease, absent=FOREVER), milliseconds(timeout)
        reference_id = self._cluster.next_reference_id()
        done: bool = yield from self._value(TRY_LOCK, self._caller_id(), *times, reference_id)
        return done

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
