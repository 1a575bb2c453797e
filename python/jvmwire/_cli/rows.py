"""Output of rows: a table for people, JSON lines, CSV, Arrow's stream format, or Parquet."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from jvmwire._cli.output import open_result
from jvmwire._cli.people_table import PeopleTable, terminal_encoding, terminal_width
from jvmwire._cli.tabular import as_json, warn
from jvmwire._cli.termination import deferred_termination
from jvmwire._escaping import escape
from jvmwire._extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

FILE = "file"
"""The column with the name of the capture's file."""


class Format(StrEnum):
    """The value of the option `--format`."""

    TABLE = "table"
    JSONL = "jsonl"
    CSV = "csv"
    ARROW = "arrow"
    PARQUET = "parquet"

    @property
    def is_binary(self) -> bool:
        """Whether the output must not go to a terminal."""
        return self in {Format.ARROW, Format.PARQUET}

    @property
    def needs_arrow(self) -> bool:
        """Whether the format is written by pyarrow."""
        return self.is_binary or self is Format.CSV


class Rows(Protocol):
    """Rows of one table, as `RecordBatch` has them."""

    @property
    def num_rows(self) -> int:
        """Number of rows."""

    def to_jsonl(self) -> bytes:
        """Encode the rows as JSON, one object per line, in UTF-8."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export the rows through Arrow's PyCapsule interface."""


class TableView(Protocol):
    """Description of rows, as `View` has it."""

    @property
    def table(self) -> str:
        """Name of the table."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""

    def __arrow_c_schema__(self) -> object:
        """Export the schema through Arrow's PyCapsule interface."""


WriteRows = Callable[[Rows, int, str], None]
"""Function that writes the first rows of a batch: the batch, how many, and their file's name."""


class RowOutput:
    """Output of the rows of captures, up to a number of them.

    Args:
        write: Function that writes a number of rows of a batch, from the first one, which a file
            has; see `WriteRows`.
        limit: The largest number of rows; None for all.
    """

    def __init__(self, write: WriteRows, limit: int | None) -> None:
        self._write = write
        self._limit = limit
        self.rows = 0
        """The number of rows written."""

    @property
    def is_full(self) -> bool:
        """Whether the limit is reached, so that nothing need be decoded any more."""
        return self._limit is not None and self.rows >= self._limit

    def write(self, batches: Iterable[tuple[str, Rows]]) -> None:
        """Write rows until they end, or the limit is reached.

        Args:
            batches: Names of files, each with rows of it.
        """
        for file, batch in batches:
            count = batch.num_rows
            if self._limit is not None:
                count = min(count, self._limit - self.rows)
            self._write(batch, count, file)
            self.rows += count
            if self.is_full:
                return


def default_format(path: Path | None) -> Format:
    """Return the format where none is named: a table on a terminal, else JSON lines.

    Args:
        path: Output file, or None for standard output.
    """
    return Format.TABLE if path is None and sys.stdout.isatty() else Format.JSONL


def check_format(format_: Format) -> None:
    """Raise `MissingExtra` if a format cannot be written, before a file is opened for it.

    Args:
        format_: The format.
    """
    if format_.needs_arrow:
        import_extra("pyarrow", f"--format {format_} needs", "'jvmwire[arrow]'")


