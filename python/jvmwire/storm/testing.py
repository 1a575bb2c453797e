"""Test harness that runs a component in process: no cluster and no JVM, but the same bytes."""

from __future__ import annotations

import io
import itertools
import os
import tempfile
import threading
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from jvmwire.errors import CallTimeout, ConnectionLost, RemoteProtocolError
from jvmwire.storm._commands import (
    Ack,
    Emit,
    Fail,
    Level,
    Log,
    ReportError,
    ReportMetric,
    Sync,
)
from jvmwire.storm._runner import ComponentRunner
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
from jvmwire.storm.topology import Node
from jvmwire.transports._pipes import PipeTransport

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jvmwire.storm._component import Component

TIMEOUT: Final = 30.0
"""Seconds to wait for a component by default."""

TASK: Final = 1
"""The number of the component's task, in a topology of one component."""


@dataclass(frozen=True, slots=True)
class Emitted:
    """A tuple that the component emitted.

    Attributes:
        values: The values of the tuple.
        stream: The stream.
        anchors: The ids of the tuples that fail if this one does; for bolts.
        id: The id that Storm passes to ack or fail; for spouts.
        task: The task of a direct emit.
    """

    values: list[Any]
    stream: str = "default"
    anchors: tuple[str, ...] = ()
    id: Any = None
    task: int | None = None


