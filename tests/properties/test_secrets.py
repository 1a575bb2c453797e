"""Secrets: each field that looks like one is hidden or excused; no output shows a hidden one."""

import base64
import json
import logging
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jvmwire._core import (
    CaptureDecoder,
    HazelcastMessage,
    PravegaDialect,
    hadoop_messages,
    hadoop_methods,
    hadoop_protocols,
)
from jvmwire.capture import View, read_tables, redaction_key
from jvmwire.capture._aggregates import merge_batches
from jvmwire.hadoop import HadoopClient, HadoopOptions
from jvmwire.hadoop._commands import CLIENT_PROTOCOL, Invocation, MessageFields, find_method
from jvmwire.hadoop.rpc._interface import Interface
from jvmwire.hadoop.server import RpcServer
from jvmwire.report import ReportSource, Traffic, write_report
from jvmwire.transports import Tcp
from kit import wire
from kit.command import jvmwire
from kit.hazelcast_tables import SOURCE, snake_case
from kit.rows import Turn, capture, decode_capture, explain_capture

LOOKS_SECRET = re.compile(
    r"pass(word|wd|phrase)?|pwd|secret|token|key|cred|auth|nonce|identifier|private|signature"
    r"|kerberos|ticket|session|principal|cookie|user_info|environment|cert|crypt|\biv\b"
)

EXCUSED_IN_HADOOP = {
    "BlockKeyProto.key_id": "the number of a key",
    "CancelDelegationTokenRequestProto.token": "a TokenProto, whose fields are hidden",
    "CheckpointCommandProto.signature": "names a checkpoint: layout version, block pool, cluster",
    "CorruptFileBlocksProto.cookie": "the place at which a listing goes on",
    "CreateEncryptionZoneRequestProto.key_name": "the name of a key",
    "CreateRequestProto.crypto_protocol_version": "a version",
    "CredentialsKVProto.token": "a TokenProto, whose fields are hidden",
    "CredentialsProto.tokens": "of CredentialsKVProto, whose tokens are hidden",
    "DataEncryptionKeyProto.encryption_algorithm": "the name of an algorithm",
    "DataEncryptionKeyProto.key_id": "the number of a key",
    "DatanodeCommandProto.key_update_cmd": "leads to BlockKeyProto",
    "DatanodeRegistrationProto.keys": "leads to BlockKeyProto",
    "DiskBalancerSettingRequestProto.key": "the name of a setting",
    "ECSchemaOptionEntryProto.key": "the name of an option",
    "EncryptionZoneProto.crypto_protocol_version": "a version",
    "EncryptionZoneProto.key_name": "the name of a key",
    "EndCheckpointRequestProto.signature": "names a checkpoint",
    "ExportedBlockKeysProto.all_keys": "of BlockKeyProto",
    "ExportedBlockKeysProto.current_key": "a BlockKeyProto",
    "ExportedBlockKeysProto.is_block_token_enabled": "a truth",
    "ExportedBlockKeysProto.key_update_interval": "a time",
    "ExportedBlockKeysProto.token_life_time": "a time",
    "FileEncryptionInfoProto.crypto_protocol_version": "a version",
    "FileEncryptionInfoProto.ez_key_version_name": "the name of a key's version",
    "FileEncryptionInfoProto.key_name": "the name of a key",
    "FsServerDefaultsProto.encrypt_data_transfer": "a truth",
    "FsServerDefaultsProto.key_provider_uri": "where keys are kept; asking takes a login",
    "GenericRefreshRequestProto.identifier": "the name of what is refreshed",
    "GetBlockKeysResponseProto.keys": "leads to BlockKeyProto",
    "GetBlockLocalPathInfoRequestProto.token": "a TokenProto",
    "GetDataEncryptionKeyResponseProto.data_encryption_key": "a DataEncryptionKeyProto",
    "GetDelegationTokenResponseProto.token": "a TokenProto",
    "GetLocatedFileInfoRequestProto.need_block_token": "a truth",
    "GetProtocolSignatureResponseProto.protocol_signature": "hashes of methods",
    "HdfsFileStatusProto.file_encryption_info": "a FileEncryptionInfoProto",
    "IpcConnectionContextProto.user_info": "who calls: names",
    "JournalIdProto.identifier": "the name of a journal",
    "KeyUpdateCommandProto.keys": "leads to BlockKeyProto",
    "KeyValueProto.key": "a block",
    "ListCorruptFileBlocksRequestProto.cookie": "the place at which a listing goes on",
    "LocalizationStatusProto.resource_key": "the name of a resource",
    "LocatedBlockProto.block_token": "a TokenProto",
    "LocatedBlockProto.block_tokens": "of TokenProto",
    "LocatedBlocksProto.file_encryption_info": "a FileEncryptionInfoProto",
    "MasterKeyProto.key_id": "the number of a key",
    "NMTokenProto.token": "a TokenProto",
    "NodeAttributeInfoProto.attribute_key": "the name of an attribute",
    "NodeAttributeProto.attribute_key": "the name of an attribute",
    "NodeHeartbeatRequestProto.last_known_container_token_master_key": "a MasterKeyProto",
    "NodeHeartbeatRequestProto.last_known_nm_token_master_key": "a MasterKeyProto",
    "NodeHeartbeatRequestProto.token_sequence_no": "a number",
    "NodeHeartbeatResponseProto.container_token_master_key": "a MasterKeyProto",
    "NodeHeartbeatResponseProto.nm_token_master_key": "a MasterKeyProto",
    "NodeHeartbeatResponseProto.system_credentials_for_apps": "of SystemCredentialsForAppsProto",
    "NodeHeartbeatResponseProto.token_sequence_no": "a number",
    "PlacementConstraintTargetProto.target_key": "the name of an attribute",
    "ProvidedStorageLocationProto.nonce": "tells whether a remote file was changed; opens nothing",
    "ReadRequestProto.key": "a block",
    "RegisterDistributedSchedulingAMResponseProto.container_token_expiry_interval": "a time",
    "RegisterNodeManagerResponseProto.container_token_master_key": "a MasterKeyProto",
    "RegisterNodeManagerResponseProto.nm_token_master_key": "a MasterKeyProto",
    "ReleaseSharedCacheResourceRequestProto.resource_key": "the checksum of a file",
    "RenewDelegationTokenRequestProto.token": "a TokenProto",
    "ResourceInformationProto.key": "the name of a resource",
    "RollEditLogResponseProto.signature": "names a checkpoint",
    "RpcSaslProto.auths": "of SaslAuth, whose challenge is hidden",
    "SCMUploaderCanUploadRequestProto.resource_key": "the checksum of a file",
    "SCMUploaderNotifyRequestProto.resource_key": "the checksum of a file",
    "StartContainerRequestProto.container_token": "a TokenProto",
    "UseSharedCacheResourceRequestProto.resource_key": "the checksum of a file",
    "WriteRequestProto.key_value_pair": "a block and where it is",
    "ZoneReencryptionStatusProto.ez_key_version_name": "the name of a key's version",
    "ZoneReencryptionStatusProto.num_reencrypted": "a number",
    "AllocateResponseProto.am_rm_token": "a TokenProto",
    "AllocateResponseProto.nm_tokens": "of NMTokenProto",
    "AppCollectorDataProto.app_collector_token": "a TokenProto",
    "AppCollectorDataProto.rm_identifier": "when a ResourceManager was started",
    "ApplicationReportProto.am_rm_token": "a TokenProto",
    "ApplicationReportProto.client_to_am_token": "a TokenProto",
    "ApplicationSubmissionContextProto.cancel_tokens_when_complete": "a truth",
    "CollectorInfoProto.collector_token": "a TokenProto",
    "ContainerProto.container_token": "a TokenProto",
    "ContainerUpdateRequestProto.update_container_token": "of TokenProto",
    "RegisterApplicationMasterResponseProto.nm_tokens_from_previous_attempts": "of NMTokenProto",
    "RegisterNodeManagerResponseProto.rm_identifier": "when a ResourceManager was started",
}  # fmt: skip
"""Fields that look like a secret but are none, reviewed by hand."""

