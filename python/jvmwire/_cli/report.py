"""Command `jvmwire report`, which writes a page of findings about captures."""

from __future__ import annotations

from pathlib import Path

import click

from jvmwire._cli.engines import SelectedEngine, engine_options
from jvmwire._cli.output import refuse_empty
from jvmwire._cli.tabular import echo_safe, warn
from jvmwire.capture import find_captures
from jvmwire.capture._urls import hide_secrets, is_url

REASONS = 5
"""The number of reasons for undecoded bytes on standard error; the page lists all."""
force_option = click.option(
    "--force",
    is_flag=True,
    help="Replace files of the report's names also if no report wrote them.",
)
"""The option `--force` of commands that write a report."""


@click.command()
@click.argument("captures", metavar="CAPTURE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write: index.html, summary.json, calls.parquet.",
)
@click.option(
    "--calls/--no-calls",
    "keep_calls",
    default=True,
    help="Whether to write calls.parquet, which has a row a call (default: yes).",
)
@force_option
@engine_options
def report(
    *,
    captures: tuple[str, ...],
    output: Path,
    keep_calls: bool,
    force: bool,
    engine: SelectedEngine,
) -> None:
    """Analyse captures and write a report.

    Each CAPTURE is a file or a folder. An earlier report in the output's folder is replaced once
    this one is whole; other files there stay as they are. An interrupted run leaves no report.

    All cores of this machine decode, or Spark with --engine spark or --master; the report is the
    same.

    Exit status: 0 if all was decoded, 1 if something was not (the page says what), 2 for bad usage.
    """
    refuse_empty(captures)
    for name in filter(is_url, captures):
        raise click.UsageError(f"{hide_secrets(name)} is a URL: a report takes files and folders")
    found = find_captures(map(Path, captures))
    write(found, output, engine, keep_calls=keep_calls, force=force)


def write(
    captures: list[Path],
    output: Path,
    engine: SelectedEngine,
    *,
    keep_calls: bool = True,
    force: bool = False,
) -> None:
    """Run the report job and print its findings.

    Args:
        captures: Captures to read.
        output: Folder of the report.
        engine: What decodes them.
        keep_calls: Whether to write calls.parquet. Default: True.
        force: Whether to replace files that no report wrote. Default: False.
    """
    made = engine.run_report(captures, output, keep_calls=keep_calls, force=force)
    for line in made.lines:
        echo_safe(line)
    echo_safe(f"Report: {made.page.resolve()}")
    for reason, rows in made.reasons[:REASONS]:
        warn(f"not decoded: {reason}" + (f" ({rows:,} places)" if rows > 1 else ""))
    if others := len(made.reasons[REASONS:]):
        warn(f"not decoded for {others:,} other reason{'s' * (others > 1)}: the page says which")
    if made.undecoded:
        click.get_current_context().exit(1)
