"""Iteration over a map takes memory for one batch, independent of the map's size."""

import pyarrow as pa

from jvmwire.hazelcast import HazelcastClient
from kit.hazelcast import Member
from kit.memory import in_a_process_of_its_own
from kit.scale import times

SIZES = (times(8_000), times(80_000))
"""Entries of a small map and of a large one."""
VALUE = "v" * 250
PIECE = 10_000
BATCH = 100
ALLOWED = 8 << 20
"""Bytes: less than half of the large map's values."""
PATIENT = 600.0

GO_THROUGH = """
from jvmwire.hazelcast import HazelcastClient

with HazelcastClient.connect(["{address}"]) as client:
    pieces = client.get_map("{size}").arrow_entries(batch={batch})
    seen = sum(len(keys) for keys, _ in pieces)
assert seen == {size}, seen
"""


def test_a_large_map_takes_no_more_memory_to_go_through_than_a_small_one(tmp_path):
    with Member(tmp_path, heap="2g") as member:
        with HazelcastClient.connect([member.address]) as client:
            for size in SIZES:
                there = client.get_map(str(size))
                for first in range(0, size, PIECE):
                    keys = pa.array(range(first, min(first + PIECE, size)), pa.int64())
                    there.arrow_put_all(keys, pa.array([VALUE] * len(keys)))
        small, large = (
            in_a_process_of_its_own(
                GO_THROUGH.format(address=member.address, size=size, batch=BATCH), timeout=PATIENT
            )
            for size in SIZES
        )
    assert large - small < ALLOWED
