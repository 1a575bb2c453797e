"""Routing of events to positions in a stream's key range."""

from __future__ import annotations

import random

from jvmwire._core import pravega_positions


def positions_of(count: int, keys: list[str] | None) -> list[float]:
    """Return the positions of `count` events by routing key, or random positions without keys.

    Raises:
        TypeError: `keys` is not a list of strings.
        ValueError: the number of keys differs from `count`.
    """
    if keys is None:
        # The positions spread events over the segments; they are not a secret.
        return [random.random() for _ in range(count)]  # noqa: S311
    try:
        if len(keys) != count:
            raise ValueError(f"{count} events have {len(keys)} routing keys")
        return pravega_positions(keys)
    except TypeError as error:
        raise TypeError(f"routing keys must be str: {error}") from None
