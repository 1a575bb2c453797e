"""Events that wait to be stored: where they are kept, and what is sent of them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

from jvmwire._core import PravegaEventCutter, PravegaEvents
from jvmwire.errors import DecodeError
from jvmwire.pravega.session import TODAY

WRITER = UUID(int=7)
LARGE = 1 << 20


def test_a_list_may_hold_what_can_be_written_to_and_is_sent_as_it_was() -> None:
    changing = bytearray(b"two")
    events = PravegaEvents()
    given: list[Any] = [b"one", changing, memoryview(b"three")]
    assert events.push_all(given) == 3
    changing[:] = b"2.."
    assert events.to_list() == [b"one", b"two", b"three"]


def test_a_list_that_changes_later_changes_no_event() -> None:
    given = [bytes([number]) * 50 for number in range(3)]
    wanted = list(given)
    events = PravegaEvents()
    events.push_all(given)
    given.clear()
    assert events.to_list() == wanted


def test_events_of_all_kinds_go_out_alike_and_in_order() -> None:
    lone, listed, mixed, column = kinds = [PravegaEvents() for _ in range(4)]
    wanted = [b"a", b"", b"c" * 300, b"d"]
    for event in wanted:
        lone.push(event)
    listed.push_all(wanted[:2])
    listed.push_all(wanted[2:])
    mixed.push_all(wanted)  # small ones are copied, if all are
    column.push_all(pa.array(wanted, pa.binary()))
    sent = [events.next_blocks(WRITER, 0, 9, 100, LARGE) for events in kinds]
    assert all(blocks == sent[0] for blocks in sent)
    for events in kinds:
        events.release(1)
        events.rewind()
        assert events.to_list() == wanted[1:]


def test_a_list_of_something_else_is_refused() -> None:
    events = PravegaEvents()
    with pytest.raises(TypeError):
        events.push_all([b"one", "two"])  # type: ignore[list-item]
    assert len(events) == 0


@pytest.mark.parametrize("size", [8, 11, 1000])
def test_where_no_event_begins_is_told_by_the_offset_in_the_segment(size: int) -> None:
    event, other = TODAY.encode("Event", {"data": b"one"}), TODAY.encode("KeepAlive", {})
    cutter, wire = PravegaEventCutter(100), event + event + other
    with pytest.raises(DecodeError, match="frame type") as refused:
        [cutter.feed(wire[at : at + size]) for at in range(0, len(wire), size)]
    assert refused.value.offset == 100 + 2 * len(event)
