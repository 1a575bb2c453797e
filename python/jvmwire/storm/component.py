"""What bolts and spouts have in common: Storm's ear, and what their runner does for them."""

from __future__ import annotations

import logging
import math
import traceback
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

from jvmwire._components.watchdog import HANG_LIMIT
from jvmwire._runtime.session import NEED_DATA, Closed
from jvmwire.errors import LocalProtocolError
from jvmwire.storm.commands import Command, Emit, Level, Log, ReportError, ReportMetric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire._components.channel import ComponentChannel
    from jvmwire._runtime.session import Event
    from jvmwire.storm.context import Context
    from jvmwire.storm.session import ComponentSession


class _Detached:
    """The line of a component that is not run."""

    def send(self, command: Command) -> NoReturn:
        raise LocalProtocolError(f"cannot send {command}: the component runs nowhere yet")

    def call(self, command: Command) -> NoReturn:
        self.send(command)


class Component:
    """A spout or a bolt. Its methods may be called from any thread."""

    outputs: ClassVar[Sequence[str] | Mapping[str, Sequence[str]]] = ()
    """The fields of what it emits, or of each of its streams by name: what topologies declare."""
    config: ClassVar[Mapping[str, Any]] = {}
    """Settings of this component in its topology, as in `{"topology.tick.tuple.freq.secs": 5}`."""

    exit_on_exception: ClassVar[bool] = False
    """Whether the process ends, and the worker with it, at the first exception that it lets out."""
    nonfinite_as_null: ClassVar[bool] = False
    """Whether NaN and infinities are sent as null; else they are refused, as JSON has none."""
    hang_limit: ClassVar[float] = HANG_LIMIT
    """Seconds at one thing after which heartbeats go unanswered: Storm then ends what hangs."""

    conf: dict[str, Any]
    """The topology's configuration."""
    context: Context
    """Where it stands in the topology."""
    _storm_line: ComponentChannel[Command] = cast("ComponentChannel[Command]", _Detached())
    _storm_session: ComponentSession

    @property
    def logger(self) -> logging.Logger:
        """Its logger; what is logged goes to the worker's log."""
        return logging.getLogger(f"{type(self).__module__}.{type(self).__qualname__}")

    def initialize(self, conf: dict[str, Any], context: Context) -> None:
        """Get ready; the handshake is done, nothing else has come."""

    def close(self) -> None:
        """Give back what `initialize` took: the input ended, or we were told to."""

    def log(self, message: str, level: Level = Level.INFO) -> None:
        """Write to the worker's log. Storm 2.6.0 to 2.8.0 shows every level as INFO."""
        self._storm_send(Log(message, level))

    def report_error(self, message: str) -> None:
        """Show an error in Storm's user interface; the component lives."""
        self._storm_send(ReportError(message))

    def report_metric(self, name: str, params: Any) -> None:
        """Update a metric that the Java side registered: an unknown one ends the worker.

        Raises:
            NotDeclared: the topology is one that jvmwire packs, which registers none.
        """
        self._storm_send(ReportMetric(name, params))

    def _storm_emit(self, emit: Emit) -> list[int] | None:
        if not emit.expected_replies:
            self._storm_send(emit)
            return None
        task_ids: list[int] = self._storm_line.result(self._storm_line.call(emit))
        return task_ids

    def _storm_send(self, command: Command) -> None:
        self._storm_line.send(command)

    # The runner calls these.

    def _storm_attach(self, line: ComponentChannel[Command], session: ComponentSession) -> None:
        """Speak on `line` from now on, whose session this is."""
        self._storm_line = line
        self._storm_session = session

    def _storm_begin(self) -> None:
        """Take the handshake."""
        handshake = self._storm_session.handshake
        self.conf = handshake.conf
        self.context = handshake.context
        self.initialize(handshake.conf, handshake.context)

    def _storm_run(self, read_fd: int) -> None:
        """Take what comes, by `read_fd`, until the input ends."""
        del read_fd
        line = self._storm_line
        while not isinstance(event := line.next_event(self._storm_next_due()), Closed):
            if event is NEED_DATA:
                self._storm_run_due()
            else:
                self._storm_take(event)

    def _storm_take(self, event: Event) -> None:
        """Do what came."""
        raise NotImplementedError

    def _storm_next_due(self) -> float:
        """Return when to call `_storm_run_due`, by `time.monotonic`."""
        return math.inf

    def _storm_run_due(self) -> None:
        """Do what was to be done by now."""

    def _storm_settle(self) -> None:
        """Say what need not wait for the end of what it is at."""

    def _storm_report_exception(self, error: Exception) -> None:
        """Report what the component let out."""
        if self._storm_session.can_send:
            self.report_error("".join(traceback.format_exception(error)))
        if self.exit_on_exception:
            raise ComponentFailed from error


class ComponentFailed(SystemExit):
    """The component let an exception out, which was reported, and ends."""

    def __init__(self) -> None:
        super().__init__(1)
