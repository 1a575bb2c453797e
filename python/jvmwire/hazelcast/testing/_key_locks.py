"""Locks of the keys of maps and multi-maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from jvmwire.hazelcast.testing._entries import identity
from jvmwire.hazelcast.testing._locks import NO_TIMEOUT_MS
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call
    from jvmwire.hazelcast.testing._locks import LockKey

T = TypeVar("T")


class KeyLocks(Service[T]):
    """Structures with keys that are locked, and the calls of clients for that."""

    def _lock_key(self, name: str, key: bytes) -> LockKey:
        return self.name, name, identity(key)

    def _check_lock(
        self,
        call: Call,
        name: str,
        key: bytes,
        thread_id: int,
        timeout: int = NO_TIMEOUT_MS,
        expired: object = None,
    ) -> None:
        """Let the call wait while another thread has the key's lock."""
        lock = self._lock_key(name, key)
        self._cluster.locks.check_free(lock, call.owner, thread_id, timeout, expired)

    def lock(
        self, call: Call, name: str, key: bytes, thread_id: int, lease: int, reference_id: int
    ) -> None:
        self._take_lock(call, name, key, thread_id, lease, NO_TIMEOUT_MS, reference_id)

    def try_lock(
        self,
        call: Call,
        name: str,
        key: bytes,
        thread_id: int,
        lease: int,
        timeout: int,
        reference_id: int,
    ) -> bool:
        return self._take_lock(call, name, key, thread_id, lease, max(0, timeout), reference_id)

    def _take_lock(
        self,
        call: Call,
        name: str,
        key: bytes,
        thread_id: int,
        lease: int,
        timeout: int,
        reference_id: int,
    ) -> bool:
        lock = self._lock_key(name, key)
        self._cluster.locks.check_free(lock, call.owner, thread_id, timeout, expired=False)
        return self._cluster.locks.take(lock, call.owner, thread_id, reference_id, lease)

    def unlock(self, call: Call, name: str, key: bytes, thread_id: int, reference_id: int) -> None:
        lock = self._lock_key(name, key)
        self._cluster.locks.release(lock, call.owner, thread_id, reference_id)

    def force_unlock(self, call: Call, name: str, key: bytes, reference_id: int) -> None:
        self._cluster.locks.force(self._lock_key(name, key))

    def is_locked(self, call: Call, name: str, key: bytes) -> bool:
        return self._cluster.locks.get(self._lock_key(name, key)) is not None
