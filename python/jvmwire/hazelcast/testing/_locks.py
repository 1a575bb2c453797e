"""Locks of structures and of keys, which threads of clients own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._calls import Wait
from jvmwire.hazelcast.testing._limits import MAX_LOCKS, Budget, too_many, weight

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jvmwire.hazelcast.testing._timers import Timer, Timers

    LockKey = tuple[str, str, bytes]
    """Java service, name of the structure, and identity of the locked key, empty for the whole."""

K = TypeVar("K")

UNLIMITED = (1 << 63) - 1
"""Milliseconds of a lease without end (`Long.MAX_VALUE`)."""
NO_TIMEOUT_MS = -1
"""Milliseconds that a call waits without end."""


class Lock:
    """A lock that is held: `LockResourceImpl`.

    Args:
        owner: UUID of the client that holds it.
        thread_id: Id of the client's thread that holds it.
    """

    __slots__ = ("count", "expires", "owner", "reference_id", "thread_id", "timer")

    def __init__(self, owner: str, thread_id: int) -> None:
        self.owner, self.thread_id = owner, thread_id
        self.count = 0
        self.reference_id: int | None = None
        """Id of the last request, by which a repeated one is known."""
        self.expires = UNLIMITED
        self.timer: Timer | None = None


class Locks:
    """All locks that are held, by structure and key.

    Args:
        timers: The timers of the double.
        budget: The limits of what it holds.
        now: Returns the time.
        notify: Is called with the key that calls wait for, when a lock is free.
    """

    def __init__(
        self,
        timers: Timers,
        budget: Budget,
        now: Callable[[], int],
        notify: Callable[[Hashable], None],
    ) -> None:
        self._timers, self._budget, self._now, self._notify = timers, budget, now, notify
        self._locks: dict[LockKey, Lock] = {}
        self._owned: dict[str, set[LockKey]] = {}
        self._of_structures: dict[tuple[str, str], set[LockKey]] = {}

    def get(self, key: LockKey) -> Lock | None:
        """Return a lock that is held.

        Args:
            key: The key of the lock.

        Returns:
            The lock, or None if nobody holds it.
        """
        return self._locks.get(key)

    def is_free_for(self, key: LockKey, owner: str, thread_id: int) -> bool:
        """Return whether a thread may change what a lock protects.

        Args:
            key: The key of the lock.
            owner: UUID of the client.
            thread_id: Id of its thread.

        Returns:
            Whether nobody holds the lock, or the thread does.
        """
        lock = self._locks.get(key)
        return lock is None or (lock.owner == owner and lock.thread_id == thread_id)

    def check_free(
        self,
        key: LockKey,
        owner: str,
        thread_id: int,
        timeout: int = NO_TIMEOUT_MS,
        expired: object = None,
    ) -> None:
        """Let a call wait until a thread may change what a lock protects.

        Args:
            key: The key of the lock.
            owner: UUID of the client.
            thread_id: Id of its thread.
            timeout: Milliseconds that it waits. Default: -1, for ever.
            expired: Its result after that time.

        Raises:
            Wait: another thread holds the lock.
        """
        if not self.is_free_for(key, owner, thread_id):
            raise Wait(("lock", key), timeout, expired)

    def take(self, key: LockKey, owner: str, thread_id: int, reference_id: int, lease: int) -> bool:
        """Take a lock, perhaps again.

        Args:
            key: The key of the lock.
            owner: UUID of the client.
            thread_id: Id of its thread.
            reference_id: Id of the request; a repeated one changes nothing.
            lease: Milliseconds until it is released; below 1 it is not.

        Returns:
            Whether the thread has the lock.

        Raises:
            HazelcastError: too many locks are held.
        """
        lock = self._locks.get(key)
        if lock is None:
            if len(self._locks) >= MAX_LOCKS:
                raise too_many(MAX_LOCKS, "locks")
            self._budget.take(0, weight(key))
            lock = self._locks[key] = Lock(owner, thread_id)
            self._owned.setdefault(owner, set()).add(key)
            self._of_structures.setdefault(key[:2], set()).add(key)
        elif lock.owner != owner or lock.thread_id != thread_id:
            return False
        elif lock.reference_id == reference_id:
            return True
        lock.reference_id = reference_id
        lock.count += 1
        self._set_lease(key, lock, lease)
        return True

    def _set_lease(self, key: LockKey, lock: Lock, lease: int) -> None:
        if lock.timer is not None:
            lock.timer.cancel()
            lock.timer = None
        now = self._now()
        if not 0 < lease < UNLIMITED - now:
            lock.expires = UNLIMITED
            return
        lock.expires = now + lease
        lock.timer = self._timers.at(lock.expires, lambda: self._free(key))

    def release(self, key: LockKey, owner: str, thread_id: int, reference_id: int) -> None:
        """Release a lock once.

        Args:
            key: The key of the lock.
            owner: UUID of the client.
            thread_id: Id of its thread.
            reference_id: Id of the request; a repeated one changes nothing.

        Raises:
            HazelcastError: the thread does not hold the lock.
        """
        lock = self._locks.get(key)
        if lock is None or lock.owner != owner or lock.thread_id != thread_id:
            held = "not locked" if lock is None else f"locked by {lock.owner}"
            raise java.refuse(
                java.ILLEGAL_MONITOR_STATE,
                f"Current thread is not owner of the lock! -> it is {held}",
            )
        if lock.reference_id == reference_id:
            return
        lock.reference_id = reference_id
        lock.count -= 1
        if not lock.count:
            self._free(key)

    def force(self, key: LockKey) -> None:
        """Release a lock whoever holds it.

        Args:
            key: The key of the lock.
        """
        self._free(key)

    def remaining_lease(self, key: LockKey) -> int:
        """Return how long a lock is held still.

        Args:
            key: The key of the lock.

        Returns:
            Milliseconds; -1 if nobody holds it.
        """
        lock = self._locks.get(key)
        return -1 if lock is None else max(0, lock.expires - self._now())

    def release_all_of(self, owner: str) -> None:
        """Release the locks of a client that is gone.

        Args:
            owner: UUID of the client.
        """
        for key in list(self._owned.get(owner, ())):
            self._free(key)

    def force_all_of(self, service: str, name: str) -> list[Hashable]:
        """Release the locks of a structure that is destroyed.

        Args:
            service: Name of its Java service.
            name: Its name.

        Returns:
            What calls may wait for that want these locks.
        """
        keys = list(self._of_structures.get((service, name), ()))
        for key in keys:
            self._free(key)
        return [("lock", key) for key in keys]

    def _free(self, key: LockKey) -> None:
        lock = self._locks.pop(key, None)
        if lock is None:
            return
        self._budget.give_back(0, weight(key))
        if lock.timer is not None:
            lock.timer.cancel()
        _discard(self._owned, lock.owner, key)
        _discard(self._of_structures, key[:2], key)
        self._notify(("lock", key))


def _discard(index: dict[K, set[LockKey]], at: K, key: LockKey) -> None:
    keys = index[at]
    keys.discard(key)
    if not keys:
        del index[at]
