"""Recordings of real peers, against what the peers themselves logged, printed and counted."""

import base64
import gzip
import json
import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from kit.captures import NAMENODE, RECORDINGS, SASL, WRITABLE
from kit.rows import Decoded, Row, decode_capture

CLIENT_LOG = RECORDINGS / "namenode-3.5.0.client-log.jsonl.gz"
NATIVE_LOG = RECORDINGS / "namenode-3.5.0.hdfs-native-log.jsonl"
METRICS = RECORDINGS / "namenode-3.5.0.metrics.json"
ANSWERS = RECORDINGS / "writable-3.5.0.answers.json"
SASL_CLIENTS = RECORDINGS / "sasl-3.5.0.clients.json"
SEED_AGAIN = RECORDINGS / "writable-3.5.0.seed.pcapng"

NATIVE_USER = "frank"
# Metrics without a method's name: the server has no such method, protocol or version.
UNKNOWN_THINGS = {
    "org.apache.hadoop.ipc.RpcNoSuchMethodException",
    "org.apache.hadoop.ipc.RpcNoSuchProtocolException",
    "org.apache.hadoop.ipc.RPC$VersionMismatch",
}
# Calls by which an operation of hdfs-native queries its path, among others.
NATIVE_CALLS = {
    "append": "append",
    "create": "create",
    "delete": "delete",
    "get_acl_status": "getAclStatus",
    "get_content_summary": "getContentSummary",
    "get_file_info": "getFileInfo",
    "list_status": "getListing",
    "mkdirs": "mkdirs",
    "modify_acl_entries": "modifyAclEntries",
    "read": "getBlockLocations",
    "recover_lease": "recoverLease",
    "remove_acl": "removeAcl",
    "remove_acl_entries": "removeAclEntries",
    "remove_default_acl": "removeDefaultAcl",
    "rename": "rename2",
    "set_owner": "setOwner",
    "set_permission": "setPermission",
    "set_replication": "setReplication",
    "set_times": "setTimes",
}


@pytest.fixture(scope="module")
def namenode() -> Decoded:
    return decode_capture(NAMENODE.read_bytes())


