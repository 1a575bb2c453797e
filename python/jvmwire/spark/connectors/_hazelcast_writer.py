"""Sink that puts the rows of Spark into a map as entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.spark._selection import arrow_schema_of
from jvmwire.spark.connectors._writer import CommitMessage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql.types import StructType

    from jvmwire.spark.connectors._hazelcast_options import MapOptions


class MapSink:
    """A sink that puts `value` under `key`; entries of a task are visible immediately."""

    def __init__(self, options: MapOptions) -> None:
        self._options = options

    def store(self, batches: Iterator[pa.RecordBatch]) -> CommitMessage:
        """Put a task's entries, one record batch at a time."""
        with self._options.connect() as client:
            there = client.get_map(self._options.map)
            for batch in batches:
                there.arrow_put_all(
                    *(_to_java_precision(batch.column(name)) for name in ("key", "value"))
                )
        return CommitMessage()

    def commit(self, stored: list[CommitMessage]) -> None:
        """Do nothing, since all entries are stored."""

    def abort(self, stored: list[CommitMessage]) -> None:
        """Do nothing: stored entries stay, and a retry writes the same keys."""


def check(options: MapOptions, schema: StructType, *, overwrite: bool) -> None:
    """Raise `ConfigError` unless a write consists of entries of supported types."""
    if overwrite:
        raise ConfigError(
            "a write puts entries beside those that are there: take mode append, "
            "and clear the map by its client if nothing else is to be in it"
        )
    if sorted(schema.names) != ["key", "value"]:
        raise ConfigError(f"an entry is a key and a value, not {', '.join(schema.names)}")
    if options.where is not None:
        raise ConfigError("where is for a read: filter the DataFrame that is written")
    for column in arrow_schema_of(schema):
        try:
            SerializationService().from_arrow(_to_java_precision(pa.nulls(0, column.type)))
        except TypeError as error:
            raise ConfigError(f"column {column.name}: {error}") from error


def _to_java_precision(column: Any) -> Any:
    """Return instants in milliseconds, as Java's Date; other columns unchanged."""
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        return column.cast(pa.timestamp("ms", tz="UTC"), safe=False)
    return column
