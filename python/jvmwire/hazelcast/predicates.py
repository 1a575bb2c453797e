"""Predicates that select entries of a map, evaluated by the members.

Each is serialized as its class in `com.hazelcast.query`: `PredicateDataSerializerHook`.
"""

from __future__ import annotations

import copy
import enum
import functools
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._checks import at_least
from jvmwire.errors import ConfigError
from jvmwire.hazelcast.serialization import ObjectDataOutput, WriteOnly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "And",
    "Between",
    "EntryKind",
    "Equal",
    "FalsePredicate",
    "Greater",
    "GreaterEqual",
    "ILike",
    "In",
    "InstanceOf",
    "Less",
    "LessEqual",
    "Like",
    "Not",
    "NotEqual",
    "Or",
    "PagingPredicate",
    "PartitionPredicate",
    "Predicate",
    "Regex",
    "Sql",
    "TruePredicate",
]


FACTORY_ID = -32
"""`FactoryIdHelper.PREDICATE_DS_FACTORY_ID`"""


class EntryKind(enum.IntEnum):
    """Requested part of the selected entries: `IterationType`."""

    KEY = 0
    VALUE = 1
    ENTRY = 2


class Predicate(WriteOnly):
    """Base of predicates; `&`, `|` and `~` combine predicates."""

    factory_id = FACTORY_ID

    def __and__(self, other: Predicate) -> Predicate:
        return And(self, other)

    def __or__(self, other: Predicate) -> Predicate:
        return Or(self, other)

    def __invert__(self) -> Predicate:
        return Not(self)


class Sql(Predicate):
    """The entries that match an SQL condition: `Sql("age > 30 AND active")`.

    Args:
        sql: Condition, as after WHERE.
    """

    class_id = 0

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.sql)


def without_pages(predicate: object, name: str = "predicate") -> object:
    """Check that a predicate can be evaluated for all entries at once, and return it.

    Args:
        predicate: Predicate to check.
        name: Name of the argument, for the error message.

    Returns:
        The predicate.

    Raises:
        ValueError: it is a `PagingPredicate`, which only `key_set`, `values` and `entry_set` of
            a map support: elsewhere it would select all entries.
        TypeError: it is a plain value and not a predicate.
    """
    if isinstance(predicate, PagingPredicate):
        raise ConfigError(
            f"{name} must not be a PagingPredicate: only key_set, values and entry_set of a map"
            " return pages"
        )
    if predicate is None or isinstance(predicate, _VALUES):
        hint = ": a condition in SQL is Sql(text)" if isinstance(predicate, str) else ""
        raise TypeError(f"{name} must be a predicate, got {type(predicate).__name__}{hint}")
    return predicate


_VALUES = (bool, int, float, str, bytes, bytearray, list, tuple, dict, set)
"""Types of plain values, which are never predicates."""


class _Several(Predicate):
    def __init__(self, *predicates: Predicate) -> None:
        for predicate in predicates:
            without_pages(predicate)
        self.predicates = predicates

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_int(len(self.predicates))
        for predicate in self.predicates:
            output.write_object(predicate)


class And(_Several):
    """The entries that match all of several predicates.

    Args:
        *predicates: Predicates to combine.
    """

    class_id = 1


class Or(_Several):
    """The entries that match any of several predicates.

    Args:
        *predicates: Predicates to combine.
    """

    class_id = 11


class Not(Predicate):
    """The entries that do not match a predicate.

    Args:
        predicate: Predicate to negate.
    """

    class_id = 10

    def __init__(self, predicate: Predicate) -> None:
        without_pages(predicate)
        self.predicate = predicate

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_object(self.predicate)


class Between(Predicate):
    """The entries with an attribute between two values, both inclusive.

    Args:
        attribute: Name of the attribute.
        low: Smallest value.
        high: Largest value.
    """

    class_id = 2

    def __init__(self, attribute: str, low: object, high: object) -> None:
        self.attribute, self.low, self.high = attribute, low, high

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.attribute)
        output.write_object(self.high)
        output.write_object(self.low)


