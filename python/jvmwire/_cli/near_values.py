"""Values near to those of a condition that no row met, for a hint on standard error."""

from __future__ import annotations

import json
from contextlib import closing
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from jvmwire._cli.tabular import warn
from jvmwire._escaping import quote, shorten
from jvmwire.capture import make_view
from jvmwire.capture._condition import parse_condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmwire._cli.inputs import DecodeInput
    from jvmwire._cli.rows import Rows
    from jvmwire.capture._condition import Condition

MAX_VALUES: Final = 2000
"""Different values of a column that are looked at (chosen by jvmwire)."""
MAX_ROWS: Final = 1_000_000
"""Rows that are looked at (chosen by jvmwire)."""
MAX_LENGTH: Final = 200
"""Characters of a value that are compared (chosen by jvmwire)."""
SHOWN: Final = 3
"""Values that are shown of each column."""
FEW: Final = 6
"""The number of values of a column up to which those that are not near are shown too."""
CUTOFF: Final = 0.5
"""The least similarity of `difflib`, from 0 to 1, of a value that is near."""

_TEXT_COLUMNS: Final = frozenset(
    {
        *("protocol", "side", "name", "kind", "id", "error", "client", "server", "user", "target"),
        *("status", "error_class", "ended"),
    }
)
"""Columns whose values are texts that a user may mistype."""


def compared_texts(where: str) -> dict[str, list[str]]:
    """Return the texts that a condition compares columns with, by column.

    Args:
        where: The condition.
    """
    found: dict[str, list[str]] = {}
    waiting: list[Condition] = [parse_condition(where)]
    while waiting:
        match waiting.pop():
            case ("and" | "or", left, right):
                waiting += (right, left)
            case ("not", inner):
                waiting.append(inner)
            case ("=" | "like" | "ilike" as operator, str(column), str(text)):
                if operator != "=":
                    text = text.replace("%", "").replace("_", " ")
                if column in _TEXT_COLUMNS:
                    found.setdefault(column, []).append(text[:MAX_LENGTH])
            case _:
                pass
    return found


def distinct_values(batches: Iterable[Rows], columns: list[str]) -> dict[str, list[str]]:
    """Return different texts of columns, at most `MAX_VALUES` of each, in the order they come in.

    Args:
        batches: Rows with these columns.
        columns: Names of the columns.
    """
    values: dict[str, dict[str, None]] = {column: {} for column in columns}
    rows = 0
    for batch in batches:
        for line in dict.fromkeys(batch.to_jsonl().splitlines()):
            for column, value in _parsed(line).items():
                if isinstance(value, str) and len(values[column]) < MAX_VALUES:
                    values[column][value[:MAX_LENGTH]] = None
        rows += batch.num_rows
        if rows >= MAX_ROWS or all(len(each) == MAX_VALUES for each in values.values()):
            break
    return {column: list(each) for column, each in values.items()}


def warn_of_no_match(source: DecodeInput, table: str, where: str) -> None:
    """Say on standard error that no row met a condition, and which values are near to its texts.

    Args:
        source: What was decoded.
        table: Name of the table.
        where: The condition.
    """
    compared = compared_texts(where)
    clauses: list[str] = []
    if compared and source.is_repeatable:
        columns = list(compared)
        sessions = source.sessions([make_view(table, columns=columns)], promptly=True)
        with closing(sessions):
            batches = (batch for _, session in sessions for _, batch in session)
            clauses += hints(compared, distinct_values(batches, columns))
    warn("; ".join(["no row matched", *clauses]))


def hints(compared: dict[str, list[str]], values: dict[str, list[str]]) -> Iterator[str]:
    """Yield a clause for each column whose values are others than the condition compares with.

    Args:
        compared: The texts of the condition, by column.
        values: The values of the rows, by column.

    Yields:
        Clauses such as `values of name look like 'Map.put', 'Map.get'`.
    """
    for column, texts in compared.items():
        there = values.get(column, [])
        missing = [text for text in texts if text not in there]
        if not there:
            yield f"no row has a value in {column}"
        elif missing:
            near = _near(missing[0], there)
            yield f"values of {column} look like {', '.join(map(quote, near))}"


def _near(text: str, values: list[str]) -> list[str]:
    """Return the values nearest to a text: those that contain it first, then similar ones."""
    lower = {value.lower(): value for value in values}
    wanted = text.strip().lower()
    inside = sorted((value for key, value in lower.items() if wanted in key), key=len)
    similar = get_close_matches(wanted, lower, n=SHOWN, cutoff=CUTOFF)
    # A part of a name, as the method of an interface, is compared with the last parts too.
    parts = {key.rpartition(".")[2]: value for key, value in lower.items()}
    last = get_close_matches(wanted.rpartition(".")[2], parts, n=SHOWN, cutoff=CUTOFF)
    near = [*inside, *(lower[key] for key in similar), *(parts[key] for key in last)]
    if not near or len(values) <= FEW:
        near += values
    return [shorten(value) for value in list(dict.fromkeys(near))[:SHOWN]]


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
    except ValueError:  # an integer of too many digits
        return {}
    return row
