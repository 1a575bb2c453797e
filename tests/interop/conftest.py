"""Fixtures of tests with the real servers and JVM classes."""

import pytest

PLUGINS = (
    "kit.certificates",
    "kit.peer_fixtures",
    "kit.spark_fixtures",
)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures of this folder's tests."""
    for plugin in PLUGINS:
        config.pluginmanager.import_plugin(plugin)
