"""Client of Pravega's first protocol, blocking and asyncio."""

from __future__ import annotations

import uuid
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from jvmwire._checks import check_range
from jvmwire._core import PravegaDialect
from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.client import (
    AsyncClient,
    AsyncResource,
    Caller,
    Client,
    Connecting,
    Either,
    Resource,
    SyncClient,
    SyncResource,
    connector,
    factory,
    operation,
    operation_stream,
)
from jvmwire._runtime.operations import Call, Emit, Future
from jvmwire._runtime.retry import RetryStrategy, retry
from jvmwire.errors import RemoteProtocolError, TransportError
from jvmwire.options import (
    CONNECT_TIMEOUT,
    ClientKeywords,
    ClientOptions,
    RetryPolicy,
    merge_options,
    of_class,
)
from jvmwire.pravega._addresses import STORE
from jvmwire.pravega._arguments import MAX_INT, check_name, check_offset
from jvmwire.pravega._session import KEEP_ALIVE_INTERVAL
from jvmwire.pravega.early._messages import AppendBlock, ReadSegment, SegmentRead, SetupAppend
from jvmwire.pravega.early._session import EarlyClientSession

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta
    from typing import Unpack
    from uuid import UUID

    from jvmwire._runtime.operations import Connection, Operation, OperationStream
    from jvmwire.transports import Endpoint
    from jvmwire.transports._addresses import EndpointLike

