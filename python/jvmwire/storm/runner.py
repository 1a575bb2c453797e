"""Runs a component: everything between its standard streams and its methods."""

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
from jvmwire.storm.commands import Command, Level, Log
from jvmwire.storm.component import Component, ComponentFailed
from jvmwire.storm.log_handler import log_to_storm
from jvmwire.storm.session import BoltSession, ComponentSession, SpoutSession
from jvmwire.storm.spout import SpoutBase

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jvmwire.transports.transport import Endpoint, Transport

EARLY_LIMIT: Final = 1000
"""Log messages that wait for the handshake; the oldest give way."""

GC_THRESHOLD: Final = 20_000
"""Objects after which the collector looks for cycles: some chunks of tuples. Ours."""

DEFAULT_TIMEOUT: Final = 30.0
"""Seconds without a word after which Storm ends a component (supervisor.worker.timeout.secs)."""


def run_stdio(make: Callable[[], Component], endpoint: Endpoint) -> int:
    """Run the component that `make` makes for the Storm that started us; return our status.

    `endpoint` is standard input and output: they are Storm's from here on; what is printed goes to
    its log.
    """
    transport = endpoint.connect(timeout=0)
    early: deque[str] = deque(maxlen=EARLY_LIMIT)
    tell: Callable[[str], None] = early.append
    with OutputCapture(lambda text: tell(text)) as noise:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        runner = ComponentRunner(transport, make)
        if runner.broken is not None:
            # Before the handshake, which may never come: whoever starts it by hand sees it.
            noise.warn("".join(traceback.format_exception(runner.broken)).rstrip())
        for text in early:
            runner.log(text)
        tell = runner.log
        # What is there by now stays: the collector need not look at it again and again, nor at
        # tuples that are soon done with.
        gc.freeze()
        gc.set_threshold(GC_THRESHOLD)
        status = runner.run()
    for text in runner.undelivered_log():
        print(text, file=sys.stderr)  # noqa: T201  # which Storm reads when a component has ended
    return status


class ComponentRunner:
    """A component and the transport to its Storm."""

    def __init__(self, transport: Transport, make: Callable[[], Component]) -> None:
        self._transport = transport
        self._early: deque[Log] = deque(maxlen=EARLY_LIMIT)
        self._component: Component
        self.broken: Exception | None = None
        """What keeps the component from starting."""
        try:
            self._component = make()
        except Exception as error:  # it is the component's: Storm is told once it listens
            self._component, self.broken = _FailedComponent(), error
        self._session = _session_for(self._component)
        self.line: ComponentChannel[Command] = ComponentChannel(self._session, transport)
        self._component._storm_attach(self.line, self._session)

    def log(self, text: str, level: Level = Level.INFO) -> None:
        """Have Storm log it, as soon as it listens."""
        message = Log(text, level)
        if not self._session.can_send:
            self._early.append(message)
            return
        with suppress(ConnectionLost):  # the component will meet it too
            self.line.send(message)
            if self.line.busy_since is None:
                self.line.flush()

    def undelivered_log(self) -> list[str]:
        """Return what was to be logged and found no Storm that listens."""
        return [message.message for message in self._early]

    def run(self) -> int:
        """Run the component until the input ends; return the status to exit with."""
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
        except ConnectionLost:  # Storm is gone
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
        self.line.flush()  # the process id goes first
        while self._early:
            self.line.send(self._early.popleft())
        if self.broken is None:
            watch.silence = _timeout(handshake.conf) / 2
            try:
                self._component._storm_begin()
            except Exception as error:  # it is the component's
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
        self.line.busy_since = None  # what is still to be logged goes out at once
        with suppress(JvmWireError):  # nobody may listen any more
            self.line.flush()


class _FailedComponent(Component):
    """Stands for a component that could not be made."""

    def _storm_take(self, event: Any) -> None:
        """Do nothing: it never comes to that."""


class _ComponentTerminated(SystemExit):
    """We were told to end."""


def _end(_number: int, _frame: FrameType | None) -> None:
    raise _ComponentTerminated(0)


def _session_for(component: Component) -> ComponentSession:
    kind = SpoutSession if isinstance(component, SpoutBase) else BoltSession
    return kind(os.getpid(), nonfinite_as_null=component.nonfinite_as_null)


def write_pid_file(directory: str) -> None:
    """Write what Storm ends this process by. Raises `ConfigError` where it may not be."""
    path = f"{directory}/{os.getpid()}"
    try:
        # A file of this name is of an earlier process; a link or a FIFO is somebody else's.
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        os.close(os.open(path, flags, 0o666))
    except OSError as error:
        raise ConfigError(
            f"cannot write {path}, by which Storm ends us: {error.strerror}"
        ) from error


def _timeout(conf: dict[str, Any]) -> float:
    # ShellBolt.prepare and ShellSpout.open: the first, if it is there.
    for name in ("topology.subprocess.timeout.secs", "supervisor.worker.timeout.secs"):
        seconds = conf.get(name)
        if isinstance(seconds, int | float) and seconds > 0:
            return float(seconds)
    return DEFAULT_TIMEOUT
