"""Cluster of local processes that runs a topology of Python components without a JVM, for trials.

Each task is a process as a worker of Storm would start it, with the worker's protocol on its
standard streams. This module routes, tracks and times out tuples by Storm's rules.
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import tempfile
from collections import defaultdict, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import ConfigError, JvmWireError, LimitExceeded, RemoteProtocolError
from jvmwire.storm._commands import (
    Ack,
    Command,
    Emit,
    Fail,
    Level,
    Log,
    ReportError,
    ReportMetric,
    Sync,
)
from jvmwire.storm._groupings import chooser
from jvmwire.storm._java_hash import JsonFloat
from jvmwire.storm._session import METRICS_REGISTERED
from jvmwire.storm._shell import (
    MessageReader,
    Started,
    encode_message,
    handshake_message,
    heartbeat_message,
    read_command,
    refused,
    tick_message,
    tuple_message,
)
from jvmwire.storm._tuple_trees import TupleTrees
from jvmwire.storm.errors import ComponentDied
from jvmwire.storm.topology import Input, JavaComponent, Node, Topology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from jvmwire.storm._groupings import Chooser
    from jvmwire.storm._tuple_trees import Tree

CHUNK: Final = 1 << 16
"""Bytes read from a process at a time: the size of a pipe."""

BUSY_BYTES: Final = 1 << 18
"""Bytes queued for a task above which spouts get no more requests (chosen by jvmwire)."""

MAX_WAITING_BYTES: Final = 256 << 20
"""Bytes queued for a task, at most (chosen by jvmwire)."""

MAX_TASKS: Final = 1000
"""Processes that a topology starts, at most (chosen by jvmwire)."""

KEPT_LINES: Final = 50
"""The last lines of a process's log and standard error that are kept (chosen by jvmwire)."""

MAX_LINE: Final = 16 * 1024
"""Characters of such a line that are kept (chosen by jvmwire)."""

GRACE: Final = 5.0
"""Seconds that a process has to end after its input, and then after SIGTERM (chosen by jvmwire)."""

INTERVAL: Final = 0.1
"""Seconds between two checks of the timers (chosen by jvmwire)."""

HEARTBEAT_INTERVAL: Final = 1.0
"""Seconds between two heartbeats of a bolt, as in ShellBolt."""

MAX_BURST: Final = 32
"""Requests in flight to a spout that has tuples, at most (chosen by jvmwire)."""

SHORTEST_PAUSE: Final = 0.001
"""Seconds before a spout that emitted nothing gets the next request.

The value is chosen by jvmwire; most spouts pause by themselves.
"""

ACKER: Final = "__acker"
"""The component that Storm adds; its tasks are counted so that task numbers agree with Storm's."""

_TIMEOUT: Final = "topology.message.timeout.secs"
_MAX_PENDING: Final = "topology.max.spout.pending"
_ACKERS: Final = "topology.acker.executors"
_TICK: Final = "topology.tick.tuple.freq.secs"
_TASKS: Final = "topology.tasks"
_SILENCE: Final = ("topology.subprocess.timeout.secs", "supervisor.worker.timeout.secs")
_DEFAULTS: Final[dict[str, Any]] = {
    _TIMEOUT: 30,
    _MAX_PENDING: None,
    _ACKERS: 1,
    "topology.enable.message.timeouts": True,
    "topology.subprocess.timeout.secs": None,
    "supervisor.worker.timeout.secs": 30,
    "topology.workers": 1,
    METRICS_REGISTERED: False,
}
"""The settings of Storm's `defaults.yaml` that are supported here."""


