"""Packets in every shape that networks produce: the same rows, or a row about the loss."""

import random
import socket
import struct
from collections.abc import Iterable, Iterator
from io import BytesIO

import dpkt
import pytest

from jvmwire.capture import CaptureWriter
from kit import wire
from kit.captures import WRITABLE
from kit.rows import CLIENT_ADDRESS, SERVER_ADDRESS, capture, decode_capture, explain_capture

TCP = 6
FRAGMENT_HEADER = 44
RAW_IP = 101
NOT_WHOLE = "fragments of IP packets that are not whole"

SETUP = wire.connection_header() + wire.context()
CALLS = [wire.stat(id_, f"/user/alice/{id_}" * 20) for id_ in range(4)]
REPLIES = [wire.reply(id_, wire.content(1, b"\0" * 200)) for id_ in range(4)]

Packet = tuple[float, bytes, bytes, bytes]


def segments(file: bytes) -> Iterator[Packet]:
    """Yield time, source, destination and TCP segment of a capture of IPv4 in Ethernet frames."""
    for ts, frame in dpkt.pcap.Reader(BytesIO(file)):
        ip = dpkt.ethernet.Ethernet(frame).data
        yield ts, ip.src, ip.dst, bytes(ip.data)


def fragments(number: int, packet: Packet, size: int, *, version: int) -> list[bytes]:
    """Cut a segment into IP packets that each carry `size` bytes of it."""
    _, source, destination, segment = packet
    parts = []
    for start in range(0, len(segment), size):
        part = segment[start : start + size]
        more = start + size < len(segment)
        if version == 4:
            place = start // 8 | more << 13
            head = struct.pack(
                ">BBHHHBBH", 0x45, 0, 20 + len(part), number & 0xFFFF, place, 64, TCP, 0
            )
            parts.append(head + source + destination + part)
        else:
            head = struct.pack(">IHBB", 6 << 28, 8 + len(part), FRAGMENT_HEADER, 64)
            ends = socket.inet_pton(socket.AF_INET6, "fd00::")[:12]
            piece = struct.pack(">BBHI", TCP, 0, start | more, number)
            parts.append(head + ends + source + ends + destination + piece + part)
    return parts


def raw_ip(packets: Iterable[tuple[float, bytes]]) -> bytes:
    """Write IP packets into a capture without a link layer."""
    file = BytesIO()
    writer = dpkt.pcap.Writer(file, linktype=RAW_IP)
    for ts, packet in packets:
        writer.writepkt(packet, ts)
    return file.getvalue()


