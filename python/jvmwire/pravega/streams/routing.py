"""Where among a stream's segments events go."""

from __future__ import annotations

import random

from jvmwire._core import pravega_positions


def positions_of(count: int, keys: list[str] | None) -> list[float]:
    """Return the positions of so many events, by their routing keys; without keys any.

    Raises:
        ValueError: there are more or fewer keys.
    """
    if keys is None:
        # Spread over the segments; nothing is kept secret by it.
        return [random.random() for _ in range(count)]  # noqa: S311
    if len(keys) != count:
        raise ValueError(f"{count} events have {len(keys)} routing keys")
    return pravega_positions(keys)
