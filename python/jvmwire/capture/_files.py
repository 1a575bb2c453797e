"""Discovery of capture files by name."""

from __future__ import annotations

import os
import re
from glob import has_magic, iglob
from pathlib import Path
from typing import TYPE_CHECKING

from jvmwire._files import refuse_inputs
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME = re.compile(r"\.(pcap|pcapng|cap)\d*(\.(gz|zst))?$", re.IGNORECASE)
"""Names that tcpdump and related tools use; `-C` and `-W` append a number to the name."""


def is_capture_name(path: Path) -> bool:
    """Return whether a file name is that of a capture.

    Names that begin with `.` or `_` are hidden, as in Spark: they belong to files being written.

    Args:
        path: The file; only its name is used.

    Returns:
        True if the name is that of a capture, compressed or not.
    """
    return path.name[:1] not in {".", "_"} and _NAME.search(path.name) is not None


def is_compressed(path: Path) -> bool:
    """Return whether a file name ends with a suffix of compressed files."""
    return path.suffix in {".gz", ".zst"}


def sort_key(path: Path) -> list[tuple[int, int | str]]:
    """Return the sort key of a capture; a compressed copy has the same key as its file."""
    return _in_order(without_compression(path))


def without_compression(path: Path) -> Path:
    """Return a path without the suffix of its compression."""
    return path.with_suffix("") if is_compressed(path) else path


def list_captures(directory: Path) -> list[Path]:
    """Return the captures in a directory, sorted by name.

    If a file and its compressed copy exist, only the file is returned: the copy may be incomplete.
    """
    inside = [file for file in directory.iterdir() if file.is_file() and is_capture_name(file)]
    plain = {file.name for file in inside if not is_compressed(file)}
    kept = [file for file in inside if not (is_compressed(file) and file.stem in plain)]
    return sorted(kept, key=sort_key)


def find_captures(paths: Iterable[Path]) -> list[Path]:
    """Return the files among `paths` unchanged, and the captures in each directory, in order.

    In a directory, a file and its compressed copy count once. A file that is found more than once,
    as by a folder and by its own name or by a symbolic link, is returned once, where it was found
    first.

    Args:
        paths: Files and directories.

    Returns:
        The files; those of a directory are sorted by name, with numbers in numeric order.

    Raises:
        ConfigError: a path does not exist, or a directory contains no capture.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = list_captures(path)
            if not inside:
                raise ConfigError(
                    f"{path} holds no captures: no file there is named *.pcap, *.pcapng or *.cap, "
                    "plain, .gz or .zst (names that begin with . or _ are hidden)"
                )
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise ConfigError(f"{path} does not exist")
    return _once(found)


def _once(paths: list[Path]) -> list[Path]:
    """Return the first path of each file. Two hard links are two files, as two copies are."""
    if len(paths) < 2:
        return paths
    files: dict[str, Path] = {}
    for path in paths:
        files.setdefault(os.path.realpath(path), path)
    return list(files.values())


def expand_pattern(name: str) -> list[Path]:
    """Return the files that match a pattern of a shell, sorted by name, or the path that it is.

    Args:
        name: A path. If nothing has this name and it contains `*`, `?` or `[`, it is a pattern;
            `**` matches any number of folders. Hidden files are not matched.

    Raises:
        ConfigError: nothing matches.
    """
    path = Path(name)
    if not has_magic(name) or os.path.lexists(path):
        return [path]
    found = sorted(map(Path, iglob(name, recursive=True)), key=_in_folders)  # noqa: PTH207 - of any folder
    if not found:
        raise ConfigError(f"no file matches {name}")
    return found


def refuse_as_input(output: Path, paths: Iterable[Path]) -> None:
    """Raise `ConfigError` if an output is, or would become, one of the captures in `paths`.

    In a directory, every file with the name of a capture counts, whether or not it would be read.
    """
    for path in paths:
        if not path.is_dir():
            refuse_inputs(output, [path])
            continue
        refuse_inputs(output, (each for each in path.iterdir() if is_capture_name(each)))
        if is_capture_name(output) and output.parent.exists() and output.parent.samefile(path):
            raise ConfigError(
                f"the output {output} has the name of a capture and would lie among the captures "
                f"in {path}: the next run would read it; name another output"
            )


def _in_folders(path: Path) -> tuple[Path, list[tuple[int, int | str]]]:
    return path.parent, sort_key(path)


def _in_order(path: Path) -> list[tuple[int, int | str]]:
    """Return a sort key with numbers in numeric order: `x.pcap10` follows `x.pcap9`."""
    parts = re.split(r"(\d+)", path.name)
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]
