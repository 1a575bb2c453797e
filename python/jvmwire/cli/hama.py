"""`jvmwire hama`: what Hama needs to start programs of ours."""

from __future__ import annotations

from pathlib import Path

import click

RUNNER = """\
# Started by Hama: hama pipes -streaming true -program BSPRunner.py -programArgs NAME
from jvmwire.hama.runner import main
main()
"""


@click.group()
def hama() -> None:
    """Programs for Apache Hama's streaming."""


@hama.command()
@click.option(
    "-o",
    "--output",
    default=Path("BSPRunner.py"),
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write.",
)
def runner(output: Path) -> None:
    """Write the program that Hama starts; its first argument names the class to run."""
    output.write_text(RUNNER)
