"""Spouts: components that are the sources of tuples."""

from __future__ import annotations

import abc
import itertools
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Final

from jvmwire._runtime.session import Event, Pushed
from jvmwire.storm._commands import Emit, Sync
from jvmwire.storm._component import Component

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.storm._session import SpoutCommand

SHORTEST_PAUSE: Final = 0.001
"""Seconds that a spout pauses after it emitted nothing; doubled each time in a row."""

LONGEST_PAUSE: Final = 0.05
"""Seconds that a spout pauses, at most; Storm's own 1 ms would keep a core busy."""


class SpoutBase(Component):
    """Base class of spouts, which executes Storm's commands."""

    def __init__(self) -> None:
        self._storm_emits = 0
        self._storm_pause = SHORTEST_PAUSE

    @abc.abstractmethod
    def next_tuple(self) -> None:
        """Emit any number of tuples without blocking; Storm waits for the return of this method."""

    def acked(self, message_id: Any) -> None:
        """Handle the ack of a tuple: it and all tuples derived from it were processed.

        Args:
            message_id: The `id` with which the tuple was emitted.
        """

    def failed(self, message_id: Any) -> None:
        """Handle the failure of a tuple, or its timeout.

        Args:
            message_id: The `id` with which the tuple was emitted.
        """

    def activate(self) -> None:
        """Handle the activation of the spout: `next_tuple` is called from now on."""

    def deactivate(self) -> None:
        """Handle the deactivation of the spout: `next_tuple` is not called until `activate`."""

    def _storm_take(self, event: Event) -> None:
        """Execute one command, and send `sync`."""
        if not isinstance(event, Pushed):
            return
        command: SpoutCommand = event.message
        before = self._storm_emits
        try:
            self._storm_do(command)
        except Exception as error:  # the exception of the component
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
    """Base class of a spout that emits tuples on request."""

    def emit(
        self,
        values: Sequence[Any],
        *,
        id: Any = None,  # noqa: A002  # Storm's word
        stream: str | None = None,
        task: int | None = None,
        need_task_ids: bool = False,
    ) -> list[int] | None:
        """Emit a tuple.

        Args:
            values: The values, one per field of the stream.
            id: A JSON value that Storm passes to `acked` or `failed`; without one the tuple is not
                tracked.
            stream: The stream; by default "default".
            task: The task that receives the tuple, on a direct stream.
            need_task_ids: Wait for Storm's reply with the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.

        Raises:
            NotDeclared: the topology has no such stream, or it has another number of fields.
            NotJsonSerializable: a value cannot be sent as JSON.
        """
        self._storm_emits += 1
        return self._storm_emit(Emit(values, stream, (), task, id, need_task_ids))


class ReliableSpout(Spout):
    """Base class of a spout that keeps emitted tuples until acked, and replays failed ones.

    Attributes:
        max_replays: How often a tuple is replayed before it is given up; None (the default) is
            without limit.
    """

    max_replays: ClassVar[int | None] = None
    """How often a tuple is replayed before it is given up; None is without limit."""

    def __init__(self) -> None:
        super().__init__()
        self._storm_numbers = itertools.count(1)
        self._storm_unacked: dict[Any, tuple[Emit, int]] = {}
        self._storm_to_replay: deque[Any] = deque()

    @property
    def pending(self) -> int:
        """The number of tuples that are neither acked nor given up."""
        return len(self._storm_unacked)

    def done(self, message_id: Any) -> None:
        """Handle the ack of a tuple.

        Args:
            message_id: The id of the tuple.
        """

    def given_up(self, message_id: Any, values: Sequence[Any]) -> None:
        """Handle a tuple that failed more often than it is replayed; by default report an error.

        Args:
            message_id: The id of the tuple.
            values: The values of the tuple.
        """
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
        """Emit a tuple that is replayed until it is acked.

        Args:
            values: The values, one per field of the stream.
            id: A string or an integer that no pending tuple has; by default a number.
            stream: The stream; by default "default".
            task: The task that receives the tuple, on a direct stream.
            need_task_ids: Wait for Storm's reply with the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.

        Raises:
            ValueError: a tuple with this id is still pending.
            NotDeclared: the topology has no such stream, or it has another number of fields.
            NotJsonSerializable: a value cannot be sent as JSON.
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
        """Remove the tuple from the pending ones.

        Args:
            message_id: The id of the tuple.
        """
        if self._storm_unacked.pop(message_id, None) is not None:
            self.done(message_id)

    def failed(self, message_id: Any) -> None:
        """Replay the tuple at Storm's next request for tuples, or give it up.

        Args:
            message_id: The id of the tuple.
        """
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
