"""Runs a program for the Hama task that started us."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, cast

from jvmwire.errors import ConnectionLost, JvmWireError, RemoteProtocolError
from jvmwire.hama import original
from jvmwire.hama.bsp import BSP
from jvmwire.hama.commands import Abort, Command, Finish, Log
from jvmwire.hama.session import HamaSession, Phase
from jvmwire.runner import Line, Noise, load
from jvmwire.sansio import Closed, Opened, Pushed, State
from jvmwire.transports import Stdio

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jvmwire.hama.peer import Peer
    from jvmwire.transports.transport import Endpoint

EARLY_LIMIT: Final = 1000
"""Log lines that wait for the configuration; the oldest give way."""


def main(arguments: list[str] | None = None) -> None:
    """Run the program named by the first argument, and end the process.

    `Name` is the class of that name in the module of that name, `module:Class` any class. Modules
    are looked for where the program was started, first of all.
    """
    name, *rest = sys.argv[1:] if arguments is None else arguments
    sys.path.insert(0, os.getcwd())  # noqa: PTH109  # sys.path has texts
    sys.argv = [name, *rest]
    original.install()
    status = run_stdio(name if ":" in name else f"{name}:{name}", Stdio())
    # Hama waits for ever for a child that is gone, and threads must not keep us from going.
    os._exit(status)


def run_stdio(name: str, endpoint: Endpoint) -> int:
    """Run the program `module:Class`; return the status to exit with."""
    transport = endpoint.connect(timeout=0)
    early: deque[str] = deque(maxlen=EARLY_LIMIT)
    tell: Callable[[str], None] = early.append
    with Noise(lambda text: tell(text)):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        broken: Exception | None = None
        program: BSP = BSP()
        try:
            program = cast("type[BSP]", load(name, BSP))()
        except Exception as error:  # it is the program's: Hama is told once it listens
            broken = error
        session = HamaSession(
            table=program.table, escape=program.escape, keep_nuls=program.keep_nuls
        )
        line: Line[Command] = Line(session, transport)
        task = _Task(program, session, line)
        try:
            if not isinstance(line.next_event(), Opened):
                return 1
            for text in early:
                task.log(text)
            tell = task.log
            return task.run(broken)
        except RemoteProtocolError as error:
            return task.fail(error)
        except ConnectionLost:  # Hama is gone
            return 0 if session.is_finished else 1
        except SystemExit as error:
            return task.fail(error)


class _Task:
    """One task, once its configuration is there."""

    def __init__(self, program: BSP, session: HamaSession, line: Line[Command]) -> None:
        self._program = program
        self._session = session
        self._line = line

    def log(self, text: str) -> None:
        """Have Hama log it."""
        if self._session.state is State.OPEN and not self._session.is_finished:
            with suppress(JvmWireError):
                self._line.send(Log(text))

    def run(self, broken: Exception | None) -> int:
        """Run all three phases; return the status to exit with."""
        if broken is not None:
            return self.fail(broken)
        peer = original.peer_for(self._program, self._line, self._session.conf)
        while not self._session.is_finished:
            event = self._line.next_event()
            if isinstance(event, Closed):
                return 1
            if not isinstance(event, Pushed):
                continue
            try:
                self._phase(event.message, peer)
            except Exception as error:  # it is the program's
                return self.fail(error)
            _flush_prints()
            self._line.send(Finish())
            if self._session.is_finished:
                with suppress(ConnectionLost):  # Hama may be faster than we
                    self._line.flush()
        return 0

    def _phase(self, phase: Phase, peer: Peer) -> None:
        match phase:
            case Phase.SETUP:
                self._program.setup(peer)
            case Phase.BSP:
                self._program.bsp(peer)
            case Phase.CLEANUP:
                self._program.cleanup(peer)

    def fail(self, error: BaseException) -> int:
        """Have Hama log what happened, and fail the job: it would wait for ever otherwise."""
        with suppress(JvmWireError):
            if self._session.state is not State.OPEN:
                self._session.state = State.OPEN  # it closed by an error, and has this to say
            self._line.send(Log("".join(traceback.format_exception(error))))
            self._line.send(Abort())
            self._line.flush()
        return 1


def _flush_prints() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _end(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(1)
