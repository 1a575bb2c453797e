"""Locks, semaphores and latches of a double: `com.hazelcast.concurrent`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._calls import Wait
from jvmwire.hazelcast.testing._java_numbers import wrapped
from jvmwire.hazelcast.testing._locks import NO_TIMEOUT_MS
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call
    from jvmwire.hazelcast.testing._locks import LockKey


class LockService(Service[None]):
    """Locks, and the calls of clients to them."""

    name = "hz:impl:lockService"

    def _key(self, name: str) -> LockKey:
        return self.name, name, b""

    def lock(self, call: Call, name: str, lease: int, thread_id: int, reference_id: int) -> None:
        self._take(call, name, thread_id, lease, NO_TIMEOUT_MS, reference_id)

    def try_lock(
        self, call: Call, name: str, thread_id: int, lease: int, timeout: int, reference_id: int
    ) -> bool:
        return self._take(call, name, thread_id, lease, max(0, timeout), reference_id)

    def _take(
        self, call: Call, name: str, thread_id: int, lease: int, timeout: int, reference_id: int
    ) -> bool:
        key, locks = self._key(name), self._cluster.locks
        locks.check_free(key, call.owner, thread_id, timeout, expired=False)
        return locks.take(key, call.owner, thread_id, reference_id, lease)

    def unlock(self, call: Call, name: str, thread_id: int, reference_id: int) -> None:
        self._cluster.locks.release(self._key(name), call.owner, thread_id, reference_id)

    def force_unlock(self, call: Call, name: str, reference_id: int) -> None:
        self._cluster.locks.force(self._key(name))

    def is_locked(self, call: Call, name: str) -> bool:
        return self._cluster.locks.get(self._key(name)) is not None

    def is_locked_by_current_thread(self, call: Call, name: str, thread_id: int) -> bool:
        lock = self._cluster.locks.get(self._key(name))
        return lock is not None and (lock.owner, lock.thread_id) == (call.owner, thread_id)

    def get_lock_count(self, call: Call, name: str) -> int:
        lock = self._cluster.locks.get(self._key(name))
        return 0 if lock is None else lock.count

    def get_remaining_lease_time(self, call: Call, name: str) -> int:
        return self._cluster.locks.remaining_lease(self._key(name))


class Semaphore:
    """A semaphore: `SemaphoreContainer`."""

    def __init__(self) -> None:
        self.available = 0
        self.is_initialized = False
        self.taken: dict[str, int] = {}
        """Permits by the UUID of the client that has them."""


class Semaphores(Service[Semaphore]):
    """Semaphores, and the calls of clients to them."""

    name = "hz:impl:semaphoreService"

    def _new(self, name: str) -> Semaphore:
        return Semaphore()

    def _add(self, name: str, permits: int) -> None:
        found = self._find(name)
        found.available = wrapped(found.available + permits, 32)
        found.is_initialized = True
        self._cluster.waiting.notify((self.name, name))

    def init(self, call: Call, name: str, permits: int) -> bool:
        found = self._find(name)
        if found.is_initialized or found.available:
            return False
        self._add(name, permits)
        return True

    def acquire(self, call: Call, name: str, permits: int) -> None:
        self._acquire(call, name, permits, NO_TIMEOUT_MS)

    def try_acquire(self, call: Call, name: str, permits: int, timeout: int) -> bool:
        return self._acquire(call, name, permits, max(0, timeout))

    def _acquire(self, call: Call, name: str, permits: int, timeout: int) -> bool:
        found = self._find(name)
        if permits < 0:
            raise java.refuse(java.ILLEGAL_ARGUMENT, f"permits must not be negative, got {permits}")
        if found.available < max(permits, 1):  # as members, even if no permit is asked for
            raise Wait((self.name, name), timeout, expired=False)
        found.available -= permits
        found.taken[call.owner] = found.taken.get(call.owner, 0) + permits
        return True

    def release(self, call: Call, name: str, permits: int) -> None:
        taken = self._find(name).taken
        left = taken.pop(call.owner, 0) - permits
        if left > 0:
            taken[call.owner] = left
        self._add(name, permits)

    def available_permits(self, call: Call, name: str) -> int:
        return self._find(name).available

    def drain_permits(self, call: Call, name: str) -> int:
        found = self._find(name)
        drained, found.available = found.available, 0
        if drained > 0:
            found.taken[call.owner] = found.taken.get(call.owner, 0) + drained
        return drained

    def reduce_permits(self, call: Call, name: str, reduction: int) -> None:
        found = self._find(name)
        found.available = wrapped(found.available - reduction, 32)

    def increase_permits(self, call: Call, name: str, increase: int) -> None:
        if increase:
            self._add(name, increase)

    def forget_client(self, owner: str) -> None:
        """Give back the permits of a client that is gone.

        Args:
            owner: UUID of the client.
        """
        for name, found in self._structures.items():
            if permits := found.taken.pop(owner, 0):
                self._add(name, permits)


class CountDownLatches(Service[list[int]]):
    """Latches, each a list of its count, and the calls of clients to them."""

    name = "hz:impl:countDownLatchService"

    def _new(self, name: str) -> list[int]:
        return [0]

    def try_set_count(self, call: Call, name: str, count: int) -> bool:
        latch = self._find(name)
        if latch[0] > 0 or count <= 0:
            return False
        latch[0] = count
        return True

    def get_count(self, call: Call, name: str) -> int:
        return self._find(name)[0]

    def count_down(self, call: Call, name: str) -> None:
        latch = self._find(name)
        latch[0] = max(0, latch[0] - 1)
        self._cluster.waiting.notify((self.name, name))

    def await_(self, call: Call, name: str, timeout: int) -> bool:
        if self._find(name)[0]:
            raise Wait((self.name, name), max(0, timeout), expired=False)
        return True
