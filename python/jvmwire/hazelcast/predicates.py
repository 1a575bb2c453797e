"""Predicates: which entries of a map are meant, told to members that decide.

Each is written as its class in `com.hazelcast.query`: `PredicateDataSerializerHook`.
"""

from __future__ import annotations

import copy
import enum
import functools
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.arguments import at_least
from jvmwire.hazelcast.serialization import ObjectDataOutput, SentOnly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FACTORY_ID = -32
"""`FactoryIdHelper.PREDICATE_DS_FACTORY_ID`"""


class EntryKind(enum.IntEnum):
    """What is wanted of the entries that are found: `IterationType`."""

    KEY = 0
    VALUE = 1
    ENTRY = 2


class Predicate(SentOnly):
    """Tells the entries that are meant from the others; `&`, `|` and `~` combine predicates."""

    factory_id = FACTORY_ID

    def __and__(self, other: Predicate) -> Predicate:
        return And(self, other)

    def __or__(self, other: Predicate) -> Predicate:
        return Or(self, other)

    def __invert__(self) -> Predicate:
        return Not(self)


class Sql(Predicate):
    """What stands behind WHERE in SQL: `Sql("age > 30 AND active")`."""

    class_id = 0

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.sql)


def without_pages(predicate: object, name: str = "predicate") -> object:
    """Return a predicate that members judge all entries by at once.

    Raises:
        ValueError: it is a `PagingPredicate`, which `key_set`, `values` and `entry_set` of a map
            take alone: elsewhere all entries would be meant.
        TypeError: it is a value and no predicate.
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
"""Types of what is surely no predicate."""


class _Several(Predicate):
    def __init__(self, *predicates: Predicate) -> None:
        for predicate in predicates:
            without_pages(predicate)
        self.predicates = predicates

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_int(len(self.predicates))
        for predicate in self.predicates:
            output.write_object(predicate)


class And(_Several):
    """All of several predicates."""

    class_id = 1


class Or(_Several):
    """Any of several predicates."""

    class_id = 11


class Not(Predicate):
    """What another predicate does not find."""

    class_id = 10

    def __init__(self, predicate: Predicate) -> None:
        without_pages(predicate)
        self.predicate = predicate

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_object(self.predicate)


class Between(Predicate):
    """An attribute between two values, both included."""

    class_id = 2

    def __init__(self, attribute: str, low: object, high: object) -> None:
        self.attribute, self.low, self.high = attribute, low, high

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.attribute)
        output.write_object(self.high)
        output.write_object(self.low)


class _Compared(Predicate):
    def __init__(self, attribute: str, value: object) -> None:
        self.attribute, self.value = attribute, value

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.attribute)
        output.write_object(self.value)


class Equal(_Compared):
    """An attribute that is a value; `this` is the entry's value, `__key` its key."""

    class_id = 3


class NotEqual(_Compared):
    """An attribute that is not a value."""

    class_id = 9


class _Ordered(_Compared):
    class_id = 4
    equal: ClassVar[bool]
    less: ClassVar[bool]

    def write_data(self, output: ObjectDataOutput) -> None:
        super().write_data(output)
        output.write_boolean(self.equal)
        output.write_boolean(self.less)


class Less(_Ordered):
    """An attribute below a value."""

    equal, less = False, True


class LessEqual(_Ordered):
    """An attribute that is a value or below it."""

    equal, less = True, True


class Greater(_Ordered):
    """An attribute above a value."""

    equal, less = False, False


class GreaterEqual(_Ordered):
    """An attribute that is a value or above it."""

    equal, less = True, False


class _Matched(Predicate):
    def __init__(self, attribute: str, pattern: str) -> None:
        self.attribute, self.pattern = attribute, pattern

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.attribute)
        output.write_utf(self.pattern)


class Like(_Matched):
    """A text that a pattern fits: `%` stands for any characters, `_` for one."""

    class_id = 5


class ILike(_Matched):
    """As `Like`, in capitals or not."""

    class_id = 6


