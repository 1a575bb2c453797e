"""Hadoop RPC message by message: bytes built by hand, and the resulting rows."""

import pytest

from kit import wire
from kit.captures import SEED
from kit.rows import Decoded, Row, capture, decode_capture, decode_dump

VERSION_MISMATCH = "org.apache.hadoop.ipc.RPC$VersionMismatch"
UNKNOWN = "org.example.Protocol"
HTTP_ANSWER = (
    b"HTTP/1.1 404 Not Found\r\nContent-type: text/plain\r\n\r\n"
    b"It looks like you are making an HTTP request to a Hadoop IPC port. "
    b"This is not the correct port for the web interface on this daemon.\r\n"
)


def talk(client: bytes, server: bytes = b"") -> Decoded:
    """Decode both dumps of one connection."""
    return decode_dump(client, replies=server)


def fields(decoded: Decoded, side: str, at: int) -> Row:
    row = [row for row in decoded.messages if row["side"] == side][at]
    assert isinstance(row["fields"], dict)
    return row["fields"]


# --- dialects


def test_the_first_frame_tells_the_dialect() -> None:
    beta = wire.connection_header() + wire.context(beta=True) + wire.call(5, beta=True)
    current = wire.connection_header() + wire.context() + wire.call(5)
    assert beta != current
    for dump in (beta, current):
        decoded = decode_dump(dump)
        assert decoded.errors() == []
        assert [row["id"] for row in decoded.messages] == [None, "-3", "5"]
        assert fields(decoded, "client", 2)["call_id"] == 5


def test_calls_of_the_beta_keep_their_numbers_where_zigzag_would_change_them() -> None:
    # In zigzag form 5 is -3, 7 is -4 and 65 is -33: context, ping and SASL.
    ids = [5, 7, 65, 6, 0]
    dump = wire.connection_header() + wire.context(beta=True)
    dump += b"".join(wire.invocation(id_, beta=True) for id_ in ids) + wire.OLD_PING
    decoded = talk(dump, b"".join(wire.written(id_, wire.writable("void")) for id_ in ids))
    assert decoded.names("client")[2:] == ["Call"] * 5 + ["Ping"]
    assert [int(call["id"]) for call in decoded.calls] == ids
    assert {call["status"] for call in decoded.calls} == {"ok"}


def test_todays_ping_is_a_frame_and_may_come_before_the_context() -> None:
    dump = wire.connection_header() + wire.ping() + wire.context() + wire.ping() + wire.call(0)
    decoded = decode_dump(dump)
    assert decoded.errors() == []
    assert decoded.names() == ["ConnectionHeader", "Ping", "ConnectionContext", "Ping", "Call"]
    assert [row["kind"] for row in decoded.messages] == ["control"] * 4 + ["request"]
    assert [row["id"] for row in decoded.messages] == [None, "-4", "-3", "-4", "0"]


@pytest.mark.parametrize(("auth", "shown"), [(0x00, "NONE"), (0xDF, "SASL"), (0x01, 1)])
def test_the_header_names_the_auth_protocol_or_gives_its_number(auth: int, shown: object) -> None:
    decoded = decode_dump(wire.connection_header(auth=auth, service_class=7))
    header = {"version": 9, "service_class": 7, "auth_protocol": shown}
    assert fields(decoded, "client", 0) == header


# --- unsupported versions


