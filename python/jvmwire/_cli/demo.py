"""Command `jvmwire demo`, which reports on recorded traffic of a real NameNode."""

from __future__ import annotations

from pathlib import Path

import click

from jvmwire._cli.engines import SelectedEngine, engine_options, without_pandas
from jvmwire._cli.report import force_option, write
from jvmwire.errors import ConfigError

_RECORDINGS = Path(__file__).parents[1] / "recordings"


@click.command()
@click.option(
    "-o",
    "--output",
    default=Path("jvmwire-demo"),
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write.",
)
@force_option
@engine_options
def demo(*, output: Path, force: bool, engine: SelectedEngine) -> None:
    """Report on a recording of a NameNode at work.

    It runs in this process, or with --engine spark in local Spark: no cluster, no network.
    """
    recordings = sorted(_RECORDINGS.glob("*.pcap.gz"))
    if not recordings:
        raise ConfigError("this installation has no recordings")
    with without_pandas():
        from jvmwire.report import ReportOptions

    write(recordings, output, engine, ReportOptions(), force=force)
