"""The Spark format `jvmwire`: captures and dumps, decoded on the executors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.capture import find_captures, read_dump
from jvmwire.capture._damage import annotate_damage
from jvmwire.capture._reading import read_range
from jvmwire.capture._rings import rings_of
from jvmwire.spark._capture_stream import CaptureStreamReader
from jvmwire.spark._files import row_of
from jvmwire.spark._options import CaptureOptions
from jvmwire.spark._planning import CapturePart, by_file, plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql.types import StructType


class CaptureSource(DataSource):
    """Captures as the tables `messages`, `calls`, `streams` and `files`.

    Options:

    - `path`: a file or a directory; `load` also takes a list of them.
    - `table`: the table, `messages` by default.
    - `columns`: names separated by commas; `fields` is produced only if it is named.
    - `where`: an SQL condition, evaluated in Rust before rows leave the executor.
    - `protocol`: the protocol of all connections, detected by default.
    - `side`: the path is a raw dump of this side (`client`, `server` or `any`).
    - `redact`: `true` replaces values chosen by users.
    - `redact_secret`: equal values get equal replacements in all reads with the same secret.
    - `range_size`: bytes of a file per task, 64 MiB by default.
    - `index`: a directory for the indexes of larger files, by default next to the files.
    - `rotated`: `true` treats files of one directory whose names differ in digits only as one
      capture, in the order of their first packets, with connections that continue from file to
      file.

    `.schema()` selects columns by name, and casts them.

    If a directory contains a file and its compressed copy, the file is read; names that begin with
    `.` or `_` are hidden. Spark's filters are not pushed down (`pushFilters`): Spark stores them in
    the table that all scans of a DataFrame share, so that one scan would get the filters of
    another.

    Rows are those of a sequential decode, in its order, however a file is split. `stream` is
    numbered within a capture; the number of the capture is in the bits above the lower 32. A file
    that is damaged or cannot be read yields its intact part, a row of `messages` whose `error`
    names the file, and an `error` in the table `files`. The files, and the index, must be readable
    under the same path on the driver and on every executor.

    `readStream` follows one directory into which captures are written and rotated. Files are read
    in the order of the times of their first packets, independently of their names. The progress,
    and the decoder state between two batches, is kept in `journal`, a directory for this query
    alone. After restarts each row still arrives exactly once, in sinks that accept a batch once.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "jvmwire"

    def schema(self) -> StructType:
        """Return the columns of the table that the options select."""
        return from_arrow_schema(CaptureOptions.of(self.options).arrow_schema())

    def reader(self, schema: StructType) -> CaptureReader:
        """Return the reader for the columns of `schema`.

        Args:
            schema: Columns of the table, with the types to cast to.
        """
        return CaptureReader(CaptureOptions.of_read(self.options).selecting(schema))

    def streamReader(self, schema: StructType) -> CaptureStreamReader:  # noqa: N802 - Spark's name
        """Return the stream reader that follows a directory of captures.

        Args:
            schema: Columns of the table, with the types to cast to.
        """
        return CaptureStreamReader(CaptureOptions.of(self.options).selecting(schema))


class CaptureReader(DataSourceReader):
    """Reader that decodes each part of a capture in its task; only record batches reach the JVM."""

    def __init__(self, options: CaptureOptions) -> None:
        self._options = options

    def partitions(self) -> list[InputPartition]:
        """Return the parts, one per task."""
        options = self._options
        # Executors run in other working directories.
        files = find_captures(Path(path).absolute() for path in options.paths)
        if options.side is not None:
            return [CapturePart((str(file),), number) for number, file in enumerate(files)]
        parts = plan(
            rings_of(files) if options.rotated else [(file,) for file in files],
            range_size=options.range_size,
            index=options.index,
            protocol=options.protocol,
        )
        return list(by_file(parts) if options.is_of_files else parts)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one part."""
        assert isinstance(partition, CapturePart)  # noqa: S101 - from partitions()
        return map(self._options.cast, self._rows(partition))

    def _rows(self, part: CapturePart) -> Iterator[pa.RecordBatch]:
        if self._options.is_of_files:
            return self._files(part)
        if self._options.side is not None:
            return self._dump(Path(part.paths[0]))
        return self._ranges(part)

    def _ranges(self, part: CapturePart) -> Iterator[pa.RecordBatch]:
        view = self._options.view()
        for opened in part.opened():
            reading = read_range(
                opened,
                [view],
                protocol=self._options.protocol,
                first_stream=part.first_stream,
                redact=self._options.redact,
            )
            for _, batch in reading:
                yield annotate_damage(pa.record_batch(batch), "error", opened.path, reading.damage)

    def _dump(self, path: Path) -> Iterator[pa.RecordBatch]:
        options = self._options
        reading = read_dump(
            [options.view()],
            protocol=options.protocol or "",
            side=options.side or "",
            path=path,
            redact=options.redact,
        )
        for _, batch in reading:
            yield annotate_damage(pa.record_batch(batch), "error", path, reading.damage)

    def _files(self, part: CapturePart) -> Iterator[pa.RecordBatch]:
        readings = []
        path = Path()
        for opened in part.opened():
            path = opened.path
            reading = read_range(
                opened, [], protocol=self._options.protocol, first_stream=part.first_stream
            )
            for _ in reading:
                pass
            readings.append(reading)
        schema = self._options.arrow_schema()
        row = row_of(path, readings)
        yield pa.RecordBatch.from_pylist([{name: row[name] for name in schema.names}], schema)
