"""Commands `jvmwire hama`, which run BSP tasks with a real Hama or without it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click

from jvmwire._cli.groups import CommandGroup
from jvmwire._cli.tabular import warn, write_bytes
from jvmwire._escaping import escape
from jvmwire.errors import ConfigError

MAX_PEERS = 1000
"""The largest number of peers, as of `jvmwire.hama`; it is here so that `--help` loads no Hama."""
_DEFAULT = click.core.ParameterSource.DEFAULT


@click.group(cls=CommandGroup)
def hama() -> None:
    """Run BSP tasks: Hama's streaming peers."""


@hama.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="BSPRunner.py",
    show_default=True,
    help="The file to write.",
)
def runner(output: Path) -> None:
    """Write the file that Hama starts.

    Its first argument names the BSP class:

    \b
      hama pipes -streaming true -interpreter python3 \\
        -program BSPRunner.py -programArgs module:Class
    """
    from jvmwire._files import open_output
    from jvmwire.hama._script import SCRIPT

    is_default = click.get_current_context().get_parameter_source("output") is _DEFAULT
    if is_default and output.exists() and output.read_bytes() != SCRIPT.encode():
        raise ConfigError(f"{output} exists and has other content: name a file with -o")
    with open_output(output) as file:
        file.write(SCRIPT.encode())
    click.echo(escape(f"wrote {output}"), err=True)


def _properties(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    for value in values:
        if "=" not in value:
            raise click.BadParameter(f"{value!r} is no property: it looks like NAME=VALUE")
    return dict(value.partition("=")[::2] for value in values)


@hama.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    *("-n", "--peers"),
    type=click.IntRange(1, MAX_PEERS),
    default=3,
    show_default=True,
    help="How many.",
)
@click.option(
    "--input",
    "input_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Lines to read; each peer has a part of them.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where part-00000 and so on are written; else all goes to standard output.",
)
@click.option(
    "-D",
    "configuration",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_properties,
    help="A property of the job; may be given again.",
)
@click.option("--early", is_flag=True, help="Number operations as Hama 0.6.0 and 0.6.1.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def local(
    *,
    peers: int,
    input_file: Path | None,
    output: Path | None,
    configuration: dict[str, str],
    early: bool,
    command: tuple[str, ...],
) -> None:
    """Run COMMAND as every peer of a job, without Hama.

    It is any program that speaks Hama's streaming.

    Exit status: 0; 1 if the job failed.
    """
    from jvmwire._files import open_output
    from jvmwire.hama._local import JobOptions, run_job
    from jvmwire.hama.errors import JobFailed

    options = JobOptions(
        peers=peers,
        input=input_file,
        configuration=configuration,
        hama_0_6=early,
        on_log=lambda index, text: click.echo(escape(f"peer {index}: {text}"), err=True),
    )
    if output is not None:
        _refuse_parts(output)
    try:
        result = run_job(command, options)
    except JobFailed as error:
        warn(f"the job failed: {error}")
        sys.exit(1)
    parts = ["".join(f"{key}\t{value}\n" for key, value in pairs) for pairs in result.output]
    if output is None:
        write_bytes("".join(parts).encode("utf-8", "surrogateescape"))
    else:
        output.mkdir(parents=True, exist_ok=True)
        _refuse_parts(output)
        with ExitStack() as stack:  # all parts appear after all are written
            for index, part in enumerate(parts):
                stack.enter_context(open_output(output / f"part-{index:05}")).write(part.encode())
    steps = result.supersteps
    click.echo(f"{peers} peer{'s' * (peers != 1)}, {steps} superstep{'s' * (steps != 1)}", err=True)


def _refuse_parts(output: Path) -> None:
    """Reject a folder with parts, as Hadoop does: they belong to another job, or are the input."""
    for path in sorted(output.glob("part-*")):
        raise ConfigError(f"{path} exists: a job writes into a folder without parts; name another")
