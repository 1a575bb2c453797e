"""`jvmwire decode` of incomplete captures: the data in no row is reported, with a status."""

import socket
import struct
from pathlib import Path

import pytest

from jvmwire.report import report_captures
from kit.command import Done, decode
from kit.segments import (
    ACK,
    CALLS,
    CLIENT,
    REPLIES,
    RST,
    SERVER,
    SETUP,
    SYN,
    conversation,
    pcap,
    segment,
)

ENDS = socket.inet_aton("192.168.1.1") + socket.inet_aton("192.168.1.2")
PACKETS = conversation()
OF_CLIENT, OF_SERVER = (
    [packet for packet in PACKETS if packet[12:16] == socket.inet_aton(end[0])]
    for end in (CLIENT, SERVER)
)
ONE_SIDED = "not captured: only the other direction was"
ETHERNET, COOKED, COOKED_2, LOOPBACK, UNKNOWN_LINK = 1, 113, 276, 0, 105


def ip(protocol: int, body: bytes) -> bytes:
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 1, 0, 64, protocol, 0) + ENDS + body


def udp(port: int, body: bytes) -> bytes:
    return ip(17, struct.pack(">HHHH", 50000, port, 8 + len(body), 0) + body)


def frame(kind: int, body: bytes) -> bytes:
    return bytes(12) + struct.pack(">H", kind) + body


def with_packet(packet: bytes, at: int = 9) -> bytes:
    return pcap([*PACKETS[:at], packet, *PACKETS[at:]])


def cut_to(packet: bytes, length: int, link_type: int = 101) -> bytes:
    """Write a capture whose only packet was cut by a snaplen."""
    whole = pcap([packet], link_type=link_type)
    return whole[:32] + struct.pack("<II", length, len(packet)) + whole[40 : 40 + length]


def in_ipv6(packet: bytes) -> bytes:
    """Return the segment of an IPv4 packet in IPv6, after options for each hop and the end."""
    source, target = (bytes(12) + packet[at : at + 4] for at in (12, 16))
    options = struct.pack(">BB", 60, 0) + b"\1\4" + bytes(4)
    options += struct.pack(">BB", 6, 0) + b"\1\4" + bytes(4)
    body = options + packet[20:]
    return struct.pack(">IHBB", 6 << 28, len(body), 0, 64) + source + target + body


number = int.from_bytes(PACKETS[9][24:28], "big")
acknowledged = int.from_bytes(PACKETS[9][28:32], "big")

LEFT_OUT = {
    "no-tcp": (
        pcap([frame(0x0806, bytes(28)), frame(0x0800, udp(53, bytes(30)))], link_type=ETHERNET),
        f"{42 + 72} bytes in one place: packets that carry no TCP, in a capture without any",
    ),
    "client-alone": (
        pcap(OF_CLIENT),
        f"{len(b''.join(REPLIES))} bytes in one place: {ONE_SIDED}",
    ),
    "server-alone": (
        pcap(OF_SERVER),
        f"{len(SETUP + b''.join(CALLS))} bytes in one place: {ONE_SIDED}",
    ),
    "stray-bytes": (
        with_packet(segment(CLIENT, SERVER, (number + 100_000, acknowledged), ACK, b"stray")),
        "5 bytes in one place: segments that their receiver refuses, by their numbers",
    ),
    "after-a-reset": (
        with_packet(segment(CLIENT, SERVER, (number, 0), RST)),
        f"{sum(map(len, [*CALLS[3:], *REPLIES[3:]]))} bytes in one place: "
        "segments after the end of their connection",
    ),
    "lines-from-before": (
        pcap([*PACKETS[7:10], *[PACKETS[7][:32] + PACKETS[7][32:40]] * 70, PACKETS[3]]),
        f"{len(SETUP + CALLS[0])} bytes in one place: "
        "segments from before the first known byte of their connection",
    ),
    "damaged": (
        with_packet(PACKETS[9][:32] + b"\x10" + PACKETS[9][33:]),
        f"{len(PACKETS[9])} bytes in one place: damaged packets",
    ),
    "headers-cut": (
        cut_to(PACKETS[3], 30),
        f"{len(PACKETS[3])} bytes in one place: packets cut off inside their headers",
    ),
    "payload-cut": (
        cut_to(PACKETS[3], len(PACKETS[3]) - 9),
        "9 bytes in one place: not captured",
    ),
    "unknown-link": (
        pcap(PACKETS[:3], link_type=UNKNOWN_LINK),
        "120 bytes in one place: packets of a link type not known here",
    ),
    "tls": (
        pcap(
            [segment(CLIENT, SERVER, (1, 0), ACK, b"\x16\x03\x01\0\x2a\1\0\0\x26\3\3" + bytes(36))]
        ),
        "47 bytes in one place: encrypted with TLS",
    ),
    "unknown": (
        pcap([segment(CLIENT, SERVER, (1, 0), ACK, b"220 hello\r\n" * 3)]),
        "33 bytes in one place: no protocol known here",
    ),
    "ipsec": (
        with_packet(ip(50, bytes(40))),
        "60 bytes in one place: packets inside IPsec, which are not looked into",
    ),
    "macsec": (
        pcap([frame(0x88E5, bytes(40))], link_type=ETHERNET),
        "54 bytes in one place: packets inside MACsec, which are not looked into",
    ),
    "wireguard": (
        with_packet(udp(51820, b"\4\0\0\0" + bytes(44))),
        "76 bytes in one place: packets inside tunnels that are not looked into",
    ),
    "compressed": (
        with_packet(ip(108, bytes(44))),
        "64 bytes in one place: packets inside tunnels that are not looked into",
    ),
    "fragment": (
        with_packet(PACKETS[9][:6] + b"\x20\0" + PACKETS[9][8:]),
        f"{len(PACKETS[9]) - 20} bytes in one place: fragments of IP packets that are not whole",
    ),
    "udp-fragment": (
        pcap([ip(17, bytes(40))[:6] + b"\x20\0" + ip(17, bytes(40))[8:]]),
        "40 bytes in one place: packets that carry no TCP, in a capture without any",
    ),
    "record-cut": (pcap(PACKETS)[:-7], "the capture is cut short: 49 bytes of a record are left"),
}


