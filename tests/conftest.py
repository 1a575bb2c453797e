"""Settings for all tests; fixtures are plugins of the kit that each folder's conftest names.

Nothing is imported here that the wheel and pytest do not bring: `pytest tests/unit` needs no more.
"""

from pathlib import Path

import pytest

pytest_plugins = ["kit.duration_report"]

TESTS = Path(__file__).parent
MARKERS = {
    "unit": {"unit"},
    "package": {"slow"},
    "faults": {"jvm", "slow"},
    "interop": {"jvm"},
    "cli": {"jvm"},
    "spark": {"jvm", "spark", "slow"},
}
"""Markers of the tests of a folder."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Accept the settings and the marker of pytest-timeout where it is not installed."""
    if not pluginmanager.hasplugin("timeout"):
        for name in ("timeout", "timeout_method"):
            parser.addini(name, "ignored: pytest-timeout is not installed")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers that are set by folder."""
    for line in (
        "unit: needs only the wheel and pytest",
        "jvm: starts a JVM",
        "spark: starts Spark",
        "slow: builds a wheel, starts many processes, or waits for time-outs",
        "timeout(seconds): limit of one test, held by pytest-timeout",
        "xdist_group(name): run in one process with the others of the group, by pytest-xdist",
    ):
        config.addinivalue_line("markers", line)


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in its own
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by its folder, whose tests share servers and therefore a process."""
    for item in items:
        if item.path.is_relative_to(TESTS):
            folder = item.path.relative_to(TESTS).parts[0]
            item.add_marker(pytest.mark.xdist_group(folder))
            for name in sorted(MARKERS.get(folder, ())):
                item.add_marker(name)
