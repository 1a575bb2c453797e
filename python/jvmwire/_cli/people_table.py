"""Table of rows for people: aligned columns that fit a terminal, with units and local times."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from jvmwire._cli.tabular import WIDTH
from jvmwire._escaping import escape, shorten
from jvmwire._units import latency, share_of, size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROWS: Final = 1000
"""Rows that are formatted at a time; the first ones decide the widths (chosen by jvmwire)."""
GAP: Final = 2
"""Spaces between two columns."""
MAX_TEXT: Final = 4096
"""Characters of a value that are looked at; a cut is marked (chosen by jvmwire)."""
NARROW: Final = 16
"""The width to which a column of texts is narrowed so that more columns fit (chosen by jvmwire)."""
MIDDLE: Final = 40
"""The width that each column of texts gets before any gets more (chosen by jvmwire)."""
PADDED: Final = 100
"""The largest width of a column where no terminal limits it (chosen by jvmwire)."""
CUT: Final = "…"
"""The end of a value that is cut."""
NONE: Final = "-"
"""The cell of a value that is null."""

USEFUL: Final[Mapping[str, Sequence[str]]] = {
    "messages": (
        *("ts", "stream", "side", "name", "error", "fields", "kind", "id", "length", "protocol"),
        *("offset", "parent"),
    ),
    "calls": (
        *("start", "status", "latency_us", "name", "user", "target", "error_class", "reply_bytes"),
        *("client", "request_bytes", "retry", "attributes", "server", "protocol", "stream", "id"),
        *("request_offset", "reply_offset"),
    ),
    "streams": (
        *("stream", "protocol", "client", "server", "start", "ended", "messages", "errors"),
        *("client_bytes", "server_bytes", "end", "client_packets", "server_packets"),
        *("client_lost_bytes", "server_lost_bytes", "client_retransmitted_bytes"),
        *("server_retransmitted_bytes", "client_differing_bytes", "server_differing_bytes"),
    ),
}
"""The columns by table: the most useful ones first, which is the order in which they are shown."""
LIVE: Final[Mapping[str, int]] = {
    "ts": 29,
    "start": 29,
    "latency_us": 9,
    "name": 28,
    "user": 10,
    "target": 30,
    "fields": 40,
    "client": 21,
    "server": 21,
    "id": 6,
    "length": 9,
    "request_bytes": 9,
    "reply_bytes": 9,
}
"""The least widths of columns of rows that come one by one, where the first row says little."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIMES = frozenset({"ts", "start", "end"})


class _Number(str):
    """The digits of a number in JSON, of any length and without loss."""

    __slots__ = ()


_decode_row: Callable[[str], dict[str, Any]] = json.JSONDecoder(
    parse_int=_Number, parse_float=_Number, parse_constant=_Number
).decode


def format_time(microseconds: int) -> str:
    """Return a time as ISO 8601 has it, in local time with its offset from UTC.

    Args:
        microseconds: Microseconds since 1970, UTC.
    """
    try:
        when = (_EPOCH + timedelta(microseconds=microseconds)).astimezone()
    except (OverflowError, OSError, ValueError):  # beyond the calendar
        return str(microseconds)
    return when.isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    is_number: bool
    is_time: bool
    format: Callable[[Any], str]

    @property
    def heading(self) -> str:
        return escape(self.name)  # a query may name a column in any way

    def text(self, value: Any) -> str:
        return NONE if value is None else self.format(value)


_KINDS: Final[Mapping[str, tuple[bool, Callable[[Any], str]]]] = {
    "time": (False, lambda value: format_time(int(value))),
    "duration": (True, lambda value: latency(float(value))),
    "share": (True, lambda value: share_of(float(value))),
    "size": (True, lambda value: size(int(float(value)))),
    "fields": (False, lambda value: _format_fields(value)),
    "number": (True, lambda value: _format_text(value)),
    "text": (False, lambda value: _format_text(value)),
}
"""Whether values of a kind end at the right, and how they are formatted."""
_BY_NAME: Final[Mapping[str, str]] = {
    **dict.fromkeys(_TIMES, "time"),
    "latency_us": "duration",
    "share": "share",
    "length": "size",
    "fields": "fields",
    "attributes": "fields",
    **dict.fromkeys(
        (
            *("stream", "offset", "parent", "request_offset", "reply_offset", "retry"),
            *("messages", "errors", "client_packets", "server_packets", "count"),
        ),
        "number",
    ),
}


def _column(name: str, kinds: Mapping[str, str] | None) -> _Column:
    known = _BY_NAME.get(name, "size" if name.endswith("_bytes") else "text")
    kind = known if kinds is None else kinds[name]
    if kind == "number" and known in {"duration", "size"}:
        kind = known
    is_number, format_ = _KINDS[kind]
    return _Column(name, is_number=is_number, is_time=kind == "time", format=format_)


def _format_text(value: Any) -> str:
    if isinstance(value, bool | dict | list):
        value = _json(value)
    return escape(shorten(str(value), MAX_TEXT)) if value != "" else '""'


def _format_fields(value: Any) -> str:
    """Format an object as `key=value` for each of its members, and what they hold as JSON."""
    if not isinstance(value, dict):
        return _format_text(value)
    parts = []
    length = 0
    for key, inner in value.items():
        text = inner if isinstance(inner, str) and inner else _json(inner)
        parts.append(f"{key}={text}")
        length += len(parts[-1])
        if length > MAX_TEXT:
            break
    return escape(shorten(" ".join(parts), MAX_TEXT))


