"""The guide on doubles runs as it stands."""

from kit.guide import run_python


def test_the_page_on_doubles_runs() -> None:
    plugins = ["jvmwire.hadoop.testing.plugin", "jvmwire.hazelcast.testing.plugin"]
    assert run_python("testing.md")["pytest_plugins"] == plugins
