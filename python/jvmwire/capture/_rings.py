"""Grouping of rotated files into captures: one ring per directory and name, in order of time.

tcpdump writes a capture into many files (`-C`, `-G`), and overwrites the oldest files (`-W`); the
order of their names is then not that of their packets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmwire._escaping import get_logger
from jvmwire.capture._files import sort_key, without_compression
from jvmwire.capture._fingerprint import FirstPacketTimes
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_RING_NAME = re.compile(
    r"""
    (?P<dumpcap>.*) (?:_\d{5,}_\d{14} | _\d{14}_\d{5,}) (?P<ending>\.\w+)?  # -b
    | (?P<tcpdump>.*\.(?:pcapng|pcap|cap)) \d*  # -C and -W: the place behind the name
    """,
    re.IGNORECASE | re.VERBOSE,
)

_log = get_logger("jvmwire.capture")


def group_rotated(files: Iterable[Path]) -> list[tuple[Path, ...]]:
    """Group files by capture: the files of one ring buffer are one capture.

    Files of a ring are known by their directory and by the names that tcpdump (`-C`, `-W`) and
    dumpcap (`-b`) give them. A file of another name, one that is given twice, and the files of a
    ring whose packets are in another order than its names, or begin at the same time, are captures
    of their own.

    Args:
        files: Paths of captures, in any order.

    Returns:
        A tuple per capture: its files, in order of time.
    """
    groups: dict[object, dict[object, Path]] = {}
    for file in files:
        place = tuple(sort_key(file))
        group = groups.setdefault(_ring_of(file), {})
        if place in group:
            group = groups.setdefault(len(groups), {})
        group[place] = file
    captures: list[tuple[Path, ...]] = []
    for group in groups.values():
        by_name = sorted(group.values(), key=sort_key)
        try:
            captures.append(_in_time(by_name, distinct=True) if by_name[1:] else tuple(by_name))
        except ConfigError as error:
            _log.warning("%s; each is decoded by itself", error)
            captures += [(file,) for file in group.values()]
    return captures


def _ring_of(file: Path) -> object:
    """Return a key that the files of one ring share."""
    name = without_compression(file).name
    if (found := _RING_NAME.fullmatch(name)) is None:
        return file
    return file.parent, found["dumpcap"], found["ending"], found["tcpdump"]


def rings_of(files: Iterable[Path]) -> list[tuple[Path, ...]]:
    """Return the captures that the rotated `files` belong to, each with its files in order of time.

    The files of a capture are in one directory, and their names differ in digits only.

    Raises:
        ConfigError: the files of several captures are mixed.
    """
    rings: dict[tuple[Path, str], list[Path]] = {}
    for file in files:
        name = re.sub(r"\d+", "", without_compression(file).name)
        rings.setdefault((file.parent, name), []).append(file)
    return [_in_time(sorted(ring, key=sort_key)) for ring in rings.values()]


def _in_time(by_name: Sequence[Path], *, distinct: bool = False) -> tuple[Path, ...]:
    """Sort the files of one ring, given in order of their names, by their first packets' times.

    With `distinct`, two files whose first packets have the same time are refused: they are copies,
    and as parts of one capture all packets of the second would be retransmissions.
    """
    places = range(len(by_name))
    times = FirstPacketTimes()
    firsts = [first for first, _ in times.in_order(by_name)]
    if distinct:
        _check_distinct((times.get(file), file) for file in by_name)
    by_time = sorted(places, key=lambda place: (firsts[place], place))
    # An overwritten ring begins in the middle of the names. More than one step back in the names
    # means that another capture continues between two files of this one.
    back = [n for n in places[1:] if by_time[n] < by_time[n - 1]]
    if len(back) > 1 or (back and by_time[-1] > by_time[0]):
        other, this = (by_name[by_time[back[0] - n]].name for n in (1, 0))
        raise ConfigError(
            f"rotated files of {by_name[0].parent} are not of one capture: {this} begins after "
            f"{other}, which neither the order of names nor an overwritten ring explains; put the "
            "captures of each host into a directory of its own"
        )
    return tuple(by_name[place] for place in by_time)


def _check_distinct(timed: Iterable[tuple[int | None, Path]]) -> None:
    seen: dict[int, Path] = {}
    for first, file in timed:
        if first is None:  # there is no TCP packet
            continue
        if (other := seen.setdefault(first, file)) is not file:
            raise ConfigError(
                f"{other} and {file.name} begin at the same time, so they are not files of one ring"
            )
