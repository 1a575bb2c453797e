"""Fixtures of tests that need the extras and the development packages, but no JVM."""

import pytest

PLUGINS = (
    "kit.certificates",
    "kit.transport_adapters",
)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures of this folder's tests."""
    for plugin in PLUGINS:
        config.pluginmanager.import_plugin(plugin)