@pytest.fixture(scope="module")
def client_log() -> list[Row]:
    with gzip.open(CLIENT_LOG, "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def writable() -> Decoded:
    return decode_capture(WRITABLE.read_bytes())


@pytest.fixture(scope="module")
def sasl() -> Decoded:
    return decode_capture(SASL.read_bytes())


def java_calls(decoded: Decoded) -> list[Row]:
    return [call for call in decoded.calls if call["user"] != NATIVE_USER]


def test_nothing_of_the_namenodes_recording_is_left_undecoded(namenode: Decoded) -> None:
    assert (namenode.errors(), namenode.undecoded, namenode.damage) == ([], [], None)
    assert {stream["protocol"] for stream in namenode.streams} == {"hadoop"}
    assert len(namenode.streams) == 16
    assert sum(stream["messages"] for stream in namenode.streams) == len(namenode.messages)


def test_each_logged_call_is_in_the_recording_with_its_user_method_and_error(
    namenode: Decoded, client_log: list[Row]
) -> None:
    decoded = {
        (int(call["id"]), call["retry"]): (call["user"], call["name"], call["error_class"])
        for call in java_calls(namenode)
    }
    logged = {
        (call["call_id"], call["retry"]): (
            call["user"],
            re.split(r"[.$]", call["protocol"])[-1] + "." + call["method"],
            call["error"],
        )
        for call in client_log
    }
    assert len(java_calls(namenode)) == len(client_log) == len(logged) == 6600
    assert decoded == logged


def test_the_calls_of_a_connection_are_in_the_order_in_which_they_were_sent(
    namenode: Decoded, client_log: list[Row]
) -> None:
    places = {(call["call_id"], call["retry"]): at for at, call in enumerate(client_log)}
    by_stream: dict[int, list[Row]] = defaultdict(list)
    for call in java_calls(namenode):
        by_stream[call["stream"]].append(call)
    assert len(by_stream) == 15
    for calls in by_stream.values():
        calls.sort(key=lambda call: int(call["request_offset"]))
        order = [places[int(call["id"]), call["retry"]] for call in calls]
        assert order == sorted(order)


def test_a_call_starts_when_the_client_said_that_it_sent_it(
    namenode: Decoded, client_log: list[Row]
) -> None:
    sent = {(call["call_id"], call["retry"]): call["sent"] for call in client_log}
    late = sorted(
        call["start"] - sent[int(call["id"]), call["retry"]] for call in java_calls(namenode)
    )
    # The log's clock counts milliseconds; on a busy machine bytes reach the socket later.
    assert late[0] >= -1_000
    assert late[len(late) // 2] < 5_000
    assert late[-1] < 500_000


def test_a_latency_is_no_longer_than_what_the_caller_waited(
    namenode: Decoded, client_log: list[Row]
) -> None:
    took = {(call["call_id"], call["retry"]): call["took_ms"] for call in client_log}
    waited = [
        (call["latency_us"], took[int(call["id"]), call["retry"]] * 1000)
        for call in java_calls(namenode)
        if took[int(call["id"]), call["retry"]] is not None
    ]
    assert len(waited) > 6000
    assert all(0 < latency <= longest + 1000 for latency, longest in waited)


def test_the_metrics_of_the_namenode_count_the_same_calls(namenode: Decoded) -> None:
    expected = {
        name.removesuffix("NumOps"): count
        for name, count in json.loads(METRICS.read_text())["detailed"].items()
        if count
    }
    counted: Counter[str] = Counter()
    for call in namenode.calls:
        method = call["name"].split(".")[1]
        if call["status"] == "fatal":
            continue  # refused before it was a call
        if call["error_class"] in UNKNOWN_THINGS:
            counted[""] += 1
        elif call["error_class"] is not None:
            counted[re.split(r"[.$]", call["error_class"])[-1]] += 1
        else:
            counted[method[0].upper() + method[1:]] += 1
    assert counted == expected


def test_the_metrics_of_the_namenode_count_the_same_outcomes(namenode: Decoded) -> None:
    activity = json.loads(METRICS.read_text())["activity"]
    statuses = Counter(call["status"] for call in namenode.calls)
    assert statuses["ok"] == activity["RpcCallSuccesses"]
    assert statuses["ok"] + statuses["error"] == activity["TotalRequests"]
    assert statuses["fatal"] == activity["RpcAuthorizationFailures"] == 1
    assert statuses["lost"] == 0


def test_the_bytes_that_the_namenode_received_and_sent_are_in_the_recording(
    namenode: Decoded,
) -> None:
    activity = json.loads(METRICS.read_text())["activity"]
    received = sum(stream["client_bytes"] for stream in namenode.streams)
    sent = sum(stream["server_bytes"] for stream in namenode.streams)
    assert sent == activity["SentBytes"]
    # The server did not read the call after the refused context.
    [refused] = [call for call in namenode.calls if call["status"] == "fatal"]
    assert received == activity["ReceivedBytes"] + refused["request_bytes"]


def test_the_refusal_of_a_proxy_user_ends_its_connection(namenode: Decoded) -> None:
    [fatal] = [call for call in namenode.calls if call["status"] == "fatal"]
    assert fatal["error_class"] == "org.apache.hadoop.security.authorize.AuthorizationException"
    assert fatal["user"] == "alice"
    rows = [row for row in namenode.messages if row["stream"] == fatal["stream"]]
    assert [row["name"] for row in rows if row["side"] == "server"] == ["Fatal"]
    [context] = [row for row in rows if row["name"] == "ConnectionContext"]
    assert context["fields"]["user_info"] == {"effective_user": "alice", "real_user": "mallory"}


def test_caller_contexts_are_attributes(namenode: Decoded) -> None:
    contexts = Counter((call["attributes"] or {}).get("caller_context") for call in namenode.calls)
    assert contexts["broken-job"] == 300
    assert contexts[None] == 236
    assert contexts.keys() - {None} == {
        "administration", "broken-job", "clean-up", "dashboard", "import", "ingest", "lookup",
        "nightly-report", "set-up", "trespassing", "warehouse-scan",
    }  # fmt: skip


def test_each_operation_of_hdfs_native_is_in_the_recording(namenode: Decoded) -> None:
    operations = [json.loads(line) for line in NATIVE_LOG.read_text().splitlines()]
    calls = [call for call in namenode.calls if call["user"] == NATIVE_USER]
    assert (len(operations), len(calls)) == (227, 236)
    for operation in operations:
        during = {
            call["name"]
            for call in calls
            if operation["started"] <= call["start"] <= operation["ended"]
            and call["target"] == operation["path"]
        }
        if operation["operation"] != "glob_status":  # queries the path without its stars
            assert f"ClientProtocol.{NATIVE_CALLS[operation['operation']]}" in during, operation
    failed = [call["name"].split(".")[1] for call in calls if call["status"] == "error"]
    assert failed == ["mkdirs", "rename2", "delete"]
    looks = Counter(call["target"] for call in calls if call["name"].endswith(".getFileInfo"))
    assert looks["/data/native/one"] == 201


def test_pings_of_a_waiting_client_are_messages_and_no_calls(namenode: Decoded) -> None:
    pings = [row for row in namenode.messages if row["name"] == "Ping"]
    carols = {call["stream"] for call in namenode.calls if call["user"] == "carol"}
    assert len(pings) == 5
    assert {(row["id"], row["kind"], row["side"]) for row in pings} == {("-4", "control", "client")}
    assert {row["stream"] for row in pings} == carols


def test_targets_are_paths_wherever_the_method_has_one(namenode: Decoded) -> None:
    without = {call["name"] for call in namenode.calls if call["target"] is None}
    with_one = {call["name"] for call in namenode.calls if call["target"] is not None}
    assert not without & with_one
    relative = [
        (call["target"], call["error_class"])
        for call in namenode.calls
        if call["target"] and not call["target"].startswith("/")
    ]
    assert relative == [("no/slash", "org.apache.hadoop.fs.InvalidPathException")]
    for method in ("getServerDefaults", "renewLease", "setSafeMode", "getFsStats"):
        assert f"ClientProtocol.{method}" in without
    for method in ("getEnclosingRoot", "getListing", "setXAttr", "concat"):
        assert f"ClientProtocol.{method}" in with_one


def test_the_writable_recording_is_the_seeds_call_and_all_of_echo(writable: Decoded) -> None:
    assert (writable.errors(), writable.undecoded) == ([], [])
    expected = json.loads(ANSWERS.read_text())
    printed = [_as_java_prints(call, _response(writable, call)) for call in writable.calls]
    # A method without a result is not printed.
    printed.remove("nothing -> null")
    assert printed == expected["seed"] + expected["client"]


def test_the_parameters_of_echo_are_what_its_client_passes(writable: Decoded) -> None:
    passed = [
        (row["fields"]["method"], [_plain(value) for value in row["fields"]["parameters"]])
        for row in writable.messages
        if row["name"] == "Call"
    ]
    assert passed == [
        ("ping", []),
        ("getProtocolVersion", ["test.Echo", 42]),
        ("getProtocolSignature", ["test.Echo", 42, 0]),
        ("ping", ["X"]),
        ("ping", ["h\u00e9\u20ac\U0001f600\0z"]),
        ("add", [2, -3]),
        ("addl", [1 << 40, 5]),
        ("not", [True]),
        ("half", [3.0]),
        ("halff", [3.0]),
        ("incb", [127]),
        ("incs", [7]),
        ("incc", [ord("a")]),
        ("nothing", []),
        ("nul", []),
        ("text", ["txt\u20ac"]),
        ("ints", [[1, 2, -3]]),
        ("bytes", [bytes([0, 1, 255])]),
        ("strings", [["a", "b"]]),
        ("writables", [[300, "w"]]),
        ("map", [[{"key": 1, "value": None}, {"key": "k", "value": 9}]]),
        ("nw", [None]),
        ("kind", ["RED"]),
        ("poly", [-123456]),
        ("poly", [None]),
        ("poly", [b"\x09\x08"]),
        ("fail", ["no such thing"]),
        ("slow", [10]),
    ]


def test_the_failing_method_of_echo_is_an_error_with_its_class_and_text(writable: Decoded) -> None:
    [failed] = [call for call in writable.calls if call["status"] != "ok"]
    assert (failed["name"], failed["status"]) == ("Echo.fail", "error")
    assert failed["error_class"] == "java.io.FileNotFoundException"
    reply = _response(writable, failed)
    assert reply["error_detail"] == "ERROR_APPLICATION"
    assert reply["error_msg"].splitlines()[0] == "no such thing"


def test_the_slow_method_of_echo_takes_its_ten_milliseconds(writable: Decoded) -> None:
    [slow] = [call for call in writable.calls if call["name"] == "Echo.slow"]
    assert 10_000 <= slow["latency_us"] < 1_000_000


def test_a_pcapng_of_dumpcap_holds_the_seeds_call_again() -> None:
    decoded = decode_capture(SEED_AGAIN.read_bytes())
    [call] = decoded.calls
    assert (call["name"], call["status"], call["request_bytes"]) == ("ping.ping", "ok", 67)
    assert _response(decoded, call) == {"class": "java.lang.String", "value": "pong"}
    assert (decoded.errors(), decoded.damage) == ([], None)


def test_the_six_secure_connections_negotiate_by_name_and_in_order(sasl: Decoded) -> None:
    assert (sasl.errors(), sasl.undecoded) == ([], [])
    clients = json.loads(SASL_CLIENTS.read_text())["clients"]
    assert len(sasl.streams) == len(clients) == 6
    for stream, client in enumerate(clients):
        calls = len(client["calls"])
        responses = challenges = 2 if client["how"] == "kerberos" else 0
        if client["quality"] == "authentication":
            asked, told = ["ConnectionContext", *["Call"] * calls], ["Reply"] * calls
        else:
            # Context and first call are in one frame.
            asked, told = ["Wrap"] * calls, ["Wrap"] * calls
        negotiated = ["Negotiate", "Initiate", *["Response"] * responses]
        assert _names(sasl, stream, "client") == ["ConnectionHeader", *negotiated, *asked]
        answers = ["Negotiate", *["Challenge"] * challenges, "Success"]
        assert _names(sasl, stream, "server") == [*answers, *told]


def test_what_the_server_offers_in_negotiation_is_in_the_fields(sasl: Decoded) -> None:
    offers = [
        row["fields"]["auths"]
        for row in sasl.messages
        if row["name"] == "Negotiate" and row["side"] == "server"
    ]
    assert len(offers) == 6
    for token, kerberos in offers:
        assert (token["method"], token["mechanism"]) == ("TOKEN", "DIGEST-MD5")
        assert token["challenge"] == "(hidden)"
        assert (kerberos["method"], kerberos["mechanism"]) == ("KERBEROS", "GSSAPI")


def test_secure_calls_are_decoded_where_they_are_not_in_cipher(sasl: Decoded) -> None:
    for stream, client in enumerate(json.loads(SASL_CLIENTS.read_text())["clients"]):
        calls = [call for call in sasl.calls if call["stream"] == stream]
        if client["quality"] == "privacy":
            assert calls == []
            continue
        # With a token the context names no user: the token does.
        user = "alice@EXAMPLE.COM" if client["how"] == "kerberos" else None
        assert {call["user"] for call in calls} == {user}
        called = [
            " ".join(filter(None, [call["name"].split(".")[1], call["error_class"]]))
            for call in calls
        ]
        assert called == client["calls"]


def test_what_is_sealed_is_a_row_inside_the_row_of_its_wrap(sasl: Decoded) -> None:
    clients = json.loads(SASL_CLIENTS.read_text())["clients"]
    wraps = [row for row in sasl.messages if row["name"] == "Wrap"]
    for wrap in wraps:
        client = clients[wrap["stream"]]
        assert wrap["fields"]["protection"] == client["quality"]
        inside = [
            row
            for row in sasl.messages
            if (row["stream"], row["side"], row["parent"])
            == (wrap["stream"], wrap["side"], wrap["offset"])
        ]
        if client["quality"] == "privacy":
            assert inside == []
            continue
        assert wrap["fields"]["token"] == "(hidden)"  # noqa: S105
        # The other bytes are the token's header and checksum, and the frame's own headers.
        assert 0 < wrap["length"] - sum(row["length"] for row in inside) <= 16 + 12 + 60
        for row in inside:
            assert wrap["offset"] < row["offset"]
            assert row["offset"] + row["length"] < wrap["offset"] + wrap["length"]
        if wrap["side"] == "server":
            assert [row["name"] for row in inside] == ["Reply"]
    assert len([wrap for wrap in wraps if clients[wrap["stream"]]["quality"] == "integrity"]) == 16


def _names(decoded: Decoded, stream: int, side: str) -> list[str | None]:
    rows = [
        row
        for row in decoded.messages
        if (row["stream"], row["side"], row["parent"]) == (stream, side, None)
    ]
    return [row["name"] for row in sorted(rows, key=lambda row: int(row["offset"]))]


def _response(decoded: Decoded, call: Row) -> Any:
    place = (call["stream"], "server", call["reply_offset"])
    [reply] = [
        row for row in decoded.messages if (row["stream"], row["side"], row["offset"]) == place
    ]
    return reply["fields"].get("response", reply["fields"])


def _plain(value: Any) -> Any:
    """Return an ObjectWritable's value without the classes beside it."""
    match value:
        case {"base64": text}:
            return base64.b64decode(text)
        case {"class": _, "value": inner}:
            return _plain(inner)
        case [*items]:
            return [_plain(item) for item in items]
        case _:
            return value


def _as_java_prints(call: Row, response: Row) -> str:
    """Return the line that the client printed of a call: its name for it and the result."""
    names = {"getProtocolVersion": "version", "getProtocolSignature": "methods"}
    method = call["name"].split(".")[1]
    method = names.get(method, method)
    if call["status"] == "error":
        text = response["error_msg"].splitlines()[0]
        return f"{method} -> {call['error_class']} {response['error_detail']} {text}"
    value = _plain(response)
    match response["class"], response.get("instance_class"), value:
        case "char", _, int():
            said = chr(value)
        case _, "org.apache.hadoop.ipc.ProtocolSignature", {"methods": methods}:
            said = str(len(methods))
        case _, "org.apache.hadoop.io.MapWritable", [*entries]:
            said = str(len(entries))
        case _, "org.apache.hadoop.io.NullWritable", _:
            said = "(null)"
        case _, _, [*items]:
            said = f"[{', '.join(map(str, items))}]"
        case _, _, bytes():
            said = value.hex(" ")
        case _, _, bool():
            said = str(value).lower()
        case _, _, None:
            said = "null"
        case _:
            said = str(value)
    return f"{method} -> {said}"
