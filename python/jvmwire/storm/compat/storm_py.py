"""Compatible interface of Storm's Python module storm.py: only the import of a component changes.

The import becomes `from jvmwire.storm.compat import storm_py as storm`. Differences: an emit does
not wait for the receiving tasks until they are accessed; prints become log messages; heartbeats are
answered for the component, which never receives one. Functions for raw messages (`readMsg`,
`sendMsgToParent`) are not available.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmwire._components import ComponentChannel, OutputCapture, Watchdog
from jvmwire._runtime.session import Opened, Pushed
from jvmwire.errors import ConnectionLost, JvmWireError, NotStarted
from jvmwire.storm._bolt import SingleBolt, emit_plain
from jvmwire.storm._commands import (
    Ack,
    Command,
    Emit,
    Fail,
    Level,
    Log,
    ReportError,
    ReportMetric,
    Sync,
)
from jvmwire.storm._component import Component
from jvmwire.storm._runner import run_stdio, write_pid_file
from jvmwire.storm._session import BoltSession, ComponentSession, SpoutCommand, SpoutSession
from jvmwire.storm._spout import SpoutBase
from jvmwire.storm._tuples import HEARTBEAT_STREAM
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.storm._tuples import Tuple as _Tuple

MODE: Any = None
"""`Bolt` or `Spout`: the kind of this process; a spout sets it before it calls `initComponent`."""


@dataclass(slots=True, repr=False, eq=False)
class Tuple:
    """A tuple received by a bolt.

    Attributes:
        id: Identifier by which the tuple is acked.
        component: Component that emitted it, None if Storm did not say.
        stream: Stream on which it was emitted.
        task: Number of the task that emitted it.
        values: The values.
    """

    id: str
    component: str | None
    stream: str
    task: int
    values: list[Any]

    def __repr__(self) -> str:
        return (
            f"<Tuple component={self.component!r} id={self.id!r} stream={self.stream!r} "
            f"task={self.task!r} values={self.values!r}>"
        )

    def is_heartbeat_tuple(self) -> bool:
        """Return whether the tuple is a heartbeat; bolts never receive one.

        Returns:
            Whether it is a heartbeat.
        """
        return self.task == -1 and self.stream == HEARTBEAT_STREAM


class Bolt:
    """Base class of a bolt that acks and fails tuples explicitly, and ends at an exception."""

    def initialize(self, stormconf: dict[str, Any], context: dict[str, Any]) -> None:
        """Acquire resources; called after the handshake.

        Args:
            stormconf: The topology's configuration.
            context: The context of the handshake, as it was received.
        """

    def process(self, tuple: Tuple) -> None:  # noqa: A002  # as it is in storm.py
        """Process one tuple.

        Args:
            tuple: The tuple.
        """

    def run(self) -> None:
        """Run the component for the Storm that started this process."""
        _run(self)


class BasicBolt:
    """Base class of a bolt that anchors its emits, and acks its tuples or fails them on error."""

    def initialize(self, stormconf: dict[str, Any], context: dict[str, Any]) -> None:
        """Acquire resources; called after the handshake.

        Args:
            stormconf: The topology's configuration.
            context: The context of the handshake, as it was received.
        """

    def process(self, tuple: Tuple) -> None:  # noqa: A002  # as it is in storm.py
        """Process one tuple; an exception fails it.

        Args:
            tuple: The tuple.
        """

    def run(self) -> None:
        """Run the component for the Storm that started this process."""
        _run(self)


class Spout:
    """Base class of a spout, which ends at an exception."""

    def initialize(self, conf: dict[str, Any], context: dict[str, Any]) -> None:
        """Acquire resources; called after the handshake.

        Args:
            conf: The topology's configuration.
            context: The context of the handshake, as it was received.
        """

    def activate(self) -> None:
        """Handle the activation of the spout: `nextTuple` is called from now on."""

    def deactivate(self) -> None:
        """Handle the deactivation of the spout: `nextTuple` is not called until `activate`."""

    def ack(self, id: Any) -> None:  # noqa: A002  # as it is in storm.py
        """Handle the ack of a tuple.

        Args:
            id: The id with which the tuple was emitted.
        """

    def fail(self, id: Any) -> None:  # noqa: A002  # as it is in storm.py
        """Handle the failure of a tuple, or its timeout.

        Args:
            id: The id with which the tuple was emitted.
        """

    def nextTuple(self) -> None:  # noqa: N802  # as it is in storm.py
        """Emit any number of tuples without blocking."""

    def run(self) -> None:
        """Run the component for the Storm that started this process."""
        _run(self)


class TaskIds(Sequence[int]):
    """The tasks that receive a tuple; the first access waits for Storm's reply."""

    __slots__ = ("_call_id", "_ids", "_line")

    def __init__(self, line: ComponentChannel[Command], call_id: int) -> None:
        self._line = line
        self._call_id = call_id
        self._ids: list[int] | None = None

    def __del__(self) -> None:
        if self._ids is None:
            self._line.forget(self._call_id)

    def _wait_for_ids(self) -> list[int]:
        if self._ids is None:
            self._ids = self._line.result(self._call_id)
        return self._ids

    def __getitem__(self, index: Any) -> Any:
        return self._wait_for_ids()[index]

    def __len__(self) -> int:
        return len(self._wait_for_ids())

    def __eq__(self, other: object) -> bool:
        return self._wait_for_ids() == (
            other._wait_for_ids() if isinstance(other, TaskIds) else other
        )

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __repr__(self) -> str:
        return repr(self._wait_for_ids())


