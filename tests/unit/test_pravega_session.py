"""A segment store's client, byte by byte and without a network."""

from uuid import UUID

import pytest

from jvmwire._core import PravegaDataAppended
from jvmwire._runtime.session import Closed, Failed, Opened, Pushed, Refused, Reply, State
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from jvmwire.pravega._commands import (
    Append,
    CreateSegment,
    GetStreamSegmentInfo,
    ReadSegment,
    ReadTable,
    RemoveTableKeys,
    SealSegment,
    SetupAppend,
    UpdateTableEntries,
)
from jvmwire.pravega._session import CURRENT_DIALECT, PravegaClientSession
from jvmwire.pravega.errors import (
    NoSuchSegment,
    SegmentIsSealed,
    SegmentIsTruncated,
    TokenExpired,
    VersionMismatch,
    WrongHost,
    refusal,
)

WRITER = UUID(int=7)
HELLO = bytes.fromhex("ffffff81 00000008 00000010 00000005")
KEEP_ALIVE = bytes.fromhex("00000064 00000000")
SEALED = {"request_id": 1, "segment": "a/b/0"}


def opened(**options):
    session = PravegaClientSession(**options)
    session.receive_data(HELLO)
    assert list(session.events()) == [Opened()]
    session.data_to_send(0.0)
    return session


def said(session, name, fields):
    session.receive_data(CURRENT_DIALECT.encode(name, fields))
    return list(session.events())


def test_it_says_hello_with_the_versions_it_speaks_and_waits_for_the_stores():
    session = PravegaClientSession()
    assert session.data_to_send(0.0) == HELLO
    with pytest.raises(LocalProtocolError):
        session.send(SealSegment("a/b/0"), 1)
    session.receive_data(HELLO)
    assert list(session.events()) == [Opened()]


@pytest.mark.parametrize(("high", "low"), [(99, 17), (4, 1)])
def test_a_store_of_no_common_version_is_an_end_with_the_reason(high, low):
    session = PravegaClientSession()
    [failed] = said(session, "Hello", {"high_version": high, "low_version": low})
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, VersionMismatch)
    assert session.state is State.CLOSED


@pytest.mark.parametrize(("high", "low"), [(99, 16), (5, 1), (17, 5)])
def test_one_version_in_common_is_enough(high, low):
    session = PravegaClientSession()
    assert said(session, "Hello", {"high_version": high, "low_version": low}) == [Opened()]


def test_a_command_is_told_without_what_is_put_into_a_table():
    entry = {"key": b"alice", "version": -1, "value": b"secret"}
    for command in (
        UpdateTableEntries("t", [entry], -1),
        RemoveTableKeys("t", [entry], -1),
        ReadTable("t", [entry]),
    ):
        assert "alice" not in repr(command)
        assert "secret" not in repr(command)


def test_a_call_whose_token_is_refused_is_known_by_its_id_though_a_read_is_at_that_offset():
    session = opened()
    session.send(ReadSegment("a/b/0", 6, 10), 5)
    session.send(SealSegment("a/b/1"), 6)
    session.send(ReadSegment("a/b/0", 5, 10), 7)
    refused = {"server_stack_trace": "", "error_code": 1}
    for asked, call_id in [(6, 6), (6, 5), (5, 7)]:
        [event] = said(session, "AuthTokenCheckFailed", refused | {"request_id": asked})
        assert isinstance(event, Refused)
        assert (event.call_id, type(event.error)) == (call_id, TokenExpired)


def test_a_read_whose_token_is_refused_is_known_by_its_offset():
    session = opened()
    session.send(ReadSegment("a/b/0", 700, 10), 5)
    session.send(SealSegment("a/b/0"), 6)
    refused = {"server_stack_trace": "", "error_code": 1}
    for asked, call_id in [(700, 5), (6, 6)]:
        [event] = said(session, "AuthTokenCheckFailed", refused | {"request_id": asked})
        assert isinstance(event, Refused)
        assert (event.call_id, type(event.error)) == (call_id, TokenExpired)
    session.send(ReadSegment("a/b/0", 800, 10), 7)
    session.forget(7)
    # By the id under which it was given up: the counter of late replies has no other.
    late = said(session, "AuthTokenCheckFailed", refused | {"request_id": 800})
    assert late == [Reply(7, None)]


def test_a_request_carries_its_id_and_the_token():
    session = opened(delegation_token=lambda: "secret")
    session.send(SealSegment("a/b/0"), 5)
    wire = bytes(session.data_to_send(0.0))
    assert wire == CURRENT_DIALECT.encode(
        "SealSegment", {"request_id": 5, "segment": "a/b/0", "delegation_token": "secret"}
    )
    assert "secret" not in repr(SealSegment("a/b/0"))


