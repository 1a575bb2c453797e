"""Components written for Storm's own module for Python send the same messages with jvmwire."""

import json
from pathlib import Path
from typing import Any

import pytest

from jvmwire.storm.compat import storm_py as storm
from jvmwire.storm.testing import StormHarness
from kit.storm_process import converse, original

OURS, THEIRS = "from jvmwire.storm.compat import storm_py as storm", "import storm"

BOLT = """
{import_}

class Splitter(storm.Bolt):
    def initialize(self, conf, context):
        self.conf, self.context = conf, context
        self.emits = self.take = None  # names of its own

    def process(self, tup):
        if tup.stream == "__tick":
            storm.ack(tup)
            return
        [text] = tup.values
        for word in text.split():
            tasks = storm.emit([word, self.conf["times"], self.context["taskid"]], anchors=[tup])
        storm.emit([len(tasks), list(tasks)], stream="tasks")
        storm.emitDirect(7, [text, repr(tup)], anchors=[tup])
        storm.logWarn("warned")
        storm.log("told")
        storm.rpcMetrics("texts", 1)
        storm.reportError("reported")
        storm.fail(tup) if "fail" in text else storm.ack(tup)

Splitter().run()
"""

BASIC = """
{import_}

class Counter(storm.BasicBolt):
    def process(self, tup):
        storm.emit([len(tup.values[0])])
        storm.emit([1], anchors=[])
        if "fail" in tup.values[0]:
            raise ValueError(tup.values)

Counter().run()
"""

ENDS = """
{import_}

class Ends(storm.Bolt):
    def process(self, tup):
        storm.emit(tup.values)
        raise ValueError(tup.values)

Ends().run()
"""

SPOUT = """
{import_}

class Numbers(storm.Spout):
    def initialize(self, conf, context):
        self.number = 0

    def activate(self):
        storm.logInfo("activated")

    def deactivate(self):
        storm.logInfo("deactivated")

    def nextTuple(self):
        self.number += 1
        tasks = storm.emit([self.number], id=self.number)
        storm.emit([tasks[0], len(tasks)], stream="tasks")
        storm.emitDirect(7, ["direct"], id={{"of": [self.number]}})

    def ack(self, id):
        storm.log("acked " + str(id))

    def fail(self, id):
        storm.emit([id], id=id)

Numbers().run()
"""

BY_HAND = """
{import_}

conf, context = storm.initComponent()
while True:
    try:
        tup = storm.readTuple()
    except Exception:
        break
    if tup.is_heartbeat_tuple():
        storm.sync()
        continue
    storm.emitBolt([conf["times"], context["taskid"], tup.values], anchors=[tup])
    storm.ack(tup)
"""

SPOUT_BY_HAND = """
{import_}

storm.MODE = storm.Spout
storm.initComponent()
for _ in range(3):
    command = storm.readCommand()
    storm.emitSpout([command["command"], command["id"]])
    storm.sync()
"""


def tup(tup_id: str, *values: Any, stream: str = "default", comp: str | None = "lines") -> Any:
    task = -1 if stream.startswith("__") else 2
    return {"id": tup_id, "comp": comp, "stream": stream, "task": task, "tuple": values}


TICK = tup("8", 1, stream="__tick", comp="__system")
BEAT = tup("9", stream="__heartbeat", comp=None)
TUPLES = [tup("1", "a b"), BEAT, tup("2", "wörd"), TICK, tup("3", "fail")]
COMMANDS = [
    {"command": "activate", "id": ""},
    {"command": "next", "id": ""},
    {"command": "next", "id": ""},
    {"command": "ack", "id": 1},
    {"command": "fail", "id": {"of": [2]}},
    {"command": "deactivate", "id": ""},
]
CASES = {
    "bolt": (BOLT, TUPLES),
    "basic bolt": (BASIC, [one for one in TUPLES if one is not TICK]),
    "bolt that raises": (ENDS, TUPLES),
    "spout": (SPOUT, COMMANDS),
    "bolt by hand": (BY_HAND, TUPLES),
    "spout by hand": (SPOUT_BY_HAND, COMMANDS[1:4]),
}


def said(folder: Path, source: str, import_: str, given: list[Any]) -> list[dict[str, Any]]:
    """Return the component's messages to Storm; errors without their text."""
    folder.mkdir()
    program = original(folder) / "component.py"
    program.write_text(source.format(import_=import_))
    _pid, *messages = converse(program, given, folder)
    # Storm's module treats the end of its input as an error.
    if messages[-1]["command"] == "error" and "Read EOF" in messages[-1]["msg"]:
        del messages[-1]
    for message in messages:
        if message["command"] == "error" and "Traceback" in message["msg"]:
            message["msg"] = "traceback"
        if message["command"] == "emit":
            message["anchors"] = message.get("anchors") or []
            # jvmwire writes tasks so that Storm 2.6 accepts them too, and requests no task ids for
            # emits that are never answered, or were not to be waited for.
            message["task"] = message.get("task", 0) % (1 << 32)
            message.pop("need_task_ids", None)
    return messages


def in_order(messages: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(message, sort_keys=True) for message in messages)


@pytest.mark.parametrize("case", CASES)
def test_only_the_import_changes(tmp_path, case):
    source, given = CASES[case]
    theirs = said(tmp_path / "theirs", source, THEIRS, given)
    ours = said(tmp_path / "ours", source, OURS, given)
    assert len(theirs) > 1
    # For a tuple that raised, Storm's module first sends the reason; a heartbeat is answered at
    # once.
    assert in_order(ours) == in_order(theirs)
    emits = [message for message in ours if message["command"] == "emit"]
    assert emits == [message for message in theirs if message["command"] == "emit"]


class Emits(storm.Bolt):
    def process(self, tup):
        storm.emit(tup.values)
        looked_at = storm.emit(tup.values)
        if tup.values[0] % 2:
            assert looked_at == [2, 5]
        storm.ack(tup)


def test_answers_that_nobody_looks_at_are_not_kept():
    bolt = storm.component(Emits())
    with StormHarness(lambda: bolt, outputs={"default": ["number"]}, task_ids=[2, 5]) as double:
        double.process(*([number] for number in range(100)))
        # The replies came before this.
        double.heartbeat()
        line = bolt._storm_line
        assert (line._replies, line._forgotten) == ({}, set())
    assert len(double.said.emitted) == 200
    assert double.said.errors == []
