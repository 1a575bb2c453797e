"""Recorder of jvmwire components in a real Storm.

PYTHONPATH=tests python -m kit.storm_record OUT_DIR
"""

import sys
import tempfile
import time
from pathlib import Path

from .environment import ROOT
from .storm import Cluster, eventually, storm_version
from .storm_components import COUNT_SETTING, Doubler, Notes, Sink, Words, noted

COUNT = 60


def record(out: Path) -> None:
    """Record a spout and a bolt: emits of all kinds, acks, a failure, ticks, heartbeats, logs."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        notes = Notes(folder)
        topology = noted("recorded", folder, **{COUNT_SETTING: COUNT})
        words = topology.spout("words", Words)
        inputs = [words.stream().fields_grouping("number"), words.stream("side").shuffle()]
        doubler = topology.bolt(
            "doubler", Doubler, inputs=[*inputs, words.stream("direct").direct()]
        )
        topology.bolt("sink", Sink, inputs=[doubler.stream().shuffle()])
        with Cluster(folder / "cluster") as cluster:
            how = {"components": ROOT / "tests", "direct": ("direct",), "record": folder / "out"}
            with cluster.running(topology, **how):
                eventually(lambda: len(notes.read("acked")) == COUNT)
                cluster.order("deactivate", "recorded")
                time.sleep(1)
            time.sleep(2)
        for name in ("Words", "Doubler"):
            [capture] = (folder / "out").glob(f"{name}-*.pcap")
            (out / f"{name.lower()}-{storm_version()}.pcap").write_bytes(capture.read_bytes())


if __name__ == "__main__":
    record(Path(sys.argv[1]))
