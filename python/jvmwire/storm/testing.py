"""Storm's side in process, for tests of components: no cluster, no JVM, the same bytes."""

from __future__ import annotations

import io
import itertools
import json
import os
import tempfile
import threading
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from jvmwire._core import StormDecoder
from jvmwire.errors import CallTimeout, ConnectionLost, RemoteProtocolError
from jvmwire.storm.commands import Level
from jvmwire.storm.runner import Runner
from jvmwire.storm.session import WIDE_TASK
from jvmwire.storm.topology import Node
from jvmwire.storm.tuples import HEARTBEAT_STREAM, TICK_STREAM
from jvmwire.transports.pipes import PipeTransport

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jvmwire.storm.component import Component

TIMEOUT: Final = 30.0
"""Seconds to wait for a component at most, if nothing else is said."""

TASK: Final = 1
"""The component's, in its topology of one."""

END: Final = b"\nend\n"


@dataclass(frozen=True, slots=True)
class Emitted:
    """A tuple that the component emitted."""

    values: list[Any]
    stream: str = "default"
    anchors: tuple[str, ...] = ()
    """Of a bolt: the tuples that fail if it does."""
    id: Any = None
    """Of a spout: what Storm acks or fails it by."""
    task: int | None = None
    """Of a direct emit."""


