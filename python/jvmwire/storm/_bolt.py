"""Bolts: components that receive tuples and emit tuples."""

from __future__ import annotations

import abc
from threading import Lock, get_ident
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, cast

from jvmwire._components.channel import FLUSH_AFTER, FLUSH_AT
from jvmwire._core import StormBoltWriter
from jvmwire._runtime.session import Event, Pushed
from jvmwire.storm._commands import Ack, AckAll, Emit, Fail
from jvmwire.storm._component import Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire._components.channel import ComponentChannel
    from jvmwire.storm._commands import Command
    from jvmwire.storm._session import BoltSession, ComponentSession
    from jvmwire.storm._tuples import Tuple


def emit_plain(
    line: ComponentChannel[Command],
    writer: StormBoltWriter,
    values: Sequence[Any],
    stream: str | None,
    anchors: Sequence[str],
) -> None:
    """Emit without a direct task and without a reply: in one step, except in rare cases.

    The step runs without a switch of threads, so it needs no lock.
    """
    waiting = writer.emit(values, stream, anchors)
    if waiting is None:  # a rare case, or a value to reject
        line.send(Emit(values, stream, anchors))
    elif waiting >= FLUSH_AT:
        line.flush()


class BoltBase(Component):
    """Base class of all bolts.

    Attributes:
        auto_anchor: Whether emitted tuples are anchored to the tuple being processed; default True.
        auto_ack: Whether a tuple is acked after it was processed, unless it was acked or failed
            already; default True.
        auto_fail: Whether a tuple is failed after its processing raised an exception, unless it was
            acked or failed already; default True.
    """

    auto_anchor: ClassVar[bool] = True
    """Whether emitted tuples are anchored to the tuple being processed."""
    auto_ack: ClassVar[bool] = True
    """Whether a tuple is acked after it was processed, unless it was acked or failed already."""
    auto_fail: ClassVar[bool] = True
    """Whether a tuple is failed after an exception, unless it was acked or failed already."""

    _storm_session: BoltSession
    _storm_writer = StormBoltWriter()

    def process_tick(self, tup: Tuple) -> None:
        """Process a tick tuple, which arrives every `topology.tick.tuple.freq.secs` seconds.

        Args:
            tup: The tuple.
        """

    def ack(self, tup: Tuple) -> None:
        """Ack a tuple: it was processed.

        Args:
            tup: The tuple.

        Raises:
            NotPending: the tuple was acked or failed before.
        """
        self._storm_line.send(Ack(tup.id))

    def fail(self, tup: Tuple) -> None:
        """Fail a tuple: it could not be processed.

        Args:
            tup: The tuple.

        Raises:
            NotPending: the tuple was acked or failed before.
        """
        self._storm_line.send(Fail(tup.id))

    def _storm_attach(self, line: ComponentChannel[Command], session: ComponentSession) -> None:
        """Use a channel and its session from now on."""
        super()._storm_attach(line, session)
        self._storm_session = cast("BoltSession", session)
        self._storm_writer = self._storm_session.writer

    def _storm_ack_all(self, tuples: Iterable[Tuple]) -> None:
        for tup in tuples:
            if self._storm_session.is_pending(tup.id):
                self.ack(tup)

    def _storm_failed(self, error: Exception, tuples: Iterable[Tuple]) -> None:
        if self.auto_fail:
            for tup in tuples:
                if self._storm_session.is_pending(tup.id):
                    self.fail(tup)
        self._storm_report_exception(error)


class SingleBolt(BoltBase):
    """Base class of bolts that process one tuple at a time."""

    def __init__(self) -> None:
        self._storm_current: tuple[str, ...] = ()
        self._storm_home = 0
        self._storm_done: list[str] = []
        """Tuples that were processed and are not acked yet."""
        self._storm_settling = Lock()

    @abc.abstractmethod
    def process(self, tup: Tuple) -> None:
        """Process one tuple; an exception fails it.

        Args:
            tup: The tuple.
        """

    def _storm_take(self, event: Event) -> None:
        """Process received tuples in order."""
        if not isinstance(event, Pushed):
            return
        self._storm_home = get_ident()
        line, process, done = self._storm_line, self.process, self._storm_done
        auto_ack = self.auto_ack
        for tup in event.message:
            self._storm_current = current = (tup.id,)
            try:
                if tup.is_tick:
                    self.process_tick(tup)
                else:
                    process(tup)
            except Exception as error:  # the exception of the component
                self._storm_failed(error, (tup,))
            else:
                if auto_ack:
                    done += current
            line.busy_since = now = monotonic()
            if now - line.last_write > FLUSH_AFTER:
                self._storm_settle()
                line.flush()
        self._storm_settle()
        self._storm_current = ()

    def _storm_settle(self) -> None:
        """Ack processed tuples in one step; the watchdog calls this while one tuple takes long."""
        with self._storm_settling:
            # Another thread may add a tuple meanwhile.
            ids = self._storm_done[:]
            del self._storm_done[: len(ids)]
        if ids:
            self._storm_line.send(AckAll(ids))


class Bolt(SingleBolt):
    """Base class of a bolt that processes one tuple at a time."""

    def emit(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
        task: int | None = None,
        need_task_ids: bool = False,
    ) -> list[int] | None:
        """Emit a tuple.

        Args:
            values: The values, one per field of the stream.
            stream: The stream; by default "default".
            anchors: The tuples that fail if the emitted one fails; by default the tuple being
                processed. Other threads must name the anchors.
            task: The task that receives the tuple, on a direct stream.
            need_task_ids: Wait for Storm's reply with the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.

        Raises:
            NotPending: an anchor was acked or failed before.
            NotDeclared: the topology has no such stream, or it has another number of fields.
            NotJsonSerializable: a value cannot be sent as JSON.
        """
        if anchors is not None:
            anchored: Sequence[str] = [tup.id for tup in anchors]
        elif self.auto_anchor and self._storm_home == get_ident():
            anchored = self._storm_current
        else:
            anchored = ()
        if task is None and not need_task_ids:
            emit_plain(self._storm_line, self._storm_writer, values, stream, anchored)
            return None
        return self._storm_emit(Emit(values, stream, anchored, task, None, need_task_ids))
