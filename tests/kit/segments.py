"""Captures that are written segment by segment, with any sequence numbers and flags."""

import socket
import struct

from . import wire

CLIENT, SERVER = ("10.0.0.7", 40000), ("10.0.0.1", 8020)
FIN, SYN, RST, ACK = 1, 2, 4, 16
SETUP = wire.connection_header() + wire.context()
CALLS = [wire.stat(id_, f"/user/alice/{id_}") for id_ in range(8)]
REPLIES = [wire.reply(id_, wire.content(1, b"\0" * id_)) for id_ in range(8)]

Address = tuple[str, int]


def segment(
    source: Address, target: Address, numbers: tuple[int, int], flags: int, data: bytes = b""
) -> bytes:
    """Return an IP packet with a segment of these numbers."""
    number, acknowledged = (each & 0xFFFFFFFF for each in numbers)
    ports = struct.pack(">HH", source[1], target[1])
    tcp = ports + struct.pack(">IIBBHHH", number, acknowledged, 5 << 4, flags, 65535, 0, 0) + data
    ends = socket.inet_aton(source[0]) + socket.inet_aton(target[0])
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0) + ends + tcp


def pcap(packets: list[bytes], *, link_type: int = 101) -> bytes:
    """Write a capture, by default of raw IP, with one packet per millisecond."""
    out = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type)]
    for at, data in enumerate(packets):
        out.append(struct.pack("<IIII", 1_700_000_000, 1000 * at, len(data), len(data)) + data)
    return b"".join(out)


def conversation(client: int = 1000, server: int = 5000, *, port: int = 8020) -> list[bytes]:
    """Return the packets of a whole connection of eight calls; the numbers begin as given."""
    target = (SERVER[0], port)
    packets = [
        segment(CLIENT, target, (client - 1, 0), SYN),
        segment(target, CLIENT, (server - 1, client), SYN | ACK),
        segment(CLIENT, target, (client, server), ACK),
    ]
    for number, (call, reply) in enumerate(zip(CALLS, REPLIES, strict=True)):
        said = call if number else SETUP + call
        packets.append(segment(CLIENT, target, (client, server), ACK, said))
        client += len(said)
        packets.append(segment(target, CLIENT, (server, client), ACK, reply))
        server += len(reply)
    return [
        *packets,
        segment(CLIENT, target, (client, server), ACK | FIN),
        segment(target, CLIENT, (server, client + 1), ACK | FIN),
        segment(CLIENT, target, (client + 1, server + 1), ACK),
    ]