def _json(value: Any) -> str:
    match value:
        case _Number():
            return value
        case dict():
            return f"{{{','.join(f'{_json(key)}:{_json(inner)}' for key, inner in value.items())}}}"
        case list():
            return f"[{','.join(map(_json, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)


class PeopleTable:
    """Writer of rows as a table; the first rows decide which columns are shown, and how wide.

    Args:
        file: Where the table goes.
        table: Name of the table.
        columns: Names of the columns of the rows.
        named: Whether the user named the columns: then all are shown, in their order.
        width: Columns of the terminal; None for no limit.
        live: Whether rows come one by one.
        kinds: Kinds of the columns by name: time, number, fields or text; None (the default) tells
            them by their names.
        encoding: Encoding of the text. Default: UTF-8.
    """

    def __init__(
        self,
        file: BinaryIO,
        table: str,
        columns: Sequence[str],
        *,
        named: bool,
        width: int | None,
        live: bool,
        kinds: Mapping[str, str] | None = None,
        encoding: str = "utf-8",
    ) -> None:
        self._file = file
        self._named = named
        self._width = width or WIDTH
        self._cuts = width is not None
        self._live = live
        self._encoding = encoding
        useful = [] if named else [name for name in USEFUL.get(table, ()) if name in columns]
        rest = [name for name in columns if name not in useful]
        self._columns = [_column(name, kinds) for name in (*useful, *rest)]
        self._valued: set[str] = set()
        self._layout: list[tuple[_Column, int]] = []

    @property
    def left_out(self) -> list[str]:
        """Names of the columns with values that did not fit."""
        shown = {column.name for column, _ in self._layout}
        return [
            column.name
            for column in self._columns
            if column.name in self._valued and column.name not in shown
        ]

    def write(self, lines: Sequence[bytes]) -> None:
        """Write rows.

        Args:
            lines: The rows as JSON, one each.
        """
        for at in range(0, len(lines), ROWS):
            self._write([_decode_row(line.decode()) for line in lines[at : at + ROWS]])
        self._file.flush()

    def _write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        valued = {name for row in rows for name, value in row.items() if value is not None}
        parts = []
        # Another layout where an earlier one has no place for a column, such as the first error.
        if not self._layout or not valued <= self._valued:
            before = self._layout
            self._valued |= valued
            layout = self._lay_out(rows)
            if [column for column, _ in layout] != [column for column, _ in before]:
                self._layout = layout
                parts += [""] * bool(before)
                parts.append(self._line([column.heading for column, _ in layout]))
        parts += [self._line([c.text(row.get(c.name)) for c, _ in self._layout]) for row in rows]
        text = "".join(f"{part}\n" for part in parts)
        self._file.write(text.encode(self._encoding, "backslashreplace"))

    def _line(self, cells: Sequence[str]) -> str:
        texts = [
            _fit(cell, width, column, cuts=self._cuts)
            for (column, width), cell in zip(self._layout, cells, strict=True)
        ]
        return (" " * GAP).join(texts).rstrip()

    def _lay_out(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[_Column, int]]:
        """Choose the columns that fit, and their widths."""
        wanted: dict[str, int] = {}
        least: dict[str, int] = {}
        for column in self._columns:
            name = column.name
            if not self._named and name not in self._valued:
                continue
            cells = (_length(column.text(row.get(name))) for row in rows)
            heading = _length(column.heading)
            wanted[name] = max(heading, LIVE.get(name, 0) if self._live else 0, *cells)
            if not self._cuts:
                wanted[name] = min(wanted[name], PADDED)
            narrow = wanted[name] if column.is_number or column.is_time else NARROW
            least[name] = max(heading, min(wanted[name], narrow))
        widths: dict[str, int] = {}
        left = self._width + GAP
        for name, width in least.items():
            if widths and not self._named and width + GAP > left:
                break
            widths[name] = width
            left -= width + GAP
        for limit in (MIDDLE, self._width):
            for name in widths:
                more = min(max(0, min(wanted[name], limit) - widths[name]), max(left, 0))
                widths[name] += more
                left -= more
        layout = [
            (column, widths[column.name]) for column in self._columns if column.name in widths
        ]
        last, width = layout[-1]
        if not last.is_number:  # no column is moved by a longer value of later rows
            layout[-1] = (last, width + max(left, 0))
        return layout


def terminal_width(file: BinaryIO) -> int | None:
    """Return the columns of the terminal that a file is; None if it is no terminal.

    Args:
        file: The output. The variable COLUMNS, if it is set, says the width of any output.
    """
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and 0 < int(said[:6]) <= WIDTH:
        return int(said)
    try:
        return os.get_terminal_size(file.fileno()).columns or None
    except OSError:  # it is no terminal
        return None


def terminal_encoding() -> str:
    """Return the encoding of standard output."""
    return sys.stdout.encoding or "utf-8"


def _length(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fit(text: str, width: int, column: _Column, *, cuts: bool) -> str:
    """Return a cell, padded or cut to a width."""
    length = _length(text)
    if length > width and cuts and column.name == "name":  # the method is at the end
        return CUT + _cut(text[::-1], width - 1)[::-1]
    return fit(text, width if cuts else max(width, length), right=column.is_number)


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Return a text, padded or cut to a width; a cut is marked.

    Args:
        text: The text, without control characters.
        width: Columns of a terminal, at least 1.
        right: Whether the text ends at the right. Default: False.
    """
    length = _length(text)
    if length > width:
        return _cut(text, width - 1) + CUT
    padding = " " * (width - length)
    return padding + text if right else text + padding


def _cut(text: str, width: int) -> str:
    if text.isascii():
        return text[:width]
    from rich.cells import set_cell_size

    return set_cell_size(text, width)
