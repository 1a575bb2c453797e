"""The guide on doubles runs as it stands."""

from pathlib import Path

from kit.guide import run_python


def test_the_page_on_doubles_runs(tmp_path: Path) -> None:
    found = run_python("testing.md", tmp_path)
    hadoop, both = [names["pytest_plugins"] for names in found if "pytest_plugins" in names]
    assert hadoop == ["jvmwire.hadoop.testing.plugin"]
    assert both == [*hadoop, "jvmwire.hazelcast.testing.plugin"]
