"""Sessions of a client in CP groups, kept alive by heartbeats while they hold locks or permits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import Join, Sleep, Spawn
from jvmwire.errors import JvmWireError
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast.errors import GroupDestroyed, SessionExpired

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation, Task
    from jvmwire.hazelcast._invoker import Invoker

    GroupId = dict[str, Any]
    """Name, seed and commit index: as `RaftGroupId` on the wire."""

_named = HazelcastMessage.named

_CREATE_GROUP = _named("CPGroup.createCPGroup")
_CREATE, _CLOSE = _named("CPSession.createSession"), _named("CPSession.closeSession")
_HEARTBEAT = _named("CPSession.heartbeatSession")
_GENERATE_THREAD_ID = _named("CPSession.generateThreadId")

NO_SESSION = -1
"""`AbstractProxySessionManager.NO_SESSION_ID`."""
MAX_CALLERS = 1 << 17
"""Threads and tasks whose ids are kept. (Chosen by jvmwire.) A caller that was not seen while so
many others were gets a new id, and no longer holds anything."""

_log = get_logger("jvmwire.connection")


@dataclass(eq=False, slots=True)
class CPSession:
    """Session of a client in one group."""

    id: int
    group: GroupId
    held: int = 0
    """Number of locks and permits that are held or requested in the session."""
    heartbeat: Task | None = None
    """Task of the last heartbeat."""


class Sessions:
    """A client's groups, its sessions in them, and the ids of its threads.

    A session that holds nothing at a heartbeat is closed; the next request that needs one
    creates another.
    """

    def __init__(self, cluster: Invoker) -> None:
        self._cluster = cluster
        self._groups: dict[str, GroupId] = {}
        self._sessions: dict[str, CPSession] = {}
        self._creating: dict[str, Task] = {}
        self._thread_ids: dict[tuple[str, int], int] = {}
        self._heart: Task | None = None

    def group(self, name: str, proxy_name: str) -> Operation[GroupId]:
        """Return the id of a group; the cluster creates it if it does not exist.

        Args:
            name: Name of the group.
            proxy_name: Full name of the structure, `structure@group`.

        Returns:
            The id.
        """
        if (known := self._groups.get(name)) is None:
            yield from self._cluster.ready()
            request = Request(_CREATE_GROUP, (proxy_name,), idempotent=True)
            [known] = yield from self._cluster.call(request)
            self._groups[name] = known
        return known

    def forget_group(self, name: str) -> None:
        """Note that a group was destroyed: another of its name has another id."""
        self._groups.pop(name, None)
        self._sessions.pop(name, None)

    def thread_id(self, group: GroupId, caller: int) -> Operation[int]:
        """Return the id of a thread or task in a group.

        Args:
            group: Id of the group.
            caller: Id of the thread or task in this client.

        Returns:
            The id.
        """
        key = group["name"], caller
        known = self._thread_ids.pop(key, None)
        if known is None:
            request = Request(_GENERATE_THREAD_ID, (group,), idempotent=True)
            [known] = yield from self._cluster.call(request)
            if len(self._thread_ids) >= MAX_CALLERS:
                del self._thread_ids[next(iter(self._thread_ids))]
        self._thread_ids[key] = known
        return known

    def acquire(self, group: GroupId, count: int = 1) -> Operation[CPSession]:
        """Return the session in a group, and add `count` to the number of its holds.

        Args:
            group: Id of the group.
            count: Number of locks or permits.

        Returns:
            The session, which is created if there is none.
        """
        name = group["name"]
        while (session := self._sessions.get(name)) is None:
            creating = self._creating.get(name)
            if creating is None or creating.done:
                creating = yield Spawn(self._create(group), f"session in {name}")
                self._creating[name] = creating
            yield Join(creating)
        session.held += count
        return session

    def _create(self, group: GroupId) -> Operation[None]:
        fields = (group, self._cluster.name)
        request = Request(_CREATE, fields, idempotent=True)
        id_, _, heartbeat = yield from self._cluster.call(request)
        self._sessions[group["name"]] = CPSession(id_, group)
        if self._heart is None or self._heart.done:
            self._heart = yield Spawn(self._beat(heartbeat / 1000), "heartbeats of CP sessions")

    def current(self, group: GroupId) -> CPSession | None:
        """Return the session in a group, if there is one.

        Args:
            group: Id of the group.

        Returns:
            The session or None.
        """
        return self._sessions.get(group["name"])

    def release(self, session: CPSession, count: int = 1) -> None:
        """Subtract `count` from the number of a session's holds.

        Args:
            session: Session.
            count: Number of locks or permits.
        """
        session.held -= count

    def invalidate(self, group: GroupId, session: CPSession) -> None:
        """Drop a session that its group has ended, together with its locks and permits.

        Args:
            group: Id of the group.
            session: Session.
        """
        if self._sessions.get(group["name"]) is session:
            del self._sessions[group["name"]]

    def _beat(self, pause: float) -> Operation[None]:
        while True:
            yield Sleep(pause)
            for name, session in list(self._sessions.items()):
                if session.held > 0:
                    if session.heartbeat is None or session.heartbeat.done:
                        sending = self._send_heartbeat(session.group, session)
                        session.heartbeat = yield Spawn(sending, f"heartbeat in {name}")
                else:
                    del self._sessions[name]
                    yield Spawn(self._close(session.group, session), f"close in {name}")

    def _send_heartbeat(self, group: GroupId, session: CPSession) -> Operation[None]:
        request = Request(_HEARTBEAT, (group, session.id), idempotent=True)
        try:
            yield from self._cluster.call(request)
        except (SessionExpired, GroupDestroyed) as error:
            _log.warning("the session in group %s has ended: %s", group["name"], error)
            self.invalidate(group, session)
        except JvmWireError as error:
            _log.debug("no heartbeat in group %s: %s", group["name"], error)

    def _close(self, group: GroupId, session: CPSession) -> Operation[None]:
        request = Request(_CLOSE, (group, session.id), idempotent=True)
        try:
            yield from self._cluster.call(request)
        except JvmWireError as error:
            _log.debug("the session in group %s was not closed: %s", group["name"], error)

    def close(self) -> Operation[None]:
        """Close all sessions, so that the groups release locks and permits at once."""
        while self._sessions:
            _, session = self._sessions.popitem()
            yield from self._close(session.group, session)

    def __bool__(self) -> bool:
        return bool(self._sessions)
