"""How long the laws are tried: DEPTH is `ci` or `full`, and scales counts, nothing else."""

import os
from random import Random

_FACTORS = {"ci": 1, "full": 25}


def times(count: int, *, full: int | None = None) -> int:
    """Return how often to try what is tried `count` times in CI, `full` times at full depth."""
    depth = os.environ.get("DEPTH", "ci")
    return full if full is not None and depth == "full" else count * _FACTORS[depth]


def seeded(number: int) -> Random:
    """Return what is random and the same each time."""
    return Random(number)  # noqa: S311 - nothing is kept secret by it
