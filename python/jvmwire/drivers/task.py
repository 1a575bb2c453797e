"""An operation on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.operations import Operation, Running
    from jvmwire.sansio import Command

NOTHING: Any = object()
"""What a task has emitted while it has emitted nothing."""


class Task:
    """An operation, what it waits for, and in the end what came of it."""

    __slots__ = (
        "call_id",
        "command",
        "commands",
        "deadline",
        "done",
        "emitted",
        "error",
        "joined",
        "joiners",
        "missing",
        "name",
        "operation",
        "refusal",
        "release",
        "replies",
        "result",
        "size",
        "start",
        "started",
        "timeout",
        "undo",
        "unheard",
        "wake",
    )

    command: Command
    call_id: int
    """What was sent last, and as what."""
    start: int
    size: int
    """Where `command` stands among the bytes of its session, and how many they are."""
    missing: int
    """Replies to `command` that did not come yet."""
    replies: list[Any]
    """What a batch was answered so far; there only for a batch."""

    def __init__(
        self,
        operation: Running,
        name: str,
        started: float,
        timeout: float | None,
        wake: Callable[[Task], None] | None,
    ) -> None:
        self.operation = operation
        self.name = name
        self.started = started
        self.timeout = timeout
        self.deadline = None if timeout is None else started + timeout
        self.wake = wake
        """Told when there is an emitted value, and when the task is done."""
        self.release: Callable[[Task], None] | None = None
        """Gives back what the task waits for, so that nothing resumes it."""
        self.commands = 0
        """How many were sent so far."""
        self.joiners: list[Task] | None = None
        self.joined: Task | None = None
        """Whose end it waited for last."""
        self.refusal: BaseException | None = None
        """What went wrong last while it went on."""
        self.emitted: Any = NOTHING
        self.unheard: Callable[[Any], Operation[Any]] | None = None
        """Of the call that was sent last: see `Call`."""
        self.undo: Operation[Any] | None = None
        """What to run if nobody is there any more to be told the result."""
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None

    def __repr__(self) -> str:
        return f"<Task {self.name}, {'done' if self.done else 'on its way'}>"
