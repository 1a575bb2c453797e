"""Events that wait to be stored: how they are kept, and the bytes sent for them."""

from __future__ import annotations

import ctypes
import gc
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa
import pytest

from jvmwire._core import PravegaAppendAssembler, PravegaEvents, PravegaEventSplitter
from jvmwire.errors import DecodeError
from jvmwire.pravega._session import CURRENT_DIALECT

if TYPE_CHECKING:
    from collections.abc import Callable

WRITER = UUID(int=7)
LARGE = 1 << 20


def test_a_list_may_hold_what_can_be_written_to_and_is_sent_as_it_was() -> None:
    changing = bytearray(b"two")
    events = PravegaEvents(100, LARGE)
    given: list[Any] = [b"one", changing, memoryview(b"three")]
    assert events.push_all(given) == 3
    changing[:] = b"2.."
    assert events.to_list() == [b"one", b"two", b"three"]


def test_a_list_that_changes_later_changes_no_event() -> None:
    given = [bytes([number]) * 50 for number in range(3)]
    wanted = list(given)
    events = PravegaEvents(100, LARGE)
    events.push_all(given)
    given.clear()
    assert events.to_list() == wanted


@pytest.mark.parametrize("size", [100, 300])
def test_a_list_that_the_collector_would_empty_is_taken_whole(size: int) -> None:
    class Emptying:
        def __del__(self) -> None:
            given.clear()

    events = PravegaEvents(LARGE, LARGE)
    given = [b"x" * size] * 50_000
    wanted = list(given)
    left = Emptying()
    left.itself = left  # type: ignore[attr-defined]
    before = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        del left
        taken = events.push_all(given)
    finally:
        gc.set_threshold(*before)
    assert taken == len(wanted)
    assert events.to_list() == wanted


def test_events_of_all_kinds_go_out_alike_and_in_order() -> None:
    lone, listed, mixed, column = kinds = [PravegaEvents(100, LARGE) for _ in range(4)]
    wanted = [b"a", b"", b"c" * 300, b"d"]
    for event in wanted:
        lone.push(event)
    listed.push_all(wanted[:2])
    listed.push_all(wanted[2:])
    mixed.push_all(wanted)  # small ones are copied, if all are
    column.push_all(pa.array(wanted, pa.binary()))
    sent = [events.next_blocks(WRITER, 0, 9) for events in kinds]
    assert all(blocks == sent[0] for blocks in sent)
    for events in kinds:
        events.release(1)
        events.rewind()
        assert events.to_list() == wanted[1:]


def test_blocks_that_are_ready_are_those_of_a_column() -> None:
    given = [bytes([number]) * (number % 60) for number in range(250)]
    listed, column = PravegaEvents(500, 2000), PravegaEvents(500, 2000)
    listed.push_all(given)
    column.push_all(pa.array(given, pa.binary()))
    assert all_sent(listed, 5) == all_sent(column, 5)
    listed.release(77)  # in the middle of a block
    listed.rewind()
    assert listed.to_list() == given[77:]
    column.release(77)
    column.rewind()
    assert events_of(all_sent(listed, 82)) == events_of(all_sent(column, 82)) == given[77:]
    assert listed.size == column.size
    listed.release(len(given))
    assert (len(listed), listed.size, listed.unsent) == (0, 0, 0)


def test_events_are_due_if_nothing_is_on_its_way_or_if_they_fill_a_block_and_not_too_much_is() -> (
    None
):
    events = PravegaEvents(100, 200)
    assert not events.is_due(LARGE)
    events.push(bytes(42))
    assert events.is_due(0)
    events.next_blocks(WRITER, 0, 9)
    events.push(bytes(42))
    assert not events.is_due(LARGE)
    events.push(bytes(42))
    assert events.is_due(51)
    assert not events.is_due(50)
    events.acknowledge(1)
    assert events.is_due(0)


def test_what_was_sent_does_not_change_when_it_is_sent_behind_another_number() -> None:
    events = PravegaEvents(500, 2000)
    events.push_all([b"event"] * 1000)
    first, _ = events.next_blocks(WRITER, 0, 9)
    events.rewind()
    again, _ = events.next_blocks(WRITER, 0, 9)
    events.rewind()
    kept = bytes(first)
    other, _ = events.next_blocks(WRITER, 1 << 40, 9)
    assert bytes(first) == bytes(again) == kept != bytes(other)
    assert events_of(other) == events_of(first)


def test_blocks_are_made_where_nobody_has_those_before() -> None:
    events = PravegaEvents(LARGE, LARGE)
    held = large_blocks(events, b"first")
    kept = bytes(held)
    others = [large_blocks(events, b"other") for _ in range(10)]
    assert len({id(one) for one in [held, *others]}) == 11
    del others
    large_blocks(events, b"third")
    assert bytes(held) == kept


