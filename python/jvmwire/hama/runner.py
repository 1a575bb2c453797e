"""Runs a `BSP` for the task that has started this process."""

from __future__ import annotations

import importlib
import signal
import sys
import traceback
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmwire._runtime.session import OPEN, Closed, Opened, Pushed
from jvmwire.errors import ConfigError, ConnectionLost, JvmWireError, LocalProtocolError
from jvmwire.hama.bsp import BSP
from jvmwire.hama.commands import Abort, Acknowledge, Log, Step
from jvmwire.hama.peer import BSPPeer
from jvmwire.hama.session import HamaChildSession
from jvmwire.runner import Line, Noise, load
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jvmwire.hama.commands import ChildCommand
    from jvmwire.transports.transport import Endpoint, Transport

EARLY_LIMIT: Final = 1000
"""Log lines that wait for the configuration; the oldest give way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BSPOptions:
    """What all peers of a job must be told alike."""

    early: bool = False
    """Whether the Hama is 0.6.0 or 0.6.1, where LOG is operation 25."""
    escaping: bool = False
    """Whether keys, values and messages may have line ends: they are escaped by a backslash."""
    padded: bool = True
    """Whether NULs at the end of a line are padding, as a cluster's tasks add it."""


def run_stdio(
    make: Callable[[], BSP],
    options: BSPOptions | None = None,
    endpoint: Endpoint | None = None,
    *,
    peer_class_for: Callable[[BSP], type[BSPPeer]] = lambda _: BSPPeer,
) -> int:
    """Run what `make` returns for the task that started us, and return our exit status.

    Standard input and output are the task's from here on; what is printed goes to its log.

    Args:
        make: Makes the task; what it raises is logged and aborts the job.
        options: What all peers of the job are told alike.
        endpoint: Where the task is reached; standard input and output if None.
        peer_class_for: Returns the class of the peer that a `BSP` is given.
    """
    transport = (endpoint or Stdio()).connect(timeout=0)
    early: deque[str] = deque(maxlen=EARLY_LIMIT)
    tell: Callable[[str], None] = early.append
    with Noise(lambda text: tell(text)):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        runner = Runner(transport, make, options or BSPOptions(), peer_class_for)
        for text in early:
            runner.log(text)
        tell = runner.log
        try:
            status = runner.run()
        finally:
            runner.close()
    if runner.unheard:
        print(f"jvmwire.hama: {runner.unheard}", file=sys.stderr)  # noqa: T201  # a file has it
    return status


class Runner:
    """A `BSP` and the transport to its task."""

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
            early=options.early, escaping=options.escaping, padded=options.padded
        )
        self._line: Line[ChildCommand] = Line(self._session, transport)
        self._early: deque[str] = deque(maxlen=EARLY_LIMIT)
        self.unheard = ""
        """Why it ended, where there was no task to log it."""

    def log(self, text: str) -> None:
        """Have the task log it, as soon as it listens."""
        if self._session.state is not OPEN:
            self._early.append(text)
            return
        try:
            self._line.send(Log(text))
            self._line.flush()
        except JvmWireError:  # whoever runs the steps will meet it too
            pass

    def run(self) -> int:
        """Run all steps; return our exit status: 0 after the task was told that all is done.

        Whatever goes wrong is logged with its traceback, and the job aborted: a task whose child
        just ends would wait for it for ever.
        """
        try:
            self._run()
        except ConnectionLost as lost:
            self.unheard = f"the task is gone: {lost}"
        except ConfigError as error:
            self._abort(str(error))
        except BaseException as error:
            why = self._line.failure if isinstance(error, LocalProtocolError) else None
            self._abort("".join(traceback.format_exception(why or error)))
        else:
            return 0
        return 1

    def close(self) -> None:
        """Give the transport back."""
        self._line.close()

    def _run(self) -> None:
        line = self._line
        if not isinstance(self._next(), Opened):
            raise ConnectionLost("its output ended before the configuration did")
        self._tell_early()
        bsp = self._make()
        peer = self._peer_class_for(bsp)(
            line,
            self._session.configuration,
            early=self._options.early,
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
        with suppress(ConnectionLost):  # it need not read to the end
            line.flush()

    def _tell_early(self) -> None:
        while self._early:
            self._line.send(Log(self._early.popleft()))

    def _next(self) -> Any:
        event = self._line.next_event()
        if isinstance(event, Closed) and event.torn:
            raise ConnectionLost(f"its output ended within a line, after {event.torn} bytes of it")
        return event

    def _abort(self, text: str) -> None:
        try:
            self._tell_early()
            self._line.send(Log(text))
            self._line.send(Abort())
            self._line.flush()
        except JvmWireError:  # nobody listens any more
            self.unheard = text


class _Ended(SystemExit):
    """We were told to end."""


def _end(number: int, _frame: FrameType | None) -> None:
    raise _Ended(128 + number)


def main(arguments: list[str] | None = None) -> int:
    """Run the class that the arguments name, for Hama: `Class` of a module of that name, or
    `module:Class`; the rest of them stays in `sys.argv`.

    `--early` and `--escaping` may stand before it. Returns the status to exit with.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    flags = []
    while words and words[0].startswith("--"):
        flags.append(words.pop(0))
    unknown = set(flags) - {"--early", "--escaping"}
    sys.argv[1:] = words[1:]
    options = BSPOptions(early="--early" in flags, escaping="--escaping" in flags)

    def make() -> BSP:
        if unknown:
            raise ConfigError(f"{' '.join(sorted(unknown))}: there are --early and --escaping")
        if not words:
            raise ConfigError("the program's arguments must begin with the name of a BSP class")
        return _named(words[0])

    # As the original runtime: its modules go by their bare names, beside the user's.
    sys.path.insert(0, str(Path.cwd()))
    from jvmwire.hama import original  # it needs what stands here

    original.install()
    return run_stdio(make, options, peer_class_for=original.peer_class_for)


def _named(name: str) -> BSP:
    if ":" in name:
        loaded: BSP = load(name, BSP)()
        return loaded
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ConfigError(f"there is no module {name!r} beside the program") from error
    kind = getattr(module, name, None)
    if not isinstance(kind, type) or not issubclass(kind, BSP):
        raise ConfigError(f"the module {name!r} has no class {name!r} that is a BSP")
    made: BSP = kind()
    return made
