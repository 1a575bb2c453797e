"""Fixtures of tests with Spark."""

import pytest

PLUGINS = (
    "kit.peer_fixtures",
    "kit.spark_fixtures",
    "kit.distribution_fixtures",
)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures of this folder's tests."""
    for plugin in PLUGINS:
        config.pluginmanager.import_plugin(plugin)
