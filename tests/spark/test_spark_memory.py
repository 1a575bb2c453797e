"""Two gigabytes of captures: neither the driver nor a worker takes more memory for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kit.captures import NAMENODE, decoded
from kit.environment import ROOT
from kit.scale_capture import amplify, copies_for

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 1 << 20
SIZE = 2_000_000_000
FILE = 60_000_000


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """A folder of two gigabytes: one file under many names, and its number of calls."""
    directory = tmp_path_factory.mktemp("large")
    one = directory / "one.pcap"
    copies = copies_for(NAMENODE, size=FILE)
    with one.open("wb") as out:
        amplify(NAMENODE, out, copies=copies)
    large = directory / "large"
    large.mkdir()
    for number in range(-(-SIZE // one.stat().st_size)):
        (large / f"day.pcap{number}").hardlink_to(one)
    yield large, copies * len(decoded(NAMENODE, "calls"))
    one.unlink()


@pytest.mark.timeout(900)
def test_two_gigabytes_take_no_more_memory_than_one_file(
    captures: tuple[Path, int], tmp_path: Path
) -> None:
    large, calls = captures
    files = len(list(large.iterdir()))
    result = tmp_path / "result.json"
    job = Path(__file__).with_name("large_job.py")
    subprocess.run(
        [sys.executable, job, large.with_name("one.pcap"), large, result],
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "tests"),
            "SPARK_LOCAL_IP": "127.0.0.1",
        },
    )
    told = json.loads(result.read_bytes())
    assert told["calls"] == [files * calls] * 2
    assert told["driver"] < 32 * MIB
    # The forking daemon, and a worker for each core.
    assert len(told["workers"]) >= 3
    assert max(told["workers"]) < 512 * MIB
