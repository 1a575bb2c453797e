"""Base class of bolts and spouts: logging, errors, metrics, and methods for the runner."""

from __future__ import annotations

import logging
import math
import traceback
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

from jvmwire._components.watchdog import HANG_LIMIT
from jvmwire._runtime.session import NEED_DATA, Closed
from jvmwire.errors import NotStarted
from jvmwire.storm._commands import (
    Command,
    Emit,
    Level,
    Log,
    MetricKind,
    ReportError,
    ReportMetric,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire._components.channel import ComponentChannel
    from jvmwire._runtime.session import Event
    from jvmwire.storm._context import Context
    from jvmwire.storm._session import ComponentSession


class _Detached:
    """Placeholder for the channel of a component that is not running."""

    def send(self, command: Command) -> NoReturn:
        raise NotStarted(f"cannot send {command}: the component runs nowhere yet")

    def call(self, command: Command) -> NoReturn:
        self.send(command)


class Component:
    """Base class of spouts and bolts; its methods are thread-safe.

    Attributes:
        outputs: The fields of the component's stream, or the fields of each of its streams by name;
            topologies declare them.
        config: Settings of this component in its topology, as in
            `{"topology.tick.tuple.freq.secs": 5}`.
        metrics: The metrics that `report_metric` updates, with their kinds, as in
            `{"seen": MetricKind.COUNT}`; topologies that jvmwire packs register them.
        exit_on_exception: Whether the process, and with it the worker, ends at the first exception
            that the component raises; default False.
        nonfinite_as_null: Whether NaN and infinities are sent as null; by default they are
            rejected, since JSON has none.
        hang_limit: Seconds on one operation after which heartbeats are not answered, so that Storm
            ends the process.
        conf: The topology's configuration.
        context: The component's place in the topology.
    """

    outputs: ClassVar[Sequence[str] | Mapping[str, Sequence[str]]] = ()
    """The fields of its stream, or the fields of each of its streams by name; topologies declare
    them.
    """
    config: ClassVar[Mapping[str, Any]] = {}
    metrics: ClassVar[Mapping[str, MetricKind]] = {}

    exit_on_exception: ClassVar[bool] = False
    """Whether the process, and with it the worker, ends at the first exception of the component."""
    nonfinite_as_null: ClassVar[bool] = False
    """Whether NaN and infinities are sent as null; else they are rejected, since JSON has none."""
    hang_limit: ClassVar[float] = HANG_LIMIT

    conf: dict[str, Any]
    context: Context
    _storm_line: ComponentChannel[Command] = cast("ComponentChannel[Command]", _Detached())
    _storm_session: ComponentSession

    @property
    def logger(self) -> logging.Logger:
        """The logger of the component, whose records go to the worker's log."""
        return logging.getLogger(f"{type(self).__module__}.{type(self).__qualname__}")

    def initialize(self, conf: dict[str, Any], context: Context) -> None:
        """Acquire resources; called after the handshake and before any input.

        Args:
            conf: The topology's configuration.
            context: The component's place in the topology.
        """

    def close(self) -> None:
        """Release the resources of `initialize`; called at the end of the input or on a signal."""

    def log(self, message: str, level: Level = Level.INFO) -> None:
        """Write a message to the worker's log.

        Storm 2.6.0 to 2.8.0 shows every level as INFO.

        Args:
            message: The text.
            level: The log level.
        """
        self._storm_send(Log(message, level))

    def report_error(self, message: str) -> None:
        """Show an error in Storm's user interface; the component continues.

        Args:
            message: The text.
        """
        self._storm_send(ReportError(message))

    def report_metric(self, name: str, params: Any) -> None:
        """Update a metric: one of `metrics`, or one that a class in Java has registered.

        Args:
            name: The name of the metric.
            params: Any JSON value, as the metric expects it: a number to add, or None for 1, of a
                count; a number of a mean.

        Raises:
            NotDeclared: the topology was packed by jvmwire, and the component does not declare the
                metric.
            TypeError: the metric is declared, and its kind does not take the value.
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

    # Methods for the runner.

    def _storm_attach(self, line: ComponentChannel[Command], session: ComponentSession) -> None:
        """Use a channel and its session from now on."""
        self._storm_line = line
        self._storm_session = session
        session.metrics = self.metrics

    def _storm_begin(self) -> None:
        """Store the handshake and initialize the component."""
        handshake = self._storm_session.handshake
        self.conf = handshake.conf
        self.context = handshake.context
        self.initialize(handshake.conf, handshake.context)

    def _storm_run(self, read_fd: int) -> None:
        """Process input from `read_fd` until it ends."""
        del read_fd
        line = self._storm_line
        while not isinstance(event := line.next_event(self._storm_next_due()), Closed):
            if event is NEED_DATA:
                self._storm_run_due()
            else:
                self._storm_take(event)

    def _storm_take(self, event: Event) -> None:
        """Process one event."""
        raise NotImplementedError

    def _storm_next_due(self) -> float:
        """Return the time, by `time.monotonic`, at which to call `_storm_run_due`."""
        return math.inf

    def _storm_run_due(self) -> None:
        """Run periodic work that is due."""

    def _storm_settle(self) -> None:
        """Send output that need not wait for the end of the current operation."""

    def _storm_report_exception(self, error: Exception) -> None:
        """Report an exception that the component raised."""
        if self._storm_session.can_send:
            self.report_error("".join(traceback.format_exception(error)))
        if self.exit_on_exception:
            raise ComponentFailed from error


class ComponentFailed(SystemExit):
    """The component raised an exception, which was reported, and must end."""

    def __init__(self) -> None:
        super().__init__(1)
