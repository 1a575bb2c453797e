"""Parquet files in folders by values of columns, as Hive has them: `user=ann/part-0.parquet`."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jvmwire._files import NAME_LIMIT, replace_directory
from jvmwire.errors import ConfigError, LimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MAX_WRITERS: Final = 64
"""Files that are open at a time; the one that was not written to for longest is closed for another,
and its partition goes on in another file (chosen by jvmwire)."""
MAX_PARTITIONS: Final = 10_000
"""Folders of one output (chosen by jvmwire)."""
MAX_BUFFERED: Final = 64 << 20
"""Bytes of rows that wait so that row groups are not small (chosen by jvmwire)."""
GROUP_ROWS: Final = 1 << 16
"""Rows of one partition that are written at once (chosen by jvmwire)."""
NULL_FOLDER: Final = "__HIVE_DEFAULT_PARTITION__"
"""The value of the folder of rows without a value, as in Hive."""

Key = tuple[str, ...]
"""The names of the folders of a partition: null and an empty text have the same one."""


class PartitionWriter:
    """Writer of rows to a folder for each combination of values.

    Args:
        directory: Folder of the partitions.
        schema: Schema of the rows.
        by: Names of the columns that name the folders, and that the files do not have.
    """

    def __init__(self, directory: Path, schema: pa.Schema, by: Sequence[str]) -> None:
        self._directory = directory
        self._by = by
        kept = [field for field in schema if field.name not in by]
        if not kept:
            raise ConfigError("--partition-by leaves no column for the files: name more --columns")
        self._schema = pa.schema(kept)
        self._waiting: dict[Key, list[pa.RecordBatch]] = {}
        self._rows: dict[Key, int] = {}
        self._buffered = 0
        self._writers: OrderedDict[Key, Any] = OrderedDict()
        self._files: dict[Key, int] = {}

    def write(self, batch: pa.RecordBatch) -> None:
        """Write rows to their partitions; the order of rows within one is kept.

        Args:
            batch: The rows.

        Raises:
            ConfigError: a value is too long for the name of a folder.
            LimitExceeded: there are more than `MAX_PARTITIONS` partitions.
        """
        if not batch.num_rows:
            return
        codes = self._codes(batch)
        order = pc.array_sort_indices(codes)  # stable
        encode: Any = pc.run_end_encode  # type: ignore[attr-defined]  # unknown to the stubs
        ends = encode(codes.take(order)).run_ends.to_pylist()
        for start, end in pairwise([0, *ends]):
            # Copied, since a slice would keep the whole batch in memory.
            piece = batch.take(order.slice(start, end - start))
            key = tuple(_folder_name(name, piece.column(name)[0].as_py()) for name in self._by)
            self._add(key, piece.select(self._schema.names))
        if self._buffered > MAX_BUFFERED:
            for key in list(self._waiting):
                self._write_group(key)

    def close(self) -> None:
        """Write what waits, and end all files."""
        for key in list(self._waiting):
            self._write_group(key)
        while self._writers:
            self._writers.popitem()[1].close()

    def abandon(self) -> None:
        """Close the files that are open; the output is not complete."""
        while self._writers:
            self._writers.popitem()[1].close()

    def _codes(self, batch: pa.RecordBatch) -> Any:
        """Return a number per row, the same for rows of the same partition."""
        codes: Any = None
        for name in self._by:
            encoded: Any = batch.column(name).dictionary_encode(null_encoding="encode")
            own = encoded.indices.cast(pa.int64())
            if codes is not None:
                own = pc.add(pc.multiply(codes, pa.scalar(len(encoded.dictionary))), own)
            codes = own.dictionary_encode().indices.cast(pa.int64())
        return codes

    def _add(self, key: Key, piece: pa.RecordBatch) -> None:
        if key not in self._files:
            if len(self._files) == MAX_PARTITIONS:
                raise LimitExceeded(
                    f"--partition-by {','.join(self._by)} makes more than {MAX_PARTITIONS:,} "
                    "folders: name columns with fewer values"
                )
            self._files[key] = 0
        self._waiting.setdefault(key, []).append(piece)
        self._rows[key] = self._rows.get(key, 0) + piece.num_rows
        self._buffered += piece.nbytes
        if self._rows[key] >= GROUP_ROWS:
            self._write_group(key)

    def _write_group(self, key: Key) -> None:
        pieces = self._waiting.pop(key)
        self._rows.pop(key)
        self._buffered -= sum(piece.nbytes for piece in pieces)
        self._writer(key).write_table(pa.Table.from_batches(pieces))

    def _writer(self, key: Key) -> Any:
        if key in self._writers:
            self._writers.move_to_end(key)
            return self._writers[key]
        if len(self._writers) == MAX_WRITERS:
            self._writers.popitem(last=False)[1].close()
        folder = self._directory.joinpath(*key)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"part-{self._files[key]}.parquet"
        self._files[key] += 1
        writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._writers[key] = writer
        return writer


def _folder_name(name: str, value: Any) -> str:
    text = NULL_FOLDER if value is None or value == "" else quote(str(value), safe="")
    folder = f"{name}={text}"
    if len(folder) > NAME_LIMIT:
        raise ConfigError(
            f"--partition-by {name}: a value of {len(text):,} characters is too long for the name "
            "of a folder; name another column"
        )
    return folder


@contextmanager
def open_partitions(path: Path, schema: pa.Schema, by: Sequence[str]) -> Iterator[PartitionWriter]:
    """Open a folder of partitions, which appears when the block ends without an error.

    Args:
        path: The folder, which must be new or empty.
        schema: Schema of the rows.
        by: Names of the columns that name the folders.

    Returns:
        A context manager of the writer.

    Raises:
        ConfigError: the folder holds something, is a file, or no column would be left.
    """
    if path.exists() and not path.is_dir():
        raise ConfigError(f"{path} is a file: --partition-by writes a folder; name another output")
    if path.is_dir() and any(path.iterdir()):
        raise ConfigError(
            f"{path} exists and is not empty: --partition-by needs a new folder; "
            "remove this one or name another"
        )
    with replace_directory(path) as unfinished:
        writer = PartitionWriter(unfinished, schema, by)
        try:
            yield writer
        except BaseException:
            writer.abandon()
            raise
        writer.close()
