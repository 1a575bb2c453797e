"""The tap: it records exactly the bytes that crossed, and `jvmwire decode` reads the recording."""

import io
import os
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import dpkt
import pytest

from jvmwire import ConnectionLost
from jvmwire.transports import Child, Endpoint, Recorder, Tap, Tcp, Tls, memory_pair
from kit import wire
from kit.captures import SEED, VECTORS
from kit.certificates import Authority
from kit.command import decode
from kit.directions import directions
from kit.rows import Row, Turn, decode_capture, decode_dump
from kit.servers import echo, listening, serving
from kit.transport_adapters import SOON, Connect

pytestmark = pytest.mark.usefixtures("no_leak")

CALL = (SEED / "client-call.bin").read_bytes()
REPLY = (SEED / "reply.bin").read_bytes()
CALLS = (
    wire.connection_header()
    + wire.context()
    + b"".join(wire.stat(id_, f"/user/alice/{id_}") for id_ in range(2000))
)
REPLIES = b"".join(wire.reply(id_, wire.content(1, bytes(id_))) for id_ in range(2000))


def crossed(capture: bytes) -> dict[tuple[str, str], bytes]:
    """Return the bytes of each direction, by its two addresses; none may be missing."""
    heard: dict[tuple[str, str], bytes] = {}
    for _, frame in dpkt.pcap.Reader(io.BytesIO(capture)):
        ip = dpkt.ethernet.Ethernet(frame).data
        ends = address(ip.src, ip.data.sport), address(ip.dst, ip.data.dport)
        before = heard.setdefault(ends, b"")
        if ip.data.data:
            assert ip.data.seq == len(before) + 1
        heard[ends] = before + ip.data.data
    return heard


