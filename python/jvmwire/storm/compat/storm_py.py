"""The names of Storm's own module for Python, storm.py: of what was written for it, only the import
changes, to `from jvmwire.storm import original as storm`.

What differs: nothing waits for the tasks that a tuple went to before somebody looks at them; prints
become log messages; heartbeats are answered for the component, which never sees one.
Messages that are put together by hand (`readMsg`, `sendMsgToParent`) are not offered.
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
from jvmwire.errors import ConnectionLost, JvmWireError, LocalProtocolError
from jvmwire.storm.bolt import SingleBolt, emit_plain
from jvmwire.storm.commands import (
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
from jvmwire.storm.component import Component
from jvmwire.storm.runner import run_stdio, write_pid_file
from jvmwire.storm.session import BoltSession, ComponentSession, SpoutCommand, SpoutSession
from jvmwire.storm.spout import SpoutBase
from jvmwire.storm.tuples import HEARTBEAT_STREAM
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.storm.tuples import Tuple as _Tuple

MODE: Any = None
"""`Bolt` or `Spout`: what this process is. Who calls `initComponent` in a spout says so before."""


@dataclass(slots=True, repr=False, eq=False)
class Tuple:
    """What a bolt gets."""

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
        """Return whether Storm asks by it whether we live. Bolts never see one."""
        return self.task == -1 and self.stream == HEARTBEAT_STREAM


class Bolt:
    """Processes tuples, acks and fails them by itself; ends at an exception."""

    def initialize(self, stormconf: dict[str, Any], context: dict[str, Any]) -> None:
        """Get ready."""

    def process(self, tuple: Tuple) -> None:  # noqa: A002  # as it is in storm.py
        """Process one tuple."""

    def run(self) -> None:
        """Run for the Storm that started this process."""
        _run(self)


class BasicBolt:
    """Processes tuples; what it emits is anchored, and each is acked, or failed if this raises."""

    def initialize(self, stormconf: dict[str, Any], context: dict[str, Any]) -> None:
        """Get ready."""

    def process(self, tuple: Tuple) -> None:  # noqa: A002  # as it is in storm.py
        """Process one tuple."""

    def run(self) -> None:
        """Run for the Storm that started this process."""
        _run(self)


class Spout:
    """Emits tuples; ends at an exception."""

    def initialize(self, conf: dict[str, Any], context: dict[str, Any]) -> None:
        """Get ready."""

    def activate(self) -> None:
        """Learn that `nextTuple` will be called."""

    def deactivate(self) -> None:
        """Learn that it will not."""

    def ack(self, id: Any) -> None:  # noqa: A002  # as it is in storm.py
        """Learn that the tuple emitted as `id` was processed."""

    def fail(self, id: Any) -> None:  # noqa: A002  # as it is in storm.py
        """Learn that it failed."""

    def nextTuple(self) -> None:  # noqa: N802  # as it is in storm.py
        """Emit a tuple, some, or none."""

    def run(self) -> None:
        """Run for the Storm that started this process."""
        _run(self)


class TaskIds(Sequence[int]):
    """The tasks that a tuple went to; who looks waits for Storm's answer."""

    __slots__ = ("_call_id", "_ids", "_line")

    def __init__(self, line: ComponentChannel[Command], call_id: int) -> None:
        self._line = line
        self._call_id = call_id
        self._ids: list[int] | None = None

    def __del__(self) -> None:
        if self._ids is None:
            self._line.forget(self._call_id)

    def _told(self) -> list[int]:
        if self._ids is None:
            self._ids = self._line.result(self._call_id)
        return self._ids

    def __getitem__(self, index: Any) -> Any:
        return self._told()[index]

    def __len__(self) -> int:
        return len(self._told())

    def __eq__(self, other: object) -> bool:
        return self._told() == (other._told() if isinstance(other, TaskIds) else other)

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __repr__(self) -> str:
        return repr(self._told())


