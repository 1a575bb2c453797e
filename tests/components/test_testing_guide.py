"""The guide on doubles runs as it stands."""

from pathlib import Path

from kit.guide import run_python


def test_the_page_on_doubles_runs(tmp_path: Path) -> None:
    found = run_python("testing.md", tmp_path)
    [plugins] = [names["pytest_plugins"] for names in found if "pytest_plugins" in names]
    assert plugins == ["jvmwire.hadoop.testing.plugin"]
