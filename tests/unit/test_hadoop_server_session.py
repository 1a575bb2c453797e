"""The server's session: the properties of all sessions, with real clients' bytes and garbage."""

from typing import Any

import pytest

from jvmwire._core import HadoopReplyDecoder, JavaClass
from jvmwire._runtime.session import NEED_DATA, Closed, State
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from jvmwire.hadoop.server._call import RpcCall
from jvmwire.hadoop.server._error_responses import make_error
from jvmwire.hadoop.server._session import (
    CallsReceived,
    ClientIdentified,
    HadoopServerSession,
    Refuse,
    SendReplies,
)
from kit import wire
from kit.environment import ROOT

OPENED = wire.connection_header() + wire.context("alice", "ping")
CALLS = wire.invocation(0) + wire.ping() + wire.call(1, "m", b"\x08\x01", protocol="p", retry=2)
SEED = (ROOT / "tests/vectors/hadoop/seed/client-call.bin").read_bytes()
STRING = JavaClass("java.lang.String")


def events(session: HadoopServerSession) -> list[str]:
    """Return the events of the received bytes, an error last."""
    found = []
    try:
        while (event := session.next_event()) is not NEED_DATA:
            found += told(event)
            if isinstance(event, Closed):
                break
    except RemoteProtocolError as error:
        found.append(f"error: {error}")
    return found


def told(event: Any) -> list[str]:
    match event:
        case CallsReceived(batch):
            return [
                f"{call.call_id} {call.protocol}.{call.method}{call.classes}{call.arguments}"
                for call in batch
            ]
        case other:
            return [str(other)]


def asked(data: bytes, **options: Any) -> tuple[HadoopServerSession, list[str]]:
    session = HadoopServerSession(address="10.0.0.7:4000", **options)
    session.receive_data(data)
    return session, events(session)


def called(data: bytes, **options: Any) -> tuple[HadoopServerSession, RpcCall]:
    session = HadoopServerSession(address="10.0.0.7:4000", **options)
    session.receive_data(data)
    assert isinstance(session.next_event(), ClientIdentified)
    event = session.next_event()
    assert isinstance(event, CallsReceived)
    [call] = event.batch
    return session, call


def answered(call: RpcCall, *values: Any) -> SendReplies:
    return SendReplies(call.calls, STRING, list(values), 0, call.index)


def test_a_client_says_who_it_is_and_calls() -> None:
    session, found = asked(OPENED + CALLS)
    assert found[0].startswith(
        "ClientIdentified(caller=Caller(address='10.0.0.7:4000', user='alice'"
    )
    assert found[1:] == ["0 ping.ping()[]", r"1 p.m()[b'\x08\x01']"]
    assert session.data_to_send(0.0) == b""


def test_an_answer_is_what_the_seed_shows() -> None:
    session, call = called(SEED, beta=True)
    assert call.caller.user == "eleibovi"
    session.send(answered(call, "pong"))
    reply = (ROOT / "tests/vectors/hadoop/seed/reply.bin").read_bytes()
    assert session.data_to_send(0.0) == reply.replace(reply[13:29], call.client_id)


def test_the_seeds_dialect_is_refused_unless_it_is_allowed() -> None:
    session, found = asked(SEED)
    assert found == ["error: there is no call -2147483647"]
    assert session.state is State.CLOSED


def test_a_refusal_names_class_message_and_code() -> None:
    session, call = called(OPENED + wire.invocation(5))
    session.send(Refuse(call.calls, 0, make_error("ERROR_APPLICATION", "a.B", "no")))
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID, engine="writable")
    decoder.feed(bytes(session.data_to_send(0.0)))
    answer = decoder.next_response()
    assert answer is not None
    assert (answer.kind, answer.call_id) == ("error", 5)
    assert answer.failure == ("a.B", "no", "ERROR_APPLICATION")


def test_calls_that_are_alike_come_together_and_are_answered_in_one() -> None:
    asked_for = [wire.invocation(0), wire.invocation(1), wire.invocation(2, "stop")]
    same = [wire.call(3, "m", b"a"), wire.ping(), wire.call(4, "m", b"b"), wire.call(5, "m", b"c")]
    others = [wire.call(6, "n"), wire.call(7, "n", retry=1), wire.call(8, "n", protocol="p")]
    session = HadoopServerSession(address="a")
    session.receive_data(OPENED + b"".join(asked_for + same + others))
    found = [[call.call_id for call in event.batch] for event in events_called(session)]
    assert found == [[0, 1], [2], [3], [4, 5], [6], [7], [8]]


def test_as_many_calls_are_taken_as_there_is_room_for() -> None:
    session = HadoopServerSession(address="a")
    session.receive_data(OPENED + b"".join(map(wire.invocation, range(5))))
    session.room = 2
    assert [len(event.batch) for event in events_called(session)] == [2, 2, 1]


def test_what_cannot_be_read_or_written_does_not_touch_the_calls_around_it() -> None:
    session = HadoopServerSession(address="a")
    wrong = wire.frame(wire.request_header(2), b"\x05")
    calls = [wire.call(0, "m", b"x"), wire.call(1, "m", b"y"), wrong, wire.call(3, "m", b"z")]
    session.receive_data(OPENED + b"".join(calls))
    first, second = events_called(session)
    assert (first.batch.arguments, second.batch.arguments) == ([[b"x"], [b"y"]], [[b"z"]])
    session.data_to_send(0.0)

    to = first.batch.calls
    tried: list[tuple[list[Any], int]] = [
        ([b"1", b"2"], 2),
        ([b"1", "2"], 1),
        ([b"1", OSError()], 1),
    ]
    for values, written in tried:
        answer = SendReplies(to, None, values, 0, 0)
        session.send(answer)
        assert answer.written == written
    with pytest.raises(TypeError):
        session.send(SendReplies(to, None, [b"1", "2"], 1, 1))
    assert bytes(session.data_to_send(0.0)) == b"".join(
        wire.reply(call_id, result)
        for call_id, result in [(0, b"1"), (1, b"2"), (0, b"1"), (0, b"1")]
    )


def events_called(session: HadoopServerSession) -> list[CallsReceived]:
    return [event for event in session.events() if isinstance(event, CallsReceived)]


def test_who_was_turned_away_is_told_and_heard_no_more() -> None:
    session = HadoopServerSession(address="a")
    session.receive_data(OPENED + wire.invocation(0))
    assert isinstance(session.next_event(), ClientIdentified)
    session.turn_away(make_error("FATAL_UNAUTHORIZED", "a.B", "no"))
    assert session.next_event() == Closed()
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID)
    decoder.feed(bytes(session.data_to_send(0.0)))
    answer = decoder.next_response()
    assert answer is not None
    assert answer.failure == ("a.B", "no", "FATAL_UNAUTHORIZED")


def test_nothing_can_be_answered_before_a_client_has_said_who_it_is() -> None:
    _, call = called(OPENED + wire.invocation(0))
    with pytest.raises(LocalProtocolError):
        HadoopServerSession(address="a").send(answered(call, "pong"))


def test_an_engine_that_nothing_is_served_by_is_refused() -> None:
    _, found = asked(OPENED + wire.invocation(0), engines={"protobuf"})
    assert found[-1] == "error: the engine 1 is not served"


def test_a_client_that_asks_for_a_negotiation_is_let_in_without() -> None:
    opening = wire.connection_header(auth=0xDF) + wire.sasl("client", 1)
    session, found = asked(opening + wire.context("alice", "ping") + wire.invocation(0))
    assert found[1:] == ["0 ping.ping()[]"]
    assert bytes(session.data_to_send(0.0)).endswith(b"\x02\x10\x00")
