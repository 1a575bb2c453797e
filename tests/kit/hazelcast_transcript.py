"""Conversation of a client and a member of Hazelcast, for the session to repeat."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from jvmwire._core import HazelcastDecoder, HazelcastMessage
from jvmwire._runtime.session import Event, Replies
from jvmwire.hazelcast._commands import Request, Requests
from jvmwire.hazelcast._session import AUTHENTICATION_ID, PREAMBLE, HazelcastClientSession
from kit.transcript import Conversation, Hears, Sends, Step, Writes

EVENT = 0x01
MEMBER_UUID = "0b1c5a2e-9f35-4b8e-8f4a-6d1c2b3a4f50"
CLIENT_UUID = "5f7d9c2b-1a34-4e8b-9a4f-3c2d1e0f6a7b"

named = HazelcastMessage.named
AUTHENTICATION = Request(
    named("Client.authentication"),
    ("dev", "dev-pass", None, None, True, "PYH", 1, "3.12", "laws", [], None, None),
)
PUT, GET, PUT_ALL = named("Map.put"), named("Map.get"), named("Map.putAll")
LISTEN = named("Map.addEntryListener")
ADDRESS = {"host": "127.0.0.1", "port": 5701}
# Data: partition hash, type id, then the payload of the type: `a` and 7 as Java writes them.
KEY = b"\0\0\0\0\xff\xff\xff\xf5\0\0\0\1a"
VALUE = b"\0\0\0\0\xff\xff\xff\xf9\0\0\0\7"


def new_session(**options: Any) -> HazelcastClientSession:
    """Return a session with the same initial state as every other one here."""
    return HazelcastClientSession(AUTHENTICATION, **options)


def response(name: str, call_id: int, *fields: Any, limit: int = 1 << 20, flags: int = 0) -> bytes:
    """Encode a member's response, in frames of up to `limit` bytes."""
    return named(f"Response.{name}").encode(call_id, -1, fields, limit=limit, flags=flags)


def event(name: str, call_id: int, *fields: Any, limit: int = 1 << 20) -> bytes:
    """Encode an event for a listener."""
    return named(f"Event.{name}").encode(call_id, -1, fields, limit=limit, flags=EVENT)


def let_in(version: str = "3.12.13", status: int = 0) -> bytes:
    """Encode the response of a member that accepts a client."""
    told: tuple[Any, ...] = (
        status,
        ADDRESS,
        CLIENT_UUID,
        MEMBER_UUID,
        1,
        version,
        [],
        271,
        "cluster",
    )
    return response("Authentication", AUTHENTICATION_ID, *told)


def refusal(call_id: int, code: int, java_class: str, message: str | None = "no") -> bytes:
    """Encode a Java exception."""
    stack = [
        {"declaring_class": "a.B", "method_name": "c", "file_name": "B.java", "line_number": 7},
        {"declaring_class": "a.B", "method_name": "d", "file_name": None, "line_number": -2},
    ]
    return response("Exception", call_id, code, java_class, message, stack, 0, None)


def interleaved(*messages: bytes) -> bytes:
    """Return the frames of several messages, interleaved one by one."""
    frames = [list(_frames(message)) for message in messages]
    longest = max(len(pieces) for pieces in frames)
    return b"".join(pieces[at] for at in range(longest) for pieces in frames if at < len(pieces))


def _frames(data: bytes) -> Iterator[bytes]:
    while data:
        length = int.from_bytes(data[:4], "little")
        yield data[:length]
        data = data[length:]


def requests(data: bytes) -> list[tuple[int, bool, Any]]:
    """Return type, id and fields of the requests in `data`."""
    decoder = HazelcastDecoder(limit=1 << 30)
    decoder.feed(data)
    told = decoder.next_messages()
    assert decoder.buffered == 0
    return [(kind, bool(event), fields) for kind, _, event, fields in told]


def _meaning(command: Any) -> list[tuple[int, bool, Any]]:
    rows = command.rows if isinstance(command, Requests) else [command.fields]
    return [(command.message.id, False, row) for row in rows]


def _each(said: Event) -> Iterator[Any]:
    if isinstance(said, Replies):
        yield from ["answered", said.call_id] * said.count
    else:
        yield said


def _steps() -> Iterator[Step]:
    """Yield calls, a batch, interleaved fragments, events, a refusal."""
    yield Writes(
        PREAMBLE + AUTHENTICATION.message.encode(AUTHENTICATION_ID, -1, AUTHENTICATION.fields)
    )
    yield Hears(let_in())
    put, get = ("m", KEY, VALUE, 1, -1), ("m", KEY, 1)
    yield Sends(Request(LISTEN, ("m", True, 1, False)), -1)
    yield Sends(Request(PUT, put, 5), 1)
    yield Sends(Request(GET, get, 5), 2)
    yield Sends(Requests(GET, [get, get, get], [5, 6, 7]), 10)
    yield Writes(
        LISTEN.encode(-1, -1, ("m", True, 1, False))
        + PUT.encode(1, 5, put)
        + GET.encode(2, 5, get)
        + GET.encode_all(10, [5, 6, 7], [get, get, get])
    )
    told = event("Entry", -1, KEY, VALUE, None, None, 1, MEMBER_UUID, 1)
    yield Hears(
        response("String", -1, "registered")
        + told
        + response("Data", 2, VALUE)
        + response("Data", 11, VALUE)
        + interleaved(
            response("Data", 1, None, limit=23),
            response("Data", 12, KEY * 3, limit=30),
            event("Entry", -1, KEY, VALUE, VALUE, None, 4, MEMBER_UUID, 1, limit=40),
        )
        + refusal(10, 40, "com.hazelcast.core.OperationTimeoutException")
    )
    yield Sends(Request(PUT, put, 5), 20)
    yield Writes(PUT.encode(20, 5, put))
    yield Hears(refusal(20, 59, "com.hazelcast.core.TopologyChangedException", None))


_DATA = st.binary(max_size=40)
_NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_LONGS = st.integers(-(1 << 63), (1 << 63) - 1)
_GETS = st.tuples(_NAMES, _DATA, _LONGS)

HAZELCAST_CLIENT = Conversation(
    "hazelcast",
    new_session,
    list(_steps()),
    commands=st.builds(lambda *row: Request(PUT, row), _NAMES, _DATA, _DATA, _LONGS, _LONGS)
    | st.builds(lambda row: Request(GET, row, 7), _GETS)
    | st.builds(
        lambda name, pairs: Request(PUT_ALL, (name, pairs)),
        _NAMES,
        st.lists(st.tuples(_DATA, _DATA), max_size=5),
    )
    | st.lists(_GETS, min_size=1, max_size=5).map(
        lambda rows: Requests(GET, rows, [1] * len(rows))
    ),
    decode=requests,
    meaning=_meaning,
    each=_each,
)
