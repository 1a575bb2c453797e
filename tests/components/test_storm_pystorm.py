"""Components written for pystorm send the same messages with pystorm and with jvmwire."""

import json
import math
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
import simplejson

from jvmwire.storm import MetricKind
from jvmwire.storm._json_codec import encode
from jvmwire.storm._session import BoltSession
from jvmwire.storm._simplejson import as_simplejson
from jvmwire.storm.compat.pystorm import Bolt, Tuple
from jvmwire.storm.errors import NotJsonSerializable
from jvmwire.storm.testing import StormHarness

OURS, THEIRS = "jvmwire.storm.compat.pystorm", "pystorm"

SPLITTER = """
from {module} import Bolt

class Splitter(Bolt):
    def initialize(self, storm_conf, context):
        self.times = storm_conf["times"]
        self.ticks = 0

    def process_tick(self, tup):
        self.ticks += 1

    def process(self, tup):
        for word in tup.values.sentence.split():
            for _ in range(self.times):
                self.emit([word, self.ticks, self.component_name, self.task_id])
        self.emit([tup.component], stream="from", anchors=[])
        self.emit([1], anchors=[tup.id], direct_task=7, need_task_ids=False)
        self.report_metric("sentences", 1)
        if not self.is_tick(tup) and "fail" in tup.values[0]:
            raise ValueError(tup.values[0])

if __name__ == "__main__":
    Splitter().run()
"""

MANUAL = """
from {module} import Bolt

class Manual(Bolt):
    auto_ack = auto_anchor = auto_fail = False

    def process(self, tup):
        self.emit(tup.values)
        self.ack(tup) if tup.values == ("a",) else self.fail(tup.id)

if __name__ == "__main__":
    Manual().run()
"""

BATCHES = """
from {module} import BatchingBolt

class Batches(BatchingBolt):
    ticks_between_batches = 1

    def group_key(self, tup):
        return tup.values[0]

    def process_batch(self, key, tups):
        self.emit([key, len(tups)])

if __name__ == "__main__":
    Batches().run()
"""

COUNTS = """
from {module} import ReliableSpout

class Counts(ReliableSpout):
    max_fails = 1

    def initialize(self, storm_conf, context):
        self.count = 0

    def next_tuple(self):
        self.count += 1
        self.emit([self.count], tup_id=self.count)

if __name__ == "__main__":
    Counts().run()
"""


def given(tup_id: str, *values: Any, stream: str = "default", comp: str | None = "lines") -> Any:
    task = -1 if comp in {None, "__system"} else 2
    return {"id": tup_id, "comp": comp, "stream": stream, "task": task, "tuple": values}


def tick(tup_id: str) -> Any:
    return given(tup_id, 1, stream="__tick", comp="__system")


HEARTBEAT = given("0", stream="__heartbeat", comp=None)


def said(tmp_path: Path, source: str, module: str, *transcript: Any) -> list[dict[str, Any]]:
    """Return a component's messages without logs; for errors only their command."""
    program = tmp_path / f"{module.rpartition('.')[2]}_component.py"
    program.write_text(source.format(module=module))
    context = {
        "taskid": 3,
        "componentid": "split",
        "task->component": {"2": "lines", "3": "split", "7": "other"},
        "source->stream->fields": {"lines": {"default": ["sentence"]}},
    }
    handshake = {"pidDir": str(tmp_path), "context": context, "conf": {"times": 2}}
    lines = [json.dumps(message) + "\nend\n" for message in (handshake, *transcript)]
    ran = subprocess.run(
        [sys.executable, program], input="".join(lines).encode(), capture_output=True, check=False
    )
    messages = [json.loads(text) for text in ran.stdout.decode().split("\nend\n") if text.strip()]
    kept = [message for message in messages[1:] if message["command"] != "log"]
    for message in kept:
        if message["command"] == "error":
            del message["msg"]
        if message["command"] == "emit":
            message["need_task_ids"] = message.get("need_task_ids", True)
            message["anchors"] = message.get("anchors") or []
            # jvmwire writes tasks so that Storm 2.6 accepts them too.
            message["task"] = message.get("task", 0) % (1 << 32)
    return kept


