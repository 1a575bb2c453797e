"""Entries of a map as Arrow arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._arrow_stream import pyarrow, stream_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._core import Array


@dataclass(frozen=True, slots=True, eq=False)
class ArrowEntries:
    """Entries of a map as two Arrow arrays of equal length: `keys, values = entries`.

    `pyarrow.table(entries)`, and every other consumer of Arrow's C stream, takes them as a table of
    the columns `key` and `value`.

    Attributes:
        keys: The keys.
        values: The values, in the order of the keys.
    """

    keys: Array
    values: Array

    def __iter__(self) -> Iterator[Array]:
        return iter((self.keys, self.values))

    def __len__(self) -> int:
        return len(self.keys)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the entries as a stream of one record batch, which pyarrow makes.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        pa = pyarrow()
        columns = [pa.array(self.keys), pa.array(self.values)]
        return stream_of(pa.record_batch(columns, names=["key", "value"]), requested_schema)