@dataclass(slots=True)
class Said:
    """All that a component said so far."""

    emitted: list[Emitted] = field(default_factory=list)
    acked: list[str] = field(default_factory=list)
    """The ids of tuples, as `Storm.give` returned them."""
    failed: list[str] = field(default_factory=list)
    logged: list[tuple[Level, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """What it reported, the tracebacks of what it let out among them."""
    metrics: list[tuple[str, Any]] = field(default_factory=list)
    syncs: int = 0


class Storm:
    """Runs one component as Storm would, in a thread of this process, while this lasts.

    `make` makes the component: its class will do, and then says what streams it has; else `outputs`
    does. Emits that ask for it are answered with `task_ids`. Raises `RemoteProtocolError` for what
    Storm would not take.
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
        self.said = Said()
        self.transcript: list[tuple[Literal["storm", "component"], Any]] = []
        """Every message, as it crossed, with who said it."""
        self._timeout = timeout
        self._task_ids = list(task_ids)
        self._numbers = itertools.count(1)
        self._pending: set[str] = set()
        self._writing = threading.Lock()
        self._decoder = StormDecoder()
        self._pid_dir = tempfile.TemporaryDirectory()
        (to_read, to_component), (to_storm, to_write) = os.pipe(), os.pipe()
        ours = PipeTransport(io.FileIO(to_read, "rb"), io.FileIO(to_write, "wb"))
        self._writer = io.FileIO(to_component, "wb")
        self._reader = io.FileIO(to_storm, "rb")
        self._changed = threading.Condition()
        self._over = False
        self._wrong: RemoteProtocolError | None = None
        self.status: int | None = None
        """What the process would exit with, once it ended."""
        self._component = threading.Thread(target=self._run, args=(ours, make), name="component")
        self._listener = threading.Thread(target=self._listen, name="storm")
        if outputs is None and isinstance(make, type):
            outputs = Node("tested", make, 1).outputs
        shake = _handshake(conf, outputs, components, self._pid_dir.name)
        self._started = (shake, self._component, self._listener)

    def __enter__(self) -> Self:
        shake, *threads = self._started
        for thread in threads:
            thread.start()
        self._write(shake)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def give(
        self,
        values: Sequence[Any],
        *,
        stream: str = "default",
        component: str = "source",
        task: int = 2,
        tuple_id: str | None = None,
    ) -> str:
        """Give a bolt a tuple, and return its id."""
        name = f"{next(self._numbers)}" if tuple_id is None else tuple_id
        self._pending.add(name)
        about = {"id": name, "comp": component, "stream": stream, "task": task}
        self._write({**about, "tuple": list(values)})
        return name

    def tick(self, seconds: int = 1, *, tuple_id: str | None = None) -> str:
        """Give a bolt a tick, and return its id."""
        where: dict[str, Any] = {"stream": TICK_STREAM, "component": "__system", "task": -1}
        return self.give([seconds], tuple_id=tuple_id, **where)

    def process(self, *tuples: Sequence[Any]) -> Said:
        """Give a bolt tuples, wait until each is acked or failed, and return all that was said."""
        for values in tuples:
            self.give(values)
        return self.settle()

    def settle(self) -> Said:
        """Wait until each tuple given is acked or failed. Raises `CallTimeout`."""
        self._wait(lambda: not self._pending)
        return self.said

    def beat(self) -> None:
        """Ask a bolt whether it lives, and wait for its answer. Raises `CallTimeout`."""
        beat = {"id": f"{next(self._numbers)}", "comp": None, "stream": HEARTBEAT_STREAM}
        self._ask({**beat, "task": -1, "tuple": []})

    def next(self, times: int = 1) -> list[Emitted]:
        """Ask a spout for tuples so many times, and return what it emitted."""
        before = len(self.said.emitted)
        for _ in range(times):
            self._ask({"command": "next", "id": ""})
        return self.said.emitted[before:]

    def ack(self, message_id: Any) -> None:
        """Tell a spout that what it emitted was processed."""
        self._ask({"command": "ack", "id": message_id})

    def fail(self, message_id: Any) -> None:
        """Tell a spout that what it emitted failed."""
        self._ask({"command": "fail", "id": message_id})

    def activate(self) -> None:
        """Tell a spout that it will be asked for tuples."""
        self._ask({"command": "activate", "id": ""})

    def deactivate(self) -> None:
        """Tell a spout that it will not."""
        self._ask({"command": "deactivate", "id": ""})

    def close(self) -> None:
        """End the component's input, and wait for its end. Twice is fine."""
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
        rest = memoryview(json.dumps(message).encode() + END)
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
            self.status = Runner(ours, make).run()
        finally:
            ours.close()

    def _listen(self) -> None:
        while data := self._reader.read(1 << 16):
            self._decoder.feed(data)
            self._decoder.next_batch()
            with self._changed:
                try:
                    for message in self._decoder.batch():
                        self._take(json.loads(message))
                except (ValueError, LookupError, TypeError) as error:
                    self._wrong = RemoteProtocolError(f"Storm would not take it: {error!r}")
                self._changed.notify_all()
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        self.transcript.append(("component", message))
        said = self.said
        match message:
            case {"command": "emit", "tuple": list(values)}:
                task = message.get("task")
                anchors = tuple(message.get("anchors", ()))
                stream = message.get("stream") or "default"
                to = None if task is None else task % WIDE_TASK
                said.emitted.append(Emitted(values, stream, anchors, message.get("id"), to))
                if task is None and message.get("need_task_ids", True):
                    self._write(self._task_ids)
            case {"command": "ack", "id": str(tuple_id)}:
                said.acked.append(self._ended(tuple_id))
            case {"command": "fail", "id": str(tuple_id)}:
                said.failed.append(self._ended(tuple_id))
            case {"command": "log", "msg": str(text)}:
                said.logged.append((Level(message.get("level", Level.INFO)), text))
            case {"command": "error", "msg": str(text)}:
                said.errors.append(text)
            case {"command": "metrics", "name": str(name)}:
                said.metrics.append((name, message.get("params")))
            case {"command": "sync"}:
                said.syncs += 1
            case {"pid": int()}:
                pass
            case _:
                raise ValueError(message)

    def _ended(self, tuple_id: str) -> str:
        if tuple_id not in self._pending:
            raise LookupError(f"tuple {tuple_id!r} was acked or failed before, or never came")
        self._pending.remove(tuple_id)
        return tuple_id


def _handshake(
    conf: Mapping[str, Any] | None,
    outputs: Mapping[str, Sequence[str]] | None,
    components: Mapping[int, str] | None,
    pid_dir: str,
) -> dict[str, Any]:
    context: dict[str, Any] = {
        "taskid": TASK,
        "componentid": "tested",
        "task->component": {
            str(task): name
            for task, name in {TASK: "tested", 2: "source", **(components or {})}.items()
        },
    }
    for nothing in (
        "stream->target->grouping",
        "source->stream->grouping",
        "source->stream->fields",
    ):
        context[nothing] = {}
    if outputs is not None:
        context["streams"] = list(outputs)
        context["stream->outputfields"] = {name: list(fields) for name, fields in outputs.items()}
    return {"pidDir": pid_dir, "context": context, "conf": dict(conf or {})}


__all__ = ["Emitted", "Said", "Storm"]
