"""Recorded conversation of a Java client and its NameNode, for the session to repeat."""

import functools
import itertools
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from jvmwire._core import decode_message
from jvmwire._runtime.session import Event, Replies
from jvmwire.hadoop._commands import (
    CLIENT_PROTOCOL,
    GetFileInfo,
    GetFileInfos,
    GetListings,
    Invocation,
    find_method,
)
from jvmwire.hadoop._session import HadoopClientSession
from kit import wire
from kit.captures import NAMENODE, decoded
from kit.directions import Directions, directions
from kit.rows import Row, parsed
from kit.transcript import Conversation, Hears, Sends, Step, Writes

# The calls of bob, who looks at paths and lists directories, and is denied access to other users'
# files.
STREAM = 1
CALLER_CONTEXT = "dashboard"


def invocation(method: str, **fields: Any) -> Invocation:
    """Return a call whose result is returned undecoded."""
    return Invocation(find_method(CLIENT_PROTOCOL, method), fields, undecoded=True)


@dataclass(frozen=True)
class Recorded:
    """A call of the recording, as bytes."""

    method: str
    call_id: int
    context: str
    request: bytes
    reply: bytes


@functools.cache
def recorded() -> tuple[bytes, UUID, list[Recorded]]:
    """Return the opening bytes of the connection, the client's id, and the calls, in order."""
    both: Directions = directions(NAMENODE)[STREAM]
    where = f"stream = {STREAM}"
    messages: list[Row] = []
    columns = ["stream", "side", "offset", "length", "name", "id", "fields"]
    for batch in decoded(NAMENODE, "messages", columns=columns, where=where).to_batches():
        messages += batch.to_pylist()
    replies = {row["id"]: row for row in messages if row["name"] == "Reply"}
    calls = []
    client_id = None
    for row in messages:
        if row["name"] != "Call" or row["id"] not in replies:
            continue
        fields = parsed(row["fields"])
        client_id = UUID(fields["client_id"])
        calls.append(
            Recorded(
                fields["method"],
                int(row["id"]),
                fields["caller_context"]["context"],
                _bytes(both.client, row),
                _bytes(both.server, replies[row["id"]]),
            )
        )
    assert client_id is not None
    opening = sum(row["length"] for row in messages if row["name"].startswith("Connection"))
    return both.client[:opening], client_id, calls


def _bytes(direction: bytes, row: Row) -> bytes:
    return direction[row["offset"] : row["offset"] + row["length"]]


def new_session(**options: Any) -> HadoopClientSession:
    """Return a session with the ids and names of the recorded client."""
    _, client_id, _ = recorded()
    known = {"user": "bob", "caller_context": CALLER_CONTEXT}
    return HadoopClientSession(
        protocol=CLIENT_PROTOCOL, client_id=client_id.bytes, **(known | options)
    )


def requests(data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the method and the argument of each call in `data`."""
    while data:
        (length,) = struct.unpack_from(">i", data)
        _header, called, argument = delimited(data[4 : 4 + length])
        method = called[2 : 2 + called[1]].decode()
        name = f"{method[0].upper()}{method[1:]}RequestProto"
        yield method, decode_message(name, argument)
        data = data[4 + length :]


def delimited(body: bytes) -> list[bytes]:
    """Return the messages of a frame, each of which follows its length."""
    messages = []
    while body:
        length, at = _varint(body, 0)
        messages.append(body[at : at + length])
        body = body[at + length :]
    return messages


def fields(message: bytes) -> list[tuple[int, bytes]]:
    """Return the fields of a message, numbers and delimited ones, each with all its bytes."""
    found = []
    while message:
        tag, at = _varint(message, 0)
        value, at = _varint(message, at)
        end = at if tag & 7 == 0 else at + value
        found.append((tag >> 3, message[:end]))
        message = message[end:]
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def meaning(command: Any) -> list[tuple[str, dict[str, Any]]]:
    columns = command.columns()
    return [
        (command.method, {name: values[at] for name, values in columns.items()})
        for at in range(command.expected_replies)
    ]


def _each(event: Event) -> Iterator[Any]:
    if not isinstance(event, Replies):
        yield event
        return
    yield from ["replied", event.call_id] * event.count
    if not event.message.missing:
        yield [event.message.payload(at) for at in range(len(event.message))]


def _steps() -> Iterator[Step]:
    """Yield single calls, a batch of neighbours, a listing and a refusal, in Java's order."""
    opening, _, calls = recorded()
    yield Writes(opening)
    stats = [call for call in calls if call.method == "getFileInfo"]
    first = stats[0]
    yield Sends(_get_file_info(first), first.call_id)
    yield Writes(first.request)
    yield Hears(first.reply)
    listing = next(call for call in calls if call.method == "getListing")
    [(_, fields)] = requests(listing.request)
    yield Sends(invocation("getListing", **fields), listing.call_id)
    pair = next(
        pair for pair in itertools.pairwise(stats) if pair[1].call_id == pair[0].call_id + 1
    )
    yield Sends(GetFileInfos([_get_file_info(call).path for call in pair]), pair[0].call_id)
    yield Writes(listing.request + pair[0].request + pair[1].request)
    # Servers reply in any order.
    yield Hears(pair[1].reply + listing.reply + pair[0].reply)
    refused = next(call for call in calls if call.method == "getBlockLocations")
    [(_, fields)] = requests(refused.request)
    command = invocation("getBlockLocations", **fields)
    yield Sends(command, refused.call_id)
    # Java had another caller context by then.
    yield Writes(_in_our_context(refused, fields))
    yield Hears(refused.reply)


def _in_our_context(call: Recorded, fields: dict[str, Any]) -> bytes:
    _, client_id, _ = recorded()
    context = wire.content(7, wire.content(1, CALLER_CONTEXT))
    header = wire.request_header(call.call_id, client_id=client_id.bytes, more=context)
    called = wire.content(1, call.method) + wire.content(2, CLIENT_PROTOCOL) + wire.number(3, 1)
    argument = wire.content(1, fields["src"]) + wire.number(2, fields["offset"])
    argument += wire.number(3, fields["length"])
    return wire.frame(header, wire.delimited(called), wire.delimited(argument))


def _get_file_info(call: Recorded) -> GetFileInfo:
    [(_, fields)] = requests(call.request)
    return GetFileInfo(fields["src"])


_PATHS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)

NAMENODE_CLIENT = Conversation(
    "hadoop",
    new_session,
    list(_steps()),
    commands=st.builds(GetFileInfo, _PATHS)
    | st.builds(
        GetListings, st.lists(st.tuples(_PATHS, st.binary(max_size=20)), min_size=1, max_size=9)
    )
    | st.builds(GetFileInfos, st.lists(_PATHS, min_size=1, max_size=9)),
    decode=lambda data: list(requests(data)),
    meaning=meaning,
    each=_each,
)