class _Compared(Predicate):
    def __init__(self, attribute: str, value: object) -> None:
        self.attribute, self.value = attribute, value

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.attribute)
        output.write_object(self.value)


class Equal(_Compared):
    """The entries with an attribute equal to a value.

    Args:
        attribute: Name of the attribute; `this` is the entry's value, `__key` its key.
        value: Value to compare with.
    """

    class_id = 3


class NotEqual(_Compared):
    """The entries with an attribute not equal to a value.

    Args:
        attribute: Name of the attribute.
        value: Value to compare with.
    """

    class_id = 9


class _Ordered(_Compared):
    class_id = 4
    equal: ClassVar[bool]
    less: ClassVar[bool]

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        super().write_data(output)
        output.write_boolean(self.equal)
        output.write_boolean(self.less)


class Less(_Ordered):
    """The entries with an attribute less than a value.

    Args:
        attribute: Name of the attribute.
        value: Value to compare with.
    """

    equal, less = False, True


class LessEqual(_Ordered):
    """The entries with an attribute less than or equal to a value.

    Args:
        attribute: Name of the attribute.
        value: Value to compare with.
    """

    equal, less = True, True


class Greater(_Ordered):
    """The entries with an attribute greater than a value.

    Args:
        attribute: Name of the attribute.
        value: Value to compare with.
    """

    equal, less = False, False


class GreaterEqual(_Ordered):
    """The entries with an attribute greater than or equal to a value.

    Args:
        attribute: Name of the attribute.
        value: Value to compare with.
    """

    equal, less = True, False


class _Matched(Predicate):
    def __init__(self, attribute: str, pattern: str) -> None:
        self.attribute, self.pattern = attribute, pattern

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.attribute)
        output.write_utf(self.pattern)


class Like(_Matched):
    """The entries with a string attribute that matches a pattern, case-sensitive.

    Args:
        attribute: Name of the attribute.
        pattern: Pattern, where `%` matches any characters and `_` one character.
    """

    class_id = 5


class ILike(_Matched):
    """The entries with a string attribute that matches a pattern, case-insensitive.

    Args:
        attribute: Name of the attribute.
        pattern: Pattern, where `%` matches any characters and `_` one character.
    """

    class_id = 6


class Regex(_Matched):
    """The entries with a string attribute that matches a Java regular expression.

    Args:
        attribute: Name of the attribute.
        pattern: Java regular expression.
    """

    class_id = 12


class In(Predicate):
    """The entries with an attribute equal to one of several values.

    Args:
        attribute: Name of the attribute.
        values: Values to compare with.
    """

    class_id = 7

    def __init__(self, attribute: str, values: Iterable[object]) -> None:
        self.attribute, self.values = attribute, list(values)

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.attribute)
        output.write_int(len(self.values))
        for value in self.values:
            output.write_object(value)


class InstanceOf(Predicate):
    """The entries with a value of a Java class.

    Args:
        java_class: Name of the Java class.
    """

    class_id = 8

    def __init__(self, java_class: str) -> None:
        self.java_class = java_class

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.java_class)


class FalsePredicate(Predicate):
    """The predicate that matches no entry."""

    class_id = 13

    def write_data(self, output: ObjectDataOutput) -> None:
        pass  # it has no fields


class TruePredicate(Predicate):
    """The predicate that matches every entry."""

    class_id = 14

    def write_data(self, output: ObjectDataOutput) -> None:
        pass  # it has no fields


class PartitionPredicate(Predicate):
    """The entries of one partition that match a predicate, queried only there; from 3.9 on.

    Args:
        partition_key: Key in the partition.
        predicate: Predicate for the entries of the partition.
    """

    class_id = 16

    def __init__(self, partition_key: object, predicate: Predicate) -> None:
        without_pages(predicate)
        self.partition_key = partition_key
        self._predicate = predicate

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_object(self.partition_key)
        output.write_object(self._predicate)


