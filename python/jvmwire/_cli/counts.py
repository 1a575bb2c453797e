"""Counts of rows by the values of columns, the most frequent first: `jvmwire decode --top`."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from jvmwire._cli.tabular import as_json, warn
from jvmwire._units import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._cli.rows import Rows
    from jvmwire.capture import View

MAX_KEYS: Final = 200_000
"""Different values that are counted, as in the table `traffic`."""
MAX_KEY_BYTES: Final = 16 << 20
"""Bytes of all of them, as JSON."""
DEFAULT_LIMIT: Final = 20
"""Values that are shown, unless `--limit` says otherwise."""
DIGITS: Final = 6
"""Decimal places of a share."""


class Counts:
    """Counts of rows by their values, in bounded memory.

    Values beyond the limits are counted together; which values are counted apart is a matter of
    which come first.

    Args:
        view: View whose columns are counted by.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._counts: Counter[bytes] = Counter()
        self._key_bytes = 0
        self._others = 0
        self._rows = 0

    def add(self, batches: Iterable[tuple[str, Rows]]) -> None:
        """Count rows.

        Args:
            batches: Names of files with rows that have the columns of the view.
        """
        for _, batch in batches:
            self._rows += batch.num_rows
            # A row's JSON is its key: values need not be parsed to be counted.
            for key, rows in Counter(batch.to_jsonl().splitlines()).items():
                if key not in self._counts and (
                    len(self._counts) >= MAX_KEYS or self._key_bytes + len(key) > MAX_KEY_BYTES
                ):
                    self._others += rows
                    continue
                if key not in self._counts:
                    self._key_bytes += len(key)
                self._counts[key] += rows

    def most_frequent(self, limit: int) -> CountedRows:
        """Return the most frequent values; of two that are as frequent, the one that came first.

        Args:
            limit: How many.

        Returns:
            Rows with the columns of the view, `count`, and `share` of all rows.
        """
        rows = [
            {
                **json.loads(key),
                "count": count,
                "share": round(count / self._rows, DIGITS),
            }
            for key, count in self._counts.most_common(limit)
        ]
        return CountedRows(self._view, rows)

    def warn_of_others(self) -> None:
        """Say on standard error how many rows have values that were not counted apart."""
        if self._others:
            warn(
                f"--top counts {number(len(self._counts))} different values apart; "
                f"{number(self._others)} rows have others, which may be as frequent"
            )

    @property
    def view(self) -> CountedRows:
        """Description of the rows, without any."""
        return CountedRows(self._view, [])


class CountedRows:
    """Rows of counts, with the interface of a record batch and of a view.

    Args:
        view: View that was counted by.
        rows: The rows.
    """

    table = "counts"

    def __init__(self, view: View, rows: list[dict[str, Any]]) -> None:
        self._view = view
        self._rows = rows

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [*self._view.columns, "count", "share"]

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def to_jsonl(self) -> bytes:
        """Encode the rows as JSON, one object per line."""
        return b"".join(as_json(row) + b"\n" for row in self._rows)

    def __arrow_c_schema__(self) -> object:
        return self._schema().__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        import pyarrow as pa

        schema = self._schema()
        columns = [
            pa.array([_arrow_value(row[field.name]) for row in self._rows], type=field.type)
            for field in schema
        ]
        batch: Any = pa.RecordBatch.from_arrays(columns, schema=schema)
        exported: tuple[object, object] = batch.__arrow_c_array__(requested_schema)
        return exported

    def _schema(self) -> Any:
        import pyarrow as pa

        own: Any = pa.schema(self._view)  # type: ignore[arg-type]  # a capsule
        return pa.schema(
            [
                *own,
                pa.field("count", pa.int64(), nullable=False),
                pa.field("share", pa.float64(), nullable=False),
            ]
        )


def _arrow_value(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
