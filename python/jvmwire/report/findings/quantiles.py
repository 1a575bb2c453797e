"""Latencies of methods over time.

Sketches stay packed but for those that are asked: of what would be tens of thousands of objects,
Python's collector looks at none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pyarrow.compute as pc

from jvmwire._core import LatencySketch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.report.traffic import Traffic

Part: TypeAlias = "tuple[int, int, bytes]"
"""The start of a bucket, the calls that were answered in it, and how long they took."""
Series: TypeAlias = "list[Part]"
"""A method's latencies over time, in order."""


def pool(parts: Iterable[Part]) -> LatencySketch:
    """Put the latencies of several buckets together."""
    return LatencySketch.unpack(packed for _, _, packed in parts)


def latencies(traffic: Traffic) -> dict[str | None, tuple[LatencySketch, Series]]:
    """Return the latencies of each method: of all calls, and over time."""
    methods: dict[str | None, Series] = {}
    rows = traffic.latency.filter(pc.is_valid(traffic.latency["latencies"]))
    rows = rows.sort_by([("name", "ascending"), ("bucket", "ascending")])
    columns = (rows[column].to_pylist() for column in ("name", "bucket", "calls", "latencies"))
    for name, bucket, calls, packed in zip(*columns, strict=True):
        methods.setdefault(name, []).append((bucket, calls, packed))
    return {
        name: (pool(parts), [part for part in parts if part[0] is not None])
        for name, parts in methods.items()
    }
