"""Faults that users of other Storm components reported, tried with jvmwire."""

import pytest

from jvmwire.storm import BatchingBolt, Tuple
from jvmwire.storm.compat import pystorm
from jvmwire.storm.testing import StormHarness


class Batches(BatchingBolt):
    """Bolt that emits the streams of the tuples of each batch."""

    outputs = ("streams",)
    batch_seconds = 0.2
    batch_size = 4

    def process_batch(self, _: object, tuples: list[Tuple]) -> None:
        self.emit([[tup.stream for tup in tuples]])


def test_heartbeats_and_ticks_are_in_no_batch() -> None:
    """pystorm/streamparse#148: heartbeats of Storm 0.9.4 appeared in the list of tuples."""
    with StormHarness(Batches) as storm:
        for number in range(4):
            storm.send_tuple([number])
            storm.heartbeat()
            storm.tick()
        said = storm.settle()
    streams = [stream for one in said.emitted for stream in one.values[0]]
    assert streams == ["default"] * 4
    assert said.syncs == 4
    assert len(said.acked) == 8


class Undecodable(pystorm.Bolt):
    """Bolt that emits bytes that are not UTF-8 if the tuple requests it."""

    exit_on_exception = False

    def process(self, tup: pystorm.Tuple) -> None:
        self.emit([b"\xbe\x00" if tup.values[0] == "wrong" else b"right"])


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_tuple_whose_emit_cannot_be_written_fails_and_the_next_does_not(rounds: int) -> None:
    """pystorm/streamparse#404: the error was logged, and the tuple neither failed nor sent."""
    with StormHarness(Undecodable, outputs={"default": ["text"]}) as storm:
        said = storm.process(*([["wrong"], ["right"]] * rounds))
    assert [one.values for one in said.emitted] == [["right"]] * rounds
    assert len(said.failed) == len(said.acked) == len(said.errors) == rounds
