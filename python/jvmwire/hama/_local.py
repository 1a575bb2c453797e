"""Local execution of a job without Hama: children of any language run as its peers.

Each peer is a process that is connected by its standard streams, as by a real task.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import signal
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmwire._runtime.session import Closed, Pushed
from jvmwire.errors import ConfigError, ProtocolError
from jvmwire.hama._commands import SYNCED, Step
from jvmwire.hama._peer import END
from jvmwire.hama._session import HamaTaskSession, SendLines, StartStep
from jvmwire.hama.errors import JobFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

CHUNK: Final = 1 << 16
"""Bytes per read from a child: the capacity of a pipe."""

CHILD_EXIT_TIMEOUT: Final = 2.0
"""Seconds for a child to exit after it reported the end of its work."""

_STEP_OF: Final = {"3": Step.SETUP, "4": Step.BSP, "5": Step.CLEANUP}
_NEXT: Final = {Step.SETUP: Step.BSP, Step.BSP: Step.CLEANUP, Step.CLEANUP: None}


MAX_PEERS = 1000
"""Maximum processes of a local job (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """Options of a local job.

    Args:
        peers: Number of peers, 1 to 1000, 3 by default.
        input: Text file in UTF-8, split by lines among the peers; None is no input.
        configuration: Further properties of the job.
        hama_0_6: Whether operations are numbered as in Hama 0.6.0 and 0.6.1.
        on_log: Called with a peer's index and a line that it logs.
    """

    peers: int = 3
    """Number of peers; each gets a part of the input."""
    input: Path | None = None
    """A text file: each line is a pair of its byte offset and its text."""
    configuration: Mapping[str, str] = field(default_factory=dict)
    """Properties in addition to those that every local job has."""
    hama_0_6: bool = False
    on_log: Callable[[int, str], None] | None = None


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a local job.

    Args:
        output: The written pairs, one list per peer.
        supersteps: The number of barriers that all peers passed.
    """

    output: list[list[tuple[str, str]]]
    supersteps: int


def run_job(command: Sequence[str], options: JobOptions | None = None) -> JobResult:
    """Run `command` as every peer of a job, until all are done.

    Args:
        command: The program and its arguments.
        options: The options of the job; None (the default) is `JobOptions()`.

    Returns:
        The pairs that the peers wrote, and the number of supersteps.

    Raises:
        JobFailed: a peer violated the protocol, aborted the job, or ended too early.
        ConfigError: the command cannot be started, or the configuration or the input is invalid.
    """
    return asyncio.run(LocalJob(command, options or JobOptions()).run())


class LocalJob:
    """A running local job and its peers."""

    def __init__(self, command: Sequence[str], options: JobOptions) -> None:
        if not 1 <= options.peers <= MAX_PEERS:
            raise ConfigError(f"invalid number of peers {options.peers}: expected 1 to {MAX_PEERS}")
        self._options = options
        self.names = [f"local:{index}" for index in range(options.peers)]
        self.supersteps = 0
        parts = _parts(options.input, options.peers)
        configuration = self._configuration()
        self.peers = [
            LocalPeer(self, index, command, configuration, part) for index, part in enumerate(parts)
        ]
        self._barrier: asyncio.Future[None] | None = None

    def _configuration(self) -> dict[str, str]:
        own = {
            "user.name": getpass.getuser(),
            "bsp.job.name": "local",
            "bsp.peers.num": str(self._options.peers),
            "hama.streaming": "true",
        }
        settings = own | dict(self._options.configuration)
        for name, value in settings.items():
            if len(f"{name}{value}".splitlines()) > 1:
                raise ConfigError(f"{name}: a property of a local job is one line")
        return settings

    async def run(self) -> JobResult:
        """Run all peers to the end and return the result."""
        tasks = [asyncio.create_task(peer.run()) for peer in self.peers]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return JobResult([peer.output for peer in self.peers], self.supersteps)

    def send(self, sender: LocalPeer, name: str, message: str) -> None:
        """Store a message for a peer until the next sync."""
        try:
            index = self.names.index(name)
        except ValueError:
            raise sender.failed(f"sent a message to {name!r}, and there is no such peer") from None
        self.peers[index].arriving.append(message)

    async def sync(self) -> None:
        """Wait until all peers have reached the barrier."""
        if self._barrier is None:
            self._barrier = asyncio.get_running_loop().create_future()
        barrier = self._barrier
        self._check_deadlock()
        await asyncio.shield(barrier)

    def _check_deadlock(self) -> None:
        """Open the barrier if all peers wait at it; fail it if a peer has ended."""
        if self._barrier is None or any(peer.is_working for peer in self.peers):
            return
        barrier, self._barrier = self._barrier, None
        ended = [peer.index for peer in self.peers if peer.has_ended]
        if ended:
            barrier.set_exception(
                JobFailed(f"peer {ended[0]} has ended, and others wait for it to sync")
            )
            return
        self.supersteps += 1
        for peer in self.peers:
            peer.messages, peer.arriving = peer.arriving, deque()
            peer.is_waiting = False
        barrier.set_result(None)

    def log(self, index: int, text: str) -> None:
        """Pass a line that a peer logs to `on_log`."""
        if self._options.on_log is not None:
            self._options.on_log(index, text)

    @property
    def hama_0_6(self) -> bool:
        """Whether operations are numbered as in 0.6.0 and 0.6.1."""
        return self._options.hama_0_6


class LocalPeer:
    """One peer of a local job: a child process."""

    def __init__(
        self,
        job: LocalJob,
        index: int,
        command: Sequence[str],
        configuration: dict[str, str],
        records: list[tuple[str, str]],
    ) -> None:
        self.index = index
        self.output: list[tuple[str, str]] = []
        self.messages: deque[str] = deque()
        self.arriving: deque[str] = deque()
        self.is_waiting = False
        self.has_ended = False
        self._job = job
        self._command = command
        self._records = records
        self._next_record = 0
        self._step: Step | None = None
        self._done = False
        own = configuration | {"bsp.task.index": str(index), "bsp.peer.name": job.names[index]}
        self._session = HamaTaskSession(own, hama_0_6=job.hama_0_6)

    @property
    def is_working(self) -> bool:
        """Whether the peer may still reach a barrier."""
        return not (self.is_waiting or self.has_ended)

    def failed(self, why: str) -> JobFailed:
        """Return the error that reports an action of this peer."""
        return JobFailed(f"peer {self.index} {why}")

    async def run(self) -> None:
        """Start the child and execute its operations until it is done."""
        try:
            child = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # A process group of its own, so that its descendants end with it.
                start_new_session=True,
            )
        except OSError as error:
            raise ConfigError(f"cannot start {self._command[0]}: {error.strerror}") from error
        try:
            await self._exchange(child)
        finally:
            ending = asyncio.create_task(_end(child, CHILD_EXIT_TIMEOUT if self._done else 0.0))
            try:
                await asyncio.shield(ending)
            finally:  # wait even if cancelled, so that no process is left behind
                await ending
        self.has_ended = True
        self._job._check_deadlock()

    async def _exchange(self, child: asyncio.subprocess.Process) -> None:
        if child.stdin is None or child.stdout is None:
            raise TypeError("a child without pipes")
        writing = asyncio.ensure_future(_drained(child.stdin))
        while not self._done:
            child.stdin.write(self._session.data_to_send(0.0))
            if writing.done():
                writing = asyncio.ensure_future(_drained(child.stdin))
            # Read whether or not the child reads, so that the two cannot deadlock.
            self._session.receive_data(await child.stdout.read(CHUNK))
            try:
                for event in self._session.events():
                    await self._receive(event)
            except ProtocolError as error:
                raise self.failed(f"said what it may not: {error}") from error
        await writing

    async def _receive(self, event: Any) -> None:
        match event:
            case Closed():
                if not self._done:
                    raise self.failed(f"ended {self._position()}")
            case Pushed("operation", operation):
                await self._execute(*operation)
            case _:
                self._run_step(Step.SETUP)

    def _position(self) -> str:
        return f"in {self._step}" if self._step else "before it was asked anything"

    def _run_step(self, step: Step) -> None:
        self._step = step
        self._session.send(StartStep(step))

    def _answer(self, *lines: object) -> None:
        self._session.send(SendLines(tuple(map(str, lines))))

    async def _execute(self, name: str, *arguments: str) -> None:
        match name, arguments:
            case "READ_KEYVALUE", _:
                self._answer(*self._read())
            case "WRITE_KEYVALUE", (key, value):
                self.output.append((key, value))
            case "GET_MSG", _:
                self._answer(self.messages.popleft() if self.messages else END)
            case "GET_MSG_COUNT", _:
                self._answer(len(self.messages))
            case "SEND_MSG", (peer, message):
                self._job.send(self, peer, message)
            case "SYNC", _:
                self.is_waiting = True
                await self._job.sync()
                self._answer(SYNCED)
            case "GET_ALL_PEERNAME", _:
                self._answer(len(self._job.names), *self._job.names)
            case "GET_PEERNAME", (index,):
                self._answer(self._name_of(index))
            case "GET_PEER_INDEX", _:
                self._answer(self.index)
            case "GET_PEER_COUNT", _:
                self._answer(len(self._job.names))
            case "GET_SUPERSTEP_COUNT", _:
                self._answer(self._job.supersteps)
            case "REOPEN_INPUT", _:
                self._next_record = 0
            case "CLEAR", _:
                self.messages.clear()
                self._session.send(SendLines(None))
            case "LOG", (text,):
                self._job.log(self.index, text)
            case "ACK", (number,):
                self._acknowledged(number)
            case "TASK_DONE", _:
                pass
            case "DONE", _:
                if self._step is not None:
                    raise self.failed(f"said that it is done {self._position()}")
                self._done = True
            case "ABORT", _:
                raise self.failed("aborted the job; its log says why")
            case _:
                raise self.failed(f"said {name}, by which a real task fails")

    def _acknowledged(self, number: str) -> None:
        if self._step is None or _STEP_OF.get(number) is not self._step:
            raise self.failed(f"acknowledged step {number!r} {self._position()}")
        following = _NEXT[self._step]
        self._step = None
        if following is not None:
            self._run_step(following)

    def _read(self) -> tuple[str, str]:
        if self._next_record == len(self._records):
            return END, END
        self._next_record += 1
        return self._records[self._next_record - 1]

    def _name_of(self, index: str) -> str:
        names = self._job.names
        if index == "-1":
            return names[self.index]
        if not index.isdecimal() or int(index) >= len(names):
            raise self.failed(f"asked for peer {index!r}, and a real task dies of it")
        return names[int(index)]


def _parts(path: Path | None, peers: int) -> list[list[tuple[str, str]]]:
    """Return the pairs of offset and line for each peer, as Hama's TextInputFormat does."""
    if path is None:
        return [[] for _ in range(peers)]
    records: list[tuple[str, str]] = []
    offset = 0
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            text = line.decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is not UTF-8 at byte {offset + error.start}") from error
        records.append((str(offset), text))
        offset += len(line)
    size, larger = divmod(len(records), peers)
    ends = [size * (index + 1) + min(index + 1, larger) for index in range(peers)]
    starts = [0, *ends[:-1]]
    return [records[start:end] for start, end in zip(starts, ends, strict=True)]


async def _drained(pipe: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):  # the child's output before its end gives the reason
        await pipe.drain()


async def _end(child: asyncio.subprocess.Process, grace: float) -> None:
    if child.stdin is not None:
        child.stdin.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(child.wait(), grace)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    # asyncio reports the end of a process only after its pipes are closed
    if child.stdout is not None:
        while await child.stdout.read(CHUNK):
            pass
    await child.wait()