def emit(*args: Any, **kwargs: Any) -> TaskIds:
    """Emit a tuple as `emitBolt` or `emitSpout` does, depending on the component.

    Args:
        args: The arguments of `emitBolt` or `emitSpout`.
        kwargs: Their keyword arguments.

    Returns:
        The tasks that receive the tuple.
    """
    line = _here().line
    return TaskIds(line, line.call(_emitted(*args, need_task_ids=True, **kwargs)))


def emitDirect(task: int, *args: Any, **kwargs: Any) -> None:  # noqa: N802
    """Emit a tuple to one task.

    Args:
        task: The task, on a direct stream.
        args: The arguments of `emitBolt` or `emitSpout`.
        kwargs: Their keyword arguments.
    """
    _here().line.send(_emitted(*args, directTask=task, need_task_ids=False, **kwargs))


def emitBolt(  # noqa: N802
    tup: Sequence[Any],
    stream: str | None = None,
    anchors: Iterable[Tuple] = (),
    directTask: int | None = None,  # noqa: N803
) -> None:
    """Emit a tuple from a bolt without waiting for the receiving tasks.

    Args:
        tup: The values, one per field of the stream.
        stream: The stream; by default "default".
        anchors: The tuples that fail if the emitted one fails; a `BasicBolt` anchors to the tuple
            being processed instead.
        directTask: The task that receives the tuple, on a direct stream.
    """
    here = _here()
    if directTask is None and isinstance(here.session, BoltSession):
        anchored = _anchored(anchors)
        emit_plain(here.line, here.session.writer, tup, stream, anchored)
    else:
        here.line.send(_of_bolt(tup, stream, anchors, directTask, need_task_ids=False))


def emitSpout(  # noqa: N802
    tup: Sequence[Any],
    stream: str | None = None,
    id: Any = None,  # noqa: A002
    directTask: int | None = None,  # noqa: N803
) -> None:
    """Emit a tuple from a spout without waiting for the receiving tasks.

    Args:
        tup: The values, one per field of the stream.
        stream: The stream; by default "default".
        id: The id that Storm passes to `ack` or `fail`; without one the tuple is not tracked.
        directTask: The task that receives the tuple, on a direct stream.
    """
    here = _here()
    here.emits += 1
    here.line.send(Emit(tup, stream, (), directTask, id))


def ack(tup: Tuple) -> None:
    """Ack a tuple: it was processed.

    Args:
        tup: The tuple.
    """
    _here().line.send(Ack(tup.id))


def fail(tup: Tuple) -> None:
    """Fail a tuple: it could not be processed.

    Args:
        tup: The tuple.
    """
    _here().line.send(Fail(tup.id))


def reportError(msg: str) -> None:  # noqa: N802
    """Show an error in Storm's user interface.

    Args:
        msg: The text.
    """
    _here().line.send(ReportError(msg))


