"""Plain baseline: a capture's calls in Python, with dpkt and protobuf (upb).

Headers and arguments are parsed by protobuf's own C code; replies' results are not parsed, since
the table of calls does not need them.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal.decoder import _DecodeVarint32  # type: ignore[attr-defined]

from reference.plain.capture import segments

if TYPE_CHECKING:
    from collections.abc import Iterator

    import dpkt

_FIELD = descriptor_pb2.FieldDescriptorProto
_KINDS = {
    "int32": _FIELD.TYPE_INT32,
    "sint32": _FIELD.TYPE_SINT32,
    "uint32": _FIELD.TYPE_UINT32,
    "string": _FIELD.TYPE_STRING,
}
_MESSAGES: dict[str, list[tuple[int, str, str]]] = {
    "Context": [(1, "string", "context")],
    "RequestHeader": [(3, "sint32", "call_id"), (5, "sint32", "retry"), (7, "Context", "context")],
    "ResponseHeader": [
        (1, "uint32", "call_id"), (2, "int32", "status"), (4, "string", "error_class"),
    ],
    "UserInformation": [(1, "string", "effective_user")],
    "ConnectionContext": [(2, "UserInformation", "user_info")],
    "Called": [(1, "string", "method"), (2, "string", "protocol")],
    "About1": [(1, "string", "path")],
    "About2": [(2, "string", "path")],
    "About3": [(3, "string", "path")],
}  # fmt: skip
"""Fields as in Hadoop's .proto files, as far as the table needs them."""


def _classes() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name="calls.proto", package="calls", syntax="proto2")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, kind, its_name in fields:
            one = message.field.add(number=number, name=its_name, label=_FIELD.LABEL_OPTIONAL)
            if kind in _KINDS:
                one.type = _KINDS[kind]
            else:
                one.type, one.type_name = _FIELD.TYPE_MESSAGE, f".calls.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    find = pool.FindMessageTypeByName
    return {name: message_factory.GetMessageClass(find(f"calls.{name}")) for name in _MESSAGES}


_CLASS = _classes()
_REQUEST, _RESPONSE, _CALLED = (
    _CLASS[name] for name in ("RequestHeader", "ResponseHeader", "Called")
)
_PATHS = {"createSymlink": _CLASS["About2"], "listOpenFiles": _CLASS["About3"]}
_NO_PATH = frozenset(
    {
        "addCacheDirective",
        "addCachePool",
        "disableErasureCodingPolicy",
        "enableErasureCodingPolicy",
        "finalizeUpgrade",
        "foldSpace",
        "getBatchedListing",
        "getCurrentEditLogTxid",
        "getDataEncryptionKey",
        "getDatanodeReport",
        "getDatanodeStorageReport",
        "getDelegationToken",
        "getECTopologyResultForPolicies",
        "getEditsFromTxid",
        "getErasureCodingCodecs",
        "getErasureCodingPolicies",
        "getFsECBlockGroupStats",
        "getFsReplicatedBlockStats",
        "getFsStats",
        "getGroupsForUser",
        "getHAServiceState",
        "getServerDefaults",
        "getSlowDatanodeReport",
        "getSnapshottableDirListing",
        "getStoragePolicies",
        "getTransactionId",
        "listCacheDirectives",
        "listCachePools",
        "listEncryptionZones",
        "metaSave",
        "modifyCacheDirective",
        "modifyCachePool",
        "msync",
        "refreshNodes",
        "refreshUserToGroupsMappings",
        "removeCacheDirective",
        "removeCachePool",
        "renewLease",
        "reportBadBlocks",
        "restoreFailedStorage",
        "rollEdits",
        "rollingUpgrade",
        "saveNamespace",
        "setBalancerBandwidth",
        "setSafeMode",
        "updateBlockForPipeline",
        "updatePipeline",
        "upgradeStatus",
        "versionRequest",
    }
)
_STATUS = ("ok", "error", "fatal")
_FATAL = 2
_CONNECTION_CONTEXT = -3


