"""TCP as receivers reassemble it: refused segments, disorder, one direction alone, neighbours."""

import random
import socket
import struct

import pytest

from kit.captures import WRITABLE
from kit.rows import Decoded, Row, decode_capture
from kit.segments import (
    ACK,
    CALLS,
    CLIENT,
    FIN,
    REPLIES,
    RST,
    SERVER,
    SETUP,
    SYN,
    conversation,
    pcap,
    segment,
)

LOST = "not captured: only the other direction was"


def without(rows: list[Row], *columns: str) -> list[Row]:
    """Return the rows without these columns, in a fixed order."""
    kept = [{name: row[name] for name in row if name not in columns} for row in rows]
    return sorted(kept, key=str)


def numbers(packet: bytes) -> tuple[int, int]:
    first, second = struct.unpack(">II", packet[24:32])
    return first, second


STRAYS = {
    "a reset far ahead": (RST, 1 << 30, b""),
    "a reset from before": (RST, -1, b""),
    "a reset within the window": (RST, 500, b""),
    "a FIN beyond the window": (FIN | ACK, 100_000, b""),
    "a FIN from before": (FIN | ACK, -50, b""),
    "bytes beyond the window": (ACK, 100_000, b"stray"),
    "bytes far ahead": (ACK, 1 << 30, b"stray"),
    "bytes from long ago": (ACK, -(1 << 30), b"stray"),
    "a SYN": (SYN, 123_456, b""),
}


@pytest.mark.parametrize("first", [1000, 0xFFFFFFF0], ids=["low numbers", "numbers that wrap"])
@pytest.mark.parametrize("stray", STRAYS)
def test_a_segment_that_its_receiver_refuses_changes_no_row(stray: str, first: int) -> None:
    flags, by, data = STRAYS[stray]
    packets = conversation(first)
    expected = decode_capture(pcap(packets))
    number, acknowledged = numbers(packets[9])
    packets.insert(9, segment(CLIENT, SERVER, (number + by, acknowledged), flags, data))
    decoded = decode_capture(pcap(packets))
    assert without(decoded.calls, "start") == without(expected.calls, "start")
    assert decoded.streams[0]["ended"] == "fin"
    assert decoded.streams[0]["client_lost_bytes"] == 0
    refused = "segments that their receiver refuses, by their numbers"
    assert decoded.undecoded == ([(refused, 1, len(data))] if data else [])


def test_bytes_after_a_reset_are_told() -> None:
    packets = conversation()
    number, _ = numbers(packets[9])
    packets.insert(9, segment(CLIENT, SERVER, (number, 0), RST))
    decoded = decode_capture(pcap(packets))
    assert decoded.streams[0]["ended"] == "reset"
    [(reason, _, size)] = decoded.undecoded
    assert reason == "segments after the end of their connection"
    assert size == sum(map(len, [*CALLS[3:], *REPLIES[3:]]))


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffled_capture_gives_the_rows_of_the_ordered_one(seed: int) -> None:
    packets = conversation()
    expected = decode_capture(pcap(packets))
    chance = random.Random(seed)  # noqa: S311 - nothing is kept secret by it
    records = [pcap([b""] * at + [packet])[24 + 16 * at :] for at, packet in enumerate(packets)]
    order = sorted(range(len(records)), key=lambda at: at + chance.random() * 12)
    decoded = decode_capture(pcap([])[:24] + b"".join(records[at] for at in order))
    assert without(decoded.messages) == without(expected.messages)
    assert without(decoded.calls) == without(expected.calls)
    assert decoded.streams == expected.streams
    assert decoded.undecoded == []


def test_a_fin_that_was_captured_before_the_last_bytes_does_not_end_the_stream() -> None:
    packets = conversation()
    for early, late in ((-3, -5), (-3, -4)):
        disordered = list(packets)
        disordered.insert(len(packets) + late, disordered.pop(early))
        assert without(decode_capture(pcap(disordered)).calls, "start", "latency_us") == without(
            decode_capture(pcap(packets)).calls, "start", "latency_us"
        )


