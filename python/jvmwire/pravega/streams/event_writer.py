"""Writes events to a stream: for threads and for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._runtime.client import operation
from jvmwire.pravega.closing import AsyncEnding, ClosableWriter, SyncClosableWriter
from jvmwire.pravega.streams.routing import positions_of
from jvmwire.pravega.streams.writer import StreamWriter

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation


class _Writes(ClosableWriter[StreamWriter]):
    @operation
    def append(self, event: bytes, key: str | None = None) -> Operation[None]:
        """Write `event`, and return once it is stored.

        Events of one routing key are read in the order in which they were written. Without a key
        the event is in whichever segment.

        Raises:
            StreamIsSealed: it takes no more; `unacknowledged` has what is not stored.
            ValueError: it is longer than the option `max_event`.
        """
        places = yield from self._writer.enqueue(
            [event], positions_of(1, None if key is None else [key])
        )
        yield from self._writer.wait_stored(places)

    @operation
    def append_all(self, events: list[bytes], keys: list[str] | None = None) -> Operation[None]:
        """Write events, each with its routing key, and return once all are stored."""
        places = yield from self._writer.enqueue(events, positions_of(len(events), keys))
        yield from self._writer.wait_stored(places)

    @operation
    def write(self, event: bytes, key: str | None = None) -> Operation[None]:
        """Take `event`: it is sent soon; `flush` waits until it is stored.

        Waits while as much waits for its segment as may.
        """
        yield from self._writer.enqueue([event], positions_of(1, None if key is None else [key]))

    @operation
    def write_all(self, events: list[bytes], keys: list[str] | None = None) -> Operation[None]:
        """Take events, each with its routing key."""
        yield from self._writer.enqueue(events, positions_of(len(events), keys))

    @operation
    def flush(self) -> Operation[None]:
        """Return once all that was taken so far is stored."""
        yield from self._store()

    @operation
    def unacknowledged(self) -> Operation[list[bytes]]:
        """Take back what is not known to be stored; the writer takes nothing more."""
        yield from ()
        return self._writer.unacknowledged()

    def _store(self) -> Operation[None]:
        return self._writer.flush()


class EventWriter(_Writes, SyncClosableWriter[StreamWriter]):
    """Writes to one stream; threads may share it."""


class AsyncEventWriter(_Writes, AsyncEnding[StreamWriter]):
    """The same, awaited; tasks may share it."""
