"""jvmwire's components in a real Storm: one cluster, and its topologies."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from kit.environment import ROOT
from kit.storm import Cluster, eventually
from kit.storm_components import (
    COUNT,
    FAILS_EVERY,
    SIDE_EVERY,
    WAIT_TIMEOUT,
    Batches,
    Blocking,
    Doubler,
    Notes,
    Sink,
    Sleeping,
    Words,
    noted,
)

COMPONENTS = ROOT / "tests"
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("storm")) as cluster:
        yield cluster


def test_a_topology_of_our_components_processes_all_that_it_is_given(cluster, tmp_path):
    work = noted("work", tmp_path)
    work.config["topology.metrics.consumer.register"] = [
        {"class": "org.apache.storm.metric.LoggingMetricsConsumer", "parallelism.hint": 1}
    ]
    words = work.spout("words", Words)
    inputs = [words.stream().fields_grouping("number"), words.stream("side").shuffle()]
    doubler = work.bolt("doubler", Doubler, inputs=[*inputs, words.stream("direct").direct()])
    work.bolt("sink", Sink, inputs=[doubler.stream().shuffle()], parallelism=2)
    work.bolt("batches", Batches, inputs=[doubler.stream().shuffle()])
    (tmp_path / "patient").mkdir()
    notes, of_patient = Notes(tmp_path), Notes(tmp_path / "patient")
    side = COUNT // SIDE_EVERY
    emitted = COUNT + 2 * side
    # Work that takes longer than Storm waits runs in parallel.
    patient = noted(
        "patient", tmp_path / "patient", **{"topology.subprocess.timeout.secs": WAIT_TIMEOUT}
    )
    slow = patient.spout("slow", Blocking)
    patient.bolt("sleeping", Sleeping, inputs=[slow.stream().shuffle()])
    with (
        cluster.running(work, components=COMPONENTS),
        cluster.running(patient, components=COMPONENTS),
    ):
        eventually(lambda: len(notes.read("acked")) == emitted)
        cluster.order("deactivate", "work")
        eventually(lambda: notes.read("activity") == ["activated", "deactivated"])
        eventually(lambda: of_patient.read("acked") == ["slow"])
        eventually(lambda: len(notes.read("ticks")) > 1)
        eventually(lambda: re.search(r":words\s+count\s+[1-9]", cluster.log))
    # Each failed tuple was processed twice, and the second time succeeded.
    assert Counter(notes.read("streams")) == {
        "default": COUNT + COUNT // FAILS_EVERY,
        "side": side,
        "direct": side,
    }
    doubled = [2 * number for number in range(1, COUNT + 1)]
    doubled += [2 * SIDE_EVERY * number for number in range(1, side + 1)] * 2
    assert Counter(notes.read("sunk")) == Counter(doubled)
    batches = notes.read("batches")
    assert Counter(chain.from_iterable(batches)) == Counter(doubled)
    assert max(map(len, batches)) > 1
    tasks = notes.read("tasks")
    assert len(tasks) == sum(number % 7 == 0 for number in (n // 2 for n in doubled))
    # One of the two sinks, and the batches.
    assert all(len(ids) == 2 for ids in tasks)
    assert of_patient.read("slept") == [1]
    for said in ("printed by Python", "printed by a child", "printed by C"):
        assert said in cluster.log
    assert "WARN ShellSpout" in cluster.log
    assert "ERROR ShellBolt" in cluster.log
    assert "ValueError: not at first sight" in cluster.log
