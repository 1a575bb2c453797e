"""The command `jvmwire`."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final, NoReturn

import click

from jvmwire import __version__
from jvmwire.errors import JvmWireError

__all__ = ["cli", "main"]

COMMANDS: Final = (
    "decode",
    "report",
    "demo",
    "spark",
    "hadoop",
    "hazelcast",
    "pravega",
    "storm",
    "hama",
)
"""Each is in the module of its name."""


INTERRUPTED: Final = 130
"""The exit status of who was interrupted, as shells have it."""


class _Commands(click.Group):
    """Imports a command when it is asked for: `decode` need not wait for the clients."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; one that is interrupted ends without a word, as others do."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(f"jvmwire.cli.{cmd_name}"), cmd_name
        )
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="jvmwire")
def cli() -> None:
    """Decode and analyse the wire traffic of the JVM data stack."""


def main() -> None:
    """Run the command; say in one sentence why it could not be carried out, and exit with 2."""
    if sys.stdout is None:  # it was closed, as by `>&-`
        _refuse("standard output is closed")
    try:
        cli()
    except BrokenPipeError:
        # The reader of our output has seen enough, as `head` does.
        sys.stderr.close()
        sys.exit(1)
    except JvmWireError as error:
        _refuse(str(error))
    except OSError as error:
        said = error.strerror or str(error)
        _refuse(f"{error.filename}: {said}" if isinstance(error.filename, str) else said)


def _refuse(sentence: str) -> NoReturn:
    click.echo(f"jvmwire: {sentence}", err=True)
    sys.exit(2)
