"""Entries that Spark puts into a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.pandas.types import to_arrow_schema

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.serialization import SerializationService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql.types import StructType

    from jvmwire.spark.live.hazelcast_options import MapOptions


@dataclass
class Put(WriterCommitMessage):
    """What a task says when all of its entries are in the map."""

    entries: int


class MapWriter(DataSourceArrowWriter):
    """Puts the column `value` under the column `key`, a record batch at a time."""

    def __init__(self, options: MapOptions) -> None:
        self._options = options

    # What crosses are record batches, whatever the base of Spark's own Arrow writers says.
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Put:  # type: ignore[override]
        """Put the entries of a task; they are in the map when this returns."""
        return put(iterator, self._options)


class MapStreamWriter(DataSourceStreamArrowWriter):
    """Puts the entries of a stream: those of a batch that is tried again take their own place."""

    def __init__(self, options: MapOptions) -> None:
        self._options = options

    # What crosses are record batches, whatever the base of Spark's own Arrow writers says.
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Put:  # type: ignore[override]
        """Put the entries of a task; they are in the map when this returns."""
        return put(iterator, self._options)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Know that all are there."""

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Leave what is there: it comes again under the same keys."""


def put(batches: Iterator[pa.RecordBatch], options: MapOptions) -> Put:
    """Put entries into the map."""
    entries = 0
    with options.connect() as client:
        there = client.get_map(options.map)
        for batch in batches:
            there.arrow_put_all(*(_kept(batch.column(name)) for name in ("key", "value")))
            entries += batch.num_rows
    return Put(entries)


def check(options: MapOptions, schema: StructType, *, overwrite: bool) -> None:
    """Refuse a write that is not one of entries; raises `ConfigError`."""
    if overwrite:
        raise ConfigError(
            "a write puts entries beside those that are there: take mode append, "
            "and clear the map by its client if nothing else is to be in it"
        )
    if sorted(schema.names) != ["key", "value"]:
        raise ConfigError(f"an entry is a key and a value, not {', '.join(schema.names)}")
    if options.where is not None:
        raise ConfigError("where is for a read: filter the DataFrame that is written")
    for column in to_arrow_schema(schema, timezone="UTC"):
        try:
            SerializationService().from_arrow(_kept(pa.nulls(0, column.type)))
        except TypeError as error:
            raise ConfigError(f"column {column.name}: {error}") from error


def _kept(column: Any) -> Any:
    """Return instants as Java's Date has them, to the millisecond; all else as it is."""
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        return column.cast(pa.timestamp("ms", tz="UTC"), safe=False)
    return column