def emit(*args: Any, **kwargs: Any) -> TaskIds:
    """Emit as `emitBolt` or `emitSpout`, whichever this is, and return the tasks it went to."""
    line = _here().line
    return TaskIds(line, line.call(_emitted(*args, need_task_ids=True, **kwargs)))


def emitDirect(task: int, *args: Any, **kwargs: Any) -> None:  # noqa: N802
    """Emit to one task."""
    _here().line.send(_emitted(*args, directTask=task, need_task_ids=False, **kwargs))


def emitBolt(  # noqa: N802
    tup: Sequence[Any],
    stream: str | None = None,
    anchors: Iterable[Tuple] = (),
    directTask: int | None = None,  # noqa: N803
) -> None:
    """Emit from a bolt; Storm's answer is not waited for."""
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
    """Emit from a spout; Storm's answer is not waited for."""
    here = _here()
    here.emits += 1
    here.line.send(Emit(tup, stream, (), directTask, id))


def ack(tup: Tuple) -> None:
    """Say that a tuple is done with."""
    _here().line.send(Ack(tup.id))


def fail(tup: Tuple) -> None:
    """Say that a tuple could not be processed."""
    _here().line.send(Fail(tup.id))


def reportError(msg: str) -> None:  # noqa: N802
    """Show an error in Storm's user interface."""
    _here().line.send(ReportError(msg))


def log(msg: str, level: int = 2) -> None:
    """Write to the worker's log."""
    _here().line.send(Log(msg, Level(level)))


def logTrace(msg: str) -> None:  # noqa: N802
    """Write to the worker's log."""
    log(msg, Level.TRACE)


def logDebug(msg: str) -> None:  # noqa: N802
    """Write to the worker's log."""
    log(msg, Level.DEBUG)


def logInfo(msg: str) -> None:  # noqa: N802
    """Write to the worker's log."""
    log(msg, Level.INFO)


def logWarn(msg: str) -> None:  # noqa: N802
    """Write to the worker's log."""
    log(msg, Level.WARN)


def logError(msg: str) -> None:  # noqa: N802
    """Write to the worker's log."""
    log(msg, Level.ERROR)


def rpcMetrics(name: str, params: Any) -> None:  # noqa: N802
    """Update a metric that the Java side registered."""
    _here().line.send(ReportMetric(name, params))


def initComponent() -> list[dict[str, Any]]:  # noqa: N802
    """Take the handshake in a component that reads by itself; return the conf and the context."""
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
    """Wait for the next tuple, in a bolt that reads by itself.

    Raises `ConnectionLost` once the input has ended.
    """
    return _tuple(_here().next_message())


def readCommand() -> dict[str, Any]:  # noqa: N802
    """Wait for the next command, in a spout that reads by itself; see `readTuple`."""
    command: SpoutCommand = _here().next_message()
    return {"command": command.name, "id": command.id}


def sync() -> None:
    """Say that a command is done; of a bolt's heartbeat we have said so already."""
    here = _here()
    if isinstance(here.session, SpoutSession):
        here.line.send(Sync())


@dataclass(slots=True)
class _Connection:
    """Where this process speaks to Storm, once it does."""

    line: ComponentChannel[Command]
    session: ComponentSession
    anchor: str | None = None
    """What a BasicBolt processes."""
    emits: int = 0
    """Of a spout."""
    _messages: deque[Any] = field(default_factory=deque)

    def next_message(self) -> Any:
        """Wait for what comes next."""
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
        raise LocalProtocolError("this process does not speak to Storm yet: call run()")
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
    """Runs a class of these names: nothing of its own names is in the way of the runner's."""

    exit_on_exception = True
    _of: Bolt | BasicBolt | Spout

    def _storm_begin(self) -> None:
        """Take the handshake."""
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
    """Return what the runner and `jvmwire.storm.testing` run."""
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
    with suppress(JvmWireError):  # nobody may listen any more
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
