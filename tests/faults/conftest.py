"""Fixtures of tests with faults, beside real servers and doubles."""

import pytest

PLUGINS = (
    "kit.certificates",
    "kit.transport_adapters",
    "kit.peer_fixtures",
)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures of this folder's tests."""
    for plugin in PLUGINS:
        config.pluginmanager.import_plugin(plugin)
