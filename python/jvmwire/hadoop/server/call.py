"""What a server is asked, and by whom."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire._core import HadoopCalls
    from jvmwire.hadoop.interface import Engine

KINDS: dict[int, Engine] = {1: "writable", 2: "protobuf"}
"""`RpcKindProto`."""

FunctionT = TypeVar("FunctionT", bound="Callable[..., Any]")


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
    token: bytes | None = field(default=None, repr=False)
    """The identifier of the token by which the user has proved who they are."""


class _CallInfo:
    """What calls that came together have in common."""

    __slots__ = ("caller", "calls")

    calls: HadoopCalls
    caller: Caller

    @property
    def engine(self) -> Engine:
        """What writes arguments and results."""
        return KINDS[self.calls.rpc_kind]

    @property
    def engine_version(self) -> int:
        """Of the Writable engine."""
        return self.calls.engine_version

    @property
    def protocol(self) -> str:
        """What is called, by its name on the wire."""
        return self.calls.protocol

    @property
    def version(self) -> int:
        """Of the protocol, as the client knows it."""
        return self.calls.version

    @property
    def method(self) -> str:
        """What Java calls it."""
        return self.calls.method

    @property
    def classes(self) -> tuple[str, ...]:
        """Of the Writable engine: the classes of the arguments."""
        return self.calls.classes

    @property
    def key(self) -> tuple[str, ...]:
        """What a method is found by."""
        return self.calls.key

    @property
    def client_id(self) -> bytes:
        """Of the client, the same on all its connections."""
        return self.calls.client_id

    @property
    def bytes_per_call(self) -> int:
        """Bytes of a call on the wire; of calls that came together the mean."""
        return self.calls.bytes_per_call

    @property
    def retry_count(self) -> int:
        """How often it was sent before; -1 if the client does not count."""
        return self.calls.retry_count

    @property
    def caller_context(self) -> str | None:
        """What the client wants audit logs to be told."""
        return self.calls.caller_context


class RpcCall(_CallInfo):
    """One call, as it came."""

    __slots__ = ("index",)

    def __init__(self, calls: HadoopCalls, index: int, caller: Caller) -> None:
        self.calls, self.index, self.caller = calls, index, caller

    @property
    def call_id(self) -> int:
        """The client's number of it."""
        return self.calls.call_id(self.index)

    @property
    def arguments(self) -> list[Any]:
        """Of the Protobuf engine: the one message, as bytes."""
        return self.calls.arguments[self.index]

    def __repr__(self) -> str:
        return f"<call {self.call_id} of {self.protocol}.{self.method} by {self.caller.user}>"


class CallBatch(_CallInfo):
    """Calls of one method that one client made, and that came together."""

    __slots__ = ("_count",)

    def __init__(self, calls: HadoopCalls, caller: Caller, count: int | None = None) -> None:
        self.calls, self.caller = calls, caller
        self._count = len(calls) if count is None else count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> RpcCall:
        if not 0 <= index < self._count:
            raise IndexError(f"there is no call at {index}")
        return RpcCall(self.calls, index, self.caller)

    def __iter__(self) -> Iterator[RpcCall]:
        return (RpcCall(self.calls, index, self.caller) for index in range(self._count))

    @property
    def arguments(self) -> list[list[Any]]:
        """Those of each call; of the Protobuf engine one message, as bytes."""
        return self.calls.arguments[: self._count]

    def first(self, count: int) -> CallBatch:
        """Return so many of the calls."""
        return CallBatch(self.calls, self.caller, count)

    def __repr__(self) -> str:
        return f"<{len(self)} calls of {self.protocol}.{self.method} by {self.caller.user}>"


def batched(function: FunctionT) -> FunctionT:
    """Have a method that implements an interface's take calls together, as they came.

    It is called with a `CallBatch`, and returns a list: for each call its result, or the exception
    that it is refused with. Messages come and go as bytes.
    """
    function._in_batches = True  # type: ignore[attr-defined]
    return function


_current: ContextVar[RpcCall | None] = ContextVar("jvmwire.hadoop.current_call", default=None)


def current_call() -> RpcCall:
    """Return the call that is being carried out: of use where a server's methods are.

    Raises:
        LookupError: none is, or several together.
    """
    call = _current.get()
    if call is None:
        raise LookupError("no call by itself is being carried out")
    return call
