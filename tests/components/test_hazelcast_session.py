"""The client's session of Hazelcast: a member's replies, and all others that it may send."""

import sys

import pytest

from jvmwire import LocalProtocolError, RemoteProtocolError
from jvmwire._runtime.session import Closed, Failed, Opened, Pushed, Refused, Replies, Reply, State
from jvmwire.errors import ConnectFailed, ConnectionLost
from jvmwire.hazelcast._commands import Request, Requests
from jvmwire.hazelcast._session import AUTHENTICATION_ID, PING_ID, HazelcastClientSession
from jvmwire.hazelcast.errors import (
    AuthenticationFailed,
    HazelcastError,
    OperationTimeout,
    Retriable,
    from_fields,
)
from kit.hazelcast_transcript import (
    CLIENT_UUID,
    GET,
    HAZELCAST_CLIENT,
    KEY,
    MEMBER_UUID,
    PUT,
    VALUE,
    event,
    let_in,
    named,
    new_session,
    refusal,
    response,
)
from kit.transcript import Hears, Sends

PING = named("Client.ping")


def opened(**options) -> HazelcastClientSession:
    session = new_session(**options)
    session.data_to_send(0.0)
    assert heard(session, let_in()) == [Opened()]
    return session


def heard(session, *data):
    session.receive_data(b"".join(data))
    return list(session.events())


def get(call_id, session):
    session.send(Request(GET, ("m", KEY, 1), 5), call_id)


def test_the_session_understands_calls_batches_fragments_and_events():
    session = HAZELCAST_CLIENT.new_session()
    seen = []
    for step in HAZELCAST_CLIENT.steps:
        match step:
            case Sends(command, call_id):
                session.send(command, call_id)
            case Hears(data):
                seen += heard(session, data)
    assert [type(one) for one in seen] == [
        *(Opened, Reply, Pushed, Reply, Replies, Reply, Replies, Pushed, Replies, Refused)
    ]
    assert seen[1].message == ("registered",)
    assert seen[2].message == (203, (KEY, VALUE, None, None, 1, MEMBER_UUID, 1))
    assert (seen[3].message, seen[5].message) == ((VALUE,), (None,))
    assert seen[8].message.values() == [None, VALUE, KEY * 3]
    [(index, kind, fields)] = seen[8].message.failures()
    assert (index, kind) == (0, 109)
    assert isinstance(from_fields(fields), OperationTimeout)
    assert isinstance(seen[9].error, Retriable)


def test_an_answer_is_the_last_for_now_unless_something_stands_behind_it():
    session = opened()
    for call_id in range(1, 6):
        get(call_id, session)
    session.receive_data(response("Data", 1, VALUE) + response("Data", 2, VALUE))
    assert [(session.next_event(), session.exhausted) for _ in range(2)] == [
        (Reply(1, (VALUE,)), False),
        (Reply(2, (VALUE,)), True),
    ]
    torn = response("Data", 4, VALUE)
    session.receive_data(response("Data", 3, VALUE) + torn[:10])
    assert (session.next_event(), session.exhausted) == (Reply(3, (VALUE,)), True)
    session.receive_data(torn[10:] + bytes(22))
    assert (session.next_event(), session.exhausted) == (Reply(4, (VALUE,)), False)
    with pytest.raises(RemoteProtocolError):
        session.next_event()


def test_a_member_that_lets_us_in_says_who_it_and_who_we_are():
    authentication = opened().authentication
    assert authentication is not None
    assert authentication.address == ("127.0.0.1", 5701)
    assert (authentication.uuid, authentication.owner_uuid) == (CLIENT_UUID, MEMBER_UUID)
    assert (authentication.server_version, authentication.partition_count) == ("3.12.13", 271)


