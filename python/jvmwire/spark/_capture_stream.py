"""The Spark format `jvmwire` as a stream: rotated captures, decoded as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from jvmwire.capture._damage import annotate_damage
from jvmwire.capture._journal import Journal, read_entry
from jvmwire.capture._reading import read_range
from jvmwire.capture._rotation import RotationFollower
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql.streaming.datasource import ReadLimit

    from jvmwire.spark._options import CaptureOptions

_RANGES = "ranges"
"""Key of an offset: the number of journal entries that were read."""


@dataclass(frozen=True)
class JournalEntry(InputPartition):
    """A range that one task decodes."""

    journal: str
    number: int


class CaptureStreamReader(DataSourceStreamReader):
    """Stream reader: the driver follows a directory, executors decode the journal's ranges.

    An offset always means the same bytes and the same state: a batch that is retried gives the same
    rows in the same order.
    """

    def __init__(self, options: CaptureOptions) -> None:
        if options.journal is None:
            raise ConfigError(
                "a stream needs a journal: set the option to a directory of this query's own"
            )
        if options.side is not None or options.is_of_files or options.rotated or options.index:
            raise ConfigError(
                "a stream takes no side, no table files, and neither rotated nor index"
            )
        if len(options.paths) > 1 or not Path(options.paths[0]).is_dir():
            raise ConfigError(f"a stream is of one directory, not of {', '.join(options.paths)}")
        self._options = options
        self._journal_path = options.journal
        self._journal: Journal | None = None
        self._follower: RotationFollower | None = None

    def initialOffset(self) -> dict[str, int]:  # noqa: N802 - Spark's name
        """Return the offset of the first journal entry."""
        return {_RANGES: 0}

    def latestOffset(  # noqa: N802 - Spark's name
        self,
        start: dict[str, int],
        limit: ReadLimit,  # noqa: ARG002 - all is taken
    ) -> dict[str, int]:
        """Record new ranges in the journal, and return the offset after them."""
        journal = self._opened()
        if not journal.first <= start[_RANGES] <= journal.next:
            raise ConfigError(
                f"the journal {self._journal_path} has entries {journal.first} to {journal.next}, "
                f"the query is at {start[_RANGES]}: each query needs a journal of its own"
            )
        assert self._follower is not None  # noqa: S101 - opened above
        return {_RANGES: self._follower.advance()}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """Return one partition per range."""
        journal = str(self._journal_path)
        return [JournalEntry(journal, number) for number in range(start[_RANGES], end[_RANGES])]

    def commit(self, end: dict[str, int]) -> None:
        """Delete journal entries that no batch will read again."""
        self._opened().forget(end[_RANGES])

    def stop(self) -> None:
        """Release the journal."""
        if self._journal is not None:
            self._journal.close()

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one range."""
        assert isinstance(partition, JournalEntry)  # noqa: S101 - from partitions()
        part = read_entry(Path(partition.journal), partition.number)
        options = self._options
        reading = read_range(
            part, [options.view()], protocol=options.protocol, redact=options.redact
        )
        for _, batch in reading:
            rows = annotate_damage(pa.record_batch(batch), "error", part.path, reading.damage)
            yield options.cast(rows)

    def _opened(self) -> Journal:
        # Opened lazily: Spark also creates readers on executors, which only read.
        if self._journal is None:
            self._journal = Journal(self._journal_path)
            self._follower = RotationFollower(
                Path(self._options.paths[0]).absolute(),
                self._journal,
                range_size=self._options.range_size,
                protocol=self._options.protocol,
            )
        return self._journal
