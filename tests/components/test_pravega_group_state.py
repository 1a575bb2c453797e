"""The state of a reader group: encoding and updates; `tests/interop` has Java's readers."""

from uuid import UUID

import pytest

from jvmwire.errors import DecodeError
from jvmwire.pravega.streams import Position
from jvmwire.pravega.streams._group_state import (
    AcquireSegment,
    AddReader,
    Begin,
    CheckpointReader,
    ClearCheckpointsBefore,
    Compacted,
    CreateCheckpoint,
    GroupConfig,
    ReleaseSegment,
    RemoveOutstandingCheckpoints,
    RemoveReader,
    SegmentCompleted,
    UpdateCheckpointPublished,
    UpdateDistanceToTail,
    UpdatingConfig,
    decode_state,
    decode_update,
)
from jvmwire.pravega.streams._versioned import (
    COMPACT_INT,
    COMPACT_LONG,
    SIGNED_COMPACT_LONG,
    Source,
)

A, B, C = (f"s/t/{number}.#epoch.{number // 2}" for number in range(3))
CONFIG = GroupConfig(
    30_000,
    3_000,
    {"s/t": {}, "s/u": {1: -1, 1 << 32 | 2: 7}},
    {"s/t": {0: 9}},
    3,
    2,
    5,
    UUID(int=9),
)
UPDATES = [
    AddReader("r\0ä"),
    AddReader("other"),
    AcquireSegment("r\0ä", A),
    AcquireSegment("other", B),
    UpdateDistanceToTail("r\0ä", 5, {(A, (0.0, 0.5)): 7, (B, None): 8}),
    CreateCheckpoint("one"),
    CheckpointReader("one", "r\0ä", {A: 7}),
    CheckpointReader("one", "other", {B: 8}),
    UpdateCheckpointPublished(is_published=True),
    SegmentCompleted("r\0ä", A, {C: [0, 1]}, {A: (0.0, 0.5), C: (0.0, 1.0)}),
    CreateCheckpoint("two"),
    ClearCheckpointsBefore("two"),
    RemoveOutstandingCheckpoints(),
    SegmentCompleted("other", B, {C: [0, 1]}, {C: (0.0, 1.0)}),
    AcquireSegment("other", C),
    ReleaseSegment("other", C, 44),
    UpdatingConfig(is_updating=True),
    RemoveReader("other", {}),
]


def state_after(count):
    state = Begin.of(CONFIG, {A: 1, B: 2}).state()
    for update in UPDATES[:count]:
        state = decode_update(update.encode()).apply(state)
    return state


@pytest.mark.parametrize(
    ("layout", "value", "written"),
    [
        (COMPACT_INT, 0x7F, "7f"),
        (COMPACT_INT, 0x80, "8080"),
        (COMPACT_INT, 0x3FFF, "bfff"),
        (COMPACT_INT, 0x4000, "c0004000"),
        (COMPACT_LONG, 0x3F, "3f"),
        (COMPACT_LONG, 0x40, "4040"),
        (COMPACT_LONG, 0x4000, "80004000"),
        (COMPACT_LONG, 0x40000000, "c000000040000000"),
        (SIGNED_COMPACT_LONG, 0x1F, "1f"),
        (SIGNED_COMPACT_LONG, -1, "80"),
        (SIGNED_COMPACT_LONG, -0x20, "9f"),
        (SIGNED_COMPACT_LONG, -0x21, "a020"),
        (SIGNED_COMPACT_LONG, 0x2000, "40002000"),
        (SIGNED_COMPACT_LONG, 0x20000000, "6000000020000000"),
    ],
)
def test_compact_numbers_are_those_of_java(layout, value, written):
    out = bytearray()
    layout.write(out, value)
    assert out.hex() == written
    assert layout.read(Source(bytes(out))) == value


@pytest.mark.parametrize("update", UPDATES, ids=lambda update: type(update).__name__)
def test_update_is_read_as_it_was_written(update):
    assert decode_update(update.encode()) == update


@pytest.mark.parametrize("count", range(len(UPDATES) + 1))
def test_state_after_each_update_is_read_as_it_was_written(count):
    state = state_after(count)
    assert decode_state(Compacted.of(state).encode()) == state


def test_checkpoint_moves_where_others_go_on_and_a_distance_does_not():
    assert state_after(5).assigned["r\0ä"] == {A: 1}
    assert state_after(7).assigned["r\0ä"] == {A: 7}
    assert state_after(8).checkpoints.last == {A: 7, B: 8}
    assert not state_after(8).checkpoints.is_published


def test_successor_waits_for_all_segments_before_it():
    assert state_after(10).future == {C: {1}}
    assert state_after(14).unassigned == {C: 0}
    assert state_after(16).unassigned == {C: 44}


def test_segments_of_a_reader_that_is_gone_are_where_it_was_or_at_its_checkpoint():
    state = state_after(8)
    RemoveReader("r\0ä", {A: 100, C: 5}).apply(state)
    assert state.unassigned == {A: 100}
    RemoveReader("other", {}).apply(state)
    assert state.unassigned == {A: 100, B: 8}
    assert not state.assigned


@pytest.mark.parametrize(
    "update",
    [
        AddReader("other"),
        AcquireSegment("other", A),
        ReleaseSegment("other", C, 1),
        SegmentCompleted("other", C, {}),
        AcquireSegment("nobody", A),
    ],
    ids=lambda update: type(update).__name__,
)
def test_update_that_does_not_fit_the_state_is_told(update):
    with pytest.raises(DecodeError):
        update.apply(state_after(4))


def test_update_cut_anywhere_is_told():
    data = Compacted.of(state_after(8)).encode()
    for length in range(len(data)):
        with pytest.raises(DecodeError):
            decode_state(data[:length])


def test_revisions_of_a_later_pravega_are_skipped():
    data = bytearray(AddReader("r").encode())
    data[3] = 2
    later = bytes(data) + bytes([1, 0, 0, 0, 3]) + b"abc"
    assert decode_update(later) == AddReader("r")


@pytest.mark.parametrize(
    "data", [b"\1\2\0\0", b"\0\77\0\0", b"\0\2\1\0", b"\0\2\0\1\1\0\0\0\0", AddReader("r").encode()]
)
def test_state_that_is_none_is_told(data):
    with pytest.raises(DecodeError):
        decode_state(data)


def test_count_beyond_the_data_is_told_before_anything_is_made():
    update = bytearray(RemoveReader("r", {}).encode())
    update[-1:] = b"\xff\xff\xff\xff"
    update[8] += 3
    with pytest.raises(DecodeError, match="1073741823 elements expected"):
        decode_update(bytes(update))


def test_position_is_read_as_it_was_written():
    position = Position({A: 5, B: -1}, {A: (0.0, 0.5), B: None})
    assert Position.from_bytes(position.to_bytes()) == position
    with pytest.raises(DecodeError):
        Position.from_bytes(position.to_bytes()[:-1])
