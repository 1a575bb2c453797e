"""What another library does for a task, in threads of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.drivers.task import Task
    from jvmwire.operations import Future


class Errand:
    """Begun by a driver, which is told from any thread that it is done."""

    def __init__(self, task: Task, begin: Callable[[], Future]) -> None:
        self.task: Task | None = task
        """Who waits; None if nobody does any more."""
        self.future: Future | None = None
        self._begin = begin

    def begin(self, done: Callable[[Errand], object]) -> None:
        """Have it begun; `done` is called once, perhaps from here."""
        if self.task is not None:
            self.future = self._begin()
            self.future.add_done_callback(lambda _: done(self))

    def give_up(self, _: Task) -> None:
        """Let nobody wait for it."""
        self.task = None
        if self.future is not None:
            self.future.cancel()