def test_an_older_member_says_less():
    session = new_session()
    told = (0, {"host": "a", "port": 1}, CLIENT_UUID, MEMBER_UUID, 1)
    short = response("Authentication", AUTHENTICATION_ID, *told)
    assert heard(session, short) == [Opened()]
    assert session.authentication is not None
    assert session.authentication.server_version == ""
    assert session.authentication.partition_count is None


@pytest.mark.parametrize("status", [1, 2, 3, 77])
def test_who_is_not_let_in_is_told_why(status):
    [failed] = heard(new_session(), let_in(status=status))
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, AuthenticationFailed)


def test_a_member_that_hangs_up_on_the_preamble_may_be_of_hazelcast_4():
    [failed] = heard(new_session(), b"")
    assert isinstance(failed.error, ConnectFailed)
    assert "Hazelcast 4" in str(failed.error)


def test_nothing_is_sent_before_we_are_let_in():
    with pytest.raises(LocalProtocolError):
        get(1, new_session())


def test_a_ping_goes_out_when_we_wrote_nothing_for_the_interval():
    session = opened(heartbeat_interval=5.0, heartbeat_timeout=60.0)
    get(1, session)
    session.data_to_send(100.0)
    heard(session, response("Data", 1, None))  # bytes from members do not count
    assert session.next_timeout() == 105.0
    session.handle_timeout(105.0)
    data = session.data_to_send(105.0)
    assert data == PING.encode(PING_ID, -1, ())
    assert heard(session, response("Void", PING_ID)) == []
    assert session.next_timeout() == 110.0


def test_a_member_that_owes_us_a_word_for_too_long_is_given_up():
    session = opened(heartbeat_interval=5.0, heartbeat_timeout=12.0)
    get(1, session)
    session.data_to_send(100.0)
    for now in (105.0, 110.0):
        assert session.next_timeout() == now
        session.handle_timeout(now)
        assert session.data_to_send(now)
    assert session.next_timeout() == 112.0
    session.handle_timeout(112.0)
    [failed] = list(session.events())
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, ConnectionLost)
    assert "said nothing for 12 s" in str(failed.error)


def test_a_silent_member_that_speaks_in_time_stays():
    session = opened(heartbeat_interval=5.0, heartbeat_timeout=12.0)
    session.data_to_send(100.0)
    session.handle_timeout(105.0)
    session.data_to_send(105.0)
    heard(session, response("Void", PING_ID))
    session.handle_timeout(113.0)
    assert list(session.events()) == []
    assert session.state is State.OPEN


def test_an_answer_of_another_type_is_the_members_fault():
    session = opened()
    get(1, session)
    with pytest.raises(RemoteProtocolError, match="answered with type 104, not 105"):
        heard(session, response("String", 1, "no"))


def test_an_answer_to_a_ping_that_was_never_made_is_the_members_fault():
    with pytest.raises(RemoteProtocolError, match="never made"):
        heard(opened(), response("Void", PING_ID - 5))


def test_a_message_of_a_type_that_is_not_known_is_the_members_fault():
    wire = bytearray(response("Void", 1))
    wire[6:8] = b"\xff\x7f"
    with pytest.raises(RemoteProtocolError, match="type 32767"):
        heard(opened(), bytes(wire))


def test_of_a_batch_that_was_given_up_nothing_is_kept_but_a_count():
    session = opened()
    session.send(Requests(GET, [("m", KEY, 1)] * 3, [1, 2, 3]), 7)
    [first] = heard(session, response("Data", 8, VALUE))
    replies = first.message
    session.forget(7)
    assert sys.getrefcount(replies) == 3  # of `first`, `replies`, and the argument
    late = heard(session, response("Data", 7, VALUE), refusal(9, 35, "a.Lost"))
    assert late == [Replies(7, 2, None)]
    session.forget(7)
    assert heard(session, response("Data", 8, VALUE)) == [Reply(8, (VALUE,))]


