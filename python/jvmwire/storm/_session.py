"""Component's side of Storm's multi-lang protocol, without I/O: handshake, tuples, commands."""

from __future__ import annotations

import abc
from collections import deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson

from jvmwire._core import StormBoltWriter, StormDecoder, encode_storm_emit
from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    OPENING,
    Buffer,
    Event,
    NeedData,
    Opened,
    Pushed,
    Reply,
    Session,
)
from jvmwire.errors import ConfigError, DecodeError, LimitExceeded, LocalProtocolError
from jvmwire.storm._commands import (
    Ack,
    AckAll,
    Command,
    Emit,
    Fail,
    Log,
    MetricKind,
    ReportError,
    ReportMetric,
    Sync,
    check_metric,
)
from jvmwire.storm._context import Context
from jvmwire.storm._json_codec import batch, decode, encode
from jvmwire.storm._tuples import HEARTBEAT_STREAM, Tuple
from jvmwire.storm.errors import NotDeclared, NotPending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

WAITING_LIMIT: Final = 10_000
"""Messages of a spout that are queued until Storm's next command (chosen by jvmwire).

Storm reads a spout's output only between a command and its `sync`.
"""

METRICS_REGISTERED: Final = "jvmwire.metrics.registered"
"""Setting of a topology: false means that only `Component.metrics` are registered in Java."""

TUPLES: Final = "tuples"
"""The key of events pushed to a bolt: lists of `Tuple`."""

COMMAND: Final = "command"
"""The key of events pushed to a spout: `SpoutCommand`s."""

WIDE_TASK: Final = 1 << 32
"""Offset added to the task of a direct emit.

Storm 2.6.0 and later casts the task to a Long, which its parser creates for wide integers only
(JsonSerializer.readShellMsg); all versions keep the low 32 bits.
"""

_SYNC: Final = encode({"command": "sync"})


@dataclass(frozen=True, slots=True)
class Handshake:
    """The first message of Storm."""

    conf: dict[str, Any] = field(repr=False)
    """The topology's configuration, which may contain passwords."""
    context: Context
    raw_context: dict[str, Any] = field(repr=False)
    """The context as it was received."""
    pid_dir: str
    """The folder in which to create an empty file named by the process id."""

    @classmethod
    def decode(cls, message: Any) -> Handshake:
        """Decode the handshake; raise `DecodeError` if the message is not one."""
        if not isinstance(message, dict):
            raise DecodeError(
                f"the first message is {_shown(message)}, and no handshake", "handshake"
            )
        conf, context = message.get("conf"), message.get("context")
        pid_dir = message.get("pidDir")
        if not isinstance(conf, dict) or not isinstance(context, dict):
            raise DecodeError("a handshake without conf or context", "handshake")
        if not isinstance(pid_dir, str):
            raise DecodeError(f"pidDir is {_shown(pid_dir)}, and must be a text", "pidDir")
        return cls(conf, Context.decode(context), context, pid_dir)


@dataclass(frozen=True, slots=True)
class SpoutCommand:
    """A command of Storm to a spout."""

    name: Literal["next", "ack", "fail", "activate", "deactivate"]
    id: Any = None
    """The id of the acked or failed tuple, of the same JSON type as in the emit."""


