"""Runtime of a `BSP` in a process that a Hama task has started."""

from __future__ import annotations

import importlib
import signal
import sys
import traceback
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmwire._checks import WrongType
from jvmwire._components import ComponentChannel, OutputCapture, load
from jvmwire._runtime.session import OPEN, Closed, Opened, Pushed
from jvmwire.errors import ConfigError, ConnectionLost, JvmWireError, LocalProtocolError
from jvmwire.hama._bsp import BSP
from jvmwire.hama._commands import Abort, Acknowledge, Log, Step
from jvmwire.hama._peer import BSPPeer
from jvmwire.hama._session import HamaChildSession
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jvmwire.hama._commands import ChildCommand
    from jvmwire.transports._transport import Endpoint, Transport

EARLY_LIMIT: Final = 1000
"""Maximum log lines kept until the configuration arrives; the oldest are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BSPOptions:
    """Options that must be the same for all peers of a job.

    Args:
        hama_0_6: Whether Hama is 0.6.0 or 0.6.1, where LOG is operation 25; False by default.
        escaping: Whether line ends in keys, values and messages are escaped by a backslash; False
            by default.
        strip_nul_padding: Whether NULs at the end of a line are padding, as tasks on a cluster add
            it; True by default.

    Raises:
        ConfigError: a value is of a wrong type.
    """

    hama_0_6: bool = False
    escaping: bool = False
    strip_nul_padding: bool = True

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not isinstance(value, bool):
                raise WrongType(f"{each.name} must be True or False, got {type(value).__name__}")


def run_stdio(
    make: Callable[[], BSP],
    options: BSPOptions | None = None,
    endpoint: Endpoint | None = None,
    *,
    peer_class_for: Callable[[BSP], type[BSPPeer]] = lambda _: BSPPeer,
) -> int:
    """Run a `BSP` for the task that started this process.

    Standard input and output belong to the protocol from here on; printed output goes to the task's
    log.

    Args:
        make: Creates the `BSP`; an exception is logged and aborts the job.
        options: The options of the job; None (the default) is `BSPOptions()`.
        endpoint: The endpoint of the task; None (the default) is standard input and output.
        peer_class_for: Returns the peer class for a `BSP`.

    Returns:
        The exit status for this process: 0 if all steps succeeded, else 1.
    """
    transport = (endpoint or Stdio()).connect(timeout=0)
    early: deque[str] = deque(maxlen=EARLY_LIMIT)
    log_line: Callable[[str], None] = early.append
    with OutputCapture(lambda text: log_line(text)):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        runner = TaskRunner(transport, make, options or BSPOptions(), peer_class_for)
        for text in early:
            runner.log(text)
        log_line = runner.log
        try:
            status = runner.run()
        finally:
            runner.close()
    if runner.undelivered_log:
        print(f"jvmwire.hama: {runner.undelivered_log}", file=sys.stderr)  # noqa: T201  # a file has it
    return status


class TaskRunner:
    """Runner of one `BSP` over the transport to its task."""

    def __init__(
        self,
        transport: Transport,
        make: Callable[[], BSP],
        options: BSPOptions,
        peer_class_for: Callable[[BSP], type[BSPPeer]] = lambda _: BSPPeer,
    ) -> None:
        self._make = make
        self._options = options
        self._peer_class_for = peer_class_for
        self._session = HamaChildSession(
            hama_0_6=options.hama_0_6,
            escaping=options.escaping,
            strip_nul_padding=options.strip_nul_padding,
        )
        self._line: ComponentChannel[ChildCommand] = ComponentChannel(self._session, transport)
        self._early: deque[str] = deque(maxlen=EARLY_LIMIT)
        self.undelivered_log = ""
        """The reason of a failure that could not be logged by the task."""

    def log(self, text: str) -> None:
        """Log a text in the task, or as soon as the task is connected."""
        if self._session.state is not OPEN:
            self._early.append(text)
            return
        try:
            self._line.send(Log(text))
            self._line.flush()
        except JvmWireError:  # the thread that runs the steps gets the same error
            pass

    def run(self) -> int:
        """Run all steps; return the exit status: 0 after the end of the work was sent.

        Every failure is logged with its traceback and aborts the job: a task whose child just exits
        would wait for it for ever.
        """
        try:
            self._run()
        except ConnectionLost as lost:
            self.undelivered_log = f"the task is gone: {lost}"
        except ConfigError as error:
            self._abort(str(error))
        except BaseException as error:
            why = self._line.failure if isinstance(error, LocalProtocolError) else None
            self._abort("".join(traceback.format_exception(why or error)))
        else:
            return 0
        return 1

    def close(self) -> None:
        """Close the transport."""
        self._line.close()

    def _run(self) -> None:
        line = self._line
        if not isinstance(self._next(), Opened):
            raise ConnectionLost("its output ended before the configuration did")
        self._flush_early_log()
        bsp = self._make()
        peer = self._peer_class_for(bsp)(
            line,
            self._session.configuration,
            hama_0_6=self._options.hama_0_6,
            escaping=self._options.escaping,
        )
        methods = {Step.SETUP: bsp.setup, Step.BSP: bsp.bsp, Step.CLEANUP: bsp.cleanup}
        for step, method in methods.items():
            event = self._next()
            if not isinstance(event, Pushed):
                raise ConnectionLost(f"its output ended before {step}")
            method(peer)
            peer.finish_step()
            line.send(Acknowledge(step))
        with suppress(ConnectionLost):  # the task need not read to the end
            line.flush()

    def _flush_early_log(self) -> None:
        while self._early:
            self._line.send(Log(self._early.popleft()))

    def _next(self) -> Any:
        event = self._line.next_event()
        if isinstance(event, Closed) and event.torn:
            raise ConnectionLost(f"its output ended within a line, after {event.torn} bytes of it")
        return event

    def _abort(self, text: str) -> None:
        try:
            self._flush_early_log()
            self._line.send(Log(text))
            self._line.send(Abort())
            self._line.flush()
        except JvmWireError:  # the task is gone
            self.undelivered_log = text


class _TaskTerminated(SystemExit):
    """Exit on SIGTERM or SIGINT."""


def _end(number: int, _frame: FrameType | None) -> None:
    raise _TaskTerminated(128 + number)


def main(arguments: list[str] | None = None) -> int:
    """Run the `BSP` class that the first argument names, for a Hama task.

    `Class` is a class of the module of the same name, `module:Class` of another module; the other
    arguments stay in `sys.argv`. `--early` and `--escaping` may precede the name.

    Args:
        arguments: The arguments; None (the default) is `sys.argv[1:]`.

    Returns:
        The exit status for this process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    flags = []
    while words and words[0].startswith("--"):
        flags.append(words.pop(0))
    unknown = set(flags) - {"--early", "--escaping"}
    sys.argv[1:] = words[1:]
    options = BSPOptions(hama_0_6="--early" in flags, escaping="--escaping" in flags)

    def make() -> BSP:
        if unknown:
            raise ConfigError(f"{' '.join(sorted(unknown))}: there are --early and --escaping")
        if not words:
            raise ConfigError("the program's arguments must begin with the name of a BSP class")
        return _named(words[0])

    # As in the original runtime, whose modules are imported by bare names like the user's.
    sys.path.insert(0, str(Path.cwd()))
    from jvmwire.hama import compat  # only `main` needs it

    compat.install()
    return run_stdio(make, options, peer_class_for=compat.peer_class_for)


def _named(name: str) -> BSP:
    if ":" in name:
        loaded: BSP = load(name, BSP)()
        return loaded
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ConfigError(f"no module {name!r} in the program's directory") from error
    kind = getattr(module, name, None)
    if not isinstance(kind, type) or not issubclass(kind, BSP):
        raise ConfigError(f"the module {name!r} has no class {name!r} that is a BSP")
    made: BSP = kind()
    return made
