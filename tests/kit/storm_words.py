"""Topology that the command runs: its modules, and the notes that they write."""

from pathlib import Path

from .storm_components import Notes

WORDS = ["storm", "of", "wörds"]

MODULE = """
import json
import sys
from pathlib import Path

import jvmwire
from jvmwire.storm import Bolt, MetricKind, ReliableSpout
from jvmwire.storm.errors import NotDeclared
from jvmwire.storm.topology import Topology

from words_package.noting import note

WORDS = {words!r}


class Words(ReliableSpout):
    outputs = {{"default": ["word"], "direct": ["word"]}}

    def __init__(self):
        super().__init__()
        self.left = list(WORDS)

    def initialize(self, conf, context):
        self.tasks = context.tasks_of("directed")

    def next_tuple(self):
        if self.left:
            word = self.left.pop(0)
            self.emit([word], id=word)
            if self.tasks:
                self.emit([word], id="direct " + word, stream="direct", task=self.tasks[1])

    def done(self, message_id):
        note({folder!r}, "acked", message_id)


class Lengths(Bolt):
    outputs = ("word", "length")

    def process(self, tup):
        (word,) = tup.values
        self.emit([word, len(word)])
        note({folder!r}, "packages", jvmwire.__file__)
        note({folder!r}, "modules", __file__)


class Sink(Bolt):
    def process(self, tup):
        note({folder!r}, "sunk", tup.values)


class Directed(Bolt):
    def process(self, tup):
        tasks = self.context.tasks_of("directed")
        note({folder!r}, "directed", [*tup.values, tasks.index(self.context.task_id)])


class Counted(Bolt):
    def process(self, tup):
        note({folder!r}, "counted", tup.values)
        try:
            self.report_metric("counted", 1)
        except NotDeclared as error:
            note({folder!r}, "refused", str(error))


class Measured(Bolt):
    metrics = {{
        "words": MetricKind.COUNT,
        "last": MetricKind.VALUE,
        "third": MetricKind.MEAN,
    }}

    def process(self, tup):
        self.report_metric("words", 1)
        self.report_metric("last", {{"word": tup.values[0]}})
        self.report_metric("third", 1 / 3)


topology = Topology("words", {{"topology.max.spout.pending": 100}})
words = topology.spout("words", Words)
by_word = words.stream().fields_grouping("word")
lengths = topology.bolt("lengths", Lengths, inputs=[by_word], parallelism=2)
topology.bolt("sink", Sink, inputs=[lengths.stream().shuffle()])
counter = topology.java_bolt(
    "counter",
    "org.apache.storm.testing.TestWordCounter",
    inputs=[words.stream().partial_key("word")],
    outputs=["word", "count"],
    parallelism=2,
)
topology.bolt("counted", Counted, inputs=[counter.stream().none()])

logged = {{"class": "org.apache.storm.metric.LoggingMetricsConsumer", "parallelism.hint": 1}}
config = topology.config | {{"topology.metrics.consumer.register": [logged]}}
more = Topology("more", config, list(topology.nodes))
more.bolt("measured", Measured, inputs=[words.stream().shuffle()])
more.bolt("directed", Directed, inputs=[words.stream("direct").direct()], parallelism=2)
"""

NOTING = """
import json
from pathlib import Path


def note(folder, name, what):
    with Path(folder, name).open("a") as file:
        file.write(json.dumps(what) + "\\n")
"""


def write(folder: Path, notes: Path) -> Notes:
    """Write the modules; return the path of their notes."""
    package = folder / "words_package"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "noting.py").write_text(NOTING)
    (folder / "wordy.py").write_text(MODULE.format(words=WORDS, folder=str(notes)))
    notes.mkdir(exist_ok=True)
    return Notes(notes)