class ComponentSession(Session[Command]):
    """Component's side of one connection to Storm."""

    handshake: Handshake
    """The handshake, available once the session is open."""

    can_send: bool = False
    """Whether Storm accepts output: from its handshake on.

    This includes the time after the end of the input, as earlier tuples may still be answered.
    """

    metrics: Mapping[str, MetricKind] = MappingProxyType({})
    """The metrics that the component declares."""

    convert: Callable[[Any], Any] | None = None
    """Returns a JSON value for one that is rejected; see `json_codec.encode`."""

    def __init__(self, pid: int, *, nonfinite_as_null: bool = False) -> None:
        super().__init__()
        self._pid = pid
        self._nonfinite_as_null = nonfinite_as_null
        self._decoder = StormDecoder()
        self._events: deque[Event] = deque()
        self._failure: DecodeError | None = None
        self._asked: deque[int] = deque()
        """The calls that wait for task ids, in the order of their emits."""
        self._widths: dict[str | None, int] | None = None
        """The number of fields per output stream, if Storm sends them; None is the default
        stream.
        """

    def send(self, command: Command, call_id: int = 0, retry: int = 0) -> None:
        """Queue `command`; raise `LocalProtocolError` before the handshake."""
        if self.can_send:
            self._queue(self._encode(command, call_id))
        else:
            super().send(command, call_id, retry=retry)

    def _feed(self, data: bytes) -> None:
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        while not self._events:
            if self._failure is not None:
                raise self._failure
            if not self._take_batch():
                return NEED_DATA
        return self._events.popleft()

    def _take_batch(self) -> bool:
        count = self._decoder.next_batch()
        if count and not self._decode_fast():
            try:
                messages = batch(self._decoder, count)
            except DecodeError as error:
                # Messages before the invalid one are delivered first, as if they had come alone.
                self._decode_until_error((decode(text) for text in self._decoder.batch()), error)
            else:
                self._decode_until_error(messages, None)
        return count > 0

    def _decode_fast(self) -> bool:
        """Decode a batch of common messages in one step; return whether that was possible."""
        return False

    def _decode_until_error(self, messages: Iterable[Any], wrong: DecodeError | None) -> None:
        rest = iter(messages)
        try:
            if self.state is OPENING:
                for message in rest:
                    self._open(Handshake.decode(message))
                    break
            self._take(rest)
        except DecodeError as error:
            wrong = error
        self._failure = wrong

    def _open(self, handshake: Handshake) -> None:
        self.handshake = handshake
        declared = handshake.context.output_fields
        if declared is not None:
            self._widths = {stream: len(fields) for stream, fields in declared.items()}
            if "default" in self._widths:
                self._widths[None] = self._widths["default"]
        self.state = OPEN
        self.can_send = True
        self._queue(encode({"pid": self._pid}))
        self._events.append(Opened())

    @abc.abstractmethod
    def _take(self, messages: Iterable[Any]) -> None:
        """Convert messages to events; raise `DecodeError` at the first invalid one."""

    def _take_task_ids(self, message: list[Any]) -> None:
        if not self._asked:
            raise DecodeError(f"task ids {_shown(message)} that were not requested", "task ids")
        if not all(type(task) is int for task in message):
            raise DecodeError(f"task ids {_shown(message)} are not a list of integers", "task ids")
        self._events.append(Reply(self._asked.popleft(), message))

    def _encode(self, command: Command, call_id: int) -> bytes:
        match command:
            case Emit():
                return self._encode_emit(command, call_id)
            case Log(message, level):
                return self._encode_message(
                    {"command": "log", "msg": str(message), "level": int(level)}
                )
            case ReportError(message):
                return self._encode_message({"command": "error", "msg": str(message)})
            case ReportMetric(name, params):
                if not isinstance(name, str):
                    raise ConfigError(f"a metric's name must be a str, got {name!r}")
                kind = self.metrics.get(name)
                if kind is not None:
                    check_metric(name, MetricKind(kind), params)
                elif self.handshake.conf.get(METRICS_REGISTERED) is False:
                    raise NotDeclared(
                        f"the metric {name!r} is not registered, and Storm would end the worker: "
                        "declare it in the component's `metrics`"
                    )
                return self._encode_message({"command": "metrics", "name": name, "params": params})
            case _:
                raise LocalProtocolError(f"{command} is not a command of this component")

    def _encode_message(self, fields: dict[str, Any]) -> bytes:
        return encode(fields, nonfinite_as_null=self._nonfinite_as_null, convert=self.convert)

    def _encode_emit(self, emit: Emit, call_id: int) -> bytes:
        values, stream, task, need_task_ids = (
            emit.values,
            emit.stream,
            emit.task,
            emit.need_task_ids,
        )
        if type(values) is not list and not isinstance(values, list | tuple):
            raise TypeError(f"a tuple is a list or a tuple of values, and not {values!r}")
        widths = self._widths
        if widths is not None and widths.get(stream) != len(values):
            raise self._not_declared(stream or "default", len(values))
        anchors = self._anchors(emit)
        if task is not None:
            task, need_task_ids = self._task_as_long(task), False
        message = encode_storm_emit(values, stream, emit.id, anchors, task, bool(need_task_ids))
        if message is None:
            fields = {
                "command": "emit",
                "tuple": values,
                "stream": stream,
                "id": emit.id,
                "anchors": anchors,
                "task": task,
            }
            said = {name: value for name, value in fields.items() if value is not None}
            message = self._encode_message(said | {"need_task_ids": bool(need_task_ids)})
        if need_task_ids:
            self._asked.append(call_id)
        return message

    @abc.abstractmethod
    def _anchors(self, emit: Emit) -> Sequence[str] | None:
        """Return the anchors of an emit, if this component may send it."""

    def _not_declared(self, stream: str, width: int) -> NotDeclared:
        # Storm would end the component (Task.getOutgoingTasks, TupleImpl).
        fields = (self.handshake.context.output_fields or {}).get(stream)
        if fields is None:
            return NotDeclared(f"the topology has no stream {stream!r} of this component")
        return NotDeclared(
            f"{width} values for the stream {stream!r}, which has {', '.join(fields)}"
        )

    def _task_as_long(self, task: Any) -> int:
        if type(task) is not int or task not in self.handshake.context.components:
            raise LocalProtocolError(f"{task!r} is not a task of this topology")
        return task + WIDE_TASK


