"""The guide on doubles runs as it stands."""

from kit.guide import run_python


def test_the_page_on_doubles_runs() -> None:
    assert run_python("testing.md")["pytest_plugins"] == ["jvmwire.hadoop.testing.plugin"]
