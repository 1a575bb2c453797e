"""Fixtures of tests of what is distributed."""

import pytest

PLUGINS = ("kit.distribution_fixtures",)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures of this folder's tests."""
    for plugin in PLUGINS:
        config.pluginmanager.import_plugin(plugin)
