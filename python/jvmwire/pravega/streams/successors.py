"""When segments give way to those that have their keys after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet


def readable_successors(after: Mapping[int, set[int]], finished: AbstractSet[int]) -> set[int]:
    """Return which successors can be read now; `after` has the predecessors of each.

    All that had their keys before is `finished`, so of a key nothing comes ahead of what was
    written before it. And a cut that has them instead of their predecessors has each key once:
    segments that share keys give way to their successors together.
    """
    ready = {each for each, before in after.items() if before <= finished}
    while held := {each for each in ready if not _next_of(after, after[each]) <= ready}:
        ready -= held
    return ready


def _next_of(after: Mapping[int, set[int]], segments: set[int]) -> set[int]:
    return {each for each, before in after.items() if before & segments}
