"""Command `jvmwire report`, which writes a page of findings about captures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmwire._cli.engines import SelectedEngine, engine_options, without_pandas
from jvmwire._cli.exit_status import FOUND, INCOMPLETE
from jvmwire._cli.output import refuse_empty
from jvmwire._cli.tabular import echo_safe, warn
from jvmwire.capture import find_captures
from jvmwire.capture._urls import hide_secrets, is_url

if TYPE_CHECKING:
    from jvmwire.report import ReportOptions

REASONS = 5
"""The number of reasons for undecoded bytes on standard error; the page lists all."""
force_option = click.option(
    "--force",
    is_flag=True,
    help="Replace files of the report's names also if no report wrote them.",
)
"""The option `--force` of commands that write a report."""


fail_on_option = click.option(
    "--fail-on",
    type=click.Choice(["alarm", "notice"]),
    help="End with status 5 if a finding has this severity (notice: or alarm).",
)
"""The option `--fail-on` of commands that judge traffic."""


def _print_thresholds(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    """Print the default thresholds and exit, if they are wanted."""
    if not wanted or ctx.resilient_parsing:
        return
    with without_pandas():
        from jvmwire.report import Thresholds

    click.echo(Thresholds().toml, nl=False)
    ctx.exit()


@click.command()
@click.argument("captures", metavar="CAPTURE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write: index.html, summary.json, summary.md, calls.parquet.",
)
@click.option(
    "--calls/--no-calls",
    "keep_calls",
    default=True,
    help="Whether to write calls.parquet, which has a row a call (default: yes).",
)
@click.option(
    "--where",
    metavar="SQL",
    help="Only the calls that this condition is true of, as of `decode`: \"user = 'hive'\".",
)
@click.option(
    "--since",
    metavar="TIME",
    help="Only calls from this time on, as 2026-03-02T10:00 in the page's time zone, or ...Z.",
)
@click.option("--until", metavar="TIME", help="Only calls before this time.")
@click.option("--title", help="The title of the page.")
@click.option(
    "--timezone",
    metavar="NAME",
    default="UTC",
    show_default=True,
    help="The time zone of the page, as Europe/Berlin; summary.json has UTC.",
)
@click.option(
    "--thresholds",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A TOML file of values from which findings have a severity.",
)
@click.option(
    "--print-thresholds",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_thresholds,
    help="Print the default values as such a file, and exit.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True),
    help="The summary.json or the folder of an earlier report, to compare with.",
)
@fail_on_option
@force_option
@engine_options
def report(
    *,
    captures: tuple[str, ...],
    output: Path,
    keep_calls: bool,
    where: str | None,
    since: str | None,
    until: str | None,
    title: str | None,
    timezone: str,
    thresholds: Path | None,
    baseline: Path | None,
    fail_on: str | None,
    force: bool,
    engine: SelectedEngine,
) -> None:
    """Analyse captures and write a report.

    Each CAPTURE is a file or a folder. An earlier report in the output's folder is replaced once
    this one is whole; other files there stay as they are. An interrupted run leaves no report.

    All cores of this machine decode, or Spark with --engine spark or --master; the report is the
    same.

    Exit status: 0 if all was decoded, 1 if something was not (the page says what), 2 for bad usage,
    5 for a finding that --fail-on names (before 1).
    """
    refuse_empty(captures)
    for name in filter(is_url, captures):
        raise click.UsageError(f"{hide_secrets(name)} is a URL: a report takes files and folders")
    with without_pandas():
        from jvmwire.report import ReportOptions, Thresholds

    options = ReportOptions(
        where=where,
        since=since,
        until=until,
        title=title,
        timezone=timezone,
        baseline=baseline,
        thresholds=Thresholds() if thresholds is None else Thresholds.read(thresholds),
    )
    found = find_captures(map(Path, captures))
    write(found, output, engine, options, keep_calls=keep_calls, force=force, fail_on=fail_on)


def write(
    captures: list[Path],
    output: Path,
    engine: SelectedEngine,
    options: ReportOptions,
    *,
    keep_calls: bool = True,
    force: bool = False,
    fail_on: str | None = None,
) -> None:
    """Run the report job and print its findings.

    Args:
        captures: Captures to read.
        output: Folder of the report.
        engine: What decodes them.
        options: The calls to report on, and the form of the page.
        keep_calls: Whether to write calls.parquet. Default: True.
        force: Whether to replace files that no report wrote. Default: False.
        fail_on: The severity of findings from which the exit status is 5; None (the default) for
            none.
    """
    with without_pandas():
        from jvmwire.report import Severity

    made = engine.run_report(captures, output, keep_calls=keep_calls, force=force, options=options)
    for line in made.lines:
        echo_safe(line)
    echo_safe(f"Report: {made.page.resolve()}")
    for reason, rows in made.reasons[:REASONS]:
        warn(f"not decoded: {reason}" + (f" ({rows:,} places)" if rows > 1 else ""))
    if others := len(made.reasons[REASONS:]):
        warn(f"not decoded for {others:,} other reason{'s' * (others > 1)}: the page says which")
    if fail_on is not None and made.has(Severity(fail_on)):
        click.get_current_context().exit(FOUND)
    if made.undecoded:
        click.get_current_context().exit(INCOMPLETE)