REPORTS = """
from {module} import Bolt

class Reports(Bolt):
    def process(self, tup):
        self.emit([self.is_heartbeat(tup)])
        try:
            raise KeyError(tup.values[0])
        except KeyError as error:
            self.raise_exception(error, tup)
            self.raise_exception(error)

if __name__ == "__main__":
    Reports().run()
"""

CASES = {
    "bolt": (SPLITTER, [given("1", "a b"), tick("2"), given("3", "c")]),
    "heartbeat": (SPLITTER, [HEARTBEAT, given("1", "a")]),
    "by hand": (MANUAL, [given("1", "a"), given("2", "b"), given("3", "a", comp="other")]),
    "batches": (BATCHES, [given("1", "a"), given("2", "b"), given("3", "a"), tick("4"), tick("5")]),
    "spout": (
        COUNTS,
        [
            {"command": "next"},
            {"command": "next"},
            {"command": "fail", "id": 1},
            {"command": "ack", "id": 2},
            {"command": "fail", "id": 1},
            {"command": "fail", "id": 1},
        ],
    ),
}


def in_order(messages: list[dict[str, Any]]) -> list[str]:
    """Return the messages without the order of acks, which jvmwire batches."""
    return sorted(json.dumps(message, sort_keys=True) for message in messages)


@pytest.mark.parametrize("case", CASES)
def test_only_the_import_changes(tmp_path, case):
    source, transcript = CASES[case]
    theirs = said(tmp_path, source, THEIRS, *transcript)
    ours = said(tmp_path, source, OURS, *transcript)
    assert len(theirs) > 2
    assert in_order(ours) == in_order(theirs)
    emits = [message for message in ours if message["command"] == "emit"]
    assert emits == [message for message in theirs if message["command"] == "emit"]


def test_an_exception_fails_its_tuple_and_ends_the_process(tmp_path):
    transcript = [given("1", "fail"), given("2", "never")]
    theirs = said(tmp_path, SPLITTER, THEIRS, *transcript)
    ours = said(tmp_path, SPLITTER, OURS, *transcript)
    # pystorm sends sync after an error, which Storm expects of no bolt.
    assert in_order(ours) == in_order([one for one in theirs if one["command"] != "sync"])
    assert [one["command"] for one in ours][-2:] in (["error", "fail"], ["fail", "error"])


def test_an_exception_that_is_shown_to_storm_fails_nothing(tmp_path):
    theirs = said(tmp_path, REPORTS, THEIRS, given("1", "a"))
    ours = said(tmp_path, REPORTS, OURS, given("1", "a"))
    assert in_order(ours) == in_order([one for one in theirs if one["command"] != "sync"])
    assert sorted(one["command"] for one in ours) == ["ack", "emit", "error", "error"]


def test_an_exception_that_is_shown_to_storm_is_told_with_its_tuple_and_where_it_came_from():
    class Shows(Bolt):
        given: ClassVar[dict[str, int]] = {}

        def process(self, tup: Tuple) -> None:
            try:
                self.given["lost"]
            except KeyError as error:
                self.raise_exception(error, tup)

    with StormHarness(Shows) as storm:
        [shown] = storm.process([1]).errors
    assert shown.startswith("Python KeyError raised while processing ")
    assert "values=(1,)" in shown
    assert shown.endswith("KeyError: 'lost'\n")
    assert "in process" in shown


class Asks(Bolt):
    outputs = ("value",)

    def process(self, tup: Tuple) -> None:
        self.emit([self.emit(tup.values, need_task_ids=True)])
        self.emit([self.emit([2], direct_task=7, need_task_ids=True)])


def test_the_tasks_that_a_tuple_went_to_are_told():
    with StormHarness(Asks, task_ids=[4, 5], components={7: "other"}) as storm:
        said = storm.process([1])
    assert [one.values for one in said.emitted] == [[1], [[4, 5]], [2], [[7]]]


class Odd(Bolt):
    """Bolt that emits values that only simplejson can write."""

    outputs: ClassVar = ["a", "b", "c"]

    def process(self, _tup: Tuple) -> None:
        self.emit([Decimal("1.50"), b"text", {b"k": 1, 2: None, None: Decimal("1E+3")}])
        self.emit([1 << 70, "\ud800", ("a", 1.5)])


