"""Application of events to a query cache, and of the loss of events."""

from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast.query_cache._records import Change, QueryCacheStore
from jvmwire.hazelcast.query_cache._sequences import END, EventAction, Sequences

ADDED, UPDATED, REMOVED = EntryEventType.ADDED, EntryEventType.UPDATED, EntryEventType.REMOVED


def records(max_entries: int = 100, *, include_value: bool = True) -> QueryCacheStore:
    return QueryCacheStore(max_entries, lambda key: key[0], include_value=include_value)


def test_each_partition_is_counted_by_itself_from_1():
    sequences = Sequences()
    told = [(1, 1), (2, 1), (1, 2), (1, 3), (2, 2)]
    assert {sequences.classify(*event) for event in told} == {EventAction.APPLY}


def test_what_is_lost_is_asked_for_once_and_awaited():
    sequences = Sequences()
    assert sequences.classify(7, 1) is EventAction.APPLY
    assert sequences.classify(7, 3) is EventAction.RECOVER
    assert sequences.awaits(7, 2)
    assert sequences.classify(7, 4) is EventAction.IGNORE
    assert sequences.classify(8, 1) is EventAction.APPLY
    assert [sequences.classify(7, number) for number in (2, 3, 4)] == [EventAction.APPLY] * 3
    assert not sequences.awaits(7, 5)


def test_a_partition_that_is_counted_anew_is_read_again_unless_its_end_was_told():
    sequences = Sequences()
    assert [sequences.classify(7, number) for number in (1, 2, END, 1)] == [
        *(EventAction.APPLY, EventAction.APPLY),
        *(EventAction.IGNORE, EventAction.APPLY),
    ]
    assert sequences.classify(7, 1) is EventAction.READ_AGAIN


def test_after_all_was_read_any_event_may_be_the_next():
    sequences = Sequences()
    sequences.classify(7, 5)
    sequences.forget()
    assert [sequences.classify(7, number) for number in (9, 10)] == [EventAction.APPLY] * 2
    assert sequences.classify(7, 12) is EventAction.RECOVER


def test_events_change_entries_and_say_what_was_before():
    kept = records()
    assert kept.apply(ADDED, 1, b"\1a", b"x") == [Change(ADDED, b"\1a", b"x")]
    assert kept.apply(UPDATED, 1, b"\1a", b"y") == [Change(UPDATED, b"\1a", b"y", b"x")]
    assert kept.apply(REMOVED, 1, b"\1b", None) == []
    assert kept.apply(REMOVED, 1, b"\1a", None) == [Change(REMOVED, b"\1a", old_value=b"y")]
    assert len(kept) == 0


def test_a_partition_that_was_cleared_is_empty():
    kept = records()
    for key in (b"\1a", b"\1b", b"\2a"):
        kept.apply(ADDED, key[0], key, b"x")
    cleared = kept.apply(EntryEventType.CLEAR_ALL, 1, None, None)
    assert cleared == [Change(EntryEventType.CLEAR_ALL, count=2)]
    assert list(kept.entries) == [b"\2a"]


def test_what_was_not_read_for_longest_goes_where_there_is_no_room():
    kept = records(2)
    kept.apply(ADDED, 1, b"\1a", b"x")
    kept.apply(ADDED, 1, b"\1b", b"y")
    assert kept.read(b"\1a") == b"x"
    told = kept.apply(ADDED, 1, b"\1c", b"z")
    assert told[1] == Change(EntryEventType.EVICTED, b"\1b", old_value=b"y")
    assert list(kept.entries) == [b"\1a", b"\1c"]


def test_of_what_is_read_again_the_differences_are_told():
    kept = records()
    kept.replace([(b"\1a", b"x"), (b"\1b", b"y"), (b"\1c", b"z")])
    told = kept.replace([(b"\1b", b"y"), (b"\1c", b"zz"), (b"\1d", b"w")])
    assert told == [
        Change(UPDATED, b"\1c", b"zz", b"z"),
        Change(ADDED, b"\1d", b"w"),
        Change(REMOVED, b"\1a", old_value=b"x"),
    ]


def test_values_that_are_not_wanted_are_not_kept():
    kept = records(include_value=False)
    kept.apply(ADDED, 1, b"\1a", b"x")
    assert dict(kept.entries) == {b"\1a": None}
    assert b"\1a" in kept
