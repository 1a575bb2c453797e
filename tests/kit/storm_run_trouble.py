"""Topologies for `jvmwire storm run` whose components fail, die, are late, or break rules."""

import signal
import time
from typing import Any, ClassVar

from jvmwire.storm import Bolt, Level, ReliableSpout, Spout, Tuple
from jvmwire.storm.topology import Input, Stream, Topology


class Numbers(ReliableSpout):
    """Spout that emits numbers from 1."""

    outputs = ("number",)
    count: ClassVar = 50

    def __init__(self) -> None:
        super().__init__()
        self._number = 0
        self._done: list[Any] = []

    def next_tuple(self) -> None:
        if self._number < self.count:
            self._number += 1
            self.emit([self._number], id=self._number)

    def done(self, message_id: Any) -> None:
        self._done.append(message_id)

    def deactivate(self) -> None:
        self.log(f"done: {sorted(self._done)}", Level.WARN)


class Fails(Bolt):
    """Bolt that fails every tenth number at first sight."""

    config: ClassVar = {"topology.tick.tuple.freq.secs": 1}
    outputs = ("number",)

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[int] = set()

    def process(self, tup: Tuple) -> None:
        [number] = tup.values
        if number % 10 == 0 and number not in self._seen:
            self._seen.add(number)
            raise ValueError(f"not {number} at first sight")
        self.emit([number])

    def process_tick(self, tup: Tuple) -> None:
        self.log(f"tick {tup.values}")


class Sink(Bolt):
    """Bolt that consumes its input."""

    def process(self, tup: Tuple) -> None: ...


class Dies(Bolt):
    """Bolt that crashes at the first tuple."""

    def process(self, _: Tuple) -> None:
        signal.raise_signal(signal.SIGSEGV)


class Cannot(Bolt):
    """Bolt whose constructor fails."""

    def __init__(self) -> None:
        raise OSError("no such model")

    def process(self, tup: Tuple) -> None: ...


class Late(Bolt):
    """Bolt that never acks the number 3."""

    auto_ack = False

    def process(self, tup: Tuple) -> None:
        if tup.values != [3]:
            self.ack(tup)


class Hangs(Bolt):
    """Bolt that does not respond while it processes a tuple."""

    hang_limit = 0.0

    def process(self, _: Tuple) -> None:
        time.sleep(60)


class Regular(Spout):
    """Spout that emits a tuple without a task to a stream that needs one."""

    outputs = ("number",)

    def next_tuple(self) -> None:
        self.emit([1])


def _of(bolt: type[Bolt], way: Any = Stream.shuffle, **config: Any) -> Topology:
    made = Topology("tried", {"topology.max.spout.pending": 10, **config})
    numbers = made.spout("numbers", Numbers)
    taken: Input = way(numbers.stream())
    node = made.bolt("bolt", bolt, inputs=[taken], parallelism=2)
    if node.outputs:
        made.bolt("sink", Sink, inputs=[node.stream().global_grouping()])
    return made


failing = _of(Fails, lambda stream: stream.fields_grouping("number"))
dying = _of(Dies)
broken = _of(Cannot)
late = _of(Late, **{"topology.message.timeout.secs": 1})
hanging = _of(Hangs, **{"topology.subprocess.timeout.secs": 1})
unacked = _of(Late, **{"topology.acker.executors": 0})
custom = _of(Sink, lambda stream: stream.custom("a.Grouping"))
direct = Topology("direct")
direct.bolt("sink", Sink, inputs=[direct.spout("regular", Regular).stream().direct()])
java = Topology("java")
java.bolt("sink", Sink, inputs=[java.java_spout("words", "a.Words", outputs=["w"]).stream().all()])


class Gathers(Bolt):
    """Bolt that acks nothing until it has as many tuples as may be pending."""

    auto_ack = False

    def __init__(self) -> None:
        super().__init__()
        self._unacked: list[Tuple] = []

    def process(self, tup: Tuple) -> None:
        self._unacked.append(tup)
        if len(self._unacked) == MAX_PENDING:
            for each in self._unacked:
                self.ack(each)
            self._unacked.clear()


class Counting(Numbers):
    """Spout that logs how many of its tuples were pending at once."""

    def __init__(self) -> None:
        super().__init__()
        self._most = 0

    def next_tuple(self) -> None:
        super().next_tuple()
        self._most = max(self._most, self._number - len(self._done))

    def deactivate(self) -> None:
        self.log(f"pending at once: {self._most}", Level.WARN)


class Large(Spout):
    """Spout that emits large tuples without end."""

    outputs = ("text",)

    def next_tuple(self) -> None:
        self.emit(["x" * LARGE])


class Blocks(Bolt):
    """Bolt that is at its first tuple until the run ends."""

    def process(self, _: Tuple) -> None:
        while True:
            time.sleep(1)


class Measured(Bolt):
    """Bolt that reports a metric of each tuple."""

    def process(self, tup: Tuple) -> None:
        self.report_metric("numbers", tup.values[0])


MAX_PENDING = 5
LARGE = 16_384
"""Characters of a tuple."""


def _chain(spout: type[Spout], bolt: type[Bolt], **config: Any) -> Topology:
    made = Topology("tried", config)
    made.bolt("bolt", bolt, inputs=[made.spout("numbers", spout).stream().shuffle()])
    return made


gathering = _chain(Counting, Gathers, **{"topology.max.spout.pending": MAX_PENDING})
blocked = _chain(Large, Blocks)
flowing = _chain(Large, Sink)
measured = _chain(Numbers, Measured, **{"jvmwire.metrics.registered": True})