def sentences(done: Done, folder: Path) -> dict[str, list[str]]:
    """Return the sentences about each file."""
    said: dict[str, list[str]] = {}
    for line in done.stderr.splitlines():
        name, _, sentence = line.removeprefix(f"jvmwire: {folder}/").partition(".pcap: ")
        said.setdefault(name, []).append(sentence)
    return said


def test_what_is_in_no_row_is_said_and_the_status_is_1(tmp_path: Path) -> None:
    for name, (file, _) in LEFT_OUT.items():
        (tmp_path / f"{name}.pcap").write_bytes(file)
    said = sentences(decode(tmp_path, status=1), tmp_path)
    missing = {
        name: said.get(name)
        for name, (_, sentence) in LEFT_OUT.items()
        if not any(it.startswith(sentence) for it in said.get(name, []))
    }
    assert missing == {}


@pytest.mark.parametrize("name", ["client-alone", "server-alone", "damaged", "no-tcp"])
def test_one_capture_with_something_left_out_ends_with_1(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.pcap"
    file.write_bytes(LEFT_OUT[name][0])
    assert LEFT_OUT[name][1] in sentences(decode(file, status=1), tmp_path)[name]


def test_what_is_seen_in_any_shape_is_decoded_and_nothing_is_said(tmp_path: Path) -> None:
    wrong_sums = [it[:10] + b"\1\1" + it[12:36] + b"\2\2" + it[38:] for it in PACKETS]
    shapes = {
        "wrong-checksums": pcap(wrong_sums),
        "other-port": pcap(conversation(port=50_070)),
        "with-udp": with_packet(udp(53, bytes(30))),
        "ipv6-extensions": pcap([in_ipv6(it) for it in PACKETS]),
        "ethernet": pcap([frame(0x0800, it) for it in PACKETS], link_type=ETHERNET),
        "vlan": pcap([frame(0x8100, b"\0\5\x08\0" + it) for it in PACKETS], link_type=ETHERNET),
        "cooked": pcap([bytes(14) + b"\x08\0" + it for it in PACKETS], link_type=COOKED),
        "cooked-2": pcap([b"\x08\0" + bytes(18) + it for it in PACKETS], link_type=COOKED_2),
        "loopback": pcap([struct.pack("<I", 2) + it for it in PACKETS], link_type=LOOPBACK),
        "second-syn": with_packet(segment(CLIENT, SERVER, (123_456, 0), SYN)),
    }
    for name, file in shapes.items():
        (tmp_path / f"{name}.pcap").write_bytes(file)
    done = decode("--table", "calls", "--columns", "name,status", tmp_path)
    assert done.stderr == ""
    assert [row["status"] for row in done.rows] == ["ok"] * len(CALLS) * len(shapes)


def test_a_capture_without_packets_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.pcap").write_bytes(pcap([]))
    done = decode(tmp_path)
    assert sentences(done, tmp_path) == {"empty": ["the capture has no packets"]}
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ipsec", "; not readable: 60 bytes of packets inside IPsec."),
        ("macsec", "; not readable: 54 bytes of packets inside MACsec.)"),
        ("wireguard", "; not readable: 76 bytes of packets inside tunnels."),
    ],
)
def test_the_report_begins_with_the_size_of_tunnels_that_are_not_decoded(
    tmp_path: Path, name: str, said: str
) -> None:
    capture = tmp_path / "a.pcap"
    capture.write_bytes(LEFT_OUT[name][0])
    made = report_captures([capture], tmp_path / "report", keep_calls=False)
    assert made.lines[0].endswith(said)