EXCUSED_KEYS_OF_MAPS = re.compile(r"String\w+MapProto\.key")
"""The key of a map's entry."""

EXCUSED_IN_HAZELCAST = {
    ("key", "Cache"): "of an entry: users' data",
    ("key", "CacheEventData"): "of an entry: users' data",
    ("key", "Event.CacheInvalidation"): "of an entry: users' data",
    ("key", "Event.Entry"): "of an entry: users' data",
    ("key", "Event.IMapInvalidation"): "of an entry: users' data",
    ("key", "Event.MemberAttributeChange"): "the name of an attribute",
    ("key", "Map"): "of an entry: users' data",
    ("key", "MultiMap"): "of an entry: users' data",
    ("key", "QueryCacheEventData"): "of an entry: users' data",
    ("key", "ReplicatedMap"): "of an entry: users' data",
    ("key", "SimpleEntryView<Data, Data>"): "of an entry: users' data",
    ("key", "TransactionalMap"): "of an entry: users' data",
    ("key", "TransactionalMultiMap"): "of an entry: users' data",
    ("keys", "Cache"): "of entries: users' data",
    ("keys", "Event.Cache"): "events of entries: users' data",
    ("keys", "Event.CacheBatchInvalidation"): "of entries: users' data",
    ("keys", "Event.IMapBatchInvalidation"): "of entries: users' data",
    ("keys", "Map"): "of entries: users' data",
    ("keys", "MapReduce"): "of entries: users' data",
    ("keys", "Response.CacheKeyIteratorResult"): "of entries: users' data",
    ("key_type", "DynamicConfig"): "the name of a class",
    ("key_value_source", "MapReduce"): "where a job reads its entries",
    ("serialize_keys", "NearCacheConfigHolder"): "a truth",
    ("session_id", "CPFencedLock"): "the number of a session, which holds locks",
    ("session_id", "CPSemaphore"): "the number of a session, which holds permits",
    ("session_id", "CPSession"): "the number of a session, which holds locks and permits",
    ("session_id", "Response.RaftLockOwnershipStateResponse"): "the number of a session",
    ("session_id", "Response.RaftSessionResponse"): "the number of a session",
}
"""Fields that look like a secret but are none, by name and service or type, reviewed by hand."""