class Regex(_Matched):
    """A text that a regular expression of Java's fits."""

    class_id = 12


class In(Predicate):
    """An attribute that is one of several values."""

    class_id = 7

    def __init__(self, attribute: str, values: Iterable[object]) -> None:
        self.attribute, self.values = attribute, list(values)

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.attribute)
        output.write_int(len(self.values))
        for value in self.values:
            output.write_object(value)


class InstanceOf(Predicate):
    """A value of a Java class."""

    class_id = 8

    def __init__(self, java_class: str) -> None:
        self.java_class = java_class

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.java_class)


class Nothing(Predicate):
    """Finds no entry."""

    class_id = 13

    def write_data(self, output: ObjectDataOutput) -> None:
        pass  # it has no fields


class Everything(Predicate):
    """Finds every entry."""

    class_id = 14

    def write_data(self, output: ObjectDataOutput) -> None:
        pass  # it has no fields


class PartitionPredicate(Predicate):
    """What another predicate finds in the partition of a key: only that is asked. From 3.9 on."""

    class_id = 16

    def __init__(self, partition_key: object, predicate: Predicate) -> None:
        without_pages(predicate)
        self.partition_key = partition_key
        self._predicate = predicate

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_object(self.partition_key)
        output.write_object(self._predicate)


class PagingPredicate(Predicate):
    """Entries in pages, in the order of their keys, or of values where only these are asked for.

    A `comparator` orders them otherwise: it is of a class of the members', told by what is
    serialized, and its method `compare(entry, other)` says the same here of pairs of key and value,
    of which either is None where it was not asked for. Each member sorts its own entries, who asks
    those of all members.

    `page` says which page the next call returns; `next_page` goes on to the one after it.
    """

    class_id = 15

    def __init__(
        self, page_size: int, *, predicate: Predicate | None = None, comparator: Any = None
    ) -> None:
        at_least("page_size", page_size, 1)
        if predicate is not None:
            without_pages(predicate)
        if comparator is not None and not callable(getattr(comparator, "compare", None)):
            raise ConfigError(f"{comparator!r} has no method compare: what members find is merged")
        self.page_size = page_size
        self.page = 0
        self._predicate = predicate
        self._comparator = comparator
        self._kind = EntryKind.ENTRY
        self._anchors: list[tuple[Any, Any]] = []
        """The last entry of each page from the first on, so that members need not begin there."""

    @property
    def page(self) -> int:
        """Which page the next call returns; the first is 0."""
        return self._page

    @page.setter
    def page(self, page: int) -> None:
        self._page = at_least("page", page, 0)

    def next_page(self) -> None:
        """Let the next call return the page after this one."""
        self.page += 1

    def asking_for(self, kind: EntryKind) -> PagingPredicate:
        """Return this predicate as a request tells it: others may go on meanwhile."""
        if kind is not self._kind:
            # Another order, or entries without what it goes by.
            self._kind, self._anchors = kind, []
        asking = copy.copy(self)
        asking._anchors = self._anchors[: self.page]
        return asking

    def cut(self, asked: PagingPredicate, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Return the page that was asked for, of all that is behind the nearest one known then."""
        size, known = self.page_size, len(asked._anchors)
        ahead = asked.page - known
        found = sorted(found, key=asked._order())
        last = found[size - 1 :: size][: ahead + 1]
        if asked._kind is self._kind and known <= len(self._anchors):
            self._anchors[known : known + len(last)] = last
        return found[size * ahead : size * (ahead + 1)]

    def _order(self) -> Callable[[tuple[Any, Any]], Any]:
        """Return what entries are sorted by: `SortingUtil.compare`."""
        if self._comparator is not None:
            return functools.cmp_to_key(lambda one, other: self._comparator.compare(one, other))
        by = 1 if self._kind is EntryKind.VALUE else 0
        return lambda entry: _as_java_sorts(entry[by])

    def write_data(self, output: ObjectDataOutput) -> None:
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
