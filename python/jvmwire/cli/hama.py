"""`jvmwire hama`: BSP tasks, by a real Hama and without one."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jvmwire.cli.tables import warn, write_bytes
from jvmwire.escaping import escape
from jvmwire.hama.errors import JobFailed
from jvmwire.hama.local import JobOptions, run_job
from jvmwire.hama.script import SCRIPT


@click.group()
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
    output.write_text(SCRIPT)
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
    *("-n", "--peers"), type=click.IntRange(1), default=3, show_default=True, help="How many."
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
    """
    options = JobOptions(
        peers=peers,
        input=input_file,
        configuration=configuration,
        early=early,
        on_log=lambda index, text: click.echo(escape(f"peer {index}: {text}"), err=True),
    )
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
        for index, part in enumerate(parts):
            (output / f"part-{index:05}").write_text(part)
    steps = result.supersteps
    click.echo(f"{peers} peer{'s' * (peers != 1)}, {steps} superstep{'s' * (steps != 1)}", err=True)
