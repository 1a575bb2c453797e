"""Command line interface `jvmwire`, with one module per command."""

from __future__ import annotations

import importlib
import logging
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from jvmwire import __version__
from jvmwire._cli.exit_status import INCOMPLETE, INTERRUPTED, MEANINGS, USAGE, status_of
from jvmwire._cli.groups import CommandGroup
from jvmwire._cli.termination import clean_termination
from jvmwire._escaping import escape_lines, escape_message, shorten
from jvmwire.errors import JvmWireError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["cli", "main"]

COMMANDS: Final = {
    "decode": "Decode captures, or raw dumps of a stream's bytes, to rows.",
    "query": "Query the tables of captures by SQL.",
    "top": "Show the calls of a growing capture live, by user, method, directory or job.",
    "report": "Analyse captures and write a report.",
    "compare": "Say what changed from BEFORE to AFTER, and what of it may be noise.",
    "demo": "Report on a recording of a NameNode at work.",
    "docs": "Print the page about COMMAND, or list the pages.",
    "spark": "Check Spark, and take jvmwire to its executors.",
    "hadoop": "Look at HDFS and change it, call any service of Hadoop.",
    "hazelcast": "Read, write and listen to what is in a Hazelcast cluster.",
    "pravega": "Look into Pravega's segments and streams, and write to them.",
    "storm": "Run topologies of Python components, without a line of Java.",
    "hama": "Run BSP tasks: Hama's streaming peers.",
}
"""The commands, each in the module of its name, and the first sentences of their help.

The sentences stand here again so that `--help` loads no command.
"""


class _Commands(CommandGroup):
    """Group that imports a command on first use, so that `decode` does not import the clients."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an interrupted command ends silently, as other programs do.

        Args:
            ctx: Context of the command.

        Returns:
            The result of the command.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin like a word, without loading a command.

        Args:
            ctx: Context of the group.
            incomplete: The beginning of the word.
        """
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=sentence)
            for name, sentence in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit status"):
            formatter.write_dl([(str(status), text) for status, text in MEANINGS.items()])

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(f"jvmwire._cli.{cmd_name}"), cmd_name
        )
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="jvmwire")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"], case_sensitive=False),
    default="warning",
    show_default=True,
    envvar="JVMWIRE_LOG_LEVEL",
    show_envvar=True,
    help="The lowest level of log messages that are written to standard error.",
)
@click.pass_context
def cli(ctx: click.Context, log_level: str) -> None:
    """Decode and analyse the wire traffic of the JVM data stack."""
    logger = logging.getLogger("jvmwire")
    before = logger.level
    handler = logging.StreamHandler()
    level = logging.getLevelNamesMapping()[log_level.upper()]
    if level < logging.WARNING:
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(level)

    def end() -> None:
        logger.removeHandler(handler)
        logger.setLevel(before)

    ctx.call_on_close(end)


TRACEBACK: Final = "JVMWIRE_TRACEBACK"
"""The environment variable that, set to any value, prints the traceback of a failed command."""
MAX_USAGE: Final = 2000
"""The characters of a usage error that are printed (chosen by jvmwire)."""


def main() -> None:
    """Run the command; if it fails, print one sentence and exit with the status of the error."""
    if sys.stdout is None:  # it was closed, as by `>&-`
        _refuse("standard output is closed")
    try:
        with clean_termination():
            sys.exit(cli.main(standalone_mode=False) or 0)
    except click.ClickException as error:
        _show_usage(error)
        sys.exit(USAGE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of the output has closed it, as `head` does.
        sys.stderr.close()
        sys.exit(INCOMPLETE)
    except JvmWireError as error:
        _refuse(str(error), status_of(error))
    except OSError as error:
        said = error.strerror or str(error)
        sentence = f"{error.filename}: {said}" if isinstance(error.filename, str) else said
        _refuse(sentence, status_of(error))
    except MemoryError:
        _refuse("out of memory")
    except Exception as error:
        kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
        _refuse(
            f"unexpected {kind}: {shorten(str(error), MAX_USAGE)}. This is a defect of jvmwire: "
            f"please report it with the traceback, which {TRACEBACK}=1 shows"
        )


def _show_usage(error: click.ClickException) -> None:
    """Print a usage error of click, escaped, since it may quote arguments such as file names."""
    sentence = escape_lines(shorten(error.format_message(), MAX_USAGE))
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    elif isinstance(error, click.UsageError):
        click.UsageError(sentence, error.ctx).show()
    else:
        click.ClickException(sentence).show()


def _refuse(sentence: str, status: int = USAGE) -> NoReturn:
    if os.environ.get(TRACEBACK):
        click.echo(escape_lines(traceback.format_exc()), err=True, nl=False)
    click.echo(f"jvmwire: {escape_message(sentence)}", err=True)
    sys.exit(status)
