"""Detection of a lasting rise in a series: the change point after which values stay higher.

A series is split at the point where the medians of both parts fit best (least absolute deviation of
the logarithms). The split counts as a rise only if the later part is higher by the given ratio,
if the difference is at least `MIN_Z_SCORE` standard errors, and if nearly all points
(`MIN_CONSISTENCY`) are on their side of the middle.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    _Series: TypeAlias = NDArray[np.float64]

MIN_Z_SCORE = 7.0
"""Minimum standard errors between both parts.

With `MIN_POINTS_PER_SIDE` and `MIN_CONSISTENCY`, two in 10,000 series of noise (log-normal or
heavier, 10 to 40 points) still looked like a rise.
"""

MIN_CONSISTENCY = 0.8
"""Minimum share of the points of each part that must lie on their side of the middle."""

MIN_POINTS_PER_SIDE = 5
"""Minimum points on each side of a split: with fewer, one stray burst is a part of its own."""

_BIN_NOISE = math.log(2) / 8
"""Minimum scatter that is assumed: two bins of the sketch."""

_MAD_TO_SIGMA = 1.4826
_MEDIAN_ERROR = 1.2533
"""Ratio of the standard error of a median to that of a mean (normal distribution)."""


def find_change_point(values: Sequence[float], ratio: float) -> int | None:
    """Return the index from which all values stay clearly above those before it, or None.

    They must be higher by at least `ratio`.
    """
    if len(values) < 2 * MIN_POINTS_PER_SIDE:
        return None
    series = np.log(np.maximum(np.asarray(values, dtype=np.float64), 1.0))
    cuts = np.arange(MIN_POINTS_PER_SIDE, len(series) - MIN_POINTS_PER_SIDE + 1)
    misfits = _misfits(series)[cuts - 1] + _misfits(series[::-1])[len(series) - cuts - 1]
    cut = int(cuts[np.argmin(misfits)])
    before, after = series[:cut], series[cut:]
    low, high = float(np.median(before)), float(np.median(after))
    if high - low < math.log(ratio):
        return None
    scatter = np.concatenate([np.abs(before - low), np.abs(after - high)])
    sigma = max(_MAD_TO_SIGMA * float(np.median(scatter)), _BIN_NOISE)
    error = _MEDIAN_ERROR * sigma * math.sqrt(1 / len(before) + 1 / len(after))
    middle = (low + high) / 2
    keeps = min(float(np.mean(before < middle)), float(np.mean(after > middle)))
    return cut if high - low >= MIN_Z_SCORE * error and keeps >= MIN_CONSISTENCY else None


def _misfits(series: _Series) -> _Series:
    """Return the sums of absolute deviations from the median for each prefix of the series."""
    size = np.arange(len(series))
    within = np.tri(len(series), dtype=bool)
    ordered = np.sort(np.where(within, series, np.inf), axis=1)
    medians = (ordered[size, size // 2] + ordered[size, (size + 1) // 2]) / 2
    misfits: _Series = np.abs(series - medians[:, np.newaxis]).sum(axis=1, where=within)
    return misfits
