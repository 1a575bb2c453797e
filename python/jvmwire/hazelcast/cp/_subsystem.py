"""CP subsystem of members from 3.12 on: data structures replicated by consensus of a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._runtime.client import AsyncResource, Caller, Either, Resource, SyncResource, factory
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
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.cp._sessions import Sessions


class CPSubsystemMethods(Resource):
    """The structures of a cluster's CP groups.

    A name is that of a structure in the group `default`, or `structure@group`; the cluster creates
    a group that does not exist.

    Args:
        client: Client that runs the operations.
        cluster: Invoker of the client.
        sessions: Sessions of the client in the CP groups.
    """

    def __init__(self, client: Caller, cluster: Invoker, sessions: Sessions) -> None:
        super().__init__(client)
        self._cluster, self._sessions = cluster, sessions

    @factory
    def get_atomic_long(self, name: str) -> Either[CPAtomicLong, AsyncCPAtomicLong]:
        """Return a proxy of the atomic 64-bit integer `name`.

        Args:
            name: Name of the integer, or `name@group`.

        Returns:
            The proxy.
        """
        return self._styled(CPAtomicLong, AsyncCPAtomicLong)(
            self._client, self._cluster, self._sessions, name
        )

    @factory
    def get_atomic_reference(self, name: str) -> Either[CPAtomicReference, AsyncCPAtomicReference]:
        """Return a proxy of the atomic reference `name`.

        Args:
            name: Name of the reference, or `name@group`.

        Returns:
            The proxy.
        """
        return self._styled(CPAtomicReference, AsyncCPAtomicReference)(
            self._client, self._cluster, self._sessions, name
        )

    @factory
    def get_count_down_latch(self, name: str) -> Either[CPCountDownLatch, AsyncCPCountDownLatch]:
        """Return a proxy of the count-down latch `name`.

        Args:
            name: Name of the latch, or `name@group`.

        Returns:
            The proxy.
        """
        return self._styled(CPCountDownLatch, AsyncCPCountDownLatch)(
            self._client, self._cluster, self._sessions, name
        )

    @factory
    def get_semaphore(self, name: str) -> Either[CPSemaphore, AsyncCPSemaphore]:
        """Return a proxy of the semaphore `name`.

        Args:
            name: Name of the semaphore, or `name@group`.

        Returns:
            The proxy.
        """
        return self._styled(CPSemaphore, AsyncCPSemaphore)(
            self._client, self._cluster, self._sessions, name
        )

    @factory
    def get_lock(self, name: str) -> Either[FencedLock, AsyncFencedLock]:
        """Return a proxy of the fenced lock `name`.

        Args:
            name: Name of the lock, or `name@group`.

        Returns:
            The proxy.
        """
        return self._styled(FencedLock, AsyncFencedLock)(
            self._client, self._cluster, self._sessions, name
        )


class CPSubsystem(CPSubsystemMethods, SyncResource):
    """The structures of a cluster's CP groups, for threads."""


class AsyncCPSubsystem(CPSubsystemMethods, AsyncResource):
    """The structures of a cluster's CP groups, for asyncio."""
