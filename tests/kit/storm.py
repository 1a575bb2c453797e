"""Storm's peer: a cluster in one JVM, which runs topologies of jvmwire's components."""

import functools
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jvmwire.storm._session import METRICS_REGISTERED
from jvmwire.storm.topology import OWN_SPOUT_CLASS, SPOUT_CLASS, Topology

from . import polling
from .jvm import PEERS, Program
from .peer import Peer

PACKAGE = "jvmwire.peers.storm"
SUBMIT_TIMEOUT = 60.0


def storm_version() -> str:
    """Return the Storm version of the peers, from their pom."""
    pom = ET.parse(PEERS / "storm" / "pom.xml")  # noqa: S314 - our own file
    version = pom.findtext(".//{*}storm.version")
    assert version is not None
    return version


class Cluster(Peer):
    """A LocalCluster."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        super().__init__(
            Program(
                module="storm",
                main=f"{PACKAGE}.Cluster",
                directory=directory,
                # The files that would be uploaded to a remote cluster.
                properties={"storm.jar": str(PEERS / "storm" / "target" / "storm-1.jar")},
                heap="400m",
            )
        )

    def order(self, verb: str, what: str) -> None:
        """Start a command of the cluster, and wait until it is under way."""
        answer = self.ask(f"{verb} {what}", timeout=SUBMIT_TIMEOUT)
        while not answer.startswith("ANSWER "):
            answer = self._answer("ANSWER ", SUBMIT_TIMEOUT)
        if answer != "ANSWER ok":
            raise self.program.error(f"does not {verb} {what}: {answer}")

    def acked(self, topology: str) -> int:
        """Return how many tuples of the topology's `Source` were processed."""
        return int(self.ask(f"acked {topology}", start="ANSWER ").removeprefix("ANSWER "))

    def submit(
        self,
        topology: Topology,
        *,
        components: Path,
        record: Path | None = None,
    ) -> None:
        """Run a topology whose components' modules lie in `components`.

        All traffic goes to captures in `record`.
        """
        flux = topology.flux(path=str(components))
        del flux["config"][METRICS_REGISTERED]  # the peers' classes do register metrics
        for node in flux["spouts"] + flux["bolts"]:
            is_spout = node["className"] in {SPOUT_CLASS, OWN_SPOUT_CLASS}
            node["className"] = f"{PACKAGE}.{'PeerSpout' if is_spout else 'PeerBolt'}"
            if record is not None:
                [command] = node["constructorArgs"]
                command[-1:] = ["--record", str(record), command[-1]]
        path = self.directory / f"{topology.name}.yaml"
        path.write_text(json.dumps(flux))
        self.order("submit", str(path))

    @contextmanager
    def running(self, topology: Topology, **how: Any) -> Iterator[None]:
        """Run a topology for the duration of the block."""
        self.submit(topology, **how)
        try:
            yield
        finally:
            self.order("kill", topology.name)

    @property
    def log(self) -> str:
        """Output of the cluster so far."""
        return self.program.log.read_text("utf-8", "replace")


eventually = functools.partial(polling.eventually, within=240.0, every=0.05)
"""Waits as long as a topology may take to begin."""