def test_the_random_byte_of_an_old_keep_alive_is_not_of_the_stream() -> None:
    packets = conversation()
    expected = decode_capture(pcap(packets))
    for at in range(len(packets) - 4, 3, -2):
        number, acknowledged = numbers(packets[at - 1])
        said = packets[at - 1][40:]
        probe = (number + len(said) - 1, acknowledged)
        ends = (CLIENT, SERVER) if packets[at - 1][12:16] == packets[0][12:16] else (SERVER, CLIENT)
        packets.insert(at, segment(*ends, probe, ACK, bytes([said[-1] ^ 0xFF])))
    decoded = decode_capture(pcap(packets))
    assert without(decoded.messages, "ts") == without(expected.messages, "ts")
    differing = decoded.streams[0]
    assert differing["client_differing_bytes"] + differing["server_differing_bytes"] > 5


@pytest.mark.parametrize("side", ["client", "server"])
def test_one_direction_alone_is_told_to_the_byte(
    side: str,
) -> None:
    address = socket.inet_aton((CLIENT if side == "client" else SERVER)[0])
    file = pcap([packet for packet in conversation() if packet[12:16] == address])
    other = len(b"".join(REPLIES)) if side == "client" else len(SETUP + b"".join(CALLS))
    peer = "server" if side == "client" else "client"
    decoded = decode_capture(file)
    assert decoded.streams[0][f"{peer}_lost_bytes"] == other
    assert (LOST, 1, other) in decoded.undecoded


def spoken(client: bytes, server: bytes, *, midway: bool = False) -> Decoded:
    packets = [
        segment(CLIENT, SERVER, (999, 0), SYN),
        segment(SERVER, CLIENT, (4999, 1000), SYN | ACK),
        segment(CLIENT, SERVER, (1000, 5000), ACK, client),
        segment(SERVER, CLIENT, (5000, 1000 + len(client)), ACK, server),
    ]
    return decode_capture(pcap(packets[2:] if midway else packets))


@pytest.mark.parametrize(
    ("protocol", "client", "server"),
    [
        ("http", b"GET /webhdfs/v1/?op=LISTSTATUS HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"),
        ("http2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\0\0\0\4\0\0\0\0\0"),
        ("hdfs-data-transfer", b"\0\x1c\x51\x0a\x0a\x08" + b"\0" * 8, b"\2\x08\0"),
        ("hazelcast-member", b"HZC", b"HZC"),
        ("ssh", b"SSH-2.0-OpenSSH_9.6\r\n", b"SSH-2.0-OpenSSH_9.6\r\n"),
        ("zookeeper", b"\0\0\0\x2d" + b"\0" * 45, b"\0\0\0\x25" + b"\0" * 37),
    ],
)
def test_protocols_that_are_not_decoded_are_named(
    protocol: str, client: bytes, server: bytes
) -> None:
    decoded = spoken(client, server)
    assert [stream["protocol"] for stream in decoded.streams] == [protocol]
    [(reason, _, size)] = decoded.undecoded
    assert size == len(client + server)
    assert "no protocol known here" not in reason


def test_one_lucky_frame_in_the_middle_of_a_connection_is_no_protocol() -> None:
    settings = bytes.fromhex("0000120400000000000003000000640004000000ff000200000000")
    decoded = spoken(settings + bytes(range(0x82, 0x82 + 88)), b"\x88" * 30, midway=True)
    assert [stream["protocol"] for stream in decoded.streams] == ["unknown"]
    keep_alive = struct.pack(">II", 100, 0)
    decoded = spoken(keep_alive, b"\x88" * 30, midway=True)
    assert [stream["protocol"] for stream in decoded.streams] == ["unknown"]


