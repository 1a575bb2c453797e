"""Rows about a connection of which only parts were captured, however few."""

from io import BytesIO

import pytest

from jvmwire.capture import CaptureWriter, read_tables
from jvmwire.errors import DecodeError, NotACapture
from kit import wire
from kit.captures import VECTORS, WRITABLE
from kit.rows import (
    CLIENT_ADDRESS,
    SERVER_ADDRESS,
    Decoded,
    Side,
    Turn,
    capture,
    covered,
    decode_capture,
    decode_dump,
    midway,
)

SETUP = wire.connection_header() + wire.context()
CALLS = [wire.stat(id_, f"/user/alice/{id_}") for id_ in range(8)]
REPLIES = [wire.reply(id_, wire.content(1, b"\0" * id_)) for id_ in range(8)]
CLIENT = SETUP + b"".join(CALLS)
SERVER = b"".join(REPLIES)
TLS = b"\x16\x03\x01\x00\x2a\x01\x00\x00\x26\x03\x03" + b"\x55" * 36
NOT_CAPTURED = "not captured"
MIDWAY = "before the first message boundary"
CUT_SHORT = "the stream ends inside a message"

Place = tuple[int, int, str | None, str | None]


def with_holes(*turns: tuple[Side, bytes, bool]) -> Decoded:
    """Decode a whole connection of which the turns marked False were not captured."""
    writer = CaptureWriter()
    connection, opening = writer.open(CLIENT_ADDRESS, SERVER_ADDRESS, 0)
    file = [writer.header(), opening]
    for ts, (side, data, seen) in enumerate(turns, 1):
        packets = writer.data(connection, side, data, ts)
        file += [packets] if seen else []
    file.append(writer.close(connection, len(turns) + 1))
    return decode_capture(b"".join(file))


def places(decoded: Decoded, side: str) -> list[Place]:
    rows = [row for row in decoded.messages if row["side"] == side]
    rows.sort(key=lambda row: int(row["offset"]))
    return [(row["offset"], row["length"], row["name"], row["error"]) for row in rows]


# --- seen from the middle


@pytest.mark.parametrize(
    ("side", "said", "starts"),
    [
        ("client", CLIENT, range(0, len(SETUP + b"".join(CALLS[:6])), 5)),
        ("server", SERVER, range(0, len(b"".join(REPLIES[:6])), 3)),
    ],
    ids=["client", "server"],
)
def test_a_side_seen_midway_is_decoded_from_its_next_message_on(
    side: Side, said: bytes, starts: range
) -> None:
    whole = places(decode_dump(said, side), side)
    for start in starts:
        decoded = decode_capture(midway((side, said[start:])))
        assert decoded.streams[0]["protocol"] == "hadoop"
        later = [(at - start, length, name, None) for at, length, name, _ in whole if at >= start]
        before = [(0, later[0][0], None, MIDWAY)] if later[0][0] else []
        assert places(decoded, side) == before + later


def test_calls_seen_midway_are_joined_with_their_replies_and_have_no_user() -> None:
    file = midway(
        ("server", REPLIES[0][10:]),
        ("client", b"".join(CALLS[1:])),
        ("server", b"".join(REPLIES[1:])),
    )
    told = [(call["id"], call["status"], call["user"]) for call in decode_capture(file).calls]
    assert told == [(str(id_), "ok", None) for id_ in range(1, 8)]


def test_who_is_the_client_midway_is_told_by_what_is_said() -> None:
    writer = CaptureWriter()
    # By its ports, the client here looks like the server.
    connection, _ = writer.open("10.0.0.7:80", "10.0.0.1:40000", 0)
    file = writer.header() + writer.data(connection, "server", SERVER, 1)
    file += writer.data(connection, "client", b"".join(CALLS), 2)
    decoded = decode_capture(file)
    [stream] = decoded.streams
    assert (stream["client"], stream["server"]) == ("10.0.0.7:80", "10.0.0.1:40000")
    assert stream["client_bytes"] == len(b"".join(CALLS))
    assert stream["server_bytes"] == len(SERVER)
    assert (set(decoded.names("client")), set(decoded.names("server"))) == ({"Call"}, {"Reply"})


