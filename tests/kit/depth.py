"""How long the laws are tried: DEPTH is `ci` or `full`, and scales counts, nothing else."""

import os

_FACTORS = {"ci": 1, "full": 25}


def times(count: int) -> int:
    """Return how often to try what is tried `count` times in CI."""
    return count * _FACTORS[os.environ.get("DEPTH", "ci")]