@contextmanager
def open_rows(
    format_: Format,
    view: TableView,
    path: Path | None,
    *,
    inputs: Sequence[Path | int],
    grows: bool = False,
    live: bool = False,
    named: bool = False,
    limit: int | None = None,
    names_files: bool = False,
    partition_by: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> Iterator[RowOutput]:
    """Open the output of the rows of a view.

    Args:
        format_: Format of the rows.
        view: View whose rows are written.
        path: File, or None for standard output.
        inputs: Files that the command reads, by path or descriptor.
        grows: Whether the file appears at the start, and must be new or empty. Default: False.
        live: Whether rows come one by one. Default: False.
        named: Whether the user named the columns. Default: False.
        limit: The largest number of rows; None (the default) for all.
        names_files: Whether rows of Arrow and Parquet have a column `file`. Default: False.
        partition_by: Columns whose values name folders of Parquet files. Default: none.
        kinds: Kinds of columns by name, see `PeopleTable`; None (the default) tells by name.

    Returns:
        A context manager of the output.

    Raises:
        ConfigError: the output is one of the inputs, or a terminal for binary content.
        MissingExtra: the format needs pyarrow.
    """
    check_format(format_)
    with ExitStack() as stack:
        if format_ is Format.PARQUET and partition_by:
            assert path is not None  # noqa: S101 - the options were checked
            yield RowOutput(
                stack.enter_context(_partitions(path, view, partition_by, names_files=names_files)),
                limit,
            )
            return
        file = stack.enter_context(
            open_result(path, inputs=inputs, is_binary=format_.is_binary, grows=grows)
        )
        match format_:
            case Format.TABLE:
                write = stack.enter_context(_table(file, view, named=named, live=live, kinds=kinds))
            case Format.JSONL:
                write = _lines(file)
            case Format.CSV:
                write = _csv(file, view, is_shown=path is None and sys.stdout.isatty())
            case _:
                write = stack.enter_context(_arrow(format_, file, view, names_files=names_files))
        yield RowOutput(write if path is None else _whole(write), limit)


def _whole(write: WriteRows) -> WriteRows:
    """Return a function that writes rows to a file as `write` does, and is not interrupted."""

    def write_whole(batch: Rows, count: int, file: str) -> None:
        with deferred_termination():
            write(batch, count, file)

    return write_whole


def first_lines(batch: Rows, count: int) -> list[bytes]:
    """Return the first rows of a batch as JSON, one each with its line feed.

    Args:
        batch: The rows.
        count: How many.
    """
    # JSON has no raw carriage return, which would end a line here too.
    return batch.to_jsonl().splitlines(keepends=True)[:count]


def _lines(file: BinaryIO) -> WriteRows:
    def write(batch: Rows, count: int, _: str) -> None:
        whole = count == batch.num_rows
        file.write(batch.to_jsonl() if whole else b"".join(first_lines(batch, count)))
        # Flush, since a person or program may follow the output.
        file.flush()

    return write


@contextmanager
def _table(
    file: BinaryIO,
    view: TableView,
    *,
    named: bool,
    live: bool,
    kinds: Mapping[str, str] | None,
) -> Iterator[WriteRows]:
    is_terminal = file is sys.stdout.buffer and sys.stdout.isatty()
    table = PeopleTable(
        file,
        view.table,
        view.columns,
        named=named,
        width=terminal_width(file),
        live=live,
        kinds=kinds,
        encoding=terminal_encoding() if is_terminal else "utf-8",
    )
    yield lambda batch, count, _: table.write(first_lines(batch, count))
    if table.left_out:
        names = ", ".join(table.left_out)
        warn(f"columns that do not fit: {names}; --columns shows those that it names")


def _csv(file: BinaryIO, view: TableView, *, is_shown: bool) -> WriteRows:
    """Write the header, and return a function that writes rows as RFC 4180 has them."""
    import pyarrow as pa

    def put(rows: Iterable[Sequence[Any]]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows)
        file.write(text.getvalue().encode())
        file.flush()

    def write(batch: Rows, count: int, _: str) -> None:
        columns = map(_values, pa.record_batch(batch).slice(0, count).columns)
        rows: Iterable[Sequence[Any]] = zip(*columns, strict=True)
        put((list(map(_shown, row)) for row in rows) if is_shown else rows)

    put([list(map(escape, view.columns)) if is_shown else view.columns])
    return write


def microseconds(column: Any) -> Any:
    """Return a column of times, of any resolution, as microseconds; a finer part is cut.

    Args:
        column: Column of Arrow's timestamps.
    """
    import pyarrow as pa

    return column.cast(pa.timestamp("us", tz=column.type.tz), safe=False).cast(pa.int64())


def _shown(value: Any) -> Any:
    return escape(value) if isinstance(value, str) else value


def _values(column: Any) -> list[Any]:
    import pyarrow as pa

    # As in JSON lines: times are microseconds.
    values: list[Any] = (
        microseconds(column) if pa.types.is_timestamp(column.type) else column
    ).to_pylist()
    if pa.types.is_boolean(column.type):
        return [None if value is None else str(value).lower() for value in values]
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        return [None if value is None else as_json(value).decode() for value in values]
    return values


@contextmanager
def _arrow(
    format_: Format, file: BinaryIO, view: TableView, *, names_files: bool
) -> Iterator[WriteRows]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(view, names_files=names_files)
    opened: Any = (
        pa.ipc.new_stream(file, schema)  # type: ignore[arg-type]
        if format_ is Format.ARROW
        else pq.ParquetWriter(file, schema, compression="zstd")
    )
    with opened as writer:
        yield lambda *rows: writer.write_batch(_batch(*rows, schema=schema))


@contextmanager
def _partitions(
    path: Path, view: TableView, by: Sequence[str], *, names_files: bool
) -> Iterator[WriteRows]:
    from jvmwire._cli.partitions import open_partitions

    schema = _schema(view, names_files=names_files)
    with open_partitions(path, schema, by) as writer:
        yield lambda *rows: writer.write(_batch(*rows, schema=schema))


def _schema(view: TableView, *, names_files: bool) -> pa.Schema:
    import pyarrow as pa

    schema = pa.schema(view)  # type: ignore[arg-type]  # the stubs do not know Arrow's capsules
    return schema.append(pa.field(FILE, pa.string(), nullable=False)) if names_files else schema


def _batch(batch: Rows, count: int, file: str, *, schema: pa.Schema) -> pa.RecordBatch:
    """Return the first rows of a batch, with the name of their file if the schema has it."""
    import pyarrow as pa

    rows = pa.record_batch(batch).slice(0, count)
    if schema.names[-1:] != [FILE]:
        return rows
    columns = [*rows.columns, pa.repeat(pa.scalar(file), count)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