@pytest.mark.parametrize("version", range(2, 9))
def test_an_old_client_is_told_the_version_in_its_own_format(version: int) -> None:
    text = f"Server IPC version 9 cannot communicate with client version {version}"
    client = wire.connection_header(version=version) + b"whatever that version says"
    server = wire.old_answer(version, VERSION_MISMATCH, text)
    decoded = talk(client, server)
    [fatal] = [row for row in decoded.messages if row["side"] == "server"]
    assert (fatal["name"], fatal["kind"], fatal["id"]) == ("Fatal", "reply", "-1")
    assert (fatal["offset"], fatal["length"], fatal["error"]) == (0, len(server), None)
    assert fatal["fields"] == {
        "call_id": 0 if version == 2 else -1,
        "status": 1 if version == 2 else -1,
        "exception_class_name": VERSION_MISMATCH,
        "error_msg": text,
    }
    header, rest = [row for row in decoded.messages if row["side"] == "client"]
    assert header["error"] == f"version at offset 4: {version} is not version 9"
    assert (rest["offset"], rest["length"], rest["name"]) == (7, len(client) - 7, None)
    # Its verdict alone is the same.
    assert decode_dump(server, "any").messages == [fatal]


def test_a_version_of_the_future_is_refused_in_a_frame() -> None:
    client = wire.connection_header(version=10) + wire.context() + wire.call(0)
    server = wire.failure(-1, VERSION_MISMATCH, "Unknown", status=wire.FATAL, code=14)
    decoded = talk(client, server)
    assert decoded.names("server") == ["Fatal"]
    assert fields(decoded, "server", 0)["error_detail"] == "FATAL_VERSION_MISMATCH"
    assert fields(decoded, "server", 0)["call_id"] == -1
    assert decoded.names("client") == ["ConnectionHeader", None]
    assert decoded.calls == []


def test_a_browser_that_asks_for_a_page_is_told_that_this_is_no_web_server() -> None:
    request = b"GET /jmx HTTP/1.1\r\nHost: namenode:8020\r\n\r\n"
    asked, told = talk(request, HTTP_ANSWER).messages
    assert (asked["name"], asked["length"], asked["error"]) == ("HttpRequest", len(request), None)
    assert asked["fields"] == {"http_request": request.decode()}
    assert (told["name"], told["length"], told["error"]) == ("Fatal", len(HTTP_ANSWER), None)
    assert told["fields"] == {"error_msg": HTTP_ANSWER.decode()}


def test_a_page_asked_for_by_mistake_is_read_to_a_limit() -> None:
    request = b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 50_000
    decoded = decode_dump(request)
    assert decoded.names() == ["HttpRequest", None]
    assert [row["length"] for row in decoded.messages] == [65536, len(request) - 65536]


# --- replies


def test_an_error_leaves_the_connection_alive() -> None:
    client = wire.conversation([wire.stat(0, "/a"), wire.stat(1, "/b")])
    decoded = talk(client, wire.failure(0) + wire.reply(1))
    failed, answered = decoded.calls
    assert (failed["status"], failed["error_class"]) == ("error", "java.io.FileNotFoundException")
    assert (answered["status"], answered["error_class"]) == ("ok", None)
    assert decoded.names("server") == ["Reply", "Reply"]
    reply = fields(decoded, "server", 0)
    assert reply["error_detail"] == "ERROR_APPLICATION"
    assert reply["error_msg"].splitlines() == ["no such file", "\tat java.lang.Thread"]


@pytest.mark.parametrize("id_", [-1, 1])
def test_a_fatal_reply_ends_all_open_calls(id_: int) -> None:
    client = wire.conversation([wire.stat(number, f"/{number}") for number in range(3)])
    fatal = wire.failure(id_, "Denied", status=wire.FATAL, code=15)
    decoded = talk(client, wire.reply(0) + fatal)
    assert [(call["id"], call["status"], call["error_class"]) for call in decoded.calls] == [
        ("0", "ok", None),
        ("1", "fatal", "Denied"),
        ("2", "fatal", "Denied"),
    ]
    assert {call["reply_offset"] for call in decoded.calls[1:]} == {len(wire.reply(0))}
    assert decoded.names("server") == ["Reply", "Fatal"]


def test_the_same_call_id_twice_gets_two_replies_in_order() -> None:
    client = wire.conversation([wire.stat(7, "/first"), wire.stat(7, "/second")])
    decoded = talk(client, wire.reply(7) + wire.failure(7))
    told = [(call["target"], call["status"]) for call in decoded.calls]
    assert told == [("/first", "ok"), ("/second", "error")]