class BoltSession(ComponentSession):
    """Session of a bolt: receives tuples, sends emits, acks and fails, and answers heartbeats."""

    def __init__(self, pid: int, *, nonfinite_as_null: bool = False) -> None:
        super().__init__(pid, nonfinite_as_null=nonfinite_as_null)
        self.writer = StormBoltWriter()
        """The output buffer, which encodes the most common emits directly."""

    @property
    def pending_bytes(self) -> int:
        """The number of bytes that wait for `data_to_send`."""
        return len(self.writer)

    def data_to_send(self, now: float) -> Buffer:
        """Return the bytes to write, and clear the buffer."""
        self._outbound = self.writer.take()
        return super().data_to_send(now)

    def is_pending(self, tuple_id: str) -> bool:
        """Return whether Storm waits for the ack or the failure of a tuple."""
        return self.writer.is_pending(tuple_id)

    def _queue(self, data: Buffer) -> None:
        self.writer.extend(bytes(data))

    def _open(self, handshake: Handshake) -> None:
        super()._open(handshake)
        declared = handshake.context.output_fields
        if declared is None:
            self.writer.open(None)
        else:
            self.writer.open({name: len(fields) for name, fields in declared.items()})

    def _decode_fast(self) -> bool:
        if not self.can_send:
            return False
        try:
            taken = self._decoder.tuples(orjson.loads)
        except ValueError:  # json may accept values that orjson rejects
            return False
        if taken is None:
            return False
        tuples, ids, streams = taken
        if HEARTBEAT_STREAM in streams:
            tuples = [tup for tup in tuples if tup.stream != HEARTBEAT_STREAM]
            self._queue(_SYNC * (len(ids) - len(tuples)))
            ids = [tup.id for tup in tuples]
        self.writer.expect(ids)
        self._push(tuples)
        return True

    def _take(self, messages: Iterable[Any]) -> None:
        tuples: list[Tuple] = []
        try:
            for message in messages:
                if type(message) is list:
                    self._push(tuples)
                    tuples = []
                    self._take_task_ids(message)
                    continue
                taken = _tuple(message)
                if taken.stream == HEARTBEAT_STREAM:
                    self._queue(_SYNC)
                else:
                    self._expect(taken.id)
                    tuples.append(taken)
        finally:
            self._push(tuples)

    def _expect(self, tuple_id: str) -> None:
        try:
            self.writer.expect([tuple_id])
        except UnicodeEncodeError:  # Storm writes `?` for characters that UTF-8 lacks
            raise DecodeError(
                f"a tuple's id is {tuple_id!r}, which is not a string", "id"
            ) from None

    def _push(self, tuples: list[Tuple]) -> None:
        if tuples:
            self._events.append(Pushed(TUPLES, tuples))

    def _encode(self, command: Command, call_id: int) -> bytes:
        match command:
            case AckAll(ids):
                # A thread of the component's own may have ended one meanwhile.
                self.writer.ack(ids)
                return b""
            case Ack(tuple_id):
                self._end(tuple_id, "ack")
                return encode({"command": "ack", "id": tuple_id})
            case Fail(tuple_id):
                self._end(tuple_id, "fail")
                return encode({"command": "fail", "id": tuple_id})
            case _:
                return super()._encode(command, call_id)

    def _end(self, tuple_id: str, what: str) -> None:
        if not self._is(self.writer.end, tuple_id):
            raise NotPending(
                f"cannot {what} tuple {tuple_id!r}: it was acked or failed before, or never came"
            )

    @staticmethod
    def _is(asked: Callable[[str], bool], tuple_id: str) -> bool:
        try:
            return asked(tuple_id)
        except (TypeError, UnicodeEncodeError):  # such an id was never received
            return False

    def _anchors(self, emit: Emit) -> Sequence[str] | None:
        if emit.id is not None:
            raise LocalProtocolError("a bolt's emit has no id: it is anchored")
        anchors = emit.anchors
        wrong = [anchor for anchor in anchors if not self._is(self.writer.is_pending, anchor)]
        if wrong:
            raise NotPending(
                f"cannot anchor to tuple {wrong[0]!r}: it was acked or failed, or never came"
            )
        return anchors or None


