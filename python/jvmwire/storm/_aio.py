"""Asyncio bolts, which process many tuples concurrently in one event loop."""

from __future__ import annotations

import abc
import asyncio
from collections import deque
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final

from jvmwire._components.watchdog import INTERVAL
from jvmwire._runtime.session import NEED_DATA, Closed, Event, Pushed
from jvmwire.storm._bolt import BoltBase
from jvmwire.storm._commands import Emit
from jvmwire.storm._tuples import TICK_STREAM, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.storm._commands import Command

AHEAD_LIMIT: Final = 1000
"""Tuples that wait to be processed before no more input is read."""

_current: ContextVar[tuple[str, ...]] = ContextVar("current", default=())


class AsyncBolt(BoltBase):
    """Base class of a bolt that processes up to `concurrency` tuples at a time, each in a task.

    Attributes:
        concurrency: The number of tuples processed at a time, default 100; the others wait in
            order.
    """

    concurrency: ClassVar[int] = 100
    """The number of tuples processed at a time; the others wait in order."""

    def __init__(self) -> None:
        self._storm_waiting: deque[Tuple] = deque()
        self._storm_tasks: set[asyncio.Task[None]] = set()
        self._storm_answers: dict[int, asyncio.Future[list[int]]] = {}
        self._storm_flush_is_due = False
        self._storm_over: asyncio.Future[None]
        self._storm_loop: asyncio.AbstractEventLoop

    @abc.abstractmethod
    async def process(self, tup: Tuple) -> None:
        """Process one tuple; an exception fails it.

        Args:
            tup: The tuple.
        """

    async def start(self) -> None:
        """Acquire resources in the event loop; called after `initialize`."""

    async def stop(self) -> None:
        """Release the resources of `start`; called before `close`."""

    def emit(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
        task: int | None = None,
    ) -> None:
        """Emit a tuple.

        Args:
            values: The values, one per field of the stream.
            stream: The stream; by default "default".
            anchors: The tuples that fail if the emitted one fails; by default the tuple that this
                task processes.
            task: The task that receives the tuple, on a direct stream.

        Raises:
            NotPending: an anchor was acked or failed before.
            NotDeclared: the topology has no such stream, or it has another number of fields.
            NotJsonSerializable: a value cannot be sent as JSON.
        """
        self._storm_send(Emit(values, stream, self._storm_anchors(anchors), task))

    async def emit_for_tasks(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
    ) -> list[int]:
        """Emit a tuple as `emit` does, and wait for the tasks that receive it.

        Args:
            values: The values, one per field of the stream.
            stream: The stream; by default "default".
            anchors: The tuples that fail if the emitted one fails; by default the tuple that this
                task processes.

        Returns:
            The numbers of the tasks that receive the tuple.
        """
        emit = Emit(values, stream, self._storm_anchors(anchors), need_task_ids=True)
        call_id = self._storm_line.call(emit)
        answer = self._storm_answers[call_id] = self._storm_loop.create_future()
        self._storm_flush_soon()
        task_ids: list[int] = await answer
        return task_ids

    def _storm_anchors(self, anchors: Iterable[Tuple] | None) -> Sequence[str]:
        if anchors is not None:
            return [tup.id for tup in anchors]
        return _current.get() if self.auto_anchor else ()

    def _storm_send(self, command: Command) -> None:
        super()._storm_send(command)
        self._storm_flush_soon()

    def _storm_flush_soon(self) -> None:
        # All output of one iteration of the event loop is written at once.
        if not self._storm_flush_is_due:
            self._storm_flush_is_due = True
            self._storm_loop.call_soon_threadsafe(self._storm_flush)

    def _storm_flush(self) -> None:
        self._storm_flush_is_due = False
        self._storm_line.flush()

    def _storm_take(self, event: Event) -> None:
        """Queue received tuples."""
        if isinstance(event, Pushed):
            self._storm_waiting += event.message

    def _storm_run(self, read_fd: int) -> None:
        """Process input in an asyncio event loop until the input ends."""
        asyncio.run(self._storm_listen(read_fd))

    async def _storm_listen(self, read_fd: int) -> None:
        self._storm_loop = asyncio.get_running_loop()
        self._storm_over = self._storm_loop.create_future()
        await self.start()
        self._storm_loop.add_reader(read_fd, self._storm_advance)
        ticker = self._storm_loop.create_task(self._storm_tick_over())
        try:
            self._storm_advance()
            await self._storm_over
        finally:
            self._storm_loop.remove_reader(read_fd)
            for task in [ticker, *self._storm_tasks]:
                task.cancel()
            await asyncio.gather(ticker, *self._storm_tasks, return_exceptions=True)
            await self.stop()

    async def _storm_tick_over(self) -> None:
        """Show the watchdog that the event loop runs, and take the input that it read meanwhile."""
        while True:
            self._storm_line.busy_since = monotonic()
            await asyncio.sleep(INTERVAL / 2)
            self._storm_advance()

    def _storm_advance(self) -> None:
        if self._storm_over.done():
            return
        try:
            while len(self._storm_waiting) < AHEAD_LIMIT:
                event = self._storm_line.next_event(0)
                if event is NEED_DATA:
                    break
                if isinstance(event, Closed):
                    self._storm_over.set_result(None)
                    return
                self._storm_take(event)
            self._storm_resolve()
            self._storm_begin_tasks()
        except BaseException as error:
            if not self._storm_over.done():
                self._storm_over.set_exception(error)
            if not isinstance(error, Exception):
                raise
        self._storm_line.busy_since = monotonic()

    def _storm_resolve(self) -> None:
        for call_id in [
            call_id for call_id in self._storm_answers if self._storm_line.has_result(call_id)
        ]:
            answer = self._storm_answers.pop(call_id)
            task_ids: list[int] = self._storm_line.result(call_id)
            if not answer.done():
                answer.set_result(task_ids)

    def _storm_begin_tasks(self) -> None:
        while self._storm_waiting and len(self._storm_tasks) < self.concurrency:
            task = self._storm_loop.create_task(self._storm_process(self._storm_waiting.popleft()))
            self._storm_tasks.add(task)
            task.add_done_callback(self._storm_ended)

    def _storm_ended(self, task: asyncio.Task[None]) -> None:
        self._storm_tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if not self._storm_over.done():
                self._storm_over.set_exception(error)
            return
        self._storm_begin_tasks()

    async def _storm_process(self, tup: Tuple) -> None:
        _current.set((tup.id,))
        try:
            if tup.stream == TICK_STREAM:
                self.process_tick(tup)
            else:
                await self.process(tup)
        except Exception as error:  # the exception of the component
            self._storm_failed(error, (tup,))
        else:
            if self.auto_ack:
                self._storm_ack_all((tup,))
        self._storm_flush_soon()