# --- missing pieces


def test_a_hole_is_a_row_and_the_messages_behind_it_are_found() -> None:
    decoded = with_holes(
        ("client", SETUP + CALLS[0] + CALLS[1], True),
        ("client", CALLS[2], False),
        ("client", b"".join(CALLS[3:]), True),
        ("server", SERVER, True),
    )
    hole = (len(SETUP + CALLS[0] + CALLS[1]), len(CALLS[2]), None, NOT_CAPTURED)
    assert [place for place in places(decoded, "client") if place[3]] == [hole]
    assert [call["id"] for call in decoded.calls] == ["0", "1", "3", "4", "5", "6", "7"]
    assert decoded.streams[0]["client_lost_bytes"] == len(CALLS[2])


def test_a_hole_inside_a_message_costs_that_message() -> None:
    decoded = with_holes(
        ("client", SETUP + CALLS[0] + CALLS[1][:20], True),
        ("client", CALLS[1][20:30], False),
        ("client", CALLS[1][30:] + b"".join(CALLS[2:]), True),
    )
    at = len(SETUP + CALLS[0])
    assert [place for place in places(decoded, "client") if place[2] is None] == [
        (at, 20, None, CUT_SHORT),
        (at + 20, 10, None, NOT_CAPTURED),
        (at + 30, len(CALLS[1]) - 30, None, MIDWAY),
    ]
    assert decoded.names("client").count("Call") == 7


@pytest.mark.parametrize("seen", [1, 2, 3])
def test_a_hole_in_the_first_four_bytes_leaves_the_rest(seen: int) -> None:
    decoded = with_holes(
        ("client", CLIENT[:seen], True),
        ("client", CLIENT[seen:9], False),
        ("client", CLIENT[9:], True),
        ("server", SERVER, True),
    )
    assert decoded.streams[0]["protocol"] == "hadoop"
    assert places(decoded, "client")[:4] == [
        (0, seen, None, MIDWAY),
        (seen, 9 - seen, None, NOT_CAPTURED),
        (9, len(SETUP) - 9, None, MIDWAY),
        (len(SETUP), len(CALLS[0]), "Call", None),
    ]


def test_a_server_of_whose_client_nothing_was_captured_may_have_holes() -> None:
    decoded = with_holes(
        ("server", REPLIES[0], True),
        ("server", REPLIES[1], False),
        ("server", b"".join(REPLIES[2:]), True),
    )
    ranges = sorted(covered(decoded)[0, "server"])
    assert [end for _, end in ranges[:-1]] == [start for start, _ in ranges[1:]]
    assert (ranges[0][0], ranges[-1][1]) == (0, len(SERVER))
    assert decoded.names("server").count("Reply") >= 6


@pytest.mark.parametrize(("side", "said", "count"), [("client", CLIENT, 10), ("server", SERVER, 8)])
def test_one_direction_alone_is_decoded(side: Side, said: bytes, count: int) -> None:
    decoded = decode_capture(capture((side, said)))
    assert decoded.streams[0]["protocol"] == "hadoop"
    assert (decoded.errors(), len(decoded.messages)) == ([], count)
    assert {call["status"] for call in decoded.calls} <= {"lost"}


def test_a_reply_captured_before_its_call_ends_it() -> None:
    file = capture(("client", SETUP), ("server", REPLIES[0]), ("client", CALLS[0]))
    decoded = decode_capture(file)
    assert decoded.errors() == []
    [call] = decoded.calls
    assert (call["status"], call["reply_offset"], call["latency_us"]) == ("ok", 0, 0)


# --- other protocols


@pytest.mark.parametrize("side", ["client", "server"])
def test_tls_is_told_and_not_searched(side: Side) -> None:
    decoded = decode_capture(capture((side, TLS), (side, TLS * 100)))
    [stream] = decoded.streams
    assert (stream["protocol"], stream["messages"]) == ("tls", 0)
    [row] = decoded.messages
    assert (row["protocol"], row["side"], row["offset"]) == ("tls", side, 0)
    assert (row["length"], row["error"]) == (101 * len(TLS), "encrypted with TLS")


