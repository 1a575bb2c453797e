"""Pytest plugin that adds up the duration of each part of the tests, to plan the time of a run."""

from collections import Counter
from pathlib import Path

import pytest

PARTS = ("package", "spark", "cli", "faults", "properties", "interop", "components", "unit", "kit")


class Parts:
    """Seconds per folder of tests; the time of a session fixture counts where it is first used."""

    def __init__(self) -> None:
        self._seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the duration of each phase of each test."""
        folders = Path(report.location[0]).parts
        part = next((part for part in PARTS if part in folders), "other")
        self._seconds[part] += report.duration  # type: ignore[assignment]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the sums."""
        taken = (f"{part} {seconds:.0f} s" for part, seconds in self._seconds.most_common())
        terminalreporter.write_line("time by part: " + ", ".join(taken))


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin for the run."""
    config.pluginmanager.register(Parts(), "parts")
