"""The client's session of Hadoop RPC: Java's bytes, and all replies that servers may send."""

import pytest

from jvmwire import ConnectionLost, LocalProtocolError, RemoteProtocolError
from jvmwire._runtime.session import Closed, Failed, Opened, Refused, Replies, Reply, State
from jvmwire.hadoop import FileType, HadoopError
from jvmwire.hadoop._commands import (
    CLIENT_PROTOCOL,
    GetFileInfo,
    GetFileInfos,
    Invocation,
    MessageFields,
    find_method,
)
from jvmwire.hadoop._session import (
    MAX_CALL_ID,
    MAX_FORGOTTEN_BATCHES,
    HadoopClientSession,
    StateAlignment,
)
from jvmwire.hadoop.errors import (
    AccessDenied,
    AuthenticationRequired,
    FileNotFound,
    Retriable,
    Standby,
    VersionMismatch,
    from_java,
)
from jvmwire.hadoop.namenode._listing import Page
from jvmwire.hadoop.rpc._interface import methods
from jvmwire.hadoop.rpc._proxy import InterfaceCall
from kit.environment import ROOT
from kit.hadoop_echo import Ping
from kit.hadoop_transcript import NAMENODE_CLIENT
from kit.transcript import Hears, Sends, Writes
from kit.wire import (
    CLIENT_ID,
    FATAL,
    PING_ID,
    connection_header,
    content,
    context,
    delimited,
    failure,
    frame,
    number,
    old_answer,
    reply,
    request_header,
    response_header,
    sasl,
    stat,
)

SEED = ROOT / "tests/vectors/hadoop/seed"
A_FILE = content(
    1,
    number(1, 2)
    + content(2, "")
    + number(3, 700)
    + content(4, number(1, 0o644))
    + content(5, "alice")
    + content(6, "analysts")
    + number(7, 1_500_000_000_000)
    + number(8, 0),
)

# As in kit.wire, but with the client id of Java.
PING = frame(request_header(PING_ID, retry=-1))


def opened(**options):
    session = HadoopClientSession(
        protocol=CLIENT_PROTOCOL, user="alice", client_id=CLIENT_ID, **options
    )
    assert list(session.events()) == [Opened()]
    session.data_to_send(0.0)
    return session


def heard(session, *data):
    session.receive_data(b"".join(data))
    return list(session.events())


def test_the_session_writes_what_javas_client_wrote_and_understands_what_it_was_answered():
    session = NAMENODE_CLIENT.new_session()
    seen = []
    for step in NAMENODE_CLIENT.steps:
        match step:
            case Sends(command, call_id):
                session.send(command, call_id)
            case Writes(data):
                assert session.data_to_send(0.0) == data
            case Hears(data):
                seen += heard(session, data)
    assert seen[0] == Opened()
    [listing] = [event.message for event in seen if getattr(event, "call_id", 0) == 8]
    page = Page.decode("/user", b"", listing)
    assert [entry.path for entry in page.entries()] == ["/user/alice", "/user/bob"]
    assert [entry.owner for entry in page.entries()] == ["alice", "bob"]
    assert {entry.file_type for entry in page.entries()} == {FileType.DIRECTORY}
    assert [type(event) for event in seen].count(Replies) == 2
    refused = seen[-1]
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, AccessDenied)
    assert str(refused.error).startswith("Permission denied: user=bob, access=READ")
    assert refused.error.stack.startswith("\tat org.apache.hadoop.hdfs.server.namenode")
    assert refused.error.code == "ERROR_APPLICATION"
    assert not refused.error.retryable


def test_a_header_and_a_context_open_the_connection_and_calls_may_follow_at_once():
    session = HadoopClientSession(protocol=CLIENT_PROTOCOL, user="alice", client_id=CLIENT_ID)
    session.send(GetFileInfo("/a"), 7)
    assert session.data_to_send(0.0) == connection_header() + context() + stat(7, "/a")
    assert list(session.events()) == [Opened()]


def test_a_client_of_the_beta_writes_what_the_seed_shows_and_reads_its_answer():
    asked = (SEED / "client-call.bin").read_bytes()
    answer = (SEED / "reply.bin").read_bytes()
    its_id, ours = slice(13, 29), slice(24, 40)
    session = HadoopClientSession(
        protocol="ping",
        user="eleibovi",
        client_id=asked[ours],
        engine="writable",
        version=1,
        beta=True,
    )
    session.send(InterfaceCall(methods(Ping)["ping"], ()), 0)
    assert session.data_to_send(0.0) == asked
    # The document shows the two in separate conversations.
    session.receive_data(answer.replace(answer[its_id], asked[ours]))
    assert list(session.events()) == [Opened(), Reply(0, "pong")]


