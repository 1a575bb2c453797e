"""The commands that the pages show: each is run, or checked by the parser of its options."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from jvmwire import pravega
from jvmwire.hadoop.testing import NameNodeDouble
from jvmwire.hazelcast.testing import HazelcastDouble
from jvmwire.pravega.testing import PravegaDouble
from kit.captures import NAMENODE, SEED
from kit.environment import BIN
from kit.guide import Command, commands, examples, pages, shows, wrong_usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

NOT_RUN: Mapping[str, str] = {
    "make ": "the targets of the Makefile are what a run of CI consists of",
    "pip install": "tests/package installs the wheel",
    "sudo tcpdump ": "needs root and a network interface",
    "tcpdump ": "needs root and a network interface",
    "buildah ": "needs containers",
    "here=": "a variable for containers",
    "hama pipes": "needs a cluster",
    "jvmwire report captures/ -o report --master": "needs a cluster",
    "jvmwire spark check": "tests/spark runs it",
    "jvmwire hadoop serve": "runs until Ctrl-C; tests/cli/test_hadoop_serve.py runs it",
    "jvmwire top nn.pcap": "runs until Ctrl-C; tests/cli/test_top.py runs it",
    "jvmwire top /var/captures": "runs until Ctrl-C; tests/cli/test_top.py runs it",
    "jvmwire decode 's3://": "needs a bucket",
    "jvmwire decode secured.pcap": "needs a capture of a secured connection",
    "jvmwire storm local": "tests/interop/test_storm_topologies.py runs it with Maven",
    "jvmwire storm jar": "needs Storm's jars",
    "jvmwire hama": "tests/interop/test_hama_guide.py runs it",
    "jvmwire hazelcast serve": "runs until Ctrl-C; tests/cli/test_hazelcast_serve.py runs it",
    "jvmwire hazelcast top --config": "needs a file with the addresses of a cluster",
    "jvmwire hazelcast listen": "runs until Ctrl-C; tests/cli/test_hazelcast_command.py runs it",
    "jvmwire pravega serve": "runs until Ctrl-C; tests/cli/test_pravega_serve.py runs it",
    "jvmwire pravega tail": "runs until Ctrl-C; tests/interop/test_pravega_commands.py runs it",
    "jvmwire pravega cat --stream --server one,two": "needs two controllers",
    "jvmwire pravega cat --stream --ca-file": "needs a controller with TLS",
    "jvmwire decode calls.pcap": "tests/components/test_clients_guide.py runs it",
    "jvmwire hadoop call getClusterMetrics": "tests/interop/test_hadoop_yarn.py runs it",
    "jvmwire hadoop ls /user": "the servers come from a variable with two NameNodes",
}
"""Beginnings of the commands that are only parsed here, and why."""
STATUS = {"jvmwire compare": (0, 5)}
"""Exit statuses other than 0 that a page's command may have."""


def is_run(command: Command) -> bool:
    return not any(command.text.startswith(start) for start in NOT_RUN)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the pages name."""
    capture = gzip.decompress(NAMENODE.read_bytes())
    for name in ("captures", "monday", "tuesday", "captures/a"):
        (tmp_path / name).mkdir()
    shutil.copy(NAMENODE, tmp_path / "namenode.pcap.gz")
    for name in ("nn.pcap", "namenode.pcap", "captures/nn.pcap"):
        (tmp_path / name).write_bytes(capture)
    shutil.copy(NAMENODE, tmp_path / "captures" / "a" / "nn-1.pcap.gz")
    for name in ("monday/nn.pcap.gz", "tuesday/nn.pcap.gz"):
        shutil.copy(NAMENODE, tmp_path / name)
    shutil.copy(NAMENODE, tmp_path / "nn-1.pcap.gz")
    (tmp_path / "orders.txt").write_text("one\ntwo\n")
    shutil.copy(SEED / "reply.bin", tmp_path / "reply.bin")
    for block in examples("storm.md", "python"):
        if block.file_name:
            (tmp_path / block.file_name).write_text(block.text)
    return tmp_path


@dataclass(frozen=True, slots=True)
class Servers:
    """The addresses of doubles."""

    namenode: str
    member: str
    store: str
    controller: str

    def named_in(self, text: str) -> str:
        """Return a command with these addresses instead of those that a page has."""
        if "jvmwire pravega" in text:
            return re.sub(
                r"--server (localhost|controller\S*)", f"--server {self.controller}", text
            )
        return text.replace("--server localhost", f"--server {self.namenode}")


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """Doubles: of a NameNode with a file in /data, of a member, and of Pravega with a stream."""
    with (
        NameNodeDouble() as namenode,
        HazelcastDouble() as cluster,
        PravegaDouble(controller=True) as double,
    ):
        namenode.put("/data/part-0", length=1 << 20, owner="hdfs")
        with pravega.connect(double.controller) as client:
            client.create_scope("shop")
            client.create_stream("shop/orders")
        yield Servers(
            namenode.url.removeprefix("hdfs://"),
            cluster.address,
            double.address,
            double.controller,
        )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", [page for page in pages() if any(map(is_run, commands(page)))])
def test_the_commands_of_a_page_do_what_it_shows(page: str, folder: Path, servers: Servers) -> None:
    path = f"{BIN}:{os.environ['PATH']}"
    variables = os.environ | {"PATH": path, "HADOOP_USER_NAME": "hdfs", "COLUMNS": "100"}
    variables |= {
        "JVMWIRE_HAZELCAST_SERVER": servers.member,
        "JVMWIRE_PRAVEGA_SERVER": servers.store,
    }
    for command in filter(is_run, commands(page)):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", servers.named_in(command.text)],
            cwd=folder, env=variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        where = f"{page}:{command.line}: {command.text}"
        allowed = next((STATUS[start] for start in STATUS if command.text.startswith(start)), (0,))
        assert done.returncode in allowed, f"{where}: {done.stderr}"
        if command.output:
            said = (done.stdout + done.stderr).replace(str(folder), "/home/alice")
            assert shows(said, command.output), f"{where}\n{said[:2000]}"


@pytest.mark.parametrize("page", [page for page in pages() if commands(page)])
def test_the_parser_accepts_every_command(page: str) -> None:
    assert [wrong for command in commands(page) if (wrong := wrong_usage(command))] == []


def test_a_command_with_a_wrong_option_is_found() -> None:
    wrong = [
        wrong_usage(Command("page.md", 1, text, ()))
        for text in ("jvmwire decode --tabel calls x", "cat x | jvmwire decod -", "jvmwire top x")
    ]
    assert [bool(one) for one in wrong] == [True, True, False]


def test_each_reason_is_needed() -> None:
    all_commands = [command.text for page in pages() for command in commands(page)]
    unused = [start for start in NOT_RUN if not any(one.startswith(start) for one in all_commands)]
    assert unused == []
