"""Packets in every shape that networks give them: the same rows, or one of what is missing."""

import pytest

from jvmwire.capture import CaptureWriter
from kit import wire
from kit.rows import CLIENT_ADDRESS, SERVER_ADDRESS, decode_capture, explain_capture

SETUP = wire.connection_header() + wire.context()
CALLS = [wire.stat(id_, f"/user/alice/{id_}" * 20) for id_ in range(4)]


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
