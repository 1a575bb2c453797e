"""CP subsystem of members from 3.12 on: data structures replicated by consensus of a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.cp._lock import AsyncFencedLock, FencedLock
from jvmwire.hazelcast.cp._semaphore import AsyncCPSemaphore, CPSemaphore
from jvmwire.hazelcast.cp._values import (
    AsyncCPAtomicLong,
    AsyncCPAtomicReference,
    AsyncCPCountDownLatch,
    CPAtomicLong,
    CPAtomicReference,
    CPCountDownLatch,
)

if TYPE_CHECKING:
    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire.hazelcast._cluster import Cluster


class CPSubsystem:
    """The structures of a cluster's CP groups, for threads.

    A name is that of a structure in the group `default`, or `structure@group`; the cluster
    creates a group
    that does not exist.

    Args:
        client: Client that runs the operations.
        cluster: Cluster of the client.
    """

    def __init__(self, client: SyncCaller, cluster: Cluster) -> None:
        self._client, self._cluster = client, cluster

    def get_atomic_long(self, name: str) -> CPAtomicLong:
        """Return a proxy of the atomic 64-bit integer `name`.

        Args:
            name: Name of the integer, or `name@group`.

        Returns:
            The proxy.
        """
        return CPAtomicLong(self._client, self._cluster, name)

    def get_atomic_reference(self, name: str) -> CPAtomicReference:
        """Return a proxy of the atomic reference `name`.

        Args:
            name: Name of the reference, or `name@group`.

        Returns:
            The proxy.
        """
        return CPAtomicReference(self._client, self._cluster, name)

    def get_count_down_latch(self, name: str) -> CPCountDownLatch:
        """Return a proxy of the count-down latch `name`.

        Args:
            name: Name of the latch, or `name@group`.

        Returns:
            The proxy.
        """
        return CPCountDownLatch(self._client, self._cluster, name)

    def get_semaphore(self, name: str) -> CPSemaphore:
        """Return a proxy of the semaphore `name`.

        Args:
            name: Name of the semaphore, or `name@group`.

        Returns:
            The proxy.
        """
        return CPSemaphore(self._client, self._cluster, name)

    def get_lock(self, name: str) -> FencedLock:
        """Return a proxy of the fenced lock `name`.

        Args:
            name: Name of the lock, or `name@group`.

        Returns:
            The proxy.
        """
        return FencedLock(self._client, self._cluster, name)


class AsyncCPSubsystem:
    """The structures of a cluster's CP groups, for asyncio; see `CPSubsystem`.

    Args:
        client: Client that runs the operations.
        cluster: Cluster of the client.
    """

    def __init__(self, client: AsyncCaller, cluster: Cluster) -> None:
        self._client, self._cluster = client, cluster

    def get_atomic_long(self, name: str) -> AsyncCPAtomicLong:
        """Return a proxy of the atomic 64-bit integer `name`.

        Args:
            name: Name of the integer, or `name@group`.

        Returns:
            The proxy.
        """
        return AsyncCPAtomicLong(self._client, self._cluster, name)

    def get_atomic_reference(self, name: str) -> AsyncCPAtomicReference:
        """Return a proxy of the atomic reference `name`.

        Args:
            name: Name of the reference, or `name@group`.

        Returns:
            The proxy.
        """
        return AsyncCPAtomicReference(self._client, self._cluster, name)

    def get_count_down_latch(self, name: str) -> AsyncCPCountDownLatch:
        """Return a proxy of the count-down latch `name`.

        Args:
            name: Name of the latch, or `name@group`.

        Returns:
            The proxy.
        """
        return AsyncCPCountDownLatch(self._client, self._cluster, name)

    def get_semaphore(self, name: str) -> AsyncCPSemaphore:
        """Return a proxy of the semaphore `name`.

        Args:
            name: Name of the semaphore, or `name@group`.

        Returns:
            The proxy.
        """
        return AsyncCPSemaphore(self._client, self._cluster, name)

    def get_lock(self, name: str) -> AsyncFencedLock:
        """Return a proxy of the fenced lock `name`.

        Args:
            name: Name of the lock, or `name@group`.

        Returns:
            The proxy.
        """
        return AsyncFencedLock(self._client, self._cluster, name)