@dataclass(slots=True)
class Counts:
    """Counts of a component's tasks.

    Attributes:
        tasks: The number of tasks.
        emitted: Tuples that they emitted.
        transferred: Copies of these that were sent to tasks.
        acked: For a spout, tuples whose trees are complete; for a bolt, tuples that it acked.
        failed: For a spout, tuples that failed or timed out; for a bolt, tuples that it failed.
        errors: Errors that they reported.
        pending: Tuples that were neither acked nor failed at the end.
    """

    tasks: int
    emitted: int = 0
    transferred: int = 0
    acked: int = 0
    failed: int = 0
    errors: int = 0
    pending: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of the run of a topology.

    Args:
        folder: The folder of the components' modules, in which processes are started.
        tuples: The number of tuples after which spouts get no more requests; the run ends when
            these tuples are processed. None is without limit.
        seconds: The time limit of the run, counted after the start of all processes.
        interpreter: The Python interpreter of the processes.
        on_line: Called with each line that components log, report or write to their standard error.
    """

    folder: Path
    tuples: int | None = None
    """The number of tuples after which spouts get no more requests.

    The run ends when these tuples are processed.
    """
    seconds: float = math.inf
    """The time limit of the run in seconds, counted after the start of all processes."""
    interpreter: str = sys.executable
    on_line: Callable[[str], None] = lambda _: None


@dataclass(slots=True)
class RunResult:
    """The result of a run.

    Attributes:
        counts: The counts of each component.
        seconds: The duration of the run, including the start of the processes.
        interrupted: Whether the run was interrupted by SIGINT.
        failure: The error of a component that ended the run, else None.
    """

    counts: dict[str, Counts] = field(default_factory=dict)
    seconds: float = 0.0
    """The duration of the run in seconds, including the start of the processes."""
    interrupted: bool = False
    failure: JvmWireError | None = None


def run_topology(topology: Topology, options: RunOptions) -> RunResult:
    """Run a topology until its limits are reached, it is interrupted, or a component dies.

    Args:
        topology: The topology.
        options: The limits of the run, and how to start processes.

    Returns:
        The counts of each component, and the error that ended the run, if any.

    Raises:
        ConfigError: the topology has components in Java or no spout, or a process cannot be
            started.
    """
    return asyncio.run(ProcessCluster(topology, options).run())


class ProcessCluster:
    """A topology and its processes."""

    def __init__(self, topology: Topology, options: RunOptions) -> None:
        self.options = options
        self.conf = _DEFAULTS | {"topology.name": topology.name} | topology.config
        if self.conf[_ACKERS] is None:
            self.conf[_ACKERS] = self.conf["topology.workers"]
        self.result = RunResult()
        self.trees = TupleTrees()
        self._is_draining = False
        self.pid_dir = ""
        self._nodes = {node.name: node for node in topology.nodes}
        self._tuple_ids = 0
        self._emitted_by_spouts = 0
        self._refuse_java(topology)
        self.components = self._number_tasks()
        self.tasks_of: dict[str, list[int]] = defaultdict(list)
        for number, name in self.components.items():
            self.tasks_of[name].append(number)
        self.inputs_of: dict[tuple[str, str], list[tuple[Node, Input]]] = defaultdict(list)
        for node in topology.nodes:
            for source in node.inputs:
                self.inputs_of[source.component, source.stream].append((node, source))
        self.tasks = {
            number: (_SpoutTask if self._nodes[name].is_spout else _BoltTask)(
                self, number, self._nodes[name]
            )
            for number, name in self.components.items()
            if name in self._nodes
        }
        self.result.counts = {name: Counts(len(self.tasks_of[name])) for name in self._nodes}

    def _refuse_java(self, topology: Topology) -> None:
        if not any(node.is_spout for node in topology.nodes):
            raise ConfigError(f"the topology {topology.name!r} has no spout")
        for node in topology.nodes:
            if isinstance(node.component, JavaComponent):
                raise ConfigError(
                    f"{node.name} is a component in Java, which needs a JVM: use `storm local`"
                )
            for source in node.inputs:
                if source.component not in self._nodes:
                    raise ConfigError(
                        f"{node.name} takes a stream of {source.component!r}, which is not in the "
                        f"topology {topology.name!r}"
                    )
                self._nodes[source.component].stream(source.stream)

    def _number_tasks(self) -> dict[int, str]:
        """Number the tasks as Storm does: by component name, from 1 (StormCommon.stormTaskInfo)."""
        counts = {node.name: self.task_count(node) for node in self._nodes.values()}
        if sum(counts.values()) > MAX_TASKS:
            raise ConfigError(
                f"the topology has {sum(counts.values()):,} tasks; `storm run` starts at most "
                f"{MAX_TASKS:,} processes (MAX_TASKS)"
            )
        if self.conf[_ACKERS]:
            counts[ACKER] = self.conf[_ACKERS]
        names = [name for name in sorted(counts) for _ in range(counts[name])]
        return dict(enumerate(names, start=1))

    def task_count(self, node: Node) -> int:
        """Return the number of a component's tasks."""
        count: int = self.conf_of(node).get(_TASKS) or node.parallelism
        return count

    def conf_of(self, node: Node) -> dict[str, Any]:
        """Return the configuration that is sent to a component's tasks."""
        return self.conf | dict(getattr(node.component, "config", {}))

    def choosers(self, component: str, stream: str) -> list[Chooser]:
        """Return the functions that choose the tasks for a stream, one per bolt with that input."""
        fields = self._nodes[component].outputs[stream]
        return [
            chooser(source, fields, self.tasks_of[node.name])
            for node, source in self.inputs_of[component, stream]
            if source.type != "DIRECT"
        ]

    async def run(self) -> RunResult:
        """Run the topology, and return the result."""
        with tempfile.TemporaryDirectory(prefix="jvmwire-storm-") as self.pid_dir:
            for task in self.tasks.values():
                task.prepare()
            talks: list[asyncio.Task[None]] = []
            stopped = asyncio.Event()
            with _interrupts(stopped):
                try:
                    for task in self.tasks.values():
                        await task.start()
                        talks.append(asyncio.create_task(task.talk()))
                    talks.append(asyncio.create_task(self._keep_time()))
                    await self._wait(stopped, talks)
                finally:
                    await self._end(talks)
        return self.result

    async def _wait(self, stopped: asyncio.Event, talks: list[asyncio.Task[None]]) -> None:
        """Wait until the run is over, and record a failure."""
        waiting: asyncio.Task[Any] = asyncio.create_task(stopped.wait())
        over: asyncio.Task[Any] = asyncio.create_task(self._run_to_end())
        started = monotonic()
        done, _ = await asyncio.wait([waiting, over, *talks], return_when=asyncio.FIRST_COMPLETED)
        self.result.seconds = monotonic() - started
        self.result.interrupted = waiting in done
        waiting.cancel()
        over.cancel()
        for task in done:
            if (error := task.exception()) is not None:
                self._note_failure(error)

    def _note_failure(self, error: BaseException) -> None:
        if not isinstance(error, JvmWireError):
            raise error
        self.result.failure = self.result.failure or error

    async def _run_to_end(self) -> None:
        """Wait for the time limit, or until all tuples were emitted and processed."""
        while not all(task.is_started for task in self.tasks.values()):
            await asyncio.sleep(INTERVAL)
        deadline = monotonic() + self.options.seconds
        drained_by = math.inf
        while (now := monotonic()) < min(deadline, drained_by):
            if self._is_draining:
                if self._is_idle():
                    return
                drained_by = min(drained_by, now + self.timeout)
            await asyncio.sleep(min(INTERVAL, deadline - now))

    def _is_idle(self) -> bool:
        return not self.trees and not any(task.is_busy for task in self.tasks.values())

    @property
    def timeout(self) -> float:
        """Seconds after which a tuple of a spout fails."""
        return float(self.conf[_TIMEOUT])

    async def _keep_time(self) -> None:
        """Fail tuples that time out, and run the timers of the tasks."""
        has_timeouts = self.conf["topology.enable.message.timeouts"]
        while True:
            now = monotonic()
            if has_timeouts:
                self.finish(self.trees.expire(now - self.timeout), Fail)
            for task in self.tasks.values():
                task.keep_time(now)
            await asyncio.sleep(INTERVAL)

    async def _end(self, talks: Iterable[asyncio.Task[None]]) -> None:
        """End the processes: spouts first, after a `deactivate`."""
        for name, counts in self.result.counts.items():
            counts.pending = sum(self.tasks[number].pending for number in self.tasks_of[name])
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        ending = sorted(self.tasks.values(), key=lambda task: not task.node.is_spout)
        await asyncio.gather(*(task.end() for task in ending))

    def next_id(self) -> str:
        """Return a new tuple id."""
        self._tuple_ids += 1
        return f"{self._tuple_ids}"

    @property
    def room(self) -> float:
        """The number of further tuples that may be requested from spouts."""
        if any(task.waiting_bytes >= BUSY_BYTES for task in self.tasks.values()):
            return 0
        if self.options.tuples is None:
            return math.inf
        return self.options.tuples - self._emitted_by_spouts

    def count_emits_of_spouts(self) -> None:
        """Count one more tuple of a spout."""
        self._emitted_by_spouts += 1
        if self._emitted_by_spouts == self.options.tuples:
            self._is_draining = True

    def deliver(self, sender: _Task, emit: Emit, targets: Sequence[int], roots: set[int]) -> None:
        """Send a tuple to tasks, as part of the trees of `roots`."""
        self.trees.grow(roots, len(targets))
        stream = emit.stream or "default"
        for target in targets:
            bolt = self.tasks[target]
            message_id = self.next_id()
            bolt.expect(message_id, roots)
            bolt.write(
                tuple_message(message_id, sender.node.name, stream, sender.number, emit.values)
            )

    def finish(self, trees: Iterable[Tree], how: type[Ack | Fail]) -> None:
        """Send the outcome of tuples to their spouts."""
        for tree in trees:
            spout = self.tasks[tree.task]
            assert isinstance(spout, _SpoutTask)  # noqa: S101 # only these have trees
            spout.finish(tree.message_id, how)


