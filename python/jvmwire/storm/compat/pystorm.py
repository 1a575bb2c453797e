"""Compatible interface of pystorm: components written for it run after a change of the import.

Differences: a component is started by `python -m jvmwire.storm` or by its `run()`, and uses JSON;
`pystorm.log.*` in the topology's configuration is ignored, as log messages go to Storm.
"""

from __future__ import annotations

import abc
import math
import os
import re
import sys
import traceback
from collections import Counter, namedtuple
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from jvmwire._runtime.session import Event, Pushed
from jvmwire.errors import ConfigError
from jvmwire.storm._batching import BatchBolt
from jvmwire.storm._bolt import BoltBase, SingleBolt, emit_plain
from jvmwire.storm._commands import Ack, Emit, Fail, Level
from jvmwire.storm._component import Component as _Component
from jvmwire.storm._runner import run_stdio
from jvmwire.storm._simplejson import as_simplejson
from jvmwire.storm._spout import SpoutBase
from jvmwire.storm._tuples import HEARTBEAT_STREAM, TICK_STREAM, Tuple
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from jvmwire._components import ComponentChannel
    from jvmwire.storm._commands import Command
    from jvmwire.storm._session import ComponentSession

LEVELS = {
    "trace": Level.TRACE,
    "debug": Level.DEBUG,
    "info": Level.INFO,
    "warn": Level.WARN,
    "warning": Level.WARN,
    "error": Level.ERROR,
    "critical": Level.ERROR,
}
"""The names of levels for `log`; any other name is INFO."""

_NO_NAME = re.compile(r"[^0-9a-zA-Z_]+")


class Component(_Component):
    """Base class of bolts and spouts.

    Args:
        serializer: The serialisation, which must be "json".

    Raises:
        ConfigError: `serializer` is another serialisation.
    """

    exit_on_exception = True

    topology_name: str | None = None
    task_id: int | None = None
    component_name: str | None = None
    debug: bool | None = None
    storm_conf: dict[str, Any] | None = None
    pid: int

    def __init__(self, *, serializer: str = "json") -> None:
        if serializer != "json":
            raise ConfigError(f"Storm is spoken to in JSON, and not in {serializer!r}")
        super().__init__()
        self.pid = os.getpid()

    def _storm_attach(self, line: ComponentChannel[Command], session: ComponentSession) -> None:
        """Use a channel from now on; values are encoded as simplejson encodes them."""
        session.convert = as_simplejson
        super()._storm_attach(line, session)

    def initialize(self, storm_conf: dict[str, Any], context: Any) -> None:
        """Acquire resources; called after the handshake and before any input.

        Args:
            storm_conf: The topology's configuration.
            context: The context of the handshake, as it was received.
        """

    def _storm_begin(self) -> None:
        """Store the handshake and initialize the component."""
        handshake = self._storm_session.handshake
        self.conf = self.storm_conf = handshake.conf
        self.context = handshake.raw_context  # type: ignore[assignment]  # as in pystorm
        self.topology_name = handshake.conf.get("topology.name", "")
        self.task_id = handshake.context.task_id
        self.component_name = handshake.context.component
        self.debug = handshake.conf.get("topology.debug", False)
        self.initialize(handshake.conf, handshake.raw_context)

    def log(self, message: object, level: Level | str | None = None) -> None:
        """Write a message to the worker's log.

        Args:
            message: The message; any object.
            level: A `Level`, or a name in `LEVELS`; by default INFO.
        """
        known = level if isinstance(level, Level) else LEVELS.get(level or "info", Level.INFO)
        super().log(str(message), known)

    def raise_exception(self, exception: BaseException, tup: Tuple | None = None) -> None:
        """Show an exception in Storm's user interface.

        Args:
            exception: The exception.
            tup: The tuple that was being processed, if any.
        """
        about = "" if tup is None else f" while processing {tup!r}"
        trace = "".join(traceback.format_exception(exception))
        self.report_error(f"Python {type(exception).__name__} raised{about}\n{trace}")

    @staticmethod
    def is_heartbeat(tup: Tuple) -> bool:
        """Return whether a tuple is a heartbeat; bolts never receive one.

        Args:
            tup: The tuple.

        Returns:
            Whether it is a heartbeat.
        """
        return tup.task == -1 and tup.stream == HEARTBEAT_STREAM

    def run(self) -> NoReturn:
        """Run the component for the Storm that started this process, then end the process."""
        sys.exit(run_stdio(lambda: self, Stdio()))

    def _emit(self, emit: Emit) -> list[int] | None:
        if emit.task is None or not emit.need_task_ids:
            return self._storm_emit(emit)
        self._storm_emit(emit)
        return [emit.task]


