"""A segment store of our own for what a real one does not do when told: wait, hang up, seal now."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from jvmwire.pravega.session import TODAY
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from uuid import UUID

FRAMES = 64 << 20


class StoreDouble:
    """Stores appends in memory, each writer's events by its numbers."""

    def __init__(self) -> None:
        self.endpoint: Tcp
        self.setups = 0
        self.stored: Counter[str] = Counter()
        """By segment, how many events."""
        self.open = asyncio.Event()
        """Cleared, `SetupAppend` is not answered."""
        self.open.set()
        self.reading = asyncio.Event()
        """Cleared, nothing more is read behind a `SetupAppend`."""
        self.reading.set()
        self.ignored: set[str] = set()
        """Segments whose appends get no answer, and are not stored."""
        self._last: dict[UUID, int] = {}
        self._sealed: set[str] = set()
        self._writers: dict[UUID, tuple[str, int, asyncio.StreamWriter]] = {}
        self._conversations: set[asyncio.StreamWriter] = set()

    def hang_up(self) -> None:
        """End all conversations."""
        for conversation in self._conversations:
            conversation.close()

    def seal(self, segment: str) -> None:
        """Take no more for a segment, and tell its writers."""
        self._sealed.add(segment)
        for of, request_id, conversation in self._writers.values():
            if of == segment:
                conversation.write(_sealed(segment, request_id))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Converse with one client."""
        self._conversations.add(writer)
        decoder = TODAY.decoder(limit=FRAMES)
        writer.write(TODAY.encode("Hello", {"high_version": 16, "low_version": 5}))
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                decoder.feed(data)
                while (received := decoder.next_command()) is not None:
                    _, name, fields = received
                    if name == "SetupAppend":
                        await self._set_up(fields, writer)
                    elif name == "AppendBlockEnd":
                        self._append(fields)
        self._conversations.discard(writer)
        writer.close()

    async def _set_up(self, fields: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        self.setups += 1
        await self.open.wait()
        writer_id, segment = fields["writer_id"], fields["segment"]
        request_id = fields["request_id"]
        self._writers[writer_id] = segment, request_id, writer
        if segment in self._sealed:
            writer.write(_sealed(segment, request_id))
            return
        answer = {
            "request_id": request_id,
            "segment": segment,
            "writer_id": writer_id,
            "last_event_number": self._last.get(writer_id, -(2**63)),
        }
        writer.write(TODAY.encode("AppendSetup", answer))
        await self.reading.wait()

    def _append(self, fields: dict[str, Any]) -> None:
        writer_id = fields["writer_id"]
        segment, request_id, writer = self._writers[writer_id]
        if segment in self.ignored:
            return
        number = fields["last_event_number"]
        before = self._last.get(writer_id, -(2**63))
        self._last[writer_id] = number
        self.stored[segment] += fields["num_events"]
        answer = {
            "writer_id": writer_id,
            "event_number": number,
            "previous_event_number": before,
            "request_id": request_id,
            "current_segment_write_offset": 0,
        }
        writer.write(TODAY.encode("DataAppended", answer))


def _sealed(segment: str, request_id: int) -> bytes | bytearray:
    fields = {"request_id": request_id, "segment": segment, "server_stack_trace": "", "offset": 0}
    return TODAY.encode("SegmentIsSealed", fields)


@asynccontextmanager
async def store_double() -> AsyncIterator[StoreDouble]:
    """Serve a store in the loop that runs."""
    store = StoreDouble()
    server = await asyncio.start_server(store.serve, "127.0.0.1", 0)
    store.endpoint = Tcp(*server.sockets[0].getsockname())
    try:
        yield store
    finally:
        store.open.set()
        store.reading.set()
        store.hang_up()
        server.close()
