"""Predicates of clients, read and evaluated as `com.hazelcast.query.impl.predicates` does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._core import hazelcast_partition_hash, hazelcast_partition_id
from jvmwire.hazelcast.serialization import Data, HazelcastJsonValue, SerializationService
from jvmwire.hazelcast.testing import _java_errors as java

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast.serialization import ObjectDataInput

KEY, VALUE = "__key", "this"
MAX_PARTS = 10_000
"""Predicates in one, values in one and anchors of pages. (Chosen by jvmwire.)"""
_NUMBERS = (bool, int, float)
_SERIALIZATION = SerializationService()


class Candidate:
    """An entry that is tested, whose key and value are read at their first use.

    Args:
        key: The serialized key.
        value: The serialized value.
    """

    def __init__(self, key: bytes, value: bytes) -> None:
        self.key_data, self.value_data = key, value
        self._read: dict[str, Any] = {}

    def attribute(self, path: str) -> Any:
        """Return an attribute.

        Args:
            path: `this` or `__key`, or fields of JSON below them, with dots between; a path without
                either is below the value.

        Returns:
            The attribute, or None if there is none.

        Raises:
            HazelcastError: neither key nor value has attributes.
        """
        first, _, rest = path.partition(".")
        if first not in (KEY, VALUE):
            first, rest = VALUE, path
        if first not in self._read:
            data = self.key_data if first == KEY else self.value_data
            self._read[first] = _SERIALIZATION.to_object(data)
        found = self._read[first]
        if not rest:
            return found
        if not isinstance(found, HazelcastJsonValue):
            raise java.refuse(
                java.QUERY, f"the double finds attributes such as {path!r} only in JSON"
            )
        below = json.loads(found.to_string())
        for name in rest.split("."):
            below = below.get(name) if isinstance(below, dict) else None
        return below


@dataclass
class Test:
    """A predicate: an `IdentifiedDataSerializable` that is only read."""

    class_id: ClassVar[int]

    def read_data(self, source: ObjectDataInput) -> None:
        """Read the fields of the predicate.

        Args:
            source: Input to read from.
        """

    def matches(self, entry: Candidate) -> bool:
        """Return whether an entry matches.

        Args:
            entry: The entry.

        Returns:
            Whether it does.
        """
        raise NotImplementedError


class Always(Test):
    class_id = 14

    def matches(self, entry: Candidate) -> bool:
        return True


class Never(Test):
    class_id = 13

    def matches(self, entry: Candidate) -> bool:
        return False


class Compound(Test):
    def read_data(self, source: ObjectDataInput) -> None:
        self.parts = [checked(source.read_object()) for _ in range(_count(source.read_int()))]


class And(Compound):
    class_id = 1

    def matches(self, entry: Candidate) -> bool:
        return all(part.matches(entry) for part in self.parts)


class Or(Compound):
    class_id = 11

    def matches(self, entry: Candidate) -> bool:
        return any(part.matches(entry) for part in self.parts)


class Not(Test):
    class_id = 10

    def read_data(self, source: ObjectDataInput) -> None:
        self.part = checked(source.read_object())

    def matches(self, entry: Candidate) -> bool:
        return not self.part.matches(entry)


class Equal(Test):
    class_id = 3

    def read_data(self, source: ObjectDataInput) -> None:
        self.attribute, self.value = source.read_utf() or "", source.read_object()

    def matches(self, entry: Candidate) -> bool:
        return _equal(entry.attribute(self.attribute), self.value)


class NotEqual(Equal):
    class_id = 9

    def matches(self, entry: Candidate) -> bool:
        return not super().matches(entry)


class Ordered(Equal):
    class_id = 4

    def read_data(self, source: ObjectDataInput) -> None:
        super().read_data(source)
        equal, less = source.read_boolean(), source.read_boolean()
        self.compare = (le if equal else lt) if less else (ge if equal else gt)

    def matches(self, entry: Candidate) -> bool:
        return _ordered(self.compare, entry.attribute(self.attribute), self.value)


class Between(Test):
    class_id = 2

    def read_data(self, source: ObjectDataInput) -> None:
        self.attribute = source.read_utf() or ""
        self.high, self.low = source.read_object(), source.read_object()

    def matches(self, entry: Candidate) -> bool:
        found = entry.attribute(self.attribute)
        return _ordered(ge, found, self.low) and _ordered(le, found, self.high)


class In(Test):
    class_id = 7

    def read_data(self, source: ObjectDataInput) -> None:
        self.attribute = source.read_utf() or ""
        self.values = [source.read_object() for _ in range(_count(source.read_int()))]

    def matches(self, entry: Candidate) -> bool:
        found = entry.attribute(self.attribute)
        return any(_equal(found, value) for value in self.values)


class Like(Test):
    class_id = 5

    def read_data(self, source: ObjectDataInput) -> None:
        self.attribute, self.pattern = source.read_utf() or "", source.read_utf()

    def matches(self, entry: Candidate) -> bool:
        found = entry.attribute(self.attribute)
        if found is None or self.pattern is None:
            return found is self.pattern
        return like(str(found), self.pattern)


class ILike(Like):
    class_id = 6

    def matches(self, entry: Candidate) -> bool:
        found = entry.attribute(self.attribute)
        if found is None or self.pattern is None:
            return found is self.pattern
        return like(str(found).casefold(), self.pattern.casefold())


class InPartition(Test):
    class_id = 16

    def read_data(self, source: ObjectDataInput) -> None:
        key, part = source.read_object(), source.read_object()
        self.partition_hash = hazelcast_partition_hash(_SERIALIZATION.to_data(key))
        self.part = checked(part)

    def partition_id(self, count: int) -> int:
        """Return the only partition of which entries match.

        Args:
            count: Number of partitions.

        Returns:
            The partition.
        """
        return hazelcast_partition_id(self.partition_hash, count)

    def matches(self, entry: Candidate) -> bool:
        return self.part.matches(entry)


class Paging(Test):
    class_id = 15

    def read_data(self, source: ObjectDataInput) -> None:
        part, comparator = source.read_object(), source.read_object()
        if comparator is not None:
            raise java.refuse(java.UNSUPPORTED, "the double of a cluster has no comparators")
        self.part = None if part is None else checked(part)
        self.page, self.page_size = source.read_int(), source.read_int()
        self.kind = source.read_utf()
        anchors = [
            (source.read_int(), source.read_object(), source.read_object())
            for _ in range(_count(source.read_int()))
        ]
        earlier = [anchor for anchor in anchors if anchor[0] < self.page]
        self.anchor = max(earlier, key=lambda anchor: anchor[0], default=None)

    def matches(self, entry: Candidate) -> bool:
        return self.part is None or self.part.matches(entry)

    def select(self, entries: list[Candidate]) -> list[Candidate]:
        """Return the entries from which the client takes its page.

        Args:
            entries: The entries that match.

        Returns:
            Those after the nearest anchor, in order, up to the end of the page.

        Raises:
            HazelcastError: the entries have no order.
        """
        attribute = VALUE if self.kind == "VALUE" else KEY
        pages = self.page + 1
        try:
            found = sorted(entries, key=lambda entry: _sort_key(entry.attribute(attribute)))
            if self.anchor is not None:
                page, key, value = self.anchor
                last = _sort_key(value if attribute == VALUE else key)
                found = [each for each in found if _sort_key(each.attribute(attribute)) > last]
                pages -= page + 1
        except TypeError as error:
            text = f"entries without an order have no pages: {error}"
            raise java.refuse("java.lang.ClassCastException", text) from error
        return found[: max(0, pages * self.page_size)]


def checked(found: object) -> Test:
    """Return what was read, which must be a predicate.

    Args:
        found: The value.

    Returns:
        The predicate.

    Raises:
        HazelcastError: it is another value.
    """
    if isinstance(found, Test):
        return found
    kind = f"type {found.type_id}" if isinstance(found, Data) else type(found).__name__
    raise java.refuse(java.UNSUPPORTED, f"the double of a cluster has no predicate of {kind}")


def _count(count: int) -> int:
    if not 0 <= count <= MAX_PARTS:
        text = f"a predicate has at most {MAX_PARTS} parts in the double, got {count}"
        raise java.refuse(java.ILLEGAL_ARGUMENT, text)
    return count


def _sort_key(value: Any) -> Any:
    # String.compareTo goes by UTF-16 units.
    return value.encode("utf-16-be", "surrogatepass") if isinstance(value, str) else value


def _alike(found: Any, value: Any) -> Any:
    """Return a value in the type of an attribute, as the members' converters do."""
    try:
        if isinstance(found, bool) and isinstance(value, str):
            return value.lower() == "true"
        if isinstance(found, _NUMBERS) and isinstance(value, str):
            return float(value) if isinstance(found, float) else int(value)
    except ValueError as error:
        text = f"{value!r} is not of the attribute's type: {error}"
        raise java.refuse(java.ILLEGAL_ARGUMENT, text) from error
    if isinstance(found, str) and isinstance(value, _NUMBERS):
        return str(value)
    return value