class _Bolt(Component, BoltBase):
    """Base class of bolts."""

    def _storm_begin(self) -> None:
        """Store the handshake and initialize the component."""
        fields = self._storm_session.handshake.context.source_fields or {}
        self._named = {
            (source, stream): _values_of(source, stream, names)
            for source, streams in fields.items()
            for stream, names in streams.items()
        }
        super()._storm_begin()

    def _storm_take(self, event: Event) -> None:
        """Process received tuples, whose values have names if Storm sends the fields."""
        if isinstance(event, Pushed):
            event = Pushed(event.key, [self._with_names(tup) for tup in event.message])
        super()._storm_take(event)

    def _with_names(self, tup: Tuple) -> Tuple:
        values = self._named.get((tup.component or "", tup.stream), tuple)(tup.values)
        return Tuple(tup.id, tup.component, tup.stream, tup.task, values)

    def ack(self, tup: Tuple | str) -> None:
        """Ack a tuple: it was processed.

        Args:
            tup: The tuple or its id.

        Raises:
            NotPending: the tuple was acked or failed before.
        """
        self._storm_line.send(Ack(_id_of(tup)))

    def fail(self, tup: Tuple | str) -> None:
        """Fail a tuple: it could not be processed.

        Args:
            tup: The tuple or its id.

        Raises:
            NotPending: the tuple was acked or failed before.
        """
        self._storm_line.send(Fail(_id_of(tup)))

    @staticmethod
    def is_tick(tup: Tuple) -> bool:
        """Return whether a tuple is a tick of Storm's clock.

        Args:
            tup: The tuple.

        Returns:
            Whether it is a tick.
        """
        return tup.component == "__system" and tup.stream == TICK_STREAM

    def _emit_from(
        self,
        current: Sequence[str],
        tup: Sequence[Any],
        stream: str | None,
        anchors: Iterable[Tuple | str] | None,
        direct_task: int | None,
        *,
        need_task_ids: bool,
    ) -> list[int] | None:
        if anchors is not None:
            current = [_id_of(anchor) for anchor in anchors]
        elif not self.auto_anchor:
            current = ()
        if direct_task is None and not need_task_ids:
            emit_plain(self._storm_line, self._storm_writer, tup, stream, current)
            return None
        return self._emit(Emit(tup, stream, current, direct_task, None, need_task_ids))


class Bolt(_Bolt, SingleBolt):
    """Base class of a bolt that processes one tuple at a time and ends at the first exception."""

    def emit(
        self,
        tup: Sequence[Any],
        stream: str | None = None,
        anchors: Iterable[Tuple | str] | None = None,
        direct_task: int | None = None,
        need_task_ids: bool = False,  # noqa: FBT001, FBT002  # as it is in pystorm
    ) -> list[int] | None:
        """Emit a tuple.

        Args:
            tup: The values, one per field of the stream.
            stream: The stream; by default "default".
            anchors: The tuples, or their ids, that fail if the emitted one fails; by default the
                tuple being processed.
            direct_task: The task that receives the tuple, on a direct stream.
            need_task_ids: Return the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.
        """
        current = self._storm_current
        return self._emit_from(
            current, tup, stream, anchors, direct_task, need_task_ids=need_task_ids
        )


class BatchingBolt(_Bolt, BatchBolt):
    """Base class of a bolt that processes tuples by group, after a number of tick tuples."""

    batch_size: ClassVar[int] = sys.maxsize
    batch_seconds: ClassVar[float] = math.inf
    ticks_between_batches: ClassVar[int] = 1

    def __init__(self, *, serializer: str = "json") -> None:
        super().__init__(serializer=serializer)
        self._ticks = 0

    @abc.abstractmethod
    def process_batch(self, key: Hashable, tups: list[Tuple]) -> None:
        """Process the tuples of one group; an exception fails all of them.

        Args:
            key: The key of the group.
            tups: The tuples, in order.
        """

    def emit(
        self,
        tup: Sequence[Any],
        stream: str | None = None,
        anchors: Iterable[Tuple | str] | None = None,
        direct_task: int | None = None,
        need_task_ids: bool = False,  # noqa: FBT001, FBT002  # as it is in pystorm
    ) -> None:
        """Emit a tuple.

        Args:
            tup: The values, one per field of the stream.
            stream: The stream; by default "default".
            anchors: The tuples, or their ids, that fail if the emitted one fails; by default all
                tuples of the group.
            direct_task: The task that receives the tuple, on a direct stream.
            need_task_ids: Ignored: task ids are never requested.
        """
        del need_task_ids
        current = self._storm_current
        self._emit_from(current, tup, stream, anchors, direct_task, need_task_ids=False)

    def process_tick(self, tick_tup: Tuple) -> None:
        """Count the tick, and process the batch after more than `ticks_between_batches`.

        Args:
            tick_tup: The tick tuple.
        """
        del tick_tup
        self._ticks += 1
        if self._ticks > self.ticks_between_batches:
            self.process_batches()
            self._ticks = 0

    def process_batches(self) -> None:
        """Process the batch now."""
        self._storm_run_due()


