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
    from jvmwire.errors import ServerError

host_option = click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen at."
)

PORT = click.IntRange(0, 65535)
"""Parameter type of a port to listen at; 0 is a free one."""


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


def split_refusal(given: str) -> tuple[str, ServerError]:
    """Return the method and the exception of an option `METHOD=JAVA_CLASS`.

    Args:
        given: The text of the option.

    Raises:
        BadParameter: one of them is missing.
    """
    from jvmwire.errors import ServerError

    method, java_class = split_pair(given, "METHOD=JAVA_CLASS")
    return method, ServerError(refused(method), java_class)


def refused(method: str) -> str:
    """Return the text of an exception that the option `--refuse` asks for.

    Args:
        method: Name of the method.
    """
    return f"{method} is refused, as jvmwire serve was told"


def _faults(
    delay: float, refuse: list[tuple[str, ServerError]], drop: tuple[str, ...]
) -> list[Fault]:
    from jvmwire._faults import Fault

    faults = [Fault(method=method, error=error, delay=delay) for method, error in refuse]
    faults += [Fault(method=method, disconnect=True, delay=delay) for method in drop]
    if delay:
        faults.append(Fault(delay=delay))
    return faults


def fault_options(
    what: str = "METHOD",
    refusal: str = "METHOD=JAVA_CLASS",
    example: str = "getFileInfo=java.io.IOException",
    split: Callable[[str], tuple[str, ServerError]] = split_refusal,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds the options which make calls fail, as an argument `faults`.

    Args:
        what: What the system calls a method.
        refusal: Form of a refusal.
        example: A refusal.
        split: Function that returns the method and the error of a refusal.

    Returns:
        The decorator of a command.
    """
    options = (
        click.option(
            "--drop",
            metavar=what,
            multiple=True,
            help=f"Close the connection at each call of a {what.lower()}; may be given again.",
        ),
        click.option(
            "--refuse",
            metavar=refusal,
            multiple=True,
            callback=lambda _context, _param, given: [split(each) for each in given],
            help=f"Refuse a {what.lower()}, as {example}; may be given again.",
        ),
        click.option(
            "--delay",
            metavar="SECONDS",
            type=click.FloatRange(0, 3600),
            default=0.0,
            help="Answer each call after this time.",
        ),
    )

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(
            delay: float,
            refuse: list[tuple[str, ServerError]],
            drop: tuple[str, ...],
            **others: Any,
        ) -> None:
            command(faults=_faults(delay, refuse, drop), **others)

        for option in options:
            run = option(run)
        return run

    return add


def wait_for_end(of: str, addresses: Sequence[str]) -> NoReturn:
    """Say where a double serves, and wait until Ctrl-C ends the command.

    Args:
        of: What it is a double of.
        addresses: Where it serves.
    """
    warn(f"a double of {of} serves at {', '.join(addresses)}, Ctrl-C ends")
    while True:
        threading.Event().wait()