def test_replies_out_of_order_find_their_calls() -> None:
    paths = [f"/{'x' * number}" for number in range(5)]
    replies = {id_: wire.reply(id_, wire.content(1, b"\0" * id_)) for id_ in (3, 0, 4, 1)}
    client = wire.conversation([wire.stat(id_, path) for id_, path in enumerate(paths)])
    decoded = talk(client, b"".join(replies.values()))
    by_id = {int(call["id"]): call for call in decoded.calls}
    assert [by_id[id_]["target"] for id_ in range(5)] == paths
    assert [by_id[id_]["status"] for id_ in range(5)] == ["ok", "ok", "lost", "ok", "ok"]
    for id_, reply in replies.items():
        assert by_id[id_]["reply_bytes"] == len(reply)


def test_a_reply_without_its_request_is_a_message_and_no_call() -> None:
    decoded = decode_dump(wire.reply(3, wire.content(1, "/a")), "server")
    assert decoded.calls == []
    assert fields(decoded, "server", 0)["response"] == {"1": "/a"}


def test_a_reply_that_can_be_read_in_no_way_is_its_bytes() -> None:
    decoded = decode_dump(wire.frame(wire.response_header(3), b"\x05\xff\xfe"), "server")
    assert decoded.errors() == []
    assert fields(decoded, "server", 0)["response"] == {"base64": "Bf/+"}


def test_a_void_protobuf_result_is_an_empty_message() -> None:
    decoded = talk(wire.conversation([wire.call(0)]), wire.reply(0, b""))
    assert fields(decoded, "server", 0)["response"] == {}


def test_a_status_that_does_not_exist_is_no_reply() -> None:
    decoded = decode_dump(wire.frame(wire.response_header(0, 3)) + wire.reply(1), "server")
    assert decoded.names() == [None, "Reply"]
    said = "not what the protocol allows: status at offset 5: 3 is not a status"
    assert decoded.errors() == [said]


# --- calls


def test_a_call_names_interface_method_and_path() -> None:
    decoded = decode_dump(wire.conversation([wire.stat(0, "/user/alice")]))
    [call] = decoded.calls
    assert (call["name"], call["target"]) == ("ClientProtocol.getFileInfo", "/user/alice")
    assert fields(decoded, "client", 2) == {
        "rpc_kind": "RPC_PROTOCOL_BUFFER",
        "rpc_op": "RPC_FINAL_PACKET",
        "call_id": 0,
        "client_id": wire.CLIENT_UUID,
        "retry_count": 0,
        "method": "getFileInfo",
        "protocol": wire.CLIENT_PROTOCOL,
        "client_protocol_version": 1,
        "request": {"src": "/user/alice"},
    }


def test_an_argument_and_its_result_go_by_the_names_of_their_method() -> None:
    created = wire.call(1, "mkdirs", wire.content(1, "/a") + wire.number(3, 1))
    client = wire.conversation([wire.stat(0, "/a"), created])
    status = wire.content(1, wire.number(1, 2) + wire.content(2, "") + wire.content(5, "bob"))
    decoded = talk(client, wire.reply(1, wire.number(1, 1)) + wire.reply(0, status))
    assert decoded.errors() == []
    assert fields(decoded, "client", 3)["request"] == {"src": "/a", "create_parent": True}
    assert fields(decoded, "server", 0)["response"] == {"result": True}
    shown = fields(decoded, "server", 1)["response"]
    assert shown == {"fs": {"file_type": "IS_FILE", "path": {"base64": ""}, "owner": "bob"}}


def test_an_argument_of_a_later_version_has_its_new_fields_by_number() -> None:
    call = wire.call(0, argument=wire.content(1, "/a") + wire.number(99, 5))
    shown = fields(decode_dump(wire.conversation([call])), "client", 2)["request"]
    assert shown == {"src": "/a", "GetFileInfoRequestProto.99": 5}


