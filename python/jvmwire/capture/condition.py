"""SQL conditions on the rows of a table, as Rust judges them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlglot
    from sqlglot import exp

Comparison = Literal["=", "<", "<=", ">", ">="]
Condition: TypeAlias = Union[  # noqa: UP007 - names itself
    tuple[Literal["and", "or"], "Condition", "Condition"],
    tuple[Literal["not"], "Condition"],
    tuple[Comparison, str, str | int],
    tuple[Literal["like", "ilike"], str, str],
    tuple[Literal["is null"], str],
]
"""A condition as Rust takes it: columns by name, constants as they stand."""

_COMPARISONS: dict[str, Comparison] = {
    "eq": "=",
    "lt": "<",
    "lte": "<=",
    "gt": ">",
    "gte": ">=",
}
_MIRRORED: dict[str, Comparison] = {
    "=": "=",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}
_READ = {"this", "expression", "expressions", "low", "high", "negate"}
"""The parts of sqlglot's nodes that are looked at here."""
_QUERY = "SELECT 1 WHERE "
"""What makes a query of a condition."""
MAX_LENGTH = 100_000
"""Characters of a condition: a long list of constants fits, nothing endless does."""
MAX_SHOWN = 80
"""Characters of a condition that a sentence about it quotes."""


def parse_condition(text: str) -> Condition:
    """Read an SQL condition: columns compared with constants, joined by AND, OR and NOT.

    Knows `= <> < <= > >=`, `[NOT] IN`, `BETWEEN`, `LIKE`, `ILIKE`, `IS [NOT] NULL`. Raises
    `ConfigError` for what is no condition, or more of SQL than that.
    """
    # Loading it takes longer than decoding a small capture does.
    import sqlglot
    from sqlglot import exp

    if len(text) > MAX_LENGTH:
        raise ConfigError(f"a condition of {len(text):,} characters; the limit is {MAX_LENGTH:,}")
    if not text.strip():
        raise ConfigError("the condition is empty")
    try:
        tree, *others = sqlglot.parse(_QUERY + text, read="spark")
        where = None if tree is None else tree.find(exp.Where)
        # What follows a whole condition would be another clause of the query, or another query.
        if (
            tree is None
            or where is None
            or others
            or set(filter(tree.args.get, tree.args)) - {"expressions", "where"}
        ):
            raise ConfigError(f"{_shortened(text)!r} is no condition")
        return _condition(where.this)
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        quoted = _shortened(text)
        raise ConfigError(f"the condition {quoted!r} cannot be read: {_reason(error)}") from error


def _reason(error: sqlglot.errors.SqlglotError | RecursionError) -> str:
    from sqlglot.errors import ParseError

    match error:
        case RecursionError():
            return "it is nested too deep"
        case ParseError(errors=[{"start_context": str(front), "highlight": str(word)}, *_]):
            # sqlglot's own words are of its classes, and its columns of the query around it.
            return f"it is wrong at or behind {(front + word).removeprefix(_QUERY)[-MAX_SHOWN:]!r}"
        case _:
            return "it breaks off inside a quotation or a comment"


def _condition(node: exp.Expr) -> Condition:
    from sqlglot import exp

    # What sqlglot knows more of a node would change its meaning, as SYMMETRIC does.
    if set(filter(node.args.get, node.args)) - _READ:
        raise _not_done(node)
    match node:
        case exp.Paren():
            return _condition(node.this)
        case exp.And():
            return _joined("and", [_condition(part) for part in node.flatten()])
        case exp.Or():
            return _joined("or", [_condition(part) for part in node.flatten()])
        case exp.Not():
            return "not", _condition(node.this)
        case exp.NEQ():
            return "not", _comparison("=", node)
        case exp.EQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            return _comparison(_COMPARISONS[node.key], node)
        case exp.Is(expression=exp.Null()):
            return "is null", _column(node.this)
        case exp.Between():
            name = _column(node.this)
            low, high = _constant(node.args["low"]), _constant(node.args["high"])
            return "and", (">=", name, low), ("<=", name, high)
        case exp.In() if node.expressions:
            name = _column(node.this)
            return _joined("or", [("=", name, _constant(item)) for item in node.expressions])
        case exp.Like() | exp.ILike():
            pattern = _constant(node.expression)
            if isinstance(pattern, str):
                word: Literal["like", "ilike"] = "ilike" if isinstance(node, exp.ILike) else "like"
                like: Condition = (word, _column(node.this), pattern)
                return ("not", like) if node.args.get("negate") else like
    raise _not_done(node)


def _joined(word: Literal["and", "or"], parts: Sequence[Condition]) -> Condition:
    """Join as a tree of little depth: what walks it does not return for each of its levels."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return word, _joined(word, parts[:middle]), _joined(word, parts[middle:])


def _comparison(operator: Comparison, node: exp.Expr) -> Condition:
    from sqlglot import exp

    if isinstance(node.expression, exp.Column):
        return _MIRRORED[operator], _column(node.expression), _constant(node.this)
    return operator, _column(node.this), _constant(node.expression)


def _column(node: exp.Expr) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Column) and len(node.parts) == 1:
        return node.name
    raise _not_done(node)


def _constant(node: exp.Expr) -> str | int:
    from sqlglot import exp

    match node:
        case exp.Literal(is_string=True):
            return node.name
        case exp.Literal() if node.name.isdecimal():
            number = int(node.name)
        case exp.Neg(this=exp.Literal(is_string=False)) if node.this.name.isdecimal():
            number = -int(node.this.name)
        case _:
            raise _not_done(node)
    if not -(1 << 63) <= number < 1 << 63:
        raise ConfigError(f"{number} is no number of 64 bits, as columns hold them")
    return number


def _not_done(node: exp.Expr) -> ConfigError:
    return ConfigError(
        f"{_shortened(node.sql())} is not done here: "
        "compare columns with constants, and join by AND, OR, NOT"
    )


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