def log(msg: str, level: int = 2) -> None:
    """Write a message to the worker's log.

    Args:
        msg: The text.
        level: The number of a `Level`; default 2, INFO.
    """
    _here().line.send(Log(msg, Level(level)))


def logTrace(msg: str) -> None:  # noqa: N802
    """Write a message to the worker's log with level TRACE.

    Args:
        msg: The text.
    """
    log(msg, Level.TRACE)


def logDebug(msg: str) -> None:  # noqa: N802
    """Write a message to the worker's log with level DEBUG.

    Args:
        msg: The text.
    """
    log(msg, Level.DEBUG)


def logInfo(msg: str) -> None:  # noqa: N802
    """Write a message to the worker's log with level INFO.

    Args:
        msg: The text.
    """
    log(msg, Level.INFO)


def logWarn(msg: str) -> None:  # noqa: N802
    """Write a message to the worker's log with level WARN.

    Args:
        msg: The text.
    """
    log(msg, Level.WARN)


def logError(msg: str) -> None:  # noqa: N802
    """Write a message to the worker's log with level ERROR.

    Args:
        msg: The text.
    """
    log(msg, Level.ERROR)


def rpcMetrics(name: str, params: Any) -> None:  # noqa: N802
    """Update a metric that was registered on the Java side.

    Args:
        name: The name of the metric.
        params: Any JSON value, as the metric expects it.
    """
    _here().line.send(ReportMetric(name, params))


def initComponent() -> list[dict[str, Any]]:  # noqa: N802
    """Perform the handshake, in a component that reads its input itself.

    Returns:
        The topology's configuration and the context.

    Raises:
        ConnectionLost: the input ended before the handshake.
    """
    session = (SpoutSession if MODE is Spout else BoltSession)(os.getpid())
    line: ComponentChannel[Command] = ComponentChannel(session, Stdio().connect(timeout=0))
    running = ExitStack()
    running.enter_context(
        OutputCapture(lambda text: line.send(Log(text)) if session.can_send else None)
    )
    atexit.register(_end_by_hand, running, line)
    if not isinstance(line.next_event(), Opened):
        raise ConnectionLost("the input ended before the handshake came")
    running.enter_context(Watchdog(line, lambda: None, flush_pending=lambda: None))
    handshake = session.handshake
    write_pid_file(handshake.pid_dir)
    line.flush()
    _begin(line, session)
    return [handshake.conf, handshake.raw_context]


def readTuple() -> Tuple:  # noqa: N802
    """Wait for the next tuple, in a bolt that reads its input itself.

    Returns:
        The tuple.

    Raises:
        ConnectionLost: the input has ended.
    """
    return _tuple(_here().next_message())


def readCommand() -> dict[str, Any]:  # noqa: N802
    """Wait for the next command, in a spout that reads its input itself.

    Returns:
        The command: `{"command": name, "id": id}`.

    Raises:
        ConnectionLost: the input has ended.
    """
    command: SpoutCommand = _here().next_message()
    return {"command": command.name, "id": command.id}


def sync() -> None:
    """Report that a command is done; no effect in a bolt, whose heartbeats are answered."""
    here = _here()
    if isinstance(here.session, SpoutSession):
        here.line.send(Sync())


@dataclass(slots=True)
class _Connection:
    """The connection of this process to Storm."""

    line: ComponentChannel[Command]
    session: ComponentSession
    anchor: str | None = None
    """The id of the tuple that a BasicBolt processes."""
    emits: int = 0
    """The number of emits of a spout's command."""
    _messages: deque[Any] = field(default_factory=deque)

    def next_message(self) -> Any:
        """Wait for the next tuple or command."""
        while not self._messages:
            event = self.line.next_event()
            if not isinstance(event, Pushed):
                raise ConnectionLost("the input has ended")
            message = event.message
            self._messages += message if isinstance(message, list) else [message]
        return self._messages.popleft()


_current: Final[list[_Connection]] = []


def _here() -> _Connection:
    if not _current:
        raise NotStarted("this process does not speak to Storm yet: call run()")
    return _current[0]


def _begin(line: ComponentChannel[Command], session: ComponentSession) -> None:
    _current[:] = [_Connection(line, session)]


