"""The rules of Pravega's first protocol, one test each, without a network."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._core import PravegaDialect
from jvmwire._runtime.session import Closed, Opened, Pushed, Reply, State
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from jvmwire.pravega.early._messages import (
    AppendBlock,
    AppendSetup,
    DataAppended,
    ReadSegment,
    SegmentRead,
    SetupAppend,
)
from jvmwire.pravega.early._session import EarlyClientSession, EarlyServerSession
from kit.pravega_early_transcript import message

ONE = UUID(int=1)
TWO = UUID(int=2)


def begin(offset: int = 0, of: UUID = ONE, length: int = 0) -> bytes:
    return message("BeginAppendBlock", connection_id=of, connection_offset=offset, length=length)


def end(block_length: int, offset: int = 0, of: UUID = ONE) -> bytes:
    place = {"connection_id": of, "connection_offset": offset}
    return message("EndAppendBlock", **place, block_length=block_length)


def event(data: bytes) -> bytes:
    return message("Event", data=data)


def part(which: str, data: bytes) -> bytes:
    return message("PartialMessage", part=which, data=data)


def server(*set_up: UUID) -> EarlyServerSession:
    session = EarlyServerSession()
    assert list(session.events()) == [Opened()]
    for connection_id in set_up:
        session.send(AppendSetup("s", connection_id, 0))
    session.data_to_send(0.0)
    return session


def client() -> EarlyClientSession:
    session = EarlyClientSession()
    assert list(session.events()) == [Opened()]
    return session


def hears(session: Any, *said: bytes) -> list[Any]:
    session.receive_data(b"".join(said))
    return list(session.events())


def asked(session: EarlyServerSession, *said: bytes) -> list[Any]:
    return [it.message for it in hears(session, *said) if isinstance(it, Pushed)]


def test_a_header_is_a_type_and_a_length_big_end_first():
    assert message("KeepAlive", data=b"ab") == b"\0\0\0\1\0\0\0\2ab"


def test_a_message_of_two_to_the_24_bytes_is_refused_at_its_header():
    with pytest.raises(RemoteProtocolError, match="frame length"):
        hears(server(), b"\0\0\0\1\1\0\0\0")


def test_a_message_may_have_no_data():
    assert asked(server(ONE), begin(), event(b""), end(0)) == [AppendBlock(ONE, 0, b"")]


def test_strings_are_modified_utf_8_behind_two_bytes_of_length():
    wire = message("SetupAppend", connection_id=ONE, segment="\0😀")
    assert wire[24:] == b"\0\x08\xc0\x80\xed\xa0\xbd\xed\xb8\x80"
    assert asked(server(), wire) == [SetupAppend(ONE, "\0😀")]


def test_a_message_comes_back_from_its_pieces_whatever_stands_between():
    wire = message("SetupAppend", connection_id=ONE, segment="s")
    said = [
        part("Begin", wire[:5]),
        message("KeepAlive", data=b"still here"),
        part("Middle", wire[5:9]),
        part("Middle", b""),
        part("End", wire[9:]),
    ]
    assert asked(server(), *said) == [SetupAppend(ONE, "s")]


@pytest.mark.parametrize(
    "said",
    [
        [part("Begin", b"a"), part("Begin", b"a")],
        [part("Middle", b"a")],
        [part("End", b"a")],
        [part("Begin", part("Begin", b"a")), part("End", b"")],
        [part("Begin", event(b"abc")), part("End", b"too much")],
        [part("Begin", b"\0\0"), part("End", b"\0")],
        [b"\0\0\0\0\0\0\0\2\x03a"],
        [b"\0\0\0\0\0\0\0\0"],
    ],
)
def test_pieces_that_make_no_message_are_the_peers_fault(said):
    with pytest.raises(RemoteProtocolError):
        hears(server(ONE), begin(), *said)


def test_a_keepalive_is_never_answered():
    session = server()
    assert hears(session, message("KeepAlive", data=b"any data")) == []
    assert session.data_to_send(0.0) == b""


@pytest.mark.parametrize("side", [EarlyClientSession, EarlyServerSession])
def test_a_keepalive_goes_out_when_we_wrote_nothing_for_the_interval(side):
    session = side(keep_alive_interval=10.0)
    assert list(session.events()) == [Opened()]
    # Nothing was sent when the connection was made: silence counts from the first time that is
    # passed in.
    session.handle_timeout(100.0)
    assert session.data_to_send(100.0) == b""
    assert session.next_timeout() == 110.0
    # Bytes from the peer do not count.
    assert hears(session, message("KeepAlive", data=b"")) == []
    session.handle_timeout(109.0)
    assert session.data_to_send(109.0) == b""
    session.handle_timeout(110.0)
    assert session.data_to_send(110.0) == message("KeepAlive", data=b"")
    assert session.next_timeout() == 120.0
    session.send(ReadSegment("s", 0, 1) if side is EarlyClientSession else DataAppended(ONE, 0))
    assert session.data_to_send(115.0)
    assert session.next_timeout() == 125.0
    assert hears(session, b"") == [Closed()]
    assert session.next_timeout() is None


@pytest.mark.parametrize("side", [EarlyClientSession, EarlyServerSession])
def test_without_an_interval_nothing_is_ever_due(side):
    session = side(keep_alive_interval=None)
    session.handle_timeout(100.0)
    assert session.next_timeout() is None
    assert session.data_to_send(1000.0) == b""


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ([begin()], "was not set up"),
        ([event(b"a")], "outside of any block"),
        ([end(0)], "did not begin"),
        ([message("DataAppended", connection_id=ONE, connection_offset_ack_level=0)], "client"),
        ([b"\0\0\0\x63\0\0\0\0"], "unknown type 99"),
    ],
)
def test_an_append_without_a_set_up_and_what_clients_do_not_say_is_refused(said, what):
    with pytest.raises(RemoteProtocolError, match=what):
        hears(server(), *said)


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ([begin(1)], "at 1, not at 0"),
        ([begin(), begin()], "begins in another"),
        ([begin(), event(b"ab"), end(1)], "of 2 bytes ends after 1"),
        ([begin(), event(b"ab"), end(2, of=TWO)], "did not begin"),
        ([begin(), event(b"ab"), end(2, offset=2)], "did not begin"),
        ([begin(), event(b"ab"), end(5), event(b"cd")], "of 5 bytes has 4"),
        ([begin(), end(5), end(5)], "second end"),
        ([begin(), event(b"ab"), end(2), event(b"c")], "outside of any block"),
        ([begin(), end(-1)], "ends after -1"),
        ([begin(), end(1 << 30)], "ends after"),
    ],
)
def test_a_block_that_is_not_what_it_says_is_refused(said, what):
    session = server(ONE, TWO)
    with pytest.raises(RemoteProtocolError, match=what):
        hears(session, *said)
    assert session.state is State.CLOSED


def test_a_block_may_be_longer_or_shorter_than_it_began():
    session = server(ONE)
    said = [begin(length=1000), event(b"ab"), end(2), begin(2, length=0), event(b"c"), end(1, 2)]
    assert asked(session, *said) == [AppendBlock(ONE, 0, b"ab"), AppendBlock(ONE, 2, b"c")]


def test_appends_of_several_connections_share_a_tcp_connection():
    session = server(ONE, TWO)
    said = [begin(), event(b"1"), end(1), begin(of=TWO), event(b"2"), end(1, of=TWO)]
    assert asked(session, *said) == [AppendBlock(ONE, 0, b"1"), AppendBlock(TWO, 0, b"2")]


def test_what_is_asked_inside_a_block_is_answered_and_the_block_goes_on():
    read = message("ReadSegment", segment="s", offset=0, suggested_length=1)
    found = asked(server(ONE), begin(), event(b"1"), read, event(b"2"), end(2))
    assert found == [ReadSegment("s", 0, 1), AppendBlock(ONE, 0, b"12")]


def test_a_peer_that_closes_inside_a_block_is_said_to():
    session = server(ONE)
    hears(session, begin(), event(b"abc"))
    assert hears(session, b"") == [Closed(torn=3)]


def test_the_unbuffered_block_has_a_message_round_its_end():
    torn = event(b"the last")
    said = [begin(), event(b"first "), part("Begin", torn[:7]), end(14), part("End", torn[7:])]
    assert asked(server(ONE), *said) == [AppendBlock(ONE, 0, b"first the last")]


@given(data=st.binary(min_size=1, max_size=60), random=st.randoms(use_true_random=False))
def test_any_split_over_events_blocks_and_pieces_stores_the_same_bytes(data, random):
    session, stored, at = server(ONE), b"", 0
    while at < len(data):
        block = data[at : at + random.randint(1, 20)]
        said, rest, waits = [begin(at, length=random.randint(0, 99))], block, b""
        while rest:
            one = rest[: random.randint(1, 7)]
            rest = rest[len(one) :]
            wire = event(one)
            cut = random.randint(0, len(wire))
            match random.randint(0, 2):
                case 0:
                    said.append(wire)
                case 1:
                    said += [part("Begin", wire[:cut]), part("End", wire[cut:])]
                case 2 if not rest:
                    said.append(part("Begin", wire[:cut]))
                    waits = part("End", wire[cut:])
                case 2:
                    said += [part("Begin", b""), part("Middle", wire), part("End", b"")]
        said += [end(len(block), at), waits]
        wire = b"".join(said)
        while wire:
            size = random.randint(1, len(wire))
            for found in asked(session, wire[:size]):
                assert found.connection_offset == len(stored)
                stored += found.data
            wire = wire[size:]
        at += len(block)
    assert stored == data


def test_a_client_sends_a_block_where_it_stands_and_hears_how_far_it_is_stored():
    session = client()
    session.send(SetupAppend(ONE, "s"), 1)
    setup = message("AppendSetup", segment="s", connection_id=ONE, connection_offset_ack_level=7)
    assert hears(session, setup) == [Reply(1, 7)]
    session.data_to_send(0.0)
    with pytest.raises(LocalProtocolError, match="at offset 0, where 7"):
        session.send(AppendBlock(ONE, 0, b"no"), 2)
    session.send(AppendBlock(ONE, 7, b"abc"), 3)
    assert session.data_to_send(0.0) == begin(7, length=3) + event(b"abc") + end(3, 7)
    session.send(AppendBlock(ONE, 10, b"d"), 4)
    session.send(AppendBlock(ONE, 11, b"e"), 5)

    def appended(level: int) -> bytes:
        return message("DataAppended", connection_id=ONE, connection_offset_ack_level=level)

    assert hears(session, appended(9)) == []
    assert hears(session, appended(11)) == [Reply(3, 11), Reply(4, 11)]
    assert hears(session, appended(12)) == [Reply(5, 12)]
    with pytest.raises(RemoteProtocolError, match="11 bytes"):
        hears(session, appended(11))


def test_an_append_that_was_not_set_up_is_not_sent():
    with pytest.raises(LocalProtocolError, match="was not set up"):
        client().send(AppendBlock(ONE, 0, b""), 1)


def test_a_set_up_that_was_given_up_is_asked_for_again_and_answered_in_order():
    session = client()
    session.send(SetupAppend(ONE, "s"), 1)
    with pytest.raises(LocalProtocolError, match="already"):
        session.send(SetupAppend(ONE, "s"), 2)
    session.forget(1)
    session.send(SetupAppend(ONE, "s"), 3)

    def set_up(level: int) -> bytes:
        place = {"segment": "s", "connection_id": ONE}
        return message("AppendSetup", **place, connection_offset_ack_level=level)

    assert hears(session, set_up(5), set_up(7)) == [Reply(1, 5), Reply(3, 7)]
    session.send(AppendBlock(ONE, 7, b"abc"), 4)
    with pytest.raises(RemoteProtocolError, match="not to be set up"):
        hears(session, set_up(10))


def read_piece(offset: int, data: bytes, *, tail: bool = False) -> bytes:
    flags = {"at_tail": tail, "end_of_segment": False}
    return message("SegmentRead", segment="s", offset=offset, **flags, data=data)


def test_a_read_may_be_answered_in_pieces_without_gap_or_overlap():
    session = client()
    session.send(ReadSegment("s", 5, 4), 1)
    session.send(ReadSegment("s", 9, 100), 2)
    assert hears(session, read_piece(5, b"ab")) == []
    whole = SegmentRead("s", 5, False, False, b"abcd")
    assert hears(session, read_piece(7, b"cd")) == [Reply(1, whole)]
    at_tail = SegmentRead("s", 9, True, False, b"e")
    assert hears(session, read_piece(9, b"e", tail=True)) == [Reply(2, at_tail)]


@pytest.mark.parametrize("offset", [4, 6])
def test_a_gap_or_an_overlap_between_pieces_is_the_servers_fault(offset):
    session = client()
    session.send(ReadSegment("s", 5, 4), 1)
    with pytest.raises(RemoteProtocolError, match=f"at {offset}, not 5"):
        hears(session, read_piece(offset, b"ab"))


@pytest.mark.parametrize(
    "said",
    [
        read_piece(0, b"a"),
        message("AppendSetup", segment="s", connection_id=ONE, connection_offset_ack_level=0),
        message("DataAppended", connection_id=ONE, connection_offset_ack_level=0),
        message("SetupAppend", connection_id=ONE, segment="s"),
        message("SegmentRead", segment="s", offset=0, at_tail=True, end_of_segment=True, data=b"")[
            :-1
        ]
        + b"\x04",
    ],
)
def test_replies_to_nothing_are_the_servers_fault(said):
    with pytest.raises(RemoteProtocolError):
        hears(client(), said)


def test_answers_of_the_server_are_the_documents_messages():
    session = server()
    session.send(AppendSetup("s", ONE, 5))
    session.send(DataAppended(ONE, 9))
    session.send(SegmentRead("s", 1, True, False, b"data"))
    assert session.data_to_send(0.0) == (
        b"\0\0\0\5\0\0\0\x1b\0\1s" + ONE.bytes + b"\0\0\0\0\0\0\0\5"
        b"\0\0\0\t\0\0\0\x18" + ONE.bytes + b"\0\0\0\0\0\0\0\t"
        b"\0\0\0\3\0\0\0\x10\0\1s\0\0\0\0\0\0\0\1\1data"
    )


def test_other_numbers_for_types_are_taken_and_named_wrongly_refused():
    other = PravegaDialect.early({"KeepAlive": 77, "Event": -5})
    assert other.encode("KeepAlive", {"data": b""}) == b"\0\0\0\x4d\0\0\0\0"
    session = EarlyServerSession(other)
    session.receive_data(b"\0\0\0\x4d\0\0\0\0")
    assert list(session.events()) == [Opened()]
    with pytest.raises(ValueError, match="no early message"):
        PravegaDialect.early({"Keepalive": 77})
    with pytest.raises(ValueError, match="more than one"):
        PravegaDialect.early({"KeepAlive": 8})


@given(data=st.binary(max_size=100))
def test_garbage_is_an_event_or_the_peers_fault(data):
    for session in client(), server(ONE):
        try:
            hears(session, data)
        except RemoteProtocolError:
            assert session.state is State.CLOSED