def test_a_method_of_a_later_version_has_its_argument_by_number() -> None:
    decoded = talk(
        wire.conversation([wire.call(0, "getTomorrow", wire.content(1, "/a"))]),
        wire.reply(0, wire.number(1, 5)),
    )
    assert fields(decoded, "client", 2)["request"] == {"1": "/a"}
    assert fields(decoded, "server", 0)["response"] == {"1": 5}


def test_what_is_not_as_its_type_says_is_shown_as_bytes_and_is_no_error() -> None:
    path = wire.content(1, b"/\xff")
    torn = wire.content(1, b"\x0f")
    calls = [wire.call(0, argument=path), wire.call(1, "getContentSummary")]
    decoded = talk(wire.conversation(calls), wire.reply(0, torn) + wire.reply(1, torn))
    assert decoded.errors() == []
    assert fields(decoded, "client", 2)["request"] == {"src": {"base64": "L/8="}}
    # A file's status may contain block tokens.
    assert fields(decoded, "server", 0)["response"] == {"fs": "(hidden)"}
    assert fields(decoded, "server", 1)["response"] == {"summary": {"base64": "Dw=="}}


@pytest.mark.parametrize(
    ("method", "argument", "path"),
    [
        ("abandonBlock", wire.content(1, b"\x0a\x00") + wire.content(2, "/a"), "/a"),
        ("createSymlink", wire.content(1, "/data") + wire.content(2, "/link"), "/link"),
        ("concat", wire.content(1, "/all") + wire.content(2, "/part"), "/all"),
        ("renewLease", wire.content(1, "a client"), None),
        ("metaSave", wire.content(1, "meta.txt"), None),
    ],
)
def test_a_target_is_the_path_that_a_call_is_about(
    method: str, argument: bytes, path: str | None
) -> None:
    [call] = decode_dump(wire.conversation([wire.call(0, method, argument)])).calls
    assert call["target"] == path


@pytest.mark.parametrize(
    ("protocol", "name"),
    [("org.example.Outer$Inner", "Inner.m"), ("Bare", "Bare.m"), ("", "m")],
)
def test_an_interface_goes_by_its_simple_name(protocol: str, name: str) -> None:
    [call] = decode_dump(wire.conversation([wire.call(0, "m", protocol=protocol)])).calls
    assert call["name"] == name


def test_a_path_is_a_target_in_its_own_protocol_only() -> None:
    other = wire.call(0, "getFileInfo", wire.content(1, "/a"), protocol=UNKNOWN)
    [call] = decode_dump(wire.conversation([other])).calls
    assert call["target"] is None


@pytest.mark.parametrize("retry", [-1, 0, 1, 11, 2**31 - 1, -(2**31)])
def test_a_retry_count_is_kept(retry: int) -> None:
    decoded = decode_dump(wire.conversation([wire.call(0, retry=retry)]))
    assert decoded.calls[0]["retry"] == retry
    assert fields(decoded, "client", 2)["retry_count"] == retry


def test_a_caller_context_is_an_attribute_of_the_call() -> None:
    said = 'job "7" \u00e9\n'
    caller = wire.content(7, wire.content(1, said) + wire.content(2, b"\x00\xff"))
    decoded = decode_dump(wire.conversation([wire.call(0, more=caller)]))
    assert decoded.calls[0]["attributes"] == {"caller_context": said}
    shown = fields(decoded, "client", 2)["caller_context"]
    assert shown == {"context": said, "signature": "(hidden)"}


