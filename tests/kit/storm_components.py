"""Components that a real Storm runs in the tests; they write notes of their input to files."""

import asyncio
import ctypes
import json
import logging
import os
import time
from pathlib import Path
from typing import Any, ClassVar

from jvmwire.storm import (
    AsyncBolt,
    BatchingBolt,
    Bolt,
    Component,
    Context,
    Level,
    ReliableSpout,
    Spout,
    Tuple,
)
from jvmwire.storm.topology import Topology

NOTES = "jvmwire.test.notes"
"""The setting for the folder of the notes."""

COUNT_SETTING = "jvmwire.test.count"
"""The setting for the number of tuples that a spout emits."""

WORD = "wörd ✓ 😀"
COUNT = 600
SIDE_EVERY = 100
FAILS_EVERY = 50


class Notes:
    """Folder of files with one line of JSON per note."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, name: str, what: Any) -> None:
        with (self._folder / name).open("a") as file:
            file.write(f"{json.dumps(what)}\n")

    def read(self, name: str) -> list[Any]:
        path = self._folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def noted(name: str, folder: Path, **config: object) -> Topology:
    """Return a topology without components yet, whose notes go to `folder`."""
    return Topology(name, {NOTES: str(folder), "topology.max.spout.pending": 50, **config})


class Noted(Component):
    """Mixin that writes notes."""

    notes: Notes

    def initialize(self, conf: dict[str, Any], context: Context) -> None:
        self.notes = Notes(Path(conf[NOTES]))
        self.notes.add("pids", [context.component, os.getpid()])


class Words(Noted, ReliableSpout):
    """Spout of numbers with a word; some tuples go to a second stream, some directly to a task."""

    outputs: ClassVar = {"default": ["number", "word"], "side": ["number"], "direct": ["number"]}

    def initialize(self, conf: dict[str, Any], context: Context) -> None:
        super().initialize(conf, context)
        self._emitted = 0
        self._count = conf.get(COUNT_SETTING, COUNT)
        self._tasks = context.tasks_of("doubler")
        self.log("the spout is up", Level.WARN)

    def next_tuple(self) -> None:
        if self._emitted == self._count:
            return
        self._emitted += 1
        self.emit([self._emitted, WORD])
        if self._emitted % SIDE_EVERY == 0:
            self.emit([self._emitted], stream="side", id=self._emitted)
            self.emit([self._emitted], stream="direct", task=self._tasks[0])
            self.report_metric("count", 1)

    def done(self, message_id: Any) -> None:
        self.notes.add("acked", message_id)

    def activate(self) -> None:
        self.notes.add("activity", "activated")

    def deactivate(self) -> None:
        self.notes.add("activity", "deactivated")


class Doubler(Noted, Bolt):
    """Bolt that doubles numbers, and raises at the first sight of some."""

    outputs = ("number",)
    config: ClassVar = {"topology.tick.tuple.freq.secs": 1}

    def initialize(self, conf: dict[str, Any], context: Context) -> None:
        super().initialize(conf, context)
        self._failed: set[int] = set()
        print("printed by Python")  # noqa: T201 - it is seen to
        os.system("echo printed by a child")  # noqa: S605
        libc = ctypes.CDLL(None)
        libc.puts(b"printed by C")
        libc.fflush(None)

    def process(self, tup: Tuple) -> None:
        number = tup.values[0]
        self.notes.add("streams", tup.stream)
        if tup.stream == "default" and number % FAILS_EVERY == 0 and number not in self._failed:
            self._failed.add(number)
            raise ValueError("not at first sight")
        tasks = self.emit([2 * number], need_task_ids=number % 7 == 0)
        if tasks is not None:
            self.notes.add("tasks", tasks)

    def process_tick(self, tup: Tuple) -> None:
        logging.getLogger("ticks").error("tick %s", tup.values)
        self.notes.add("ticks", tup.values)


class Sink(Noted, AsyncBolt):
    """Bolt that consumes its input, many tuples at a time."""

    async def process(self, tup: Tuple) -> None:
        await asyncio.sleep(0.01)
        self.notes.add("sunk", tup.values[0])


class Batches(Noted, BatchingBolt):
    """Bolt that consumes its input in batches of one parity."""

    batch_size = 25
    batch_seconds = 0.2

    def group_key(self, tup: Tuple) -> bool:
        return bool(tup.values[0] % 2)

    def process_batch(self, key: Any, tuples: list[Tuple]) -> None:
        assert all(tup.values[0] % 2 == key for tup in tuples)
        self.notes.add("batches", [tup.values[0] for tup in tuples])


WAIT_TIMEOUT = 3
"""Seconds that Storm waits for a heartbeat, in the topology of the slower components."""

BUSY = 2.4 * WAIT_TIMEOUT


class Blocking(Noted, Spout):
    """Bolt that blocks for longer than Storm waits for a heartbeat, then emits one tuple."""

    outputs = ("number",)
    _emitted = False

    def next_tuple(self) -> None:
        if not self._emitted:
            time.sleep(BUSY)
            self._emitted = True
            self.emit([1], id="slow")

    def acked(self, message_id: Any) -> None:
        self.notes.add("acked", message_id)


class Sleeping(Noted, Bolt):
    """Bolt that sleeps for longer than Storm waits for a heartbeat."""

    def process(self, tup: Tuple) -> None:
        time.sleep(BUSY)
        self.notes.add("slept", tup.values[0])


class Lines(Noted, ReliableSpout):
    """Spout that emits the numbers not noted as processed: its state outlives the process."""

    outputs = ("number",)

    def initialize(self, conf: dict[str, Any], context: Context) -> None:
        super().initialize(conf, context)
        done = set(self.notes.read("acked"))
        self._left = [number for number in range(COUNT) if number not in done]

    def next_tuple(self) -> None:
        if self._left:
            number = self._left.pop()
            self.emit([number], id=number)

    def done(self, message_id: Any) -> None:
        self.notes.add("acked", message_id)


class Slow(Noted, Bolt):
    """Slow bolt."""

    def process(self, tup: Tuple) -> None:
        time.sleep(0.005)
        self.notes.add("processed", tup.values[0])
