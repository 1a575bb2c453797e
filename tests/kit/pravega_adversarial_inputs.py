"""Input that a client must not send to a segment store, by the rule that it breaks."""

from uuid import UUID

from jvmwire.pravega._session import CURRENT_DIALECT

WRITER = UUID(int=7)
STRANGER = UUID(int=8)
SETUP_ID = 70
"""Request id of the setup of `WRITER`."""
HELLO = CURRENT_DIALECT.encode("Hello", {"high_version": 16, "low_version": 5})
SETUP = CURRENT_DIALECT.encode(
    "SetupAppend",
    {"request_id": SETUP_ID, "writer_id": WRITER, "segment": "s", "delegation_token": "t"},
)
INFO = CURRENT_DIALECT.encode(
    "GetStreamSegmentInfo", {"request_id": 9, "segment_name": "s", "delegation_token": ""}
)


def end_of(number: int, count: int = 1, writer_id: UUID = WRITER, data: bytes = b"") -> bytes:
    """Return an append of `count` events, of which the last has this number."""
    fields = {"writer_id": writer_id, "size_of_whole_events": len(data), "data": data}
    more = {"num_events": count, "last_event_number": number, "request_id": SETUP_ID}
    return CURRENT_DIALECT.encode("AppendBlockEnd", fields | more)


def block(writer_id: UUID = WRITER) -> bytes:
    """Return the beginning of an append."""
    return CURRENT_DIALECT.encode("AppendBlock", {"writer_id": writer_id, "data": b""})


def conditional(number: int, offset: int) -> bytes:
    """Return an append of one event, if the segment ends there."""
    fields = {"writer_id": WRITER, "event_number": number, "expected_offset": offset}
    return CURRENT_DIALECT.encode(
        "ConditionalAppend", fields | {"event": b"if", "request_id": SETUP_ID}
    )


def hello(high: int, low: int) -> bytes:
    """Return the greeting of a peer that supports these versions."""
    return CURRENT_DIALECT.encode("Hello", {"high_version": high, "low_version": low})


OPENINGS = {
    "a command before the hello": (INFO, "GetStreamSegmentInfo from the client while OPENING"),
    "an append before the hello": (end_of(5), "AppendBlockEnd from the client while OPENING"),
    "a Hello of newer versions": (hello(99, 90), "the versions 90 to 99"),
    "a Hello of older versions": (hello(4, 1), "the versions 1 to 4"),
}
"""Bytes in place of a valid Hello, and the error that they cause."""

BROKEN = {
    "a length too small": (SETUP[:7] + b"\x0b" + SETUP[8:19], "bytes are missing"),
    "an unknown type": (b"\0\0\x7f\0\0\0\0\0", "unknown type 32512 from the client"),
    "an event outside of a block": (
        CURRENT_DIALECT.encode("Event", {"data": b"x"}),
        "Event from the client",
    ),
    "padding outside of a block": (
        CURRENT_DIALECT.encode("Padding", {"length": 3}),
        "Padding from the client",
    ),
    "a second hello": (HELLO, "Hello from the client while OPEN"),
    "a reply to nothing": (
        CURRENT_DIALECT.encode("SegmentSealed", {"request_id": 9, "segment": "s"}),
        "SegmentSealed from the client",
    ),
    "an append without set-up": (end_of(5, writer_id=STRANGER), "before its SetupAppend"),
    "a block without set-up": (block(STRANGER), "before its SetupAppend"),
    "a block in a block": (block() + block(), "the end of the append block that is open"),
    "no events": (end_of(5, count=0), "a number of events"),
    "an event number again": (end_of(5) + end_of(5), "event 5 of a writer whose last was 5"),
    "a conditional append in a block": (block() + conditional(5, 0), "within an append block"),
    "a request id again": (INFO + INFO, "9, which is not answered yet"),
    "a frame over the limit": (b"\0\0\0\x0b\1\0\0\0", "frame length"),
    "a frame with too few fields": (b"\0\0\0\x0b\0\0\0\1x", "bytes are missing"),
}
"""Bytes after a setup that was answered, and the error that they cause."""