EXCUSED_IN_PRAVEGA = {
    "continuation_token": "the place at which a listing goes on",
    "keys": "of tables: users' data",
    "key_length": "a number",
    "from_key": "of tables: users' data",
    "to_key": "of tables: users' data",
    "suggested_key_count": "a number",
}

MESSAGES = hadoop_messages()
PLANTED = "Zq7Planted"
SECRET_TEXT = f"{PLANTED}{{:05}}xY"


class Planter:
    """Maker of values that occur nowhere else, one for each secret."""

    def __init__(self) -> None:
        self.count = 0
        self.fields: set[str] = set()

    def text(self) -> str:
        self.count += 1
        return SECRET_TEXT.format(self.count)

    def value(self, message: str, kind: str) -> Any:
        if kind == "bytes":
            return self.text().encode()
        if kind == "text":
            return self.text()
        # A whole message is the secret: all its contents.
        return {
            name: self.value(message, inner)
            for _, name, inner, _, _ in MESSAGES[kind]
            if inner in ("bytes", "text")
        }


def assert_nothing_shown(*outputs: str) -> None:
    """Look for the planted values: as they are, in base64, in UTF-16, and as bytes in hex."""
    text = "\n".join(outputs)
    printed = bytes(int(byte, 16) for byte in re.findall(r"\b0x([0-9a-f]{2}),", text))
    shown = [form for form in FORMS if form in text.encode()]
    shown += [form for form in FORMS if form in printed]
    assert shown == []


def _forms(word: str) -> Iterator[bytes]:
    for coding in ("utf-8", "utf-16-le", "utf-16-be"):
        raw = word.encode(coding)
        yield raw
        yield raw.hex().encode()
        for before in range(3):
            # The first and the last four letters may contain bits of neighbours.
            yield base64.b64encode(bytes(before) + raw)[4:-4]


FORMS = list(_forms(PLANTED))


def outputs_of(*turns: Turn) -> list[str]:
    """Return every table and the explanation of a connection, with and without redaction."""
    data = capture(*turns)
    said = []
    for key in (None, redaction_key(b"a secret of tests")):
        decoded = decode_capture(data, redact=key)
        assert decoded.damage is None
        said += [json.dumps([decoded.messages, decoded.calls, decoded.streams], ensure_ascii=False)]
        said += [explain_capture(data, redact=key), *arrow(data, key)]
    return said


def arrow(data: bytes, key: bytes | None) -> Iterator[str]:
    """Return the contents of Arrow's columns, and the counts of a report's traffic."""
    messages = [*View("messages").columns[:-1], "fields", "error"]
    decoder = CaptureDecoder([View("messages", columns=messages), View("traffic")], redact=key)
    decoder.feed(data)
    decoder.finish()
    while (batch := decoder.next_batch()) is not None:
        yield str(pa.record_batch(batch[1]).to_pylist())


def leads_to_secret(message: str, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a message has a secret, or one of those in it."""
    if message in seen or message not in MESSAGES:
        return False
    return any(
        is_secret or leads_to_secret(kind, seen | {message})
        for _, _, kind, _, is_secret in MESSAGES[message]
    )


def planted(message: str, plant: Planter, path: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return fields of a message with a value in each secret, at any depth."""
    fields: dict[str, Any] = {}
    has_secret = any(is_secret for *_, is_secret in MESSAGES[message])
    for _, name, kind, is_list, is_secret in MESSAGES[message]:
        if is_secret:
            value: Any = plant.value(message, kind)
            plant.fields.add(f"{message}.{name}")
        elif kind not in path and leads_to_secret(kind):
            value = planted(kind, plant, path | {message})
        elif has_secret and kind not in MESSAGES:
            # A message without its required fields would be hidden whole.
            value = "x" if kind in ("bytes", "text", "uuid") else 1
        else:
            continue
        fields[name] = [value, value] if is_list else value
    return fields


def encoded(message: str, fields: dict[str, Any]) -> bytes:
    """Encode a message, even without its required fields."""
    out = b""
    for number, name, kind, _, _ in MESSAGES[message]:
        values = fields.get(name, [])
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, int):
                out += wire.number(number, value)
                continue
            out += wire.content(number, encoded(kind, value) if isinstance(value, dict) else value)
    return out