def _emitted(*args: Any, need_task_ids: bool, **kwargs: Any) -> Emit:
    here = _here()
    if isinstance(here.session, SpoutSession):
        here.emits += 1
        return _of_spout(*args, need_task_ids=need_task_ids, **kwargs)
    return _of_bolt(*args, need_task_ids=need_task_ids, **kwargs)


def _of_bolt(
    tup: Sequence[Any],
    stream: str | None = None,
    anchors: Iterable[Tuple] = (),
    directTask: int | None = None,  # noqa: N803
    *,
    need_task_ids: bool,
) -> Emit:
    return Emit(tup, stream, _anchored(anchors), directTask, None, need_task_ids)


def _anchored(anchors: Iterable[Tuple]) -> list[str]:
    anchor = _here().anchor
    return [one.id for one in anchors] if anchor is None else [anchor]


def _of_spout(
    tup: Sequence[Any],
    stream: str | None = None,
    id: Any = None,  # noqa: A002
    directTask: int | None = None,  # noqa: N803
    *,
    need_task_ids: bool,
) -> Emit:
    return Emit(tup, stream, (), directTask, id, need_task_ids)


def _tuple(tup: _Tuple) -> Tuple:
    return Tuple(tup.id, tup.component, tup.stream, tup.task, tup.values)


class _Adapter(Component):
    """Adapter of this module's classes to the runner, whose method names do not collide."""

    exit_on_exception = True
    _of: Bolt | BasicBolt | Spout

    def _storm_begin(self) -> None:
        """Store the handshake and initialize the component."""
        _begin(self._storm_line, self._storm_session)
        handshake = self._storm_session.handshake
        self._of.initialize(handshake.conf, handshake.raw_context)


class _Bolt(_Adapter, SingleBolt):
    auto_ack = auto_anchor = auto_fail = False

    def __init__(self, bolt: Bolt | BasicBolt) -> None:
        super().__init__()
        self._of: Bolt | BasicBolt = bolt

    def process(self, tup: _Tuple) -> None:
        self._of.process(_tuple(tup))

    def process_tick(self, tup: _Tuple) -> None:
        self.process(tup)


class _BasicBolt(_Bolt):
    auto_ack = auto_fail = True
    exit_on_exception = False

    def process(self, tup: _Tuple) -> None:
        _here().anchor = tup.id
        self._of.process(_tuple(tup))


class _Spout(_Adapter, SpoutBase):
    def __init__(self, spout: Spout) -> None:
        super().__init__()
        self._of: Spout = spout

    def next_tuple(self) -> None:
        here = _here()
        here.emits = 0
        self._of.nextTuple()
        self._storm_emits += here.emits

    def acked(self, message_id: Any) -> None:
        self._of.ack(message_id)

    def failed(self, message_id: Any) -> None:
        self._of.fail(message_id)

    def activate(self) -> None:
        self._of.activate()

    def deactivate(self) -> None:
        self._of.deactivate()


def component(of: Bolt | BasicBolt | Spout) -> Component:
    """Create the component that the runner and `jvmwire.storm.testing` run.

    Args:
        of: A bolt or a spout of this module.

    Returns:
        The component.
    """
    match of:
        case Bolt():
            return _Bolt(of)
        case BasicBolt():
            return _BasicBolt(of)
        case Spout():
            return _Spout(of)


def _run(of: Bolt | BasicBolt | Spout) -> None:
    global MODE
    MODE = Spout if isinstance(of, Spout) else Bolt
    status = run_stdio(lambda: component(of), Stdio())
    if status:
        sys.exit(status)


def _end_by_hand(running: ExitStack, line: ComponentChannel[Command]) -> None:
    running.close()
    with suppress(JvmWireError):  # Storm may have ended
        line.flush()


__all__ = [
    "BasicBolt",
    "Bolt",
    "Spout",
    "TaskIds",
    "Tuple",
    "ack",
    "component",
    "emit",
    "emitBolt",
    "emitDirect",
    "emitSpout",
    "fail",
    "initComponent",
    "log",
    "logDebug",
    "logError",
    "logInfo",
    "logTrace",
    "logWarn",
    "readCommand",
    "readTuple",
    "reportError",
    "rpcMetrics",
    "sync",
]
