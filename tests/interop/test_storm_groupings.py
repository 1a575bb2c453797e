"""`storm run` routes as a real Storm does: the same topology in both."""

from collections import Counter
from pathlib import Path

import pytest

from jvmwire.storm._process_cluster import RunOptions, run_topology
from kit import storm_groupings as tried
from kit.environment import ROOT
from kit.storm import Cluster, eventually
from kit.storm_components import Notes

COMPONENTS = ROOT / "tests"


def folder(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.mark.timeout(600)
def test_each_grouping_leads_to_the_tasks_that_storm_chooses(tmp_path: Path) -> None:
    real, ours = (Notes(folder(tmp_path / name)) for name in ("real", "ours"))
    expected = tried.expected_acks()
    with Cluster(folder(tmp_path / "cluster")) as cluster:
        topology = tried.topology("groupings", tmp_path / "real")
        with cluster.running(topology, components=COMPONENTS):
            eventually(lambda: len(real.read("acked")) >= expected)
    result = run_topology(
        tried.topology("groupings", tmp_path / "ours"),
        RunOptions(folder=COMPONENTS, tuples=expected, seconds=60),
    )
    assert result.failure is None
    assert (result.counts["values"].acked, len(ours.read("acked"))) == (expected, expected)
    [numbers], [in_storm] = ours.read("components"), real.read("components")
    assert numbers == [each for each in in_storm if not each[1].startswith("__metrics")]
    for way in ("fields", "all", "whole", "direct"):
        met = tried.tasks_met(ours, way)
        assert met == tried.tasks_met(real, way), way
        assert len(met) == len(tried.VALUES)
    # Which of the two tasks of a key has had fewer tuples depends on their order.
    met, in_real = (tried.tasks_met(notes, "partial") for notes in (ours, real))
    assert met.keys() == in_real.keys() == set(tried.KEYS)
    assert all(len(met[key] | in_real[key]) <= 2 for key in met)
    for way in ("shuffle", "none"):
        assert len(ours.read(way)) == len(tried.VALUES) * tried.ROUNDS
    shuffled = Counter(task for _, task in ours.read("shuffle"))
    assert max(shuffled.values()) - min(shuffled.values()) <= 1