# --- Hadoop


def test_each_field_of_hadoop_that_looks_like_a_secret_is_hidden_or_excused() -> None:
    wrong, excused = [], set()
    for message, fields in MESSAGES.items():
        for _, name, _, _, is_secret in fields:
            full = f"{message}.{name}"
            if is_secret or not LOOKS_SECRET.search(name) or EXCUSED_KEYS_OF_MAPS.match(full):
                continue
            excused.add(full)
            if full not in EXCUSED_IN_HADOOP:
                wrong.append(full)
    assert wrong == []
    assert set(EXCUSED_IN_HADOOP) - excused == set()


IN_HEADERS = {
    "RPCCallerContextProto.signature",
    "RpcRequestHeaderProto.authorization_header",
    "RpcSaslProto.token",
    "SaslAuth.challenge",
}
"""Secrets that no method's argument or result contains: planted separately below."""


def methods() -> list[tuple[str, str, str, str]]:
    """Return the methods whose request or response has a secret."""
    return [
        (protocol, method.name, method.request, method.response)
        for protocol in hadoop_protocols()
        for method in hadoop_methods(protocol)
        if leads_to_secret(method.request) or leads_to_secret(method.response)
    ]


def test_no_secret_of_a_hadoop_message_is_in_any_output() -> None:
    plant = Planter()
    by_protocol: dict[str, list[tuple[str, bytes, bytes]]] = {}
    for protocol, method, request, response in methods():
        asked = encoded(request, planted(request, plant))
        told = encoded(response, planted(response, plant))
        by_protocol.setdefault(protocol, []).append((method, asked, told))
    hidden = {
        f"{message}.{field[1]}" for message, of in MESSAGES.items() for field in of if field[4]
    }
    assert hidden - plant.fields == IN_HEADERS
    for protocol, calls in by_protocol.items():
        client = wire.conversation(
            [
                wire.call(number, method, asked, protocol=protocol)
                for number, (method, asked, _) in enumerate(calls)
            ],
            protocol=protocol,
        )
        server = b"".join(wire.reply(number, told) for number, (_, _, told) in enumerate(calls))
        said = outputs_of(("client", client), ("server", server))
        assert_nothing_shown(*said)
        assert f'"method": "{calls[0][0]}"' in said[0]
        assert said[0].count("(hidden)") >= len(calls)


@pytest.mark.parametrize(
    "damage", [b"\x0f", b"\x0a\x7f", b"\xff" * 3], ids=["type", "length", "tag"]
)
def test_no_secret_of_a_damaged_hadoop_message_is_in_any_output(damage: bytes) -> None:
    plant = Planter()
    asked = planted("RenewDelegationTokenRequestProto", plant)
    token = encoded("RenewDelegationTokenRequestProto", asked)
    calls = [wire.call(0, "renewDelegationToken", token + damage)]
    inner = wire.content(1, encoded("TokenProto", asked["token"]) + damage)
    calls += [wire.call(1, "renewDelegationToken", inner)]
    calls += [wire.call(2, "renewDelegationToken", damage + token)]
    said = outputs_of(("client", wire.conversation(calls)))
    assert_nothing_shown(*said)


def whole_token(plant: Planter) -> bytes:
    """Encode a token with a planted secret in both of its secret fields."""
    token = planted("TokenProto", plant)
    return encoded("TokenProto", {**token, "kind": "HDFS_DELEGATION_TOKEN", "service": "ha-hdfs:c"})


def located(token: bytes) -> bytes:
    """Encode a GetBlockLocationsResponseProto of one block."""
    block = wire.content(1, "BP-1") + wire.number(2, 7) + wire.number(3, 9)
    parts = [wire.content(1, block), wire.number(2, 0), wire.number(4, 0), wire.content(5, token)]
    of_file = wire.number(1, 5) + wire.content(2, b"".join(parts)) + wire.number(3, 0)
    return wire.content(1, of_file + wire.number(5, 1))