def test_values_are_sent_as_simplejson_sends_them(tmp_path):
    texts = []
    session = BoltSession(1)
    Odd()._storm_attach(cast("Any", None), session)
    for values in (
        [
            Decimal("1.50"),
            Decimal("123456789012345678.90"),
            b"text",
            {b"k": 1, 2: None, None: True},
        ],
        [1 << 70, -(1 << 70), "\ud800", "é", ("a", 1.5), {"x": [b"y"]}],
    ):
        ours = encode({"tuple": values}, convert=session.convert)
        texts.append(ours.removesuffix(b"\nend\n"))
        theirs = simplejson.dumps({"tuple": values}, namedtuple_as_object=False)
        parsed = [json.loads(text, parse_float=Decimal) for text in (texts[-1], theirs)]
        assert parsed[0] == parsed[1]
    assert texts[0].startswith(b'{"tuple":[1.50,123456789012345678.90,"text"')


@pytest.mark.parametrize(
    "value",
    [b"\xff", Decimal("NaN"), {(1, 2): 3}, {1, 2}, math.inf, [Decimal(1), math.nan]],
    ids=repr,
)
def test_values_that_json_does_not_have_are_refused(value):
    with pytest.raises(NotJsonSerializable):
        encode({"tuple": [value]}, convert=as_simplejson)


def test_component_of_pystorm_emits_decimals_and_bytes():
    with StormHarness(Odd) as storm:
        said = storm.process(["go"])
    assert said.acked
    assert [one.values for one in said.emitted] == [
        [1.5, "text", {"k": 1, "2": None, "null": 1000.0}],
        [1 << 70, "\ud800", ["a", 1.5]],
    ]


class Measured(Bolt):
    """Bolt that reports a metric."""

    def process(self, _tup: Tuple) -> None:
        self.report_metric("seen", 1)


class Declared(Bolt):
    """Bolt that declares metrics, and reports the tuple's value of one of them."""

    exit_on_exception = False
    metrics: ClassVar = {
        "count": MetricKind.COUNT,
        "mean": MetricKind.MEAN,
        "value": MetricKind.VALUE,
    }

    def process(self, tup: Tuple) -> None:
        self.report_metric(*tup.values)


def test_declared_metrics_are_reported_and_what_their_kinds_do_not_take_is_refused():
    right: list[list[Any]] = [
        ["count", 2],
        ["count", None],
        ["mean", 0.5],
        ["mean", 3],
        ["value", {"a": [1]}],
    ]
    wrong: list[list[Any]] = [
        ["count", 0.5],
        ["count", True],
        ["count", 1 << 63],
        ["mean", None],
        ["mean", "1"],
    ]
    with StormHarness(Declared, conf={"jvmwire.metrics.registered": False}) as storm:
        said = storm.process(*right, *wrong)
    assert said.metrics == [(name, value) for name, value in right]
    assert len(said.failed) == len(wrong)
    assert all("the metric" in error for error in said.errors)


def test_metric_is_refused_where_the_topology_registers_none():
    with StormHarness(Measured, conf={"jvmwire.metrics.registered": False}) as storm:
        said = storm.process(["go"])
    assert said.failed == ["1"]
    assert "NotDeclared: the metric 'seen' is not registered" in said.errors[0]
    with StormHarness(Measured) as storm:
        assert storm.process(["go"]).acked == ["1"]


TICKLESS = """
from {module} import TicklessBatchingBolt

class Batches(TicklessBatchingBolt):
    secs_between_batches = 0.05

    def process_batch(self, key, tups):
        self.emit([len(tups)])

if __name__ == "__main__":
    Batches().run()
"""


def test_batches_without_ticks_are_processed_after_a_while(tmp_path):
    program = tmp_path / "tickless.py"
    program.write_text(TICKLESS.format(module=OURS))
    command = [sys.executable, str(program)]
    handshake = {"pidDir": str(tmp_path), "context": {"taskid": 1, "task->component": {}}}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in ({**handshake, "conf": {}}, given("1", "a"), given("2", "b")):
            process.stdin.write(json.dumps(message).encode() + b"\nend\n")
        process.stdin.flush()
        heard = b""
        while heard.count(b'"ack"') < 2:
            heard += process.stdout.readline()
        process.stdin.close()
        assert process.wait() == 0
    assert heard.count(b'"emit"') in {1, 2}  # the second may have come with the next batch
