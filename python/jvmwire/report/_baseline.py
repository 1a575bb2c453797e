"""Summaries of reports to compare with: read from files, or made from captures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from jvmwire._escaping import path_text
from jvmwire.errors import ConfigError
from jvmwire.report._folder import MARKER, SUMMARY

if TYPE_CHECKING:
    from pathlib import Path

MAX_SUMMARY: Final = 64 << 20
"""Maximum bytes of a summary that is read (chosen by jvmwire)."""


def is_summary(path: Path) -> bool:
    """Return whether a path is a report's folder or looks like a `summary.json`, and no capture.

    Args:
        path: The path.

    Returns:
        Whether `read_summary` reads it.

    Raises:
        OSError: the file cannot be read.
    """
    if path.is_dir():
        return (path / SUMMARY).is_file()
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(64).lstrip().startswith(b"{")


def read_summary(path: Path) -> dict[str, Any]:
    """Read the summary of a report.

    Args:
        path: A `summary.json`, or the folder of a report.

    Returns:
        The content of the file.

    Raises:
        ConfigError: the file is not a summary of this version, or is too large.
        OSError: the file cannot be read.
    """
    file_path = path / SUMMARY if path.is_dir() else path
    name = path_text(file_path)
    with file_path.open("rb") as file:
        content = file.read(MAX_SUMMARY + 1)
    if len(content) > MAX_SUMMARY:
        raise ConfigError(f"{name} has more than {MAX_SUMMARY:,} bytes, the limit of a summary")
    try:
        summary = orjson.loads(content)
    except ValueError as error:
        raise ConfigError(f"{name} is not the summary.json of a report: {error}") from error
    if not isinstance(summary, dict) or summary.get("generator") != MARKER.decode():
        raise ConfigError(f"{name} is not the summary.json of a report")
    if "evidence" not in summary:
        raise ConfigError(
            f"{name} was written by an earlier version without evidence for comparisons: "
            "make its report again"
        )
    return summary