@pytest.mark.parametrize("size", [500, LARGE])
@pytest.mark.parametrize("given", [list, lambda events: pa.array(events, pa.binary())])
def test_blocks_can_only_be_read(given: Callable[[list[bytes]], Any], size: int) -> None:
    events = PravegaEvents(size, size)
    events.push_all(given([b"event"] * 100_000))
    blocks, _ = events.next_blocks(WRITER, 0, 9)
    view = memoryview(blocks)
    assert view.readonly
    assert memoryview(view.obj).readonly
    with pytest.raises(TypeError, match="not writable"):
        ctypes.c_char.from_buffer(view.obj)


def test_large_blocks_keep_their_bytes_when_they_are_sent_again() -> None:
    events = PravegaEvents(LARGE // 4, LARGE)
    events.push_all([b"event"] * 100_000)
    first, _ = events.next_blocks(WRITER, 0, 9)
    kept = bytes(first)
    assert len(kept) > LARGE // 4
    events.rewind()
    other, _ = events.next_blocks(WRITER, 1 << 40, 9)
    assert bytes(first) == kept != bytes(other)
    del first
    events.rewind()
    again, _ = events.next_blocks(WRITER, 0, 9)
    assert bytes(again) == kept


def large_blocks(events: PravegaEvents, event: bytes) -> bytes | memoryview:
    """Have many events encoded into blocks."""
    events.push_all(pa.array([event] * 20_000, pa.binary()))
    blocks, count = events.next_blocks(WRITER, 0, 9)
    events.release(count)
    return blocks


def test_a_list_whose_last_event_is_large_is_sent_like_any_other() -> None:
    given = [b"small"] * 1000 + [b"large" * 100]
    events = PravegaEvents(500, 2000)
    assert events.push_all(given) == len(given)
    assert events_of(all_sent(events, 0)) == events.to_list() == given


def all_sent(events: PravegaEvents, last: int) -> bytes:
    """Take all unsent bytes, as one."""
    sent = b""
    while events.unsent:
        blocks, count = events.next_blocks(WRITER, last, 9)
        sent += blocks
        last += count
    return sent


def events_of(blocks: bytes | bytearray | memoryview) -> list[bytes]:
    """Find the events in appends."""
    decoder, assembler = CURRENT_DIALECT.decoder(limit=LARGE), PravegaAppendAssembler()
    decoder.feed(bytes(blocks))
    cutter, events = PravegaEventSplitter(), []
    while (command := decoder.next_command()) is not None:
        _, _, fields = command
        whole, data, count = (
            fields[name] for name in ("size_of_whole_events", "data", "num_events")
        )
        events += cutter.feed_list(assembler.end(WRITER, whole, data, count))
    return events


def test_a_list_of_something_else_is_refused() -> None:
    events = PravegaEvents(100, LARGE)
    with pytest.raises(TypeError):
        events.push_all([b"one", "two"])  # type: ignore[list-item]
    assert len(events) == 0


def test_events_before_one_over_the_limit_are_given_and_then_it_is_told() -> None:
    small, large = (CURRENT_DIALECT.encode("Event", {"data": bytes(size)}) for size in (100, 101))
    cutter = PravegaEventSplitter(7, limit=100)
    assert cutter.feed_list(small + small + large) == [bytes(100)] * 2
    assert cutter.offset == 7 + 2 * len(small)
    with pytest.raises(DecodeError, match="101 is over the limit of 100") as refused:
        cutter.check()
    assert refused.value.value == 101


def test_event_of_any_size_up_to_the_limit_is_given_whole() -> None:
    large = bytes(range(256)) * (80 << 10)
    wire = len(large).to_bytes(8) + large + (3).to_bytes(8) + b"end"
    cutter, events = PravegaEventSplitter(), []
    for at in range(0, len(wire), 1 << 20):
        events += cutter.feed_list(wire[at : at + (1 << 20)])
        cutter.check()
    assert events == [large, b"end"]


@pytest.mark.parametrize("size", [8, 11, 1000])
def test_where_no_event_begins_is_told_by_the_offset_in_the_segment(size: int) -> None:
    event, other = (
        CURRENT_DIALECT.encode("Event", {"data": b"one"}),
        CURRENT_DIALECT.encode("KeepAlive", {}),
    )
    cutter, wire = PravegaEventSplitter(100), event + event + other

    def cut() -> None:
        for at in range(0, len(wire), size):
            cutter.feed(wire[at : at + size])
            cutter.check()

    with pytest.raises(DecodeError, match="frame type") as refused:
        cut()
    assert refused.value.offset == 100 + 2 * len(event)
