"""The server's session: the laws of sessions, with what clients wrote and with garbage."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._core import HadoopReplyDecoder, JavaClass
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from jvmwire.hadoop.server.call import RpcCall
from jvmwire.hadoop.server.refusals import refusal
from jvmwire.hadoop.server.session import Answer, Called, HadoopServerSession, Introduced, Refuse
from jvmwire.sansio import NEED_DATA, Closed, State
from kit import wire
from kit.environment import ROOT

OPENED = wire.connection_header() + wire.context("alice", "ping")
CALLS = wire.invocation(0) + wire.ping() + wire.call(1, "m", b"\x08\x01", protocol="p", retry=2)
SEED = (ROOT / "tests/vectors/hadoop/seed/client-call.bin").read_bytes()
STRING = JavaClass("java.lang.String")


def events(session: HadoopServerSession) -> list[str]:
    """Return what becomes of what was received, an error last."""
    found = []
    try:
        while (event := session.next_event()) is not NEED_DATA:
            found.append(told(event))
            if isinstance(event, Closed):
                break
    except RemoteProtocolError as error:
        found.append(f"error: {error}")
    return found


def told(event: Any) -> str:
    match event:
        case Called(call):
            return f"{call.call_id} {call.protocol}.{call.method}{call.classes}{call.arguments}"
        case other:
            return str(other)


def asked(data: bytes, **options: Any) -> tuple[HadoopServerSession, list[str]]:
    session = HadoopServerSession(address="10.0.0.7:4000", **options)
    session.receive_data(data)
    return session, events(session)


def called(data: bytes, **options: Any) -> tuple[HadoopServerSession, RpcCall]:
    session = HadoopServerSession(address="10.0.0.7:4000", **options)
    session.receive_data(data)
    assert isinstance(session.next_event(), Introduced)
    event = session.next_event()
    assert isinstance(event, Called)
    return session, event.call


def test_a_client_says_who_it_is_and_calls() -> None:
    session, found = asked(OPENED + CALLS)
    assert found[0].startswith("Introduced(caller=Caller(address='10.0.0.7:4000', user='alice'")
    assert found[1:] == ["0 ping.ping()[]", r"1 p.m()[b'\x08\x01']"]
    assert session.data_to_send(0.0) == b""


def test_an_answer_is_what_the_seed_shows() -> None:
    session, call = called(SEED, beta=True)
    assert call.caller.user == "eleibovi"
    session.send(Answer(call, STRING, "pong"))
    reply = (ROOT / "tests/vectors/hadoop/seed/reply.bin").read_bytes()
    assert session.data_to_send(0.0) == reply.replace(reply[13:29], call.client_id)


def test_the_seeds_dialect_is_refused_unless_it_is_allowed() -> None:
    session, found = asked(SEED)
    assert found == ["error: there is no call -2147483647"]
    assert session.state is State.CLOSED


def test_a_refusal_names_class_message_and_code() -> None:
    session, call = called(OPENED + wire.invocation(5))
    session.send(Refuse(call, refusal("ERROR_APPLICATION", "a.B", "no")))
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID, engine="writable")
    decoder.feed(bytes(session.data_to_send(0.0)))
    answer = decoder.next_answer()
    assert answer is not None
    assert (answer.kind, answer.call_id) == ("error", 5)
    assert answer.failure == ("a.B", "no", "ERROR_APPLICATION")


def test_who_was_turned_away_is_told_and_heard_no_more() -> None:
    session = HadoopServerSession(address="a")
    session.receive_data(OPENED + wire.invocation(0))
    assert isinstance(session.next_event(), Introduced)
    session.turn_away(refusal("FATAL_UNAUTHORIZED", "a.B", "no"))
    assert session.next_event() == Closed()
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID)
    decoder.feed(bytes(session.data_to_send(0.0)))
    answer = decoder.next_answer()
    assert answer is not None
    assert answer.failure == ("a.B", "no", "FATAL_UNAUTHORIZED")


def test_nothing_can_be_answered_before_a_client_has_said_who_it_is() -> None:
    _, call = called(OPENED + wire.invocation(0))
    with pytest.raises(LocalProtocolError):
        HadoopServerSession(address="a").send(Answer(call, STRING, "pong"))


def test_an_engine_that_nothing_is_served_by_is_refused() -> None:
    _, found = asked(OPENED + wire.invocation(0), engines={"protobuf"})
    assert found[-1] == "error: the engine 1 is not served"


def test_a_client_that_asks_for_a_negotiation_is_let_in_without() -> None:
    opening = wire.connection_header(auth=0xDF) + wire.sasl("client", 1)
    session, found = asked(opening + wire.context("alice", "ping") + wire.invocation(0))
    assert found[1:] == ["0 ping.ping()[]"]
    assert bytes(session.data_to_send(0.0)).endswith(b"\x02\x10\x00")


PIECES = st.lists(
    st.sampled_from([OPENED, CALLS, SEED, wire.sasl("client", 1), wire.OLD_PING])
    | st.binary(max_size=20),
    min_size=1,
    max_size=5,
).map(lambda pieces: b"".join(pieces) or OPENED)


@given(PIECES, st.data(), st.booleans())
def test_cutting_does_not_matter_and_garbage_is_an_error(
    data: bytes, cuts: st.DataObject, beta: bool
) -> None:
    session, whole = asked(data, beta=beta)
    cut = cuts.draw(st.integers(0, len(data)))
    again = HadoopServerSession(address="10.0.0.7:4000", beta=beta)
    found: list[str] = []
    for piece in (data[:cut], data[cut:]):
        if again.state is not State.CLOSED and piece:
            again.receive_data(piece)
            found += events(again)
    assert found == whole
    assert again.data_to_send(0.0) == session.data_to_send(0.0)