def test_a_token_is_asked_for_anew_for_each_request():
    tokens = iter(["first", "second"])
    session = opened(delegation_token=lambda: next(tokens))
    session.send(SealSegment("a"), 1)
    session.send(SealSegment("a"), 2)
    wire = bytes(session.data_to_send(0.0))
    assert wire.index(b"first") < wire.index(b"second")


def test_replies_go_to_whom_they_belong_in_any_order():
    session = opened()
    session.send(SealSegment("a"), 1)
    session.send(SealSegment("b"), 2)
    for request_id in 2, 1:
        reply = {"request_id": request_id, "segment": "x"}
        assert said(session, "SegmentSealed", reply) == [Reply(request_id, None)]


def test_a_refusal_says_what_the_store_said():
    session = opened()
    session.send(SealSegment("a/b/0"), 1)
    [refused] = said(session, "NoSuchSegment", SEALED | {"server_stack_trace": "at x"})
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, NoSuchSegment)
    assert (refused.error.segment, refused.error.server_stack_trace) == ("a/b/0", "at x")
    assert str(refused.error) == "'a/b/0' does not exist"


def test_refusals_know_what_else_there_is_to_know():
    truncated = refusal("SegmentIsTruncated", SEALED | {"start_offset": 9})
    assert isinstance(truncated, SegmentIsTruncated)
    assert truncated.start_offset == 9
    elsewhere = refusal("WrongHost", SEALED | {"correct_host": "there"})
    assert isinstance(elsewhere, WrongHost)
    assert elsewhere.correct_host == "there"
    expired = refusal("AuthTokenCheckFailed", {"request_id": 1, "error_code": 1})
    assert isinstance(expired, TokenExpired)
    assert expired.retryable
    refused = refusal("AuthTokenCheckFailed", {"request_id": 1, "error_code": 0})
    assert refused is not None
    assert not refused.retryable
    assert refusal("SegmentSealed", SEALED) is None


def test_a_late_reply_to_a_call_given_up_is_let_go():
    session = opened()
    session.send(SealSegment("a"), 1)
    session.forget(1)
    assert said(session, "SegmentSealed", {"request_id": 1, "segment": "a"}) == [Reply(1, None)]
    with pytest.raises(RemoteProtocolError, match="not a pending request"):
        said(session, "SegmentSealed", {"request_id": 1, "segment": "a"})


def test_acknowledgements_and_refusals_of_appends_go_to_their_writer():
    session = opened()
    session.send(SetupAppend(WRITER, "a/b/0"), 70)
    setup = {
        "request_id": 70,
        "segment": "a/b/0",
        "writer_id": WRITER,
        "last_event_number": -(1 << 63),
    }
    assert said(session, "AppendSetup", setup) == [Reply(70, -(1 << 63))]
    session.data_to_send(0.0)
    session.send(Append(b"bytes"))
    assert session.data_to_send(0.0) == b"bytes"
    old = {"writer_id": WRITER, "event_number": 3}
    assert said(session, "DataAppended", old) == [
        Pushed(WRITER.int, PravegaDataAppended(WRITER.int, 3, -1))
    ]
    [pushed] = said(session, "SegmentIsSealed", {"request_id": 70, "segment": "a/b/0"})
    assert isinstance(pushed, Pushed)
    assert isinstance(pushed.message, SegmentIsSealed)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("DataAppended", {"writer_id": WRITER, "event_number": 3}),
        ("SegmentSealed", {"request_id": 9, "segment": "a"}),
        ("Hello", {"high_version": 16, "low_version": 5}),
        ("SealSegment", {"request_id": 1, "segment": "a", "delegation_token": ""}),
        ("AppendBlock", {"writer_id": WRITER, "data": b""}),
    ],
)
def test_what_no_client_expects_is_the_stores_fault(name, fields):
    session = opened()
    with pytest.raises(
        RemoteProtocolError, match=name if name != "DataAppended" else "not a writer"
    ):
        said(session, name, fields)
    assert session.state is State.CLOSED


def test_a_reply_of_the_wrong_kind_is_the_stores_fault():
    session = opened()
    session.send(CreateSegment("a", 0, 0, 0), 1)
    with pytest.raises(RemoteProtocolError, match="SegmentSealed as reply to CreateSegment 1"):
        said(session, "SegmentSealed", {"request_id": 1, "segment": "a"})


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (bytes.fromhex("00000017 00000000"), "unknown type 23"),
        (bytes.fromhex("00000001 01000000"), "frame length"),
        (bytes.fromhex("0000001d 00000008 0000000000000001"), "segment"),
    ],
)
def test_bytes_that_are_no_command_are_the_stores_fault(data, what):
    session = opened()
    session.receive_data(data)
    with pytest.raises(RemoteProtocolError, match=what):
        list(session.events())


