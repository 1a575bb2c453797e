"""A program that we start, and talk to by its standard input and output."""

import asyncio
import io
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import ClassVar, Self, cast

from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.transports.forks import in_child, lead_nowhere, no_fork
from jvmwire.transports.pipes import PipeTransport
from jvmwire.transports.pipes_async import AsyncPipes
from jvmwire.transports.stderr import StderrTail
from jvmwire.transports.transport import Side, never, reason


@dataclass(frozen=True, slots=True)
class Child:
    """A program and its arguments.

    It inherits our environment, unless `env` is all that it gets. What it writes to its standard
    error goes where ours goes, or with `collect_stderr` is kept: the last of it is the transport's
    `stderr`. At the end its standard input is closed; if it lives on for `grace` seconds it is
    terminated, and after as many again killed.
    """

    side: ClassVar[Side] = "server"

    argv: Sequence[str | os.PathLike[str]]
    _: KW_ONLY
    env: Mapping[str, str] | None = field(default=None, hash=False, repr=False)
    cwd: str | os.PathLike[str] | None = None
    collect_stderr: bool = False
    grace: float = 5.0

    def __post_init__(self) -> None:
        if isinstance(self.argv, str) or not self.argv:
            raise ConfigError(f"argv is {self.argv!r}, and must be a program and its arguments")
        object.__setattr__(self, "argv", tuple(self.argv))
        if self.env is not None:
            object.__setattr__(self, "env", dict(self.env))

    def __str__(self) -> str:
        return Path(self.argv[0]).name

    def connect(self, *, timeout: float, cancelled: Callable[[], bool] = never) -> "ChildTransport":
        """Start the program; that takes no time worth bounding."""
        del timeout, cancelled
        return ChildTransport(_Process(self))

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> "AsyncChild":
        """Start the program; that takes no time worth bounding."""
        del timeout
        return await AsyncChild(protocol, _Process(self)).start()


class _OfChild:
    """What both styles tell of the child."""

    _process: "_Process"

    @property
    def pid(self) -> int:
        """The child's number."""
        return self._process.pid

    @property
    def stderr(self) -> bytes:
        """The last of what the child wrote to its standard error, if that is collected."""
        return self._process.stderr


class ChildTransport(_OfChild, PipeTransport):
    """The pipes of a child, and the child."""

    def __init__(self, process: "_Process") -> None:
        super().__init__(process.stdout, process.stdin)
        self._process = process

    def close(self) -> None:
        """Close the pipes and wait for the child's end, or bring it about."""
        super().close()
        self._process.reap()


class AsyncChild(_OfChild, AsyncPipes):
    """The pipes of a child, and the child; the connection is lost when it is reaped."""

    def __init__(self, protocol: asyncio.Protocol, process: "_Process") -> None:
        super().__init__(protocol)
        self._process = process
        self._reaping = False
        self._held.add("child")

    async def start(self) -> Self:
        """Begin to pass on what the child says."""
        try:
            return await self.connect(self._process.stdout, self._process.stdin)
        except BaseException:
            self._process.kill()
            self._process.reap()
            raise

    def close(self) -> None:
        """Close the pipes once all was sent, and wait for the child's end, or bring it about."""
        super().close()
        self._reap()

    def abort(self) -> None:
        """Close the pipes and kill the child."""
        super().abort()
        self._process.kill()
        self._reap()

    def _reap(self) -> None:
        if not self._reaping:
            self._reaping = True
            reaping = self._loop.run_in_executor(None, self._process.reap)
            reaping.add_done_callback(self._reaped)

    def _reaped(self, reaping: asyncio.Future[None]) -> None:
        self.abort_writer()  # a child of the child may hold the other end, and read nothing
        self.gone("child", None if reaping.cancelled() else reaping.exception())


class _Process:
    """A running child."""

    stdin: io.FileIO
    stdout: io.FileIO

    def __init__(self, child: Child) -> None:
        self._grace = child.grace
        try:
            with no_fork:
                self._process = subprocess.Popen(  # noqa: S603 # to run it is the purpose
                    child.argv,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE if child.collect_stderr else None,
                    cwd=child.cwd,
                    env=child.env,
                )
                in_child(self._process, _disown)
        except OSError as error:
            of_file = f"{error.filename}: " if error.filename else ""
            raise ConnectFailed(f"cannot start {child}: {of_file}{reason(error)}") from error
        self.pid = self._process.pid
        # Unbuffered, all pipes are raw files.
        self.stdin = cast("io.FileIO", self._process.stdin)
        self.stdout = cast("io.FileIO", self._process.stdout)
        pipe = self._process.stderr
        try:
            self._tail = None if pipe is None else StderrTail(cast("io.FileIO", pipe))
        except ConnectFailed:
            with self._process:  # which closes its pipes and waits for its end
                self._process.kill()
            raise

    @property
    def stderr(self) -> bytes:
        return b"" if self._tail is None else self._tail.collected

    def kill(self) -> None:
        self._process.kill()

    def reap(self) -> None:
        for end in (self._process.terminate, self._process.kill):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(self._grace)
                break
            end()
        self._process.wait()
        if self._tail is not None:
            self._tail.close()


def _disown(process: "subprocess.Popen[bytes]") -> None:
    # Not ours to wait for: else the interpreter would, and warn of it.
    process.returncode = 0
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            lead_nowhere(cast("io.FileIO", pipe))
