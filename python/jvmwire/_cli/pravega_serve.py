"""Command `jvmwire pravega serve`, which runs a double of Pravega."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import click

from jvmwire._checks import suggestion
from jvmwire._cli.tabular import warn
from jvmwire._escaping import quote

if TYPE_CHECKING:
    from jvmwire.pravega.errors import PravegaError

PORT = click.IntRange(0, 65535)
"""Parameter type of a port to listen at."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
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
@click.option(
    "--delay",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=0.0,
    help="Answer each command after this time.",
)
@click.option(
    "--refuse",
    metavar="COMMAND=ERROR",
    multiple=True,
    callback=lambda _context, _param, given: [_refusal(each) for each in given],
    help="Refuse a command, as ReadSegment=NoSuchSegment; may be given again.",
)
@click.option(
    "--drop",
    metavar="COMMAND",
    multiple=True,
    help="Close the connection at each command of that name; may be given again.",
)
def serve(
    *,
    host: str,
    port: int,
    controller_port: int | None,
    segments: tuple[str, ...],
    max_bytes: int,
    delay: float,
    refuse: list[tuple[str, PravegaError]],
    drop: tuple[str, ...],
) -> None:
    """Serve a double of Pravega, to try clients on.

    It is no Pravega: it keeps all data in memory until it ends. Clients in any language can create,
    append, read, follow, truncate, seal, merge and delete segments and tables; with a controller
    also streams, transactions, key-value tables and reader groups.

      jvmwire pravega serve --controller-port 9090 &
      jvmwire pravega create --server localhost --stream shop/orders
    """
    from jvmwire.pravega.testing import Fault, PravegaDouble

    double = PravegaDouble(
        host,
        port,
        controller=controller_port is not None,
        controller_port=controller_port or 0,
        max_bytes=max_bytes,
    )
    for name in segments:
        double.create_segment(name)
    for command, error in refuse:
        double.fail(Fault(command=command, error=error, delay=delay))
    for command in drop:
        double.fail(Fault(command=command, disconnect=True, delay=delay))
    if delay:
        double.fail(Fault(delay=delay))
    with double:
        places = f"a double of a segment store serves at {double.address}"
        if controller_port is not None:
            places += f", its controller at {double.controller}"
        warn(f"{places}, Ctrl-C ends")
        threading.Event().wait()


def _refusal(given: str) -> tuple[str, PravegaError]:
    """Return the name of a command and the error of an argument `COMMAND=ERROR`."""
    from jvmwire.pravega import errors

    command, _, name = given.partition("=")
    if not (command and name):
        raise click.BadParameter(f"{quote(given)} is not COMMAND=ERROR")
    known = [each for each in errors.__all__ if each != "PravegaError"]
    if name not in known:
        hint = suggestion(name, known) or "."
        raise click.BadParameter(f"{quote(name)} is not an error of jvmwire.pravega.errors{hint}")
    error: PravegaError = getattr(errors, name)(
        f"{command} is refused, as jvmwire pravega serve was told"
    )
    return command, error
