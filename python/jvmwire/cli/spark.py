"""`jvmwire spark`: whether Spark can run jvmwire here."""

from __future__ import annotations

import click


@click.group()
def spark() -> None:
    """Check Spark, and take jvmwire to its executors."""


@spark.command()
@click.option("--master", help="Where Spark runs (default: local[*]).")
def check(master: str | None) -> None:
    """Start a Spark session and decode a capture on an executor; say what was found.

    Exit status: 0 if all is well; 2, with one sentence, if not.
    """
    from jvmwire.spark.check import check as run

    for line in run(master):
        click.echo(line)
