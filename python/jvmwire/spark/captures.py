"""The format `jvmwire`: captures and dumps, decoded on the executors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.capture import View, find_captures, read_capture, read_dump
from jvmwire.capture.arrow import arrow_schema
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql.types import StructType


class CaptureSource(DataSource):
    """Captures as the tables `messages`, `calls` and `streams`, one partition a file.

    Options: `path` (a file or a directory, as of `load`), `table` (default `messages`), `columns`
    (names, by commas; `fields` is made only if it is among them), `where` (an SQL condition, judged
    before rows leave the executor's Rust), `protocol`, `side` (the path is then a raw dump),
    `redact` (`true`: leave out what users chose).

    `stream` counts within a file; the file's own number stands above its lower 32 bits. The files
    must be readable under the same path on the driver and on every executor.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "jvmwire"

    def schema(self) -> StructType:
        """Return the columns of the table, as the options choose them."""
        return from_arrow_schema(arrow_schema(Options.of(self.options).view()))

    def reader(self, schema: StructType) -> CaptureReader:  # noqa: ARG002 - Spark's signature
        """Return what reads the captures."""
        return CaptureReader(Options.of(self.options))


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a read, checked."""

    path: str
    table: str
    columns: tuple[str, ...] | None
    where: str | None
    protocol: str | None
    side: str | None
    redact: bool

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Options:
        """Check Spark's options; names it does not know are refused.

        Raises `ConfigError`.
        """
        given = {name.lower(): value for name, value in options.items()}
        unknown = given.keys() - {
            "path", "table", "columns", "where", "protocol", "side", "redact",
        }  # fmt: skip
        if unknown:
            raise ConfigError(f"format jvmwire knows no option {', '.join(sorted(unknown))}")
        if "path" not in given:
            raise ConfigError('format jvmwire needs a path: .load("captures/")')
        columns = given.get("columns")
        checked = cls(
            path=given["path"],
            table=given.get("table", "messages"),
            columns=None if columns is None else tuple(columns.replace(" ", "").split(",")),
            where=given.get("where"),
            protocol=given.get("protocol"),
            side=given.get("side"),
            redact=given.get("redact", "false").lower() == "true",
        )
        if checked.side is not None and checked.protocol is None:
            raise ConfigError("a raw dump does not say what it is: set the option protocol")
        checked.view()
        return checked

    def view(self) -> View:
        """Return what is to be seen of the table.

        Raises `ConfigError` for a name or a condition that the table does not have.
        """
        try:
            return View(self.table, columns=self.columns, where=self.where)
        except ValueError as error:
            raise ConfigError(str(error)) from error


@dataclass(frozen=True)
class CaptureFile(InputPartition):
    """One file, read by one task."""

    path: str
    number: int


class CaptureReader(DataSourceReader):
    """Reads each capture where its task runs; only record batches cross to the JVM."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def partitions(self) -> list[InputPartition]:
        """Return one partition a file."""
        local = self._options.path.removeprefix("file://").removeprefix("file:")
        files = find_captures([Path(local)])
        return [CaptureFile(str(file), number) for number, file in enumerate(files)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one file."""
        assert isinstance(partition, CaptureFile)  # noqa: S101 - ours, from partitions()
        options, path = self._options, Path(partition.path)
        if options.side is not None:
            reading = read_dump(
                [options.view()],
                protocol=options.protocol or "",
                side=options.side,
                path=path,
                redact=options.redact,
            )
        else:
            reading = read_capture(
                path,
                [options.view()],
                protocol=options.protocol,
                first_stream=partition.number << 32,
                redact=options.redact,
            )
        for _, batch in reading:
            yield pa.record_batch(batch)