def test_the_header_says_what_the_connection_is_for():
    for service_class in (0, 7, 255):
        session = HadoopClientSession(
            protocol=CLIENT_PROTOCOL,
            user="alice",
            client_id=CLIENT_ID,
            service_class=service_class,
        )
        assert session.data_to_send(0.0)[:7] == b"hrpc\x09" + bytes([service_class, 0])


def test_a_reply_is_what_stands_at_the_path_or_none():
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    session.send(GetFileInfo("/b"), 2)
    nothing, something = heard(session, reply(2), reply(1, A_FILE))
    assert nothing == Reply(2, None)
    status = something.message
    assert (status.path, status.length, status.permission) == ("/a", 700, 0o644)
    assert status.modified.isoformat() == "2017-07-14T02:40:00+00:00"
    assert (status.file_type, status.is_directory, status.children_num) == ("IS_FILE", False, -1)


def test_a_batch_is_answered_in_any_order_among_other_replies():
    session = opened()
    session.send(GetFileInfos(["/a", "/b", "/c"]), 10)
    session.send(GetFileInfo("/d"), 13)
    assert session.data_to_send(0.0) == stat(10, "/a") + stat(11, "/b") + stat(12, "/c") + stat(
        13, "/d"
    )
    first, lone, last = heard(session, reply(12), failure(10), reply(13), reply(11, A_FILE))
    assert (first.call_id, first.count, lone, last.count) == (10, 2, Reply(13, None), 1)
    assert [index for index, _ in last.message.failures()] == [0]
    assert last.message.missing == 0
    assert heard(session, reply(11)) == [Reply(11, None)]


def test_ids_on_the_wire_go_round_and_ours_do_not():
    session = opened()
    session.send(GetFileInfos(["/a", "/b"]), MAX_CALL_ID)
    session.send(GetFileInfo("/c"), MAX_CALL_ID + 3)
    assert session.data_to_send(0.0) == stat(MAX_CALL_ID, "/a") + stat(0, "/b") + stat(2, "/c")
    both, lone = heard(session, reply(0), reply(MAX_CALL_ID), reply(2))
    assert (both.call_id, both.count) == (MAX_CALL_ID, 2)
    assert lone == Reply(MAX_CALL_ID + 3, None)


def test_a_reply_that_nobody_waits_for_is_told_by_its_id_and_not_decoded():
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    assert heard(session, reply(2, b"no message")) == [Reply(2, None)]
    session.forget(1)
    assert heard(session, reply(1, b"no message")) == [Reply(1, None)]
    far = MAX_CALL_ID + 3
    session.send(GetFileInfo("/a"), far)
    session.forget(far)
    assert heard(session, reply(2)) == [Reply(far, None)]
    assert heard(session, reply(MAX_CALL_ID)) == [Reply(MAX_CALL_ID, None)]


def test_an_error_refuses_its_call_and_a_fatal_one_ends_all():
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    [refused] = heard(session, failure(1))
    assert isinstance(refused.error, FileNotFound)
    assert isinstance(refused.error, FileNotFoundError)
    assert (str(refused.error), refused.error.stack) == ("no such file", "\tat java.lang.Thread")
    java_class = "org.apache.hadoop.security.AccessControlException"
    [failed] = heard(session, failure(-1, java_class, "no", status=FATAL, code=15))
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, AuthenticationRequired)
    assert failed.unprocessed
    assert failed.error.java_class == java_class
    assert session.state is State.CLOSED
    with pytest.raises(LocalProtocolError):
        session.send(GetFileInfo("/a"), 2)


def test_a_server_that_wants_authentication_says_by_which_methods():
    auths = (content(4, content(1, method)) for method in ("TOKEN", "KERBEROS"))
    [failed] = heard(opened(), sasl("server", 1, *auths))
    assert isinstance(failed.error, AuthenticationRequired)
    assert str(failed.error) == "the server wants one of TOKEN, KERBEROS"
    assert failed.unprocessed


def test_a_server_that_is_too_old_is_named():
    answer = old_answer(7, "org.apache.hadoop.ipc.RPC$VersionMismatch", "version 9 is unknown")
    [failed] = heard(opened(), answer)
    assert isinstance(failed.error, VersionMismatch)
    assert str(failed.error) == "the server is too old: version 9 is unknown"
    assert failed.unprocessed