class TicklessBatchingBolt(BatchingBolt):
    """Base class of a bolt that processes groups after `secs_between_batches`, without ticks."""

    secs_between_batches: ClassVar[float] = 2

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.batch_seconds = cls.secs_between_batches

    def process_tick(self, tick_tup: Tuple) -> None:
        """Ignore the tick.

        Args:
            tick_tup: The tick tuple.
        """


class Spout(Component, SpoutBase):
    """Base class of a spout that emits tuples on request."""

    def ack(self, tup_id: Any) -> None:
        """Handle the ack of a tuple.

        Args:
            tup_id: The id with which the tuple was emitted.
        """

    def fail(self, tup_id: Any) -> None:
        """Handle the failure of a tuple, or its timeout.

        Args:
            tup_id: The id with which the tuple was emitted.
        """

    def acked(self, message_id: Any) -> None:
        """Call `ack`.

        Args:
            message_id: The id with which the tuple was emitted.
        """
        self.ack(message_id)

    def failed(self, message_id: Any) -> None:
        """Call `fail`.

        Args:
            message_id: The id with which the tuple was emitted.
        """
        self.fail(message_id)

    def emit(
        self,
        tup: Sequence[Any],
        tup_id: Any = None,
        stream: str | None = None,
        direct_task: int | None = None,
        need_task_ids: bool = False,  # noqa: FBT001, FBT002  # as it is in pystorm
    ) -> list[int] | None:
        """Emit a tuple.

        Args:
            tup: The values, one per field of the stream.
            tup_id: The id that Storm passes to `ack` or `fail`; without one the tuple is not
                tracked.
            stream: The stream; by default "default".
            direct_task: The task that receives the tuple, on a direct stream.
            need_task_ids: Return the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.
        """
        self._storm_emits += 1
        return self._emit(Emit(tup, stream, (), direct_task, tup_id, need_task_ids))


class ReliableSpout(Spout):
    """Base class of a spout that replays failed tuples up to `max_fails` times."""

    max_fails: ClassVar[int] = 3

    def __init__(self, *, serializer: str = "json") -> None:
        super().__init__(serializer=serializer)
        self.failed_tuples: Counter[Any] = Counter()
        self.unacked_tuples: dict[Any, tuple[Any, ...]] = {}

    def ack(self, tup_id: Any) -> None:
        """Remove the tuple from the pending ones.

        Args:
            tup_id: The id with which the tuple was emitted.
        """
        self.failed_tuples.pop(tup_id, None)
        if self.unacked_tuples.pop(tup_id, None) is None:
            self.logger.error("Storm acks %r, which is none of ours", tup_id)

    def fail(self, tup_id: Any) -> None:
        """Replay the tuple, or give it up after `max_fails` replays.

        Args:
            tup_id: The id with which the tuple was emitted.
        """
        saved = self.unacked_tuples.get(tup_id)
        if saved is None:
            self.logger.error("Storm fails %r, which is none of ours", tup_id)
        elif self.failed_tuples[tup_id] < self.max_fails:
            tup, stream, direct_task, need_task_ids = saved
            self.emit(tup, tup_id, stream, direct_task, need_task_ids)
            self.failed_tuples[tup_id] += 1
        else:
            self.logger.info("%r failed more than %d times", tup_id, self.max_fails)
            self.ack(tup_id)

    def emit(
        self,
        tup: Sequence[Any],
        tup_id: Any = None,
        stream: str | None = None,
        direct_task: int | None = None,
        need_task_ids: bool = False,  # noqa: FBT001, FBT002  # as it is in pystorm
    ) -> list[int] | None:
        """Emit a tuple that is kept until it is acked.

        Args:
            tup: The values, one per field of the stream.
            tup_id: The id of the tuple, which is required.
            stream: The stream; by default "default".
            direct_task: The task that receives the tuple, on a direct stream.
            need_task_ids: Return the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.

        Raises:
            ValueError: `tup_id` is None.
        """
        if tup_id is None:
            raise ValueError("a tuple of a ReliableSpout needs an id, by which it is replayed")
        self.unacked_tuples[tup_id] = (tup, stream, direct_task, need_task_ids)
        return super().emit(tup, tup_id, stream, direct_task, need_task_ids)


def _id_of(tup: Tuple | str) -> str:
    return tup if isinstance(tup, str) else tup.id


def _values_of(source: str, stream: str, names: Sequence[str]) -> Callable[[Any], Any]:
    """Return the constructor of a stream's values: a named tuple, named as pystorm names it."""
    name = _NO_NAME.sub("_", source.title()) + _NO_NAME.sub("_", stream.title()) + "Tuple"
    kind = namedtuple(name, names, rename=True)  # type: ignore[misc]  # the names are Storm's

    def values(given: Sequence[Any]) -> Any:
        return kind(*given) if len(given) == len(names) else tuple(given)

    return values


__all__ = [
    "BatchingBolt",
    "Bolt",
    "Component",
    "ReliableSpout",
    "Spout",
    "TicklessBatchingBolt",
    "Tuple",
]
