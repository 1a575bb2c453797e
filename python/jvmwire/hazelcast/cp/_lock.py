"""FencedLock of the CP subsystem."""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import milliseconds
from jvmwire.hazelcast._proxies.thread_identity import (
    AsyncLockContext,
    SyncLockContext,
    TaskIdentity,
    ThreadIdentity,
)
from jvmwire.hazelcast.cp._proxy import CPProxy, ReleaseUnclaimed
from jvmwire.hazelcast.errors import (
    IllegalMonitorState,
    LockLimitReached,
    LockLost,
    SessionExpired,
    WaitCancelled,
)

if TYPE_CHECKING:
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.cp._sessions import CPSession, GroupId

_named = HazelcastMessage.named

LOCK, TRY_LOCK = _named("CPFencedLock.lock"), _named("CPFencedLock.tryLock")
UNLOCK, OWNERSHIP = _named("CPFencedLock.unlock"), _named("CPFencedLock.getLockOwnership")

NO_FENCE = 0
"""`FencedLock.INVALID_FENCE`."""


class _Ownership(NamedTuple):
    fence: int
    holds: int
    session_id: int
    thread_id: int


class FencedLockOperations(CPProxy):
    """Operations of a lock that is replicated by consensus of a CP group.

    Each acquisition returns a fence, a number greater than all before: the protected resource can
    reject a holder that has lost the lock without noticing. The lock is lost when the client's
    session ends; the next call of the former holder raises `LockLost`.
    """

    service = "hz:raft:lockService"

    @property
    def _locked(self) -> dict[int, CPSession]:
        """Session in which each thread id took the lock."""
        return self._cluster.shared(self.service, self._full_name, dict)

    @operation
    def lock(self) -> Operation[int]:
        """Wait for the lock and acquire it.

        The client's timeout limits the wait. If the lock is granted after the caller has stopped
        waiting, the client releases it as soon as the reply arrives.

        Returns:
            The fence.

        Raises:
            LockLimitReached: the caller holds the lock already, as often as the members allow.
            LockLost: the caller had the lock and has lost it.
        """
        fence = yield from self._acquire_fence(LOCK)
        if fence == NO_FENCE:
            raise LockLimitReached(
                f"{self.name} cannot be taken once more",
                "com.hazelcast.cp.lock.exception.LockAcquireLimitReachedException",
            )
        return fence

    @operation
    def try_lock(self, *, timeout: float | timedelta = 0.0) -> Operation[int | None]:
        """Take the lock if it is free within `timeout` seconds.

        Args:
            timeout: Seconds to wait for the lock.

        Returns:
            The fence, or None if the lock was not taken.

        Raises:
            LockLost: the caller had the lock and has lost it.
        """
        fence = yield from self._acquire_fence(TRY_LOCK, milliseconds(timeout, "timeout"))
        return None if fence == NO_FENCE else fence

    def _acquire_fence(self, message: HazelcastMessage, *rest: Any) -> Operation[int]:
        group, thread_id = yield from self._caller()
        invocation, sessions = uuid.uuid4(), self._sessions
        while True:
            session = yield from sessions.acquire(group)
            # A new invocation id: groups repeat their response to a known one.
            release = (group, self.name, session.id, thread_id, uuid.uuid4())
            undo = ReleaseUnclaimed(self._cluster, Request(UNLOCK, release, idempotent=True))
            arguments = session.id, thread_id, invocation, *rest
            try:
                self._verify(thread_id, session)
                fence: int = yield from self._ask(message, *arguments, release=undo)
            except SessionExpired:
                sessions.invalidate(group, session)
                self._verify(thread_id, None)
                continue
            except BaseException as error:
                sessions.release(session)
                if isinstance(error, WaitCancelled) and message is TRY_LOCK:
                    return NO_FENCE
                raise
            if fence == NO_FENCE:
                sessions.release(session)
            else:
                self._locked[thread_id] = session
                undo.forget = partial(self._note_unlock, session, thread_id)
            return fence

    def _note_unlock(
        self,
        session: CPSession,
        thread_id: int,
        still: bool,  # noqa: FBT001 - the group's response
    ) -> None:
        if not still:
            self._locked.pop(thread_id, None)
        self._sessions.release(session)

    @operation
    def unlock(self) -> Operation[None]:
        """Release the lock.

        Raises:
            IllegalMonitorState: the caller does not hold the lock.
            LockLost: the caller had the lock and has lost it.
        """
        group, thread_id = yield from self._caller()
        session = self._held_in(group, thread_id)
        try:
            still: bool = yield from self._ask(UNLOCK, session.id, thread_id, uuid.uuid4())
        except SessionExpired as error:
            self._sessions.invalidate(group, session)
            self._locked.pop(thread_id, None)
            raise self._lost(session) from error
        except IllegalMonitorState:
            self._locked.pop(thread_id, None)
            raise
        self._note_unlock(session, thread_id, still)

    @operation
    def get_fence(self) -> Operation[int]:
        """Return the fence of the lock that the caller holds.

        Returns:
            The fence.

        Raises:
            IllegalMonitorState: the caller does not hold the lock.
            LockLost: the caller had the lock and has lost it.
        """
        group, thread_id = yield from self._caller()
        session = self._held_in(group, thread_id)
        owner = yield from self._owner(group)
        if not _owns(owner, session, thread_id):
            self._verify(thread_id, None)
            raise self._not_owner_error()
        return owner.fence

    @operation
    def is_locked(self) -> Operation[bool]:
        """Return whether any thread or task holds the lock.

        Returns:
            True if the lock is held.

        Raises:
            LockLost: the caller had the lock and has lost it.
        """
        return (yield from self._ownership()).fence != NO_FENCE

    @operation
    def is_locked_by_caller(self) -> Operation[bool]:
        """Return whether the calling thread or task holds the lock.

        Returns:
            True if the caller holds the lock.

        Raises:
            LockLost: the caller had the lock and has lost it.
        """
        group, thread_id = yield from self._caller()
        owner = yield from self._ownership()
        return _owns(owner, self._sessions.current(group), thread_id)

    @operation
    def lock_count(self) -> Operation[int]:
        """Return the number of times that the holder has taken the lock.

        Returns:
            The number of times.

        Raises:
            LockLost: the caller had the lock and has lost it.
        """
        return (yield from self._ownership()).holds

    _enter_lock, _exit_lock = lock, unlock

    def _ownership(self) -> Operation[_Ownership]:
        """Return the ownership of the lock; raise `LockLost` if the caller has lost it."""
        group, thread_id = yield from self._caller()
        session = self._sessions.current(group)
        self._verify(thread_id, session)
        owner = yield from self._owner(group)
        if not _owns(owner, session, thread_id):
            self._verify(thread_id, None)
        return owner

    def _owner(self, group: GroupId) -> Operation[_Ownership]:
        request = Request(OWNERSHIP, (group, self.name), idempotent=True)
        return _Ownership(*(yield from self._cluster.call(request)))

    def _held_in(self, group: GroupId, thread_id: int) -> CPSession:
        session = self._sessions.current(group)
        self._verify(thread_id, session)
        if session is None:
            raise self._not_owner_error()
        return session

    def _verify(self, thread_id: int, session: CPSession | None) -> None:
        """Raise `LockLost` if the caller took the lock in another session."""
        locked = self._locked.get(thread_id)
        if locked is not None and locked is not session:
            del self._locked[thread_id]
            raise self._lost(locked)

    def _lost(self, session: CPSession) -> LockLost:
        return LockLost(
            f"{self.name} is lost: its group has ended session {session.id}",
            "com.hazelcast.cp.lock.exception.LockOwnershipLostException",
        )

    def _not_owner_error(self) -> IllegalMonitorState:
        return IllegalMonitorState(
            f"the caller does not hold {self.name}", "java.lang.IllegalMonitorStateException"
        )


def _owns(owner: _Ownership, session: CPSession | None, thread_id: int) -> bool:
    if session is None or owner.fence == NO_FENCE:
        return False
    return (owner.session_id, owner.thread_id) == (session.id, thread_id)


class FencedLock(FencedLockOperations, SyncLockContext, ThreadIdentity):
    """A lock of a CP group, for threads; a context manager."""


class AsyncFencedLock(FencedLockOperations, AsyncLockContext, TaskIdentity):
    """A lock of a CP group, for asyncio; an asynchronous context manager."""
