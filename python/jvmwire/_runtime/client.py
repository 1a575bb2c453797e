"""Base classes of clients: each call is written once, for blocking and asyncio clients."""

from __future__ import annotations

import abc
import copy
import functools
import inspect
import warnings
import weakref
from collections.abc import Coroutine
from contextlib import suppress
from types import FunctionType, MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Final,
    Generic,
    NoReturn,
    ParamSpec,
    Self,
    TypeVar,
    cast,
    overload,
)

from jvmwire._runtime.operations import Failure
from jvmwire._runtime.sync import SyncDriver
from jvmwire._times import to_seconds
from jvmwire.errors import JvmWireError
from jvmwire.options import CLOSE_TIMEOUT, CallReport, ClientOptions

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Callable,
        Generator,
        Iterable,
        Iterator,
        Mapping,
    )
    from datetime import timedelta

    from jvmwire._runtime.aio import AsyncDriver
    from jvmwire._runtime.operations import Operation, OperationStream, Task

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
S_co = TypeVar("S_co", covariant=True)
A_co = TypeVar("A_co", covariant=True)


def _reporting(
    on_call: Callable[[CallReport], None] | None, client: type[Client]
) -> Callable[[Task, float], None] | None:
    if on_call is None:
        return None
    system = _system_of(client)

    def report(task: Task, now: float) -> None:
        endpoint = task.endpoint
        on_call(
            CallReport(
                task.name,
                now - task.started,
                task.commands,
                task.error,
                system,
                client.__name__,
                getattr(endpoint, "host", None),
                getattr(endpoint, "port", None),
            )
        )

    return report


def _system_of(client: type[Client]) -> str:
    """Return the system that a class calls: the package of ours that its base is from."""
    for base in client.__mro__:
        package, _, module = base.__module__.partition(".")
        if package == "jvmwire" and not module.startswith("_"):
            return module.partition(".")[0]
    return ""


class Either(Generic[S_co, A_co]):
    """Type of an `S_co` of a blocking caller, or an `A_co` of an asyncio caller.

    No object is of this class: `factory` and its like turn it into the one or the other.
    """


class Caller(abc.ABC):
    """Object whose operations a driver runs; base of `SyncCaller` and `AsyncCaller`."""

    _awaits: ClassVar[bool]
    """Whether operations are awaited, not blocking."""

    @abc.abstractmethod
    def _run(self, operation: Operation[Any], name: str) -> Any: ...

    @abc.abstractmethod
    def _iterate(self, operation: OperationStream[Any], name: str) -> Any: ...

    def _styled(self, sync: Callable[P, S], awaited: Callable[P, A]) -> Callable[P, Either[S, A]]:
        """Return the one of two classes that is of the style of this caller."""
        return cast("Callable[P, Either[S, A]]", awaited if self._awaits else sync)


