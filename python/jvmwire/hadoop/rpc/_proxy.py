"""Clients of interfaces: objects with the methods of an interface, which a server executes."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, cast

from jvmwire._core import encode_invocation
from jvmwire._escaping import quote
from jvmwire._runtime.client import AsyncClient, Connecting, SyncClient, operation
from jvmwire.errors import DecodeError
from jvmwire.hadoop._client import SERVICE
from jvmwire.hadoop._commands import SelfEncodedCall
from jvmwire.hadoop._connection_pool import ConnectionPool
from jvmwire.hadoop._instance import instance_of
from jvmwire.hadoop._options import HadoopOptions, with_url_user
from jvmwire.hadoop.rpc._interface import (
    Interface,
    Method,
    VersionedProtocol,
    methods,
    methods_hash,
)
from jvmwire.hadoop.rpc._writable import decode
from jvmwire.options import merge_options

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import timedelta
    from types import TracebackType
    from typing import Unpack

    from jvmwire._core import HadoopCaller
    from jvmwire._runtime.channel import FailoverChannel
    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop._options import HadoopKeywords
    from jvmwire.options import ClientOptions
    from jvmwire.transports._addresses import EndpointsLike

InterfaceT = TypeVar("InterfaceT", bound=Interface)
InterfaceT_co = TypeVar("InterfaceT_co", bound=Interface, covariant=True)


class Proxy(Protocol[InterfaceT_co]):
    """Type of the object that `connect` returns: it has the methods of the interface.

    A `with` block or `close` ends it.
    """

    def __enter__(self) -> InterfaceT_co: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    def close(self, *, linger: float | timedelta = ...) -> None:
        """Reject new calls, give the open ones time to end, and close the connections.

        Args:
            linger: Seconds that open calls get before they fail.
        """

    def __getattr__(self, name: str) -> Any: ...


class AsyncProxy(Protocol):
    """Type of the object that `connect_async` returns: each method of the interface is a coroutine.

    An `async with` block or `close` ends it.
    """

    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    async def close(self, *, linger: float | timedelta = ...) -> None:
        """Reject new calls, give the open ones time to end, and close the connections.

        Args:
            linger: Seconds that open calls get before they fail.
        """

    def within(self, seconds: float | timedelta | None) -> Self:
        """Return this object with another timeout; both share the connections.

        Args:
            seconds: Timeout of each call in seconds; None disables the timeout.

        Returns:
            An object with the same methods.
        """

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]: ...


@dataclass(frozen=True, slots=True)
class InterfaceCall(SelfEncodedCall):
    """One call of a method of an interface."""

    called: Method
    arguments: tuple[Any, ...]

    @property
    def method(self) -> str:
        """The name of the method on the wire."""
        return self.called.name

    @property
    def idempotent(self) -> bool:
        """Whether a second execution has the effect and the result of the first."""
        return self.called.idempotent

    def encode(self, caller: HadoopCaller, call_id: int, retry: int, state_id: int | None) -> bytes:
        """Return the frame of the call.

        Args:
            caller: The encoder of the connection.
            call_id: Number of the call on the connection.
            retry: Number of earlier tries.
            state_id: Last state id that the client has seen; None sends none.

        Returns:
            The bytes to send.
        """
        called, arguments = self.called, self.arguments
        if called.messages is not None:
            [message] = arguments
            data = message if isinstance(message, bytes) else message.SerializeToString()
            return caller.encode_message(called.name, call_id, data, retry=retry, state_id=state_id)
        declaring = called.declaring
        # WritableRpcEngine.Invocation: calls that every protocol has state no version.
        hashed = 0 if declaring is VersionedProtocol else methods_hash(declaring)
        invocation = encode_invocation(
            declaring.protocol,
            called.name,
            declaring.version,
            hashed,
            called.parameters,
            arguments,
        )
        return caller.encode_invocation(call_id, invocation, retry=retry, state_id=state_id)

    def decode(self, payload: bytes) -> Any:
        """Return the result that a reply contains.

        Args:
            payload: The reply after its header.

        Returns:
            A Python value (Writable engine), a message of the annotated class, or its bytes.

        Raises:
            DecodeError: the reply is not a value or a message of its class.
        """
        if self.called.messages is None:
            return decode(payload)
        kind = self.called.messages[1]
        if kind is bytes:
            return payload
        try:
            return kind.FromString(payload)
        except Exception as error:  # the protobuf library raises its own classes
            raise DecodeError(f"the reply to {self.method}: {error}") from error

    def __repr__(self) -> str:
        return f"<call of {self.called.declaring.protocol}.{self.method}>"


class _Calls:
    """Common base of the clients of all interfaces."""

    _links: ConnectionPool
    _servers: str
    _protocol: str
    _options: HadoopOptions
    _timeout: float | None

    @operation
    def _connect(self) -> Operation[None]:
        """Connect if there is no connection; calls do so by themselves."""
        yield from self._link().connection()

    def _target(self) -> str:
        return f"{self._servers} user={quote(self._options.user)}"

    def _link(self) -> FailoverChannel:
        options = self._options
        return self._links.find(self._protocol, options.user, options.real_user, self._timeout)


def _client_method(method: Method) -> operation[..., Any]:
    names = tuple(method.signature.parameters)
    count = len(names)

    def call(client: _Calls, *args: Any, **named: Any) -> Operation[Any]:
        if named or len(args) != count:
            bound = method.signature.bind(*args, **named)
            bound.apply_defaults()
            args = bound.args
        command = InterfaceCall(method, args)
        instances = instance_of if method.at_most_once else None
        return (yield from client._link().call(command, instance_of=instances))

    call.__name__ = method.attribute
    call.__doc__ = getattr(method.declaring, method.attribute).__doc__
    # What users see of the method: see `jvmwire._runtime.client`.
    result = method.signature.return_annotation
    shown = result if isinstance(result, str) else getattr(result, "__name__", "Any")
    call.__annotations__ = {"return": f"Operation[{shown}]"}
    client = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [client, *method.signature.parameters.values()]
    call.__signature__ = method.signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return operation(call)


_kinds: dict[tuple[type[Interface], type], type[Any]] = {}


def _client_for(
    interface: type[Interface],
    base: Callable[[ClientOptions], SyncClient | AsyncClient],
    endpoints: EndpointsLike,
    options: HadoopOptions | None,
    keywords: HadoopKeywords,
) -> Any:
    options = merge_options(HadoopOptions, options, keywords)
    found = SERVICE.parse(endpoints)
    options = with_url_user(options, found.user)
    key = interface, cast("type", base)
    kind = _kinds.get(key)
    if kind is None:
        calls = {name: _client_method(method) for name, method in methods(interface).items()}
        name = f"{interface.__name__}Client"
        kind = _kinds[key] = type(name, (_Calls, key[1]), {"__doc__": interface.__doc__} | calls)
    client = kind(options)
    client._servers = ",".join(map(str, found.endpoints))
    client._options, client._protocol = options, interface.protocol
    client._links = ConnectionPool.from_options(
        found.endpoints,
        options,
        {interface.protocol: (interface.engine, interface.version)},
        ask_instance=any(method.at_most_once for method in methods(interface).values()),
    )
    return client


def connect(
    interface: type[InterfaceT],
    endpoints: EndpointsLike,
    options: HadoopOptions | None = None,
    **keywords: Unpack[HadoopKeywords],
) -> Proxy[InterfaceT]:
    """Return a connected client of an interface, whose methods block.

    Threads may share the client; it reconnects when it has to. If there are several servers, it
    calls the active one.

    Args:
        interface: The interface.
        endpoints: The address of the server, or of all servers of the group: `host:port`,
            `[::1]:port`, several of them with commas between them or in a list, or endpoint objects
            such as `Tcp`.
        options: Options of the client. Default: `HadoopOptions()`.
        **keywords: Fields of `HadoopOptions`, which take precedence over `options`.

    Returns:
        An object with the methods of the interface.

    Raises:
        ConfigError: the interface is not valid by Java's rules.
        TransportError: no server accepts a connection.
    """
    client = _client_for(interface, SyncClient, endpoints, options, keywords)
    return cast("Proxy[InterfaceT]", client._connect_or_close(client._connect))


def connect_async(
    interface: type[Interface],
    endpoints: EndpointsLike,
    options: HadoopOptions | None = None,
    **keywords: Unpack[HadoopKeywords],
) -> Connecting[AsyncProxy]:
    """Return a connected client of an interface, whose methods are coroutines.

    Args:
        interface: The interface.
        endpoints: The address of the server, or of all servers of the group: `host:port`,
            `[::1]:port`, several of them with commas between them or in a list, or endpoint objects
            such as `Tcp`.
        options: Options of the client. Default: `HadoopOptions()`.
        **keywords: Fields of `HadoopOptions`, which take precedence over `options`.

    Returns:
        An object with the methods of the interface: `await` it, or use it in `async with`.

    Raises:
        ConfigError: the interface is not valid by Java's rules.
        TransportError: no server accepts a connection.
    """

    async def connected() -> AsyncProxy:
        client = _client_for(interface, AsyncClient, endpoints, options, keywords)
        return cast("AsyncProxy", await client._connect_or_close(client._connect))

    return Connecting(connected())
