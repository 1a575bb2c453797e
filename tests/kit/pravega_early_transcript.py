"""Conversation of a client and a server of Pravega's first protocol, for the sessions to repeat."""

from dataclasses import fields as fields_of
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from jvmwire._core import PravegaDialect
from jvmwire.pravega.early._messages import (
    AppendBlock,
    AppendSetup,
    DataAppended,
    ReadSegment,
    SegmentRead,
    SetupAppend,
)
from jvmwire.pravega.early._session import EarlyClientSession, EarlyServerSession
from kit.pravega_values import BYTES, KINDS, LONGS, TEXTS
from kit.transcript import Conversation, Hears, Sends, Writes

EARLY = PravegaDialect.early()
ONE, OTHER = UUID(int=1), UUID(int=2)
SEGMENT = "orders"
Said = tuple[str | None, dict[str, Any]]


def message(name: str, **fields: Any) -> bytes:
    """Encode a message by the proposed types."""
    return EARLY.encode(name, fields)


def _decoded(data: bytes) -> list[Said]:
    decoder = EARLY.decoder()
    decoder.feed(data)
    said = []
    while (received := decoder.next_command()) is not None:
        said.append(received[1:])
    return said


def _meaning(command: Any) -> list[Said]:
    if isinstance(command, AppendBlock):
        size = len(command.data)
        place = {
            "connection_id": command.connection_id,
            "connection_offset": command.connection_offset,
        }
        return [
            ("BeginAppendBlock", place | {"length": size}),
            ("Event", {"data": command.data}),
            ("EndAppendBlock", place | {"block_length": size}),
        ]
    fields = {field.name: getattr(command, field.name) for field in fields_of(command)}
    return [(type(command).__name__, fields)]


def block(offset: int, data: bytes) -> bytes:
    """Return a block of one event."""
    place = {"connection_id": ONE, "connection_offset": offset}
    return (
        message("BeginAppendBlock", **place, length=len(data))
        + message("Event", data=data)
        + message("EndAppendBlock", **place, block_length=len(data))
    )


_SET_UP = {"segment": SEGMENT, "connection_id": ONE, "connection_offset_ack_level": 7}
_READ = {"segment": SEGMENT, "at_tail": False, "end_of_segment": False}
_TORN = message("Event", data=b"torn in three")
_PLACE = {"connection_id": ONE, "connection_offset": 7}

EARLY_CLIENT = Conversation(
    "early client",
    EarlyClientSession,
    [
        Sends(SetupAppend(ONE, SEGMENT), 1),
        Writes(message("SetupAppend", connection_id=ONE, segment=SEGMENT)),
        Hears(message("AppendSetup", **_SET_UP) + message("KeepAlive", data=b"any")),
        Sends(AppendBlock(ONE, 7, b"abc"), 2),
        Sends(AppendBlock(ONE, 10, b"d"), 3),
        Sends(ReadSegment(SEGMENT, 0, 6), 4),
        Writes(
            block(7, b"abc")
            + block(10, b"d")
            + message("ReadSegment", segment=SEGMENT, offset=0, suggested_length=6)
        ),
        Hears(
            message("SegmentRead", **_READ, offset=0, data=b"one")
            + message("DataAppended", connection_id=ONE, connection_offset_ack_level=11)
            + message("SegmentRead", **_READ, offset=3, data=b"two")
        ),
    ],
    commands=st.one_of(
        st.builds(AppendBlock, st.just(ONE), st.just(11), BYTES),
        st.builds(SetupAppend, KINDS["uuid"], TEXTS),
        st.builds(ReadSegment, TEXTS, LONGS, KINDS["int32"]),
    ),
    decode=_decoded,
    meaning=_meaning,
)

EARLY_SERVER = Conversation(
    "early server",
    EarlyServerSession,
    [
        Hears(
            message("SetupAppend", connection_id=ONE, segment=SEGMENT)
            + message("KeepAlive", data=b"any")
        ),
        Sends(AppendSetup(SEGMENT, ONE, 7)),
        Writes(message("AppendSetup", **_SET_UP)),
        Hears(
            message("BeginAppendBlock", **_PLACE, length=99)
            + message("Event", data=b"whole ")
            + message("PartialMessage", part="Begin", data=_TORN[:11])
            + message("ReadSegment", segment=SEGMENT, offset=0, suggested_length=6)
            + message("PartialMessage", part="Middle", data=_TORN[11:14])
            + message("EndAppendBlock", **_PLACE, block_length=19)
            + message("PartialMessage", part="End", data=_TORN[14:])
        ),
        Sends(SegmentRead(SEGMENT, 0, at_tail=False, end_of_segment=False, data=b"before")),
        Sends(DataAppended(ONE, 26)),
        Writes(
            message("SegmentRead", **_READ, offset=0, data=b"before")
            + message("DataAppended", connection_id=ONE, connection_offset_ack_level=26)
        ),
        Hears(block(26, b"next")),
    ],
    commands=st.one_of(
        st.builds(AppendSetup, TEXTS, st.just(OTHER), LONGS),
        st.builds(DataAppended, st.just(ONE), LONGS),
        st.builds(SegmentRead, TEXTS, LONGS, st.booleans(), st.booleans(), BYTES),
    ),
    decode=_decoded,
    meaning=_meaning,
)
