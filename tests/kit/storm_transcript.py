"""Recorded conversations of components and their Storm, for sessions to repeat."""

import functools
import json
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from jvmwire._runtime.session import Event, Pushed
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
from jvmwire.storm._session import WIDE_TASK, BoltSession, SpoutSession
from kit.directions import Directions, directions
from kit.transcript import Conversation, Hears, Sends, Step, Writes

RECORDINGS = Path(__file__).parents[1] / "vectors" / "storm" / "recordings"
END = b"\nend\n"
SYNC = b'{"command":"sync"}' + END


@functools.cache
def recorded(name: str) -> Directions:
    """Return the bytes that crossed in a recording of one component."""
    [both] = directions(RECORDINGS / f"{name}-2.8.3.pcap")
    return both


def messages(data: bytes) -> list[bytes]:
    """Split the bytes that one side wrote into messages, including their ends."""
    *whole, rest = data.split(END)
    assert rest == b""
    return [message + END for message in whole]


def said(message: bytes) -> Any:
    """Return the contents of a message."""
    return json.loads(message.removesuffix(END))


def command(message: bytes) -> Command:
    """Return the command in a component's message."""
    fields = said(message)
    match fields:
        case {"command": "emit"}:
            task = fields.get("task")
            return Emit(
                fields["tuple"],
                fields.get("stream"),
                fields.get("anchors", ()),
                task and task - WIDE_TASK,
                fields.get("id"),
                fields["need_task_ids"],
            )
        case {"command": "ack", "id": tuple_id}:
            return Ack(tuple_id)
        case {"command": "fail", "id": tuple_id}:
            return Fail(tuple_id)
        case {"command": "log", "msg": text, "level": level}:
            return Log(text, Level(level))
        case {"command": "error", "msg": text}:
            return ReportError(text)
        case {"command": "metrics", "name": name, "params": params}:
            return ReportMetric(name, params)
        case {"command": "sync"}:
            return Sync()
    raise ValueError(f"no command: {message!r}")


def _shortened(handshake: bytes) -> bytes:
    """Return a handshake without most of its 300 settings."""
    shake = said(handshake)
    shake["conf"] = {name: shake["conf"][name] for name in ("topology.name", "storm.id")}
    return json.dumps(shake, indent=2).encode() + END


def _pid(message: bytes) -> int:
    pid: int = said(message)["pid"]
    return pid


def _bolt_steps() -> Iterator[Step]:
    both = recorded("doubler")
    shake, *heard = messages(both.server)
    heard.insert(0, _shortened(shake))
    pid, *wrote = messages(both.client)
    first = list(takewhile(lambda it: b"__heartbeat" not in it, heard))
    first = first[:8]
    yield Hears(b"".join(first))
    yield Writes(pid)
    known = {said(message)["id"] for message in first[1:] if b'"id"' in message}
    call_id = 0
    for message in wrote:
        asked = command(message)
        ids = asked.anchors if isinstance(asked, Emit) else [getattr(asked, "id", None)]
        if message == SYNC or not (known.issuperset(ids) or isinstance(asked, Log)):
            continue
        if isinstance(asked, Emit) and asked.need_task_ids:
            continue
        call_id += 1
        yield Sends(asked, call_id)
        yield Writes(message)
    yield Hears(next(it for it in heard if b"__heartbeat" in it))
    yield Writes(SYNC)
    yield Sends(Emit([1], need_task_ids=True), 1000)
    yield Writes(b'{"command":"emit","tuple":[1],"need_task_ids":true}' + END)
    yield Hears(b"[2,3]" + END + heard[1])


def _spout_steps() -> Iterator[Step]:
    both = recorded("words")
    shake, *heard = messages(both.server)
    pid, *wrote = messages(both.client)
    yield Hears(_shortened(shake))
    yield Writes(pid)
    rest = iter(wrote)
    for message in heard[:6]:
        yield Hears(message)
        for ours in rest:
            yield Sends(command(ours))
            yield Writes(ours)
            if ours == SYNC:
                break
    yield Hears(heard[0])


def _each(event: Event) -> Iterable[Any]:
    if isinstance(event, Pushed) and isinstance(event.message, list):
        return event.message
    return [event]


_TEXT = st.text(max_size=20)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=8,
)
_SAYINGS = (
    st.builds(Log, _TEXT, st.sampled_from(Level))
    | st.builds(ReportError, _TEXT)
    | st.builds(ReportMetric, _TEXT, _VALUES)
)


def _decode(data: bytes) -> list[Command]:
    return [command(message) for message in messages(data)]


BOLT = Conversation(
    "storm bolt",
    lambda: BoltSession(_pid(messages(recorded("doubler").client)[0])),
    list(_bolt_steps()),
    commands=_SAYINGS | st.builds(Emit, st.lists(_VALUES, min_size=1, max_size=1)),
    decode=_decode,
    meaning=lambda command: [command],
    each=_each,
)

SPOUT = Conversation(
    "storm spout",
    lambda: SpoutSession(_pid(messages(recorded("words").client)[0])),
    list(_spout_steps()),
    commands=_SAYINGS
    | st.builds(Emit, st.lists(_VALUES, min_size=2, max_size=2), id=_VALUES, task=st.just(3)),
    decode=_decode,
    meaning=lambda command: [command],
)
