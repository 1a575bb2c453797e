"""Bolts: tuples come in, tuples go out."""

from __future__ import annotations

import abc
from threading import Lock, get_ident
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, cast

from jvmwire._components.channel import FLUSH_AFTER, FLUSH_AT
from jvmwire._core import StormBoltWriter
from jvmwire._runtime.session import Event, Pushed
from jvmwire.storm.commands import Ack, AckAll, Emit, Fail
from jvmwire.storm.component import Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire._components.channel import ComponentChannel
    from jvmwire.storm.commands import Command
    from jvmwire.storm.session import BoltSession, ComponentSession
    from jvmwire.storm.tuples import Tuple


def emit_plain(
    line: ComponentChannel[Command],
    writer: StormBoltWriter,
    values: Sequence[Any],
    stream: str | None,
    anchors: Sequence[str],
) -> None:
    """Emit as most do, to nobody in particular and unanswered: in one step, if nothing is rare.

    No other thread comes between, so this needs no lock.
    """
    waiting = writer.emit(values, stream, anchors)
    if waiting is None:  # it is rare, or to be refused
        line.send(Emit(values, stream, anchors))
    elif waiting >= FLUSH_AT:
        line.flush()


class BoltBase(Component):
    """What all bolts can do."""

    auto_anchor: ClassVar[bool] = True
    """Whether what is emitted while a tuple is processed fails if the tuple does."""
    auto_ack: ClassVar[bool] = True
    """Whether a tuple is acked once it is processed, unless that was done already."""
    auto_fail: ClassVar[bool] = True
    """Whether a tuple is failed if its processing raised, unless that was done already."""

    _storm_session: BoltSession
    _storm_writer = StormBoltWriter()

    def process_tick(self, tup: Tuple) -> None:
        """Do what is done every `topology.tick.tuple.freq.secs`."""

    def ack(self, tup: Tuple) -> None:
        """Say that `tup` is done with. Raises `NotPending` if that was said before."""
        self._storm_line.send(Ack(tup.id))

    def fail(self, tup: Tuple) -> None:
        """Say that `tup` could not be processed. Raises `NotPending` as `ack`."""
        self._storm_line.send(Fail(tup.id))

    def _storm_attach(self, line: ComponentChannel[Command], session: ComponentSession) -> None:
        """Speak on `line` from now on."""
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
    """Takes one tuple at a time."""

    def __init__(self) -> None:
        self._storm_current: tuple[str, ...] = ()
        self._storm_home = 0
        self._storm_done: list[str] = []
        """Tuples that were processed and are not acked yet."""
        self._storm_settling = Lock()

    @abc.abstractmethod
    def process(self, tup: Tuple) -> None:
        """Process one tuple; what this raises fails it."""

    def _storm_take(self, event: Event) -> None:
        """Process what came, in order."""
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
            except Exception as error:  # it is the component's
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
        """Ack what was processed in one step; the watch asks for it while a tuple takes long."""
        with self._storm_settling:
            # One may be added meanwhile.
            ids = self._storm_done[:]
            del self._storm_done[: len(ids)]
        if ids:
            self._storm_line.send(AckAll(ids))


class Bolt(SingleBolt):
    """Processes one tuple at a time."""

    def emit(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
        task: int | None = None,
        need_task_ids: bool = False,
    ) -> list[int] | None:
        """Send a tuple on, to `task` alone if it is given.

        It is anchored to `anchors`, by default to the tuple that is being processed; from a thread
        of your own say which. With `need_task_ids` the tasks that it went to are returned, which
        takes an answer from Storm.

        Raises:
            NotPending: an anchor was acked or failed before.
            NotDeclared: the topology has no such stream, or another number of fields.
            NotJson: a value cannot be said in Storm's JSON.
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
