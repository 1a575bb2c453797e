"""The format `hazelcast`: the entries of a map, read and put by the executors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.predicates import Sql
from jvmwire.hazelcast.proxies.map_whole import FETCHES
from jvmwire.spark.live.hazelcast_options import MapOptions
from jvmwire.spark.live.hazelcast_writing import MapSink, check
from jvmwire.spark.live.writing import SinkSource
from jvmwire.spark.selection import cast, selected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql.types import StructType

    from jvmwire.hazelcast.proxies.map import Map

COLUMNS = ("key", "value")
ROWS = 1 << 16
"""Entries of a record batch, about: what partitions answer is often a few. Ours."""
BYTES = 64 << 20
"""Bytes of a record batch, about, where entries are large. Ours."""


class MapSource(SinkSource):
    """Entries of a map of a Hazelcast 3 cluster: the columns `key` and `value`.

    Options: `members` (`host:port`, several by commas), `map`, `cluster_name`, `password`, `smart`
    (`false`: all goes through one member), `where` (a condition in Hazelcast's SQL that members
    judge: `__key > 100`, `this like 'a%'`; what they find comes to one task), `tasks` (how many
    read the map between them, a part of its partitions each), `batch` (entries that a partition is
    asked for at a time), `approximate` (`true`: as `Map.entries` says; the way to read members 3.7
    and 3.8). Executors must reach the members under the addresses that these state.

    Types are those of the entry that is found first; for an empty map, or where entries of
    several types are there, say them: `.schema("key bigint, value string")`, or one of the two.
    Booleans, whole numbers, floats, texts, JSON (as text), bytes and instants (to the millisecond)
    go into columns, and come from them.

    A read is no snapshot: an entry that is there all the while comes exactly once, one that comes
    or goes meanwhile may come. A write puts each value under its key, in no order; a task that is
    tried again puts the same once more. What stands under other keys stays, so `overwrite` is
    refused.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "hazelcast"

    def schema(self) -> StructType:
        """Return the types of the entry that is found first."""
        options = MapOptions.of_read(self.options)
        with options.connect() as client:
            for batch in _batches(options, client.get_map(options.map), None):
                return from_arrow_schema(batch.schema)
        raise ConfigError(
            f'map {options.map} is empty: say what it holds, .schema("key bigint, value string")'
        )

    def reader(self, schema: StructType) -> MapReader:
        """Return what reads the map."""
        return MapReader(MapOptions.of_read(self.options), selected(schema, COLUMNS, "a map"))

    def sink(self, schema: StructType, *, overwrite: bool) -> MapSink:
        """Return what puts entries."""
        options = MapOptions.of_write(self.options)
        check(options, schema, overwrite=overwrite)
        return MapSink(options)


@dataclass(frozen=True)
class Entries(InputPartition):
    """What one task reads."""

    partition_ids: tuple[int, ...] | None
    """Of the map; None is all."""


class MapReader(DataSourceReader):
    """Reads some of a map's partitions in each task."""

    def __init__(self, options: MapOptions, schema: pa.Schema) -> None:
        self._options = options
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        """Return what each task reads."""
        options = self._options
        with options.connect() as client:
            count = client.partition_count
            at_once = options.where is not None or client.oldest_version < FETCHES
        if at_once:
            return [Entries(None)]
        tasks = min(options.tasks, count)
        return [Entries(tuple(range(first, count, tasks))) for first in range(tasks)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the entries of some partitions."""
        assert isinstance(partition, Entries)  # noqa: S101 - ours, from partitions()
        options = self._options
        with options.connect() as client:
            entries = _batches(options, client.get_map(options.map), partition.partition_ids)
            yield from self._in_large(entries)

    def _in_large(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Put small batches together, all of the schema's types."""
        some: list[pa.RecordBatch] = []
        rows = size = 0
        for batch in batches:
            some.append(self._cast(batch))
            rows += batch.num_rows
            size += batch.nbytes
            if rows >= ROWS or size >= BYTES:
                yield from pa.Table.from_batches(some).combine_chunks().to_batches()
                some, rows, size = [], 0, 0
        if some:
            yield from pa.Table.from_batches(some).combine_chunks().to_batches()

    def _cast(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return cast(batch, self._schema, f"map {self._options.map}")


def _batches(
    options: MapOptions, entries: Map, partition_ids: tuple[int, ...] | None
) -> Iterator[pa.RecordBatch]:
    """Yield entries as they come."""
    pieces: Iterable[Any]
    if options.where is not None:
        pieces = [entries.arrow_entry_set(Sql(options.where))]
    else:
        pieces = entries.arrow_entries(
            batch=options.batch, partition_ids=partition_ids, approximate=options.approximate
        )
    columns: list[Any]
    for columns in map(list, pieces):
        if len(columns[0]):
            yield pa.RecordBatch.from_arrays([*map(pa.array, columns)], names=[*COLUMNS])