def test_a_keepalive_from_the_store_is_not_answered():
    session = opened()
    session.receive_data(KEEP_ALIVE)
    assert list(session.events()) == []
    assert session.data_to_send(0.0) == b""


def test_a_keepalive_goes_out_when_we_wrote_nothing_for_the_interval():
    session = opened(keep_alive_interval=10.0)
    session.send(GetStreamSegmentInfo("a/b/0"), 1)
    session.data_to_send(100.0)
    assert session.next_timeout() == 110.0
    session.handle_timeout(109.0)
    assert session.data_to_send(109.0) == b""
    session.handle_timeout(110.0)
    assert session.data_to_send(110.0) == KEEP_ALIVE
    assert session.next_timeout() == 120.0


def test_without_an_interval_nothing_is_ever_due():
    assert opened(keep_alive_interval=None).next_timeout() is None


def test_the_end_within_a_command_says_how_much_of_it_there_was():
    session = opened()
    session.receive_data(b"\0\0\0\1\0")
    session.receive_data(b"")
    assert list(session.events()) == [Closed(torn=5)]


def test_the_commands_of_version_17_stand_as_its_source_has_them():
    """`LocateOffset` and `OffsetLocated`, which the released classes do not have."""
    locate = bytes.fromhex("00000029 00000016 0000000000000007 000173 0000000000000009 0001 74")
    located = bytes.fromhex("0000002a 00000013 0000000000000007 000173 0000000000000008")
    asked = {"request_id": 7, "segment": "s", "target_offset": 9, "delegation_token": "t"}
    told = {"request_id": 7, "segment": "s", "offset": 8}
    decoder = CURRENT_DIALECT.decoder()
    for code, name, fields, wire in (
        (41, "LocateOffset", asked, locate),
        (42, "OffsetLocated", told, located),
    ):
        assert CURRENT_DIALECT.encode(name, fields) == wire
        decoder.feed(wire)
        assert decoder.next_command() == (code, name, fields)


@pytest.mark.parametrize("text", ["x" * 65_536, "\0" * 32_768])
def test_a_name_that_two_bytes_of_length_cannot_count_is_the_callers_fault(text):
    session = opened()
    with pytest.raises(ValueError, match="65536 bytes do not fit"):
        session.send(SealSegment(text), 1)
    assert session.data_to_send(0.0) == b""


@pytest.mark.parametrize("size", [1, 7, 8, 9, 40, 1000])
def test_what_a_segment_holds_is_a_view_however_it_was_chopped(size):
    place = {"segment": "s", "offset": 0, "at_tail": False, "end_of_segment": False}
    held = [b"", b"x", bytes(range(256)) * 3]
    wire = b"".join(
        CURRENT_DIALECT.encode("SegmentRead", place | {"data": data, "request_id": 1})
        for data in held
    )
    decoder, found = CURRENT_DIALECT.decoder(), []
    for at in range(0, len(wire), size):
        decoder.feed(wire[at : at + size])
        while (received := decoder.next_command()) is not None:
            found.append(received[2]["data"])
        taken = sum(
            len(CURRENT_DIALECT.encode("SegmentRead", place | {"data": it})) + 8 for it in found
        )
        assert decoder.buffered == min(at + size, len(wire)) - taken
    assert [type(data) for data in found] == [memoryview] * 3
    assert found == held
    assert all(data.readonly for data in found)


def test_what_was_fed_before_any_of_it_was_taken_is_taken_in_order():
    decoder, wire = CURRENT_DIALECT.decoder(), CURRENT_DIALECT.encode("SegmentSealed", SEALED)
    for at in range(0, len(wire), 5):
        decoder.feed(wire[at : at + 5])
    decoder.feed(wire + wire[:11])
    assert decoder.buffered == 2 * len(wire) + 11
    assert [decoder.next_command() for _ in range(3)] == [(29, "SegmentSealed", SEALED)] * 2 + [
        None
    ]
    assert decoder.buffered == 11


def test_set_ups_that_are_given_up_leave_no_writer():
    session = opened()
    for call_id in range(100):
        session.send(SetupAppend(UUID(int=call_id % 7), "a/b/0"), call_id)
        session.forget(call_id)
    assert (session._writers, session._known, session._calls) == ({}, set(), {})
    # A writer that is set up again is identified by its last setup.
    session.send(SetupAppend(WRITER, "a/b/0"), 100)
    session.send(SetupAppend(WRITER, "a/b/0"), 101)
    session.forget(100)
    assert (session._writers, session._known) == ({101: WRITER.int}, {WRITER.int})
    fields = {"request_id": 5, "segment": "a/b/0", "writer_id": WRITER, "last_event_number": 0}
    assert said(session, "AppendSetup", fields) == [Reply(5, None)]
