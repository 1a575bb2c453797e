"""Views of a table from the columns and the condition that a user wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import View
from jvmwire._escaping import is_unicode, quote
from jvmwire.capture._condition import parse_condition
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence


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
        raise ConfigError(str(error)) from error
