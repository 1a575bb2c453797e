"""Calls of jobs and directories, added up from rows by user, method and outcome."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire.capture._aggregates import AGGREGATIONS
from jvmwire.report._locks import Lock, lock_of
from jvmwire.report._traffic import FAILED, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pyarrow as pa


@dataclass(slots=True)
class Group:
    """The calls of a job or of a directory."""

    text: str
    calls: int = 0
    failed: int = 0
    """Number of calls that failed, without those that were refused by design."""
    writes: int = 0
    """Number of calls that take the NameNode's write lock."""
    latency_sum_us: int = 0
    latency_max_us: int = 0
    first: int | None = None
    last: int | None = None
    users: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)

    @property
    def user(self) -> str | None:
        """The user with the most calls."""
        return most_common(self.users)

    @property
    def method(self) -> str | None:
        """The method with the most calls."""
        return most_common(self.methods)

    @property
    def mean_us(self) -> int:
        """Mean duration of a call in microseconds."""
        return self.latency_sum_us // max(self.calls, 1)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add the calls of a row of `rows`."""
        calls = row["calls"]
        self.calls += calls
        self.failed += calls if row["status"] in FAILED else 0
        self.writes += calls if lock_of(row["name"]) is Lock.WRITE else 0
        self.latency_sum_us += row["latency_sum_us"]
        self.latency_max_us = max(self.latency_max_us, row["latency_max_us"])
        self.first = earliest(self.first, row["first"])
        self.last = latest(self.last, row["last"])
        if row["user"]:
            self.users[row["user"]] += calls
        if row["name"]:
            self.methods[row["name"]] += calls


def rows(table: pa.Table, key: str) -> Iterator[dict[str, Any]]:
    """Yield one dict per key, user, method and outcome of `table`, without those of no calls."""
    keys = [key, "user", "name", "status"]
    grouped = plain(table.group_by(keys, use_threads=False).aggregate(AGGREGATIONS))
    names = [*keys, *(name for name, _ in AGGREGATIONS)]
    columns = [*keys, *(f"{name}_{how}" for name, how in AGGREGATIONS)]
    for row in zip(*(grouped[column].to_pylist() for column in columns), strict=True):
        found = dict(zip(names, row, strict=True))
        if found["calls"]:
            yield found


def ranked(groups: Iterable[Group]) -> list[Group]:
    """Sort groups: most calls first, then by text."""
    return sorted(groups, key=lambda group: (-group.calls, group.text))


def most_common(counts: Mapping[str, int]) -> str | None:
    """Return the most frequent text, the first in the alphabet of several; None of none."""
    return min(counts, key=lambda text: (-counts[text], text), default=None)


def earliest(*times: int | None) -> int | None:
    """Return the first of some times; None if none is known."""
    return min((time for time in times if time is not None), default=None)


def latest(*times: int | None) -> int | None:
    """Return the last of some times; None if none is known."""
    return max((time for time in times if time is not None), default=None)
