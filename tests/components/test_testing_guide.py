"""The guide on doubles runs as it stands."""

from pathlib import Path

from kit.guide import run_python


def test_the_page_on_doubles_runs(tmp_path: Path) -> None:
    *_, last = run_python("testing.md", tmp_path)
    assert last["pytest_plugins"] == ["jvmwire.hadoop.testing.plugin"]
