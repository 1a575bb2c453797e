"""Each program in `examples` runs as its first line says, and prints what it should."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from jvmwire.hadoop.testing import NameNodeDouble
from kit.captures import NAMENODE
from kit.environment import ROOT

EXAMPLES = ROOT / "examples"
PRINTED = {
    "top_callers.py": ("CAPTURE", "2706 alice ClientProtocol.mkdirs"),
    "duckdb_on_a_capture.py": ("CAPTURE", "us    962 ClientProtocol.getContentSummary"),
    "hdfs_inventory.py": ("URL /data", "1,048,576 /data"),
    "hdfs_watch.py": ("URL /data /nope", "missing /nope"),
    "own_rpc_service.py": ("", "2 + 3 = 5"),
}
"""The arguments of each program, and a part of what it prints."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with NameNodeDouble() as double:
        double.put("/data/part-0", length=1 << 20, owner="hdfs")
        yield double.url


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_program_prints_its_result(name: str, url: str) -> None:
    given, printed = PRINTED[name]
    words = given.replace("CAPTURE", str(NAMENODE)).replace("URL", url).split()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout


def test_no_program_is_left_out() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)
