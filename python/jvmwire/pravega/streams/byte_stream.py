"""Bytes without events, in a stream of one segment: for threads and for asyncio."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jvmwire._core import PRAVEGA_EVENT_LIMIT
from jvmwire.client import operation
from jvmwire.pravega.ending import AsyncEnding, Ending, SyncEnding
from jvmwire.pravega.streams.errors import SEALED, StreamIsSealed
from jvmwire.pravega.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._core import PravegaEvents
    from jvmwire.operations import Operation


class _WritesBytes(Ending[Writer]):
    @operation
    def write(self, data: bytes) -> Operation[None]:
        """Take bytes: they are sent soon; `flush` waits until they are stored.

        Waits while as much waits as may.

        Raises:
            StreamIsSealed: it takes no more.
        """
        with _telling(self._writer):
            yield from self._writer.take(_push, data)

    @operation
    def flush(self) -> Operation[None]:
        """Return once all bytes that were taken so far are stored."""
        yield from self._store()

    def _store(self) -> Operation[None]:
        with _telling(self._writer):
            yield from self._writer.await_acknowledgement(self._writer.accepted)


def _push(taken: PravegaEvents, data: bytes) -> int:
    parts = range(0, len(data), PRAVEGA_EVENT_LIMIT)
    return sum(taken.push(data[at : at + PRAVEGA_EVENT_LIMIT]) for at in parts)


@contextmanager
def _telling(writer: Writer) -> Iterator[None]:
    """Say of the stream what is said of its segment."""
    try:
        yield
    except SEALED as error:
        raise StreamIsSealed(f"the stream of {writer.segment!r} is sealed") from error


class ByteWriter(_WritesBytes, SyncEnding[Writer]):
    """Writes bytes to one stream; threads may share it."""


class AsyncByteWriter(_WritesBytes, AsyncEnding[Writer]):
    """The same, awaited; tasks may share it."""
