"""Digests of the rows of all recordings and of mutations of them, to detect every change of rows.

Each capture has two digests: one of its rows, and one of the verdict, which is the protocol of each
stream, its counts of bytes, and the messages that `jvmwire decode` prints on standard error (if
there are any, it exits with 1).
`python -m kit.digests` (in `tests/`) writes `vectors/digests.json` with the digests that the
imported jvmwire gives. `python -m kit.digests 'REASON'` replaces the digests that differ, and lists
their seeds under the reason; -1 is the recording itself. The first digests were those of the
decoder before it could resume its scans; the seeds listed as changed differ from them.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmwire._cli.decode_warnings import DecodeWarnings
from jvmwire.capture import make_view, read_tables
from kit.corrupt_captures import Packet, read_packets
from kit.scale import seeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VECTORS = Path(__file__).parents[1] / "vectors"
DIGESTS = VECTORS / "digests.json"
RECORDINGS = {
    "hadoop-namenode": "hadoop/recordings/namenode-3.5.0.pcap.gz",
    "hadoop-sasl": "hadoop/recordings/sasl-3.5.0.pcap",
    "hadoop-writable": "hadoop/recordings/writable-3.5.0.pcap",
    "hama-copy": "hama/recordings/copy-0.7.1.pcap",
    "hazelcast-member": "hazelcast/recordings/member-3.12.13.pcap",
    "pravega-segmentstore": "pravega/recordings/segmentstore-0.13.0.pcap",
    "storm-doubler": "storm/recordings/doubler-2.8.3.pcap",
    "storm-words": "storm/recordings/words-2.8.3.pcap",
}
MUTATIONS = 250
"""Mutations per recording: 2,000 in all."""
PACKETS = 200
"""Maximum number of packets of a recording in a mutation."""

# The column `fields` is not compared: the hidden values and the names of fields change by design.
_COLUMNS = {
    "messages": "protocol stream side offset length ts name kind id parent error",
    "calls": "protocol stream id user name target request_offset reply_offset request_bytes"
    " reply_bytes start latency_us status error_class retry",
    "streams": "stream protocol client_bytes server_bytes client_lost_bytes server_lost_bytes"
    " client_retransmitted_bytes server_retransmitted_bytes client_differing_bytes"
    " server_differing_bytes messages errors ended",
}
KINDS = ("digests", "verdicts")
"""The two kinds of digest that the file holds for each capture."""
# Numbers of four bytes that are seldom lengths.
_LENGTHS = [bytes(4), b"\0\0\0\1", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\xff\xff\xff\xff"]


def read_recording(name: str) -> tuple[bytes, list[Packet]]:
    """Read the file's header and its packets."""
    return read_packets(VECTORS / RECORDINGS[name])


def mutated(packets: Sequence[Packet], seed: int) -> list[Packet]:
    """Change bytes that the sides wrote, and leave out packets, as the seed determines."""
    # random() is the only method of Random that is the same in every version of Python.
    chance = seeded(seed)

    def below(limit: int) -> int:
        return int(chance.random() * limit)

    start = below(len(packets) // 2) if below(8) == 0 else 0
    out = list(packets[start : start + PACKETS])
    for _ in range(1 + below(3)):
        if not out:
            break
        at = below(len(out))
        packet = out[at]
        length = len(packet.payload)
        if length == 0 or below(10) == 0:
            del out[at]
            continue
        frame = bytearray(packet.frame)
        begin = packet.payload_at
        place = begin + below(length)
        if below(2) == 0:
            frame[place] = below(256)
        else:
            four = _LENGTHS[below(len(_LENGTHS))]
            end = min(place + 4, begin + length)
            frame[place:end] = four[: end - place]
        out[at] = Packet(packet.seconds, packet.micros, bytes(frame), packet.original_length)
    return out


def digest(header: bytes, packets: Sequence[Packet]) -> tuple[str, str]:
    """Return eight hexadecimal digits for all rows of a capture, and eight for the verdict."""
    content = header + b"".join(packet.record() for packet in packets)
    views = [make_view(table, columns=names.split()) for table, names in _COLUMNS.items()]
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in _COLUMNS}
    reading = read_tables(io.BytesIO(content), views)
    for table, batch in reading:
        rows[table] += pa.record_batch(batch).to_pylist()
    streams = rows.pop("streams")
    undecoded = DecodeWarnings()
    undecoded.add(("capture",), reading)
    return _hashed([rows, ""]), _hashed([streams, undecoded.sentences])


def _hashed(told: object) -> str:
    plain = json.dumps(told, default=str, ensure_ascii=False)
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:8]


def digests(name: str) -> Iterator[tuple[str, str]]:
    """Return the digests of a recording, and those of its mutations by seed."""
    header, packets = read_recording(name)
    yield digest(header, packets)
    for seed in range(MUTATIONS):
        yield digest(header, mutated(packets, seed))


def differing(
    known: dict[str, list[str]], found: Sequence[tuple[str, str]]
) -> dict[str, list[int]]:
    """Return the seeds of digests that differ from the known ones, by kind; -1 is the recording."""
    return {
        kind: [
            seed
            for seed, (old, new) in enumerate(zip(known[kind], now, strict=True), -1)
            if old != new
        ]
        for kind, now in zip(KINDS, zip(*found, strict=True), strict=True)
    }


def _main(reason: str | None) -> None:
    known = json.loads(DIGESTS.read_text()) if reason else {}
    now: dict[str, Any] = {}
    for name in RECORDINGS:
        found = list(digests(name))
        made = {kind: list(it) for kind, it in zip(KINDS, zip(*found, strict=True), strict=True)}
        # A new kind has no known digests, so none of them differ.
        before = {"changed": {}} | made | known.get(name, {})
        seeds = {seed for kind in differing(before, found).values() for seed in kind}
        changed = {why: sorted(set(of) - seeds) for why, of in before["changed"].items()}
        if reason and seeds:
            changed[reason] = sorted({*changed.get(reason, []), *seeds})
        now[name] = {"changed": {why: of for why, of in changed.items() if of}} | made
        sys.stdout.write(f"{name}: {len(seeds)} of {len(found)} differ\n")
    DIGESTS.write_text(_text(now))


def _text(now: dict[str, Any]) -> str:
    """Return JSON in which a list takes few lines."""
    told = json.dumps(now, indent=1)
    # A list of many short elements, one per line, becomes lines of ten.
    lines: list[str] = []
    for line in told.split("\n"):
        short = line.strip().rstrip(",")
        is_element = short.isdigit() or short.lstrip("-").isdigit() or len(short) == _ELEMENT
        if is_element and lines and lines[-1].startswith("    ") and len(lines[-1]) < _WIDTH:
            lines[-1] += " " + line.strip()
        else:
            lines.append("    " + line.strip() if is_element else line)
    return "\n".join(lines) + "\n"


# Eight digits in quotes.
_ELEMENT = 10
_WIDTH = 90


if __name__ == "__main__":
    _main(sys.argv[1] if len(sys.argv) > 1 else None)
