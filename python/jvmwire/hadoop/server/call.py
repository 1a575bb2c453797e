"""What a server is asked, and by whom."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jvmwire._core import HadoopRequest
    from jvmwire.hadoop.interface import Engine


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is at the other end of a connection."""

    address: str
    """Where from."""
    user: str | None = None
    """In whose name calls are made; None if that was not said."""
    real_user: str | None = None
    """Who makes them, where that is another."""
    protocol: str | None = None
    """What the connection was opened for."""
    token: bytes | None = None
    """The identifier of the token by which the user has proved who they are."""


@dataclass(slots=True, eq=False)
class RpcCall:
    """One call, as it came."""

    request: HadoopRequest
    caller: Caller
    engine: Engine
    protocol: str
    method: str
    version: int
    """Of the protocol, as the client knows it."""
    classes: tuple[str, ...]
    """Of the Writable engine: the classes of the arguments."""
    arguments: list[Any]
    """Of the Protobuf engine: the one message, as bytes."""
    engine_version: int = 2
    """Of the Writable engine."""

    @property
    def key(self) -> tuple[str, ...]:
        """What a method is found by."""
        return (self.method, *self.classes)

    @property
    def call_id(self) -> int:
        """The client's number of it."""
        return self.request.call_id

    @property
    def client_id(self) -> bytes:
        """Of the client, the same on all its connections."""
        return self.request.client_id or b""

    @property
    def retry_count(self) -> int:
        """How often it was sent before; -1 if the client does not count."""
        return self.request.retry_count

    @property
    def caller_context(self) -> str | None:
        """What the client wants audit logs to be told."""
        return self.request.caller_context

    def __repr__(self) -> str:
        return f"<call {self.call_id} of {self.protocol}.{self.method} by {self.caller.user}>"


_current: ContextVar[RpcCall] = ContextVar("jvmwire.hadoop.current_call")


def current_call() -> RpcCall:
    """Return the call that is being carried out: of use where a server's methods are.

    Raises:
        LookupError: none is.
    """
    return _current.get()
