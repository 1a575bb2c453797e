"""A capture decoded in one process: against dpkt and Python, and a walk that decodes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dpkt
import pyarrow as pa
import pytest

from benches.duel import Rival, duel
from benches.plain import capture as plain
from jvmwire.capture import View, read_capture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

OURS, THEIRS = 64_000_000, 16_000_000
"""Bytes of the captures: what the slow ones take in a few seconds."""
ROUNDS = 5

WITH_FIELDS = [*View("messages").columns, "fields"]
VIEWS = {
    "messages": View("messages"),
    "messages with fields": View("messages", columns=WITH_FIELDS),
    "calls": View("calls"),
    "traffic": View("traffic"),
}


def decode(path: Path, view: View) -> int:
    return sum(batch.num_rows for _, batch in read_capture(path, [view]))


def walk(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in dpkt.pcap.Reader(file))


@pytest.mark.parametrize("view", VIEWS)
def test_decode(
    benchmark: BenchmarkFixture, amplified: Callable[[int, int], list[Path]], view: str
) -> None:
    [ours], [theirs] = amplified(OURS, 1), amplified(THEIRS, 1)
    data = theirs.read_bytes()
    duel(
        benchmark,
        {
            "jvmwire": Rival(lambda: decode(ours, VIEWS[view]), ours.stat().st_size / 1e6),
            "dpkt and Python: messages": Rival(
                lambda: sum(1 for _ in plain.decode(data)), len(data) / 1e6
            ),
            "dpkt: records only, nothing decoded": Rival(lambda: walk(theirs), len(data) / 1e6),
        },
        unit="MB",
        work=f"{view}, one process",
        rounds=ROUNDS,
    )


def test_the_rivals_agree(
    benchmark: BenchmarkFixture, amplified: Callable[[int, int], list[Path]]
) -> None:
    [path] = amplified(THEIRS, 1)
    view = View("messages", columns=["stream", "side", "offset", "length", "name", "id"])
    ours = benchmark(lambda: [pa.record_batch(batch) for _, batch in read_capture(path, [view])])
    rows = pa.Table.from_batches(ours).to_pylist()
    theirs = [(*m[:4], m.name, m.id) for m in plain.decode(path.read_bytes())]
    assert {tuple(row.values()) for row in rows} == set(theirs)
    assert len(rows) == len(theirs)
