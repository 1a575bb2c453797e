"""Spouts: where tuples come from."""

from __future__ import annotations

import abc
import itertools
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Final

from jvmwire._runtime.session import Event, Pushed
from jvmwire.storm.commands import Emit, Sync
from jvmwire.storm.component import Component

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.storm.session import SpoutCommand

SHORTEST_PAUSE: Final = 0.001
"""Seconds that a spout rests which had nothing to emit; each time in a row it is twice as long."""

LONGEST_PAUSE: Final = 0.05
"""Seconds that it rests at most: Storm's own spouts would rest for 1 ms, and keep a core busy."""


class SpoutBase(Component):
    """Does what Storm asks of spouts."""

    def __init__(self) -> None:
        self._storm_emits = 0
        self._storm_pause = SHORTEST_PAUSE

    @abc.abstractmethod
    def next_tuple(self) -> None:
        """Emit a tuple, some, or none; soon, since Storm waits."""

    def acked(self, message_id: Any) -> None:
        """Learn that all that came of the tuple emitted as `message_id` was processed."""

    def failed(self, message_id: Any) -> None:
        """Learn that the tuple emitted as `message_id` was failed, or took too long."""

    def activate(self) -> None:
        """Learn that `next_tuple` will be called from now on."""

    def deactivate(self) -> None:
        """Learn that `next_tuple` will not be called until `activate`."""

    def _storm_take(self, event: Event) -> None:
        """Do one command, and say that it is done."""
        if not isinstance(event, Pushed):
            return
        command: SpoutCommand = event.message
        before = self._storm_emits
        try:
            self._storm_do(command)
        except Exception as error:  # it is the component's
            self._storm_report_exception(error)
        if self._storm_emits != before:
            self._storm_pause = SHORTEST_PAUSE
        elif command.name == "next":
            self._storm_line.flush()
            self._storm_line.pause(self._storm_pause)
            self._storm_pause = min(2 * self._storm_pause, LONGEST_PAUSE)
        self._storm_line.send(Sync())

    def _storm_do(self, command: SpoutCommand) -> None:
        match command.name:
            case "next":
                self.next_tuple()
            case "ack":
                self.acked(command.id)
            case "fail":
                self.failed(command.id)
            case "activate":
                self.activate()
            case "deactivate":
                self.deactivate()


class Spout(SpoutBase):
    """Emits tuples when Storm asks for some."""

    def emit(
        self,
        values: Sequence[Any],
        *,
        id: Any = None,  # noqa: A002  # Storm's word
        stream: str | None = None,
        task: int | None = None,
        need_task_ids: bool = False,
    ) -> list[int] | None:
        """Emit a tuple, to `task` alone if it is given.

        `id` is any JSON value, by which Storm tells what became of it; without one it does not.
        With `need_task_ids` the tasks that it went to are returned.

        Raises `NotDeclared` and `NotJson` as `Bolt.emit`.
        """
        self._storm_emits += 1
        return self._storm_emit(Emit(values, stream, (), task, id, need_task_ids))


class ReliableSpout(Spout):
    """Keeps what it emitted until Storm acks it, and emits again what fails."""

    max_replays: ClassVar[int | None] = None
    """How often a tuple is emitted again before it is given up; None for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._storm_numbers = itertools.count(1)
        self._storm_unacked: dict[Any, tuple[Emit, int]] = {}
        self._storm_to_replay: deque[Any] = deque()

    @property
    def pending(self) -> int:
        """How many tuples are neither acked nor given up."""
        return len(self._storm_unacked)

    def done(self, message_id: Any) -> None:
        """Learn that the tuple emitted as `message_id` was processed."""

    def given_up(self, message_id: Any, values: Sequence[Any]) -> None:
        """Learn that a tuple failed more often than it is replayed. Logs it by default."""
        self.report_error(f"tuple {message_id!r} was given up: {list(values)!r}")

    def emit(
        self,
        values: Sequence[Any],
        *,
        id: Any = None,  # noqa: A002  # Storm's word
        stream: str | None = None,
        task: int | None = None,
        need_task_ids: bool = False,
    ) -> list[int] | None:
        """Emit a tuple that is replayed until it is acked; `id` is a text or an integer of yours.

        Raises `ValueError` for an id that is still pending, and what `Spout.emit` raises.
        """
        message_id = f"{next(self._storm_numbers)}" if id is None else id
        if message_id in self._storm_unacked:
            raise ValueError(f"the tuple with the id {message_id!r} is still pending")
        emit = Emit(values, stream, (), task, message_id, need_task_ids)
        self._storm_emits += 1
        task_ids = self._storm_emit(emit)
        self._storm_unacked[message_id] = (emit, 0)
        return task_ids

    def acked(self, message_id: Any) -> None:
        """Forget the tuple."""
        if self._storm_unacked.pop(message_id, None) is not None:
            self.done(message_id)

    def failed(self, message_id: Any) -> None:
        """Emit the tuple again as soon as Storm asks for tuples, or give it up."""
        emit, replays = self._storm_unacked.get(message_id, (None, 0))
        if emit is None:
            return
        if self.max_replays is not None and replays >= self.max_replays:
            del self._storm_unacked[message_id]
            self.given_up(message_id, emit.values)
            return
        self._storm_unacked[message_id] = (emit, replays + 1)
        self._storm_to_replay.append(message_id)

    def _storm_do(self, command: SpoutCommand) -> None:
        if command.name == "next" and self._storm_to_replay:
            emit, _ = self._storm_unacked[self._storm_to_replay.popleft()]
            self._storm_emits += 1
            self._storm_send(Emit(emit.values, emit.stream, (), emit.task, emit.id))
            return
        super()._storm_do(command)