@pytest.mark.parametrize("version", range(5))
def test_tls_where_hadoop_is_taken_for_granted_is_tls_all_the_same(version: int) -> None:
    record = bytes([22, 3, version]) + TLS[3:]
    assert decode_dump(record).errors() == ["encrypted with TLS"]


@pytest.mark.parametrize(
    "name",
    [
        "any-cooked-v2.pcap",
        "loopback-ipv6.pcap",
        "loopback-micro.pcap",
        "loopback-nano.pcap",
        "loopback.pcapng",
    ],
)
def test_another_protocol_is_one_row_a_direction(name: str) -> None:
    decoded = decode_capture((VECTORS / "captures" / name).read_bytes())
    [stream] = decoded.streams
    told = (stream["protocol"], stream["client_bytes"], stream["server_bytes"])
    assert told == ("unknown", 14, 14)
    rows = sorted((row["side"], row["offset"], row["length"]) for row in decoded.messages)
    assert rows == [("client", 0, 14), ("server", 0, 14)]
    assert set(decoded.errors()) == {"no protocol known here"}


def test_much_of_another_protocol_is_told_quickly_and_not_held() -> None:
    turns: list[Turn] = [("client", b"\x00\x00\x00\x10GIF" * 200)] * 2000
    decoded = decode_capture(midway(*turns))
    assert set(decoded.errors()) == {"no protocol known here"}
    assert sum(row["length"] for row in decoded.messages) == 2000 * 1400


def test_a_protocol_taken_for_granted_is_looked_for_in_every_stream() -> None:
    junk = b"hello, this is no call at all\r\n" * 3
    file = capture(("client", junk + b"".join(CALLS)))
    assert decode_capture(file, protocol="hadoop").names() == [None] + ["Call"] * 8
    assert decode_capture(file).names() == [None]


def test_a_connection_without_a_byte_is_a_stream_without_messages() -> None:
    decoded = decode_capture(capture())
    assert (decoded.messages, decoded.calls) == ([], [])
    assert [stream["protocol"] for stream in decoded.streams] == ["unknown"]


# --- the file itself


def test_a_capture_cut_short_is_decoded_up_to_there() -> None:
    file = WRITABLE.read_bytes()
    whole, cut = decode_capture(file), decode_capture(file[: len(file) // 2])
    assert cut.damage is not None
    assert "the capture is cut short" in cut.damage
    damaged = cut.messages[-1]
    assert (damaged["stream"], damaged["side"], damaged["length"]) == (-1, "any", 0)
    assert damaged["error"] == cut.damage
    shown = [row for row in cut.messages if row["name"] is not None]
    assert len(shown) > 20
    assert all(row in whole.messages for row in shown)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"", "the capture is empty"),
        (b"GIF89a", "neither pcap nor pcapng: the first four bytes are 0x47494638"),
        (b"\xd4\xc3\xb2\xa1\x02", "the capture is cut short: 5 bytes of a record are left"),
        (b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 20, "damaged gzip data"),
        (b"\x28\xb5\x2f\xfdgarbage", "damaged zstd data"),
    ],
    ids=["empty", "a picture", "cut short", "gzip", "zstd"],
)
def test_what_is_no_capture_is_said(file: bytes, said: str) -> None:
    decoded = decode_capture(file)
    assert decoded.damage is not None
    assert decoded.damage.startswith(said)
    assert decoded.errors() == [decoded.damage]


def test_a_file_of_another_format_is_an_error_of_its_own() -> None:
    readings = [read_tables(BytesIO(file), []) for file in (b"GIF89a", b"", b"\xd4\xc3\xb2\xa1")]
    for reading in readings:
        assert list(reading) == []
    assert [type(reading.damage) for reading in readings] == [NotACapture, DecodeError, DecodeError]
    picture = readings[0].damage
    assert picture is not None
    assert (picture.what, picture.offset, picture.value) == ("capture", 0, 0x47494638)
