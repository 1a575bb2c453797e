"""One table of captures as a data frame that others import by Arrow's C stream."""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from jvmwire._escaping import path_text
from jvmwire._extras import import_extra
from jvmwire.capture._reading import DecodeSession, read_rotated
from jvmwire.capture._rings import group_rotated
from jvmwire.capture._sources import find_sources
from jvmwire.capture._urls import UrlFile
from jvmwire.capture._views import make_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from jvmwire._core import RecordBatch, View

PREVIEW_ROWS = 10
"""Rows of a frame's HTML preview (chosen by jvmwire)."""

PREVIEW_BYTES = 8 << 20
"""Bytes that are read of each file for the preview: a condition may select no row (chosen by
jvmwire)."""

MAX_CELL = 200
"""Characters of a value that the preview shows (chosen by jvmwire)."""

Source = str | PathLike[str] | BinaryIO
"""A path of a file or folder, a pattern, a URL, or an open binary file."""


class CaptureFrame:
    """One table of captures, decoded again by each use, in batches and so in bounded memory.

    `pyarrow.table(frame)`, and every other consumer of Arrow's C stream, accepts it.
    """

    def __init__(
        self, sources: Sequence[Path | UrlFile | BinaryIO], view: View, options: dict[str, Any]
    ) -> None:
        self._sources = sources
        self._starts = [
            None if isinstance(file, Path | UrlFile) else _position(file) for file in sources
        ]
        self._view = view
        self._options = options

    @property
    def schema(self) -> pa.Schema:
        """The pyarrow schema of the rows."""
        schema: pa.Schema = _pyarrow().schema(self._view)
        return schema

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return self._view.columns

    def __iter__(self) -> Iterator[RecordBatch]:
        """Decode the captures into batches.

        After the batches of a capture, a `UserWarning` names each file that is damaged, and says
        how many bytes were not decoded for each reason.
        """
        first_stream = 0
        for files, names in self._captures():
            session = read_rotated(files, [self._view], first_stream=first_stream, **self._options)
            for _, batch in session:
                yield batch
            first_stream = session.next_stream
            _warn(names, session)

    def __arrow_c_schema__(self) -> object:
        return self._view.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        reader: Any = self._reader()
        return reader.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """Decode everything into a pyarrow table.

        Returns:
            The table with the columns of the frame.
        """
        return self._reader().read_all()

    def to_pandas(self) -> Any:
        """Decode everything into a pandas data frame.

        Returns:
            A `pandas.DataFrame` with the columns of the frame.

        Raises:
            MissingExtra: pandas is not installed.
        """
        import_extra("pandas", "to_pandas needs", "pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Decode everything into a polars data frame.

        Returns:
            A `polars.DataFrame` with the columns of the frame.

        Raises:
            MissingExtra: polars is not installed.
        """
        return import_extra("polars", "to_polars needs", "polars").DataFrame(self)

    def __repr__(self) -> str:
        names = ", ".join(_name(file) for file in self._sources[:3])
        more = ", ..." if len(self._sources) > 3 else ""
        return f"<CaptureFrame {self._view.table} of {names}{more}>"

    def _repr_html_(self) -> str:
        """Return the first rows as an HTML table, as notebooks show it.

        At most `PREVIEW_BYTES` of each file are read, and of a file that cannot be read again none.
        """
        from html import escape

        pa = _pyarrow()
        rows: list[dict[str, Any]] = []
        for batch in self._preview():
            rows += pa.record_batch(batch).slice(0, PREVIEW_ROWS - len(rows)).to_pylist()
            if len(rows) == PREVIEW_ROWS:
                break
        heads = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        cells = (
            [f"<td>{escape(str(value)[:MAX_CELL])}</td>" for value in row.values()] for row in rows
        )
        lines = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
        return f"<p>{escape(repr(self))}, first rows:</p>{table}"

    def _preview(self) -> Iterator[RecordBatch]:
        """Decode the beginning of each file, as if it were a capture of its own."""
        if not all(map(_is_repeatable, self._sources)):
            return
        for file, start in zip(self._sources, self._starts, strict=True):
            opened = _open(file, start)
            try:
                head = cast("BinaryIO", _Unclosed(opened, PREVIEW_BYTES))
                for _, batch in read_rotated([head], [self._view], **self._options):
                    yield batch
            finally:
                if isinstance(file, Path | UrlFile):
                    opened.close()

    def _reader(self) -> pa.RecordBatchReader:
        arrow = _pyarrow()
        batches = (arrow.record_batch(batch) for batch in self)
        reader: pa.RecordBatchReader = arrow.RecordBatchReader.from_batches(self.schema, batches)
        return reader

    def _captures(self) -> Iterator[tuple[Sequence[Path | BinaryIO], Sequence[str]]]:
        """Yield the files of each capture, and their names."""
        paths = [file for file in self._sources if isinstance(file, Path)]
        for group in group_rotated(paths):
            yield group, [_name(path) for path in group]
        for file, start in zip(self._sources, self._starts, strict=True):
            if isinstance(file, UrlFile):
                yield [file.open()], [file.shown]  # the decode closes it
            elif not isinstance(file, Path):
                yield [cast("BinaryIO", _Unclosed(_open(file, start)))], [_name(file)]


def _open(file: Path | UrlFile | BinaryIO, start: int | None) -> BinaryIO:
    """Return a source as an open file, at the position from which it is read."""
    if isinstance(file, Path):
        return file.open("rb")
    if isinstance(file, UrlFile):
        return file.open()
    if start is not None:
        file.seek(start)
    return file


class _Unclosed:
    """A file that a decode does not close, or its first `limit` bytes."""

    def __init__(self, file: BinaryIO, limit: int | None = None) -> None:
        self._file = file
        self._left = limit

    def read(self, size: int = -1) -> bytes:
        if self._left is not None:
            size = self._left if size < 0 else min(size, self._left)
        data = self._file.read(size)
        if self._left is not None:
            self._left -= len(data)
        return data

    def __enter__(self) -> _Unclosed:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the file open."""


def read_capture(
    source: Source | Iterable[Source],
    table: str = "calls",
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    protocol: str | None = None,
    redact: bytes | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CaptureFrame:
    """Return one table of captures as a data frame; nothing is decoded before its first use.

    Args:
        source: A path of a file or folder, a pattern such as `day*/nn.pcap.gz`, a URL such as
            `s3://bucket/nn.pcap.gz` or `s3://bucket/*.pcap`, an open binary file, or several of
            these. Files of one ring buffer are one capture, as in `jvmwire decode`; those at URLs
            are captures of their own, and rows of URLs and open files come last.
        table: `calls` (the default), `messages`, `streams` or `traffic`.
        columns: Names of columns in order; None (the default) selects all.
        where: An SQL condition on rows; None (the default) selects all.
        protocol: The protocol of all connections; None (the default) detects it.
        redact: A key from `redaction_key`, with which values chosen by users are replaced.
        storage_options: Options of the file system of URLs, as for `fsspec.open`: credentials,
            end points.

    Returns:
        The frame: an iterable of batches, and an Arrow stream. Rows are in order of the
        last packet of each.

    Raises:
        ConfigError: a path or URL does not exist, the table or a column does not exist, or the
            condition is invalid.
        MissingExtra: a URL is given, and fsspec or a package that it needs is not installed.
    """
    one: Any = source
    sources: list[Source] = (
        [one] if isinstance(one, str | PathLike) or hasattr(one, "read") else list(one)
    )
    view = make_view(table, columns=columns, where=where)
    named = [each for each in sources if isinstance(each, str | PathLike)]
    files = [each for each in sources if not isinstance(each, str | PathLike)]
    found, urls = find_sources(named, storage_options)
    return CaptureFrame([*found, *urls, *files], view, {"protocol": protocol, "redact": redact})


def _warn(names: Sequence[str], session: DecodeSession) -> None:
    for number, damage in session.damages.items():
        warnings.warn(f"{names[number]}: {damage}", UserWarning, stacklevel=3)
    for sentence in session.describe_undecoded(names):
        warnings.warn(sentence, UserWarning, stacklevel=3)


def _is_repeatable(source: Path | UrlFile | BinaryIO) -> bool:
    return isinstance(source, Path | UrlFile) or source.seekable()


def _position(file: BinaryIO) -> int | None:
    return file.tell() if file.seekable() else None


def _name(source: object) -> str:
    if isinstance(source, UrlFile):
        return source.shown
    return path_text(source) if isinstance(source, Path) else "an open file"


def _pyarrow() -> Any:
    return import_extra("pyarrow", "data frames need", "'jvmwire[arrow]'")
