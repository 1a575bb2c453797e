"""Decoding of a capture in one process: against dpkt and Python, and walks that decode nothing."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import dpkt
import numpy as np
import pyarrow as pa
import pytest

from benches.harness import FEWEST, SEED, PreparedRun, Target, compare, in_process
from jvmwire.capture import View, read_tables
from jvmwire.capture._splitting import split_capture
from reference.plain import calls as plain_calls
from reference.plain import capture as plain

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from benches.conftest import Amplified, Amplify

OURS, THEIRS = 64_000_000, 16_000_000
"""Bytes of the captures: the slow contenders decode them in a few seconds."""

SIZE = 2_000_000
"""Bytes of a range: the bytes after the last cut are not read, and should not count."""

WITH_FIELDS = [*View("messages").columns, "fields"]
VIEWS = {
    "messages": View("messages"),
    "messages with fields": View("messages", columns=WITH_FIELDS),
    "calls": View("calls"),
    "traffic": View("traffic"),
}
AIMS = {"messages with fields": 200.0, "calls": 1000.0}
"""Targets in MB per second; the traffic includes the replies to listings of directories."""
MOST_NS_A_CALL = 1e9 / 1.5e6

FREED, FREED_BLOCK = 64 << 20, 64 << 10
"""Maximum of freed bytes to touch, and the smallest block of them."""


Captures = tuple["Amplified", "Amplified"]
"""Captures for jvmwire, and for the slow contenders."""


def told(path: Path, view: View) -> int:
    """Count the rows, or the calls that they aggregate."""
    batches = (pa.record_batch(batch) for _, batch in read_tables(path, [view]))
    if "aspect" not in view.columns:
        return sum(batch.num_rows for batch in batches)
    rows = pa.Table.from_batches(list(batches)).select(["aspect", "calls"]).to_pylist()
    return sum(row["calls"] for row in rows if row["aspect"] == "calls")


def plain_rows(path: Path) -> int:
    return sum(1 for _ in plain.decode(path.read_bytes()))


def plain_call_rows(path: Path) -> int:
    return sum(1 for _ in plain_calls.decode(path.read_bytes()))


def packets(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in dpkt.pcap.Reader(file))


def touch_freed_memory() -> None:
    """Allocate freed memory, and release it again.

    protobuf calls `malloc_trim`, which returns pages of the whole process to the system: the next
    contender would pay for fresh ones.
    """
    blocks = [b"\1" * FREED_BLOCK for _ in range(FREED // FREED_BLOCK)]
    blocks.clear()


def reading(
    which: Callable[[Captures], Amplified],
    count: Callable[[Path], int],
    of_each_copy: int,
    *,
    calls: int | None = None,
) -> Callable[[Captures], PreparedRun]:
    """Return work that counts the contents of a capture; the oracle is the count per copy.

    The amount is in megabytes, or `calls` per copy.
    """

    def ready(given: Captures) -> PreparedRun:
        capture = which(given)
        [path] = capture.paths
        touch_freed_memory()
        return in_process(
            lambda: count(path),
            capture.size / 1e6 if calls is None else capture.copies * calls,
            result=lambda counted: counted == capture.copies * of_each_copy,
        )

    return ready


@pytest.mark.parametrize("view", VIEWS)
def test_decode(benchmark: BenchmarkFixture, amplify: Amplify, view: str) -> None:
    big, small = itemgetter(0), itemgetter(1)
    [one] = amplify(1, 1, np.random.default_rng(SEED)).paths
    compare(
        benchmark,
        {
            "jvmwire": reading(big, lambda path: told(path, VIEWS[view]), told(one, VIEWS[view])),
            "dpkt and Python: messages": reading(small, plain_rows, plain_rows(one)),
            "dpkt: records only, nothing decoded": reading(small, packets, packets(one)),
        },
        inputs=lambda random: (amplify(OURS, 1, random), amplify(THEIRS, 1, random)),
        check=lambda _, right: right is True,
        unit="MB",
        work=f"{view}, one process",
        targets=[Target("jvmwire", at_least=AIMS[view])] if view in AIMS else [],
        rounds=FEWEST,
    )


def test_calls_as_rows(benchmark: BenchmarkFixture, amplify: Amplify) -> None:
    big, small = itemgetter(0), itemgetter(1)
    [one] = amplify(1, 1, np.random.default_rng(SEED)).paths
    rival = "dpkt and protobuf (upb): calls"
    calls, answered = told(one, VIEWS["calls"]), plain_call_rows(one)
    compare(
        benchmark,
        {
            "jvmwire": reading(big, lambda path: told(path, VIEWS["calls"]), calls, calls=answered),
            rival: reading(small, plain_call_rows, answered, calls=answered),
        },
        inputs=lambda random: (amplify(OURS, 1, random), amplify(THEIRS, 1, random)),
        check=lambda _, right: right is True,
        unit="call",
        work="calls, all columns, one process",
        targets=[Target(rival, times=40), Target("jvmwire", at_most=MOST_NS_A_CALL)],
        rounds=FEWEST,
    )


def test_index(benchmark: BenchmarkFixture, amplify: Amplify) -> None:
    """The search for ranges reads every byte of a capture, and keeps all connections' states."""

    def walking(walk: Callable[[Path], int]) -> Callable[[Amplified], PreparedRun]:
        def ready(given: Amplified) -> PreparedRun:
            [path] = given.paths
            return in_process(
                lambda: walk(path), given.size / 1e6, result=lambda walked: walked == given.size
            )

        return ready

    compare(
        benchmark,
        {
            "jvmwire": walking(
                lambda path: sum(
                    part.stop - part.start for part in split_capture([path], size=SIZE)
                )
            ),
            "a copy in memory: nothing looked at": walking(
                lambda path: len(bytearray(path.read_bytes()))
            ),
        },
        inputs=lambda random: amplify(OURS, 1, random),
        check=lambda _, right: right is True,
        unit="MB",
        work="the index of a capture, one process",
        rounds=FEWEST,
    )


def test_the_rivals_agree(amplify: Amplify) -> None:
    [path] = amplify(THEIRS, 1, np.random.default_rng(SEED)).paths
    view = View("messages", columns=["stream", "side", "offset", "length", "name", "id"])
    ours = [pa.record_batch(batch) for _, batch in read_tables(path, [view])]
    table = pa.Table.from_batches(ours).to_pylist()
    theirs = [(*m[:4], m.name, m.id) for m in plain.decode(path.read_bytes())]
    assert {tuple(row.values()) for row in table} == set(theirs)
    assert len(table) == len(theirs)
    ours = [pa.record_batch(batch) for _, batch in read_tables(path, [VIEWS["calls"]])]
    calls = pa.Table.from_batches(ours)
    start = calls["start"].cast(pa.int64())
    calls = calls.set_column(calls.schema.get_field_index("start"), "start", start)
    answered = set(plain_calls.decode(path.read_bytes()))
    assert {tuple(row.values()) for row in calls.to_pylist()} == answered
