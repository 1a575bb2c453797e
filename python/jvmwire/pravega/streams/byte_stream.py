"""Bytes without events, in a stream of one segment: for threads and for asyncio."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from jvmwire._core import PRAVEGA_EVENT_LIMIT
from jvmwire.client import AsyncCaller, AsyncPart, SyncCaller, SyncPart, operation
from jvmwire.errors import LocalProtocolError
from jvmwire.pravega.errors import NoSuchSegment, SegmentIsSealed
from jvmwire.pravega.streams.errors import StreamIsSealed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._core import PravegaEvents
    from jvmwire.operations import Operation
    from jvmwire.pravega.writer import Writer


class _WritesBytes:
    _writer: Writer

    @operation
    def write(self, data: bytes) -> Operation[None]:
        """Take bytes: they are sent soon; `flush` waits until they are stored.

        Waits while as much waits as may.

        Raises:
            StreamIsSealed: it takes no more.
        """

        def push(taken: PravegaEvents) -> None:
            for at in range(0, len(data), PRAVEGA_EVENT_LIMIT):
                taken.push(data[at : at + PRAVEGA_EVENT_LIMIT])

        with _telling(self._writer):
            yield from self._writer.take(push)

    @operation
    def flush(self) -> Operation[None]:
        """Return once all bytes that were taken so far are stored."""
        with _telling(self._writer):
            yield from self._writer.await_acknowledgement(self._writer.accepted)

    @operation
    def _end(self, *, flush: bool) -> Operation[None]:
        try:
            if flush:
                with _telling(self._writer):
                    yield from self._writer.await_acknowledgement(self._writer.accepted)
        finally:
            self._writer.end(LocalProtocolError("the writer is closed"))


@contextmanager
def _telling(writer: Writer) -> Iterator[None]:
    """Say of the stream what is said of its segment."""
    try:
        yield
    except (SegmentIsSealed, NoSuchSegment) as error:
        raise StreamIsSealed(f"the stream of {writer.segment!r} is sealed") from error


class ByteWriter(_WritesBytes, SyncPart):
    """Writes bytes to one stream; threads may share it."""

    def __init__(self, client: SyncCaller, writer: Writer) -> None:
        super().__init__(client)
        self._writer = writer

    def close(self) -> None:
        """Wait until all is stored, and end."""
        self._end(flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._end(flush=exc[0] is None)


class AsyncByteWriter(_WritesBytes, AsyncPart):
    """The same, awaited; tasks may share it."""

    def __init__(self, client: AsyncCaller, writer: Writer) -> None:
        super().__init__(client)
        self._writer = writer

    async def close(self) -> None:
        """Wait until all is stored, and end."""
        await self._end(flush=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._end(flush=exc[0] is None)
