"""A controller, and what it is asked by gRPC; `controller_pb2.py` has the messages.

That file is made of `Controller.proto`, as it lies in the jar of the controller's interface, by
`make tables`.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import message_factory

from jvmwire._runtime.operations import RunExternal, Sleep
from jvmwire.errors import ConnectFailed, JvmWireError
from jvmwire.options import CALL_TIMEOUT
from jvmwire.pravega.streams import controller_pb2 as messages
from jvmwire.pravega.streams.errors import (
    ControllerError,
    InvalidName,
    NoSuchScope,
    NoSuchStream,
    NoSuchTransaction,
    NotAllowed,
    ScopeNotEmpty,
    StreamIsSealed,
    StreamNotSealed,
)
from jvmwire.pravega.streams.tls import channel_credentials, channel_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from jvmwire._runtime.operations import Operation
    from jvmwire.options import RetryPolicy
    from jvmwire.transports import Tcp

MESSAGE_LIMIT = 4 << 20
"""Largest answer of a controller: what gRPC takes if nobody says otherwise."""

_SERVICE = messages.DESCRIPTOR.services_by_name["ControllerService"]
_REFUSALS: Mapping[str, type[ControllerError]] = {
    "SCOPE_NOT_FOUND": NoSuchScope,
    "STREAM_NOT_FOUND": NoSuchStream,
    "TRANSACTION_NOT_FOUND": NoSuchTransaction,
    "SCOPE_NOT_EMPTY": ScopeNotEmpty,
    "STREAM_NOT_SEALED": StreamNotSealed,
    "STREAM_SEALED": StreamIsSealed,
    "INVALID_SCOPE_NAME": InvalidName,
    "INVALID_STREAM_NAME": InvalidName,
}
"""The statuses that say who is not as the call needs it."""
_AGAIN = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.FAILED_PRECONDITION,  # `ControllerServiceImpl`: another update came before
}
"""The codes after which a call is made again, as Java's client does: all of its calls may be."""


class Controller:
    """A controller's gRPC, for threads and for asyncio."""

    def __init__(
        self,
        endpoint: Tcp,
        *,
        user: str,
        password: str,
        retry: RetryPolicy,
        timeout: float = CALL_TIMEOUT,
    ) -> None:
        self.endpoint = endpoint
        self._retry = retry
        # Of one try: what goes on behind the caller's back has no other limit.
        self._timeout = timeout
        self._metadata: tuple[tuple[str, str], ...] = ()
        if user:
            secret = base64.b64encode(f"{user}:{password}".encode()).decode()
            self._metadata = (("authorization", f"Basic {secret}"),)
        self._channel: grpc.Channel | None = None

    def call(self, method: str, request: Message) -> Operation[Any]:
        """Return what the controller answers.

        Raises:
            ConnectFailed: nobody answers there.
            ControllerError: it refuses.
        """
        waits = self._retry.waits()
        while True:
            try:
                return (yield RunExternal(lambda: self._begin(method, request)))
            except grpc.RpcError as error:
                wait = next(waits, None) if error.code() in _AGAIN else None
                if wait is None:
                    raise self._told(method, request, error) from error
            yield Sleep(wait)

    def change(
        self, method: str, request: Message, about: str, also: Mapping[str, Any] | None = None
    ) -> Operation[Any]:
        """Return `True` for a status that says yes, what `also` has for another.

        Raises:
            ControllerError: what else the status says of `about`.
        """
        answer = yield from self.call(method, request)
        status = status_of(answer)
        if status in {"SUCCESS", "OK"}:
            return True
        if also is not None and status in also:
            return also[status]
        raise refusal(method, status, about)

    def close(self) -> None:
        """End what is under way."""
        if self._channel is not None:
            self._channel.close()

    def _begin(self, method: str, request: Message) -> Any:
        called = _SERVICE.methods_by_name[method]
        answer = message_factory.GetMessageClass(called.output_type)
        if self._channel is None:
            self._channel = self._connect()
        multicallable = self._channel.unary_unary(
            f"/{_SERVICE.full_name}/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=answer.FromString,
        )
        return multicallable.future(request, timeout=self._timeout, metadata=self._metadata)

    def _connect(self) -> grpc.Channel:
        endpoint = self.endpoint
        host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
        target = f"{host}:{endpoint.port}"
        options: list[tuple[str, Any]] = [("grpc.max_receive_message_length", MESSAGE_LIMIT)]
        if endpoint.tls is None:
            return grpc.insecure_channel(target, options)
        options += channel_options(endpoint.tls)
        return grpc.secure_channel(target, channel_credentials(endpoint.tls), options)

    def _told(self, method: str, request: Message, error: grpc.RpcError) -> JvmWireError:
        code, details = error.code(), error.details()
        if code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
            return ConnectFailed(f"no answer of the controller at {self.endpoint}: {details}")
        text = f"{method}{_of_what(request)}: {code.name}: {details}"
        if code in {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}:
            return NotAllowed(text)
        if code is grpc.StatusCode.NOT_FOUND:
            return NoSuchStream(text)
        return ControllerError(text)


def _of_what(request: Message) -> str:
    """Return which stream a request is about, as the end of a sentence."""
    named = request if isinstance(request, messages.StreamInfo) else None
    info: messages.StreamInfo | None = named or getattr(request, "streamInfo", None)
    return f" of '{info.scope}/{info.stream}'" if info is not None else ""


def status_of(answer: Any) -> str:
    """Return the name of an answer's status."""
    enum = answer.DESCRIPTOR.fields_by_name["status"].enum_type
    known = enum.values_by_number.get(answer.status)
    return known.name if known else str(answer.status)


def refusal(method: str, status: str, about: str) -> ControllerError:
    """Return the error that a status is."""
    kind = _REFUSALS.get(status, ControllerError)
    return kind(f"{method} of {about!r}: {status}")