class _Task:
    """A task with its process."""

    def __init__(self, cluster: ProcessCluster, number: int, node: Node) -> None:
        self.cluster = cluster
        self.number = number
        self.node = node
        self._process: asyncio.subprocess.Process
        self._stdin: asyncio.StreamWriter | None = None
        self._messages = MessageReader(JsonFloat)
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._reading_stderr: asyncio.Task[None] | None = None
        self.is_started = False
        self._last_received = math.inf
        self._choosers: dict[str, list[Chooser]] = {}
        self._conf = cluster.conf_of(node)
        silence = next((self._conf[name] for name in _SILENCE if self._conf.get(name)), math.inf)
        self._silence = float(silence)

    def __str__(self) -> str:
        return f"{self.node.name} (task {self.number})"

    @property
    def counts(self) -> Counts:
        return self.cluster.result.counts[self.node.name]

    @property
    def pending(self) -> int:
        """The number of incomplete tuples that the task emitted or received."""
        raise NotImplementedError

    @property
    def is_busy(self) -> bool:
        """Whether the task has work left."""
        raise NotImplementedError

    @property
    def waiting_bytes(self) -> int:
        """Bytes written to the process that it has not read yet."""
        return 0 if self._stdin is None else self._stdin.transport.get_write_buffer_size()

    def prepare(self) -> None:
        """Look up the receivers of the streams; raise `ConfigError` if a grouping needs a JVM."""
        for stream in self.node.outputs:
            self._choosers[stream] = self.cluster.choosers(self.node.name, stream)

    async def start(self) -> None:
        kind = self.node.component
        assert not isinstance(kind, JavaComponent)  # noqa: S101 # they were refused
        options = self.cluster.options
        folder = str(options.folder.resolve())
        command = self.node.command(kind, options.interpreter, folder, None)
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=folder,
                start_new_session=True,  # without Ctrl-C: they end with their input
            )
        except OSError as error:
            raise ConfigError(f"cannot start {self}: {error}") from error
        self._stdin = self._process.stdin
        self._reading_stderr = asyncio.create_task(self._read_stderr())
        self.write(self._handshake())

    def _handshake(self) -> dict[str, Any]:
        targets: dict[str, dict[str, Any]] = {}
        for stream in self.node.outputs:
            taken = self.cluster.inputs_of[self.node.name, stream]
            targets[stream] = {node.name: _grouping(source) for node, source in taken}
        sources: dict[str, dict[str, Any]] = defaultdict(dict)
        fields: dict[str, dict[str, Any]] = defaultdict(dict)
        for source in self.node.inputs:
            sources[source.component][source.stream] = _grouping(source)
            taken_of = self.cluster.tasks[self.cluster.tasks_of[source.component][0]].node
            fields[source.component][source.stream] = taken_of.outputs[source.stream]
        return handshake_message(
            pid_dir=self.cluster.pid_dir,
            conf=self._conf,
            task=self.number,
            component=self.node.name,
            components=self.cluster.components,
            outputs=self.node.outputs,
            targets=targets,
            sources=sources,
            source_fields=fields,
        )

    def write(self, message: Any) -> None:
        """Queue a message for the process."""
        assert self._stdin is not None  # noqa: S101 # it has been started
        if self.waiting_bytes > MAX_WAITING_BYTES:
            raise LimitExceeded(
                f"{self} takes tuples too slowly: {self.waiting_bytes:,} bytes wait for it "
                "(MAX_WAITING_BYTES)"
            )
        self._stdin.write(encode_message(message))

    async def talk(self) -> None:
        """Handle the output of the process, until it ends."""
        assert self._process.stdout is not None  # noqa: S101 # it is a pipe
        while data := await self._process.stdout.read(CHUNK):
            self._last_received = monotonic()
            try:
                for message in self._messages.feed(data):
                    self._take(read_command(message))
            except RemoteProtocolError as error:
                raise RemoteProtocolError(f"{self}: {error.args[0]}") from error
        raise await self._died()

    async def _died(self) -> ComponentDied:
        try:
            async with asyncio.timeout(GRACE):
                status = await self._process.wait()
                if self._reading_stderr is not None:
                    await self._reading_stderr
            ended = f"ended with status {status}" if status >= 0 else f"died of signal {-status}"
        except TimeoutError:
            ended = "closed its output"
        return ComponentDied(f"{self} {ended}", tuple(self._said))

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 # it is a pipe
        rest = b""
        while data := await self._process.stderr.read(CHUNK):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._log_output(line.decode(errors="replace"))
            rest = rest[-MAX_LINE:]
        if rest:
            self._log_output(rest.decode(errors="replace"))

    def _log_output(self, text: str) -> None:
        for line in (whole[:MAX_LINE] for whole in text.splitlines()):
            self._said.append(line)
            self.cluster.options.on_line(f"{self}: {line}")

    def keep_time(self, now: float) -> None:
        """Run the timers of the task; raise `ComponentDied` if the process is silent too long."""
        if self.is_started and self._must_respond and now - self._last_received > self._silence:
            silent = f"{self} said nothing for {self._silence:g} s: Storm would end it"
            raise ComponentDied(silent, tuple(self._said))

    @property
    def _must_respond(self) -> bool:
        raise NotImplementedError

    def expect(self, tuple_id: str, roots: set[int]) -> None:
        """Record a tuple that is sent to the task."""
        raise NotImplementedError

    def _take(self, command: Command | Started) -> None:
        match command:
            case Emit():
                self._route(command)
            case Log(text, level):
                self._log_output(text if level == Level.INFO else f"{level.name} {text}")
            case ReportError(text):
                self.counts.errors += 1
                self._log_output(f"ERROR {text}")
            case ReportMetric(name, params):
                declared = getattr(self.node.component, "metrics", {})
                if name not in declared and not self._conf[METRICS_REGISTERED]:
                    raise refused(f"the metric {name!r}, which is not registered")
                self._log_output(f"metric {name}: {params}")
            case Started():
                self.is_started = True
                self._begin()
            case _:
                self._take_own(command)

    def _begin(self) -> None:
        """Continue after the handshake."""

    def _take_own(self, command: Command) -> None:
        raise NotImplementedError

    def _route(self, emit: Emit) -> None:
        stream = emit.stream or "default"
        component = self.node.name
        if len(emit.values) != len(self.node.stream(stream).fields):
            raise refused(f"{len(emit.values)} values for the stream {stream!r} of {component}")
        takers = self.cluster.inputs_of[component, stream]
        is_direct = any(source.type == "DIRECT" for _, source in takers)
        if emit.task is not None:
            name = self.cluster.components.get(emit.task)
            ways = [source.type for node, source in takers if node.name == name]
            if "DIRECT" not in ways:
                raise refused(f"a direct emit to {name} (task {emit.task}) on {stream!r}")
            targets: list[int] = [emit.task]
        elif is_direct:
            raise refused(f"an emit without a task on {stream!r}, which is a direct stream")
        else:
            targets = [it for choose in self._choosers[stream] for it in choose(emit.values)]
        self.counts.emitted += 1
        self.counts.transferred += len(targets)
        self._send(emit, targets)
        if emit.need_task_ids and emit.task is None:
            self.write(targets)

    def _send(self, emit: Emit, targets: list[int]) -> None:
        raise NotImplementedError

    async def end(self) -> None:
        """Close the process's input and wait for its end; terminate it after the grace period."""
        if self._stdin is None:
            return
        self._stdin.close()
        for end in (self._process.terminate, self._process.kill):
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await self._read_remaining_output()
                    await self._process.wait()
                    if self._reading_stderr is not None:
                        await self._reading_stderr
                return
            with suppress(ProcessLookupError):
                end()
        await self._process.wait()
        if self._reading_stderr is not None:
            self._reading_stderr.cancel()

    async def _read_remaining_output(self) -> None:
        """Read the last output of the process, and pass on its log messages."""
        assert self._process.stdout is not None  # noqa: S101 # it is a pipe
        while data := await self._process.stdout.read(CHUNK):
            with suppress(RemoteProtocolError):  # other output is ignored by now
                for message in self._messages.feed(data):
                    if isinstance(command := read_command(message), Log | ReportError):
                        self._take(command)


