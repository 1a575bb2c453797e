"""Views of a table from the columns and the condition that a user wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._checks import suggestion
from jvmwire._core import View
from jvmwire._escaping import is_unicode, quote
from jvmwire.capture._condition import condition_columns, parse_condition
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def make_view(
    table: str, *, columns: Sequence[str] | None = None, where: str | None = None
) -> View:
    """Return the view of `table` with `columns`, for the rows that match `where`.

    Args:
        table: The name of the table.
        columns: Names of columns in order; None (the default) selects all.
        where: An SQL condition, see `parse_condition`; None (the default) selects all rows.

    Returns:
        The view, for `read_tables`.

    Raises:
        ConfigError: the table or a column does not exist, or the condition is invalid.
    """
    for name in columns or ():
        if not is_unicode(name):  # a name from the command line need not be valid Unicode
            raise ConfigError(f"there is no column {quote(name)} in table {table}")
    condition = None if where is None else parse_condition(where)
    try:
        return View(table, columns=columns, condition=condition)
    except ValueError as error:
        named = [*(columns or ()), *(() if condition is None else condition_columns(condition))]
        raise ConfigError(f"{error}{_similar_column(table, named)}") from error


def make_counting_view(where: str | None = None) -> View:
    """Return the view of the table `traffic` that counts the calls that match `where`.

    Args:
        where: An SQL condition on rows of the table `calls`; None (the default) counts all calls.

    Raises:
        ConfigError: a column does not exist, or the condition is invalid.
    """
    if where is None:
        return View("traffic")
    make_view("calls", where=where)  # names a similar column if one does not exist
    return View("traffic", counted=parse_condition(where))


def all_columns(table: str) -> list[str]:
    """Return the columns of a table, with `fields` of messages, which views have on request only.

    Args:
        table: The name of the table.

    Returns:
        The names of the columns, in order.
    """
    columns = View(table).columns
    return [*columns[:-1], "fields", columns[-1]] if table == "messages" else columns


def _similar_column(table: str, named: Iterable[str]) -> str:
    """Return the end of an error about the first name that no column of the table has."""
    try:
        known = View(table).columns
    except ValueError:  # the table does not exist
        return ""
    unknown = next((name for name in named if name not in known), None)
    return "" if unknown is None else suggestion(unknown, known)
