"""Latencies of methods over time, from mergeable sketches."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pyarrow.compute as pc

from jvmwire._core import LatencySketch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.report.traffic import Traffic

Series: TypeAlias = "list[tuple[int, LatencySketch]]"
"""A method's latencies by the start of their bucket, in order."""


def pool(parts: Iterable[LatencySketch]) -> LatencySketch:
    """Put the latencies of several together."""
    whole = LatencySketch()
    for part in parts:
        whole.merge(part)
    return whole


def latencies(traffic: Traffic) -> dict[str | None, tuple[LatencySketch, Series]]:
    """Unpack the sketches of all methods: that of all calls, and those over time."""
    methods: dict[str | None, tuple[LatencySketch, Series]] = {}
    rows = traffic.latency.filter(pc.is_valid(traffic.latency["latencies"]))
    rows = rows.sort_by([("name", "ascending"), ("bucket", "ascending")])
    columns = (rows[name].to_pylist() for name in ("name", "bucket", "latencies"))
    for name, bucket, packed in zip(*columns, strict=True):
        whole, series = methods.setdefault(name, (LatencySketch(), []))
        part = LatencySketch.unpack(packed)
        whole.merge(part)
        if bucket is not None:
            series.append((bucket, part))
    return methods
