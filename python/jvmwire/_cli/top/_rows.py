"""Rows of `jvmwire top`: the first keys of a view by an order, as values and as texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._escaping import escape
from jvmwire._units import latency, share_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmwire._cli.top._counts import Snapshot

ORDERS: Final[Mapping[str, str]] = {
    "rate": "recent",
    "calls": "calls",
    "failed": "failed",
    "mean": "mean",
    "max": "latency_max",
    "bytes": "reply_bytes",
}
"""The columns that rows are sorted by, by the names of the orders."""
HEADINGS: Final[Mapping[str, int]] = {
    "calls/s": 7,
    "calls": 10,
    "share": 6,
    "failed": 8,
    "mean": 7,
    "max": 7,
    "replies": 7,
}
"""The headings of the numbers of a row, and their widths on a screen."""
MANY: Final = 10**8
"""The least number that is shown in millions."""


@dataclass(frozen=True, slots=True)
class Row:
    """The calls of one key.

    Args:
        key: User, method, directory, job, host or failure.
        rate: Calls per second in the last interval.
        calls: Number of calls since the beginning.
        share: Share of all calls, 0 to 1.
        failed: Number of calls that failed.
        mean_us: Mean duration of the answered calls in microseconds; None if there are none.
        max_us: Longest duration in microseconds; None if there is none.
        request_bytes: Bytes of all requests.
        reply_bytes: Bytes of all replies.
    """

    key: str
    rate: float
    calls: int
    share: float
    failed: int
    mean_us: float | None
    max_us: int | None
    request_bytes: int
    reply_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name, for JSON."""
        return {
            "key": self.key,
            "calls_per_second": round(self.rate, 3),
            "calls": self.calls,
            "share": round(self.share, 6),
            "failed": self.failed,
            "mean_us": None if self.mean_us is None else round(self.mean_us, 1),
            "max_us": self.max_us,
            "request_bytes": self.request_bytes,
            "reply_bytes": self.reply_bytes,
        }

    def cells(self) -> list[str]:
        """Return the texts of the row under `HEADINGS`, and then the key."""
        return [
            format_rate(self.rate),
            format_count(self.calls),
            share_of(self.share).replace("under ", "<").replace("over ", ">"),
            format_count(self.failed),
            "-" if self.mean_us is None else latency(self.mean_us),
            "-" if self.max_us is None else latency(self.max_us),
            _format_size(self.reply_bytes),
            escape(self.key),
        ]


def first_rows(
    snapshot: Snapshot, view: str, *, order: str, containing: str, limit: int
) -> list[Row]:
    """Return the first rows of a view.

    Args:
        snapshot: The counts.
        view: Name of the view.
        order: Name of the order, one of `ORDERS`; of equal rows, those with more calls come first.
        containing: Text that keys contain, in any case; empty for all.
        limit: Number of rows.

    Returns:
        The rows, the largest first.
    """
    table = snapshot.total[view]
    if containing:
        # An argument need not be valid Unicode; no key has such a character.
        text = containing.encode(errors="backslashreplace").decode()
        table = table.filter(pc.match_substring(table["key"], text, ignore_case=True))
    recent = snapshot.recent[view].select(["key", "calls"]).rename_columns(["key", "recent"])
    table = table.join(recent, "key", join_type="left outer")
    counted: Any = pc.fill_null(table["recent"], pa.scalar(0))
    table = table.set_column(table.column_names.index("recent"), "recent", counted)
    has_none = pc.equal(table["answered"], pa.scalar(0))
    answered = pc.if_else(has_none, None, table["answered"])
    mean = pc.divide(table["latency_sum"].cast(pa.float64()), answered)
    table = table.append_column("mean", mean)
    by: list[tuple[str, Any]] = [
        (ORDERS[order], "descending"),
        ("calls", "descending"),
        ("key", "ascending"),
    ]
    seconds = snapshot.seconds
    return [
        Row(
            key=row["key"],
            rate=row["recent"] / seconds if seconds > 0 else 0.0,
            calls=row["calls"],
            share=row["calls"] / snapshot.calls if snapshot.calls else 0.0,
            failed=row["failed"],
            mean_us=row["mean"],
            max_us=row["latency_max"],
            request_bytes=row["request_bytes"] or 0,
            reply_bytes=row["reply_bytes"] or 0,
        )
        for row in table.sort_by(by[:1] + [each for each in by[1:] if each[0] != by[0][0]])
        .slice(0, limit)
        .to_pylist()
    ]


def format_count(value: int) -> str:
    """Return a number in at most ten characters.

    Args:
        value: The number, less than 10^13.
    """
    return f"{value:,}" if value < MANY else f"{value / 1e6:,.0f} M"


def format_rate(value: float) -> str:
    """Return a number per second, with a decimal place if it is small.

    Args:
        value: The number.
    """
    return f"{value:.1f}" if 0 < value < 10 else format_count(round(value))


def _format_size(value: int) -> str:
    size, unit = float(value), 0
    units = ("B", "kB", "MB", "GB", "TB", "PB")
    while size >= 999.5 and unit < len(units) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {units[unit]}" if unit and size < 9.95 else f"{size:.0f} {units[unit]}"
