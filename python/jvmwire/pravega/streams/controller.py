"""Calls to a cluster's controllers by gRPC; `controller_pb2.py` has the messages.

That file is made of `Controller.proto`, as it lies in the jar of the controller's interface, by
`make tables`.
"""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import message_factory

from jvmwire._runtime.operations import RunExternal, Sleep, Spawn
from jvmwire.errors import ConfigError, ConnectFailed, JvmWireError
from jvmwire.options import CALL_TIMEOUT
from jvmwire.pravega.streams import controller_pb2 as messages
from jvmwire.pravega.streams.controllers import Controllers
from jvmwire.pravega.streams.errors import (
    ControllerError,
    InvalidName,
    NoSuchReaderGroup,
    NoSuchScope,
    NoSuchStream,
    NoSuchTable,
    NoSuchTransaction,
    NotAllowed,
    ScopeNotEmpty,
    StreamIsSealed,
    StreamNotSealed,
)
from jvmwire.pravega.streams.tls import channel_credentials, channel_options
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from jvmwire._runtime.operations import Operation
    from jvmwire.options import RetryPolicy
    from jvmwire.transports import Tls

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
    "INVALID_RG_NAME": InvalidName,
    "RG_NOT_FOUND": NoSuchReaderGroup,
    "INVALID_TABLE_NAME": InvalidName,
    "TABLE_NOT_FOUND": NoSuchTable,
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
_ELSEWHERE = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
"""The codes after which another controller is asked: this one does not answer."""
DISCOVERY_INTERVAL = 120.0
"""Seconds after which the list of controllers is fetched again: `REFRESH_INTERVAL_MS`."""
MAX_CONTROLLERS = 1024
"""Controllers that are taken from a list (chosen by jvmwire; Pravega has no such limit)."""


class Controller:
    """gRPC calls to the controllers of a cluster, for threads and for asyncio."""

    def __init__(
        self,
        controllers: Controllers | Tcp,
        *,
        user: str,
        password: str,
        retry: RetryPolicy,
        timeout: float = CALL_TIMEOUT,
    ) -> None:
        self._given = Controllers.of(controllers)
        self._endpoints = self._given.endpoints
        self._index = 0
        """Of the controller that is asked: the last one that did not fail."""
        self._discovered = not self._given.discover
        self._retry = retry
        # Of one try: what goes on behind the caller's back has no other limit.
        self._timeout = timeout
        self._metadata: tuple[tuple[str, str], ...] = ()
        if user:
            secret = base64.b64encode(f"{user}:{password}".encode()).decode()
            self._metadata = (("authorization", f"Basic {secret}"),)
        # Also of controllers that are no longer listed: calls to them may be on their way.
        self._channels: dict[Tcp, grpc.Channel] = {}

    @property
    def endpoint(self) -> Tcp:
        """The controller that is asked at present."""
        return self._endpoints[self._index]

    @property
    def tls(self) -> Tls | None:
        """TLS of the cluster; None is plain TCP."""
        return self._given.tls

    def call(self, method: str, request: Message) -> Operation[Any]:
        """Return what the controller answers.

        Raises:
            ConnectFailed: nobody answers there.
            ControllerError: it refuses.
        """
        if not self._discovered:
            yield from self._discover()
        return (yield from self._call(method, request))

    def _call(self, method: str, request: Message) -> Operation[Any]:
        waits = self._retry.waits()
        turns = 0
        while True:
            endpoint = self.endpoint
            try:
                return (yield RunExternal(partial(self._begin, endpoint, method, request)))
            except grpc.RpcError as error:
                if error.code() in _ELSEWHERE:
                    others = self._fail_over(endpoint)
                    if turns < others:
                        # No controller was asked twice yet: go on without a wait.
                        turns += 1
                        continue
                wait = next(waits, None) if error.code() in _AGAIN else None
                if wait is None:
                    raise self._map_error(endpoint, method, request, error) from error
            yield Sleep(wait)

    def _fail_over(self, endpoint: Tcp) -> int:
        """Select another controller; return how many others there are."""
        # A second caller with the same failure finds another one selected already.
        if self.endpoint == endpoint:
            self._index = (self._index + 1) % len(self._endpoints)
            if self._index == 0 and self._given.discover:
                self._set_endpoints(self._given.endpoints)
                self._discovered = False
        return len(self._endpoints) - 1

    def _discover(self) -> Operation[None]:
        """Fetch the addresses of all controllers from one that is known."""
        self._discovered = True  # one call fetches them; others go on with those that are known
        try:
            request = messages.ServerRequest()
            found = yield from self._call("getControllerServerList", request)
            self._take_list(found)
        except BaseException:
            self._discovered = False
            raise
        yield Spawn(self._expire(), "time the list of controllers")

    def _expire(self) -> Operation[None]:
        yield Sleep(DISCOVERY_INTERVAL)
        self._discovered = False

    def _take_list(self, found: messages.ServerResponse) -> None:
        tls, known = self.tls, self.endpoint
        if len(found.nodeURI) > MAX_CONTROLLERS:
            count = len(found.nodeURI)
            raise ControllerError(f"{count} controllers are over the limit of {MAX_CONTROLLERS}")
        try:
            listed = tuple(Tcp(node.endpoint, node.port, tls=tls) for node in found.nodeURI)
        except ConfigError as error:
            raise ControllerError(f"the list of controllers at {known}: {error}") from error
        # A cluster that names none of its controllers has those that were given.
        self._set_endpoints(listed or self._given.endpoints)

    def _set_endpoints(self, endpoints: tuple[Tcp, ...]) -> None:
        known = self.endpoint
        self._endpoints = endpoints
        self._index = endpoints.index(known) if known in endpoints else 0

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
        for channel in self._channels.values():
            channel.close()

    def _begin(self, endpoint: Tcp, method: str, request: Message) -> Any:
        called = _SERVICE.methods_by_name[method]
        answer = message_factory.GetMessageClass(called.output_type)
        channel = self._channels.get(endpoint)
        if channel is None:
            channel = self._channels[endpoint] = self._connect(endpoint)
        multicallable = channel.unary_unary(
            f"/{_SERVICE.full_name}/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=answer.FromString,
        )
        return multicallable.future(request, timeout=self._timeout, metadata=self._metadata)

    def _connect(self, endpoint: Tcp) -> grpc.Channel:
        host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
        target = f"{host}:{endpoint.port}"
        options: list[tuple[str, Any]] = [("grpc.max_receive_message_length", MESSAGE_LIMIT)]
        if endpoint.tls is None:
            return grpc.insecure_channel(target, options)
        options += channel_options(endpoint.tls)
        return grpc.secure_channel(target, channel_credentials(endpoint.tls), options)

    def _map_error(
        self, endpoint: Tcp, method: str, request: Message, error: grpc.RpcError
    ) -> JvmWireError:
        code, details = error.code(), error.details()
        if code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
            at = f"at {endpoint}"
            if len(self._endpoints) > 1:
                at = f"at any of {', '.join(map(str, self._endpoints))}; the last was {endpoint}"
            return ConnectFailed(f"no answer of the controller {at}: {details}")
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
