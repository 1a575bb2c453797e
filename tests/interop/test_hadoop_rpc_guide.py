"""The examples of the guide's page on interfaces run."""

from pathlib import Path

from kit.guide import run_python


def test_the_pages_examples_run(tmp_path: Path) -> None:
    first, *_ = run_python("hadoop-rpc.md", tmp_path)
    assert first["PingRPC"].version == 1
