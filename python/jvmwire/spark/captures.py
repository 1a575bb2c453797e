"""The format `jvmwire`: captures and dumps, decoded on the executors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.capture import PROTOCOLS, View, find_captures, read_capture, read_dump
from jvmwire.capture.arrow import arrow_schema
from jvmwire.capture.condition import parse_condition
from jvmwire.errors import ConfigError
from jvmwire.spark.damage import name_damage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql.types import StructType

    from jvmwire.capture.condition import Condition

SIDES = ("client", "server", "any")
STREAM_BITS = 32
"""Below them is a stream's number within its file, above them the file's."""


class CaptureSource(DataSource):
    """Captures as the tables `messages`, `calls` and `streams`, one partition a file.

    Options: `path` (a file or a directory; `load` takes a list of them too), `table` (default
    `messages`), `columns` (names, by commas; `fields` is made only if it is among them), `where`
    (an SQL condition, judged before rows leave the executor's Rust), `protocol`, `side` (the path
    is then a raw dump), `redact` (`true`: leave out what users chose).

    `stream` counts within a file; the file's own number stands above its lower 32 bits. A file that
    is damaged gives what is whole of it, and a row of `messages` whose `error` names it. The files
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

    paths: tuple[str, ...]
    table: str
    columns: tuple[str, ...] | None
    condition: Condition | None
    """Parsed where the read is planned: tasks need no SQL parser."""
    protocol: str | None
    side: str | None
    redact: bool

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Options:
        """Check Spark's options; names and values it does not know are refused.

        Raises `ConfigError`.
        """
        given = {name.lower(): value for name, value in options.items()}
        unknown = given.keys() - {
            "path", "paths", "table", "columns", "where", "protocol", "side", "redact",
        }  # fmt: skip
        if unknown:
            raise ConfigError(f"format jvmwire knows no option {', '.join(sorted(unknown))}")
        columns = given.get("columns")
        checked = cls(
            paths=_paths(given),
            table=given.get("table", "messages"),
            columns=None if columns is None else tuple(columns.replace(" ", "").split(",")),
            condition=parse_condition(given["where"]) if "where" in given else None,
            protocol=_one_of("protocol", given.get("protocol"), PROTOCOLS),
            side=_one_of("side", given.get("side"), SIDES),
            redact=_one_of("redact", given.get("redact", "false").lower(), _BOOLEANS) == "true",
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
            return View(self.table, columns=self.columns, condition=self.condition)
        except ValueError as error:
            raise ConfigError(str(error)) from error


_BOOLEANS = ("true", "false")


def _one_of(name: str, value: str | None, known: Sequence[str]) -> str | None:
    # What is misspelt must not be ignored: `redact` least of all.
    if value is not None and value not in known:
        raise ConfigError(f"option {name} cannot be {value!r}; it is one of {', '.join(known)}")
    return value


def _paths(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the one path, or the many that Spark hands over as a JSON list."""
    paths = [given["path"]] if "path" in given else json.loads(given.get("paths", "[]"))
    if not paths:
        raise ConfigError('format jvmwire needs a path: .load("captures/")')
    return tuple(_local(path) for path in paths)


def _local(path: str) -> str:
    url = urlsplit(path)
    if url.scheme == "file":
        return unquote(url.path)
    if url.scheme and url.netloc:
        raise ConfigError(
            f"format jvmwire reads files of a file system that is mounted, not {path}"
        )
    return path


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
        # Executors work in directories of their own.
        files = find_captures(Path(path).absolute() for path in self._options.paths)
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
                first_stream=partition.number << STREAM_BITS,
                redact=options.redact,
            )
        for _, batch in reading:
            yield name_damage(pa.record_batch(batch), "error", path, reading.damage)
