"""Packets in every shape that networks give them: the same rows, or one of what is missing."""

import pytest

from jvmwire.capture import CaptureWriter
from kit import wire
from kit.rows import CLIENT_ADDRESS, SERVER_ADDRESS, decode_capture

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