@pytest.mark.parametrize(
    "method", ["renewDelegationToken", "getDelegationToken", "getBlockLocations"]
)
def test_no_secret_of_a_token_with_any_one_wrong_byte_is_in_any_output(method: str) -> None:
    token = whole_token(Planter())
    message = located(token) if method == "getBlockLocations" else wire.content(1, token)
    body = wire.delimited(message)
    # A wrong byte inside a secret changes only the secret.
    is_own = re.compile(f"{PLANTED}.....xY".encode())
    own = {at for found in is_own.finditer(body) for at in range(*found.span())}
    called = wire.delimited(
        wire.content(1, method) + wire.content(2, CLIENT_PROTOCOL) + wire.number(3, 1)
    )
    for at in set(range(len(body))) - own:
        before, behind = body[:at], body[at + 1 :]
        wrong = [before + bytes([byte]) + behind for byte in range(256)]
        wrong += [before, before + behind]
        is_asked = method == "renewDelegationToken"
        client = [
            wire.frame(wire.request_header(n), called, argument if is_asked else b"\0")
            for n, argument in enumerate(wrong)
        ]
        server = [wire.frame(wire.response_header(n), result) for n, result in enumerate(wrong)]
        conversation = capture(
            ("client", wire.conversation(client)),
            ("server", b"" if is_asked else b"".join(server)),
        )
        # Without redaction, which could only hide more.
        shown = json.dumps(decode_capture(conversation).messages, ensure_ascii=False)
        assert_nothing_shown(shown, explain_capture(conversation))
        assert shown.count(f'"method": "{method}"') >= len(wrong)


def test_no_signature_of_a_caller_context_with_any_one_wrong_byte_is_in_any_output() -> None:
    plant = Planter()
    caller = wire.content(1, "job 7") + wire.content(2, plant.text())
    call = wire.call(0, more=wire.content(7, caller))
    # With another tag the caller context is another field.
    begin, end = call.index(caller) - 1, call.index(PLANTED.encode())
    length = call.index(b"job 7") - 1
    for at in range(begin, end):
        # With a wrong length the text includes the signature, as it would with a right one.
        for byte in range(call[at] if at == length else 256):
            wrong = call[:at] + bytes([byte]) + call[at + 1 :]
            decoded = decode_capture(capture(("client", wire.conversation([wrong]))))
            assert_nothing_shown(json.dumps([decoded.messages, decoded.calls], default=str))


def test_the_path_of_a_damaged_call_with_a_secret_is_in_no_output() -> None:
    plant = Planter()
    attribute = wire.number(1, 0) + wire.content(2, "user.key")
    attribute += wire.content(3, plant.text())
    whole = wire.content(1, "/in") + wire.content(2, attribute) + wire.number(3, 1)
    # The attribute's length ends before its value, whose tag is that of the path.
    at = whole.index(attribute)
    moved = whole.replace(attribute[-19:-17], b"\x0a\x11")
    short = moved[: at - 1] + bytes([len(attribute) - 19]) + moved[at:]
    said = outputs_of(
        ("client", wire.conversation([wire.call(0, "setXAttr", sent) for sent in (whole, short)]))
    )
    assert_nothing_shown(*said)
    assert '"target": "/in"' in said[0]


def test_a_whole_token_is_shown_without_its_secrets() -> None:
    token = whole_token(Planter())
    calls = [wire.call(0, "renewDelegationToken", wire.content(1, token))]
    said = outputs_of(
        ("client", wire.conversation([*calls, wire.call(1, "getBlockLocations")])),
        ("server", wire.reply(1, located(token))),
    )
    assert_nothing_shown(*said)
    rows = json.loads(said[0])[0]
    shown = {"identifier": "(hidden)", "password": "(hidden)"}
    shown |= {"kind": "HDFS_DELEGATION_TOKEN", "service": "ha-hdfs:c"}
    assert rows[-1]["fields"]["response"]["locations"]["blocks"][0]["block_token"] == shown
    assert {"token": shown} in [(row["fields"] or {}).get("request") for row in rows]


def test_a_token_is_hidden_though_nobody_saw_what_was_asked() -> None:
    plant = Planter()
    token = {**planted("TokenProto", plant), "kind": "HDFS_DELEGATION_TOKEN", "service": "ha:nn"}
    answer = wire.content(1, encoded("TokenProto", token))
    unknown = wire.call(1, "getSomeToken", answer, protocol="org.example.Unknown")
    said = outputs_of(
        ("client", wire.conversation([unknown])),
        ("server", wire.reply(77, answer) + wire.reply(1, answer)),
    )
    assert_nothing_shown(*said)
    assert "HDFS_DELEGATION_TOKEN" in said[0]


def test_what_authenticates_a_hadoop_connection_is_in_no_output() -> None:
    plant = Planter()
    auth = wire.content(1, "TOKEN") + wire.content(5, plant.text())
    caller = wire.content(7, wire.content(1, "job 7") + wire.content(2, plant.text()))
    header = caller + wire.content(10, plant.text())
    client = wire.connection_header(auth=0xDF) + b"".join([
        wire.sasl("client", 1),
        wire.sasl("client", 2, wire.content(3, plant.text())),
        wire.context(),
        wire.call(0, more=header),
    ])  # fmt: skip
    server = b"".join([
        wire.sasl("server", 1, wire.content(4, auth)),
        wire.sasl("server", 3, wire.content(3, plant.text())),
        wire.sasl("server", 0, wire.content(3, plant.text())),
    ])  # fmt: skip
    said = outputs_of(("client", client), ("server", server))
    assert_nothing_shown(*said)
    assert "job 7" in said[0]