class Call(NamedTuple):
    """A row: every column of the table."""

    protocol: str
    stream: int
    client: str
    server: str
    id: str
    user: str | None
    name: str
    target: str | None
    request_offset: int
    reply_offset: int | None
    request_bytes: int
    reply_bytes: int | None
    start: int
    latency_us: int | None
    status: str
    error_class: str | None
    retry: int | None
    attributes: str | None


@dataclass
class _Connection:
    client: str
    server: str
    user: str | None = None
    open: dict[int, tuple[Any, ...]] = field(default_factory=dict)


def decode(data: bytes) -> Iterator[Call]:
    """Yield the answered calls of a pcap."""
    connections: dict[int, _Connection] = {}
    for direction, seconds, ip in segments(data):
        connection = connections.get(direction.stream)
        if connection is None:
            ends = _ends(ip) if direction.client else _ends(ip)[::-1]
            connection = connections[direction.stream] = _Connection(*ends)
        ts = round(seconds * 1_000_000)
        for offset, body in direction.frames():
            if direction.client:
                _request(connection, offset, body, ts)
            else:
                yield from _reply(connection, direction.stream, offset, body, ts)


def _ends(ip: dpkt.ip.IP) -> tuple[str, str]:
    source, destination = socket.inet_ntoa(ip.src), socket.inet_ntoa(ip.dst)
    return f"{source}:{ip.data.sport}", f"{destination}:{ip.data.dport}"


def _delimited(body: bytes, at: int) -> tuple[bytes, int]:
    size, at = _DecodeVarint32(body, at)
    return body[at : at + size], at + size


def _request(connection: _Connection, offset: int, body: bytes, ts: int) -> None:
    content, at = _delimited(body, 0)
    header = _REQUEST.FromString(content)
    number = header.call_id
    if number < 0:
        if number == _CONNECTION_CONTEXT:
            context = _CLASS["ConnectionContext"].FromString(_delimited(body, at)[0])
            connection.user = context.user_info.effective_user
        return
    content, at = _delimited(body, at)
    called = _CALLED.FromString(content)
    method, target = called.method, None
    interface = called.protocol.rpartition(".")[2]
    if method not in _NO_PATH and interface == "ClientProtocol":
        about = _PATHS.get(method, _CLASS["About1"]).FromString(_delimited(body, at)[0])
        target = about.path if about.HasField("path") else None
    attributes = None
    if header.HasField("context"):
        attributes = orjson.dumps({"caller_context": header.context.context}).decode()
    name = f"{interface}.{method}"
    connection.open[number] = (name, target, offset, len(body) + 4, ts, header.retry, attributes)


def _reply(
    connection: _Connection, stream: int, offset: int, body: bytes, ts: int
) -> Iterator[Call]:
    header = _RESPONSE.FromString(_delimited(body, 0)[0])
    if header.status == _FATAL:  # no further calls will be answered
        ended = connection.open
        connection.open = {}
    elif header.call_id in connection.open:
        ended = {header.call_id: connection.open.pop(header.call_id)}
    else:
        return
    for number, waiting in ended.items():
        yield _call(connection, stream, number, waiting, header, (offset, len(body) + 4, ts))


def _call(
    connection: _Connection,
    stream: int,
    number: int,
    waiting: tuple[Any, ...],
    header: Any,
    reply: tuple[int, int, int],
) -> Call:
    offset, length, ts = reply
    name, target, request_offset, request_bytes, start, retry, attributes = waiting
    return Call(
        protocol="hadoop",
        stream=stream,
        client=connection.client,
        server=connection.server,
        id=str(number),
        user=connection.user,
        name=name,
        target=target,
        request_offset=request_offset,
        reply_offset=offset,
        request_bytes=request_bytes,
        reply_bytes=length,
        start=start,
        latency_us=ts - start,
        status=_STATUS[header.status],
        error_class=header.error_class if header.HasField("error_class") else None,
        retry=retry,
        attributes=attributes,
    )