@pytest.mark.parametrize("version", [4, 6])
@pytest.mark.parametrize("size", [24, 136])
def test_a_recording_cut_into_fragments_gives_the_same_messages(version: int, size: int) -> None:
    file = WRITABLE.read_bytes()
    chance = random.Random(size)  # noqa: S311 - nothing is kept secret by it
    packets = []
    for number, packet in enumerate(segments(file)):
        parts = fragments(number, packet, size, version=version)
        again = chance.sample(parts, k=len(parts) // 2)
        parts += again
        chance.shuffle(parts)
        packets += [(packet[0], part) for part in parts]
    assert len(packets) > 100
    expected, decoded = decode_capture(file), decode_capture(raw_ip(packets))
    assert decoded.messages == expected.messages
    assert decoded.undecoded == expected.undecoded


@pytest.mark.parametrize("version", [4, 6])
def test_a_fragment_that_was_not_captured_leaves_a_hole_and_is_counted(version: int) -> None:
    file = capture(*(("client", data) for data in [SETUP, *CALLS]), ("server", b"".join(REPLIES)))
    packets = []
    for number, packet in enumerate(segments(file)):
        parts = fragments(number, packet, 160, version=version)
        if packet[3].endswith(CALLS[1]):
            parts.pop(1)
        packets += [(packet[0], part) for part in parts]
    decoded = decode_capture(raw_ip(packets))
    assert {row["error"] for row in decoded.messages} == {None, "not captured", f"{NOT_WHOLE}: 2"}
    (hole,) = [row for row in decoded.messages if row["error"] == "not captured"]
    assert (hole["offset"], hole["length"]) == (len(SETUP + CALLS[0]), len(CALLS[1]))
    assert [call["id"] for call in decoded.calls] == ["0", "2", "3"]
    lost = len(CALLS[1]) + 20 - 160
    assert (NOT_WHOLE, 1, lost) in decoded.undecoded


def in_udp(port: int, payload: bytes) -> bytes:
    head = struct.pack(">HHHH", 50000, port, 8 + len(payload), 0)
    ends = socket.inet_aton("192.168.1.1") + socket.inet_aton("192.168.1.2")
    return (
        struct.pack(">BBHHHBBH", 0x45, 0, 28 + len(payload), 1, 0, 64, 17, 0)
        + ends
        + head
        + payload
    )


def in_vxlan(frame: bytes, network: int) -> bytes:
    return in_udp(4789, struct.pack(">II", 8 << 24, network << 8) + frame)


def test_a_recording_inside_vxlan_gives_the_same_rows() -> None:
    file = WRITABLE.read_bytes()
    packets = [(ts, in_vxlan(frame, 42)) for ts, frame in dpkt.pcap.Reader(BytesIO(file))]
    expected, decoded = decode_capture(file), decode_capture(raw_ip(packets))
    assert (decoded.messages, decoded.calls) == (expected.messages, expected.calls)
    assert (decoded.streams, decoded.undecoded) == (expected.streams, [])


def test_a_tunnel_whose_packets_are_fragments_gives_the_same_rows() -> None:
    file = WRITABLE.read_bytes()
    packets = []
    for number, (ts, frame) in enumerate(dpkt.pcap.Reader(BytesIO(file))):
        whole = in_vxlan(frame, 42)
        for start in range(0, len(whole) - 20, 400):
            part = whole[20 + start : 420 + start]
            place = start // 8 | (start + 420 < len(whole)) << 13
            head = struct.pack(">BBHHH", 0x45, 0, 20 + len(part), number, place) + whole[8:20]
            packets.append((ts, head + part))
    expected, decoded = decode_capture(file), decode_capture(raw_ip(packets))
    assert len(packets) > len(expected.messages)
    assert (decoded.messages, decoded.undecoded) == (expected.messages, [])


def test_connections_of_two_virtual_networks_are_two_streams() -> None:
    file = capture(("client", SETUP + CALLS[0]), ("server", REPLIES[0]))
    packets = []
    for ts, frame in dpkt.pcap.Reader(BytesIO(file)):
        packets += [(ts, in_vxlan(frame, network)) for network in (1, 2)]
    decoded = decode_capture(raw_ip(packets))
    assert [stream["client_retransmitted_bytes"] for stream in decoded.streams] == [0, 0]
    assert [call["status"] for call in decoded.calls] == ["ok", "ok"]


def test_packets_inside_ipsec_are_counted() -> None:
    ends = socket.inet_aton("192.168.1.1") + socket.inet_aton("192.168.1.2")
    packet = struct.pack(">BBHHHBBH", 0x45, 0, 60, 1, 0, 64, 50, 0) + ends + b"\7" * 40
    decoded = decode_capture(raw_ip([(1.0, packet), (1.0, packet)]))
    assert decoded.errors() == ["packets inside IPsec, which are not looked into: 2"]
    assert decoded.undecoded == [("packets inside IPsec, which are not looked into", 1, 120)]


def test_bytes_sent_again_that_differ_are_counted_and_the_first_win() -> None:
    calls = b"".join(CALLS)
    forged = bytearray(SETUP + calls)
    forged[len(SETUP) + 8] ^= 1
    forged[-1] ^= 1
    # The same numbers twice: the second copy differs in two places.
    writer = CaptureWriter()
    connection, opening = writer.open(CLIENT_ADDRESS, SERVER_ADDRESS, 0)
    first = writer.data(connection, "client", SETUP + calls, 1)
    end = writer.close(connection, 3)
    second = first.replace(SETUP + calls, bytes(forged))
    decoded = decode_capture(writer.header() + opening + first + second + end)
    plain = decode_capture(writer.header() + opening + first + end)
    assert decoded.messages == plain.messages
    (stream,) = decoded.streams
    assert stream["client_retransmitted_bytes"] == len(forged)
    assert (stream["client_differing_bytes"], stream["server_differing_bytes"]) == (2, 0)


def test_a_connection_that_is_broken_off_is_a_reset() -> None:
    writer = CaptureWriter()
    connection, opening = writer.open(CLIENT_ADDRESS, SERVER_ADDRESS, 0)
    file = writer.header() + opening + writer.data(connection, "client", SETUP + CALLS[0], 1)
    file += writer.reset(connection, "server", 2)
    decoded = decode_capture(file)
    assert [stream["ended"] for stream in decoded.streams] == ["reset"]
    assert [call["status"] for call in decoded.calls] == ["lost"]
    with pytest.raises(ValueError, match="connection 0 is not open"):
        writer.close(connection, 3)


def test_packets_of_a_link_type_that_is_not_known_are_counted() -> None:
    file = bytearray(capture(("client", SETUP + CALLS[0])))
    file[20] = 105
    (row,) = decode_capture(bytes(file)).messages
    assert row["error"] == "packets of a link type not known here: 7"


def test_what_is_explained_of_a_capture_says_of_which_stream_it_is() -> None:
    writer = CaptureWriter()
    file = writer.header()
    for port in (40000, 40001):
        connection, opening = writer.open(f"10.0.0.7:{port}", SERVER_ADDRESS, 0)
        file += opening + writer.data(connection, "client", SETUP + CALLS[0], 1)
    headings = [line for line in explain_capture(file).splitlines() if line.startswith("// ---- ")]
    assert len(headings) == 6
    for stream, some in enumerate((headings[:3], headings[3:])):
        assert all(line.endswith(f" of stream {stream}") for line in some)
