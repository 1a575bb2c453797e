"""What is to be seen of a table, as users write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import View
from jvmwire.capture.condition import parse_condition
from jvmwire.errors import ConfigError
from jvmwire.escaping import is_unicode, quote

if TYPE_CHECKING:
    from collections.abc import Sequence


def view_of(table: str, *, columns: Sequence[str] | None = None, where: str | None = None) -> View:
    """Return the view of `table` that shows `columns` of the rows that `where` is true of.

    Raises `ConfigError` for a table, a column or a condition that there is not.
    """
    for name in columns or ():
        if not is_unicode(name):  # a name from the command line need not be
            raise ConfigError(f"there is no column {quote(name)} in table {table}")
    condition = None if where is None else parse_condition(where)
    try:
        return View(table, columns=columns, condition=condition)
    except ValueError as error:
        raise ConfigError(str(error)) from error