class Client(Caller):
    """Common base of blocking and asyncio clients, and of the calls that they share."""

    _driver: SyncDriver | AsyncDriver

    def __init__(self, options: ClientOptions, *, callbacks: int = 1) -> None:
        self._driver = self._driver_type()(
            limits=options.limits,
            trace=options.trace,
            on_done=_reporting(options.on_call, type(self)),
            callbacks=callbacks,
        )
        self._timeout = options.timeout
        self._life = _LifetimeToken()
        self._finalizer = weakref.finalize(
            self._life, _warn_and_close, self._driver, type(self).__name__
        )
        self._finalizer.atexit = False  # the driver's own exit hook closes without a warning

    @staticmethod
    @abc.abstractmethod
    def _driver_type() -> type[SyncDriver] | type[AsyncDriver]:
        """Return the class of the driver."""

    @classmethod
    @abc.abstractmethod
    def _open(cls, *args: Any, **keywords: Any) -> Either[Self, Connecting[Self]]:
        """Make a client from the arguments of the class, and connect it."""

    def _last_operations(self) -> Iterable[tuple[str, Operation[None]]]:
        """Yield the names and the operations that `close` runs first, if it lingers."""
        return ()

    def _release(self) -> None:
        """Release what the client holds beside its connections, which are closed."""

    def within(self, seconds: float | timedelta | None) -> Self:
        """Return this client with another timeout; both share the connections.

        Args:
            seconds: Timeout of each call in seconds, or as a `timedelta`; None disables the
                timeout.

        Returns:
            A client with that timeout, of the same class.

        Raises:
            TypeError: `seconds` is neither a number nor a `timedelta` nor None.
            ConfigError: `seconds` is negative or NaN.
        """
        if seconds is not None:
            seconds = to_seconds("seconds", seconds, optional=True)
        other = copy.copy(self)
        other._timeout = seconds
        return other

    @property
    def closed(self) -> bool:
        """Whether the client refuses calls, since `close` was called."""
        return self._driver.closed

    def _target(self) -> str:
        """Return the servers and the user, for `repr`."""
        return ""

    def __repr__(self) -> str:
        target = self._target()
        name = type(self).__name__
        return f"<{name}{' ' if target else ''}{target} {self._driver.state}>"

    def __reduce__(self) -> NoReturn:
        kind = type(self).__name__
        raise TypeError(f"{kind} does not pickle: make one in the process that uses it")

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other


class _LifetimeToken:
    """Token whose lifetime ends with the last client that shares a driver."""


def _warn_and_close(driver: SyncDriver | AsyncDriver, kind: str) -> None:
    warnings.warn(f"{kind}: the client was not closed", ResourceWarning, stacklevel=2)
    driver.close_soon()


_RESULTS: Final[Mapping[str, tuple[str, str]]] = {
    "Operation": ("", ""),
    "OperationStream": ("Iterator", "AsyncIterator"),
}
"""The return annotations of generator methods, and what blocking and awaited methods return."""


def _result_shown(written: str, *, awaited: bool) -> str:
    """Return what a method of a style returns, from the annotation of what is written for both."""
    generic, _, of = written.partition("[")
    if generic in _RESULTS:
        result = _RESULTS[generic][awaited]
        if result:
            return f"{result}[{of}"
        return _result_shown(of.removesuffix("]"), awaited=awaited)
    if generic != "Either":
        return written
    pair = of.removesuffix("]")
    comma = next(
        at
        for at, sign in enumerate(pair)
        if sign == "," and pair.count("[", 0, at) == pair.count("]", 0, at)
    )
    return pair[comma + 1 :].strip() if awaited else pair[:comma]


class _LazySignature(inspect.Signature):
    """Signature of a method, computed when it is looked at: most of a thousand never are."""

    __slots__ = ("_body", "_found", "_result")

    # As the base class, but for the parameters, which are made on demand.
    def __init__(self, body: Callable[..., Any], result: object) -> None:
        self._body = body
        self._result = result
        self._found: inspect.Signature | None = None

    def _resolved(self) -> inspect.Signature:
        if self._found is None:
            whole = inspect.signature(self._body)
            self._found = whole.replace(return_annotation=self._result)
        return self._found

    @property
    def parameters(self) -> MappingProxyType[str, inspect.Parameter]:
        return self._resolved().parameters

    @property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return self._resolved().parameters

    @property
    def _return_annotation(self) -> object:
        return self._resolved().return_annotation

    @property
    def return_annotation(self) -> Any:
        return self._resolved().return_annotation

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        return self._resolved().replace(**changes)

    def __reduce__(self) -> Any:
        return self._resolved().__reduce__()


