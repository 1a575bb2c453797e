"""The fields of Hadoop's messages, with secrets hidden, against the JVM's reading of the same
bytes.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from jvmwire._core import hadoop_messages, hadoop_methods
from jvmwire.hadoop._secrets import HIDDEN
from kit import wire
from kit.hadoop import CLIENT_TIMEOUT, program
from kit.rows import Row, decode_dump

# Methods of ClientProtocol whose messages are not decoded by name, with the reason: none.
NOT_BY_NAME: dict[str, str] = {}
# jvmwire's names that differ from those of the .proto file.
RENAMED = {"method_name": "method", "declaring_class_protocol_name": "protocol"}
MESSAGES = hadoop_messages()
STATES = ["Success", "Negotiate", "Initiate", "Challenge", "Response", "Wrap"]
CALL_ID = 7


class Sample(NamedTuple):
    """A message, and its fields as the JVM prints them."""

    data: bytes
    fields: Row


class Samples(NamedTuple):
    """The JVM's output: request and response by protocol and method, messages by type."""

    methods: dict[str, dict[str, tuple[Sample, Sample]]]
    messages: dict[str, list[Sample]]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    directory = tmp_path_factory.mktemp("samples")
    found = Samples({}, {})
    for line in program("ProtoSamples", directory=directory).run(CLIENT_TIMEOUT).splitlines():
        match json.loads(line):
            case {"protocol": protocol, "method": name, "request": asked, "response": told}:
                found.methods.setdefault(protocol, {})[name] = (_sample(asked), _sample(told))
            case {"message": name, "sample": sample}:
                found.messages.setdefault(name, []).append(_sample(sample))
    return found


def _sample(printed: Any) -> Sample:
    return Sample(base64.b64decode(printed["bytes"]), printed["fields"])


def test_every_method_of_the_client_protocol_is_decoded_by_name(samples: Samples) -> None:
    methods = samples.methods[wire.CLIENT_PROTOCOL]
    assert len(methods) == 111
    assert len(NOT_BY_NAME) <= 5
    assert {name for name, _ in _wrongly_decoded(wire.CLIENT_PROTOCOL, methods)} == set(NOT_BY_NAME)


def test_every_method_of_every_other_protocol_is_decoded_by_name(samples: Samples) -> None:
    others = {name: of for name, of in samples.methods.items() if name != wire.CLIENT_PROTOCOL}
    assert len(others) == 34
    assert {name.rpartition(".")[2] for name in others} >= {
        "ApplicationClientProtocolPB", "DatanodeProtocol", "HAServiceProtocol", "NamenodeProtocol",
    }  # fmt: skip
    for protocol, methods in others.items():
        assert list(_wrongly_decoded(protocol, methods)) == []


def _wrongly_decoded(
    protocol: str, methods: dict[str, tuple[Sample, Sample]]
) -> Iterator[tuple[str, Any]]:
    """Yield the methods whose request or response differs from the JVM's output."""
    calls, replies = [], []
    for call_id, (name, (asked, told)) in enumerate(methods.items()):
        calls.append(wire.call(call_id, name, asked.data, protocol=protocol))
        replies.append(wire.reply(call_id, told.data))
    client = wire.conversation(calls, protocol=protocol)
    decoded = decode_dump(client, replies=b"".join(replies))
    assert decoded.errors() == []
    requests = [row["fields"]["request"] for row in decoded.messages if row["kind"] == "request"]
    responses = [row["fields"]["response"] for row in decoded.messages if row["kind"] == "reply"]
    shown = zip(requests, responses, strict=True)
    types = {method.name: method for method in hadoop_methods(protocol)}
    for (name, (asked, told)), pair in zip(methods.items(), shown, strict=True):
        request, response = types[name].request, types[name].response
        if pair != (_hidden(request, asked.fields), _hidden(response, told.fields)):
            yield name, pair


def _hidden(message: str, fields: Row) -> Row:
    """Return the fields of a message of that type, with its secrets hidden."""
    types = {name: (kind, is_secret) for _, name, kind, _, is_secret in MESSAGES[message]}

    def shown(value: Any, kind: str, is_secret: bool) -> Any:
        if isinstance(value, list):
            return [shown(each, kind, is_secret) for each in value]
        if is_secret:
            return HIDDEN
        return _hidden(kind, value) if kind in MESSAGES else value

    return {name: shown(value, *types[name]) for name, value in fields.items()}


def test_the_headers_of_a_call_have_the_fields_that_the_jvm_reads(samples: Samples) -> None:
    [header], [called] = (
        samples.messages[name] for name in ("RpcRequestHeaderProto", "RequestHeaderProto")
    )
    frame = wire.frame(wire.delimited(header.data), wire.delimited(called.data), b"\0")
    [row] = decode_dump(wire.conversation([frame])).messages[2:]
    assert (row["name"], row["id"]) == ("Call", str(CALL_ID))
    headers = _hidden("RpcRequestHeaderProto", header.fields), called.fields
    assert row["fields"] == _ours(headers[0]) | _ours(headers[1]) | {"request": {}}


def test_a_connection_context_has_the_fields_that_the_jvm_reads(samples: Samples) -> None:
    [context] = samples.messages["IpcConnectionContextProto"]
    frame = wire.frame(wire.request_header(-3, retry=-1), wire.delimited(context.data))
    [row] = decode_dump(wire.connection_header() + frame).messages[1:]
    assert row["name"] == "ConnectionContext"
    assert context.fields.items() <= row["fields"].items()


def test_the_header_of_a_reply_has_the_fields_that_the_jvm_reads(samples: Samples) -> None:
    headers = samples.messages["RpcResponseHeaderProto"]
    assert [header.fields["status"] for header in headers] == ["SUCCESS", "ERROR", "FATAL"]
    client = wire.conversation([wire.stat(CALL_ID, "/a")])
    followed: list[tuple[bytes, Row]] = [(b"\0", {"response": {}}), (b"", {}), (b"", {})]
    names = ["Reply", "Reply", "Fatal"]
    for header, (body, shown), name in zip(headers, followed, names, strict=True):
        reply = wire.frame(wire.delimited(header.data), body)
        rows = decode_dump(client, replies=reply).messages
        [row] = [row for row in rows if row["side"] == "server"]
        assert (row["name"], row["error"]) == (name, None)
        assert row["fields"] == _ours(header.fields) | shown


@pytest.mark.parametrize("side", ["client", "server"])
def test_each_state_of_sasl_has_the_fields_that_the_jvm_reads(samples: Samples, side: str) -> None:
    states = samples.messages["RpcSaslProto"]
    assert [state.fields["state"].title() for state in states] == STATES
    for sample, name in zip(states, STATES, strict=True):
        if side == "client":
            data = wire.request_header(-33, retry=-1, client_id=b"")
        else:
            data = wire.response_header(-33)
        frame = wire.frame(data, wire.delimited(sample.data))
        start = wire.connection_header(auth=0xDF) if side == "client" else b""
        row = decode_dump(start + frame, side).messages[-1]
        assert (row["name"], row["error"]) == (name, None)
        expected = _hidden("RpcSaslProto", sample.fields)
        assert {name: row["fields"].get(name) for name in expected} == expected


def _ours(read: Row) -> Row:
    """Return the fields under jvmwire's names; a client id is a UUID."""
    fields = {RENAMED.get(name, name): value for name, value in read.items()}
    if "client_id" in fields:
        fields["client_id"] = str(UUID(bytes=base64.b64decode(fields["client_id"]["base64"])))
    return fields
