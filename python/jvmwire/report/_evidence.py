"""Evidence of a report for comparisons: counts with their scatter, and quantiles with their error.

It is part of `summary.json`, and is made from the tables of all findings: a table is compared by
its first column of counts, or by its quantiles if it has any, for each row by the row's texts. The
scatter of a count is its index of dispersion over `MAX_SLICES` equal parts of the recording.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from jvmwire.report._findings.finding import Unit
from jvmwire.report._findings.quantiles import latencies
from jvmwire.report._labels import status_of
from jvmwire.report._traffic import counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from jvmwire._core import LatencySketch
    from jvmwire.report._findings import Finding
    from jvmwire.report._findings.finding import Column, Detail
    from jvmwire.report._source import ReportSource
    from jvmwire.report._traffic import Traffic

MAX_SLICES: Final = 32
"""Parts of a recording over which the scatter of counts is measured: long enough for bursts."""
QUANTILE_Z: Final = 3.3
"""Standard errors on each side of a quantile: two intervals that are apart differ at 1 in 1,000."""
MIN_BEYOND: Final = 5
"""Calls beyond a quantile, corrected for their scatter, that it needs to be compared."""

_SOURCES: Final = {
    "user": "user",
    "client": "client",
    "method": "name",
    "error_class": "error_class",
    "status": "status",
}
"""Columns of the table `traffic` by the keys of the findings' columns."""
_QUANTILES: Final = {"p50_us": 0.5, "p99_us": 0.99}


@dataclass(frozen=True, slots=True)
class CountEvidence:
    """A count of a row of a finding's table.

    Args:
        section: The kind of the finding.
        table: The title of the table.
        measure: The title of the counts' column.
        key: The texts of the row, by the keys of their columns.
        count: The number of calls.
        dispersion: The variance of the count over the slices, relative to its mean: 1 if calls are
            independent of each other; None if it is not known.
    """

    section: str
    table: str
    measure: str
    key: Mapping[str, str | None]
    count: int
    dispersion: float | None


@dataclass(frozen=True, slots=True)
class QuantileEvidence:
    """A quantile of the latencies of a row, in microseconds, and the interval of its error."""

    section: str
    table: str
    measure: str
    key: Mapping[str, str | None]
    calls: int
    value: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """All numbers of a report that can be compared with those of another.

    Args:
        period_us: Length of the recording in microseconds; None without a clock.
        calls: Number of calls.
        slices: Number of slices; fewer than 2 have no scatter.
        dispersion: Index of dispersion of all calls over the slices; None if it is not known.
        counts: The counts.
        quantiles: The quantiles.
        least: The smallest count of each table that leaves rows out, by section and table.
    """

    period_us: int | None
    calls: int
    slices: int
    dispersion: float | None
    counts: tuple[CountEvidence, ...]
    quantiles: tuple[QuantileEvidence, ...]
    least: tuple[tuple[str, str, int], ...]


def evidence(findings: Sequence[Finding], traffic: Traffic, source: ReportSource) -> Evidence:
    """Return the numbers of findings that a comparison needs.

    Args:
        findings: The findings.
        traffic: The traffic of the findings.
        source: The description of the captures.
    """
    slices = min(MAX_SLICES, len(traffic.buckets))
    ends = traffic.ends
    period = None if source.duration is None else round(source.duration * 1_000_000)
    if period is None and ends is not None:
        period = ends[1] - ends[0]
    found: list[CountEvidence] = []
    least: list[tuple[str, str, int]] = []
    quantiles: list[QuantileEvidence] = []
    for finding in findings:
        for detail in finding.details:
            keys = [column.key for column in detail.columns]
            if set(_QUANTILES) & set(keys):
                quantiles += _quantiles(finding, detail, traffic, slices)
                continue
            rows = list(_counts(finding, detail, traffic, slices))
            found += rows
            if rows and detail.left_out:
                least.append((finding.kind, detail.title, min(row.count for row in rows)))
    every = _dispersions(traffic.calls, (), {()}, traffic, slices)
    return Evidence(
        period_us=period,
        calls=traffic.count,
        slices=slices,
        dispersion=every.get(()),
        counts=tuple(found),
        quantiles=tuple(quantiles),
        least=tuple(least),
    )


