"""What the wheel's compiler is shown: benches at every level of the kernels, and all recordings.

    python -m benches.training

`rust/train` runs it with a core that counts which way each branch goes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pyarrow as pa

from jvmwire import codec
from jvmwire.capture import View, read_capture
from jvmwire.capture.traffic import merge_batches
from kit.environment import ROOT

OF_KERNELS = ("varint", "mutf8", "frames", "fragments")
BENCHES = (*OF_KERNELS, "hazelcast_data", "pravega_codec", "drivers", "decode")
A_RECORDING = 3.0
"""Seconds of each: what is seldom seen is held for cold."""

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
        end = time.monotonic() + A_RECORDING
        while time.monotonic() < end:
            for view in VIEWS:
                batches = [pa.record_batch(batch) for _, batch in read_capture(path, [view])]
                if view.table == "traffic":
                    merge_batches(batches)


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
