"""Each program in `examples` runs as its first line says, and prints what it should."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jvmwire.hadoop.testing import NameNodeDouble
from jvmwire.hazelcast.testing import HazelcastDouble
from jvmwire.pravega.testing import PravegaDouble
from kit.captures import NAMENODE
from kit.environment import ROOT
from kit.notebooks import run_notebook

EXAMPLES = ROOT / "examples"
PRINTED = {
    "top_callers.py": ("CAPTURE", "2706 alice ClientProtocol.mkdirs"),
    "duckdb_on_a_capture.py": ("CAPTURE", "us    962 ClientProtocol.getContentSummary"),
    "hdfs_inventory.py": ("URL /data", "1,048,576 /data"),
    "hdfs_watch.py": ("URL /data /nope", "missing /nope"),
    "own_rpc_service.py": ("", "2 + 3 = 5"),
    "polars_on_a_capture.py": ("CAPTURE", "2809 calls, median   1239 us"),
    "report_on_a_capture.py": ("CAPTURE FOLDER", "(job broken-job) asked getBlockLocations"),
    "hazelcast_work_queue.py": ("MEMBER", "100 jobs are done, and 12 * 12 is 144"),
    "pravega_orders.py": ("CONTROLLER", "order 0\norder 1\norder 2\n"),
    "storm_word_lengths.py": ("", "storm 5\nhama 4\n2 tuples are acknowledged, 0 have failed"),
}
"""The arguments of each program, and a part of what it prints."""


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, str]]:
    """The addresses of doubles by the word that stands for them."""
    with NameNodeDouble() as namenode, HazelcastDouble() as cluster:
        namenode.put("/data/part-0", length=1 << 20, owner="hdfs")
        with PravegaDouble(controller=True) as double:
            yield {
                "URL": namenode.url,
                "MEMBER": cluster.address,
                "CONTROLLER": double.controller,
                "CAPTURE": str(NAMENODE),
            }


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_program_prints_its_result(name: str, servers: dict[str, str], tmp_path: Path) -> None:
    given, printed = PRINTED[name]
    known = servers | {"FOLDER": str(tmp_path / "report")}
    words = [known.get(word, word) for word in given.split()]
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout


def test_the_notebook_on_duckdb_and_polars_runs(tmp_path: Path) -> None:
    results = run_notebook(EXAMPLES / "capture_in_duckdb_and_polars.ipynb", tmp_path)
    assert "('alice', 5432, " in results
    assert "'/data/events/_SUCCESS'" in results
    assert "p99_us" in results


def test_no_program_is_left_out() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)
