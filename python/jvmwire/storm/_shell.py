"""Storm's side of the multi-lang protocol without I/O: messages of ShellSpout and ShellBolt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from jvmwire._core import StormDecoder
from jvmwire.errors import RemoteProtocolError
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
from jvmwire.storm._session import WIDE_TASK
from jvmwire.storm._tuples import HEARTBEAT_STREAM, TICK_STREAM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

END: Final = b"\nend\n"

SYSTEM_TASK: Final = -1
"""The task number of heartbeats and ticks (Constants.SYSTEM_TASK_ID)."""


@dataclass(frozen=True, slots=True)
class Started:
    """Reply of a component to the handshake."""

    pid: int


class MessageReader:
    """Incremental parser of the messages that a component writes."""

    def __init__(self, parse_float: Callable[[str], float] = float) -> None:
        self._decoder = StormDecoder()
        self._parse_float = parse_float

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the messages that `data` completes.

        Raises:
            RemoteProtocolError: a message is not JSON.
        """
        self._decoder.feed(data)
        while self._decoder.next_batch():
            for text in self._decoder.batch():
                try:
                    yield json.loads(text, parse_float=self._parse_float)
                except ValueError as error:
                    raise refused(error) from error


def refused(why: object) -> RemoteProtocolError:
    """Create the error for a message that a component may not send."""
    return RemoteProtocolError(f"Storm would not take it: {why!r}")


def read_command(message: Any) -> Command | Started:
    """Convert a message of a component to a command.

    Raises:
        RemoteProtocolError: Storm does not support the message.
    """
    match message:
        case {"command": "emit", "tuple": list(values)}:
            task = message.get("task")
            return Emit(
                values,
                message.get("stream") or "default",
                tuple(message.get("anchors") or ()),
                None if task is None else task % WIDE_TASK,
                message.get("id"),
                message.get("need_task_ids", True),
            )
        case {"command": "ack", "id": str(tuple_id)}:
            return Ack(tuple_id)
        case {"command": "fail", "id": str(tuple_id)}:
            return Fail(tuple_id)
        case {"command": "log", "msg": str(text)}:
            level = message.get("level", Level.INFO)
            return Log(text, Level(level) if level in set(Level) else Level.INFO)
        case {"command": "error", "msg": str(text)}:
            return ReportError(text)
        case {"command": "metrics", "name": str(name)}:
            return ReportMetric(name, message.get("params"))
        case {"command": "sync"}:
            return Sync()
        case {"pid": int(pid)}:
            return Started(pid)
        case _:
            raise refused(message)


def encode_message(message: Any) -> bytes:
    """Encode a message with its end line."""
    return json.dumps(message).encode() + END


def tuple_message(
    tuple_id: str, component: str | None, stream: str, task: int, values: Sequence[Any]
) -> dict[str, Any]:
    """Create the message that delivers a tuple to a bolt."""
    about = {"id": tuple_id, "comp": component, "stream": stream, "task": task}
    return {**about, "tuple": list(values)}


def heartbeat_message(tuple_id: str) -> dict[str, Any]:
    """Create the message that checks whether a bolt is alive."""
    return tuple_message(tuple_id, None, HEARTBEAT_STREAM, SYSTEM_TASK, ())


def tick_message(tuple_id: str, seconds: int) -> dict[str, Any]:
    """Create the tick message that a bolt receives every `seconds`."""
    return tuple_message(tuple_id, "__system", TICK_STREAM, SYSTEM_TASK, [seconds])


def handshake_message(
    *,
    pid_dir: str,
    conf: Mapping[str, Any],
    task: int,
    component: str,
    components: Mapping[int, str],
    outputs: Mapping[str, Sequence[str]] | None,
    targets: Mapping[str, Any] | None = None,
    sources: Mapping[str, Any] | None = None,
    source_fields: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Create the first message, which describes a component's place in its topology.

    Args:
        pid_dir: The folder for the file named by the component's process id.
        conf: The topology's configuration.
        task: The number of the component's task.
        component: The component's name.
        components: The component of each task.
        outputs: The fields of its streams; None omits them, as Storm before 0.10 does.
        targets: The receivers of each of its streams and their groupings.
        sources: The groupings of its input streams, by component.
        source_fields: The fields of its input streams, by component.

    Source: ShellProcess.launch and TopologyContext.toJSONString (Storm 2.8.3).
    """
    context: dict[str, Any] = {
        "taskid": task,
        "componentid": component,
        "task->component": {str(number): name for number, name in components.items()},
        "stream->target->grouping": dict(targets or {}),
        "source->stream->grouping": dict(sources or {}),
        "source->stream->fields": dict(source_fields or {}),
    }
    if outputs is not None:
        context["streams"] = list(outputs)
        context["stream->outputfields"] = {name: list(fields) for name, fields in outputs.items()}
    return {"pidDir": pid_dir, "context": context, "conf": dict(conf)}
