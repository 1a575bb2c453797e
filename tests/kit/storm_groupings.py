"""Topology that consumes one stream with every grouping; its bolts note the task of each tuple."""

from pathlib import Path
from typing import Any, ClassVar

from jvmwire.storm import Bolt, ReliableSpout, Tuple
from jvmwire.storm.topology import Topology

from .storm_components import Noted, Notes, noted

VALUES: list[Any] = [
    *(f"word {number}" for number in range(20)),
    *("", "wörd ✓ 😀", None, True, False, 0, -5, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1),
    *(2**63 - 1, 2**63, -(2**63) - 1, 10**30, -(10**30), 1.5, -0.0, 1e300, 0.1 + 0.2),
    *(1.2345678901234567, -123.45678901234567, [1, [2, "a"], None], {"a": 1, "b": [True, 2.5]}),
]
KEYS = [number for number, value in enumerate(VALUES) if value is not None]
"""Indices of the values that PartialKeyGrouping accepts: it fails at null."""
ROUNDS = 2
TASKS = 3


class Values(Noted, ReliableSpout):
    """Spout that emits every value, and each once more at its own task."""

    outputs: ClassVar = {
        "default": ["number", "value"],
        "keys": ["number", "key"],
        "direct": ["number"],
    }

    def initialize(self, conf: dict[str, Any], context: Any) -> None:
        super().initialize(conf, context)
        self._left = list(range(len(VALUES))) * ROUNDS
        self._targets = context.tasks_of("direct")
        self.notes.add("components", sorted(context.components.items()))

    def next_tuple(self) -> None:
        if not self._left:
            return
        number = self._left.pop(0)
        self.emit([number, VALUES[number]])
        self.emit([number], stream="direct", task=self._targets[number % TASKS])
        if number in KEYS:
            self.emit([number, VALUES[number]], stream="keys")

    def done(self, message_id: Any) -> None:
        self.notes.add("acked", message_id)


class Taker(Noted, Bolt):
    """Bolt that notes its name and task with each tuple."""

    def process(self, tup: Tuple) -> None:
        self.notes.add(self.context.component, [tup.values[0], self.context.task_id])


def topology(name: str, folder: Path) -> Topology:
    """Return the topology, whose notes go to `folder`."""
    made = noted(name, folder)
    spout = made.spout("values", Values)
    stream = spout.stream()
    ways = {
        "fields": stream.fields_grouping("value"),
        "all": stream.all(),
        "whole": stream.global_grouping(),
        "shuffle": stream.shuffle(),
        "none": stream.none(),
        "partial": spout.stream("keys").partial_key("key"),
        "direct": spout.stream("direct").direct(),
    }
    for way, taken in ways.items():
        made.bolt(way, Taker, inputs=[taken], parallelism=TASKS)
    return made


def expected_acks() -> int:
    """Return how many tuples the spout emits."""
    return ROUNDS * (2 * len(VALUES) + len(KEYS))


def tasks_met(notes: Notes, way: str) -> dict[int, set[int]]:
    """Return the tasks that received each value, by grouping."""
    met: dict[int, set[int]] = {}
    for value, task in notes.read(way):
        met.setdefault(value, set()).add(task)
    return met