BLOCK = 1 << 20
"""Bytes of a block, at most (chosen by jvmwire)."""
PIECE = 1 << 20
"""Bytes per read request (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyOptions(ClientOptions):
    """Options of a client of the first protocol.

    Args:
        dialect: The numbers of the message types; by default those of jvmwire.
        connect_timeout: Seconds to connect to the server.
        retry: How often idempotent calls are retried and connections re-established.
        keep_alive_interval: Seconds of silence of the client until it sends a KeepAlive; None
            disables keep-alives. Default: 10.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call, in the calling thread or task.
        trace: Whether the logger `jvmwire.wire` logs commands and events at DEBUG, secrets masked.
    """

    dialect: PravegaDialect | None = field(default=None, metadata=of_class(PravegaDialect))
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL
    """Seconds of silence of the client until it sends a KeepAlive; None disables keep-alives."""


class EarlyKeywords(ClientKeywords, total=False):
    """Options as keyword arguments: the fields of `EarlyOptions`."""

    dialect: PravegaDialect | None
    connect_timeout: float | timedelta
    retry: RetryPolicy
    keep_alive_interval: float | timedelta | None


def _link(endpoint: Endpoint, options: EarlyOptions) -> FailoverChannel:
    return FailoverChannel(
        endpoint,
        lambda: EarlyClientSession(
            options.dialect, keep_alive_interval=options.keep_alive_interval
        ),
        connect_timeout=options.connect_timeout,
        retry=options.retry,
    )


class _EarlySegmentStoreMethods:
    _link: FailoverChannel
    _endpoint: Endpoint

    def _target(self) -> str:
        return str(self._endpoint)

    @operation
    def _connect(self) -> Operation[None]:
        yield from self._link.connection()

    @operation
    def read(self, segment: str, offset: int, *, length: int = PIECE) -> Operation[SegmentRead]:
        """Read up to `length` bytes at `offset`.

        Args:
            segment: The segment's name.
            offset: The offset of the first byte.
            length: The maximum number of bytes; default 1 MiB.

        Returns:
            The bytes, and whether the segment had more.

        Raises:
            ValueError: `offset` or `length` is negative or too large for its field.
        """
        check_name("segment", segment)
        offset = check_offset("offset", offset)
        length = check_range("length", length, 0, MAX_INT)
        found: SegmentRead = yield from self._link.call(ReadSegment(segment, offset, length))
        return found

    @operation_stream
    def read_bytes(self, segment: str, offset: int = 0) -> OperationStream[bytes]:
        """Read the bytes from `offset` to the tail of the segment.

        Args:
            segment: The segment's name.
            offset: The offset of the first byte.

        Yields:
            The bytes in order, in chunks of at most 1 MiB.
        """
        check_name("segment", segment)
        offset = check_offset("offset", offset)
        while True:
            found: SegmentRead = yield from self._link.call(ReadSegment(segment, offset, PIECE))
            if found.data:
                yield Emit(found.data)
            offset += len(found.data)
            if found.at_tail or found.end_of_segment:
                return


class _EarlyAppenderMethods(Resource):
    """One connection id, whose appends are stored once over any number of TCP connections."""

    def __init__(
        self,
        client: Caller,
        link: FailoverChannel,
        segment: str,
        retry: RetryPolicy,
    ) -> None:
        super().__init__(client)
        self.segment = segment
        self.connection_id: UUID = uuid.uuid4()
        self._link = link
        self._retry = retry
        self._offset = 0
        """Bytes known to be stored."""
        self._connection: Connection | None = None
        """The connection on which the connection id was set up last."""
        self._busy = False
        self._waiting: deque[Future] = deque()
        """Futures of callers that wait for their turn."""

    @operation
    def append(self, events: Iterable[bytes]) -> Operation[int]:
        """Append events, and return once they are stored.

        Args:
            events: The events' bytes, which are stored without headers.

        Returns:
            The number of bytes that this connection id has stored.
        """
        while self._busy:
            self._waiting.append(turn := Future())
            try:
                yield turn
            except BaseException:
                self._give_up(turn)
                raise
        self._busy = True
        try:
            data = b"".join(events)
            for start in range(0, len(data), BLOCK):
                yield from self._store(data[start : start + BLOCK])
        except BaseException:
            # The next `SetupAppend` reports whether the block was stored.
            self._connection = None
            raise
        else:
            return self._offset
        finally:
            self._busy = False
            self._call_next()

    def _call_next(self) -> None:
        if self._waiting and not self._busy:
            self._waiting.popleft().set_result()

    def _give_up(self, turn: Future) -> None:
        if turn in self._waiting:
            self._waiting.remove(turn)
        else:
            # The turn had come already: pass it on.
            self._call_next()

    def _store(self, data: bytes) -> Operation[None]:
        return retry(_StoreBlock(self, data), self._retry)

    def _store_once(self, block: _StoreBlock) -> Operation[None]:
        """Store the rest of a block over the present connection."""
        connection = yield from self._link.connection()
        if connection is not self._connection:
            setup = SetupAppend(self.connection_id, self.segment)
            level: int = yield Call(connection, setup)
            if block.end is None:
                block.end = level + len(block.data)
            if not 0 <= block.end - level <= len(block.data):
                raise RemoteProtocolError(
                    f"{level} bytes of {self.connection_id} are stored, not {self._offset}"
                )
            # The level is an acknowledgement: bytes after it are sent again.
            block.data = block.data[len(block.data) - (block.end - level) :]
            self._connection, self._offset = connection, level
        if block.data:
            append = AppendBlock(self.connection_id, self._offset, block.data)
            self._offset = yield Call(connection, append)

    def _end_of(self, data: bytes) -> int | None:
        """Return the offset after `data`; None if the server has to report the present one."""
        return None if self._connection is None else self._offset + len(data)


class _StoreBlock(RetryStrategy[None]):
    """Append of one block, whose stored bytes the server reports after each connection."""

    errors = (TransportError,)

    def __init__(self, appends: _EarlyAppenderMethods, data: bytes) -> None:
        self._appends = appends
        self.data = data
        """The bytes that are not known to be stored."""
        self.end = appends._end_of(data)
        """The offset after them; None until the server has reported the present one."""

    def attempt(self) -> Operation[None]:
        return self._appends._store_once(self)

    def judge(self, _: TransportError) -> int:
        return 0


class EarlyAppender(_EarlyAppenderMethods, SyncResource):
    """Appender to one segment; thread-safe."""


class AsyncEarlyAppender(_EarlyAppenderMethods, AsyncResource):
    """Asyncio counterpart of `EarlyAppender`."""


class _EarlyClient(_EarlySegmentStoreMethods, Client):
    """Base class of the blocking and the asyncio client."""

    def __init__(
        self,
        endpoint: EndpointLike,
        options: EarlyOptions | None = None,
        **keywords: Unpack[EarlyKeywords],
    ) -> None:
        self._options = merge_options(EarlyOptions, options, keywords)
        found = STORE.parse_one(endpoint)
        super().__init__(self._options)
        self._endpoint = found
        self._link = _link(found, self._options)

    @connector
    def connect(
        cls,
        endpoint: EndpointLike,
        options: EarlyOptions | None = None,
        **keywords: Unpack[EarlyKeywords],
    ) -> Either[Self, Connecting[Self]]:
        """Create a client and connect it; it reconnects when needed.

        Args:
            endpoint: The server's address, as for the class.
            options: Timeouts, retries and message numbers.
            **keywords: Fields of `EarlyOptions`, which take precedence over `options`.

        Returns:
            The connected client. An asyncio client is awaited, or used in `async with`.

        Raises:
            ConnectFailed: the server could not be reached.
        """
        return cls._open(endpoint, options, **keywords)

    @factory
    def appender(self, segment: str) -> Either[EarlyAppender, AsyncEarlyAppender]:
        """Create an appender to a segment, with a connection id of its own.

        Args:
            segment: The segment's name.

        Returns:
            The appender.
        """
        check_name("segment", segment)
        return self._styled(EarlyAppender, AsyncEarlyAppender)(
            self, self._link, segment, self._options.retry
        )


class EarlyClient(_EarlyClient, SyncClient):
    """Blocking client of a server of the first protocol; thread-safe.

    Args:
        endpoint: The server's address: `host`, `host:port`, `pravega+tls://host:port`, or an
            endpoint object such as `Tcp`. The default port is 12345.
        options: Timeouts, retries and message numbers.
        **keywords: Fields of `EarlyOptions`, which take precedence over `options`.
    """


class AsyncEarlyClient(_EarlyClient, AsyncClient):
    """Asyncio client of a server of the first protocol; its calls may overlap.

    Args:
        endpoint: The server's address: `host`, `host:port`, `pravega+tls://host:port`, or an
            endpoint object such as `Tcp`. The default port is 12345.
        options: Timeouts, retries and message numbers.
        **keywords: Fields of `EarlyOptions`, which take precedence over `options`.
    """
