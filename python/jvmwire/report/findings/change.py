"""The point in time from which something stays clearly above what it was before.

A series is cut in two where the medians of both parts fit it best (least absolute deviation of
the logarithms). The cut counts as a rise only if the later part is higher by `RISE`, if that is
`CERTAIN` times what chance could do, and if nearly all points keep to their side (`KEEPS`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    _Series: TypeAlias = NDArray[np.float64]

RISE = 1.5
"""The later part must be this many times the earlier one: less is no news to anyone."""

CERTAIN = 7.0
"""Standard errors between both parts: with `SIDE` and `KEEPS`, two in 10,000 series of noise
(log-normal or heavier, 10 to 40 points) still looked like a rise."""

KEEPS = 0.8
"""Share of the points of each part that must lie on their side of the middle."""

SIDE = 5
"""Points on each side of a cut: with fewer, one stray burst is a part of its own."""

_BIN_NOISE = math.log(2) / 8
"""The least scatter that is believed: two bins of the sketch."""

_MAD_TO_SIGMA = 1.4826
_MEDIAN_ERROR = 1.2533
"""Standard error of a median, in that of a mean (normal distribution)."""


def rise(values: Sequence[float]) -> int | None:
    """Find the first of the points that stay clearly above all before it; None if none do."""
    if len(values) < 2 * SIDE:
        return None
    series = np.log(np.maximum(np.asarray(values, dtype=np.float64), 1.0))
    cuts = np.arange(SIDE, len(series) - SIDE + 1)
    misfits = _misfits(series)[cuts - 1] + _misfits(series[::-1])[len(series) - cuts - 1]
    cut = int(cuts[np.argmin(misfits)])
    before, after = series[:cut], series[cut:]
    low, high = float(np.median(before)), float(np.median(after))
    if high - low < math.log(RISE):
        return None
    scatter = np.concatenate([np.abs(before - low), np.abs(after - high)])
    sigma = max(_MAD_TO_SIGMA * float(np.median(scatter)), _BIN_NOISE)
    error = _MEDIAN_ERROR * sigma * math.sqrt(1 / len(before) + 1 / len(after))
    middle = (low + high) / 2
    keeps = min(float(np.mean(before < middle)), float(np.mean(after > middle)))
    return cut if high - low >= CERTAIN * error and keeps >= KEEPS else None


def _misfits(series: _Series) -> _Series:
    """Add up how far the first points are from their median: one, two, and so on to all."""
    size = np.arange(len(series))
    within = np.tri(len(series), dtype=bool)
    ordered = np.sort(np.where(within, series, np.inf), axis=1)
    medians = (ordered[size, size // 2] + ordered[size, (size + 1) // 2]) / 2
    misfits: _Series = np.abs(series - medians[:, np.newaxis]).sum(axis=1, where=within)
    return misfits