def test_a_server_that_speaks_http_is_named():
    with pytest.raises(RemoteProtocolError, match=r"'HTTP/1\.1 400 Bad Request'"):
        heard(opened(), b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (b"\x7f\xff\xff\xff", "frame length"),
        (reply(1, content(1, b"")), "file_type"),
        (reply(1, content(1, number(1, 9) + A_FILE[4:])), "9"),
        (frame(response_header(1), delimited(b""), b"more"), "trailing"),
        (frame(response_header(1, status=7)), "status"),
    ],
)
def test_what_a_server_may_not_say_is_told_by_what_it_is(answer, what):
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    with pytest.raises(RemoteProtocolError, match=what):
        heard(session, answer)


def test_a_field_of_another_type_is_none_as_in_protobuf():
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    assert heard(session, reply(1, number(1, 1))) == [Reply(1, None)]


def test_a_reply_over_the_limit_is_refused_before_it_comes():
    session = opened(reply_limit=100)
    with pytest.raises(RemoteProtocolError, match="101 is over the limit of 100"):
        heard(session, b"\0\0\0\x65")


def test_a_connection_that_ends_inside_a_reply_says_how_much_of_it_came():
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    assert heard(session, reply(1)[:9]) == []
    assert heard(session, b"") == [Closed(torn=9)]


def test_a_silent_server_that_owes_a_reply_is_pinged_when_the_interval_is_over():
    session = opened(ping_interval=60.0)
    session.send(GetFileInfo("/a"), 1)
    session.data_to_send(100.0)
    assert session.next_timeout() == 60.0  # since the opening was written
    session.handle_timeout(60.0)
    assert session.data_to_send(60.0) == PING
    assert session.next_timeout() == 120.0


def test_a_server_that_says_something_is_not_pinged():
    session = opened(ping_interval=60.0)
    session.send(GetFileInfo("/a"), 1)
    session.send(GetFileInfo("/b"), 2)
    session.data_to_send(0.0)
    heard(session, reply(2))
    session.handle_timeout(60.0)
    assert session.data_to_send(60.0) == b""
    session.handle_timeout(119.0)
    assert session.data_to_send(119.0) == b""
    session.handle_timeout(120.0)
    assert session.data_to_send(120.0) == PING


def test_nobody_pings_who_waits_for_nothing():
    session = opened(ping_interval=60.0)
    session.handle_timeout(60.0)
    assert session.data_to_send(60.0) == b""
    assert opened(ping_interval=None).next_timeout() is None


def test_a_connection_on_which_nobody_calls_is_closed():
    session = opened(idle_timeout=10.0)
    session.send(GetFileInfo("/a"), 1)
    session.data_to_send(1.0)
    session.handle_timeout(10.0)
    assert list(session.events()) == []  # a reply is awaited
    heard(session, reply(1))
    session.handle_timeout(session.next_timeout())
    assert list(session.events()) == []  # the server has sent something since
    session.handle_timeout(session.next_timeout())
    [closed] = session.events()
    assert isinstance(closed, Failed)
    assert isinstance(closed.error, ConnectionLost)
    assert str(closed.error) == "nobody called for 10 s"


def test_connections_that_stand_in_for_each_other_know_the_same_state():
    alignment = StateAlignment()
    active, observer = opened(alignment=alignment), opened(alignment=alignment)
    active.send(GetFileInfo("/a"), 1)
    heard(active, frame(response_header(1, more=number(9, 300)), delimited(b"")))
    assert alignment.state_id == 300
    observer.send(GetFileInfo("/b"), 2)
    assert observer.data_to_send(0.0) == stat(2, "/b", more=number(8, 300))


def test_the_latest_state_of_the_server_goes_with_the_next_call():
    session = opened()
    session.send(GetFileInfo("/a"), 1)
    session.data_to_send(0.0)
    heard(session, frame(response_header(1, more=number(9, 300)), delimited(b"")))
    session.send(GetFileInfo("/a"), 2)
    assert session.data_to_send(0.0) == stat(2, "/a", more=number(8, 300))


def test_names_in_a_listing_are_put_behind_their_directory():
    entry = A_FILE.replace(content(2, ""), content(2, "b"))
    entry = bytes([entry[0], entry[1] + 1]) + entry[2:]
    for path in ["/", "/a", "/a/"]:
        page = Page.decode(path, b"a", content(1, entry + number(2, 5)))
        assert [status.path for status in page.entries()] == [f"{path.rstrip('/')}/b"]
        assert (page.remaining_entries, page.last_name) == (5, b"b")


