"""Tasks that another one waits for together."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.drivers.task import Task


class Gathering:
    """The tasks that `task` waits for, and how many of them are not done."""

    __slots__ = ("_left", "task", "tasks")

    def __init__(self, task: Task, tasks: Sequence[Task]) -> None:
        self.task = task
        self.tasks = tasks
        self._left = len(tasks)

    def note(self, done: Task) -> bool:
        """Note that one of them is done; return whether all are."""
        self.task.commands += done.commands
        self._left -= 1
        return not self._left

    def results(self) -> list[Any]:
        """Return what each returned."""
        return [task.result for task in self.tasks]

    def error(self) -> BaseException | None:
        """Return the first error of those that raised, in their order."""
        return next((copy.copy(task.error) for task in self.tasks if task.error), None)
