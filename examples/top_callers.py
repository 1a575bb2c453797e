"""Count the calls of a capture by user and method: `python top_callers.py namenode.pcap.gz`.

Needs the extra `arrow`.
"""

import sys
from collections import Counter

import pyarrow as pa

import jvmwire

counts: Counter[tuple[str, str]] = Counter()
for batch in jvmwire.read_capture(sys.argv[1], columns=["user", "name"]):
    table = pa.record_batch(batch)
    counts.update(zip(table["user"].to_pylist(), table["name"].to_pylist(), strict=True))
for (user, name), count in counts.most_common(5):
    print(f"{count:6} {user} {name}")
