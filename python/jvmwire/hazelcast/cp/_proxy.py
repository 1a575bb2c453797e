"""Base classes of the proxies of the CP subsystem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import Caller, operation
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.thread_identity import CallerIdentity
from jvmwire.hazelcast.errors import GroupDestroyed

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.cp._sessions import GroupId, Sessions

_DESTROY = HazelcastMessage.named("CPGroup.destroyCPObject")

DEFAULT_GROUP = "default"
"""`CPGroup.DEFAULT_GROUP_NAME`."""
METADATA_GROUP = "METADATA"
"""`CPGroup.METADATA_CP_GROUP_NAME`: the internal group of the subsystem."""


def split(name: str) -> tuple[str, str]:
    """Split `structure@group` into the structure and the group.

    Args:
        name: Name of a structure in the group `default`, or `structure@group`.

    Returns:
        Names of the structure and the group.

    Raises:
        ValueError: `name` has neither form, or the group is the internal one.
    """
    structure, at, group = name.strip().partition("@")
    structure, group = structure.strip(), group.strip()
    if not structure or (at and not group) or "@" in group:
        raise ValueError(f"{name!r} is neither a structure's name nor structure@group")
    if group.upper() == METADATA_GROUP:
        raise ValueError(f"{name!r}: no structure is in the group of the subsystem's own")
    return structure, DEFAULT_GROUP if group.lower() in {"", DEFAULT_GROUP} else group


@dataclass(slots=True)
class ReleaseUnclaimed:
    """Release of a grant that arrives when the caller has stopped waiting."""

    # Without the structure, whose reference to the client would keep the client open.
    cluster: Invoker
    release: Request
    forget: Callable[[Any], None] | None = None
    """Function called with the response of the release, set once the grant was recorded here."""

    def __call__(self, fields: tuple[Any, ...]) -> Operation[None]:
        """Release the grant, if `fields` are one."""
        released = yield from self.cluster.release_if_granted(self.release, fields)
        if released is not None and self.forget is not None:
            self.forget(*released)


class CPProxy(CallerIdentity):
    """A structure of a CP group, identified by its name and the name of the group."""

    service: ClassVar[str]
    """Name of the Java service that keeps structures of this kind."""

    def __init__(self, client: Caller, cluster: Invoker, sessions: Sessions, name: str) -> None:
        super().__init__(client)
        self._cluster, self._sessions = cluster, sessions
        self.name, self.group_name = split(name)

    @property
    def _full_name(self) -> str:
        default = self.group_name == DEFAULT_GROUP
        return self.name if default else f"{self.name}@{self.group_name}"

    def _data(self, value: object) -> bytes:
        return self._cluster.serialization.to_data(value)

    def _nullable_data(self, value: object) -> bytes | None:
        return None if value is None else self._data(value)

    def _object(self, data: bytes | None) -> Any:
        return self._cluster.serialization.to_object(data)

    def _group(self) -> Operation[GroupId]:
        return self._sessions.group(self.group_name, self._full_name)

    def _ask(
        self, message: HazelcastMessage, *rest: Any, release: ReleaseUnclaimed | None = None
    ) -> Operation[Any]:
        """Make a call to the group; `rest` follows the group's id and the structure's name.

        A grant that arrives when the caller has stopped waiting is released by
        `release_if_granted`.
        """
        group = yield from self._group()
        idempotent = message.retryable or self._cluster.options.redo
        request = Request(message, (group, self.name, *rest), idempotent=idempotent)
        if release is not None:
            request.on_abandoned_reply = release
        try:
            fields = yield from self._cluster.call(request)
        except GroupDestroyed:
            self._sessions.forget_group(self.group_name)
            raise
        return fields[0] if fields else None

    def _caller(self) -> Operation[tuple[GroupId, int]]:
        """Return the group, and the id of the calling thread or task in the group."""
        # First, because the rest may run in another thread.
        caller = self._caller_id()
        group = yield from self._group()
        return group, (yield from self._sessions.thread_id(group, caller))

    @operation
    def destroy(self) -> Operation[None]:
        """Destroy the structure permanently: its name cannot be used again."""
        group = yield from self._group()
        fields = (group, self.service, self.name)
        yield from self._cluster.call(Request(_DESTROY, fields, idempotent=True))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._full_name!r}>"
