"""`jvmwire report`: captures as a page of findings."""

from __future__ import annotations

from pathlib import Path

import click

from jvmwire.capture import find_captures


@click.command()
@click.argument(
    "captures", metavar="CAPTURE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write: index.html, summary.json, calls.parquet.",
)
@click.option("--master", help="Where Spark runs (default: local[*]).")
def report(captures: tuple[Path, ...], output: Path, master: str | None) -> None:
    """Analyse CAPTUREs (files or folders) in Spark and write a report.

    Exit status: 0 if all was decoded, 1 if something was not (the page says what), 2 for bad usage.
    """
    write(find_captures(captures), output, master)


def write(captures: list[Path], output: Path, master: str | None) -> None:
    """Run the job and say its findings."""
    from jvmwire.spark import new_session, run_report

    spark = new_session(master, name="jvmwire report")
    try:
        made = run_report(spark, captures, output)
    finally:
        spark.stop()
    for line in made.lines:
        click.echo(line)
    click.echo(f"Report: {made.page.resolve()}")
    if made.undecoded:
        click.get_current_context().exit(1)
