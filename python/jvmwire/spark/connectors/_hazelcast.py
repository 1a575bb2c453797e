"""The Spark format `hazelcast`: entries of a map, read and written by the executors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.errors import ConfigError
from jvmwire.hazelcast._proxies.map.views import FETCHES
from jvmwire.hazelcast.predicates import Sql
from jvmwire.spark._selection import cast, selected
from jvmwire.spark.connectors._hazelcast_options import MapOptions
from jvmwire.spark.connectors._hazelcast_writer import MapSink, check
from jvmwire.spark.connectors._writer import WritableSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql.types import StructType

    from jvmwire.hazelcast._proxies.map.map import Map

COLUMNS = ("key", "value")
ROWS = 1 << 16
"""Approximate entries per record batch, since partitions return few (chosen by jvmwire)."""
BYTES = 64 << 20
"""Approximate bytes per record batch of large entries (chosen by jvmwire)."""


class MapSource(WritableSource):
    """Entries of a map of a Hazelcast 3 cluster, with the columns `key` and `value`.

    Options:

    - `members`: `host:port`, several separated by commas.
    - `map`: the name of the map.
    - `cluster_name`, `password`: the credentials of the cluster.
    - `smart`: `false` sends all requests through one member.
    - `where`: a condition in Hazelcast's SQL that members evaluate, such as `__key > 100` or `this
      like 'a%'`; one task gets all results.
    - `tasks`: number of tasks of a read, each with a part of the map's partitions.
    - `batch`: entries per request to a partition.
    - `approximate`: `true` reads as `Map.entries` describes; the only way to read from members 3.7
      and 3.8.

    Executors must reach the members under the addresses that the members report.

    Types are those of the first entry found; for an empty map, or a map with entries of several
    types, state them: `.schema("key bigint, value string")`, or one of the two. Booleans, integers,
    floats, strings, JSON (as string), bytes and instants (to the millisecond) are supported in both
    directions.

    A read is not a snapshot: an entry that exists during the whole read is returned exactly once,
    an entry that is added or removed meanwhile may be returned. A write puts each value under its
    key, in no order; a task that is retried puts the same entries again. Entries under other keys
    stay, so mode `overwrite` is refused.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "hazelcast"

    def schema(self) -> StructType:
        """Return the types of the first entry found."""
        options = MapOptions.of_read(self.options)
        with options.connect() as client:
            for batch in _batches(options, client.get_map(options.map), None):
                return from_arrow_schema(batch.schema)
        raise ConfigError(
            f"map {options.map} is empty: give the types of its entries, "
            '.schema("key bigint, value string")'
        )

    def reader(self, schema: StructType) -> MapReader:
        """Return the reader of the map."""
        return MapReader(MapOptions.of_read(self.options), selected(schema, COLUMNS, "a map"))

    def sink(self, schema: StructType, *, overwrite: bool) -> MapSink:
        """Return the sink that puts entries."""
        options = MapOptions.of_write(self.options)
        check(options, schema, overwrite=overwrite)
        return MapSink(options)


@dataclass(frozen=True)
class Entries(InputPartition):
    """The partitions of the map that one task reads."""

    partition_ids: tuple[int, ...] | None
    """Numbers of partitions; None is all partitions."""


class MapReader(DataSourceReader):
    """Reader of a map, with some of its partitions per task."""

    def __init__(self, options: MapOptions, schema: pa.Schema) -> None:
        self._options = options
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        """Return the partitions of the map, grouped by task."""
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
        assert isinstance(partition, Entries)  # noqa: S101 - from partitions()
        options = self._options
        with options.connect() as client:
            entries = _batches(options, client.get_map(options.map), partition.partition_ids)
            yield from self._coalesce(entries)

    def _coalesce(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Combine small batches, and cast them to the types of the schema."""
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
    """Yield batches of entries in the order of their arrival."""
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
