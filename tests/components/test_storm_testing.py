"""Storm's side in process: the messages of components, and those that it refuses."""

import asyncio
import json

import pytest

from jvmwire.errors import CallTimeout, RemoteProtocolError
from jvmwire.storm import AsyncBolt, BatchingBolt, Bolt, Level, ReliableSpout, Tuple
from jvmwire.storm._commands import Log
from jvmwire.storm.testing import Emitted, StormHarness
from kit.storm_components import COUNT_SETTING, NOTES, Doubler, Words
from kit.storm_transcript import messages, recorded, said


class Upper(Bolt):
    outputs = ("word",)

    def process(self, tup: Tuple) -> None:
        self.emit([tup.values[0].upper()])

    def process_tick(self, tup: Tuple) -> None:
        self.log(f"tick {tup.values[0]}", Level.WARN)


def test_a_bolts_tuples_are_emitted_acked_and_failed():
    with StormHarness(Upper) as storm:
        said = storm.process(["a"], [5])
        storm.tick(3)
        storm.settle()
        storm.heartbeat()
    assert said.emitted == [Emitted(["A"], anchors=("1",))]
    assert (said.acked, said.failed) == (["1", "3"], ["2"])
    assert said.logged == [(Level.WARN, "tick 3")]
    [error] = said.errors
    assert "AttributeError" in error
    assert (said.syncs, storm.status) == (1, 0)


class Asks(Bolt):
    outputs = ("tasks",)

    def process(self, _: Tuple) -> None:
        self.emit([self.emit([0], need_task_ids=True)])
        self.emit([1], task=7)
        self.report_metric("count", 2)


def test_an_emit_that_asks_is_answered_and_a_direct_one_says_its_task():
    with StormHarness(Asks, task_ids=[4, 5], components={7: "other"}) as storm:
        said = storm.process([1])
    assert [one.values for one in said.emitted] == [[0], [[4, 5]], [1]]
    assert [one.task for one in said.emitted] == [None, None, 7]
    assert said.metrics == [("count", 2)]


class Pairs(BatchingBolt):
    outputs = ("sum",)
    batch_size = 2
    batch_seconds = 0.01

    def process_batch(self, _: object, tuples: list[Tuple]) -> None:
        self.emit([sum(tup.values[0] for tup in tuples)])


class Later(AsyncBolt):
    outputs = ("word",)

    async def process(self, tup: Tuple) -> None:
        await asyncio.sleep(0.01)
        self.emit(tup.values)


@pytest.mark.parametrize("kind", [Pairs, Later])
def test_bolts_that_take_their_time_are_waited_for(kind):
    with StormHarness(kind) as storm:
        said = storm.process([1], [2], [3])
    assert sorted(said.acked) == ["1", "2", "3"]
    assert sum(one.values[0] for one in said.emitted) == 6


class Numbers(ReliableSpout):
    outputs = ("number",)
    max_replays = 1
    _next = 0

    def next_tuple(self) -> None:
        if self._next < 2:
            self._next += 1
            self.emit([self._next], id=self._next)


def test_a_reliable_spout_emits_again_what_failed():
    with StormHarness(Numbers) as storm:
        storm.activate()
        assert storm.next(3) == [Emitted([1], id=1), Emitted([2], id=2)]
        storm.ack(1)
        storm.fail(2)
        assert storm.next() == [Emitted([2], id=2)]
        storm.fail(2)
        assert storm.next() == []
        storm.deactivate()
    [error] = storm.said.errors
    assert "given up" in error


class Deaf(Bolt):
    auto_ack = False

    def process(self, tup: Tuple) -> None:
        pass


def test_what_is_not_answered_in_time_is_told():
    with StormHarness(Deaf, timeout=0.1) as storm, pytest.raises(CallTimeout):
        storm.process([1])


class Wrong(Bolt):
    def process(self, tup: Tuple) -> None:
        self._storm_session.writer.expect(["1"])
        self.ack(tup)
        self._storm_session.writer.expect(["1"])
        self.ack(tup)
        self._storm_line.send(Log("after"))


def test_what_storm_would_not_take_is_an_error():
    with (
        pytest.raises(RemoteProtocolError, match="acked or failed before"),
        StormHarness(Wrong) as storm,
    ):
        storm.send_tuple([1])


def replay(storm, message):
    """Have the fake Storm send the messages of a real Storm."""
    match message:
        case {"command": "ack" | "fail" as verdict, "id": message_id}:
            getattr(storm, verdict)(message_id)
        case {"command": name}:
            getattr(storm, name)()
        case {"stream": "__heartbeat"}:
            storm.heartbeat()
        case {"stream": "__tick", "tuple": [seconds], "id": tuple_id}:
            assert storm.tick(seconds, tuple_id=tuple_id) == tuple_id
        case {"tuple": values, "id": tuple_id, "stream": stream, "comp": component, "task": task}:
            where = {"stream": stream, "component": component, "task": task}
            assert storm.send_tuple(values, tuple_id=tuple_id, **where) == tuple_id
        case list():  # it replies by itself
            pass


def by_storm(messages):
    """Return Storm's messages, without values that it chooses freely."""
    told = []
    for message in messages:
        match message:
            case {"stream": "__heartbeat"}:
                told.append(message | {"id": str(int(message["id"]) and "a number")})
            case list():
                told.append("task ids")
            case {"pidDir": _, "context": context, "conf": _}:
                assert isinstance(context["taskid"], int)
                assert isinstance(context["task->component"]["1"], str)
                told.append([*sorted(message), *sorted(context)])
            case _:
                told.append(message)
    return sorted(json.dumps(message, sort_keys=True) for message in told)


def by_component(messages):
    """Return a component's messages without logs: tracebacks by their end, acks in any order."""
    told, acks = [], []
    for message in messages:
        match message:
            case {"pid": _} | {"command": "log"}:
                pass
            case {"command": "error", "msg": trace}:
                told.append(trace.splitlines()[-1])
            case {"command": "ack" | "sync"}:
                acks.append(json.dumps(message))
            case _:
                told.append(message)
    return told, sorted(acks)


@pytest.mark.parametrize(("name", "kind"), [("words", Words), ("doubler", Doubler)])
def test_a_conversation_with_a_real_storm_is_had_again(tmp_path, name, kind):
    both = recorded(name)
    shake, *heard = (said(message) for message in messages(both.server))
    components = {int(task): name for task, name in shake["context"]["task->component"].items()}
    conf = {NOTES: str(tmp_path), COUNT_SETTING: shake["conf"][COUNT_SETTING]}
    with StormHarness(kind, conf=conf, components=components) as storm:
        for message in heard:
            replay(storm, message)
        storm.settle()
    ours = [message for who, message in storm.transcript if who == "storm"]
    assert by_storm(ours) == by_storm([shake, *heard])
    recorded_of_component = [said(message) for message in messages(both.client)]
    answered = [message for who, message in storm.transcript if who == "component"]
    assert by_component(answered) == by_component(recorded_of_component)
