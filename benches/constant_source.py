"""Spark data source `constant` with rows from memory, which measures the cost of Spark itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql.types import StructType


@dataclass
class Rows(InputPartition):
    """Number of rows of one task."""

    count: int


class ConstantSource(DataSource):
    """Data source that repeats the first batch of an Arrow file.

    Options: `path` of the file; `rows`, how many rows each task returns, separated by commas.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the data source."""
        return "constant"

    def schema(self) -> StructType:
        """Return the columns of the file."""
        return from_arrow_schema(first_batch(Path(self.options["path"])).schema)

    def reader(self, schema: StructType) -> ConstantReader:  # noqa: ARG002 - Spark's signature
        """Return the reader that repeats the batch."""
        counts = [int(count) for count in self.options["rows"].split(",")]
        return ConstantReader(Path(self.options["path"]), counts)


class ConstantReader(DataSourceReader):
    """Reader that returns slices of one batch."""

    def __init__(self, path: Path, counts: list[int]) -> None:
        self._path = path
        self._counts = counts

    def partitions(self) -> list[InputPartition]:
        """Return the number of rows of each task."""
        return [Rows(count) for count in self._counts]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield whole batches, and a slice at the end."""
        assert isinstance(partition, Rows)
        batch = first_batch(self._path)
        left = partition.count
        while left:
            part = batch.slice(0, left)
            left -= len(part)
            yield part


def first_batch(path: Path) -> pa.RecordBatch:
    """Read the first batch of an Arrow file."""
    with pa.ipc.open_file(pa.OSFile(str(path), "r")) as file:
        return file.get_batch(0)
