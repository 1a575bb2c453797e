"""The Spark format `hdfs`: directory listings, fetched by the executors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.hadoop import NameNode
from jvmwire.hadoop.errors import FileNotFound
from jvmwire.hadoop.namenode._listing import Listing
from jvmwire.hadoop.namenode._paths import split
from jvmwire.hadoop.namenode._status import EARLIEST, EPOCH, LATEST
from jvmwire.spark._option_parser import SourceOptions
from jvmwire.spark._selection import cast, check_types, selected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pyspark.sql.types import StructType

TASKS = 8
"""Default number of tasks that list a directory tree (chosen by jvmwire)."""
LEVELS = 4
"""Maximum levels that the driver lists to find one directory per task (chosen by jvmwire)."""
_KNOWN = {"path", "user", "recursive", "tasks"}


class ListingSource(DataSource):
    """Directory entries of HDFS, one row per file or directory: the NameNode's metadata.

    Options:

    - `path`: `hdfs://host:port/path`, `hdfs://name-service/path`, or `/path` in the file system of
      the configuration.
    - `user`: the user of the requests.
    - `recursive`: `true` also lists everything below the directory.
    - `tasks`: number of tasks that list a tree, each with a part of its directories.

    The configuration is that of `HADOOP_CONF_DIR`, on the driver and on every executor.

    A directory that is deleted meanwhile has no rows; an unreadable directory fails the query. File
    contents are not read: Spark's own formats read them.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "hdfs"

    def schema(self) -> StructType:
        """Return the columns of a file's status."""
        ListingOptions.of(self.options)
        return from_arrow_schema(_SCHEMA)

    def reader(self, schema: StructType) -> ListingReader:
        """Return the reader that lists directories."""
        return ListingReader(ListingOptions.of(self.options), schema)


@dataclass(frozen=True, slots=True)
class ListingOptions:
    """The directory, its file system and the user."""

    url: str | None
    path: str
    user: str | None
    recursive: bool
    tasks: int

    @classmethod
    def of(cls, options: Mapping[str, str]) -> ListingOptions:
        """Check Spark's options; unknown names and values are refused.

        Raises:
            ConfigError: an option is unknown, missing or invalid.
        """
        given = SourceOptions("hdfs", options, _KNOWN)
        url, path = split(given.required("path", "hdfs://10.0.0.7:8020/data"))
        return cls(
            url=url,
            path=path,
            user=given.text("user"),
            recursive=given.is_true("recursive"),
            tasks=given.integer("tasks", TASKS, minimum=1, unit="tasks"),
        )

    def connect(self) -> NameNode:
        """Return a client of the file system, which the caller must close."""
        known: dict[str, Any] = {} if self.user is None else {"user": self.user}
        return NameNode.from_configuration(self.url, **known)


@dataclass(frozen=True)
class Directories(InputPartition):
    """The directories that one task lists."""

    flat: tuple[str, ...]
    """Directories to list without their subdirectories."""
    recursive: tuple[str, ...]
    """Directories to list recursively."""


class ListingReader(DataSourceReader):
    """Reader that lists directories in tasks."""

    def __init__(self, options: ListingOptions, schema: StructType) -> None:
        self._options = options
        self._schema = selected(schema, _SCHEMA.names, "a listing")
        check_types(self._schema, _SCHEMA, "a listing")

    def partitions(self) -> list[InputPartition]:
        """Return the directories of each task: one level recursively, and those above it singly."""
        options = self._options
        alone: list[str] = [options.path]
        level: list[str] = []
        if options.recursive:
            with options.connect() as client:
                level = self._below(client, alone)
                for _ in range(LEVELS):
                    if not 0 < len(level) < options.tasks:
                        break
                    alone += level
                    level = self._below(client, level)
        tasks = min(options.tasks, len(alone) + len(level))
        return [
            Directories(tuple(alone[at::tasks]), tuple(level[at::tasks])) for at in range(tasks)
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the entries of some directories."""
        assert isinstance(partition, Directories)  # noqa: S101 - from partitions()
        with self._options.connect() as client:
            for path in partition.flat:
                yield from self._rows(client.list_directory, path)
            for path in partition.recursive:
                yield from self._rows(client.list_recursively, path)

    def _rows(self, listed: Callable[[str], Listing], path: str) -> Iterator[pa.RecordBatch]:
        listing = self._list_or_none(listed, path)
        if listing is not None:
            found = _as_java_has_it(pa.record_batch(listing))
            yield cast(found, self._schema, f"the listing of {path}")

    def _below(self, client: NameNode, paths: list[str]) -> list[str]:
        """Return the subdirectories of some directories."""
        listings = [self._list_or_none(client.list_directory, path) for path in paths]
        return [entry.path for found in listings for entry in found or () if entry.is_directory]

    def _list_or_none(self, listed: Callable[[str], Listing], path: str) -> Listing | None:
        try:
            return listed(path)
        except FileNotFound:
            if path == self._options.path:
                raise
            return None


def _spark_field(field: pa.Field[Any]) -> pa.Field[Any]:
    if pa.types.is_timestamp(field.type):
        return field.with_type(pa.timestamp("us", tz="UTC"))
    return field.with_type(pa.int64()) if pa.types.is_unsigned_integer(field.type) else field


_FIRST, _LAST = (
    pa.scalar((time - EPOCH) // timedelta(milliseconds=1), pa.int64())
    for time in (EARLIEST, LATEST)
)


def _as_java_has_it(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with integers as Java's `long`, and times in the range of Spark's.

    A file may have any time: times before the year 1 or after 9999 become the first or the last
    time of this range, as in `FileStatus.modified`.
    """
    columns: list[pa.Array[Any]] = []
    for column in batch.columns:
        if pa.types.is_timestamp(column.type):
            times: Any = pc.min_element_wise(column.cast(pa.int64()), _LAST, skip_nulls=False)
            times = pc.max_element_wise(times, _FIRST, skip_nulls=False)
            columns.append(times.cast(column.type))
        else:
            columns.append(column.view(pa.int64()) if pa.types.is_uint64(column.type) else column)
    return pa.record_batch(columns, names=batch.schema.names)


_SCHEMA = pa.schema([_spark_field(field) for field in pa.record_batch(Listing([])).schema])
