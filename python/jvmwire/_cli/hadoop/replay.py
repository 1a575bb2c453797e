"""Command `jvmwire hadoop replay`, which resends the bytes that a client wrote."""

from __future__ import annotations

import select
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from jvmwire._cli.hadoop.connection_options import SYSTEM
from jvmwire._cli.server_options import DEFAULT_TIMEOUT, server_option, timeout_option

if TYPE_CHECKING:
    from jvmwire.transports import Transport

QUIET = 1.0
"""Seconds of silence after which no more bytes are expected. (Chosen by jvmwire.)"""


@click.command()
@click.argument("dump", type=click.File("rb"))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file for the answer; else standard output.",
)
@click.option(
    "--quiet",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=QUIET,
    show_default=True,
    help="Silence after which the connection is closed.",
)
@timeout_option(SYSTEM, has_config=False)
@server_option(
    SYSTEM,
    required=True,
    multiple=False,
    help="Address of the server that receives the bytes (default port: 8020).",
)
def replay(
    dump: BinaryIO, *, servers: str, output: Path | None, quiet: float, timeout: float | None
) -> None:
    """Send the bytes of DUMP as they are, and write what is answered.

    What is answered can be read by jvmwire decode --protocol hadoop --side server FILE.
    """
    from jvmwire._cli.output import open_result
    from jvmwire.hadoop._client import NAMENODE

    endpoint = NAMENODE.parse_one(servers)
    data = dump.read()
    with open_result(output, inputs=[dump.fileno()], is_binary=True) as file:
        transport = endpoint.connect(timeout=timeout or DEFAULT_TIMEOUT)
        try:
            answer = _exchange(transport, data, quiet)
        finally:
            transport.close()
        file.write(answer)
    click.echo(f"jvmwire: {len(data)} bytes sent, {len(answer)} received", err=True)


def _exchange(transport: Transport, data: bytes, quiet: float) -> bytes:
    answer = bytearray()
    left = memoryview(data)
    until = time.monotonic() + quiet
    while (patience := until - time.monotonic()) > 0:
        writing = [transport.write_fd] if left or transport.unsent else []
        readable, writable, _ = select.select([transport.read_fd], writing, [], patience)
        if writable:
            left = left[transport.send(left) :]
        if readable:
            chunk = transport.recv()
            if chunk == b"":
                break
            answer += chunk or b""
        if readable or writable:
            until = time.monotonic() + quiet
    return bytes(answer)
