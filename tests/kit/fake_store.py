"""Fake segment store that waits, hangs up or seals on command, unlike a real one."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire._runtime.session import Closed, Failed
from jvmwire.errors import JvmWireError, ProtocolError
from jvmwire.pravega.server import AppendReceived, CommandReceived, PravegaServerSession, SendReply
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from uuid import UUID

NEW = -(1 << 63)
"""Last event number of a writer that has none."""


@dataclass(eq=False)
class Conversation:
    """Conversation with one client."""

    stream: asyncio.StreamWriter
    session: PravegaServerSession = field(default_factory=PravegaServerSession)

    def answer(self, name: str, **fields: Any) -> None:
        """Send a reply."""
        self.session.send(SendReply(name, fields))
        self.say()

    def say(self) -> None:
        """Write the outgoing bytes of the session."""
        self.stream.write(self.session.data_to_send(0.0))


class StoreDouble:
    """Store of appends in memory, with the events of each writer by their numbers."""

    def __init__(self) -> None:
        self.endpoint: Tcp
        self.setups = 0
        self.stored: Counter[str] = Counter()
        """Number of events per segment."""
        self.segments: dict[str, bytearray] = {}
        """The bytes of segments, which are answered to those who read."""
        self.open = asyncio.Event()
        """While this is cleared, `SetupAppend` is not answered."""
        self.open.set()
        self.reading = asyncio.Event()
        """While this is cleared, nothing after a `SetupAppend` is read."""
        self.reading.set()
        self.ignored: set[str] = set()
        """Segments whose appends get no answer, and are not stored."""
        self.ended: list[JvmWireError | Closed] = []
        """Results of the conversations that the client ended."""
        self._last: dict[UUID, int] = {}
        self._sealed: set[str] = set()
        self._writers: dict[UUID, tuple[str, int, Conversation]] = {}
        self._conversations: set[Conversation] = set()

    def hang_up(self) -> None:
        """End all conversations."""
        for conversation in self._conversations:
            conversation.stream.close()

    def seal(self, segment: str) -> None:
        """Accept no more for a segment, and notify its writers."""
        self._sealed.add(segment)
        for of, request_id, conversation in self._writers.values():
            if of == segment:
                _tell_sealed(conversation, segment, request_id)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client, until either side ends the conversation."""
        conversation = Conversation(writer)
        self._conversations.add(conversation)
        with suppress(ConnectionError):
            try:
                while not await self._hear(conversation, await reader.read(1 << 16)):
                    pass
            except ProtocolError as error:
                self.ended.append(error)
        self._conversations.discard(conversation)
        writer.close()

    async def _hear(self, conversation: Conversation, data: bytes) -> bool:
        """Execute a client's command; return whether the conversation is over."""
        conversation.session.receive_data(data)
        for event in conversation.session.events():
            conversation.say()
            match event:
                case CommandReceived(name="SetupAppend"):
                    await self._set_up(event, conversation)
                case AppendReceived():
                    self._append(event, conversation)
                case CommandReceived(name="CreateSegment"):
                    self.segments[event.fields["segment"]] = bytearray()
                    self._answer(event, conversation, "SegmentCreated", "segment")
                case CommandReceived(name="GetStreamSegmentInfo"):
                    self._describe(event, conversation)
                case CommandReceived(name="ReadSegment"):
                    self._read(event, conversation)
                case Failed(error):
                    self.ended.append(error)
                    return True
                case Closed():
                    self.ended.append(event)
                    return True
        conversation.say()
        return False

    async def _set_up(self, asked: CommandReceived, conversation: Conversation) -> None:
        self.setups += 1
        await self.open.wait()
        writer_id, segment = asked.fields["writer_id"], asked.fields["segment"]
        self._writers[writer_id] = segment, asked.request_id, conversation
        if segment in self._sealed:
            _tell_sealed(conversation, segment, asked.request_id)
            return
        conversation.answer(
            "AppendSetup",
            request_id=asked.request_id,
            segment=segment,
            writer_id=writer_id,
            last_event_number=self._last.get(writer_id, NEW),
        )
        await self.reading.wait()

    def _answer(
        self,
        asked: CommandReceived,
        conversation: Conversation,
        name: str,
        segment: str,
        **more: Any,
    ) -> None:
        """Answer a command about a segment, whose name has the field `segment` in the reply."""
        named = asked.fields.get("segment", asked.fields.get("segment_name"))
        conversation.answer(name, request_id=asked.request_id, **{segment: named}, **more)

    def _describe(self, asked: CommandReceived, conversation: Conversation) -> None:
        segment = self.segments.get(asked.fields["segment_name"])
        if segment is None:
            return  # a client that must not ask again before the answer is judged by this
        self._answer(
            asked,
            conversation,
            "StreamSegmentInfo",
            "segment_name",
            exists=True,
            is_sealed=False,
            is_deleted=False,
            last_modified=0,
            write_offset=len(segment),
            start_offset=0,
        )

    def _read(self, asked: CommandReceived, conversation: Conversation) -> None:
        offset, length = asked.fields["offset"], asked.fields["suggested_length"]
        data = bytes(self.segments[asked.fields["segment"]][offset : offset + length])
        self._answer(
            asked,
            conversation,
            "SegmentRead",
            "segment",
            offset=offset,
            at_tail=False,
            end_of_segment=False,
            data=data,
        )

    def _append(self, append: AppendReceived, conversation: Conversation) -> None:
        writer_id = append.writer_id
        segment, _, _ = self._writers[writer_id]
        if segment in self.ignored:
            return
        before = self._last.get(writer_id, NEW)
        self._last[writer_id] = append.event_number
        self.stored[segment] += append.num_events
        self.segments.setdefault(segment, bytearray()).extend(append.data)
        conversation.answer(
            "DataAppended",
            writer_id=writer_id,
            event_number=append.event_number,
            previous_event_number=before,
            request_id=append.request_id,
            current_segment_write_offset=0,
        )


def _tell_sealed(conversation: Conversation, segment: str, request_id: int) -> None:
    conversation.answer(
        "SegmentIsSealed", request_id=request_id, segment=segment, server_stack_trace="", offset=0
    )


@asynccontextmanager
async def store_double() -> AsyncIterator[StoreDouble]:
    """Serve a store in the running event loop."""
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