def _specialize(cls: type, *, awaited: bool) -> None:
    """Give a class methods of its own style in place of the operations that it inherits.

    They have the signature and the documentation that users see: no method is a generator, and
    those of asyncio clients are coroutine functions.
    """
    found: dict[str, Any] = {}
    for base in cls.__mro__:
        for name, value in vars(base).items():
            found.setdefault(name, value)
    for name, value in found.items():
        method = value.__func__ if isinstance(value, classmethod) else value
        styles = getattr(method, "styles", None)
        if not isinstance(method, FunctionType) or styles is None:
            continue
        if getattr(method, "awaited", None) is awaited:
            continue
        if awaited not in styles:
            styles[awaited] = _method_of_style(method.general, awaited=awaited)  # type: ignore[attr-defined]
        own = styles[awaited]
        setattr(cls, name, classmethod(own) if isinstance(value, classmethod) else own)


def _method_of_style(general: Any, *, awaited: bool) -> Callable[..., Any]:
    body: Callable[..., Any] = getattr(general, "body", general)
    written = str(body.__annotations__.get("return", ""))
    call: Any
    if awaited and written.startswith("Operation["):
        operation_name = body.__name__.lstrip("_")

        async def call(client: AsyncCaller, *args: Any, **kwargs: Any) -> Any:
            return await client._run(body(client, *args, **kwargs), operation_name)

    else:
        call = FunctionType(
            general.__code__,
            general.__globals__,
            body.__name__,
            general.__defaults__,
            general.__closure__,
        )
        call.__kwdefaults__ = general.__kwdefaults__
    functools.update_wrapper(call, body)
    del call.__wrapped__  # tools would take an operation for a generator
    call.__annotations__ = {
        **body.__annotations__,
        "return": _result_shown(written, awaited=awaited),
    }
    call.__signature__ = _LazySignature(body, call.__annotations__["return"])
    call.general, call.styles, call.awaited = general, general.styles, awaited
    if body is not general:
        call.body = body
    return cast("Callable[..., Any]", call)


class SyncCaller(Caller):
    """Object whose operations block."""

    _awaits = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _specialize(cls, awaited=False)

    @abc.abstractmethod
    def _run(self, operation: Operation[R], name: str) -> R: ...

    @abc.abstractmethod
    def _iterate(self, operation: OperationStream[R], name: str) -> Iterator[R]: ...


class AsyncCaller(Caller):
    """Object whose operations are awaited."""

    _awaits = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _specialize(cls, awaited=True)

    @property
    @abc.abstractmethod
    def _loop(self) -> AbstractEventLoop:
        """The loop whose tasks await the operations, from the first call of the client on."""

    @abc.abstractmethod
    def _run(self, operation: Operation[R], name: str) -> Coroutine[Any, Any, R]: ...

    @abc.abstractmethod
    def _iterate(self, operation: OperationStream[R], name: str) -> AsyncIterator[R]: ...


class Resource(Caller):
    """Base of data structures of a client, which runs their operations.

    Args:
        client: Client, or another caller, in the style of this object.
    """

    def __init__(self, client: Caller) -> None:
        self._client: Any = client

    def _run(self, operation: Operation[Any], name: str) -> Any:
        return self._client._run(operation, name)

    def _iterate(self, operation: OperationStream[Any], name: str) -> Any:
        return self._client._iterate(operation, name)


class SyncResource(Resource, SyncCaller):
    """Base of data structures of a blocking client."""


class AsyncResource(Resource, AsyncCaller):
    """Base of data structures of an asyncio client."""

    @property
    def _loop(self) -> AbstractEventLoop:
        loop: AbstractEventLoop = self._client._loop
        return loop


ClientT_co = TypeVar("ClientT_co", covariant=True)


