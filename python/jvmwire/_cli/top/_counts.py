"""Counts of calls by user, method, directory, job, host and failure, in bounded memory.

Calls are never looked at one by one: batches are grouped by Arrow, and the groups are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import directories_of, jobs_of
from jvmwire.capture._aggregates import OTHERS_LABEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import RecordBatch

COLUMNS: Final = (
    *("protocol", "client", "user", "name", "target", "request_bytes", "reply_bytes", "start"),
    *("latency_us", "status", "error_class", "attributes"),
)
"""The columns of the table `calls` that are counted."""
VIEWS: Final = ("users", "methods", "directories", "jobs", "hosts", "failures")
"""The properties by which calls are counted."""
MAX_KEYS: Final = 2000
"""Keys of a view that are counted apart (chosen by jvmwire)."""
PENDING_ROWS: Final = 1 << 16
"""Calls that wait to be grouped (chosen by jvmwire)."""
PENDING_BYTES: Final = 32 << 20
"""Bytes of calls that wait to be grouped (chosen by jvmwire)."""
MAX_KEY: Final = 200
"""Characters of a key that are kept (chosen by jvmwire)."""
UNKNOWN: Final = "(unknown)"
"""The key of calls that do not state one."""
_SUMS: Final = ("calls", "failed", "answered", "latency_sum", "request_bytes", "reply_bytes")
_AGGREGATIONS: list[tuple[str, Any]] = [
    *((name, "sum") for name in _SUMS),
    ("latency_max", "max"),
]
_FIELDS: list[pa.Field[Any]] = [
    pa.field("key", pa.string()),
    *(pa.field(name, pa.int64()) for name in (*_SUMS, "latency_max")),
]
_SCHEMA: Final = pa.schema(_FIELDS)
_FIELD_NAMES: Final = [field.name for field in _FIELDS]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The counts of one interval, and since the beginning.

    Args:
        seconds: Duration of the interval.
        recent: Counts of the interval by view.
        total: Counts since the beginning by view.
        calls: Number of calls since the beginning.
        failed: Number of them that failed.
        recent_calls: Number of calls in the interval.
    """

    seconds: float
    recent: dict[str, pa.Table]
    total: dict[str, pa.Table]
    calls: int
    failed: int
    recent_calls: int


class LiveCounts:
    """Counts of the calls of batches, by every view.

    Args:
        depth: Number of components of a path that make its directory.
        observe: Called with each table of calls, once; None for none.
        has_views: Whether calls are counted by views; if not, they are observed only. Default:
            True.
    """

    def __init__(
        self,
        *,
        depth: int,
        observe: Callable[[pa.Table], None] | None = None,
        has_views: bool = True,
    ) -> None:
        self._has_views = has_views
        self._depth = depth
        self._observe = observe
        self._pending: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0
        empty = _SCHEMA.empty_table()
        self._total = dict.fromkeys(VIEWS, empty)
        self._recent = dict.fromkeys(VIEWS, empty)
        self._calls = self._failed = self._recent_calls = 0
        self._first: int | None = None
        self._last: int | None = None
        self._last_before: int | None = None

    def add(self, batch: RecordBatch) -> None:
        """Count the calls of a batch.

        Args:
            batch: Rows of the table `calls` with `COLUMNS`.
        """
        rows = pa.record_batch(batch)
        self._pending.append(rows)
        self._rows += rows.num_rows
        self._bytes += rows.nbytes
        if self._rows >= PENDING_ROWS or self._bytes >= PENDING_BYTES:
            self._fold()

    def take(self, seconds: float | None) -> Snapshot:
        """Return the counts of the interval that ends here, and begin another one.

        Args:
            seconds: Duration of the interval; None takes it from the times of its calls.

        Returns:
            The counts.
        """
        self._fold()
        if seconds is None:
            begin = self._first if self._last_before is None else self._last_before
            span = (self._last or 0) - (begin or 0)
            seconds = span / 1e6
        self._last_before = self._last
        found = Snapshot(
            seconds=seconds,
            recent=self._recent,
            total=dict(self._total),
            calls=self._calls,
            failed=self._failed,
            recent_calls=self._recent_calls,
        )
        self._recent = dict.fromkeys(VIEWS, _SCHEMA.empty_table())
        self._recent_calls = 0
        return found

    def _fold(self) -> None:
        if not self._rows:
            self._pending.clear()
            return
        calls = pa.Table.from_batches(self._pending).combine_chunks()
        self._pending, self._rows, self._bytes = [], 0, 0
        if self._observe is not None:
            self._observe(calls)
        if not self._has_views:
            return
        for view, groups in _by_view(_combinations(calls, depth=self._depth)).items():
            self._recent[view] = _merged(self._recent[view], groups)
            self._total[view] = _merged(self._total[view], groups)
        self._calls += calls.num_rows
        self._recent_calls += calls.num_rows
        self._failed += calls.num_rows - _count_equal(calls["status"], "ok")
        times: Any = pc.min_max(calls["start"].cast(pa.int64())).as_py()
        if times["min"] is not None:
            self._first = min(times["min"], self._first or times["min"])
            self._last = max(times["max"], self._last or times["max"])


