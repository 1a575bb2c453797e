"""What one operation waits for until another one keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.drivers.task import Task


class Promise:
    """An instruction: be sent what it is kept by, or thrown what it is broken by.

    One operation may wait for it, and it is kept or broken once, before or after.
    """

    # Made by the thousand, and most have nothing of their own but who waits.
    _is_settled = False
    _value: Any = None
    _error: BaseException | None = None
    _task: Task | None = None
    _resume: Callable[[Task, Any, BaseException | None], None]

    def keep(self, value: Any = None) -> None:
        """Let who waits go on with `value`."""
        if (task := self._task) is None:
            self._is_settled, self._value = True, value
        else:
            self._task = None
            self._resume(task, value, None)

    def break_by(self, error: BaseException) -> None:
        """Let who waits be thrown `error`."""
        if (task := self._task) is None:
            self._is_settled, self._error = True, error
        else:
            self._task = None
            self._resume(task, None, error)

    def have_wait(
        self, task: Task, resume: Callable[[Task, Any, BaseException | None], None]
    ) -> None:
        """Have `task` wait: `resume` lets it go on."""
        if self._is_settled:
            resume(task, self._value, self._error)
        else:
            self._task, self._resume = task, resume
            task.release = self._let_go

    def _let_go(self, _: Task) -> None:
        self._task = None
