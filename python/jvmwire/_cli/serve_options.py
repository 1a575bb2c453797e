"""Options of the commands that run a double, and their end."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any

import click

from jvmwire._cli.tabular import warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from jvmwire._faults import Fault

host_option = click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen at."
)


def split_pair(given: str, form: str) -> tuple[str, str]:
    """Split an option of a name and a value.

    Args:
        given: The text of the option.
        form: What it must look like, for the error.

    Returns:
        The name and the value.

    Raises:
        BadParameter: one of them is missing.
    """
    name, separator, value = given.partition("=")
    if not (name and separator and value):
        raise click.BadParameter(f"{given!r} is not {form}")
    return name, value


def _faults(delay: float, refuse: list[tuple[str, str]], drop: tuple[str, ...]) -> list[Fault]:
    from jvmwire._faults import Fault
    from jvmwire.errors import ServerError

    faults = []
    for method, java_class in refuse:
        error = ServerError(f"{method} is refused, as jvmwire serve was told", java_class)
        faults.append(Fault(method=method, error=error, delay=delay))
    faults += [Fault(method=method, disconnect=True, delay=delay) for method in drop]
    if delay:
        faults.append(Fault(delay=delay))
    return faults


def fault_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that make calls fail to a command, as an argument `faults`.

    Args:
        command: The command.

    Returns:
        The command with these options.
    """

    @functools.wraps(command)
    def run(
        delay: float, refuse: list[tuple[str, str]], drop: tuple[str, ...], **others: Any
    ) -> None:
        command(faults=_faults(delay, refuse, drop), **others)

    for option in (
        click.option(
            "--drop",
            metavar="METHOD",
            multiple=True,
            help="Close the connection at each call of a method; may be given again.",
        ),
        click.option(
            "--refuse",
            metavar="METHOD=JAVA_CLASS",
            multiple=True,
            callback=lambda _context, _param, given: [
                split_pair(each, "METHOD=JAVA_CLASS") for each in given
            ],
            help="Refuse a method, as getFileInfo or Map.put, with an exception; may be given"
            " again.",
        ),
        click.option(
            "--delay",
            metavar="SECONDS",
            type=click.FloatRange(0, 3600),
            default=0.0,
            help="Answer each call after this time.",
        ),
    ):
        run = option(run)
    return run


def wait_for_end(of: str, addresses: Sequence[str]) -> NoReturn:
    """Say where a double serves, and wait until Ctrl-C ends the command.

    Args:
        of: What it is a double of.
        addresses: Where it serves.
    """
    warn(f"a double of {of} serves at {', '.join(addresses)}, Ctrl-C ends")
    while True:
        threading.Event().wait()
