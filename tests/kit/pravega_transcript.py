"""Conversation of a client and a segment store, for the session to repeat."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from jvmwire._runtime.session import Event, Pushed
from jvmwire.pravega._commands import (
    GetSegmentAttribute,
    GetStreamSegmentInfo,
    PravegaCommand,
    ReadSegment,
    SealSegment,
    SetupAppend,
    TruncateSegment,
    UpdateTableEntries,
)
from jvmwire.pravega._session import CURRENT_DIALECT, PravegaClientSession
from jvmwire.pravega.server import PravegaServerSession, SendReply
from kit.pravega_values import BYTES, KEYS, LONGS, TEXTS
from kit.transcript import Conversation, Hears, Sends, Writes

WRITER = UUID("01234567-89ab-cdef-0123-456789abcdef")
SEGMENT = "scope/stream/0.#epoch.0"


def _reply(name: str, **fields: Any) -> bytes:
    return CURRENT_DIALECT.encode(name, fields)


def _request(name: str, **fields: Any) -> bytes:
    return CURRENT_DIALECT.encode(name, fields | {"delegation_token": ""})


def _decoded(data: bytes) -> tuple[str | None, dict[str, Any]]:
    decoder = CURRENT_DIALECT.decoder()
    decoder.feed(data)
    received = decoder.next_command()
    assert received is not None
    _, name, fields = received
    fields.pop("delegation_token", None)
    fields.pop("request_id", None)
    return name, fields


def _meaning(command: PravegaCommand) -> tuple[str, dict[str, Any]]:
    return command.name, command.fields()


def _each(event: Event) -> Iterator[Any]:
    """Yield the contents of a pushed event in a form that can be compared."""
    if isinstance(event, Pushed) and isinstance(event.message, Exception):
        yield event.key, type(event.message), str(event.message)
    else:
        yield event


_ENTRIES = st.tuples(KEYS, BYTES).map(lambda pair: pair[0] | {"value": pair[1]})
_UUIDS = st.integers(0, (1 << 128) - 1).map(lambda number: UUID(int=number))

SEGMENT_STORE_CLIENT = Conversation(
    "segment store client",
    PravegaClientSession,
    [
        Writes(_reply("Hello", high_version=16, low_version=5)),
        Hears(_reply("Hello", high_version=16, low_version=5)),
        Sends(GetStreamSegmentInfo(SEGMENT), 1),
        Sends(SealSegment("missing"), 2),
        Writes(
            _request("GetStreamSegmentInfo", request_id=1, segment_name=SEGMENT)
            + _request("SealSegment", request_id=2, segment="missing")
        ),
        Hears(
            _reply("KeepAlive")
            + _reply(
                "NoSuchSegment",
                request_id=2,
                segment="missing",
                server_stack_trace="at a",
                offset=-1,
            )
            + _reply(
                "StreamSegmentInfo",
                request_id=1,
                segment_name=SEGMENT,
                exists=True,
                is_sealed=False,
                is_deleted=False,
                last_modified=1_795_276_047_225,
                write_offset=77,
                start_offset=0,
            )
        ),
        Sends(SetupAppend(WRITER, SEGMENT), 70),
        Writes(_request("SetupAppend", request_id=70, writer_id=WRITER, segment=SEGMENT)),
        Hears(
            _reply(
                "AppendSetup",
                request_id=70,
                segment=SEGMENT,
                writer_id=WRITER,
                last_event_number=-(1 << 63),
            )
        ),
        Sends(ReadSegment(SEGMENT, 0, 100), 3),
        Writes(
            _request("ReadSegment", request_id=3, segment=SEGMENT, offset=0, suggested_length=100)
        ),
        Hears(
            _reply(
                "DataAppended",
                writer_id=WRITER,
                event_number=2,
                previous_event_number=-(1 << 63),
                request_id=70,
                current_segment_write_offset=99,
            )
            + _reply(
                "SegmentRead",
                segment=SEGMENT,
                offset=0,
                at_tail=True,
                end_of_segment=False,
                data=b"\0\0\0\0\0\0\0\5hello",
                request_id=3,
            )
            + _reply(
                "InvalidEventNumber",
                writer_id=WRITER,
                request_id=70,
                server_stack_trace="",
                event_number=3,
            )
        ),
    ],
    commands=st.one_of(
        st.builds(GetStreamSegmentInfo, TEXTS),
        st.builds(TruncateSegment, TEXTS, LONGS),
        st.builds(GetSegmentAttribute, TEXTS, _UUIDS),
        st.builds(UpdateTableEntries, TEXTS, st.lists(_ENTRIES, max_size=3), LONGS),
        st.builds(SetupAppend, _UUIDS, TEXTS),
    ),
    decode=_decoded,
    meaning=_meaning,
    each=_each,
)

_SETUP = {"request_id": 70, "writer_id": WRITER, "segment": SEGMENT}
_SET_UP = _SETUP | {"last_event_number": 4}
_STORED = {"writer_id": WRITER, "event_number": 6, "previous_event_number": 4, "request_id": 70}
_TORN = _reply("Event", data=b"torn in two")
_OPEN_REQUEST = 42

SEGMENT_STORE = Conversation(
    "segment store",
    PravegaServerSession,
    [
        Hears(_reply("Hello", high_version=16, low_version=5)),
        Writes(_reply("Hello", high_version=16, low_version=5)),
        Hears(_request("SetupAppend", **_SETUP) + _reply("KeepAlive")),
        Writes(_reply("KeepAlive")),
        Sends(SendReply("AppendSetup", _SET_UP)),
        Writes(_reply("AppendSetup", **_SET_UP)),
        Hears(
            _reply(
                "AppendBlock",
                writer_id=WRITER,
                data=_reply("Event", data=b"whole") + _reply("PartialEvent", data=_TORN[:11]),
            )
            + _reply(
                "AppendBlockEnd",
                writer_id=WRITER,
                size_of_whole_events=13,
                data=_TORN[11:],
                num_events=2,
                last_event_number=6,
                request_id=70,
            )
            + _reply(
                "ConditionalAppend",
                writer_id=WRITER,
                event_number=7,
                expected_offset=32,
                event=b"if",
                request_id=70,
            )
        ),
        Sends(SendReply("DataAppended", _STORED)),
        Writes(_reply("DataAppended", **_STORED)),
        Hears(_request("SealSegment", request_id=_OPEN_REQUEST, segment=SEGMENT)),
    ],
    commands=st.one_of(
        st.builds(
            lambda segment: SendReply(
                "SegmentSealed", {"request_id": _OPEN_REQUEST, "segment": segment}
            ),
            TEXTS,
        ),
        st.builds(
            lambda segment, trace, offset: SendReply(
                "NoSuchSegment",
                {
                    "request_id": _OPEN_REQUEST,
                    "segment": segment,
                    "server_stack_trace": trace,
                    "offset": offset,
                },
            ),
            TEXTS,
            TEXTS,
            LONGS,
        ),
    ),
    decode=_decoded,
    meaning=lambda answer: (
        answer.name,
        {name: value for name, value in answer.fields.items() if name != "request_id"},
    ),
)
