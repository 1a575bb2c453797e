"""Calls that a server receives, and their callers."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire._core import HadoopCalls
    from jvmwire.hadoop.rpc._interface import Engine

KINDS: dict[int, Engine] = {1: "writable", 2: "protobuf"}
"""The engines by their numbers in `RpcKindProto`."""

FunctionT = TypeVar("FunctionT", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Caller:
    """Client at the other end of a connection.

    Attributes:
        address: The address of the client.
        user: The effective user of calls; None if the connection context has none.
        real_user: The real user, if it differs from `user`.
        protocol: The protocol that the connection was opened for.
        token: The identifier of the token that authenticated the user.
    """

    address: str
    user: str | None = None
    real_user: str | None = None
    protocol: str | None = None
    token: bytes | None = field(default=None, repr=False)


class Disconnect(Exception):
    """Raised by a method to close the connection of its caller without an answer.

    Args:
        result: What the method would have returned; the retry cache keeps it for a retry of the
            call. Default: None, for a call that was not executed.
    """

    def __init__(self, result: object = None) -> None:
        super().__init__("the connection is closed without an answer")
        self.result = result


class _CallInfo:
    """Properties that all calls of a batch share."""

    __slots__ = ("caller", "calls")

    calls: HadoopCalls
    caller: Caller

    @property
    def engine(self) -> Engine:
        """The encoding of arguments and results."""
        return KINDS[self.calls.rpc_kind]

    @property
    def engine_version(self) -> int:
        """The version of the Writable engine."""
        return self.calls.engine_version

    @property
    def protocol(self) -> str:
        """The name of the protocol on the wire."""
        return self.calls.protocol

    @property
    def version(self) -> int:
        """The version of the protocol that the client has."""
        return self.calls.version

    @property
    def method(self) -> str:
        """The name of the method in Java."""
        return self.calls.method

    @property
    def classes(self) -> tuple[str, ...]:
        """The Java classes of the arguments (Writable engine only)."""
        return self.calls.classes

    @property
    def key(self) -> tuple[str, ...]:
        """The key by which the server finds the method."""
        return self.calls.key

    @property
    def client_id(self) -> bytes:
        """The id of the client, which is the same on all its connections."""
        return self.calls.client_id

    @property
    def bytes_per_call(self) -> int:
        """The bytes of a call on the wire; for a batch, the mean of its calls."""
        return self.calls.bytes_per_call

    @property
    def retry_count(self) -> int:
        """The number of earlier tries of the call; -1 if the client does not count them."""
        return self.calls.retry_count

    @property
    def caller_context(self) -> str | None:
        """The caller context of the client, for audit logs."""
        return self.calls.caller_context


class ServedCall(NamedTuple):
    """The outcome of a call, or of a batch, that a server executed.

    Attributes:
        protocol: The name of the protocol on the wire.
        method: The name of the method in Java.
        caller: The client.
        calls: The number of calls; 1 if it is no batch.
        errors: The number of them that were refused.
        queued_seconds: Seconds that the call waited before its execution.
        seconds: Seconds of the execution; of a batch, of all its calls together.
        error: The exception that the method raised; None if it returned.
    """

    protocol: str
    method: str
    caller: Caller
    calls: int
    errors: int
    queued_seconds: float
    seconds: float
    error: Exception | None


class RpcCall(_CallInfo):
    """One call.

    Args:
        calls: Decoded calls of one batch.
        index: Position of the call in the batch.
        caller: Client that made the call.
    """

    __slots__ = ("index",)

    def __init__(self, calls: HadoopCalls, index: int, caller: Caller) -> None:
        self.calls, self.index, self.caller = calls, index, caller

    @property
    def call_id(self) -> int:
        """The number of the call, which the client chose."""
        return self.calls.call_id(self.index)

    @property
    def arguments(self) -> list[Any]:
        """The arguments; with the Protobuf engine, one message as bytes."""
        return self.calls.arguments[self.index]

    def __repr__(self) -> str:
        return f"<call {self.call_id} of {self.protocol}.{self.method} by {self.caller.user}>"


class CallBatch(_CallInfo):
    """Batch of calls of one method, which arrived together from one client.

    Args:
        calls: Decoded calls.
        caller: Client that made the calls.
        count: Number of calls of the batch. Default: all.
    """

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
        """The arguments of each call; with the Protobuf engine, one message as bytes per call."""
        return self.calls.arguments[: self._count]

    def first(self, count: int) -> CallBatch:
        """Return a batch of the first calls.

        Args:
            count: Number of calls.

        Returns:
            The batch.
        """
        return CallBatch(self.calls, self.caller, count)

    def __repr__(self) -> str:
        return f"<{len(self)} calls of {self.protocol}.{self.method} by {self.caller.user}>"


def batched(function: FunctionT) -> FunctionT:
    """Mark a method of an implementation as one that takes calls in batches.

    The server calls it with a `CallBatch`. It returns a list with one item per call: the result, or
    the exception to refuse the call with. Messages are passed and returned as bytes.

    Args:
        function: The method.

    Returns:
        The same function.
    """
    function._in_batches = True  # type: ignore[attr-defined]
    return function


_current: ContextVar[RpcCall | None] = ContextVar("jvmwire.hadoop.current_call", default=None)


def current_call() -> RpcCall:
    """Return the call that the current code executes; use it in the methods of a server.

    Returns:
        The call.

    Raises:
        LookupError: no call is executed here, or a batch is.
    """
    call = _current.get()
    if call is None:
        raise LookupError("no call by itself is being carried out")
    return call
