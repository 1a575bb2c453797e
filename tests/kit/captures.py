"""The recordings, and the results of decoding them sequentially."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from jvmwire.capture import make_view, read_tables
from jvmwire.capture._arrow import arrow_schema

VECTORS = Path(__file__).parents[1] / "vectors"
RECORDINGS = VECTORS / "hadoop" / "recordings"
NAMENODE = RECORDINGS / "namenode-3.5.0.pcap.gz"
SASL = RECORDINGS / "sasl-3.5.0.pcap"
WRITABLE = RECORDINGS / "writable-3.5.0.pcap"
SEED = VECTORS / "hadoop" / "seed"
STORM_BOLT = VECTORS / "storm" / "recordings" / "doubler-2.8.3.pcap"
STORM_SPOUT = VECTORS / "storm" / "recordings" / "words-2.8.3.pcap"
HAMA_TASK = VECTORS / "hama" / "recordings" / "copy-0.7.1.pcap"


def decoded(
    path: Path,
    table: str,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    number: int = 0,
    redact: bytes | None = None,
) -> pa.Table:
    """Decode one capture in this process; `number` is its place among several captures."""
    view = make_view(table, columns=columns, where=where)
    reading = read_tables(path, [view], first_stream=number << 32, redact=redact)
    return pa.Table.from_batches(
        [pa.record_batch(batch) for _, batch in reading], arrow_schema(view)
    )


def cut_short(path: Path) -> bytes:
    """Return the first half of an unpacked capture: it ends inside a packet."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return content[: len(content) // 2]