def test_a_recording_with_its_packets_in_pairs_exchanged_gives_the_same_calls() -> None:
    file = WRITABLE.read_bytes()
    records, at = [], 24
    while at < len(file):
        end = at + 16 + struct.unpack("<I", file[at + 8 : at + 12])[0]
        records.append(file[at:end])
        at = end
    for first in range(0, len(records) - 1, 2):
        records[first : first + 2] = reversed(records[first : first + 2])
    expected, decoded = decode_capture(file), decode_capture(file[:24] + b"".join(records))
    assert without(decoded.messages, "stream") == without(expected.messages, "stream")
    assert without(decoded.calls, "stream") == without(expected.calls, "stream")


# --- faults of other reassemblers


def test_a_syn_that_comes_after_the_connections_end_opens_no_other() -> None:
    # arkime/arkime#4019: with several queues, the first SYN may be the last packet of its flow.
    packets = conversation()
    file = pcap([*packets[1:], packets[0]])
    late = len(file) - len(packets[0]) - 16
    seconds = struct.pack("<I", 1_700_000_002)
    decoded = decode_capture(file[:late] + seconds + file[late + 4 :])
    [stream] = decoded.streams
    assert (stream["ended"], stream["client"]) == ("fin", "10.0.0.7:40000")
    assert without(decoded.calls) == without(decode_capture(pcap(packets[1:])).calls)
    assert [call["status"] for call in decoded.calls] == ["ok"] * len(CALLS)


def test_a_lost_segment_before_an_early_fin_costs_itself_and_nothing_else() -> None:
    # seladb/PcapPlusPlus#1333: the segment with the FIN came before the one ahead of it.
    at, packets = 1000, [segment(CLIENT, SERVER, (999, 0), SYN)]
    for number, said in enumerate([SETUP, *CALLS]):
        flags = ACK | FIN if number == len(CALLS) else ACK
        packets.append(segment(CLIENT, SERVER, (at, 0), flags, said))
        at += len(said)
    packets[-2:] = reversed(packets[-2:])
    del packets[-3]
    decoded = decode_capture(pcap(packets))
    assert decoded.undecoded == [("not captured", 1, len(CALLS[-3]))]
    assert decoded.streams[0]["client_lost_bytes"] == len(CALLS[-3])
    assert decoded.names("client").count("Call") == len(CALLS) - 1


def test_a_segment_that_overlaps_what_waits_behind_it_joins_both() -> None:
    # zephyrproject-rtos/zephyr#47240: repeated bytes, and the missing ones, in one segment.
    said = SETUP + b"".join(CALLS)
    tenth = len(said) // 8
    places = [(3, 1), (2, 1), (1, 1), (0, 1), (6, 1), (7, 9), (4, 2.5)]
    packets = [segment(CLIENT, SERVER, (999, 0), SYN)]
    for at, size in places:
        data = said[at * tenth : int((at + size) * tenth)]
        packets.append(segment(CLIENT, SERVER, (1000 + at * tenth, 0), ACK, data))
    decoded = decode_capture(pcap(packets))
    assert decoded.names("client").count("Call") == len(CALLS)
    assert decoded.streams[0]["client_retransmitted_bytes"] == int(6.5 * tenth) - 6 * tenth
    assert decoded.undecoded == []


def test_a_message_behind_a_lost_segment_has_its_own_time() -> None:
    at, packets = 1000, [segment(CLIENT, SERVER, (999, 0), SYN)]
    for said in [SETUP, *CALLS]:
        packets.append(segment(CLIENT, SERVER, (at, 0), ACK, said))
        at += len(said)
    packets.append(packets.pop(3))  # sent again after all others had arrived
    decoded = decode_capture(pcap(packets))
    times = [row["ts"] % 1_000_000 // 1000 for row in decoded.messages if row["name"] == "Call"]
    assert times == [2, len(packets) - 1, *range(3, len(packets) - 1)]
    start, *_ = [call["start"] for call in decoded.calls if call["id"] == "1"]
    assert start % 1_000_000 == 1000 * (len(packets) - 1)
