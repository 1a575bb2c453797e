"""A capture that networks and taps damaged gives the original's rows, or reports the loss."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from kit.captures import NAMENODE, decoded
from kit.corrupt_captures import (
    HARMLESS,
    dropped,
    read_packets,
    shuffled,
    started_late,
    truncated,
    write_packets,
)
from kit.scale import seeded, times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from kit.corrupt_captures import Packet

    Damage = Callable[[Sequence[Packet], int], list[Packet]]
    Row = dict[str, Any]

PACKETS = 8000
MESSAGE = ["protocol", "stream", "side", "offset", "length", "name", "kind", "id", "parent"]
"""Columns of a message that depend neither on its time nor on other messages."""
CALL = ["stream", "id", "user", "name", "target", "request_offset", "reply_offset", "status"]
Place = tuple[int, str]


@pytest.fixture(scope="module", params=range(times(1)))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def recorded(seed: int) -> tuple[bytes, list[Packet]]:
    header, packets = read_packets(NAMENODE)
    start = seeded(seed).randrange(len(packets) - PACKETS) if seed else 0
    return header, packets[start : start + PACKETS]


@pytest.fixture(scope="module")
def original(
    recorded: tuple[bytes, list[Packet]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return write_packets(tmp_path_factory.mktemp("captures") / "original.pcap", *recorded)


def rows(path: Path, table: str, columns: list[str]) -> list[Row]:
    return decoded(path, table, columns=columns).to_pylist()


def key(row: Row) -> tuple[object, ...]:
    return tuple(row.values())


def by_place(messages: Iterable[Row]) -> dict[Place, list[tuple[int, int]]]:
    """Return the bytes that rows are about, by sender."""
    places: dict[Place, list[tuple[int, int]]] = defaultdict(list)
    for row in messages:
        if row["parent"] is None and row["stream"] >= 0:
            begin = row["offset"]
            places[row["stream"], row["side"]].append((begin, begin + row["length"]))
    return places


@pytest.mark.parametrize("damage", HARMLESS.values(), ids=HARMLESS)
def test_what_loses_no_byte_loses_no_row(
    damage: Damage, seed: int, recorded: tuple[bytes, list[Packet]], original: Path, tmp_path: Path
) -> None:
    header, packets = recorded
    variant = write_packets(tmp_path / "variant.pcap", header, damage(packets, seed))
    assert variant.read_bytes() != original.read_bytes()
    ours, theirs = (
        sorted(map(str, rows(it, "messages", [*MESSAGE, "error"]))) for it in (variant, original)
    )
    assert len(ours) > 1000
    assert ours == theirs
    calls, were = ({key(row) for row in rows(it, "calls", CALL)} for it in (variant, original))
    assert len(calls) == len(were) > 500
    # A reply that precedes its request in the file is joined with it too.
    assert calls == were


@pytest.mark.parametrize("damage", [truncated, dropped], ids=lambda it: it.__name__)
@pytest.mark.parametrize("also", [None, shuffled], ids=["alone", "shuffled"])
def test_each_row_that_is_lost_lies_in_bytes_that_a_row_names_as_lost(
    damage: Damage,
    also: Damage | None,
    seed: int,
    recorded: tuple[bytes, list[Packet]],
    original: Path,
    tmp_path: Path,
) -> None:
    header, packets = recorded
    damaged = damage(packets, seed)
    variant = write_packets(
        tmp_path / "variant.pcap", header, also(damaged, seed) if also else damaged
    )
    columns = [*MESSAGE, "error"]
    before, after = rows(original, "messages", columns), rows(variant, "messages", columns)
    holes = by_place(row for row in after if row["name"] is None)
    assert sum(map(len, holes.values())) > 10
    was, now = ({key(row) for row in it if row["name"]} for it in (before, after))
    assert now < was
    lost = by_place(row for row in before if row["name"] and key(row) not in now)
    kept = by_place(row for row in after if row["name"])
    for place in holes.keys() | lost.keys():
        named = holes[place]
        for begin, end in lost[place]:
            assert any(begin < stop and start < end for start, stop in named), (place, begin)
        for start, stop in named:
            assert not any(begin < stop and start < end for begin, end in kept[place]), place
    # A call is unchanged, or its end was not captured.
    calls = {key(row) for row in rows(original, "calls", CALL)}
    for row in rows(variant, "calls", CALL):
        assert row["status"] == "lost" or key(row) in calls


def test_what_is_seen_midway_is_the_end_of_what_there_was(
    seed: int, recorded: tuple[bytes, list[Packet]], original: Path, tmp_path: Path
) -> None:
    header, packets = recorded
    variant = write_packets(tmp_path / "variant.pcap", header, started_late(packets, seed))
    before, after = conversations(original), conversations(variant)
    assert after.keys() <= before.keys()
    assert sum(map(len, after.values())) > 1000
    for ends, messages in after.items():
        assert before[ends][len(before[ends]) - len(messages) :] == messages


def conversations(path: Path) -> dict[tuple[str, str, str], list[tuple[object, ...]]]:
    """Return the messages between two endpoints by sender, in order, without their offsets."""
    ends = {
        row["stream"]: (row["client"], row["server"])
        for row in rows(path, "streams", ["stream", "client", "server"])
    }
    found: dict[tuple[str, str, str], list[tuple[object, ...]]] = defaultdict(list)
    ordered = sorted(
        (row for row in rows(path, "messages", MESSAGE) if row["name"] and row["stream"] >= 0),
        key=lambda row: (row["stream"], row["side"], row["offset"]),
    )
    for row in ordered:
        client, server = ends[row["stream"]]
        found[client, server, row["side"]].append(
            (row["name"], row["kind"], row["id"], row["length"])
        )
    return found
