"""Command `jvmwire pravega serve`, which runs a double of Pravega."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmwire._checks import suggestion
from jvmwire._cli.serve_options import (
    PORT,
    fault_options,
    host_option,
    refused,
    split_pair,
    wait_for_end,
)
from jvmwire._escaping import quote

if TYPE_CHECKING:
    from jvmwire._faults import Fault
    from jvmwire.pravega.errors import PravegaError


def split_error(given: str) -> tuple[str, PravegaError]:
    """Return the command and the error of an option `COMMAND=ERROR`.

    Args:
        given: The text of the option.

    Raises:
        BadParameter: one of them is missing, or jvmwire has no such error.
    """
    from jvmwire.pravega import errors

    command, name = split_pair(given, "COMMAND=ERROR")
    known = [each for each in errors.__all__ if each != "PravegaError"]
    if name not in known:
        hint = suggestion(name, known) or "."
        raise click.BadParameter(f"{quote(name)} is not an error of jvmwire.pravega.errors{hint}")
    error: PravegaError = getattr(errors, name)(refused(command))
    return command, error


@click.command()
@host_option
@click.option(
    "--port",
    type=PORT,
    default=12345,
    show_default=True,
    help="The port of the segment store; 0 is a free one.",
)
@click.option(
    "--controller-port",
    type=PORT,
    help="Serve a controller, too, at this port; 9090 is the usual one, 0 is a free one.",
)
@click.option(
    "--segment",
    "segments",
    metavar="NAME",
    multiple=True,
    help="Have a segment; may be given again.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(0, (1 << 63) - 1),
    default=256 << 20,
    show_default=True,
    help="Hold at most so many bytes.",
)
@fault_options("COMMAND", "COMMAND=ERROR", "ReadSegment=NoSuchSegment", split_error)
def serve(
    *,
    host: str,
    port: int,
    controller_port: int | None,
    segments: tuple[str, ...],
    max_bytes: int,
    faults: list[Fault],
) -> None:
    """Serve a double of Pravega, to try clients on.

    It is no Pravega: it keeps all data in memory until it ends. Clients in any language can create,
    append, read, follow, truncate, seal, merge and delete segments and tables; with a controller
    also streams, transactions, key-value tables and reader groups.

      jvmwire pravega serve --controller-port 9090 &
      jvmwire pravega create --server localhost --stream shop/orders
    """
    from jvmwire.pravega.testing import PravegaDouble

    double = PravegaDouble(
        host,
        port,
        controller=controller_port is not None,
        controller_port=controller_port or 0,
        max_bytes=max_bytes,
    )
    for name in segments:
        double.create_segment(name)
    for fault in faults:
        double.fail(fault)
    with double:
        places = [double.address]
        if controller_port is not None:
            places.append(f"its controller at {double.controller}")
        wait_for_end("a segment store", places)
