"""Real servers to try commands and clients on: `make serve S=hdfs`, until Ctrl-C.

A server is that of the tests, with all its data in a temporary folder.
"""

import argparse
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from kit.hadoop import MiniDfs
from kit.hama import run_hama
from kit.hazelcast import Member
from kit.pravega import StandalonePeer
from kit.storm import Cluster

TOPOLOGY = """
import time

from jvmwire.storm import Bolt, Spout
from jvmwire.storm.topology import Topology


class Words(Spout):
    outputs = ("word",)

    def next_tuple(self):
        time.sleep(1)
        self.emit(["storm"])


class Lengths(Bolt):
    def process(self, tup):
        self.log(f"{tup.values[0]} has {len(tup.values[0])} letters")


topology = Topology("words")
words = topology.spout("words", Words)
topology.bolt("lengths", Lengths, inputs=[words.stream().shuffle()])
"""


@contextmanager
def hdfs(folder: Path) -> Iterator[list[str]]:
    """Run a NameNode with a DataNode."""
    with MiniDfs(folder) as peer:
        server = f"--server 127.0.0.1:{peer.port} --user hdfs"
        yield [
            f"a NameNode serves at {peer.url}, its pages at http://127.0.0.1:{peer.web_port}",
            f"jvmwire hadoop mkdir /data {server}",
            f"jvmwire hadoop ls / {server}",
        ]


@contextmanager
def hazelcast(folder: Path) -> Iterator[list[str]]:
    """Run a cluster of one member."""
    with Member(folder) as member:
        server = f"--server 127.0.0.1:{member.port}"
        yield [
            f"a member of Hazelcast serves at 127.0.0.1:{member.port}",
            f"jvmwire hazelcast put prices apple 3 {server}",
            f"jvmwire hazelcast top {server}",
        ]


@contextmanager
def pravega(folder: Path) -> Iterator[list[str]]:
    """Run a controller and a segment store."""
    with StandalonePeer(folder) as peer:
        server = f"--server 127.0.0.1:{peer.port}"
        yield [
            f"a controller serves at 127.0.0.1:{peer.port}, its segment store at {peer.store}",
            f"jvmwire pravega create --stream shop/orders {server}",
            f"echo order | jvmwire pravega append --stream shop/orders {server}",
            f"jvmwire pravega cat --stream shop/orders {server}",
        ]


@contextmanager
def storm(folder: Path) -> Iterator[list[str]]:
    """Run a cluster in one JVM with a topology of components in Python."""
    components = folder / "components"
    components.mkdir()
    (components / "serve_words.py").write_text(TOPOLOGY)
    sys.path.insert(0, str(components))
    from serve_words import topology  # type: ignore[import-not-found]  # written above

    with Cluster(folder / "cluster") as cluster:
        cluster.submit(topology, components=components)
        log = cluster.program.log
        yield [
            f"Storm runs the topology `words` of {components / 'serve_words.py'}",
            f"tail -f {log}",
        ]


@contextmanager
def hama(folder: Path) -> Iterator[list[str]]:
    """Run a job of three peers, which has ended when this is told: Hama serves nobody else."""
    job = run_hama(folder / "job", "programs:Hello", peers=3)
    lines = [f"{key}\t{value}" for key, value in job.output]
    ending = "succeeded" if job.succeeded else "failed"
    yield [*lines, f"Hama's job {ending}; its log is {job.log}"]


SERVERS: Mapping[str, Callable[[Path], AbstractContextManager[list[str]]]] = {
    "hdfs": hdfs,
    "hazelcast": hazelcast,
    "pravega": pravega,
    "storm": storm,
    "hama": hama,
}
"""The servers by the names that `make serve` takes."""


def main() -> None:
    """Run a server until SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(prog="make serve", description=__doc__)
    parser.add_argument("server", metavar="S", choices=SERVERS)
    name = parser.parse_args().server
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(prefix=f"jvmwire-{name}-") as folder,
        suppress(KeyboardInterrupt),
        SERVERS[name](Path(folder)) as lines,
    ):
        sys.stdout.write("\n".join([*lines, "Ctrl-C ends\n"]))
        sys.stdout.flush()
        signal.pause()


if __name__ == "__main__":
    main()