class _BoltTask(_Task):
    def __init__(self, cluster: ProcessCluster, number: int, node: Node) -> None:
        super().__init__(cluster, number, node)
        self._roots: dict[str, set[int]] = {}
        """The trees of each tuple that was received and is neither acked nor failed."""
        self._system: set[str] = set()
        """The ids of tick tuples among them."""
        self._next_heartbeat = self._next_tick = math.inf
        self._tick: int = self._conf.get(_TICK) or 0

    @property
    def pending(self) -> int:
        return len(self._roots) - len(self._system)

    @property
    def is_busy(self) -> bool:
        return self.pending > 0 or self.waiting_bytes > 0

    @property
    def _must_respond(self) -> bool:
        return True  # a bolt must answer heartbeats

    def expect(self, tuple_id: str, roots: set[int]) -> None:
        self._roots[tuple_id] = roots

    def _begin(self) -> None:
        now = monotonic()
        self._next_heartbeat = now
        if self._tick:
            self._next_tick = now + self._tick

    def keep_time(self, now: float) -> None:
        super().keep_time(now)
        if now >= self._next_heartbeat:
            self._next_heartbeat = now + HEARTBEAT_INTERVAL
            self.write(heartbeat_message(self.cluster.next_id()))
        if now >= self._next_tick:
            self._next_tick += self._tick
            message_id = self.cluster.next_id()
            self.expect(message_id, set())
            self._system.add(message_id)
            self.write(tick_message(message_id, self._tick))

    def _take_own(self, command: Command) -> None:
        match command:
            case Ack(tuple_id):
                roots = self._done(tuple_id, "acked")
                self.cluster.finish(self.cluster.trees.ack(roots), Ack)
            case Fail(tuple_id):
                roots = self._done(tuple_id, "failed")
                self.cluster.finish(self.cluster.trees.fail(roots), Fail)
            case Sync():
                pass

    def _done(self, tuple_id: str, counted: str) -> set[int]:
        roots = self._roots.pop(tuple_id, None)
        if roots is None:
            raise refused(f"tuple {tuple_id!r} was acked or failed before, or never came")
        if tuple_id in self._system:
            self._system.remove(tuple_id)
        else:
            setattr(self.counts, counted, getattr(self.counts, counted) + 1)
        return roots

    def _send(self, emit: Emit, targets: list[int]) -> None:
        roots: set[int] = set()
        for anchor in emit.anchors:
            if anchor not in self._roots:
                raise refused(f"anchored onto {anchor!r} after its ack or fail")
            roots |= self._roots[anchor]
        self.cluster.deliver(self, emit, targets, roots)