def _equal(found: Any, value: Any) -> bool:
    if found is None or value is None:
        return found is value
    return bool(found == _alike(found, value))


def _ordered(compare: Callable[[Any, Any], bool], found: Any, value: Any) -> bool:
    if found is None or value is None:
        return False
    try:
        return compare(_sort_key(found), _sort_key(_alike(found, value)))
    except TypeError as error:
        text = f"{type(found).__name__} and {type(value).__name__} have no order"
        raise java.refuse("java.lang.ClassCastException", text) from error


def like(text: str, pattern: str) -> bool:
    r"""Return whether a text matches a pattern of LIKE.

    The time is at most the product of the lengths.

    Args:
        text: The text.
        pattern: The pattern: `%` is any characters, `_` is one, `\` takes the next as it is.

    Returns:
        Whether the whole text matches.
    """
    parts: list[tuple[str, bool]] = []  # a character, and whether it is a wildcard
    characters = iter(pattern)
    for each in characters:
        if each == "\\":
            parts.append((next(characters, "\\"), False))
        else:
            parts.append((each, each in "%_"))
    at = place = 0
    star, resume = -1, 0
    while at < len(text):
        if place < len(parts) and parts[place] == ("%", True):
            star, resume = place, at
            place += 1
        elif place < len(parts) and parts[place] in (("_", True), (text[at], False)):
            at += 1
            place += 1
        elif star >= 0:
            resume += 1
            at, place = resume, star + 1
        else:
            return False
    return all(part == ("%", True) for part in parts[place:])
