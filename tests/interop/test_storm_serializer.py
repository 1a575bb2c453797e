"""Storm's own JsonSerializer reads jvmwire's messages with the same meaning, and vice versa."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from jvmwire._runtime.session import Opened, Pushed, Reply
from jvmwire.storm._commands import (
    Ack,
    AckAll,
    Emit,
    Fail,
    Level,
    Log,
    ReportError,
    ReportMetric,
    Sync,
)
from jvmwire.storm._session import BoltSession, SpoutSession
from jvmwire.storm.errors import NotJsonSerializable
from kit.scale import seeded, times
from kit.storm_oracle import TEXTS, Oracle, hostile, text, words
from kit.storm_transcript import END, messages

COUNT = 1000
TASK = 2**31 - 1
SHAKE = {"pidDir": "p", "context": {"taskid": 1, "task->component": {TASK: "c"}}, "conf": {}}


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oracle]:
    with Oracle(tmp_path_factory.mktemp("storm")) as oracle:
        yield oracle


def opened(kind, heard=b""):
    session = kind(1)
    session.receive_data(json.dumps(SHAKE).encode() + END + heard)
    first, *events = session.events()
    assert first == Opened()
    session.data_to_send(0.0)
    return session, events


def told(
    command: str,
    *,
    message_id: Any = None,
    anchors: Any = None,
    stream: str | None = None,
    task: int = 0,
    message: str | None = None,
    level: str = "INFO",
    need_task_ids: bool = True,
    values: Any = None,
    metric: str | None = None,
    params: Any = None,
) -> list[Any]:
    """Return the members of Storm's ShellMsg."""
    of_emit = [anchors or [], stream or "default", task]
    rest = [need_task_ids, values, metric, params]
    return [command, message_id, *of_emit, message, level, *rest]


def of_bolt(random):
    """Return a bolt's messages, and their meaning, after it got tuples of these ids."""
    ids = [f"{text(random)}{number}" for number in range(4)]
    values = hostile(random, lone=True)
    asks = random.random() < 0.5
    stream = random.choice([None, *TEXTS[1:]])
    line = random.choice(TEXTS) + text(random)
    said = [
        (
            Emit([values], stream, ids[:2], need_task_ids=asks),
            told("emit", anchors=ids[:2], stream=stream, values=[values], need_task_ids=asks),
        ),
        (
            Emit((values, line), task=TASK),
            told("emit", task=TASK, values=[values, line], need_task_ids=False),
        ),
        (Ack(ids[0]), told("ack", message_id=ids[0])),
        (Fail(ids[1]), told("fail", message_id=ids[1])),
        (Log(line, Level.WARN), told("log", message=line, level="WARN")),
        (ReportError(line), told("error", message=line)),
        (ReportMetric(line, values), told("metrics", metric=line, params=values)),
    ]
    return ids, said


def test_what_a_bolt_says_is_read_as_it_was_meant(oracle):
    random = seeded(1)
    wrote, meant = [], []
    for _ in range(times(COUNT)):
        ids, said = of_bolt(random)
        given = [
            {"id": one, "comp": "c", "stream": "s", "task": 1, "tuple": []} for one in set(ids)
        ]
        heard = b"".join(json.dumps(one).encode() + END for one in given)
        session, _ = opened(BoltSession, heard)
        for command, means in said:
            session.send(command, 1)
            meant.append((command, words(means)))
        wrote.append(bytes(session.data_to_send(0.0)))
    compare(meant, oracle.read(b"".join(wrote)))


def test_acks_that_are_said_at_once_are_read_one_by_one(oracle):
    random = seeded(2)
    ids = [f"{text(random)}{number}" for number in range(times(COUNT))]
    given = [{"id": one, "comp": "c", "stream": "s", "task": 1, "tuple": []} for one in ids]
    session, _ = opened(BoltSession, b"".join(json.dumps(one).encode() + END for one in given))
    session.send(AckAll(ids))
    read = oracle.read(bytes(session.data_to_send(0.0)))
    compare([(one, words(told("ack", message_id=one))) for one in ids], read)


