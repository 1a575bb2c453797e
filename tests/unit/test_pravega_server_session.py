"""The store's side of the present protocol: with jvmwire's client, and each rule by itself."""

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmwire._core import PravegaDataAppended, PravegaEvents
from jvmwire._runtime.session import Closed, Event, Failed, Opened, Pushed, Refused, Reply
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from jvmwire.pravega import AsyncSegmentStore
from jvmwire.pravega._commands import (
    Append,
    CreateSegment,
    ReadSegment,
    SetupAppend,
)
from jvmwire.pravega._session import CURRENT_DIALECT, PravegaClientSession
from jvmwire.pravega.errors import ConditionalCheckFailed, NoSuchSegment, VersionMismatch
from jvmwire.pravega.server import AppendReceived, CommandReceived, PravegaServerSession, SendReply
from jvmwire.transports import Tcp
from kit.pravega_adversarial_inputs import (
    BROKEN,
    HELLO,
    INFO,
    SETUP,
    STRANGER,
    WRITER,
    block,
    conditional,
    end_of,
    hello,
)

if TYPE_CHECKING:
    from uuid import UUID

NEW = -(1 << 63)
DEADLINE = 60.0


class Store:
    """A minimal fake store: segments in a dict."""

    def __init__(self) -> None:
        self.segments: dict[str, bytearray] = {}
        self.session = PravegaServerSession()
        self._appended_to: dict[UUID, str] = {}

    def hear(self, data: bytes) -> bytes:
        """Execute the requests; return the bytes of the replies."""
        self.session.receive_data(data)
        for event in self.session.events():
            match event:
                case CommandReceived():
                    self.session.send(SendReply(*self._answer(event)))
                case AppendReceived():
                    self._append(event)
        return bytes(self.session.data_to_send(0.0))

    def _answer(self, asked: CommandReceived) -> tuple[str, dict[str, Any]]:
        segment: str = asked.fields["segment"]
        told = {"request_id": asked.request_id, "segment": segment}
        if asked.name == "CreateSegment":
            self.segments[segment] = bytearray()
            return "SegmentCreated", told
        if segment not in self.segments:
            return "NoSuchSegment", told | {"server_stack_trace": "", "offset": -1}
        if asked.name == "SetupAppend":
            writer_id = asked.fields["writer_id"]
            self._appended_to[writer_id] = segment
            return "AppendSetup", told | {"writer_id": writer_id, "last_event_number": NEW}
        data = bytes(self.segments[segment][asked.fields["offset"] :])
        place = {"offset": asked.fields["offset"], "at_tail": True, "end_of_segment": False}
        return "SegmentRead", told | place | {"data": data}

    def _append(self, append: AppendReceived) -> None:
        segment = self.segments[self._appended_to[append.writer_id]]
        told = {
            "writer_id": append.writer_id,
            "event_number": append.event_number,
            "request_id": append.request_id,
        }
        if append.expected_offset not in (None, len(segment)):
            self.session.send(SendReply("ConditionalCheckFailed", told))
            return
        segment += append.data
        told |= {"previous_event_number": NEW, "current_segment_write_offset": len(segment)}
        self.session.send(SendReply("DataAppended", told))


def converse(client: PravegaClientSession, store: Store) -> list[Event]:
    """Have both sides exchange all their bytes; return the events of the client."""
    heard = []
    while data := bytes(client.data_to_send(0.0)):
        client.receive_data(store.hear(data))
        heard += list(client.events())
    return heard


def test_our_client_and_a_double_understand_each_other():
    client, store = PravegaClientSession(delegation_token=lambda: "a secret"), Store()
    assert converse(client, store) == [Opened()]
    client.send(CreateSegment("a/b/0", 0, 0, 0), 1)
    client.send(ReadSegment("a/b/1", 0, 10), 2)
    created, refused = converse(client, store)
    assert created == Reply(1, None)
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, NoSuchSegment)
    client.send(SetupAppend(WRITER, "a/b/0"), 70)
    assert converse(client, store) == [Reply(70, NEW)]
    events = PravegaEvents(1000, 1000)
    events.push_all([b"one", b"two"])
    blocks, _ = events.next_blocks(WRITER, 0, 70)
    stored = b"".join(
        CURRENT_DIALECT.encode("Event", {"data": event}) for event in events.to_list()
    )
    client.send(Append(blocks))
    client.send(Append(conditional(3, len(stored))))
    client.send(Append(conditional(4, 1)))
    whole = stored + CURRENT_DIALECT.encode("Event", {"data": b"if"})
    *acknowledged, refusal = converse(client, store)
    assert acknowledged == [
        Pushed(WRITER.int, PravegaDataAppended(WRITER.int, 2, len(stored))),
        Pushed(WRITER.int, PravegaDataAppended(WRITER.int, 3, len(whole))),
    ]
    assert isinstance(refusal, Pushed)
    assert isinstance(refusal.message, ConditionalCheckFailed)
    assert store.segments["a/b/0"] == whole
    client.send(ReadSegment("a/b/0", 3, 1000), 3)
    [read] = converse(client, store)
    assert isinstance(read, Reply)
    assert read.message.data == whole[3:]