class PagingPredicate(Predicate):
    """The entries in sorted pages, ordered by key, or by value if only values are requested.

    A `comparator` defines another order: it is a serializable counterpart of a Java class of the
    members, and its method `compare(entry, other)` implements the same order here for pairs of key
    and value, each of which is None if it was not requested. Each member sorts its own entries, the
    client merges the entries of all members.

    `page` is the page that the next call returns; `next_page` advances to the following page.

    Args:
        page_size: Maximum number of entries per page, from 1.
        predicate: Predicate that selects the entries; None selects all.
        comparator: Object with a method `compare`; None is the order of keys or values.
    """

    class_id = 15

    def __init__(
        self, page_size: int, *, predicate: Predicate | None = None, comparator: Any = None
    ) -> None:
        at_least("page_size", page_size, 1)
        if predicate is not None:
            without_pages(predicate)
        if comparator is not None and not callable(getattr(comparator, "compare", None)):
            raise ConfigError(
                f"{comparator!r} has no method compare, which merges the members' results"
            )
        self.page_size = page_size
        self.page = 0
        self._predicate = predicate
        self._comparator = comparator
        self._kind = EntryKind.ENTRY
        self._anchors: list[tuple[Any, Any]] = []
        """The last entry of each page so far, so that members need not start at page 0."""

    @property
    def page(self) -> int:
        """The page that the next call returns; the first is 0."""
        return self._page

    @page.setter
    def page(self, page: int) -> None:
        """The page that the next call returns; the first is 0."""
        self._page = at_least("page", page, 0)

    def next_page(self) -> None:
        """Advance to the following page."""
        self.page += 1

    def for_iteration(self, kind: EntryKind) -> PagingPredicate:
        """Return a copy of this predicate for one request, unaffected by concurrent requests.

        Args:
            kind: Part of the entries to request.

        Returns:
            The copy.
        """
        if kind is not self._kind:
            # The order differs, or the entries lack the part that is compared.
            self._kind, self._anchors = kind, []
        asking = copy.copy(self)
        asking._anchors = self._anchors[: self.page]
        return asking

    def page_of(
        self, asked: PagingPredicate, found: list[tuple[Any, Any]]
    ) -> list[tuple[Any, Any]]:
        """Return the requested page of the entries after the nearest anchor, and keep new anchors.

        Args:
            asked: Copy that was sent.
            found: Entries of all members, unsorted.

        Returns:
            The entries of the page.
        """
        size, known = self.page_size, len(asked._anchors)
        ahead = asked.page - known
        found = sorted(found, key=asked._order())
        last = found[size - 1 :: size][: ahead + 1]
        if asked._kind is self._kind and known <= len(self._anchors):
            self._anchors[known : known + len(last)] = last
        return found[size * ahead : size * (ahead + 1)]

    def _order(self) -> Callable[[tuple[Any, Any]], Any]:
        """Return the sort key of entries: `SortingUtil.compare`."""
        if self._comparator is not None:
            return functools.cmp_to_key(lambda one, other: self._comparator.compare(one, other))
        by = 1 if self._kind is EntryKind.VALUE else 0
        return lambda entry: _as_java_sorts(entry[by])

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields of the predicate.

        Args:
            output: Output to write to.
        """
        output.write_object(self._predicate)
        output.write_object(self._comparator)
        output.write_int(self.page)
        output.write_int(self.page_size)
        output.write_utf(self._kind.name)
        output.write_int(len(self._anchors))
        for page, (key, value) in enumerate(self._anchors):
            output.write_int(page)
            output.write_object(key)
            output.write_object(value)


def _as_java_sorts(value: Any) -> Any:
    # String.compareTo goes by UTF-16 units.
    return value.encode("utf-16-be", "surrogatepass") if isinstance(value, str) else value