def test_all_fields_of_a_request_header_have_their_names() -> None:
    trace = wire.number(1, 5) + wire.number(2, -6) + wire.content(3, b"span")
    more = wire.content(6, trace) + wire.number(8, -9)
    more += wire.content(9, b"\x01") + wire.content(10, b"\x02")
    header = fields(decode_dump(wire.conversation([wire.call(0, more=more)])), "client", 2)
    span = {"base64": "c3Bhbg=="}
    assert header["trace_info"] == {"trace_id": 5, "parent_id": -6, "span_context": span}
    assert header["state_id"] == -9
    assert header["router_federated_state"] == {"base64": "AQ=="}
    assert header["authorization_header"] == "(hidden)"


def test_an_unknown_field_of_a_header_with_secrets_is_hidden_under_its_number() -> None:
    call = wire.call(0, more=wire.number(99, 7) + wire.content(99, b"\x01\x02"))
    decoded = decode_dump(wire.conversation([call]))
    assert decoded.errors() == []
    assert fields(decoded, "client", 2)["RpcRequestHeaderProto.99"] == ["(hidden)"] * 2


def test_unknown_fields_of_two_headers_of_one_frame_are_kept_apart() -> None:
    called = wire.content(1, "m") + wire.content(2, "P") + wire.number(99, 2)
    header = wire.request_header(0, more=wire.number(99, 1))
    frame = wire.frame(header, wire.delimited(called), wire.delimited(wire.number(99, 3)))
    shown = fields(decode_dump(wire.conversation([frame])), "client", 2)
    assert shown["RpcRequestHeaderProto.99"] == "(hidden)"
    assert shown["RequestHeaderProto.99"] == 2
    assert shown["request"] == {"99": 3}


def test_fields_in_another_order_are_the_same_fields() -> None:
    a, b = wire.content(1, "a"), wire.content(1, "b")
    five, six = wire.number(2, 5), wire.number(3, 6)
    for argument in (a + b + five + six, a + five + b + six, six + a + five + b):
        call = wire.call(0, protocol=UNKNOWN, argument=argument)
        shown = fields(decode_dump(wire.conversation([call])), "client", 2)["request"]
        assert shown == {"1": ["a", "b"], "2": 5, "3": 6}


def test_a_message_with_one_long_text_is_not_shown_as_text() -> None:
    # Tag and length are a line feed and a quotation mark: as text, it would be printable.
    inner = wire.content(1, "x" * 34)
    assert inner.decode().isprintable() is False
    assert inner[1:].decode().isprintable()
    call = wire.call(0, protocol=UNKNOWN, argument=wire.content(1, inner))
    shown = fields(decode_dump(wire.conversation([call])), "client", 2)["request"]
    assert shown == {"1": {"1": "x" * 34}}


@pytest.mark.parametrize("kind", [0, 3, 100])
def test_a_call_of_an_engine_that_does_not_exist_says_so(kind: int) -> None:
    call = wire.frame(wire.request_header(4, kind=kind), b"anything")
    refused = wire.failure(4, "java.io.IOException", "Unknown rpc kind", status=wire.FATAL)
    decoded = talk(wire.conversation([call]), refused)
    [row] = [row for row in decoded.messages if row["error"]]
    assert (row["name"], row["id"], row["length"]) == ("Call", "4", len(call))
    assert row["error"] == "rpc_kind at offset 4: its layout is not known"
    [lost] = decoded.calls
    assert (lost["name"], lost["status"]) == ("unknown", "fatal")


def test_trailing_bytes_are_shown_and_are_an_error() -> None:
    whole = wire.call(0)
    longer = wire.frame(whole[4:], b"\xab\xcd\xef")
    decoded = decode_dump(wire.conversation([longer, wire.call(1)]))
    assert decoded.names() == ["ConnectionHeader", "ConnectionContext", "Call", "Call"]
    assert fields(decoded, "client", 2)["trailing"] == {"base64": "q83v"}
    assert decoded.errors() == [f"trailing at offset {len(whole)}: 3 is not 0 trailing bytes"]