class Hasty(Store):
    """Fake store that acknowledges bytes that were never sent."""

    def _append(self, append: AppendReceived) -> None:
        told = {"writer_id": append.writer_id, "event_number": append.event_number + 5}
        more = {"previous_event_number": NEW, "request_id": append.request_id}
        at = {"current_segment_write_offset": 0}
        self.session.send(SendReply("DataAppended", told | more | at))


def test_events_that_were_not_sent_are_not_taken_for_stored():
    asyncio.run(append_hastily())


async def append_hastily() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        store = Hasty()
        while data := await reader.read(1 << 16):
            writer.write(store.hear(data))
        writer.close()

    async with asyncio.timeout(DEADLINE), await asyncio.start_server(serve, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        async with AsyncSegmentStore(Tcp("127.0.0.1", port)) as client:
            await client.create_segment("a/b/0")
            appender = client.appender("a/b/0")
            with pytest.raises(RemoteProtocolError, match=r"event 7 of .*, 5 after the last"):
                await appender.append_all([b"one", b"two"])
            assert await appender.unacknowledged() == [b"one", b"two"]


def opened() -> PravegaServerSession:
    """A session with an accepted writer."""
    session = PravegaServerSession()
    session.receive_data(HELLO + SETUP)
    asked = {"writer_id": WRITER, "segment": "s"}
    assert list(session.events()) == [Opened(), CommandReceived("SetupAppend", 70, asked, "t")]
    session.send(SendReply("AppendSetup", asked | {"request_id": 70, "last_event_number": 4}))
    session.data_to_send(0.0)
    return session


WRONG = {
    **BROKEN,
    "the event number of the set-up again": (end_of(4), "event 4 of a writer whose last was 4"),
}


@pytest.mark.parametrize(("wrong", "what"), WRONG.values(), ids=WRONG)
def test_what_a_client_may_not_say_ends_the_conversation(wrong, what):
    session = opened()
    session.receive_data(wrong)
    with pytest.raises(RemoteProtocolError, match=what):
        list(session.events())
    with pytest.raises(LocalProtocolError):
        session.send(SendReply("StorageFlushed", {"request_id": 9}))


def test_a_command_before_the_hello_is_refused():
    session = PravegaServerSession()
    session.receive_data(INFO)
    with pytest.raises(RemoteProtocolError, match="GetStreamSegmentInfo from the client"):
        list(session.events())


@pytest.mark.parametrize(("high", "low"), [(99, 90), (4, 1)])
def test_a_client_of_other_versions_is_told_ours_and_left(high, low):
    session = PravegaServerSession()
    session.receive_data(hello(high, low))
    [failed] = session.events()
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, VersionMismatch)
    assert session.data_to_send(0.0) == HELLO


def test_a_client_that_ends_within_a_block_tore_it():
    session = opened()
    session.receive_data(block())
    session.receive_data(b"")
    assert list(session.events()) == [Closed(torn=1)]


@pytest.mark.parametrize(
    "answer",
    [
        SendReply("SegmentSealed", {"request_id": 9, "segment": "s"}),
        SendReply("SealSegment", {"request_id": 9, "segment": "s", "delegation_token": ""}),
        SendReply("DataAppended", {"writer_id": STRANGER, "event_number": 1}),
        SendReply("no such command", {}),
    ],
    ids=lambda answer: answer.name,
)
def test_what_nobody_asked_for_is_not_answered(answer):
    session = opened()
    with pytest.raises(LocalProtocolError):
        session.send(answer)
    assert session.data_to_send(0.0) == b""


def test_a_request_is_answered_once_and_an_append_may_be_refused_by_its_set_up():
    session = opened()
    session.receive_data(INFO + end_of(5, data=b"bytes"))
    asked, append = session.events()
    assert asked == CommandReceived("GetStreamSegmentInfo", 9, {"segment_name": "s"})
    assert append == AppendReceived(WRITER, 5, 1, b"bytes", 70)
    missing = {"segment": "s", "server_stack_trace": "", "offset": -1}
    session.send(SendReply("NoSuchSegment", missing | {"request_id": 9}))
    session.send(SendReply("SegmentIsSealed", missing | {"request_id": 70}))
    with pytest.raises(LocalProtocolError):
        session.send(SendReply("NoSuchSegment", missing | {"request_id": 9}))


def test_an_event_that_was_refused_at_its_offset_comes_again_under_its_number():
    session = opened()
    session.receive_data(conditional(5, 0) + conditional(5, 9))
    first, again = session.events()
    assert isinstance(first, AppendReceived)
    assert isinstance(again, AppendReceived)
    assert (first.event_number, again.event_number) == (5, 5)
    assert (first.expected_offset, again.expected_offset) == (0, 9)


def test_a_token_is_in_no_repr():
    asked = CommandReceived("SealSegment", 1, {"segment": "s"}, "a secret")
    assert "a secret" not in repr(asked)
