"""Conditions in SQL, as `SqlPredicate` reads them."""

from __future__ import annotations

import re
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing import _predicates as predicates
from jvmwire.hazelcast.testing._predicates import Test

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast.serialization import ObjectDataInput
    from jvmwire.hazelcast.testing._predicates import Candidate

MAX_TOKENS = 10_000
"""Words and signs of a condition. (Chosen by jvmwire.)"""
MAX_DEPTH = 50
"""Parentheses and NOTs in each other. (Chosen by jvmwire.)"""

_TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|(<>|[<>]=|==|!=|[<>=(),])|([^\s<>=!(),']+))")
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}

TestT = TypeVar("TestT", bound=Test)


class Sql(Test):
    """The condition of a client."""

    class_id = 0

    def read_data(self, source: ObjectDataInput) -> None:
        self.part = parse(source.read_utf() or "")

    def matches(self, entry: Candidate) -> bool:
        return self.part.matches(entry)


def parse(sql: str) -> Test:
    """Return the predicate of a condition.

    Args:
        sql: The condition, as after WHERE.

    Returns:
        The predicate.

    Raises:
        HazelcastError: the condition cannot be read.
    """
    return _Parser(sql).whole()


class _Parser:
    def __init__(self, sql: str) -> None:
        self._sql = sql.rstrip()
        self._tokens: list[tuple[str, bool]] = []
        """Texts, and whether they are quoted."""
        self._next = 0
        at = 0
        while at < len(self._sql):
            found = _TOKEN.match(self._sql, at)
            if found is None or len(self._tokens) >= MAX_TOKENS:
                raise self._wrong(f"at offset {at}")
            quoted, sign, word = found.groups()
            is_quoted = quoted is not None
            text = quoted.replace("''", "'") if is_quoted else sign or word
            self._tokens.append((text, is_quoted))
            at = found.end()

    def _wrong(self, where: str) -> Exception:
        return java.refuse(java.ILLEGAL_ARGUMENT, f"the condition cannot be read {where}")

    def whole(self) -> Test:
        found = self._or(0)
        if self._next < len(self._tokens):
            raise self._wrong(f"from {self._tokens[self._next][0]!r} on")
        return found

    def _take(self) -> str:
        if self._next >= len(self._tokens):
            raise self._wrong("to its end: a word is missing")
        self._next += 1
        return self._tokens[self._next - 1][0]

    def _accept(self, *words: str) -> bool:
        """Return whether these words are next, which are taken then."""
        following = self._tokens[self._next : self._next + len(words)]
        if [None if quoted else text.upper() for text, quoted in following] != [*words]:
            return False
        self._next += len(words)
        return True

    def _need(self, word: str) -> None:
        if not self._accept(word):
            raise self._wrong(f"without {word!r}")

    def _or(self, depth: int) -> Test:
        if depth > MAX_DEPTH:
            raise self._wrong(f"below {MAX_DEPTH} parentheses and NOTs")
        parts = [self._and(depth)]
        while self._accept("OR"):
            parts.append(self._and(depth))
        return parts[0] if len(parts) == 1 else _made(predicates.Or, parts=parts)

    def _and(self, depth: int) -> Test:
        parts = [self._not(depth)]
        while self._accept("AND"):
            parts.append(self._not(depth))
        return parts[0] if len(parts) == 1 else _made(predicates.And, parts=parts)

    def _not(self, depth: int) -> Test:
        if self._accept("NOT"):
            if depth > MAX_DEPTH:
                raise self._wrong(f"below {MAX_DEPTH} parentheses and NOTs")
            return _made(predicates.Not, part=self._not(depth + 1))
        if self._accept("("):
            found = self._or(depth + 1)
            self._need(")")
            return found
        return self._comparison(self._take())

    def _comparison(self, attribute: str) -> Test:
        if self._accept("NOT"):
            return _made(predicates.Not, part=self._comparison_by_word(attribute))
        for sign, compare in _ORDERS.items():
            if self._accept(sign):
                fields = {"attribute": attribute, "value": self._take(), "compare": compare}
                return _made(predicates.Ordered, **fields)
        if self._accept("=") or self._accept("=="):
            return _made(predicates.Equal, attribute=attribute, value=self._take())
        if self._accept("!=") or self._accept("<>"):
            return _made(predicates.NotEqual, attribute=attribute, value=self._take())
        if self._next >= len(self._tokens) or self._tokens[self._next][0].upper() in _ENDS:
            return _made(predicates.Equal, attribute=attribute, value="true")
        return self._comparison_by_word(attribute)

    def _comparison_by_word(self, attribute: str) -> Test:
        if self._accept("BETWEEN"):
            low = self._take()
            self._need("AND")
            return _made(predicates.Between, attribute=attribute, low=low, high=self._take())
        if self._accept("IN"):
            self._need("(")
            values = [self._take()]
            while self._accept(","):
                values.append(self._take())
            self._need(")")
            return _made(predicates.In, attribute=attribute, values=values)
        for word, kind in (("LIKE", predicates.Like), ("ILIKE", predicates.ILike)):
            if self._accept(word):
                return _made(kind, attribute=attribute, pattern=self._take())
        raise self._wrong(f"after {attribute!r}")


_ENDS = {"AND", "OR", ")"}


def _made(kind: type[TestT], **fields: Any) -> TestT:
    found = kind()
    vars(found).update(fields)
    return found
