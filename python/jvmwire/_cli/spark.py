"""Commands `jvmwire spark`, which check Spark's executors and pack jvmwire for them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jvmwire._cli.groups import CommandGroup
from jvmwire._cli.spark_options import settings_option
from jvmwire._cli.tabular import echo_safe


@click.group(cls=CommandGroup)
def spark() -> None:
    """Check Spark, and take jvmwire to its executors."""


@spark.command()
@click.option("--master", help="Where Spark runs (default: local[*]).")
@settings_option
def check(master: str | None, settings: dict[str, str]) -> None:
    """Decode a capture on each executor, and say what was found.

    Exit status: 0 if all is well; 2, with a sentence that says which executor lacks what, if not; 3
    if no master was reached.
    """
    from jvmwire.spark._check import check as run

    for line in run(master, settings):
        echo_safe(line)


@spark.command()
@click.argument("archive", metavar="OUT.tar.gz", type=click.Path(path_type=Path, dir_okay=False))
def ship(archive: Path) -> None:
    """Pack jvmwire and pyarrow for executors that have neither.

    The settings to use it are printed. Both this program and spark-submit take them:

    \b
      jvmwire report captures/ -o report --master URL \\
        $(jvmwire spark ship jvmwire.tar.gz)
    """
    from jvmwire.spark import ship as pack

    for key, value in pack(archive).items():
        echo_safe(f"--conf {key}={value}")
    click.echo(
        f"{archive}: {archive.stat().st_size / 1e6:.0f} MB, for executors whose Python is "
        f"{sys.version_info.major}.{sys.version_info.minor}; "
        "PYSPARK_PYTHON says how it is called there.",
        err=True,
    )