def address(packed: bytes, port: int) -> str:
    family = socket.AF_INET if len(packed) == 4 else socket.AF_INET6
    host = socket.inet_ntop(family, packed)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def without_places(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return rows as those of a dump, which has no times."""
    kept = [{**row, "ts": None} for row in rows]
    return sorted(kept, key=lambda row: (row["side"], row["offset"], row["parent"] is not None))


def answering(reply: bytes, *, length: int) -> Callable[[socket.socket], None]:
    """Send `reply` when this many bytes have arrived."""

    def serve(connection: socket.socket) -> None:
        heard = 0
        while heard < length:
            heard += len(connection.recv(1 << 16))
        connection.sendall(reply)
        connection.recv(1)

    return serve


@pytest.mark.parametrize(
    ("said", "answered"), [(CALL, REPLY), (CALLS, REPLIES)], ids=["seed", "2000 calls"]
)
def test_what_crosses_decodes_as_what_was_said(
    connect: Connect, tmp_path: Path, said: bytes, answered: bytes
):
    path = tmp_path / "tap.pcap"
    with (
        serving(answering(answered, length=len(said))) as port,
        path.open("wb") as file,
        Recorder(file) as recorder,
    ):
        line = connect(Tap(Tcp("127.0.0.1", port), recorder))
        line.send(said)
        assert line.read(len(answered)) == answered
        line.close()

    (ours, peers), *_ = crossed(path.read_bytes())
    assert peers == f"127.0.0.1:{port}"
    assert crossed(path.read_bytes()) == {(ours, peers): said, (peers, ours): answered}
    rows = decode(path).rows
    expected = decode_dump(said, replies=answered).messages
    assert without_places(rows) == without_places(expected)
    assert all(row["ts"] for row in rows)


RECORDED = {
    "hadoop": "writable-3.5.0.pcap",
    "hazelcast": "member-3.12.13.pcap",
    "pravega": "segmentstore-0.13.0.pcap",
    "storm": "words-2.8.3.pcap",
    "hama": "copy-0.7.1.pcap",
}


@pytest.mark.parametrize("protocol", RECORDED)
def test_of_every_protocol_what_crosses_decodes_as_what_was_recorded_before(
    connect: Connect, protocol: str
):
    path = VECTORS / protocol / "recordings" / RECORDED[protocol]
    turns = directions(path)[0].turns
    tapped = io.BytesIO()
    with serving(playing(turns)) as port:
        line = connect(Tap(Tcp("127.0.0.1", port), Recorder(tapped)))
        for side, said in turns:
            if side == "client":
                line.send(said)
            else:
                assert line.read(len(said)) == said
        line.close()
    found = decode_capture(tapped.getvalue()).messages
    expected = [row for row in decode_capture(path.read_bytes()).messages if row["stream"] == 0]
    assert {row["protocol"].partition("-")[0] for row in expected} == {protocol}
    assert without_places(found) == without_places(expected)


def playing(turns: Sequence[Turn]) -> Callable[[socket.socket], None]:
    """Play the server's part."""

    def serve(connection: socket.socket) -> None:
        with connection.makefile("rb") as heard:
            for side, said in turns:
                if side == "client":
                    assert heard.read(len(said)) == said
                else:
                    connection.sendall(said)
            connection.recv(1)

    return serve


def test_of_tls_what_is_said_inside_it_is_recorded(connect: Connect, ca: Authority):
    capture = io.BytesIO()
    with serving(echo, tls=ca.server()) as port:
        endpoint = Tcp("localhost", port, tls=Tls(ca_file=ca.file))
        line = connect(Tap(endpoint, Recorder(capture)))
        line.send(CALLS)
        assert line.read(len(CALLS)) == CALLS
        line.close()
    assert list(crossed(capture.getvalue()).values()) == [CALLS, CALLS]


def test_of_a_child_the_child_is_the_client(connect: Connect, tmp_path: Path):
    calls = tmp_path / "calls"
    calls.write_bytes(CALLS)
    capture = io.BytesIO()
    endpoint = Tap(Child(["cat", str(calls), "-"]), Recorder(capture))
    line = connect(endpoint)
    assert str(endpoint) == "cat"
    assert line.read(len(CALLS)) == CALLS
    line.send(b"and more")
    assert line.read(8) == b"and more"
    line.close()
    (client, server), *_ = crossed(capture.getvalue())
    assert client.startswith("192.0.2.1:")
    assert crossed(capture.getvalue()) == {
        (client, server): CALLS + b"and more",
        (server, client): b"and more",
    }
    (stream,) = decode_capture(capture.getvalue()).streams
    assert (stream["client"], stream["server"]) == (client, server)


def test_connections_without_addresses_are_told_apart(connect: Connect):
    capture = io.BytesIO()
    client, server = memory_pair()
    recorder = Recorder(capture)
    for word in (b"one", b"two"):
        ours, theirs = connect(Tap(client, recorder)), connect(server)
        ours.send(word)
        assert theirs.read(3) == word
    said = [word for word in crossed(capture.getvalue()).values() if word]
    assert said == [b"one", b"two"]


def test_an_address_of_ipv6_is_recorded(connect: Connect):
    capture = io.BytesIO()
    with serving(echo, host="::1") as port:
        line = connect(Tap(Tcp("::1", port), Recorder(capture)))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()
    (_, peers), *_ = crossed(capture.getvalue())
    assert peers == f"[::1]:{port}"


def test_a_connection_that_ends_is_recorded_as_ended_and_one_that_is_lost_as_reset(
    connect: Connect,
):
    for lost, ending in ((False, "fin"), (True, "reset")):
        capture = io.BytesIO()
        with listening() as listener:
            port = listener.getsockname()[1]
            line = connect(Tap(Tcp("127.0.0.1", port), Recorder(capture)))
            peer, _ = listener.accept()
            if lost:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                peer.close()
                with pytest.raises(ConnectionLost):
                    line.read_to_end()
            else:
                peer.close()
                assert line.read_to_end() == b""
            line.close()
            line.close()
        (stream,) = decode_capture(capture.getvalue()).streams
        assert stream["ended"] == ending


def test_threads_share_a_recorder():
    capture = io.BytesIO()
    recorder = Recorder(capture)

    def talk(word: bytes) -> None:
        transport = Tap(Tcp("127.0.0.1", port), recorder).connect(timeout=SOON)
        for _ in range(200):
            while not transport.send(word):
                pass
        transport.close()

    with serving(lambda connection: drain(connection)) as port:
        words = [bytes([n]) * 100 for n in range(8)]
        threads = [threading.Thread(target=talk, args=(word,)) for word in words]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    said = sorted(word for word in crossed(capture.getvalue()).values() if word)
    assert said == [word * 200 for word in words]


def drain(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


def test_a_recorder_that_is_closed_records_no_more_and_the_connection_lives(connect: Connect):
    capture = io.BytesIO()
    with serving(echo) as port, Recorder(capture) as recorder:
        line = connect(Tap(Tcp("127.0.0.1", port), recorder))
        line.send(b"one")
        assert line.read(3) == b"one"
        recorder.close()
        line.send(b"two")
        assert line.read(3) == b"two"
        line.close()
        late = connect(Tap(Tcp("127.0.0.1", port), recorder))
        late.send(b"three")
        assert late.read(5) == b"three"
        late.close()
    assert list(crossed(capture.getvalue()).values()) == [b"one", b"one"]


def test_a_full_disk_ends_the_recording_and_not_the_connection(connect: Connect):
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(OSError, match="No space"),
    ):
        Recorder(full)

    class Filling(io.BytesIO):
        def write(self, data: Any, /) -> int:
            if self.tell() > 500:
                raise OSError(28, os.strerror(28))
            return super().write(data)

    capture = Filling()
    recorder = Recorder(capture)
    with serving(echo) as port:
        line = connect(Tap(Tcp("127.0.0.1", port), recorder))
        for _ in range(10):
            line.send(CALL)
            assert line.read(len(CALL)) == CALL
        line.close()
    with pytest.raises(OSError, match="No space left on device"):
        recorder.close()
    recorder.close()
    assert crossed(capture.getvalue())


def test_what_was_recorded_can_be_read_while_the_connection_lives(connect: Connect, tmp_path: Path):
    path = tmp_path / "tap.pcap"
    with serving(echo) as port, path.open("wb") as file, Recorder(file) as recorder:
        line = connect(Tap(Tcp("127.0.0.1", port), recorder))
        line.send(CALL)
        assert line.read(len(CALL)) == CALL
        assert set(crossed(path.read_bytes()).values()) == {CALL}
        line.close()


def test_a_tapped_endpoint_is_a_value():
    recorder = Recorder(io.BytesIO())
    endpoint: Endpoint = Tap(Tcp("nn1", 8020), recorder)
    assert endpoint == Tap(Tcp("nn1", 8020), recorder)
    assert endpoint != Tap(Tcp("nn1", 8020), Recorder(io.BytesIO()))
    assert len({endpoint, Tap(Tcp("nn1", 8020), recorder)}) == 1
    assert (str(endpoint), endpoint.side) == ("nn1:8020", "client")