def test_of_many_batches_that_were_given_up_the_oldest_are_forgotten():
    session = opened()
    # As many as the codec counts, and one more; some are answered meanwhile.
    for call_id in range(1, 65_536 + 12):
        session.send(Requests(GET, [("m", KEY, 1)], [1]), call_id)
        session.forget(call_id)
        session.data_to_send(0.0)
    late = heard(session, *(response("Data", call_id, VALUE) for call_id in (11, 12)))
    assert late == [Reply(11, (VALUE,)), Replies(12, 1, None)]


def test_an_answer_of_another_type_within_a_batch_is_the_members_fault():
    session = opened()
    session.send(Requests(GET, [("m", KEY, 1)] * 3, [1, 2, 3]), 7)
    session.receive_data(response("Integer", 8, 1))
    with pytest.raises(RemoteProtocolError, match="batch 7 is answered with type 102, not 105"):
        list(session.events())


def test_a_second_answer_within_a_batch_is_the_members_fault():
    session = opened()
    session.send(Requests(GET, [("m", KEY, 1)] * 2, [1, 2]), 7)
    with pytest.raises(RemoteProtocolError, match="second answer"):
        heard(session, response("Data", 7, None), response("Data", 7, None))


def test_the_answer_to_a_call_given_up_is_told_and_its_fragments_are_dropped():
    session = opened()
    get(1, session)
    late = response("Data", 1, bytes(100), limit=60)
    heard(session, late[:60])
    session.forget(1)
    get(2, session)
    assert heard(session, response("Data", 2, None)) == [Reply(2, (None,))]
    assert heard(session, late[60:]) == [Reply(1, ())]


def test_messages_above_the_limit_go_out_in_fragments():
    session = opened(fragment_limit=64)
    session.data_to_send(0.0)
    session.send(Request(PUT, ("m", KEY, bytes(500), 1, -1), 5), 1)
    data = bytes(session.data_to_send(0.0))
    flags = []
    while data:
        length = int.from_bytes(data[:4], "little")
        assert length <= 64
        flags.append(data[5])
        data = data[length:]
    assert flags == [0x80, *[0] * (len(flags) - 2), 0x40]


def test_a_number_that_does_not_fit_is_refused_before_a_byte_is_written():
    session = opened()
    session.data_to_send(0.0)
    with pytest.raises(ValueError, match=r"Map\.put\.ttl"):
        session.send(Request(PUT, ("m", KEY, VALUE, 1, 1 << 63), 5), 1)
    with pytest.raises(TypeError, match=r"Map\.put\.key"):
        session.send(Request(PUT, ("m", "no bytes", VALUE, 1, 1), 5), 1)
    with pytest.raises(ValueError, match=r"3 values for Map\.put"):
        session.send(Request(PUT, ("m", KEY, VALUE), 5), 1)
    assert session.data_to_send(0.0) == b""


def test_no_password_shows_when_a_request_is_told():
    session = new_session()
    assert "dev-pass" not in repr(Request(named("Client.authentication"), ("dev", "dev-pass")))
    assert session.data_to_send(0.0)


def test_an_exception_keeps_what_the_member_said_of_it():
    session = opened()
    get(1, session)
    [refused] = heard(session, refusal(1, 999, "a.Strange", None))
    error = refused.error
    assert type(error) is HazelcastError
    assert (str(error), error.java_class, error.code) == ("a.Strange", "a.Strange", 999)
    assert error.stack == "\tat a.B.c(B.java:7)\n\tat a.B.d(None:-2)"
    assert not error.retryable


def test_events_are_told_by_their_registration():
    session = opened()
    told = event("Topic", -9, VALUE, 7, MEMBER_UUID)
    assert heard(session, told) == [Pushed(-9, (205, (VALUE, 7, MEMBER_UUID)))]


def test_the_end_tells_how_much_of_a_message_had_come():
    session = opened()
    assert heard(session, response("Void", 1)[:9], b"") == []
    session.receive_data(b"")
    assert list(session.events()) == [Closed(9)]