def test_tokens_of_the_writable_engine_are_in_no_output() -> None:
    plant = Planter()
    for name in ("token.Token", "Credentials", "token.delegation.DelegationKey"):
        own = wire.instance(f"org.apache.hadoop.security.{name}", plant.text().encode())
        client = wire.connection_header() + wire.context() + wire.invocation(0, "renew", own)
        said = outputs_of(("client", client), ("server", wire.written(0, own)))
        assert_nothing_shown(*said)
        assert name in said[0]


def test_what_http_authenticates_with_is_in_no_output() -> None:
    plant = Planter()
    request = (
        f"GET /webhdfs/v1/?op=OPEN&delegation={plant.text()} HTTP/1.1\r\nHost: nn\r\n"
        f"Authorization: Negotiate {plant.text()}\r\nCookie: hadoop.auth={plant.text()}\r\n\r\n"
    )
    answer = (
        f"HTTP/1.1 200 OK\r\nSet-Cookie: hadoop.auth={plant.text()}\r\n\r\n"
        f'{{"Token":{{"urlString":"{plant.text()}"}}}}'
    )
    data = capture(("client", request.encode()), ("server", answer.encode()))
    decoded = decode_capture(data, protocol="hadoop")
    decoder = CaptureDecoder([], protocol="hadoop", explain=True)
    decoder.feed(data)
    decoder.finish()
    shown = decoder.take_explanation()
    assert_nothing_shown(json.dumps(decoded.messages), shown)
    assert "/webhdfs/v1/?(hidden) HTTP/1.1" in json.dumps(decoded.messages)


def test_secrets_do_not_show_in_reprs_and_logs(caplog: pytest.LogCaptureFixture) -> None:
    plant = Planter()
    caplog.set_level(logging.DEBUG)
    for protocol, method, request, response in methods():
        description = find_method(protocol, method)
        command = Invocation(description, planted(request, plant))
        answer = MessageFields(response, planted(response, plant))
        logging.getLogger("jvmwire.wire").debug("%r %s %s", command, answer, answer.shown())
        if leads_to_secret(response):
            assert "(hidden)" in repr(answer)
            assert PLANTED.encode() in encoded(response, dict(answer))  # the caller has it
    assert_nothing_shown(caplog.text)


def test_no_secret_of_a_hadoop_message_is_in_a_report(tmp_path: Path) -> None:
    plant = Planter()
    asked = [
        wire.call(number, method, encoded(request, planted(request, plant)), protocol=protocol)
        for number, (protocol, method, request, _) in enumerate(methods())
    ]
    told = [
        wire.reply(number, encoded(response, planted(response, plant)))
        for number, (_, _, _, response) in enumerate(methods())
    ]
    failed = wire.call(len(asked), "renewDelegationToken", wire.content(1, whole_token(plant)))
    path = tmp_path / "nn.pcap"
    path.write_bytes(
        capture(
            ("client", wire.conversation([*asked, failed])),
            ("server", b"".join([*told, wire.failure(len(asked))])),
        )
    )
    batches = [pa.record_batch(batch) for _, batch in read_tables(path, [View("traffic")])]
    seen = Traffic.from_merged(merge_batches(batches))
    report = write_report(seen, ReportSource.from_traffic(seen, [path]), tmp_path / "report")
    said = [file.read_text() for file in (report.page, report.summary)]
    assert "renewDelegationToken" in said[0]
    assert_nothing_shown(*said, *report.lines)


class Tokens(Interface, protocol=CLIENT_PROTOCOL, version=1, engine="protobuf"):
    """The two methods of a NameNode whose messages contain a token."""

    def get_delegation_token(self, request: bytes) -> bytes:
        """Return a GetDelegationTokenResponseProto."""
        raise NotImplementedError

    def renew_delegation_token(self, request: bytes) -> bytes:
        """Return a RenewDelegationTokenResponseProto."""
        raise NotImplementedError


class KnownTokens:
    """Server that issues one token and renews only that one."""

    def __init__(self, token: bytes) -> None:
        self.answer = wire.content(1, token)

    async def get_delegation_token(self, _request: bytes) -> bytes:
        """Return the token."""
        return self.answer

    async def renew_delegation_token(self, request: bytes) -> bytes:
        """Return the time at which the token expires."""
        if request != self.answer:
            raise FileNotFoundError("no such token")
        return wire.number(1, 99)


@pytest.fixture
def token_server() -> Iterator[tuple[int, bytes]]:
    """Serve a token with planted secrets; yield the port and the token."""
    token = whole_token(Planter())
    with RpcServer() as server:
        server.add(Tokens, KnownTokens(token))
        yield server.start("127.0.0.1", 0), token


