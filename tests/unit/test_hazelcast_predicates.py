"""Pages of the results of several members, cut and merged as Java's client does."""

import functools

import pytest

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.predicates import EntryKind, PagingPredicate

ENTRIES = [(number, 99 - number) for number in range(100)]


class Descending:
    """Comparator in descending order; members would have its class."""

    def compare(self, one, other):
        return other[1] - one[1]


def answered(asked, kind):
    """Return the results of two members: each the first of its own after the nearest anchor."""
    anchors = asked._anchors
    by = kind is EntryKind.VALUE
    behind = [each for each in ENTRIES if not anchors or each[by] > anchors[-1][by]]
    room = asked.page_size * (asked.page + 1 - len(anchors))
    parts = [sorted(behind[at::2], key=lambda each: each[by])[:room] for at in (1, 0)]
    return [*parts[0], *parts[1]]


def page(predicate, number, kind=EntryKind.ENTRY):
    predicate.page = number
    asked = predicate.for_iteration(kind)
    return predicate.page_of(asked, answered(asked, kind))


@pytest.mark.parametrize("pages", [[0, 1, 2], [5, 2, 3, 0, 7, 9, 8, 1], [9, 9, 0]])
@pytest.mark.parametrize("kind", EntryKind)
def test_pages_come_in_any_order_and_are_those_of_all_members(kind, pages):
    predicate = PagingPredicate(10)
    expected = ENTRIES[::-1] if kind is EntryKind.VALUE else ENTRIES
    for number in pages:
        assert page(predicate, number, kind) == expected[10 * number : 10 * (number + 1)]
    assert page(predicate, 10, kind) == page(predicate, 15, kind) == []


def test_what_was_asked_for_is_cut_whatever_was_asked_meanwhile():
    predicate = PagingPredicate(10)
    predicate.page = 3
    third = predicate.for_iteration(EntryKind.KEY)
    said = answered(third, EntryKind.KEY)
    assert page(predicate, 0, EntryKind.KEY) == ENTRIES[:10]
    assert predicate.page_of(third, said) == ENTRIES[30:40]
    page(predicate, 2, EntryKind.VALUE)
    assert predicate.page_of(third, said) == ENTRIES[30:40]
    assert page(predicate, 4, EntryKind.VALUE) == ENTRIES[::-1][40:50]


def test_a_comparator_merges_what_members_found():
    predicate = PagingPredicate(3, comparator=Descending())
    asked = predicate.for_iteration(EntryKind.ENTRY)
    said = [("a", 5), ("b", 1), ("c", 9), ("d", 3)]
    assert predicate.page_of(asked, said) == [("c", 9), ("a", 5), ("d", 3)]
    with pytest.raises(ConfigError, match="compare"):
        PagingPredicate(3, comparator=functools.partial(print))


def test_texts_are_sorted_as_java_sorts_them():
    predicate = PagingPredicate(3)
    asked = predicate.for_iteration(EntryKind.KEY)
    said = [("\uffee", None), ("\U0001f600", None), ("a", None)]
    assert predicate.page_of(asked, said) == [said[2], said[1], said[0]]
