"""Encoder of Hadoop RPC for the tests, which shares no code with the decoder."""

import struct
from collections.abc import Sequence

CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol"
CLIENT_ID = bytes(range(16))
CLIENT_UUID = "00010203-0405-0607-0809-0a0b0c0d0e0f"
CONTEXT_ID, PING_ID, SASL_ID = -3, -4, -33
WRITABLE, PROTOBUF = 1, 2
OK, ERROR, FATAL = 0, 1, 2
OLD_PING = b"\xff\xff\xff\xff"


def varint(value: int) -> bytes:
    """Encode as base-128; negative numbers as 64 bits, as protobuf does."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def zigzag(value: int) -> bytes:
    """Encode as `sint32` or `sint64`."""
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def number(field: int, value: int) -> bytes:
    """Encode a varint field."""
    return varint(field << 3) + varint(value)


def signed(field: int, value: int) -> bytes:
    """Encode a zigzag field."""
    return varint(field << 3) + zigzag(value)


def content(field: int, value: bytes | str) -> bytes:
    """Encode a field of text, bytes or a message."""
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + delimited(data)


def groups(deep: int) -> bytes:
    """Encode groups in groups, of a field number that no message has."""
    return varint(99 << 3 | 3) * deep + varint(99 << 3 | 4) * deep


def delimited(message: bytes) -> bytes:
    """Prefix a message with its length as a varint."""
    return varint(len(message)) + message


def frame(*parts: bytes) -> bytes:
    """Prefix the parts with their length as an int."""
    body = b"".join(parts)
    return struct.pack(">i", len(body)) + body


def connection_header(*, version: int = 9, service_class: int = 0, auth: int = 0) -> bytes:
    """Encode the bytes that a client writes first."""
    return b"hrpc" + bytes([version, service_class, auth])


def request_header(
    call_id: int,
    *,
    kind: int = PROTOBUF,
    retry: int = 0,
    client_id: bytes = CLIENT_ID,
    beta: bool = False,
    more: bytes = b"",
) -> bytes:
    """Encode a delimited RpcRequestHeaderProto; that of 2.1.0-beta has the call id as an int32."""
    wire_id = number(3, call_id & 0xFFFFFFFF) if beta else signed(3, call_id)
    head = number(1, kind) + number(2, 0) + wire_id + content(4, client_id)
    return delimited(head + signed(5, retry) + more)


def context(
    user: str | None = "alice", protocol: str = CLIENT_PROTOCOL, *, beta: bool = False
) -> bytes:
    """Encode a frame with the connection context."""
    who = b"" if user is None else content(2, content(1, user))
    head = request_header(CONTEXT_ID, retry=-1, beta=beta)
    return frame(head, delimited(who + content(3, protocol)))


def ping() -> bytes:
    """Encode the ping of current clients."""
    return frame(request_header(PING_ID, retry=-1, client_id=b""))


def call(
    call_id: int,
    method: str = "getFileInfo",
    argument: bytes = b"",
    *,
    protocol: str = CLIENT_PROTOCOL,
    retry: int = 0,
    more: bytes = b"",
    beta: bool = False,
) -> bytes:
    """Encode a call of the protobuf engine; `more` are further fields of the header."""
    called = content(1, method) + content(2, protocol) + number(3, 1)
    head = request_header(call_id, retry=retry, more=more, beta=beta)
    return frame(head, delimited(called), delimited(argument))


def stat(call_id: int, path: str, *, more: bytes = b"") -> bytes:
    """Encode a call of getFileInfo."""
    return call(call_id, "getFileInfo", content(1, path), more=more)


def response_header(call_id: int, status: int = OK, more: bytes = b"") -> bytes:
    """Encode a delimited RpcResponseHeaderProto, in which the call id is a uint32."""
    head = number(1, call_id & 0xFFFFFFFF) + number(2, status) + number(3, 9)
    return delimited(head + more + content(7, CLIENT_ID) + signed(8, 0))


def reply(call_id: int, result: bytes = b"") -> bytes:
    """Encode a reply of the protobuf engine."""
    return frame(response_header(call_id), delimited(result))


def failure(
    call_id: int,
    java_class: str = "java.io.FileNotFoundException",
    text: str = "no such file\n\tat java.lang.Thread",
    *,
    status: int = ERROR,
    code: int = 1,
) -> bytes:
    """Encode an error reply; a FATAL one ends the connection."""
    why = content(4, java_class) + content(5, text) + number(6, code)
    return frame(response_header(call_id, status, why))


def sasl(side: str, state: int, *more: bytes) -> bytes:
    """Encode an RpcSaslProto as `side` writes it."""
    if side == "client":
        head = request_header(SASL_ID, retry=-1, client_id=b"")
    else:
        head = response_header(SASL_ID)
    return frame(head, delimited(number(2, state) + b"".join(more)))


def utf8(text: str) -> bytes:
    """Encode as `org.apache.hadoop.io.UTF8`: surrogates one by one, NUL as a zero byte."""
    units = struct.iter_unpack(">H", text.encode("utf-16-be", "surrogatepass"))
    out = b"".join(chr(unit).encode("utf-8", "surrogatepass") for (unit,) in units)
    return struct.pack(">H", len(out)) + out


def writable(java_class: str, value: bytes = b"") -> bytes:
    """Encode an ObjectWritable: the declared class, and the value's encoding."""
    return utf8(java_class) + value


def instance(java_class: str, value: bytes = b"", *, declared: str | None = None) -> bytes:
    """Encode an ObjectWritable whose value is a Writable that is preceded by its class."""
    return utf8(declared or java_class) + utf8(java_class) + value


def invocation(
    call_id: int,
    method: str = "ping",
    *parameters: bytes,
    protocol: str = "ping",
    version: int = 1,
    retry: int = 0,
    client_id: bytes = CLIENT_ID,
    beta: bool = False,
) -> bytes:
    """Encode a call of the Writable engine."""
    called = struct.pack(">q", 2) + utf8(protocol) + utf8(method) + struct.pack(">qi", version, 0)
    arguments = struct.pack(">i", len(parameters)) + b"".join(parameters)
    header = request_header(call_id, kind=WRITABLE, retry=retry, client_id=client_id, beta=beta)
    return frame(header, called, arguments)


def written(call_id: int, value: bytes) -> bytes:
    """Encode a reply of the Writable engine."""
    return frame(response_header(call_id), value)


def old_answer(version: int, java_class: str, text: str) -> bytes:
    """Encode the answer of servers to clients of versions 2 to 8."""
    head = b"\x00\x00\x00\x00\x01" if version == 2 else b"\xff" * 8
    parts = (java_class.encode(), text.encode())
    return head + b"".join(struct.pack(">i", len(part)) + part for part in parts)


def conversation(
    calls: Sequence[bytes], *, user: str | None = "alice", protocol: str = CLIENT_PROTOCOL
) -> bytes:
    """Concatenate a connection header, a context and calls."""
    return connection_header() + context(user, protocol) + b"".join(calls)
