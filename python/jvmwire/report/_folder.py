"""Folder of a report: detection of entries by an earlier report, and their atomic replacement."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import orjson

from jvmwire._files import (
    is_unfinished,
    open_regular,
    remove_any,
    remove_unfinished,
    replace_directory,
    replace_file,
)
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PAGE = "index.html"
SUMMARY = "summary.json"
NOTES = "summary.md"
CALLS = "calls.parquet"
"""A folder with one file per Spark task."""
SUCCESS = "_SUCCESS"
"""Name of the file in `CALLS` that marks completeness, as in Spark; it contains `MARKER`."""
MARKER = b"jvmwire report"
"""Text in each entry of the folder, which distinguishes reports from other files."""
_PAGE_MARKER = b'<meta name="generator" content="' + MARKER + b'">'
_NOTES_MARKER = b"<!-- " + MARKER + b" -->"
_PAGE_HEAD = 4096
"""Number of first bytes of a page that are searched for its marker."""
_PART = re.compile(r"part-[0-9]+\.parquet|_SUCCESS|\..*\.crc")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The temporary entries of a report, renamed when all of them are complete."""

    page: BinaryIO
    summary: BinaryIO
    notes: BinaryIO
    calls: Path | None
    """The folder for the calls; None if the report keeps no calls."""


def check_folder(directory: Path, captures: Sequence[Path] = (), *, force: bool = False) -> None:
    """Raise `ConfigError` unless a report may be written into a folder.

    Entries that would be replaced must be from an earlier report, and must not be captures.

    Args:
        directory: The folder of the report; it need not exist.
        captures: The input of the report.
        force: Whether entries that are not from a report may be replaced; captures never are.
    """
    entries = [directory / name for name in (PAGE, SUMMARY, NOTES, CALLS)]
    for path in entries:
        for capture in captures:
            if _is_in(capture, path):
                raise ConfigError(
                    f"the report would replace its own input {capture}: name another folder"
                )
    for path, is_ours in zip(entries, (_is_page, _is_summary, _is_notes, _is_calls), strict=True):
        if not os.path.lexists(path) or is_ours(path):
            continue
        if path.name != CALLS and path.is_dir() and not path.is_symlink():
            raise ConfigError(f"{path} is a folder: name another folder for the report")
        if not force:
            raise ConfigError(
                f"{path} was not written by a report, and would be replaced: "
                "name another folder, or replace it with --force"
            )


@contextmanager
def replace_report(
    directory: Path, *, keeps_calls: bool | None, force: bool = False
) -> Iterator[Unfinished]:
    """Yield the files of a new report, which replace the old ones when the block succeeds.

    Args:
        directory: The folder of the report, created if it does not exist.
        keeps_calls: Whether there is a folder of calls; None keeps that of an earlier report.
        force: As in `check_folder`.
    """
    made = _make(directory)
    try:
        for name in (PAGE, SUMMARY, NOTES, CALLS):
            remove_unfinished(directory / name)
        calls = directory / CALLS
        # The page comes last: if it exists, the rest exists.
        with (
            replace_file(directory / PAGE) as page,
            replace_file(directory / SUMMARY) as summary,
            replace_file(directory / NOTES) as notes,
            replace_directory(calls) if keeps_calls else nullcontext() as unfinished,
        ):
            yield Unfinished(page, summary, notes, unfinished)
            page.flush()
            summary.flush()
            notes.flush()
            if unfinished is not None:
                with replace_file(unfinished / SUCCESS) as success:
                    success.write(MARKER + b"\n")
            # Checked again for entries that were created in the meantime.
            check_folder(directory, force=force)
            if keeps_calls is False:
                remove_any(calls)
    except BaseException:
        for each in made:
            with suppress(OSError):  # other files were added in the meantime
                each.rmdir()
        raise


def _make(directory: Path) -> list[Path]:
    """Create a directory and its parents; return the created directories, innermost first."""
    missing = []
    for each in (directory, *directory.parents):
        if each.exists():
            break
        missing.append(each)
    directory.mkdir(parents=True, exist_ok=True)
    return missing


def _is_in(capture: Path, path: Path) -> bool:
    """Return whether a capture is the entry at `path`, or is inside of that folder."""
    with suppress(OSError):
        there = path.stat()
        real = capture.resolve()
        return any(os.path.samestat(there, each.stat()) for each in (real, *real.parents))
    return False


def _head(path: Path, size: int = -1) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(size)
    except OSError:
        return b""


def _is_page(path: Path) -> bool:
    return _PAGE_MARKER in _head(path, _PAGE_HEAD)


def _is_notes(path: Path) -> bool:
    return _head(path, len(_NOTES_MARKER)) == _NOTES_MARKER


def _is_summary(path: Path) -> bool:
    try:
        summary = orjson.loads(_head(path))
    except ValueError:
        return False
    return isinstance(summary, dict) and summary.get("generator") == MARKER.decode()


def _is_calls(path: Path) -> bool:
    """Return whether a folder contains only files that the tasks of a report write."""
    if path.is_symlink() or _head(path / SUCCESS, len(MARKER)) != MARKER:
        return False
    return all(_PART.fullmatch(each.name) or is_unfinished(each.name) for each in path.iterdir())