class _SpoutTask(_Task):
    def __init__(self, cluster: ProcessCluster, number: int, node: Node) -> None:
        super().__init__(cluster, number, node)
        self._outgoing: deque[dict[str, Any]] = deque()
        self._pending = 0
        self._ready = asyncio.Event()
        self._synced = asyncio.Event()
        self._changed = asyncio.Event()
        self._owed = 0
        """Commands that the spout has not answered yet."""
        self._emits = 0

    @property
    def pending(self) -> int:
        return self._pending

    @property
    def is_busy(self) -> bool:
        return bool(self._outgoing) or self._owed > 0

    @property
    def _must_respond(self) -> bool:
        return self._owed > 0

    async def talk(self) -> None:
        both = [asyncio.create_task(super().talk()), asyncio.create_task(self._ask_on())]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)

    def _begin(self) -> None:
        self._ready.set()

    async def _ask_on(self) -> None:
        """Send commands to the spout, as SpoutExecutor and ShellSpout do."""
        await self._ready.wait()
        await self._ask({"command": "activate", "id": ""})
        limit = self._conf[_MAX_PENDING] or math.inf
        burst = 1
        while True:
            while self._outgoing:
                messages = [*self._outgoing]
                self._outgoing.clear()
                await self._ask(*messages)
            emits, pause = self._emits, INTERVAL
            times = int(min(burst, self.cluster.room, limit - self._pending))
            if times > 0:
                pause = SHORTEST_PAUSE
                await self._ask(*({"command": "next", "id": ""} for _ in range(times)))
                burst = min(2 * burst, MAX_BURST) if self._emits >= emits + times else 1
            if emits == self._emits and not self._outgoing:
                self._changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._changed.wait()

    async def _ask(self, *commands: dict[str, Any]) -> None:
        self._synced.clear()
        self._owed += len(commands)
        self._last_received = monotonic()
        for command in commands:
            self.write(command)
        await self._synced.wait()

    def _take_own(self, command: Command) -> None:
        if not isinstance(command, Sync):
            raise refused(f"{command} of a spout")
        self._owed -= 1
        if self._owed == 0:
            self._synced.set()

    def _send(self, emit: Emit, targets: list[int]) -> None:
        self._emits += 1
        self.cluster.count_emits_of_spouts()
        roots: set[int] = set()
        is_tracked = emit.id is not None
        if is_tracked:
            self._pending += 1
            if targets and self.cluster.conf[_ACKERS]:
                roots = {self.cluster.trees.plant(self.number, emit.id, monotonic())}
                is_tracked = False
        self.cluster.deliver(self, emit, targets, roots)
        if is_tracked:  # no task receives the tuple, or tracking is disabled
            self.finish(emit.id, Ack)

    def finish(self, message_id: Any, how: type[Ack | Fail]) -> None:
        """Queue the ack or the failure of a tuple for the spout."""
        self._pending -= 1
        if how is Ack:
            self.counts.acked += 1
        else:
            self.counts.failed += 1
        self._outgoing.append({"command": "ack" if how is Ack else "fail", "id": message_id})
        self._changed.set()

    async def end(self) -> None:
        """Deactivate the spout, and end its process."""
        if self._stdin is not None and self.is_started:
            self.write({"command": "deactivate", "id": ""})
        await super().end()


def _grouping(source: Input) -> dict[str, Any]:
    match source.type:
        case "FIELDS" | "GLOBAL":  # Storm's global grouping is one without fields
            return {"type": "FIELDS", "fields": list(source.fields)}
        case "CUSTOM":
            return {"type": "CUSTOM_SERIALIZED"}
        case other:
            return {"type": other}


@contextmanager
def _interrupts(stopped: asyncio.Event) -> Iterator[None]:
    """End the run on Ctrl-C, unless SIGINT is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, stopped.set)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