def test_a_page_that_does_not_go_on_is_the_servers_fault():
    entry = A_FILE.replace(content(2, ""), content(2, "b"))
    entry = bytes([entry[0], entry[1] + 1]) + entry[2:]
    for payload in (content(1, entry + number(2, 5)), content(1, entry), content(1, number(2, 5))):
        with pytest.raises(RemoteProtocolError, match="does not go on"):
            Page.decode("/a", b"b", payload)
    with pytest.raises(RemoteProtocolError, match="over the limit"):
        Page.decode("/a", b"", b"\x0a\x05")
    with pytest.raises(FileNotFound, match="/a does not exist"):
        Page.decode("/a", b"", b"")


def test_a_call_that_is_sent_again_has_its_ids_and_says_how_often_it_was_sent():
    session = opened()
    create = find_method(CLIENT_PROTOCOL, "delete")
    command = Invocation(create, {"src": "/a", "recursive": False})
    assert (command.idempotent, create.at_most_once) == (False, True)
    written = []
    for retry in (0, 1, 2):
        session.send(command, 7, retry=retry)
        written.append(bytes(session.data_to_send(0.0)))
        heard(session, reply(7, number(1, 1)))
    first, second, third = written
    assert first != second
    # The retry count is field 5 of the header, in zigzag form.
    assert second == first.replace(b"\x28\x00", b"\x28\x02", 1)
    assert third == first.replace(b"\x28\x00", b"\x28\x04", 1)


def test_secrets_of_a_message_do_not_show():
    token = {"identifier": b"it", "password": b"hunter2", "kind": "a", "service": "b"}
    fields = MessageFields("LocatedBlockProto", {"block_token": token, "block_tokens": [token]})
    assert "hunter2" not in repr(fields)
    assert "'kind': 'a'" in repr(fields)
    assert fields["block_token"]["password"] == b"hunter2"
    assert "hunter2" not in repr(MessageFields("NoSuchMessage", {"password": b"hunter2"}))
    renew = find_method(CLIENT_PROTOCOL, "renewDelegationToken")
    assert "hunter2" not in repr(Invocation(renew, {"token": token}))
    raw = Invocation(renew, {"token": token}, undecoded=True).decode(b"hunter2")
    assert repr(raw) == "<7 bytes>"


def test_servers_say_which_refusals_may_be_tried_again():
    for java_class, kind in [
        ("org.apache.hadoop.ipc.RetriableException", Retriable),
        ("org.apache.hadoop.ipc.StandbyException", Standby),
    ]:
        error = from_java((java_class, "later", "ERROR_APPLICATION"))
        assert type(error) is kind
        assert error.retryable
    unknown = from_java(("a.B", "", None))
    assert type(unknown) is HadoopError
    assert (str(unknown), unknown.retryable, unknown.stack) == ("a.B", False, "")


def test_batch_that_is_given_up_is_not_kept_and_its_late_replies_are_counted():
    session = opened()
    for first in range(0, 500, 5):
        session.send(GetFileInfos(["/a", "/b", "/c", "/d"]), first)
        session.send(GetFileInfo("/e"), first + 4)
    [some] = heard(session, reply(0, A_FILE), reply(2))
    assert (some.call_id, some.count) == (0, 2)
    for first in range(0, 500, 5):
        session.forget(first)
        session.forget(first + 4)
    assert (session._batches, session._calls) == ({}, {})
    late = heard(session, reply(3), failure(1), reply(4))
    assert late == [Replies(0, 1, None), Replies(0, 1, None), Reply(4, None)]
    for first in range(5, 500, 5):
        replies = [reply(first + at) for at in range(5)]
        assert heard(session, *replies) == [Replies(first, 1, None)] * 4 + [Reply(first + 4, None)]
    assert session._forgotten == {}


def test_batches_given_up_and_never_answered_have_a_limit():
    session = opened()
    for first in range(0, 2 * (MAX_FORGOTTEN_BATCHES + 9), 2):
        session.send(GetFileInfos(["/a", "/b"]), first)
        session.forget(first)
    assert session._batches == {}
    assert len(session._forgotten) == MAX_FORGOTTEN_BATCHES
    last = 2 * (MAX_FORGOTTEN_BATCHES + 8)
    assert heard(session, reply(last + 1)) == [Replies(last, 1, None)]
