"""Training workload of the wheel's compiler: benches at every kernel level, all recordings, and
directories as a NameNode lists them.

    python -m benches.pgo_workload

`rust/train` runs it with a core that counts the direction of each branch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmwire import codec
from jvmwire._core import encode_message
from jvmwire.capture import View, read_tables
from jvmwire.capture._aggregates import merge_batches
from jvmwire.hadoop.namenode._listing import Listing, Page
from kit.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OF_KERNELS = ("varint", "mutf8", "frames", "fragments")
BENCHES = (*OF_KERNELS, "hazelcast_data", "pravega_codec", "drivers", "decode")
A_RECORDING = 3.0
"""Seconds per recording: rarely executed code is treated as cold."""

ENTRIES = 1_000
"""Entries per page of a listing: as many as a NameNode puts on one."""

VIEWS = [
    View("calls"),
    View("messages"),
    View("messages", columns=[*View("messages").columns, "fields"]),
    View("traffic"),
]


def main() -> None:
    *others, best = codec.LEVELS
    for level in others:
        run(OF_KERNELS, level)
    run(BENCHES, best)
    for path in sorted((ROOT / "tests" / "vectors").rglob("recordings/*.pcap*")):
        for _ in repeatedly():
            decode(path)
    page = a_page()
    for _ in repeatedly():
        listing = Listing([Page.decode("/listed", b"", page)])
        pa.record_batch(listing)
        list(listing)


def repeatedly() -> Iterator[None]:
    """Yield for as long as a recording is decoded."""
    end = time.monotonic() + A_RECORDING
    while time.monotonic() < end:
        yield


def decode(capture: Path) -> None:
    """Decode a capture to each kind of table."""
    for view in VIEWS:
        batches = [pa.record_batch(batch) for _, batch in read_tables(capture, [view])]
        if view.table == "traffic":
            merge_batches(batches)


def a_page() -> bytes:
    """Return the NameNode's reply for a directory of files."""
    entries = [
        {
            "file_type": "IS_FILE",
            "path": f"{number:05}".encode(),
            "length": number << 20,
            "permission": {"perm": 0o644},
            "owner": "alice",
            "group": "staff",
            "modification_time": 1_700_000_000_000 + number,
            "access_time": 1_700_000_000_000 + number,
            "block_replication": 3,
            "blocksize": 128 << 20,
            "file_id": 16_386 + number,
            "children_num": 0,
            "storage_policy": 0,
        }
        for number in range(ENTRIES)
    ]
    listing = {"partial_listing": entries, "remaining_entries": 0}
    return encode_message("GetListingResponseProto", {"dir_list": listing})


def run(benches: tuple[str, ...], level: str) -> None:
    """Run each bench once, without a clock."""
    files = [str(ROOT / "benches" / f"test_{name}.py") for name in benches]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--benchmark-disable", "--timeout=3600", *files],
        env=os.environ | {"JVMWIRE_KERNELS": level},
        check=True,
    )


if __name__ == "__main__":
    main()
