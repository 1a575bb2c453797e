"""Servers that send unrequested data: the memory of a client stays bounded."""

import os
import socket
import subprocess
import sys
from contextlib import suppress

import pytest

from kit.echo_session import MAX_FRAME, Kind, Subscribe, commands, frame
from kit.environment import PYTHONPATH
from kit.servers import Serve, serving

MIB = 1 << 20
FLOOD = 256 * MIB
MOST = 128
"""MiB that the whole process may take: half of the flood."""


def flood(case: str) -> Serve:
    """Send the greeting, then far too much before the reply to a call."""

    def serve(connection: socket.socket) -> None:
        connection.sendall(frame(Kind.HELLO, 0))
        heard, answered = b"", 0
        with suppress(OSError):  # the client may not read everything
            while data := connection.recv(1 << 16):
                heard += data
                for call_id, command in [*commands(heard, torn=True)][answered:]:
                    answered += 1
                    if command is None:
                        continue
                    if isinstance(command, Subscribe):
                        connection.sendall(frame(Kind.CALL, call_id))
                        continue
                    for _ in range(FLOOD // MIB):
                        connection.sendall(too_much(case))
                    connection.sendall(frame(Kind.CALL, call_id))

    return serve


def too_much(case: str) -> bytes:
    if case == "pushes":
        return frame(Kind.PUSH, 7, bytes(4096)) * (MIB // 4096)
    # One frame of the largest size, repeated: the data after the first is garbage.
    return MAX_FRAME.to_bytes(4, "big") + bytes(MIB - 4)


@pytest.mark.parametrize("style", ["sync", "asyncio"])
@pytest.mark.parametrize("case", ["pushes", "frame"])
def test_a_flood_leaves_a_client_small(case, style):
    with serving(flood(case)) as port:
        done = subprocess.run(
            [sys.executable, "-m", "kit.flooding_peer", str(port), style, case],
            env=os.environ | {"PYTHONPATH": PYTHONPATH},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    assert int(done.stdout) < MOST