@dataclass(frozen=True, slots=True)
class _Coded:
    """A column of texts as numbers, and the texts.

    Args:
        codes: Number of each row's text; null for none.
        texts: The texts.
    """

    codes: Any
    texts: Any


def _coded(column: Any) -> _Coded:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    encoded = whole.dictionary_encode()
    return _Coded(encoded.indices, encoded.dictionary)


def _combinations(calls: pa.Table, *, depth: int) -> tuple[pa.Table, dict[str, Any]]:
    """Group calls by all keys together, as numbers; return the groups, and the texts by key.

    Grouping numbers once, and then the few groups by each view, takes a third of the time that
    grouping texts by each view takes.
    """
    name, status, error = (_coded(calls[key]) for key in ("name", "status", "error_class"))
    host, context = _coded(calls["client"]), _coded(calls["attributes"])
    keys = {
        "users": _coded(calls["user"]),
        "methods": name,
        "directories": _coded(_directories(calls, depth=depth)),
        "jobs": _Coded(context.codes, _jobs(context.texts)),
        "hosts": _Coded(host.codes, pc.replace_substring_regex(host.texts, r":\d+$", "")),
        "status": status,
        "error": error,
    }
    latency = calls["latency_us"]
    measures: dict[str, Any] = {
        "calls": pa.repeat(1, calls.num_rows),
        "failed": pc.not_equal(calls["status"], pa.scalar("ok")).cast(pa.int64()),
        "answered": pc.is_valid(latency).cast(pa.int64()),
        "latency_sum": latency,
        "request_bytes": calls["request_bytes"],
        "reply_bytes": calls["reply_bytes"],
        "latency_max": latency,
    }
    rows = pa.table({**{key: coded.codes for key, coded in keys.items()}, **measures})
    return _grouped(rows, *keys), {key: coded.texts for key, coded in keys.items()}


def _by_view(found: tuple[pa.Table, dict[str, Any]]) -> dict[str, pa.Table]:
    """Return the groups of each view, with their texts as keys."""
    groups, texts = found
    views = {}
    for view in VIEWS[:-1]:
        counted = _grouped(groups, view)
        key = _named(texts[view].take(counted[view].combine_chunks()))
        # Two codes may have one text: two connections of a host, two contexts of a job.
        views[view] = _grouped(counted.set_column(0, "key", key).select(_FIELD_NAMES))
    failed = groups.filter(pc.greater(groups["failed"], pa.scalar(0)))
    failed = _grouped(failed, "methods", "status", "error")
    columns = {
        key: texts[key].take(failed[key].combine_chunks())
        for key in texts
        if key in failed.column_names
    }
    reason = pc.coalesce(columns["error"], columns["status"])
    # The class without its package, and first: a narrow screen cuts the end.
    reason = pc.replace_substring_regex(reason, r"^.*[.$]", "")
    key = _named(_join(reason, columns["methods"], " "))
    views["failures"] = _grouped(failed.append_column("key", key).select(_FIELD_NAMES))
    return views


def _directories(calls: pa.Table, *, depth: int) -> Any:
    columns = (calls[name].combine_chunks() for name in ("protocol", "name", "target"))
    found: Any = directories_of(*columns, depth=depth)
    return pa.array(found)


def _jobs(attributes: Any) -> Any:
    found: Any = jobs_of(attributes)
    return pa.array(found).cast(pa.string())


def _count_equal(column: Any, text: str) -> int:
    found: Any = pc.sum(pc.equal(column, pa.scalar(text)))
    return int(found.as_py() or 0)


def _join(*parts: Any) -> Any:
    """Join columns of texts; the last part is the separator."""
    return pc.binary_join_element_wise(*parts)


def _named(key: Any) -> Any:
    return pc.utf8_slice_codeunits(pc.fill_null(key, UNKNOWN), 0, MAX_KEY)


def _grouped(rows: pa.Table, *keys: str) -> pa.Table:
    """Add up the measures of rows with the same keys; the keys are the first columns."""
    keys = keys or ("key",)
    # Threads cost more than they save: there are some thousand rows.
    found = rows.group_by(list(keys), use_threads=False).aggregate(_AGGREGATIONS)
    names = [*keys, *(f"{name}_{how}" for name, how in _AGGREGATIONS)]
    return found.select(names).rename_columns([*keys, *_FIELD_NAMES[1:]])


def _merged(known: pa.Table, groups: pa.Table) -> pa.Table:
    """Add up groups of the same key; beyond `MAX_KEYS` the rarest become `(others)`."""
    merged = groups if not known.num_rows else _grouped(pa.concat_tables([known, groups]))
    if merged.num_rows <= MAX_KEYS:
        return merged
    is_other = pc.equal(merged["key"], pa.scalar(OTHERS_LABEL))
    own = merged.filter(pc.invert(is_other)).sort_by(
        [("calls", "descending"), ("key", "ascending")]
    )
    rest = pa.concat_tables([own.slice(MAX_KEYS - 1), merged.filter(is_other)])
    others = rest.set_column(0, "key", pa.repeat(OTHERS_LABEL, rest.num_rows))
    return pa.concat_tables([own.slice(0, MAX_KEYS - 1), _grouped(others)])
