"""A bolt that is killed: its unfinished tuples are replayed."""

import os
import signal

import pytest

from jvmwire.storm.topology import Topology
from kit.environment import ROOT
from kit.storm import Cluster, eventually
from kit.storm_components import COUNT, Lines, Notes, Slow, noted

COMPONENTS = ROOT / "tests"
pytestmark = pytest.mark.timeout(600)


def test_what_a_killed_bolt_left_is_processed_after_a_restart(tmp_path):
    notes = Notes(tmp_path)

    def lossy() -> Topology:
        lossy = noted("lossy", tmp_path)
        lines = lossy.spout("lines", Lines)
        lossy.bolt("slow", Slow, inputs=[lines.stream().shuffle()])
        return lossy

    cluster = Cluster(tmp_path / "first")
    with cluster:
        cluster.submit(lossy(), components=COMPONENTS)
        eventually(lambda: len(notes.read("acked")) > COUNT // 10)
        [pid] = [pid for name, pid in notes.read("pids") if name == "slow"]
        os.kill(pid, signal.SIGKILL)
        # Storm ends the worker, which runs everything here.
        eventually(lambda: "Pipe to subprocess seems to be broken" in cluster.log)
    acked = set(notes.read("acked"))
    assert len(acked) < COUNT
    with Cluster(tmp_path / "second") as again, again.running(lossy(), components=COMPONENTS):
        eventually(lambda: len(set(notes.read("acked"))) == COUNT)
    assert set(notes.read("processed")) == set(range(COUNT))
    # Tuples acked before were not replayed.
    assert len(notes.read("acked")) == COUNT
