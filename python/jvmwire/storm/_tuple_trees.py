"""Tuple trees of spouts' tracked tuples, as Storm's acker tasks keep them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(slots=True)
class Tree:
    """A tuple of a spout, and all tuples anchored to it."""

    task: int
    """The task of the spout."""
    message_id: Any
    started: float
    pending: int = 0
    """The number of its tuples that are neither acked nor failed."""


class TupleTrees:
    """The incomplete trees, ordered by age."""

    def __init__(self) -> None:
        self._trees: dict[int, Tree] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._trees)

    def plant(self, task: int, message_id: Any, now: float) -> int:
        """Begin a tree, and return its number."""
        self._count += 1
        self._trees[self._count] = Tree(task, message_id, now)
        return self._count

    def grow(self, roots: Iterable[int], count: int) -> None:
        """Add `count` tuples to each tree that still exists."""
        for root in roots:
            if (tree := self._trees.get(root)) is not None:
                tree.pending += count

    def ack(self, roots: Iterable[int]) -> Iterator[Tree]:
        """Remove an acked tuple from its trees; yield the trees that become complete."""
        for root in roots:
            if (tree := self._trees.get(root)) is not None:
                tree.pending -= 1
                if tree.pending <= 0:
                    yield self._trees.pop(root)

    def fail(self, roots: Iterable[int]) -> Iterator[Tree]:
        """Remove the trees of a failed tuple, and yield them."""
        for root in roots:
            if (tree := self._trees.pop(root, None)) is not None:
                yield tree

    def expire(self, before: float) -> Iterator[Tree]:
        """Remove the trees that began earlier than `before`, and yield them."""
        while self._trees:
            root, tree = next(iter(self._trees.items()))
            if tree.started >= before:
                return
            del self._trees[root]
            yield tree
