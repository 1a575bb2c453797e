"""Input of the benchmarks: the requested amount of traffic, as correct as the recording."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import dpkt
import numpy as np
import pyarrow as pa

from benches.conftest import RECORDING
from jvmwire.capture import View, read_tables
from kit.scale_capture import CONCURRENT, Template, amplify

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

COPIES = 12
OUT_OF_ORDER = 0.3
"""At least this fraction of the calls is answered out of order, as the server did it."""


def test_amplify(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    made = benchmark(lambda: _amplified(0))
    path = tmp_path / "amplified.pcap"
    path.write_bytes(made)
    assert len(made) == 24 + COPIES * Template.of(RECORDING).size
    assert made == _amplified(0)
    assert _rows(path, "calls") == COPIES * _rows(RECORDING, "calls")
    assert _rows(path, "streams") == COPIES * _rows(RECORDING, "streams")
    times, clients = [], set()
    for ts, frame in dpkt.pcap.Reader(io.BytesIO(made)):
        times.append(ts)
        words = int(np.frombuffer(frame[14:34], ">u2").sum())
        assert (words & 0xFFFF) + (words >> 16) == 0xFFFF  # the IP header's checksum is right
        clients |= {frame[26:30], frame[30:34]}
    assert times == sorted(times)
    assert _out_of_order(path) == _out_of_order(RECORDING) >= OUT_OF_ORDER
    # Each client on 127.0.0.1 became one of 10.0.0.0/8 per copy.
    assert clients == {bytes([10, 0, 0, n]) for n in range(COPIES)} | {bytes([127, 0, 0, 1])}
    assert COPIES > CONCURRENT


def _amplified(first: int) -> bytes:
    out = io.BytesIO()
    amplify(RECORDING, out, copies=COPIES, first_copy=first)
    return out.getvalue()


def _out_of_order(path: Path) -> float:
    """Return the fraction of calls whose place among replies differs from that among requests."""
    view = View("calls", columns=["stream", "request_offset", "reply_offset"])
    batches = [pa.record_batch(batch) for _, batch in read_tables(path, [view])]
    rows = pa.Table.from_batches(batches)
    asked, answered = (
        rows.sort_by([("stream", "ascending"), (offset, "ascending")])["request_offset"].to_numpy()
        for offset in ("request_offset", "reply_offset")
    )
    return float((asked != answered).mean())


def _rows(path: Path, table: str) -> int:
    return sum(batch.num_rows for _, batch in read_tables(path, [View(table)]))
