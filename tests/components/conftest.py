"""Fixtures of tests that need the extras and the development packages, but no JVM."""

import pytest
from hypothesis import settings

settings.register_profile("components", deadline=None)  # a slow machine is no failure
settings.load_profile("components")

PLUGINS = (
    "kit.certificates",
    "kit.transport_adapters",
)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures of this folder's tests."""
    for plugin in PLUGINS:
        config.pluginmanager.import_plugin(plugin)
