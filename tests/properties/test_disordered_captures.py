"""The rows of a capture do not depend on the order of its packets, within the reordering window."""

from pathlib import Path

import pytest

from kit.captures import VECTORS
from kit.corrupt_captures import Packet, disordered, read_packets
from kit.rows import Decoded, Row, decode_capture
from kit.scale import times

RECORDINGS = sorted(VECTORS.glob("*/recordings/*.pcap*"), key=lambda it: it.name)
PACKETS = 500
"""Maximum number of packets of each recording."""


def decode(header: bytes, packets: list[Packet]) -> Decoded:
    return decode_capture(header + b"".join(packet.record() for packet in packets))


def unnumbered(rows: list[Row]) -> list[str]:
    """Return rows without the numbers of streams, which follow the capture's order."""
    return sorted(str({**row, "stream": None}) for row in rows)


@pytest.mark.parametrize("window", [4, 60])
@pytest.mark.parametrize(
    "path", [it for it in RECORDINGS if it.suffix != ".pcapng"], ids=lambda it: it.name
)
def test_disorder_within_what_is_waited_for_changes_no_row(path: Path, window: int) -> None:
    header, packets = read_packets(path)
    packets = packets[:PACKETS]
    expected = decode(header, packets)
    assert len(expected.messages) > 20
    for seed in range(times(2)):
        moved = disordered(packets, seed, window)
        assert moved != packets
        decoded = decode(header, moved)
        assert unnumbered(decoded.streams) == unnumbered(expected.streams)
        assert unnumbered(decoded.messages) == unnumbered(expected.messages)
        assert unnumbered(decoded.calls) == unnumbered(expected.calls)
        assert decoded.undecoded == expected.undecoded