def test_what_a_spout_says_is_read_as_it_was_meant(oracle):
    random = seeded(3)
    session, _ = opened(SpoutSession)
    meant = []
    for _ in range(times(COUNT)):
        session.receive_data(b'{"command":"next"}' + END)
        list(session.events())
        message_id = hostile(random, lone=True)
        values = [hostile(random, lone=True) for _ in range(random.randrange(4))]
        emit = Emit(values, id=message_id)
        session.send(emit)
        session.send(Sync())
        means = told("emit", message_id=message_id, values=values, need_task_ids=False)
        meant += [(emit, words(means)), (Sync(), words(told("sync")))]
    compare(meant, oracle.read(bytes(session.data_to_send(0.0))))


def compare(meant, read):
    differing = [
        (command, means, took)
        for (command, means), took in zip(meant, read, strict=True)
        if means != took
    ]
    assert differing[:3] == []


def test_values_are_nested_as_deep_as_storm_takes(oracle):
    deep: Any = 1
    for _ in range(398):
        deep = [deep]
    session, _ = opened(BoltSession)
    session.send(Emit([deep]))
    with pytest.raises(NotJsonSerializable):
        session.send(Emit([[deep]]))
    session.send(ReportError("after"))
    read = oracle.read(bytes(session.data_to_send(0.0)))
    compare(
        [
            ("emit", words(told("emit", values=[deep], need_task_ids=False))),
            ("error", words(told("error", message="after"))),
        ],
        read,
    )
    deeper = json.dumps({"command": "emit", "tuple": [[deep]]}).encode() + END
    [refused] = oracle.read(deeper)
    assert refused.startswith("refused ")


def test_tuples_that_storm_writes_are_read_as_they_were_meant(oracle):
    random = seeded(4)
    given = [
        [
            "tuple",
            str(random.randint(-(2**63), 2**63 - 1)),
            random.choice([None, *TEXTS]),
            random.choice(TEXTS) or "s",
            random.randint(-1, 2**31 - 1),
            [hostile(random, lone=False) for _ in range(random.randrange(4))],
        ]
        for _ in range(times(COUNT))
    ]
    written = oracle.write(given)
    assert len(messages(written)) == len(given)
    taken = [tup for event in opened(BoltSession, written)[1] for tup in pushed(event)]
    compare(
        [(one, words(one[1:])) for one in given],
        [words([tup.id, tup.component, tup.stream, tup.task, tup.values]) for tup in taken],
    )


def pushed(event):
    assert isinstance(event, Pushed)
    return event.message


def test_commands_that_storm_writes_are_read_as_they_were_meant(oracle):
    random = seeded(5)
    given = [
        [random.choice(["next", "ack", "fail", "activate"]), hostile(random, lone=False)]
        for _ in range(times(COUNT))
    ]
    _, events = opened(SpoutSession, oracle.write(given))
    taken = [pushed(event) for event in events]
    compare(
        [(one, words(one)) for one in given],
        [words([command.name, command.id]) for command in taken],
    )


def test_task_ids_that_storm_writes_come_to_whoever_asked(oracle):
    random = seeded(6)
    given = [[random.randrange(2**31) for _ in range(random.randrange(5))] for _ in range(100)]
    session, _ = opened(BoltSession)
    for number in range(len(given)):
        session.send(Emit([1], need_task_ids=True), number)
    session.receive_data(oracle.write([["ids", ids] for ids in given]))
    assert list(session.events()) == [Reply(number, ids) for number, ids in enumerate(given)]


def test_what_storm_cannot_write_comes_as_it_writes_it(oracle):
    values = [math.nan, math.inf, -math.inf, "\ud83d", {"a": math.nan}]
    _, [event] = opened(BoltSession, oracle.write([["tuple", "1", "c", "s", 1, values]]))
    [tup] = event.message
    assert words(tup.values) == words([math.nan, None, None, "?", {"a": math.nan}])