def test_a_second_context_is_a_message_and_changes_nobodys_user() -> None:
    client = wire.conversation([wire.call(0)]) + wire.context("mallory") + wire.call(1)
    decoded = talk(client, wire.failure(-3, status=wire.FATAL, code=12))
    assert decoded.names("client").count("ConnectionContext") == 2
    assert [(call["user"], call["status"]) for call in decoded.calls] == [("alice", "fatal")] * 2


@pytest.mark.parametrize("context", [b"", wire.context(None), wire.context(None, "")])
def test_a_connection_may_be_nobodys(context: bytes) -> None:
    [call] = decode_dump(wire.connection_header() + context + wire.call(0)).calls
    assert call["user"] is None


def test_a_real_user_is_a_field_and_the_effective_one_is_the_user() -> None:
    who = wire.content(2, wire.content(1, "alice") + wire.content(2, "oozie"))
    context = wire.frame(wire.request_header(-3, retry=-1), wire.delimited(who))
    decoded = decode_dump(wire.connection_header() + context + wire.call(0))
    shown = fields(decoded, "client", 1)["user_info"]
    assert shown == {"effective_user": "alice", "real_user": "oozie"}
    assert decoded.calls[0]["user"] == "alice"


@pytest.mark.parametrize("client_id", [b"", b"x" * 15, b"x" * 17])
def test_a_client_id_that_is_no_uuid_is_bytes(client_id: bytes) -> None:
    header = wire.request_header(0, client_id=client_id)
    call = wire.frame(header, wire.delimited(b""), wire.delimited(b""))
    shown = fields(decode_dump(wire.conversation([call])), "client", 2)["client_id"]
    assert set(shown) == {"base64"}


@pytest.mark.parametrize("id_", [-1, -2, -5, -32, -(2**31)])
def test_a_negative_call_id_that_means_nothing_is_an_error(id_: int) -> None:
    decoded = decode_dump(wire.conversation([wire.call(id_), wire.call(0)]))
    wrong = decoded.messages[2]
    assert (wrong["name"], wrong["id"]) == ("Call", str(id_))
    assert wrong["error"] == f"call_id at offset 4: {id_} is not a call id"
    assert [call["id"] for call in decoded.calls] == ["0"]


def test_the_largest_call_id_is_one() -> None:
    decoded = talk(wire.conversation([wire.call(2**31 - 1)]), wire.reply(2**31 - 1))
    assert [(call["id"], call["status"]) for call in decoded.calls] == [("2147483647", "ok")]


def test_a_frame_of_length_zero_is_an_error_and_the_next_is_decoded() -> None:
    decoded = decode_dump(wire.conversation([b"\0\0\0\0", wire.call(0), wire.call(1)]))
    assert decoded.names() == ["ConnectionHeader", "ConnectionContext", None, "Call", "Call"]
    assert decoded.messages[2]["length"] == 4


def test_an_old_ping_between_frames_does_not_hide_them_from_who_looks_for_a_boundary() -> None:
    calls = [wire.invocation(id_, beta=True) for id_ in range(4)]
    dump = b"\1\2\3" + wire.OLD_PING.join(calls)
    assert decode_dump(dump).names() == [None, "Call", *["Ping", "Call"] * 3]


# --- SASL


def test_a_negotiation_goes_by_the_names_of_its_states() -> None:
    header = wire.connection_header(auth=0xDF)
    client = header + b"".join(wire.sasl("client", state) for state in (1, 2, 4))
    server = b"".join(wire.sasl("server", state) for state in (1, 3, 0))
    decoded = talk(client + wire.context() + wire.call(0), server + wire.reply(0))
    assert decoded.errors() == []
    negotiated = ["Negotiate", "Initiate", "Response"]
    names = ["ConnectionHeader", *negotiated, "ConnectionContext", "Call"]
    assert decoded.names("client") == names
    assert decoded.names("server") == ["Negotiate", "Challenge", "Success", "Reply"]
    control = [row["id"] for row in decoded.messages if row["kind"] == "control"]
    assert sorted(map(str, control)) == ["-3", *["-33"] * 6, "None"]


