"""Parser of SQL conditions on the rows of a table, for evaluation in Rust."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NoReturn, TypeAlias, Union

from jvmwire._escaping import is_unicode, quote, shorten
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

Comparison = Literal["=", "<", "<=", ">", ">="]
Condition: TypeAlias = Union[  # noqa: UP007 - names itself
    tuple[Literal["and", "or"], "Condition", "Condition"],
    tuple[Literal["not"], "Condition"],
    tuple[Comparison, str, str | int],
    tuple[Literal["like", "ilike"], str, str],
    tuple[Literal["is null"], str],
]
"""A condition as Rust takes it: columns by name, constants as Python values."""

MAX_LENGTH: Final = 100_000
"""Maximum characters of a condition: room for a long list of constants."""
MAX_NESTING: Final = 100
"""Maximum nesting depth of parentheses and NOTs (chosen by jvmwire)."""
MAX_DEPTH: Final = 400
"""Maximum depth of the tree given to Rust, which accepts 500; N joined parts take log2(N)."""
MAX_SHOWN: Final = 80
"""Maximum characters of a condition that an error message quotes."""

_COMPARISONS: dict[str, tuple[Comparison, bool]] = {
    "=": ("=", False),
    "==": ("=", False),
    "<>": ("=", True),
    "!=": ("=", True),
    "<": ("<", False),
    "<=": ("<=", False),
    ">": (">", False),
    ">=": (">=", False),
}
"""Per SQL operator: Rust's operator, and whether the result is negated."""
_MIRRORED: dict[Comparison, Comparison] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TOKEN = re.compile(
    r"""
    (?P<space>    (?: \s | --[^\n]* | /\*(?:[^*]|\*(?!/))*+\*/ )++ )
  | (?P<text>     '(?:[^'\\]|\\.)*+' | "(?:[^"\\]|\\.)*+" )
  | (?P<quoted>   `[^`]++` )
  | (?P<word>     [^\W\d]\w*+ )
  | (?P<number>   [0-9][\w.]*+ )
  | (?P<sign>     <=> | <= | >= | <> | != | == | [=<>(),!-] )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPED |= {letter: letter for letter in "\\'\""}
"""A backslash before any other character is kept."""
_RESERVED = frozenset({"and", "or", "not", "in", "between", "like", "ilike", "is", "null"})
_CLAUSES = frozenset(
    {
        *("where", "group", "having", "order", "sort", "cluster", "distribute", "limit", "offset"),
        *("window", "union", "intersect", "except", "minus", "lateral", "qualify", "from", "join"),
    }
)
"""Keywords that end a condition and begin another clause of a query."""


class _Token(NamedTuple):
    kind: str
    """`text`, `quoted`, `word`, `number`, `sign`, `other` (not allowed in a condition) or `end`."""
    text: str
    """The token's source text; words in lower case."""
    end: int


class _Part(NamedTuple):
    condition: Condition
    depth: int


def parse_condition(text: str) -> Condition:
    """Parse an SQL condition: columns compared with constants, joined by AND, OR and NOT.

    Supported are `= == <> != < <= > >=`, `[NOT] IN`, `BETWEEN`, `LIKE`, `ILIKE`, `IS [NOT] NULL`,
    strings in quotes of either kind with Spark's escapes, names in backquotes, and comments. Time
    and memory are linear in the length of the text.

    Args:
        text: The condition, as after WHERE.

    Returns:
        The condition as a tree of tuples.

    Raises:
        ConfigError: the text is not a condition, uses other parts of SQL, or exceeds `MAX_LENGTH`
            or `MAX_NESTING`.
    """
    if len(text) > MAX_LENGTH:
        raise ConfigError(f"a condition of {len(text):,} characters; the limit is {MAX_LENGTH:,}")
    if not text.strip():
        raise ConfigError("the condition is empty")
    if not is_unicode(text):
        raise ConfigError(f"the condition {quote(text)} is not valid Unicode")
    return _Parser(text).parse()


def condition_columns(condition: Condition) -> list[str]:
    """Return the columns that a condition names, from left to right.

    Args:
        condition: The condition.
    """
    columns: list[str] = []
    left: list[Any] = [condition]
    while left:
        operator, *operands = left.pop()
        if operator in ("and", "or", "not"):
            left.extend(reversed(operands))
        else:
            columns.append(operands[0])
    return columns


class _Parser:
    """A recursive descent parser over the tokens of one condition."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._token = self._read()

    def parse(self) -> Condition:
        found = self._any_of(0)
        token = self._token
        if token.text in _CLAUSES or token.text == ";":
            raise ConfigError(f"{quote(self._text)} is not a condition")
        if token.kind in ("other", "sign", "word") and token.text != ")":
            self._unsupported()
        if token.kind != "end":
            self._wrong()
        return found.condition

    # Tokens.

    def _read(self) -> _Token:
        found = _TOKEN.match(self._text, self._at)
        while found is not None and found.lastgroup == "space":
            self._at = found.end()
            found = _TOKEN.match(self._text, self._at)
        if found is None:
            if self._at == len(self._text):
                return _Token("end", "", self._at)
            letter = self._text[self._at]
            if letter in "'\"`" or self._text.startswith("/*", self._at):
                self._fail("it breaks off inside a quotation or a comment")
            return _Token("other", letter, self._at + 1)
        kind = str(found.lastgroup)
        text = found[0].lower() if kind == "word" else found[0]
        return _Token(kind, text, found.end())

    def _next_token(self) -> _Token:
        token = self._token
        self._at = token.end
        self._token = self._read()
        return token

    def _accept(self, *texts: str) -> bool:
        """Consume the next token if it is one of these words or signs; return whether it was."""
        token = self._token
        if token.kind in ("word", "sign") and token.text in texts:
            self._next_token()
            return True
        return False

    # Conditions.

    def _any_of(self, nesting: int) -> _Part:
        parts = [self._all_of(nesting)]
        while self._accept("or"):
            parts.append(self._all_of(nesting))
        return self._balanced("or", parts)

    def _all_of(self, nesting: int) -> _Part:
        parts = [self._one(nesting)]
        while self._accept("and"):
            parts.append(self._one(nesting))
        return self._balanced("and", parts)

    def _one(self, nesting: int) -> _Part:
        if nesting > MAX_NESTING:
            self._fail("it is nested too deep")
        if self._accept("not", "!"):
            return self._negated(self._one(nesting + 1))
        if self._accept("("):
            found = self._any_of(nesting + 1)
            if not self._accept(")"):
                self._unexpected()
            return found
        if self._token.kind in ("text", "number") or self._token.text == "-":
            return self._mirrored()
        return self._of_column(self._column())

    def _mirrored(self) -> _Part:
        """Parse a comparison that begins with the constant."""
        constant = self._constant()
        operator, negated = self._comparison()
        found = _Part((_MIRRORED[operator], self._column(), constant), 1)
        return self._negated(found) if negated else found

    def _of_column(self, name: str) -> _Part:
        if self._accept("is"):
            negated = self._accept("not")
            if not self._accept("null"):
                self._unexpected()
            null = _Part(("is null", name), 1)
            return self._negated(null) if negated else null
        negated = self._accept("not")
        if self._accept("in"):
            found = self._in(name)
        elif self._accept("between"):
            low = self._constant()
            if not self._accept("and"):
                self._unexpected()
            high = self._constant()
            found = _Part(("and", (">=", name, low), ("<=", name, high)), 2)
        elif self._accept("like"):
            found = _Part(("like", name, self._pattern()), 1)
        elif self._accept("ilike"):
            found = _Part(("ilike", name, self._pattern()), 1)
        elif negated:
            self._unexpected()
        else:
            operator, negated = self._comparison()
            found = _Part((operator, name, self._constant()), 1)
        return self._negated(found) if negated else found

    def _in(self, name: str) -> _Part:
        if not self._accept("("):
            self._unexpected()
        parts = [_Part(("=", name, self._constant()), 1)]
        while self._accept(","):
            parts.append(_Part(("=", name, self._constant()), 1))
        if not self._accept(")"):
            self._unexpected()
        return self._balanced("or", parts)

    def _negated(self, part: _Part) -> _Part:
        return self._checked(_Part(("not", part.condition), part.depth + 1))

    def _balanced(self, word: Literal["and", "or"], parts: Sequence[_Part]) -> _Part:
        """Join parts as a balanced tree: recursive visitors use a stack frame per level."""
        if len(parts) == 1:
            return parts[0]
        middle = len(parts) // 2
        left, right = self._balanced(word, parts[:middle]), self._balanced(word, parts[middle:])
        depth = max(left.depth, right.depth) + 1
        return self._checked(_Part((word, left.condition, right.condition), depth))

    def _checked(self, part: _Part) -> _Part:
        if part.depth > MAX_DEPTH:
            self._fail("it is nested too deep")
        return part

    # Operands.

    def _comparison(self) -> tuple[Comparison, bool]:
        token = self._token
        if token.kind != "sign" or token.text not in _COMPARISONS:
            if token.kind == "end" or token.text in (")", "and", "or"):
                self._unsupported("a value that is not compared")
            self._unexpected()
        self._next_token()
        return _COMPARISONS[token.text]

    def _column(self) -> str:
        token = self._token
        if token.kind == "quoted":
            name = self._next_token().text[1:-1]
        elif token.kind == "word" and token.text not in _RESERVED:
            # Not lowered: names of columns are case-sensitive.
            name = self._text[self._at : token.end]
            self._next_token()
        else:
            self._unexpected()
        if len(name) > MAX_SHOWN:
            raise ConfigError(f"there is no column {quote(name)}")
        return name

    def _constant(self) -> str | int:
        token = self._token
        if token.kind == "text":
            return self._string()
        negative = self._accept("-")
        token = self._token
        if token.kind != "number":
            self._unexpected()
        digits = token.text
        if not digits.isdecimal():
            self._unsupported()
        self._next_token()
        number = int(digits) if len(digits.lstrip("0")) < 20 else 1 << 64
        if not -(1 << 63) <= (-number if negative else number) < 1 << 63:
            shown = shorten(f"{'-' * negative}{digits}", MAX_SHOWN)
            raise ConfigError(f"{shown} is not a 64-bit number, which columns hold")
        return -number if negative else number

    def _pattern(self) -> str:
        if self._token.kind != "text":
            self._unexpected()
        return self._string()

    def _string(self) -> str:
        text = self._next_token().text[1:-1]
        return _ESCAPE.sub(_unescaped, text) if "\\" in text else text

    # Errors.

    def _unexpected(self) -> NoReturn:
        """Raise the error for an unexpected token: a syntax error, or unsupported SQL."""
        if self._token.kind == "end" or self._token.text == ")":
            self._wrong()
        self._unsupported()

    def _unsupported(self, what: str = "") -> NoReturn:
        shown = what or self._text[: self._token.end].lstrip()[-MAX_SHOWN:]
        raise ConfigError(
            f"{shown} is not done here: compare columns with constants, and join by AND, OR, NOT"
        )

    def _wrong(self) -> NoReturn:
        front = self._text[: self._token.end].strip()
        self._fail(f"it is wrong at or behind {front[-MAX_SHOWN:]!r}")

    def _fail(self, why: str) -> NoReturn:
        raise ConfigError(f"the condition {quote(self._text)} cannot be read: {why}")


def _unescaped(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[1], found[0])
