"""Child processes as endpoints, connected through their standard input and output."""

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
from jvmwire.transports._fork_safety import fork_lock, redirect_to_devnull, register_after_fork
from jvmwire.transports._pipes import PipeTransport
from jvmwire.transports._pipes_async import AsyncPipes
from jvmwire.transports._stderr import StderrTail
from jvmwire.transports._transport import Side, never_cancelled, os_error_message


@dataclass(frozen=True, slots=True)
class Child:
    """An endpoint that starts a program and connects to its standard input and output.

    When the connection is closed, the child's standard input is closed; a child that still runs
    after `exit_timeout` seconds is sent SIGTERM, and after as many seconds again SIGKILL.

    Args:
        argv: The program and its arguments, not empty.
        env: The child's whole environment; None (the default) inherits the environment of this
            process.
        cwd: The child's working directory; None (the default) is the working directory of this
            process.
        collect_stderr: Whether the last 64 KiB of the child's standard error are kept as the
            transport's `stderr`; by default it goes to the standard error of this process.
        exit_timeout: Seconds to wait before each of the two signals, 5 by default.

    Raises:
        ConfigError: `argv` is empty or a plain string.
    """

    side: ClassVar[Side] = "server"

    argv: Sequence[str | os.PathLike[str]]
    _: KW_ONLY
    env: Mapping[str, str] | None = field(default=None, hash=False, repr=False)
    cwd: str | os.PathLike[str] | None = None
    collect_stderr: bool = False
    exit_timeout: float = 5.0

    def __post_init__(self) -> None:
        if isinstance(self.argv, str) or not self.argv:
            raise ConfigError(f"argv is {self.argv!r}, and must be a program and its arguments")
        object.__setattr__(self, "argv", tuple(self.argv))
        if self.env is not None:
            object.__setattr__(self, "env", dict(self.env))

    def __str__(self) -> str:
        return Path(self.argv[0]).name

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> "ChildTransport":
        """Start the program and return its pipes.

        Args:
            timeout: Not used, since starting a program does not wait.
            cancelled: Not used.

        Returns:
            The transport over the pipes of the child.

        Raises:
            ConnectFailed: the program cannot be started.
        """
        del timeout, cancelled
        return ChildTransport(_Process(self))

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> "AsyncChild":
        """Start the program and return its pipes.

        Args:
            protocol: The protocol of the connection.
            timeout: Not used, since starting a program does not wait.

        Returns:
            The asyncio transport over the pipes of the child.

        Raises:
            ConnectFailed: the program cannot be started.
        """
        del timeout
        return await AsyncChild(protocol, _Process(self)).start()


class _ChildInfo:
    """Properties of the child that both the blocking and the asyncio transport offer."""

    _process: "_Process"

    @property
    def pid(self) -> int:
        """The process ID of the child."""
        return self._process.pid

    @property
    def stderr(self) -> bytes:
        """The end of the child's standard error (at most 64 KiB); empty unless it is collected."""
        return self._process.stderr


class ChildTransport(_ChildInfo, PipeTransport):
    """Blocking transport over the pipes of a child process."""

    def __init__(self, process: "_Process") -> None:
        super().__init__(process.stdout, process.stdin)
        self._process = process

    def close(self) -> None:
        """Close the pipes and wait for the child to exit, with SIGTERM and SIGKILL if necessary."""
        super().close()
        self._process.reap()


class AsyncChild(_ChildInfo, AsyncPipes):
    """Asyncio transport over the pipes of a child process, lost once the child is reaped."""

    def __init__(self, protocol: asyncio.Protocol, process: "_Process") -> None:
        super().__init__(protocol)
        self._process = process
        self._reaping = False
        self._open_parts.add("child")

    async def start(self) -> Self:
        """Connect the pipes to the event loop; kill the child if that fails."""
        try:
            return await self.connect(self._process.stdout, self._process.stdin)
        except BaseException:
            self._process.kill()
            self._process.reap()
            raise

    def close(self) -> None:
        """Close the pipes after all data is sent, and reap the child in the loop's executor."""
        super().close()
        self._reap()

    def abort(self) -> None:
        """Close the pipes at once and kill the child."""
        super().abort()
        self._process.kill()
        self._reap()

    def _reap(self) -> None:
        if not self._reaping:
            self._reaping = True
            reaping = self._loop.run_in_executor(None, self._process.reap)
            reaping.add_done_callback(self._reaped)

    def _reaped(self, reaping: asyncio.Future[None]) -> None:
        self.abort_writer()  # a grandchild may hold the other end open without reading
        self.part_closed("child", None if reaping.cancelled() else reaping.exception())


class _Process:
    """A running child process and its pipes."""

    stdin: io.FileIO
    stdout: io.FileIO

    def __init__(self, child: Child) -> None:
        self._grace = child.exit_timeout
        try:
            with fork_lock:
                self._process = subprocess.Popen(  # noqa: S603 # the purpose of `Child`
                    child.argv,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE if child.collect_stderr else None,
                    cwd=child.cwd,
                    env=child.env,
                )
                register_after_fork(self._process, _detach)
        except OSError as error:
            of_file = f"{error.filename}: " if error.filename else ""
            raise ConnectFailed(
                f"cannot start {child}: {of_file}{os_error_message(error)}"
            ) from error
        self.pid = self._process.pid
        # With `bufsize=0` all pipes are raw files.
        self.stdin = cast("io.FileIO", self._process.stdin)
        self.stdout = cast("io.FileIO", self._process.stdout)
        pipe = self._process.stderr
        try:
            self._tail = None if pipe is None else StderrTail(cast("io.FileIO", pipe))
        except ConnectFailed:
            with self._process:  # closes the pipes and waits for the process
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


def _detach(process: "subprocess.Popen[bytes]") -> None:
    # A forked child must not wait for this process; without a return code, Popen's finalizer would
    # try to and emit a ResourceWarning.
    process.returncode = 0
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            redirect_to_devnull(cast("io.FileIO", pipe))
