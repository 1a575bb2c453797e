"""Depth of the property tests: DEPTH is `ci` or `full`, and scales counts only."""

import os
from random import Random

_FACTORS = {"ci": 1, "full": 25}


def times(count: int, *, full: int | None = None) -> int:
    """Return the number of trials: `count` in CI, `full` at full depth."""
    depth = os.environ.get("DEPTH", "ci")
    return full if full is not None and depth == "full" else count * _FACTORS[depth]


def seeded(number: int) -> Random:
    """Return a generator of random numbers with a fixed seed."""
    return Random(number)  # noqa: S311 - nothing is kept secret by it
