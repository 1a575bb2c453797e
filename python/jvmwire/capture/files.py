"""Which files are captures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmwire._files import refuse_inputs
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_NAME = re.compile(r"\.(pcap|pcapng|cap)\d*(\.(gz|zst))?$", re.IGNORECASE)
"""As tcpdump and its kin name them; `-C` and `-W` put a number behind the name."""


def is_capture_name(path: Path) -> bool:
    """Return whether a file of this name is a capture.

    Names that begin with `.` or `_` are hidden, as Spark has it: they are of files being written.
    """
    return path.name[:1] not in {".", "_"} and _NAME.search(path.name) is not None


def is_compressed(path: Path) -> bool:
    """Return whether a file of this name is compressed."""
    return path.suffix in {".gz", ".zst"}


def place_of(path: Path) -> list[tuple[int, int | str]]:
    """Return the key by which captures are ordered; a compressed copy has that of its file."""
    return _in_order(without_compression(path))


def without_compression(path: Path) -> Path:
    """Return the name that a compressed copy has without the ending of its compression."""
    return path.with_suffix("") if is_compressed(path) else path


def captures_inside(directory: Path) -> list[Path]:
    """Return the captures in a directory, in order of their names.

    Of a file and its compressed copy the file counts: the copy may not be whole yet.
    """
    inside = [file for file in directory.iterdir() if file.is_file() and is_capture_name(file)]
    plain = {file.name for file in inside if not is_compressed(file)}
    kept = [file for file in inside if not (is_compressed(file) and file.stem in plain)]
    return sorted(kept, key=place_of)


def find_captures(paths: Iterable[Path]) -> list[Path]:
    """Return the files among `paths` as they are, and the captures in each directory, in order.

    A directory gives what `captures_inside` says: a file and its compressed copy count once.

    Raises `ConfigError` where a path does not exist, or a directory holds no capture.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = captures_inside(path)
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
    return found


def refuse_as_input(output: Path, paths: Iterable[Path]) -> None:
    """Raise `ConfigError` if an output is one of the captures in `paths`, or would become one.

    In a folder, every file with the name of a capture counts, whether it would be read or not.
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


def _in_order(path: Path) -> list[tuple[int, int | str]]:
    """Put `x.pcap10` behind `x.pcap9`."""
    parts = re.split(r"(\d+)", path.name)
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]
