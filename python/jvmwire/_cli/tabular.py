"""Output of rows as a table for people, or as JSON lines for programs."""

from __future__ import annotations

import base64
import dataclasses
import enum
import json
import sys
from typing import TYPE_CHECKING, Any

import click
import orjson

from jvmwire._escaping import escape, escape_json, escape_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WIDTH = 1 << 16
"""The largest width of a table in columns; a terminal wraps its lines. (Chosen by jvmwire.)"""
_UNITS = ("B", "K", "M", "G", "T", "P", "E")


def write_json(rows: Iterable[Any]) -> None:
    """Print one JSON object per line; bytes are `{"base64": ...}`, as in `jvmwire decode`.

    Args:
        rows: Values that JSON can express, dataclasses, and bytes.
    """
    for row in rows:
        sys.stdout.buffer.write(as_json(row) + b"\n")
    sys.stdout.buffer.flush()


def as_json(value: Any) -> bytes:
    """Return a value as JSON on one line, with terminal control characters escaped.

    Args:
        value: Value that JSON can express, or with dataclasses and bytes in it.

    Returns:
        The JSON text in UTF-8.
    """
    plain = _plain(value)
    try:
        document = orjson.dumps(plain)
    except TypeError:  # integers of more than 64 bits, lone surrogates
        document = json.dumps(plain, separators=(",", ":"), default=str).encode()
    return escape_json(document)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    match value:
        case bytes():
            return {"base64": base64.b64encode(value).decode()}
        case enum.Enum():
            return value.value
        case dict():
            return {name: _plain(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case other:
            return other


def write_table(
    columns: Mapping[str, str], rows: Iterable[Sequence[str]], *, heading: bool = True
) -> None:
    """Print a table without truncation.

    Args:
        columns: Justification of the columns by their names.
        rows: Texts of the cells.
    """
    from rich.console import Console  # most commands print no table
    from rich.table import Table

    table = Table(
        box=None, show_header=heading, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0)
    )
    for name, justify in columns.items():
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*map(escape, row))
    Console(file=sys.stdout, highlight=False, markup=False, width=WIDTH).print(table)


def format_size(number: int) -> str:
    """Return a size in bytes for people, such as `1.5 G`.

    Args:
        number: Number of bytes.

    Returns:
        The text.
    """
    size, unit = float(number), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{number} B" if not unit else f"{size:.1f} {_UNITS[unit]}"


def echo_safe(text: str) -> None:
    """Print a line of data, with its control characters escaped.

    Args:
        text: The line.
    """
    click.echo(escape(text))


def warn(text: str) -> None:
    """Print one line to standard error, with control characters escaped, and truncated if too long.

    Args:
        text: The line.
    """
    click.echo(f"jvmwire: {escape_message(text)}", err=True)


def write_bytes(data: bytes) -> None:
    """Write data to standard output; if that is a terminal, escaped line by line.

    Args:
        data: The data.
    """
    out = sys.stdout.buffer
    if sys.stdout.isatty():
        lines = data.decode("utf-8", "backslashreplace").split("\n")
        data = "\n".join(map(escape, lines)).encode()
    out.write(data)
    out.flush()
