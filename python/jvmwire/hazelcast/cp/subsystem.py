"""The CP subsystem of members from 3.12 on: structures that a majority of a group agrees on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.cp.lock import AsyncFencedLock, FencedLock
from jvmwire.hazelcast.cp.semaphore import AsyncCPSemaphore, CPSemaphore
from jvmwire.hazelcast.cp.values import (
    AsyncCPAtomicLong,
    AsyncCPAtomicReference,
    AsyncCPCountDownLatch,
    CPAtomicLong,
    CPAtomicReference,
    CPCountDownLatch,
)

if TYPE_CHECKING:
    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire.hazelcast.cluster import Cluster


class CPSubsystem:
    """The structures of a cluster's CP groups, for threads.

    A name is a structure's in the group `default`, or `structure@group`; the cluster makes a group
    that it does not have.
    """

    def __init__(self, client: SyncCaller, cluster: Cluster) -> None:
        self._client, self._cluster = client, cluster

    def get_atomic_long(self, name: str) -> CPAtomicLong:
        """Return the number of that name."""
        return CPAtomicLong(self._client, self._cluster, name)

    def get_atomic_reference(self, name: str) -> CPAtomicReference:
        """Return the value of that name."""
        return CPAtomicReference(self._client, self._cluster, name)

    def get_count_down_latch(self, name: str) -> CPCountDownLatch:
        """Return the latch of that name."""
        return CPCountDownLatch(self._client, self._cluster, name)

    def get_semaphore(self, name: str) -> CPSemaphore:
        """Return the semaphore of that name."""
        return CPSemaphore(self._client, self._cluster, name)

    def get_lock(self, name: str) -> FencedLock:
        """Return the lock of that name."""
        return FencedLock(self._client, self._cluster, name)


class AsyncCPSubsystem:
    """The same structures, for asyncio."""

    def __init__(self, client: AsyncCaller, cluster: Cluster) -> None:
        self._client, self._cluster = client, cluster

    def get_atomic_long(self, name: str) -> AsyncCPAtomicLong:
        """Return the number of that name."""
        return AsyncCPAtomicLong(self._client, self._cluster, name)

    def get_atomic_reference(self, name: str) -> AsyncCPAtomicReference:
        """Return the value of that name."""
        return AsyncCPAtomicReference(self._client, self._cluster, name)

    def get_count_down_latch(self, name: str) -> AsyncCPCountDownLatch:
        """Return the latch of that name."""
        return AsyncCPCountDownLatch(self._client, self._cluster, name)

    def get_semaphore(self, name: str) -> AsyncCPSemaphore:
        """Return the semaphore of that name."""
        return AsyncCPSemaphore(self._client, self._cluster, name)

    def get_lock(self, name: str) -> AsyncFencedLock:
        """Return the lock of that name."""
        return AsyncFencedLock(self._client, self._cluster, name)