class Connecting(Coroutine[Any, Any, ClientT_co]):
    """A client or server that is being started: to be awaited, or to be used in `async with`.

    Args:
        connect: The coroutine that returns the connected client, or the started server.
    """

    def __init__(self, connect: Coroutine[Any, Any, ClientT_co]) -> None:
        self._connect = connect
        self._client: Any = None

    def send(self, value: Any) -> Any:
        """Resume the coroutine."""
        return self._connect.send(value)

    def throw(self, *error: Any) -> Any:
        """Raise an error in the coroutine."""
        return self._connect.throw(*error)

    def close(self) -> None:
        """End the coroutine."""
        self._connect.close()

    def __await__(self) -> Generator[Any, Any, ClientT_co]:
        return self._connect.__await__()

    async def __aenter__(self) -> ClientT_co:
        client = await self._connect
        self._client = client
        return client

    async def __aexit__(self, *exc: object) -> None:
        if self._client is not None:
            await self._client.__aexit__(*exc)


class SyncClient(Client, SyncCaller):
    """Base of blocking clients; threads may share one."""

    _driver: SyncDriver

    @staticmethod
    def _driver_type() -> type[SyncDriver]:
        return SyncDriver

    def _run(self, operation: Operation[R], name: str) -> R:
        return self._driver.run(operation, name, self._timeout)

    def _iterate(self, operation: OperationStream[R], name: str) -> Iterator[R]:
        return self._driver.iterate(operation, name, self._timeout)

    @classmethod
    def _open(cls, *args: Any, **keywords: Any) -> Any:
        client: Any = cls(*args, **keywords)
        return client._connect_or_close(client._connect)

    def _connect_or_close(self, connect: Callable[[], object]) -> Self:
        """Return this client after `connect`; close the client if `connect` fails."""
        try:
            connect()
        except BaseException:
            self.close(linger=0.0)
            raise
        return self

    def close(self, *, linger: float | timedelta = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give open calls `linger` seconds, then close; safe to call twice.

        Args:
            linger: Seconds to wait for open calls, or a `timedelta`; 1 second by default.

        Raises:
            ConfigError: `linger` is negative or NaN.
        """
        linger = to_seconds("linger", linger)
        if linger:
            for name, last in self._last_operations():
                with suppress(JvmWireError):
                    self._driver.run(last, name, linger)
        self._finalizer.detach()
        self._driver.close(linger=linger)
        self._release()

    def _close_soon(self) -> None:
        """Close the client without a warning: for finalizers, which may not take a lock."""
        self._finalizer.detach()
        self._driver.close_soon()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class AsyncClient(Client, AsyncCaller):
    """Base of asyncio clients; the tasks of one loop may share one.

    A client may be made where no loop runs; it belongs to the event loop of its first call.
    """

    _driver: AsyncDriver

    @staticmethod
    def _driver_type() -> type[AsyncDriver]:
        from jvmwire._runtime.aio import AsyncDriver  # blocking clients need no asyncio

        return AsyncDriver

    @property
    def _loop(self) -> AbstractEventLoop:
        return self._driver.loop

    def _run(self, operation: Operation[R], name: str) -> Coroutine[Any, Any, R]:
        return self._driver.run(operation, name, self._timeout)

    def _iterate(self, operation: OperationStream[R], name: str) -> AsyncIterator[R]:
        return self._driver.iterate(operation, name, self._timeout)

    @classmethod
    def _open(cls, *args: Any, **keywords: Any) -> Any:
        async def connected() -> Self:
            client: Any = cls(*args, **keywords)
            return cast("Self", await client._connect_or_close(client._connect))

        return Connecting(connected())

    async def _connect_or_close(self, connect: Callable[[], Coroutine[Any, Any, object]]) -> Self:
        """Return this client after `connect`; close the client if `connect` fails."""
        try:
            await connect()
        except BaseException:
            await self.close(linger=0.0)
            raise
        return self

    async def close(self, *, linger: float | timedelta = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give open calls `linger` seconds, then close; safe to call twice.

        Args:
            linger: Seconds to wait for open calls, or a `timedelta`; 1 second by default.

        Raises:
            ConfigError: `linger` is negative or NaN.
            WrongLoop: the client was used from another event loop.
        """
        linger = to_seconds("linger", linger)
        if linger:
            for name, last in self._last_operations():
                with suppress(JvmWireError):
                    await self._driver.run(last, name, linger)
        await self._driver.close(linger=linger)
        self._finalizer.detach()
        self._release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def _as_method(call: Callable[..., Any], body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function `call` with the metadata of `body`, and `body` as an attribute.

    A function is used since Python binds it faster than an object with its own `__get__`.
    `_specialize` replaces it in the classes of a style.
    """
    functools.update_wrapper(call, body)
    del call.__wrapped__  # type: ignore[attr-defined] # tools would take it for a generator
    call.body = body  # type: ignore[attr-defined]
    call.general, call.styles = call, {}  # type: ignore[attr-defined]
    return call


class operation(Generic[P, R]):  # noqa: N801  # it is used as a decorator
    """Decorator that makes a generator method blocking on sync and awaitable on async callers."""

    body: Callable[Concatenate[Any, P], Operation[R]]
    """The generator function: other operations of the same object call it directly."""

    def __new__(cls, body: Callable[Concatenate[Any, P], Operation[R]]) -> Self:
        """Return the method that makes the client run the operation."""
        name = body.__name__.lstrip("_")  # the name in errors and for `on_call`

        def call(client: SyncCaller | AsyncCaller, *args: P.args, **kwargs: P.kwargs) -> Any:
            return client._run(body(client, *args, **kwargs), name)

        return cast("Self", _as_method(call, body))

    if TYPE_CHECKING:

        @overload
        def __get__(self, client: None, owner: type) -> Self: ...
        @overload
        def __get__(self, client: SyncCaller, owner: type) -> Callable[P, R]: ...
        @overload
        def __get__(
            self, client: AsyncCaller, owner: type
        ) -> Callable[P, Coroutine[Any, Any, R]]: ...
        def __get__(self, client: SyncCaller | AsyncCaller | None, owner: type) -> Any: ...
        def __call__(self, client: Any, *args: P.args, **kwargs: P.kwargs) -> Any: ...


class operation_factory(Generic[P, S, A]):  # noqa: N801  # it is used as a decorator
    """Decorator like `operation`, for a generator method that makes an object in either style."""

    body: Callable[Concatenate[Any, P], Operation[Either[S, A]]]
    """The generator function: other operations of the same object call it directly."""

    def __new__(cls, body: Callable[Concatenate[Any, P], Operation[Either[S, A]]]) -> Self:
        """Return the method that makes the client run the operation."""
        return cast("Self", operation(body))

    if TYPE_CHECKING:

        @overload
        def __get__(self, client: None, owner: type) -> Self: ...
        @overload
        def __get__(self, client: SyncCaller, owner: type) -> Callable[P, S]: ...
        @overload
        def __get__(
            self, client: AsyncCaller, owner: type
        ) -> Callable[P, Coroutine[Any, Any, A]]: ...
        def __get__(self, client: SyncCaller | AsyncCaller | None, owner: type) -> Any: ...
        def __call__(self, client: Any, *args: P.args, **kwargs: P.kwargs) -> Any: ...


class factory(Generic[P, S, A]):  # noqa: N801  # it is used as a decorator
    """Decorator of a method that makes an object in the style of its caller, without an operation.

    The method is called as it is written: only its annotations become those of the style.
    """

    def __new__(cls, body: Callable[Concatenate[Any, P], Either[S, A]]) -> Self:
        """Return the method, to be given the annotations of each style."""
        method: Any = body
        method.general, method.styles = method, {}
        return cast("Self", method)

    if TYPE_CHECKING:

        @overload
        def __get__(self, client: None, owner: type) -> Self: ...
        @overload
        def __get__(self, client: SyncCaller, owner: type) -> Callable[P, S]: ...
        @overload
        def __get__(self, client: AsyncCaller, owner: type) -> Callable[P, A]: ...
        def __get__(self, client: SyncCaller | AsyncCaller | None, owner: type) -> Any: ...
        def __call__(self, client: Any, *args: P.args, **kwargs: P.kwargs) -> Any: ...


SyncClientT = TypeVar("SyncClientT", bound=SyncClient)
AsyncClientT = TypeVar("AsyncClientT", bound=AsyncClient)


class connector(Generic[P]):  # noqa: N801  # it is used as a decorator
    """Decorator of a class method that returns `cls._open`: a client, or one to be awaited."""

    def __new__(cls, body: Callable[Concatenate[Any, P], Either[Any, Connecting[Any]]]) -> Self:
        """Return the class method, to be given the annotations of each style."""
        return cast("Self", classmethod(cast("Any", factory(body))))

    if TYPE_CHECKING:

        @overload
        def __get__(
            self, client: SyncClientT | None, owner: type[SyncClientT]
        ) -> Callable[P, SyncClientT]: ...
        @overload
        def __get__(
            self, client: AsyncClientT | None, owner: type[AsyncClientT]
        ) -> Callable[P, Connecting[AsyncClientT]]: ...
        def __get__(self, client: Any, owner: type) -> Any: ...


class operation_stream(Generic[P, R]):  # noqa: N801  # it is used as a decorator
    """Decorator that makes a generator method a method that returns a sync or async iterator."""

    body: Callable[Concatenate[Any, P], OperationStream[R]]
    """The generator function: other operations of the same object call it directly."""

    def __new__(cls, body: Callable[Concatenate[Any, P], OperationStream[R]]) -> Self:
        """Return the method that iterates over the emitted values."""
        name = body.__name__.lstrip("_")  # the name in errors and for `on_call`

        def call(client: SyncCaller | AsyncCaller, *args: P.args, **kwargs: P.kwargs) -> Any:
            return client._iterate(body(client, *args, **kwargs), name)

        return cast("Self", _as_method(call, body))

    if TYPE_CHECKING:

        @overload
        def __get__(self, client: None, owner: type) -> Self: ...
        @overload
        def __get__(self, client: SyncCaller, owner: type) -> Callable[P, Iterator[R]]: ...
        @overload
        def __get__(self, client: AsyncCaller, owner: type) -> Callable[P, AsyncIterator[R]]: ...
        def __get__(self, client: SyncCaller | AsyncCaller | None, owner: type) -> Any: ...
        def __call__(self, client: Any, *args: P.args, **kwargs: P.kwargs) -> Any: ...


class event_stream(operation_stream[P, R]):  # noqa: N801  # it is used as a decorator
    """Decorator for an `operation_stream` whose iterator raises each `Failure` and continues."""

    def __new__(cls, body: Callable[Concatenate[Any, P], OperationStream[R]]) -> Self:
        """Return the method that iterates over the emitted values."""
        name = body.__name__.lstrip("_")

        def call(client: SyncCaller | AsyncCaller, *args: P.args, **kwargs: P.kwargs) -> Any:
            emitted = client._iterate(body(client, *args, **kwargs), name)
            if isinstance(client, SyncCaller):
                return _Events(cast("Generator[Any, None, None]", emitted))
            return _AsyncEvents(cast("AsyncGenerator[Any, None]", emitted))

        return cast("Self", _as_method(call, body))


class _Events:
    """An iterator that continues after an error."""

    def __init__(self, emitted: Generator[Any, None, None]) -> None:
        self._emitted = emitted

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        event = next(self._emitted)
        if isinstance(event, Failure):
            raise event.error
        return event

    def close(self) -> None:
        """End the iteration like `generator.close`."""
        self._emitted.close()


class _AsyncEvents:
    """An asynchronous iterator that continues after an error."""

    def __init__(self, emitted: AsyncGenerator[Any, None]) -> None:
        self._emitted = emitted

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        event = await anext(self._emitted)
        if isinstance(event, Failure):
            raise event.error
        return event

    async def aclose(self) -> None:
        """End the iteration like `asyncgenerator.aclose`."""
        await self._emitted.aclose()
