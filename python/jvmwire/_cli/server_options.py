"""Options of the commands that call servers: the same names and meanings for every system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_TIMEOUT: Final = 60.0
"""Seconds for each call of a command unless an option or a configuration file says otherwise."""
MAX_TIMEOUT: Final = ((1 << 31) - 1) // 1000
"""Seconds of the longest timeout, 24 days: what systems wait for is milliseconds of 32 bits."""


def system_option(system: str, *names: str, **settings: Any) -> Callable[[F], F]:
    """Return an option that a variable `JVMWIRE_<SYSTEM>_<NAME>` may set, too.

    click's own prefix would put the name of each subcommand into the variable.

    Args:
        system: Name of the group of commands, such as "hadoop".
        *names: Names of the option, as for `click.option`.
        **settings: Other arguments of `click.option`.

    Returns:
        A decorator of a command's function.
    """
    long = next(name for name in names if name.startswith("--"))
    variable = f"JVMWIRE_{system}_{long.removeprefix('--')}".upper().replace("-", "_")
    return click.option(*names, envvar=variable, show_envvar=True, **settings)


def server_option(
    system: str,
    *,
    help: str,  # noqa: A002 - as click calls it
    multiple: bool = True,
    required: bool = False,
) -> Callable[[F], F]:
    """Return the option `--server`, as a tuple `servers` of addresses; as one text if not multiple.

    Args:
        system: Name of the group of commands.
        help: The servers that it names, and the port of an address without one.
        multiple: Whether it may be given more than once. Default: True.
        required: Whether it must be given. Default: False.

    Returns:
        A decorator of a command's function.
    """
    if multiple:
        help += " May be given again, for more servers of a cluster."  # noqa: A001
    return system_option(
        system,
        *("--server", "servers"),
        metavar="HOST[:PORT]",
        multiple=multiple,
        required=required,
        help=help,
    )


def config_option(system: str, *, help: str, dir_okay: bool = False) -> Callable[[F], F]:  # noqa: A002 - as click calls it
    """Return the option `--config`, as a path `config` or None.

    Args:
        system: Name of the group of commands.
        help: What it names.
        dir_okay: Whether it may name a directory. Default: False.

    Returns:
        A decorator of a command's function.
    """
    path = click.Path(path_type=Path, exists=True, dir_okay=dir_okay)
    return system_option(system, "--config", type=path, help=help)


def timeout_option(system: str, *, has_config: bool = True) -> Callable[[F], F]:
    """Return the option `--timeout`, as a number `timeout` of seconds or None.

    Args:
        system: Name of the group of commands.
        has_config: Whether a configuration file may say otherwise. Default: True.

    Returns:
        A decorator of a command's function.
    """
    otherwise = ", or what the configuration says" if has_config else ""
    return system_option(
        system,
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True, max=MAX_TIMEOUT),
        help=f"Time for each call (default: {DEFAULT_TIMEOUT:g}{otherwise}).",
    )


def user_option(system: str, *, help: str) -> Callable[[F], F]:  # noqa: A002 - as click calls it
    """Return the option `--user`, as a text `user` or None.

    Args:
        system: Name of the group of commands.
        help: Whom it names.

    Returns:
        A decorator of a command's function.
    """
    return system_option(system, "--user", metavar="NAME", help=help)


def password_option(system: str, *, of: str) -> Callable[[F], F]:
    """Return the option `--password`, as a text `password` or None.

    Args:
        system: Name of the group of commands.
        of: Whose password it is, such as "the user".

    Returns:
        A decorator of a command's function.
    """
    return system_option(
        system,
        "--password",
        help=f"Password of {of}; other users of this machine see it unless it is in the variable.",
    )


json_option = click.option("--json", "as_json", is_flag=True, help="JSON lines, for programs.")
"""The option `--json`, as a flag `as_json`."""

count_option = click.option(
    "-c",
    "--count",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="Number of calls.",
)
"""The option `--count` of commands that measure calls."""