def test_secrets_of_live_calls_are_not_in_the_log(
    token_server: tuple[int, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    options = HadoopOptions(user="alice", trace=True)
    with HadoopClient(Tcp("127.0.0.1", token_server[0]), options) as client:
        answer = client.call("getDelegationToken", {"renewer": "alice"})
        assert PLANTED.encode() in answer["token"]["password"]
        renewed = client.call("renewDelegationToken", {"token": answer["token"]})
        assert renewed["new_expiry_time"] == 99
    assert "renewDelegationToken" in caplog.text
    assert caplog.text.count("(hidden)") >= 4
    assert_nothing_shown(caplog.text, repr(answer))


def test_the_command_prints_the_secrets_of_an_answer_only_if_asked(
    token_server: tuple[int, bytes],
) -> None:
    where = ["--server", f"127.0.0.1:{token_server[0]}"]
    call = ["hadoop", "call", "getDelegationToken", '{"renewer": "alice"}', *where]
    done = jvmwire(*call)
    assert_nothing_shown(done.stdout.decode(), done.stderr)
    [told] = done.rows
    assert told["token"]["password"] == "(hidden)"  # noqa: S105
    assert told["token"]["kind"] == "HDFS_DELEGATION_TOKEN"
    done = jvmwire(*call, "--show-secrets")
    [told] = done.rows
    assert PLANTED.encode() in base64.b64decode(told["token"]["password"]["base64"])
    assert_nothing_shown(done.stderr)
    # The token as an argument: accepted, refused by the server, refused before it is sent.
    sent = json.dumps(told)
    assert jvmwire("hadoop", "call", "renewDelegationToken", sent, *where).rows
    for wrong, status in (
        ({**told["token"], "service": "other"}, 4),
        ({**told["token"], "kind": 5}, 2),
    ):
        again = ["hadoop", "call", "renewDelegationToken", json.dumps({"token": wrong}), *where]
        refused = jvmwire(*again, status=status)
        assert_nothing_shown(refused.stdout.decode(), refused.stderr)


# --- Hazelcast


def test_each_field_of_hazelcast_that_looks_like_a_secret_is_hidden_or_excused() -> None:
    table = json.loads((SOURCE / "messages.json").read_text())
    params = [(f"{one['cls']}.{one['name']}", one["params"]) for one in table["requests"]]
    params += [(f"Response.{one['name']}", one["params"]) for one in table["responses"]]
    params += [(f"Event.{one['name']}", one["params"]) for one in table["events"]]
    names = [(message, snake_case(one["name"])) for message, fields in params for one in fields]
    names += [(kind, snake_case(one["name"])) for kind, of in table["types"].items() for one in of]
    assert len(names) > 1000
    looks = {
        (name, _service_of(message))
        for message, name in names
        if LOOKS_SECRET.search(name) and name not in _hazelcast_secrets(message)
    }
    assert looks == set(EXCUSED_IN_HAZELCAST)


def _service_of(message: str) -> str:
    """Return the service of a request; responses, events and types have none."""
    return message if message.startswith(("Event.", "Response.")) else message.partition(".")[0]


def _hazelcast_secrets(message: str) -> list[str]:
    try:
        return HazelcastMessage.named(message).secrets
    except ValueError:  # a type, not a message
        return []


@pytest.mark.parametrize("limit", [1 << 20, 40], ids=["whole", "in fragments"])
def test_no_secret_of_a_hazelcast_message_is_in_any_output(limit: int) -> None:
    plant = Planter()
    member = "Client.authentication"
    given: dict[str, tuple[Any, ...]] = {
        member: ("dev", plant.text(), None, None, True, "PYH", 1, "3.12", "me", [], None, None),
        "Client.authenticationCustom": (plant.text().encode(), None, None, True, "PYH", 1, "3.12"),
    }
    for name in _with_stores():
        message = HazelcastMessage.named(name)
        fields = message.decode(bytes(2000))
        given[name] = tuple(
            _with_properties(value, plant) if field.endswith("store_config") else value
            for field, value in zip(message.fields, fields, strict=True)
        )
    frames = b"".join(
        HazelcastMessage.named(name).encode(number, -1, fields, flags=0xC0, limit=limit)
        for number, (name, fields) in enumerate(given.items())
    )
    assert plant.count == 2 + 2 * len(_with_stores())
    assert frames.count(PLANTED.encode()) > 0
    said = outputs_of(("client", b"CB2" + frames))
    assert_nothing_shown(*said)
    assert all(name in said[0] for name in given)
    assert '"user": "dev"' in said[0] or limit == 40


def _with_stores() -> list[str]:
    names = HazelcastMessage.names()
    return [name for name in names if "properties" in HazelcastMessage.named(name).secrets]


def _with_properties(store: Any, plant: Planter) -> Any:
    assert isinstance(store, dict)
    return store | {"properties": [("password", plant.text()), ("url", plant.text())]}


# --- Pravega


def test_each_field_of_pravega_that_looks_like_a_secret_is_hidden_or_excused() -> None:
    names = {
        field[0]
        for dialect in (PravegaDialect.today(), PravegaDialect.early())
        for _, _, _, fields in dialect.commands()
        for field in fields
    }
    looks = {name for name in names if LOOKS_SECRET.search(name)}
    assert looks == {"delegation_token", *EXCUSED_IN_PRAVEGA}


def test_no_delegation_token_of_pravega_is_in_any_output() -> None:
    plant = Planter()
    dialect = PravegaDialect.today()
    hello = dialect.encode("Hello", {"high_version": 16, "low_version": 5})
    frames, names = hello, []
    for _, name, _, fields in dialect.commands():
        known = {field[0]: _pravega_value(field[1]) for field in fields if not field[2]}
        if "delegation_token" in known:
            frames += dialect.encode(name, known | {"delegation_token": plant.text()})
            names.append(name)
    assert len(names) >= 23
    said = outputs_of(("client", frames), ("server", hello))
    assert_nothing_shown(*said)
    assert all(f'"name": "{name}"' in said[0] for name in names)
    # Cut inside the token.
    torn = struct.pack(">ii", 11, 30) + bytes(8) + struct.pack(">H", 0)
    torn += struct.pack(">H", 99) + plant.text().encode()[:18].ljust(18)
    assert_nothing_shown(*outputs_of(("client", hello + torn), ("server", hello)))


def _pravega_value(kind: Any) -> Any:
    from uuid import UUID

    if isinstance(kind, list):
        return []
    return {"text": "sc/st/0.#epoch.0", "uuid": UUID(int=7), "bytes": b"", "bool": False}.get(
        kind, 0
    )


# --- Storm and Hama

CONFIGURED = [
    "password",
    "javax.net.ssl.keyStorePassword",
    "storm.zookeeper.auth.payload",
    "topology.tuple.serializer.blowfish.key",
    "fs.s3a.secret.key",
    "AWS_SESSION_TOKEN",
    "my.credentials",
]


def test_no_secret_of_storms_handshake_is_in_any_output() -> None:
    plant = Planter()
    conf: dict[str, Any] = {name: plant.text() for name in CONFIGURED}
    conf |= {
        "topology.workers": 3,
        "nested": [{"db": {"Pass\u0077ord": plant.text(), "host": "h"}}],
    }
    conf["secret.list"] = [plant.text(), {"a": plant.text()}]
    shake = {"pidDir": "/p", "context": {"taskid": 3, "secret": plant.text()}, "conf": conf}
    escaped = json.dumps(shake).replace('"my.credentials"', '"my.\\u0063redentials"')
    tuples = {"comp": "c", "tuple": [{"a": plant.text()}], "task": 4, "id": "1"}
    tuples["stream"] = "__credentials"
    server = f"{escaped}\nend\n{json.dumps(tuples)}\nend\n".encode()
    said = outputs_of(("server", server), ("client", b'{"pid":42}\nend\n'))
    assert_nothing_shown(*said)
    [told] = [row for row in json.loads(said[0])[0] if row["name"] == "handshake"]
    shown = json.loads(told["fields"]["conf"])
    assert shown["topology.workers"] == 3
    assert shown["nested"] == [{"db": {"Password": "(hidden)", "host": "h"}}]
    assert list(shown) == list(conf)


def test_no_secret_of_hamas_configuration_is_in_any_output() -> None:
    plant = Planter()
    lines = [line for name in CONFIGURED for line in (name, plant.text())]
    lines += ["a.key.class", "org.example.Key", "user.name", "bob"]
    # A value of two lines shifts all values after it.
    lines += ["text", "one", "two", "ssl.password", plant.text(), "last.password"]
    text = "%0%=\n0\n%1%=\n{}\n{}\n{}\n%3%=\n".format(len(lines), "\n".join(lines), plant.text())
    said = outputs_of(("server", text.encode()), ("client", b"%ACK_0%=\n%ACK_3%=\n"))
    assert_nothing_shown(*said)
    [told] = [row for row in json.loads(said[0])[0] if "configuration" in (row["fields"] or {})]
    shown = {one["key"]: one["value"] for one in told["fields"]["configuration"]}
    assert shown["a.key.class"] == "org.example.Key"
    assert shown["password"] == "(hidden)"  # noqa: S105


def test_a_plain_value_is_found_by_what_looks_for_it() -> None:
    for shown in (
        PLANTED,
        *[base64.b64encode(f"{before}{PLANTED}xy".encode()).decode() for before in ("", "a", "ab")],
        str(PLANTED.encode("utf-16-le").hex()),
        ", ".join(f"0x{byte:02x}" for byte in PLANTED.encode()) + ",",
        f"id {PLANTED.encode().hex()}",
    ):
        with pytest.raises(AssertionError):
            assert_nothing_shown(shown)
