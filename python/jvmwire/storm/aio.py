"""Bolts that process many tuples at a time, as tasks of one asyncio loop."""

from __future__ import annotations

import abc
import asyncio
from collections import deque
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final

from jvmwire._components.watchdog import INTERVAL
from jvmwire._runtime.session import NEED_DATA, Closed, Event, Pushed
from jvmwire.storm.bolt import BoltBase
from jvmwire.storm.commands import Emit
from jvmwire.storm.tuples import TICK_STREAM, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.storm.commands import Command

AHEAD_LIMIT: Final = 1000
"""Tuples that wait for their turn before more is read."""

_current: ContextVar[tuple[str, ...]] = ContextVar("current", default=())


class AsyncBolt(BoltBase):
    """Processes up to `concurrency` tuples at a time, each in a task of its own."""

    concurrency: ClassVar[int] = 100
    """How many tuples are in process at a time; the others wait in their order."""

    def __init__(self) -> None:
        self._storm_waiting: deque[Tuple] = deque()
        self._storm_tasks: set[asyncio.Task[None]] = set()
        self._storm_answers: dict[int, asyncio.Future[list[int]]] = {}
        self._storm_flush_is_due = False
        self._storm_over: asyncio.Future[None]
        self._storm_loop: asyncio.AbstractEventLoop

    @abc.abstractmethod
    async def process(self, tup: Tuple) -> None:
        """Process one tuple; what this raises fails it."""

    async def start(self) -> None:
        """Get ready, in the loop; `initialize` was called before."""

    async def stop(self) -> None:
        """Give back what `start` took; `close` is called after."""

    def emit(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
        task: int | None = None,
    ) -> None:
        """Send a tuple on, anchored by default to the one that this task processes; see `Bolt`."""
        self._storm_send(Emit(values, stream, self._storm_anchors(anchors), task))

    async def emit_for_tasks(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
    ) -> list[int]:
        """Send a tuple on as `emit`, and return the tasks that it went to."""
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
        # What tasks say in one turn of the loop is one write.
        if not self._storm_flush_is_due:
            self._storm_flush_is_due = True
            self._storm_loop.call_soon_threadsafe(self._storm_flush)

    def _storm_flush(self) -> None:
        self._storm_flush_is_due = False
        self._storm_line.flush()

    def _storm_take(self, event: Event) -> None:
        """Let what came wait for its turn."""
        if isinstance(event, Pushed):
            self._storm_waiting += event.message

    def _storm_run(self, read_fd: int) -> None:
        """Process what comes, in a loop of asyncio's, until the input ends."""
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
        """Show the watch that the loop turns; take what it read while the loop did not."""
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
        except Exception as error:  # it is the component's
            self._storm_failed(error, (tup,))
        else:
            if self.auto_ack:
                self._storm_ack_all((tup,))
        self._storm_flush_soon()
