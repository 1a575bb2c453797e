"""Output of rows as JSON lines, Arrow's stream format, Parquet, or an annotated dump."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, BinaryIO

import click

from jvmwire._files import STDOUT, open_growing, open_output, refuse_inputs, refuse_terminal
from jvmwire.capture import DecodeSession, View
from jvmwire.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa

Write = Callable[[DecodeSession], None]


def refuse_empty(names: Sequence[str]) -> None:
    """Raise `click.UsageError` if a file name is empty, which would stand for the current folder.

    An unset variable of a shell expands to such a name.

    Args:
        names: File names of the command line.
    """
    if "" in names:
        raise click.UsageError("a file name is empty; the current folder is named .")


@contextmanager
def open_result(
    path: Path | None,
    *,
    inputs: Sequence[Path | int] = (),
    is_binary: bool = False,
    grows: bool = False,
) -> Iterator[BinaryIO]:
    """Open the output of a command: a file, or standard output.

    Args:
        path: File, which appears if the block ends without an error; None for standard output.
        inputs: Files that the command reads, by path or descriptor. Default: none.
        is_binary: Whether the content must not be written to a terminal. Default: False.
        grows: Whether the file appears at the start, and must be new or empty. Default: False.

    Returns:
        A context manager of the binary file.

    Raises:
        ConfigError: the output is one of the inputs, or a terminal for binary content.
    """
    if path is None:
        stdout = sys.stdout.buffer
        refuse_inputs(STDOUT, inputs)
        if is_binary:
            refuse_terminal(stdout, "standard output")
        yield stdout
        stdout.flush()
        return
    refuse_inputs(path, inputs)
    opened = open_growing if grows else open_output
    with opened(path, is_binary=is_binary) as file:
        yield file
        file.flush()


@contextmanager
def open_rows(
    format_: str,
    view: View,
    path: Path | None,
    *,
    inputs: Sequence[Path | int],
    explain: bool,
    grows: bool,
) -> Iterator[Write]:
    """Open the output of the rows of a view.

    Args:
        format_: Format: "jsonl", "arrow" or "parquet".
        view: View whose rows are written.
        path: File, or None for standard output.
        inputs: Files that the command reads, by path or descriptor.
        explain: Whether to write an annotated dump rather than rows.
        grows: Whether the file appears at the start, and must be new or empty.

    Returns:
        A context manager of a function that writes a decoding session.

    Raises:
        ConfigError: the output is one of the inputs, or a terminal for binary content.
        MissingExtra: the format needs pyarrow.
    """
    is_binary = not explain and format_ != "jsonl"
    if is_binary:
        _need_pyarrow(format_)
    with ExitStack() as stack:
        file = stack.enter_context(
            open_result(path, inputs=inputs, is_binary=is_binary, grows=grows)
        )
        if explain:
            yield lambda reading: _write_text(reading, file)
        elif format_ == "jsonl":
            yield lambda reading: _write_lines(reading, file)
        else:
            write_batch = _open_arrow(stack, format_, view, file)
            yield lambda reading: _write_batches(reading, write_batch)


def _write_text(reading: DecodeSession, file: BinaryIO) -> None:
    for text in reading.explanations():
        file.write(text.encode())


def _write_lines(reading: DecodeSession, file: BinaryIO) -> None:
    for _, batch in reading:
        file.write(batch.to_jsonl())
        # Flush, since a person or program may follow the output.
        file.flush()


def _write_batches(reading: DecodeSession, write: Callable[[pa.RecordBatch], None]) -> None:
    import pyarrow as pa

    for _, batch in reading:
        write(pa.record_batch(batch))


def _need_pyarrow(format_: str) -> None:
    """Check for pyarrow before a file is opened, and so truncated."""
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            f"--format {format_} needs pyarrow: pip install 'jvmwire[arrow]'"
        ) from error


def _open_arrow(
    stack: ExitStack, format_: str, view: View, file: BinaryIO
) -> Callable[[pa.RecordBatch], None]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmwire.capture._arrow import arrow_schema

    schema = arrow_schema(view)
    if format_ == "arrow":
        stream = pa.ipc.new_stream(file, schema)  # type: ignore[arg-type]
        return stack.enter_context(stream).write_batch
    writer = pq.ParquetWriter(file, schema, compression="zstd")
    return stack.enter_context(writer).write_batch
