"""Order in which the successors of split and merged segments become readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet


def readable_successors(after: Mapping[int, set[int]], finished: AbstractSet[int]) -> set[int]:
    """Return the successors that can be read now; `after` has the predecessors of each.

    A successor is readable once all its predecessors are `finished`, so that the events of a key
    are read in order. Segments that share keys are replaced by their successors together, so that a
    cut with the successors in place of their predecessors covers each key once.
    """
    ready = {each for each, before in after.items() if before <= finished}
    while held := {each for each in ready if not _next_of(after, after[each]) <= ready}:
        ready -= held
    return ready


def _next_of(after: Mapping[int, set[int]], segments: set[int]) -> set[int]:
    return {each for each, before in after.items() if before & segments}