def test_wrapped_calls_are_wraps_whose_token_is_hidden() -> None:
    wrapped = wire.sasl("client", 5, wire.content(3, b"sealed"))
    decoded = decode_dump(wire.connection_header(auth=0xDF) + wrapped)
    assert decoded.names() == ["ConnectionHeader", "Wrap"]
    assert fields(decoded, "client", 1)["token"] == "(hidden)"  # noqa: S105


def test_the_wrap_of_a_server_has_call_id_and_status_only() -> None:
    header = wire.delimited(wire.number(1, -33 & 0xFFFFFFFF) + wire.number(2, 0))
    wrap = wire.frame(header, wire.delimited(wire.number(2, 5) + wire.content(3, b"\0" * 20)))
    decoded = decode_dump(wrap * 3, "server")
    assert (decoded.names(), decoded.errors()) == (["Wrap"] * 3, [])


def test_a_refused_negotiation_is_fatal() -> None:
    refused = wire.failure(-33, "javax.security.sasl.SaslException", status=wire.FATAL, code=15)
    decoded = talk(wire.connection_header(auth=0xDF) + wire.sasl("client", 1), refused)
    assert decoded.names("server") == ["Fatal"]
    assert fields(decoded, "server", 0)["call_id"] == -33


# --- captures


def test_a_capture_gives_addresses_times_and_latencies() -> None:
    setup = wire.connection_header() + wire.context()
    asked, also_asked, answer = wire.stat(0, "/a"), wire.stat(1, "/b"), wire.reply(0)
    file = capture(
        ("client", setup),
        ("client", asked),
        ("server", answer[:9]),
        ("server", answer[9:]),
        ("client", also_asked),
    )
    decoded = decode_capture(file)
    answered, lost = decoded.calls
    assert (answered["client"], answered["server"]) == ("10.0.0.7:40000", "10.0.0.1:8020")
    assert (answered["start"], answered["latency_us"], answered["status"]) == (2, 2, "ok")
    assert (lost["start"], lost["latency_us"], lost["status"]) == (5, None, "lost")
    assert [row["ts"] for row in decoded.messages] == [1, 1, 2, 4, 5]
    [stream] = decoded.streams
    assert (stream["start"], stream["end"], stream["ended"]) == (0, 6, "fin")
    assert (stream["messages"], stream["errors"]) == (5, 0)
    assert stream["client_bytes"] == len(setup + asked + also_asked)
    assert stream["server_bytes"] == len(answer)


def test_the_seeds_bytes_in_a_capture_are_the_seeds_call() -> None:
    file = capture(
        ("client", (SEED / "client-call.bin").read_bytes()),
        ("client", (SEED / "ping.bin").read_bytes()),
        ("server", (SEED / "reply.bin").read_bytes()),
    )
    decoded = decode_capture(file)
    assert decoded.errors() == []
    [call] = decoded.calls
    assert (call["name"], call["user"], call["status"]) == ("ping.ping", "eleibovi", "ok")
    assert call["latency_us"] == 2


def test_an_ipv6_connection_has_its_addresses_in_brackets() -> None:
    said = wire.conversation([wire.call(0)])
    file = capture(("client", said), client="[::1]:40000", server="[::1]:8020")
    [call] = decode_capture(file).calls
    assert (call["client"], call["server"]) == ("[::1]:40000", "[::1]:8020")


def test_an_old_client_in_a_capture_is_refused_and_its_stream_is_hadoops() -> None:
    answer = wire.old_answer(7, VERSION_MISMATCH, "no")
    file = capture(("client", wire.connection_header(version=7)), ("server", answer))
    decoded = decode_capture(file)
    assert decoded.names() == ["ConnectionHeader", "Fatal"]
    assert decoded.streams[0]["protocol"] == "hadoop"