@dataclass(slots=True)
class ComponentOutput:
    """The output of a component so far.

    Attributes:
        emitted: The tuples emitted.
        acked: The ids of acked tuples, as `StormHarness.send_tuple` returned them.
        failed: The ids of failed tuples.
        logged: The log messages with their levels.
        errors: The reported errors, including tracebacks of exceptions that the component raised.
        metrics: The metric updates, as names and parameters.
        syncs: The number of commands and heartbeats that were answered.
    """

    emitted: list[Emitted] = field(default_factory=list)
    acked: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    logged: list[tuple[Level, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    metrics: list[tuple[str, Any]] = field(default_factory=list)
    syncs: int = 0


class StormHarness:
    """Context manager that runs one component as Storm does, in a thread of this process.

    Its methods raise `RemoteProtocolError` for output that Storm would reject.

    Args:
        make: Creates the component; usually its class.
        conf: The topology's configuration.
        outputs: The fields of each stream of the component; by default those that the class `make`
            declares.
        components: Further tasks of the topology with their components; task 1 is the component
            "tested", task 2 the component "source".
        task_ids: The reply to emits that request task ids.
        timeout: Seconds to wait for the component.
    """

    def __init__(
        self,
        make: Callable[[], Component],
        *,
        conf: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Sequence[str]] | None = None,
        components: Mapping[int, str] | None = None,
        task_ids: Sequence[int] = (2,),
        timeout: float = TIMEOUT,
    ) -> None:
        self.said = ComponentOutput()
        self.transcript: list[tuple[Literal["storm", "component"], Any]] = []
        """Every message of both sides, with its sender."""
        self._timeout = timeout
        self._task_ids = list(task_ids)
        self._numbers = itertools.count(1)
        self._pending: set[str] = set()
        self._writing = threading.Lock()
        self._messages = MessageReader()
        self._pid_dir = tempfile.TemporaryDirectory()
        (to_read, to_component), (to_storm, to_write) = os.pipe(), os.pipe()
        ours = PipeTransport(io.FileIO(to_read, "rb"), io.FileIO(to_write, "wb"))
        self._writer = io.FileIO(to_component, "wb")
        self._reader = io.FileIO(to_storm, "rb")
        self._changed = threading.Condition()
        self._over = False
        self._wrong: RemoteProtocolError | None = None
        self.status: int | None = None
        """The exit status of the component's process after its end."""
        self._component = threading.Thread(target=self._run, args=(ours, make), name="component")
        self._listener = threading.Thread(target=self._listen, name="storm")
        if outputs is None and isinstance(make, type):
            outputs = Node("tested", make, 1).outputs
        shake = handshake_message(
            pid_dir=self._pid_dir.name,
            conf=conf or {},
            task=TASK,
            component="tested",
            components={TASK: "tested", 2: "source", **(components or {})},
            outputs=outputs,
        )
        self._started = (shake, self._component, self._listener)

    def __enter__(self) -> Self:
        shake, *threads = self._started
        for thread in threads:
            thread.start()
        self._write(shake)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send_tuple(
        self,
        values: Sequence[Any],
        *,
        stream: str = "default",
        component: str = "source",
        task: int = 2,
        tuple_id: str | None = None,
    ) -> str:
        """Send a tuple to a bolt.

        Args:
            values: The values of the tuple.
            stream: The stream.
            component: The component that emitted it.
            task: The task that emitted it.
            tuple_id: The id of the tuple; by default a new one.

        Returns:
            The id of the tuple.

        Raises:
            ConnectionLost: the component has ended.
        """
        name = f"{next(self._numbers)}" if tuple_id is None else tuple_id
        self._pending.add(name)
        self._write(tuple_message(name, component, stream, task, values))
        return name

    def tick(self, seconds: int = 1, *, tuple_id: str | None = None) -> str:
        """Send a tick tuple to a bolt.

        Args:
            seconds: The interval of ticks.
            tuple_id: The id of the tuple; by default a new one.

        Returns:
            The id of the tuple.
        """
        name = f"{next(self._numbers)}" if tuple_id is None else tuple_id
        self._pending.add(name)
        self._write(tick_message(name, seconds))
        return name

    def process(self, *tuples: Sequence[Any]) -> ComponentOutput:
        """Send tuples to a bolt, and wait until each is acked or failed.

        Args:
            tuples: The values of each tuple.

        Returns:
            The output of the component so far.

        Raises:
            CallTimeout: a tuple was neither acked nor failed within the timeout.
        """
        for values in tuples:
            self.send_tuple(values)
        return self.settle()

    def settle(self) -> ComponentOutput:
        """Wait until each tuple is acked or failed.

        Returns:
            The output of the component so far.

        Raises:
            CallTimeout: a tuple was neither acked nor failed within the timeout.
        """
        self._wait(lambda: not self._pending)
        return self.said

    def heartbeat(self) -> None:
        """Send a heartbeat to a bolt, and wait for its reply.

        Raises:
            CallTimeout: there was no reply within the timeout.
        """
        self._ask(heartbeat_message(f"{next(self._numbers)}"))

    def next(self, times: int = 1) -> list[Emitted]:
        """Request tuples from a spout.

        Args:
            times: The number of requests.

        Returns:
            The tuples that the spout emitted.

        Raises:
            CallTimeout: there was no reply within the timeout.
        """
        before = len(self.said.emitted)
        for _ in range(times):
            self._ask({"command": "next", "id": ""})
        return self.said.emitted[before:]

    def ack(self, message_id: Any) -> None:
        """Ack a tuple of a spout.

        Args:
            message_id: The id with which the tuple was emitted.
        """
        self._ask({"command": "ack", "id": message_id})

    def fail(self, message_id: Any) -> None:
        """Fail a tuple of a spout.

        Args:
            message_id: The id with which the tuple was emitted.
        """
        self._ask({"command": "fail", "id": message_id})

    def activate(self) -> None:
        """Activate a spout."""
        self._ask({"command": "activate", "id": ""})

    def deactivate(self) -> None:
        """Deactivate a spout."""
        self._ask({"command": "deactivate", "id": ""})

    def close(self) -> None:
        """End the component's input, and wait for the component's end; closing again has no effect.

        Raises:
            CallTimeout: the component did not end within the timeout.
            RemoteProtocolError: Storm would have rejected output of the component.
        """
        self._writer.close()
        self._component.join(self._timeout)
        self._listener.join(self._timeout)
        if self._component.is_alive() or self._listener.is_alive():
            raise CallTimeout("the component did not end with its input")
        self._reader.close()
        self._pid_dir.cleanup()
        if self._wrong is not None:
            raise self._wrong

    def _ask(self, message: dict[str, Any]) -> None:
        syncs = self.said.syncs
        self._write(message)
        self._wait(lambda: self.said.syncs > syncs)

    def _write(self, message: Any) -> None:
        rest = memoryview(encode_message(message))
        try:
            with self._writing:
                self.transcript.append(("storm", message))
                while rest:
                    rest = rest[self._writer.write(rest) :]
        except BrokenPipeError:
            raise ConnectionLost("the component has ended") from None

    def _wait(self, done: Callable[[], bool]) -> None:
        deadline = monotonic() + self._timeout
        with self._changed:
            while not done():
                if self._wrong is not None:
                    raise self._wrong
                if self._over:
                    raise ConnectionLost(f"the component has ended; it said {self.said}")
                if not self._changed.wait(deadline - monotonic()):
                    raise CallTimeout(f"no answer within {self._timeout:g} s")

    def _run(self, ours: PipeTransport, make: Callable[[], Component]) -> None:
        try:
            self.status = ComponentRunner(ours, make).run()
        finally:
            ours.close()

    def _listen(self) -> None:
        while data := self._reader.read(1 << 16):
            with self._changed:
                try:
                    for message in self._messages.feed(data):
                        self._take(message)
                except RemoteProtocolError as error:
                    self._wrong = error
                self._changed.notify_all()
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _take(self, message: Any) -> None:
        self.transcript.append(("component", message))
        said = self.said
        match read_command(message):
            case Emit(values, stream, anchors, task, message_id, need_task_ids):
                emitted = Emitted(
                    list(values), stream or "default", tuple(anchors), message_id, task
                )
                said.emitted.append(emitted)
                if task is None and need_task_ids:
                    self._write(self._task_ids)
            case Ack(tuple_id):
                said.acked.append(self._ended(tuple_id))
            case Fail(tuple_id):
                said.failed.append(self._ended(tuple_id))
            case Log(text, level):
                said.logged.append((level, text))
            case ReportError(text):
                said.errors.append(text)
            case ReportMetric(name, params):
                said.metrics.append((name, params))
            case Sync():
                said.syncs += 1
            case Started():
                pass

    def _ended(self, tuple_id: str) -> str:
        if tuple_id not in self._pending:
            raise refused(f"tuple {tuple_id!r} was acked or failed before, or never came")
        self._pending.remove(tuple_id)
        return tuple_id


__all__ = ["ComponentOutput", "Emitted", "StormHarness"]
