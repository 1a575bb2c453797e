"""The examples of the guide's page about Spark work as written."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from kit.captures import NAMENODE, SASL, decoded
from kit.guide import run_python

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.mark.timeout(600)  # six queries, one of them a stream
def test_the_examples_run_one_after_the_other(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    (captures / "day.pcap0").write_bytes(gzip.decompress(NAMENODE.read_bytes()))
    (captures / "day.pcap1").write_bytes(SASL.read_bytes())
    first, *_, files, _ = run_python(
        "spark.md", tmp_path, {'"captures/"': f'"{captures}"', '"state/': f'"{tmp_path}/state/'}
    )
    every = len(decoded(NAMENODE, "calls")) + len(decoded(SASL, "calls"))
    assert first["calls"].count() == every
    connections = len(decoded(NAMENODE, "streams")) + len(decoded(SASL, "streams"))
    assert f"{connections} connections" in capsys.readouterr().out
    assert [file["error"] for file in files["files"].collect()] == [None, None]
    answered = spark.read.parquet(str(tmp_path / "state" / "calls"))
    assert every - 20 < answered.where("reply_offset IS NOT NULL").count() <= every
