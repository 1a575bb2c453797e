"""Writers of events to one stream, for threads and for asyncio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jvmwire._runtime.client import operation
from jvmwire.pravega._arguments import check_bytes, check_timestamp, check_type
from jvmwire.pravega._closing import AsyncClosableWriter, ClosableWriter, SyncClosableWriter
from jvmwire.pravega.streams._routing import positions_of
from jvmwire.pravega.streams._writer import StreamWriter

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation


class _EventWriterMethods(ClosableWriter[StreamWriter]):
    @operation
    def append(self, event: bytes, key: str | None = None) -> Operation[None]:
        """Write an event, and return once it is stored.

        Events with the same routing key are read in the order in which they were written.

        Args:
            event: The event's bytes, without a header.
            key: The routing key; without a key the event goes to a random segment.

        Raises:
            StreamIsSealed: the stream accepts no more events; `unacknowledged` returns the events
                that are not stored.
            ValueError: the event is longer than the option `max_event`.
        """
        check_bytes("event", event)
        places = yield from self._writer.enqueue(
            [event], positions_of(1, None if key is None else [key])
        )
        yield from self._writer.wait_stored(places)

    @operation
    def append_all(self, events: list[bytes], keys: list[str] | None = None) -> Operation[None]:
        """Write events, and return once all are stored.

        Args:
            events: The events' bytes, without headers.
            keys: One routing key per event; without keys the events go to random segments.

        Raises:
            StreamIsSealed: the stream accepts no more events; `unacknowledged` returns the events
                that are not stored.
            ValueError: an event is longer than the option `max_event`, or the number of keys
                differs from that of events.
        """
        check_type("events", events, Sequence)
        places = yield from self._writer.enqueue(events, positions_of(len(events), keys))
        yield from self._writer.wait_stored(places)

    @operation
    def write(self, event: bytes, key: str | None = None) -> Operation[None]:
        """Enqueue an event without waiting until it is stored.

        The event is sent soon; `flush` waits until it is stored. The call waits while the buffer of
        the event's segment is full.

        Args:
            event: The event's bytes, without a header.
            key: The routing key; without a key the event goes to a random segment.

        Raises:
            StreamIsSealed: the stream accepts no more events.
            ValueError: the event is longer than the option `max_event`.
        """
        check_bytes("event", event)
        yield from self._writer.enqueue([event], positions_of(1, None if key is None else [key]))

    @operation
    def write_all(self, events: list[bytes], keys: list[str] | None = None) -> Operation[None]:
        """Enqueue events without waiting until they are stored.

        Args:
            events: The events' bytes, without headers.
            keys: One routing key per event; without keys the events go to random segments.

        Raises:
            StreamIsSealed: the stream accepts no more events.
            ValueError: an event is longer than the option `max_event`, or the number of keys
                differs from that of events.
        """
        check_type("events", events, Sequence)
        yield from self._writer.enqueue(events, positions_of(len(events), keys))

    @operation
    def flush(self) -> Operation[None]:
        """Wait until all events that were enqueued so far are stored."""
        yield from self._store()

    @operation
    def note_time(self, timestamp: int) -> Operation[None]:
        """Wait until all events that were enqueued so far are stored, and note a time after them.

        Readers find the times of all writers by `time_window`. Their meaning is the application's,
        milliseconds since 1970 for example; each time of a writer should be later than the one
        before.

        Args:
            timestamp: A time at or after those of the events written so far, -2^63 to 2^63 - 1.

        Raises:
            StreamIsSealed: the stream is sealed.
            ValueError: this writer noted a later time before.

        Source: EventStreamWriter.noteTime (Pravega 0.13), which does not wait for the events.
        """
        yield from self._writer.note_time(check_timestamp(timestamp))

    @operation
    def unacknowledged(self) -> Operation[list[bytes]]:
        """Close the writer to further events, and take back the events not known to be stored.

        Returns:
            Those events; events with the same routing key are in order.
        """
        yield from ()
        return self._writer.unacknowledged()

    def _store(self) -> Operation[None]:
        return self._writer.flush()


class EventWriter(_EventWriterMethods, SyncClosableWriter[StreamWriter]):
    """Writer of events to one stream; thread-safe.

    As a context manager it waits at the end of the block until all events are stored; after an
    exception it ends at once.
    """


class AsyncEventWriter(_EventWriterMethods, AsyncClosableWriter[StreamWriter]):
    """Asyncio counterpart of `EventWriter`; tasks may share it.

    As an asynchronous context manager it waits at the end of the block until all events are stored;
    after an exception it ends at once.
    """