def _counts(
    finding: Finding, detail: Detail, traffic: Traffic, slices: int
) -> Iterator[CountEvidence]:
    columns = list(detail.columns)
    counted = next((n for n, each in enumerate(columns) if each.unit == Unit.COUNT), None)
    if counted is None:
        return
    flags = [n for n, each in enumerate(columns) if each.unit == Unit.FLAG]
    texts = [n for n, each in enumerate(columns) if each.unit == Unit.TEXT and each.is_key]
    if not texts and any(each.unit == Unit.TEXT for each in columns):
        return  # the rows of two reports are about different things
    rows = [row for row in detail.rows if all(row[flag] for flag in flags)]
    of_rows = [tuple(row[n] for n in texts) for row in rows]
    scatter = _scatter(finding.kind, [columns[n] for n in texts], of_rows, traffic, slices)
    for row, key in zip(rows, of_rows, strict=True):
        yield CountEvidence(
            section=finding.kind,
            table=detail.title,
            measure=columns[counted].title,
            key={columns[n].key: value for n, value in zip(texts, key, strict=True)},
            count=row[counted],
            dispersion=scatter.get(key),
        )


def _scatter(
    kind: str,
    columns: Sequence[Column],
    keys: Sequence[tuple[str | None, ...]],
    traffic: Traffic,
    slices: int,
) -> dict[tuple[str | None, ...], float | None]:
    """Return the dispersions of rows, if their texts are all columns of the traffic's calls."""
    if not columns or not all(column.key in _SOURCES for column in columns):
        return {}
    table = traffic.failed if kind == "failures" else traffic.calls
    names = tuple(_SOURCES[column.key] for column in columns)
    raw = {tuple(map(status_of, key)): key for key in keys}
    found = _dispersions(table, names, set(raw), traffic, slices)
    return {raw[key]: value for key, value in found.items()}


def _dispersions(
    table: pa.Table,
    names: tuple[str, ...],
    wanted: set[tuple[Any, ...]],
    traffic: Traffic,
    slices: int,
) -> dict[tuple[Any, ...], float | None]:
    """Return the index of dispersion of the calls of each wanted key over the slices."""
    if slices < 2 or traffic.first is None:
        return {}
    buckets = len(traffic.buckets)
    over_time: dict[tuple[Any, ...], list[int]] = {key: [0] * slices for key in wanted}
    for bucket, *key, calls in counts(table, "bucket", *names):
        series = over_time.get(tuple(key))
        if series is not None and bucket is not None:
            series[(bucket - traffic.first) // traffic.width * slices // buckets] += calls
    return {key: dispersion(series) for key, series in over_time.items()}


def dispersion(series: Sequence[int]) -> float | None:
    """Return the variance of counts relative to their mean; None if all are 0.

    Args:
        series: At least two counts.
    """
    mean = sum(series) / len(series)
    if not mean:
        return None
    return sum((value - mean) ** 2 for value in series) / ((len(series) - 1) * mean)


def _quantiles(
    finding: Finding, detail: Detail, traffic: Traffic, slices: int
) -> Iterator[QuantileEvidence]:
    columns = list(detail.columns)
    texts = [n for n, each in enumerate(columns) if each.unit == Unit.TEXT and each.is_key]
    if not texts and any(each.unit == Unit.TEXT for each in columns):
        return  # the rows of two reports are about different things
    if [columns[n].key for n in texts] != ["method"]:
        return
    names = [row[texts[0]] for row in detail.rows]
    scatter = _scatter(
        finding.kind, [columns[texts[0]]], [(name,) for name in names], traffic, slices
    )
    sketches = {each.name: each.whole for each in latencies(traffic) if each.name in set(names)}
    for name in names:
        sketch = sketches.get(name)
        if sketch is None or not sketch.calls:
            continue
        independent = sketch.calls / max(1.0, scatter.get((name,)) or 1.0)
        for column in columns:
            share = _QUANTILES.get(column.key)
            if share is not None and independent * (1 - share) >= MIN_BEYOND:
                low, high = _interval(sketch, share, independent)
                yield QuantileEvidence(
                    section=finding.kind,
                    table=detail.title,
                    measure=column.title,
                    key={"method": name},
                    calls=sketch.calls,
                    value=sketch.quantile(share),
                    low=low,
                    high=high,
                )


def _interval(sketch: LatencySketch, share: float, independent: float) -> tuple[int, int]:
    """Return the interval of a quantile by the ranks that it may have by chance."""
    half = QUANTILE_Z * math.sqrt(share * (1 - share) / independent)
    low, high = max(0.0, share - half), min(1.0, share + half)
    return sketch.quantile(low), sketch.quantile(high)
