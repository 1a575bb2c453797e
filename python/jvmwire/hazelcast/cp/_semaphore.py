"""ISemaphore of the CP subsystem."""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import Caller, operation
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import milliseconds
from jvmwire.hazelcast._proxies.thread_identity import (
    AsyncLockContext,
    SyncLockContext,
    TaskIdentity,
    ThreadIdentity,
)
from jvmwire.hazelcast.cp._proxy import CPProxy, ReleaseUnclaimed
from jvmwire.hazelcast.cp._sessions import NO_SESSION
from jvmwire.hazelcast.errors import IllegalState, SessionExpired

if TYPE_CHECKING:
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.cp._sessions import CPSession, Sessions

_named = HazelcastMessage.named

INIT, ACQUIRE = _named("CPSemaphore.init"), _named("CPSemaphore.acquire")
RELEASE, DRAIN = _named("CPSemaphore.release"), _named("CPSemaphore.drain")
CHANGE, AVAILABLE = _named("CPSemaphore.change"), _named("CPSemaphore.availablePermits")
TYPE = _named("CPSemaphore.getSemaphoreType")

NO_TIMEOUT_MS = -1
"""Milliseconds that mean no limit."""
DRAINING = 1024
"""Permits counted for a session while a drain is in flight: `DRAIN_SESSION_ACQ_COUNT`."""


class CPSemaphoreOperations(CPProxy):
    """Operations of a semaphore that is replicated by consensus of a CP group.

    Permits belong to the client's session: they are free again when the session ends, and only a
    session that has taken permits can release them. On members configured as `jdk-compatible`,
    permits have no owner.
    """

    service = "hz:raft:semaphoreService"

    def __init__(self, client: Caller, cluster: Invoker, sessions: Sessions, name: str) -> None:
        super().__init__(client, cluster, sessions, name)
        self._sessionless: bool | None = None

    @operation
    def init(self, permits: int) -> Operation[bool]:
        """Set the number of permits, if no call has set it yet.

        Args:
            permits: Number of permits, from 0.

        Returns:
            True if this call set it.
        """
        return bool((yield from self._ask(INIT, at_least("permits", permits, 0))))

    @operation
    def acquire(self, permits: int = 1) -> Operation[None]:
        """Wait for permits and take them; the client's timeout limits the wait.

        Permits that are granted after the caller has stopped waiting are released as soon as the
        reply arrives; if it never arrives, permits without an owner (`jdk-compatible`) are lost.

        Args:
            permits: Number of permits, from 1.
        """
        yield from self._acquire(at_least("permits", permits, 1), NO_TIMEOUT_MS)

    @operation
    def try_acquire(self, permits: int = 1, *, timeout: float | timedelta = 0.0) -> Operation[bool]:
        """Take permits if they are free within `timeout` seconds.

        Args:
            permits: Number of permits, from 1.
            timeout: Seconds to wait.

        Returns:
            True if the permits were taken.
        """
        return (
            yield from self._acquire(
                at_least("permits", permits, 1), milliseconds(timeout, "timeout")
            )
        )

    def _acquire(self, permits: int, timeout: int) -> Operation[bool]:
        def held(acquired: bool) -> int:  # noqa: FBT001 - the group's response
            return permits if acquired else 0

        rest = (permits, timeout)
        return bool((yield from self._in_session(ACQUIRE, *rest, claim=permits, held=held)))

    @operation
    def release(self, permits: int = 1) -> Operation[None]:
        """Release permits.

        Args:
            permits: Number of permits, from 1.

        Raises:
            IllegalState: the client does not hold as many permits, or no longer.
        """
        permits = at_least("permits", permits, 1)
        group, thread_id = yield from self._caller()
        if (yield from self._is_sessionless()):
            yield from self._ask(RELEASE, NO_SESSION, thread_id, uuid.uuid4(), permits)
            return
        if (session := self._sessions.current(group)) is None:
            raise self._no_session()
        try:
            yield from self._ask(RELEASE, session.id, thread_id, uuid.uuid4(), permits)
        except SessionExpired as error:
            self._sessions.invalidate(group, session)
            raise self._no_session() from error
        self._sessions.release(session, permits)

    @operation
    def drain_permits(self) -> Operation[int]:
        """Take all free permits.

        Returns:
            The number of permits taken.
        """
        return int((yield from self._in_session(DRAIN, claim=DRAINING, held=int)))

    @operation
    def reduce_permits(self, reduction: int) -> Operation[None]:
        """Decrease the number of free permits, which may become negative.

        Args:
            reduction: Number of permits to remove, from 0.
        """
        change = -at_least("reduction", reduction, 0)
        yield from self._in_session(CHANGE, change, claim=1, held=_nothing)

    @operation
    def increase_permits(self, increase: int) -> Operation[None]:
        """Increase the number of free permits.

        Args:
            increase: Number of permits to add, from 0.
        """
        change = at_least("increase", increase, 0)
        yield from self._in_session(CHANGE, change, claim=1, held=_nothing)

    @operation
    def available_permits(self) -> Operation[int]:
        """Return the number of free permits.

        Returns:
            The number of permits.
        """
        return int((yield from self._ask(AVAILABLE)))

    _enter_lock, _exit_lock = acquire, release

    def _in_session(
        self, message: HazelcastMessage, *rest: Any, claim: int, held: Any
    ) -> Operation[Any]:
        """Make a call in a session that holds `claim` meanwhile, then `held(answer)`."""
        group, thread_id = yield from self._caller()
        invocation = uuid.uuid4()

        def release_in(session_id: int) -> ReleaseUnclaimed | None:
            if message is not ACQUIRE:
                return None
            fields = (group, self.name, session_id, thread_id, uuid.uuid4(), claim)
            return ReleaseUnclaimed(self._cluster, Request(RELEASE, fields, idempotent=True))

        if (yield from self._is_sessionless()):
            arguments = NO_SESSION, thread_id, invocation, *rest
            return (yield from self._ask(message, *arguments, release=release_in(NO_SESSION)))
        while True:
            session = yield from self._sessions.acquire(group, claim)
            arguments = session.id, thread_id, invocation, *rest
            release = release_in(session.id)
            try:
                answer = yield from self._ask(message, *arguments, release=release)
            except SessionExpired:
                self._sessions.invalidate(group, session)
            except BaseException:
                self._sessions.release(session, claim)
                raise
            else:
                self._sessions.release(session, claim - held(answer))
                if release is not None:
                    release.forget = partial(self._note_release, session, claim)
                return answer

    def _note_release(self, session: CPSession, permits: int, _: object) -> None:
        self._sessions.release(session, permits)

    def _is_sessionless(self) -> Operation[bool]:
        if self._sessionless is None:
            request = Request(TYPE, (self._full_name,), idempotent=True)
            [self._sessionless] = yield from self._cluster.call(request)
        return bool(self._sessionless)

    def _no_session(self) -> IllegalState:
        return IllegalState(f"no permit of {self.name} is held", "java.lang.IllegalStateException")


def _nothing(_: object) -> int:
    return 0


class CPSemaphore(CPSemaphoreOperations, SyncLockContext, ThreadIdentity):
    """A semaphore of a CP group, for threads; a context manager of one permit."""


class AsyncCPSemaphore(CPSemaphoreOperations, AsyncLockContext, TaskIdentity):
    """A semaphore of a CP group, for asyncio; an asynchronous context manager of one permit."""