class SpoutSession(ComponentSession):
    """Session of a spout: receives commands, and sends its output with a final `sync` for each.

    Storm does not read between commands: output is then queued until the next one.
    """

    def __init__(self, pid: int, *, nonfinite_as_null: bool = False) -> None:
        super().__init__(pid, nonfinite_as_null=nonfinite_as_null)
        self._due = 0
        """Commands without a `sync` yet."""
        self._waiting: deque[bytes] = deque()
        self._dropped = 0
        """Log messages that were dropped because the queue was full."""

    @property
    def is_due(self) -> bool:
        """Whether Storm waits for a sync."""
        return self._due > 0

    def _take(self, messages: Iterable[Any]) -> None:
        for message in messages:
            if type(message) is list:
                self._take_task_ids(message)
                continue
            name = message.get("command") if isinstance(message, dict) else None
            if not isinstance(name, str) or name not in _SPOUT_COMMANDS:
                raise DecodeError(f"{_shown(message)} is not a command for a spout", "command")
            if not self._due and self._waiting:
                self._flush_waiting()
            self._due += 1
            self._events.append(Pushed(COMMAND, SpoutCommand(name, message.get("id"))))  # type: ignore[arg-type]  # it is one of them

    def _flush_waiting(self) -> None:
        if self._dropped:
            lost = f"{self._dropped} log messages were lost between two commands of Storm"
            self._waiting.append(super()._encode(Log(lost), 0))
            self._dropped = 0
        self._queue(b"".join(self._waiting))
        self._waiting.clear()

    def _encode(self, command: Command, call_id: int) -> bytes:
        if isinstance(command, Sync):
            if not self._due:
                raise LocalProtocolError("a sync without a command")
            self._due -= 1
            return _SYNC
        if self._due:
            return super()._encode(command, call_id)
        if len(self._waiting) >= WAITING_LIMIT:
            if not isinstance(command, Log):
                raise LimitExceeded(
                    f"{WAITING_LIMIT} messages wait for Storm's next command (WAITING_LIMIT)"
                )
            self._dropped += 1
            return b""
        self._waiting.append(super()._encode(command, call_id))
        return b""

    def _anchors(self, emit: Emit) -> None:
        if emit.anchors:
            raise LocalProtocolError("a spout's emit has no anchors: it has an id")


def _tuple(message: Any) -> Tuple:
    try:
        taken = Tuple(
            message["id"], message["comp"], message["stream"], message["task"], message["tuple"]
        )
    except (KeyError, TypeError):
        raise DecodeError(f"{_shown(message)} is not a tuple", "tuple") from None
    if type(taken.id) is not str or type(taken.stream) is not str or type(taken.values) is not list:
        raise DecodeError(f"{_shown(message)} is not a tuple", "tuple")
    return taken


def _shown(message: Any) -> str:
    text = repr(message)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


_SHOWN: Final = 120
_SPOUT_COMMANDS: Final = frozenset({"next", "ack", "fail", "activate", "deactivate"})
