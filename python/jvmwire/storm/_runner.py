"""Runner of a component: the connection between its standard streams and its methods."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import traceback
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from jvmwire._components import ComponentChannel, OutputCapture, Watchdog
from jvmwire._runtime.session import Opened
from jvmwire.errors import ConfigError, ConnectionLost, JvmWireError, RemoteProtocolError
from jvmwire.storm._commands import Command, Level, Log
from jvmwire.storm._component import Component, ComponentFailed
from jvmwire.storm._log_handler import log_to_storm
from jvmwire.storm._session import BoltSession, ComponentSession, SpoutSession
from jvmwire.storm._spout import SpoutBase

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jvmwire.transports._transport import Endpoint, Transport

EARLY_LIMIT: Final = 1000
"""Log messages that are buffered until the handshake; the oldest are dropped."""

GC_THRESHOLD: Final = 20_000
"""Objects after which the collector looks for cycles: a few chunks of tuples (chosen by
jvmwire).
"""

DEFAULT_TIMEOUT: Final = 30.0
"""Seconds of silence after which Storm ends a component (supervisor.worker.timeout.secs)."""


def run_stdio(make: Callable[[], Component], endpoint: Endpoint) -> int:
    """Run a component for the Storm that started this process; return the exit status.

    `make` creates the component. `endpoint` is standard input and output, which belong to Storm
    from here on; printed text goes to Storm's log.
    """
    transport = endpoint.connect(timeout=0)
    early: deque[str] = deque(maxlen=EARLY_LIMIT)
    log_line: Callable[[str], None] = early.append
    with OutputCapture(lambda text: log_line(text)) as noise:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        runner = ComponentRunner(transport, make)
        if runner.broken is not None:
            # The handshake may never come: a user who starts the component by hand sees the error.
            noise.warn("".join(traceback.format_exception(runner.broken)).rstrip())
        for text in early:
            runner.log(text)
        log_line = runner.log
        # Objects that exist by now are permanent: the collector need not scan them repeatedly, nor
        # tuples that are soon released.
        gc.freeze()
        gc.set_threshold(GC_THRESHOLD)
        status = runner.run()
    for text in runner.undelivered_log():
        print(text, file=sys.stderr)  # noqa: T201  # Storm reads it when a component has ended
    return status


class ComponentRunner:
    """A component with the transport to Storm."""

    def __init__(self, transport: Transport, make: Callable[[], Component]) -> None:
        self._transport = transport
        self._early: deque[Log] = deque(maxlen=EARLY_LIMIT)
        self._component: Component
        self.broken: Exception | None = None
        """The exception that prevents the component from starting."""
        try:
            self._component = make()
        except Exception as error:  # the exception of the component, reported after the handshake
            self._component, self.broken = _FailedComponent(), error
        self._session = _session_for(self._component)
        self.line: ComponentChannel[Command] = ComponentChannel(self._session, transport)
        self._component._storm_attach(self.line, self._session)

    def log(self, text: str, level: Level = Level.INFO) -> None:
        """Send a message to Storm's log, or buffer it until the handshake."""
        message = Log(text, level)
        if not self._session.can_send:
            self._early.append(message)
            return
        with suppress(ConnectionLost):  # the component will get the error as well
            self.line.send(message)
            if self.line.busy_since is None:
                self.line.flush()

    def undelivered_log(self) -> list[str]:
        """Return the log messages that could not be sent."""
        return [message.message for message in self._early]

    def run(self) -> int:
        """Run the component until the input ends; return the exit status."""
        with log_to_storm(self.log):
            return self._run()

    def _run(self) -> int:
        component = self._component
        status = 0
        try:
            with Watchdog(
                self.line,
                self._keep_alive,
                flush_pending=component._storm_settle,
                hang_limit=component.hang_limit,
            ) as watch:
                if not self._begin(watch):
                    return 1 if self.broken else 0
                component._storm_run(self._transport.read_fd)
        except RemoteProtocolError as error:
            self.log(f"Storm sent what it may not: {error}", Level.ERROR)
            status = 1
        except ConnectionLost:  # Storm has ended
            pass
        except (ComponentFailed, _ComponentTerminated) as end:
            status = int(end.code or 0)
        finally:
            self._close(component)
        return status

    def _begin(self, watch: Watchdog) -> bool:
        event = self.line.next_event()
        if not isinstance(event, Opened):
            return False
        handshake = self._session.handshake
        if self.broken is None:
            try:
                write_pid_file(handshake.pid_dir)
            except ConfigError as error:
                self.broken = error
        self.line.flush()  # the process id must be first
        while self._early:
            self.line.send(self._early.popleft())
        if self.broken is None:
            watch.silence = _timeout(handshake.conf) / 2
            try:
                self._component._storm_begin()
            except Exception as error:  # the exception of the component
                self.broken = error
        if self.broken is not None:
            self._component._storm_report_exception(self.broken)
            return False
        return True

    def _keep_alive(self) -> None:
        if not isinstance(self._session, SpoutSession) or self._session.is_due:
            self.line.send(Log("the component is still busy", Level.DEBUG))

    def _close(self, component: Component) -> None:
        try:
            component.close()
        except Exception:
            logging.getLogger(__name__).exception("the component did not close")
        self.line.busy_since = None  # log messages from now on are sent at once
        with suppress(JvmWireError):  # Storm may have ended
            self.line.flush()


class _FailedComponent(Component):
    """Placeholder for a component that could not be created."""

    def _storm_take(self, event: Any) -> None:
        """Do nothing: no input is processed."""


class _ComponentTerminated(SystemExit):
    """The process received SIGTERM or SIGINT."""


def _end(_number: int, _frame: FrameType | None) -> None:
    raise _ComponentTerminated(0)


def _session_for(component: Component) -> ComponentSession:
    kind = SpoutSession if isinstance(component, SpoutBase) else BoltSession
    return kind(os.getpid(), nonfinite_as_null=component.nonfinite_as_null)


def write_pid_file(directory: str) -> None:
    """Write the empty file named by the process id, by which Storm ends the process.

    Raises:
        ConfigError: the file cannot be written.
    """
    path = f"{directory}/{os.getpid()}"
    try:
        # A regular file of this name is left from an earlier process; a link or a FIFO is foreign.
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        os.close(os.open(path, flags, 0o666))
    except OSError as error:
        raise ConfigError(
            f"cannot write {path}, by which Storm ends us: {error.strerror}"
        ) from error


def _timeout(conf: dict[str, Any]) -> float:
    # The first setting that is present, as in ShellBolt.prepare and ShellSpout.open.
    for name in ("topology.subprocess.timeout.secs", "supervisor.worker.timeout.secs"):
        seconds = conf.get(name)
        if isinstance(seconds, int | float) and seconds > 0:
            return float(seconds)
    return DEFAULT_TIMEOUT
