"""Command `jvmwire compare`, which says what changed between two recordings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jvmwire._cli.engines import without_pandas
from jvmwire._cli.exit_status import FOUND
from jvmwire._cli.progress import read_progress
from jvmwire._cli.tabular import echo_safe, write_json, write_table
from jvmwire.capture import find_captures

if TYPE_CHECKING:
    from jvmwire.report import Change

SHOWN = 20
"""The number of rows without a change that a table shows, unless all are wanted."""


@click.command()
@click.argument("before", type=click.Path(path_type=Path, exists=True))
@click.argument("after", type=click.Path(path_type=Path, exists=True))
@click.option("--all", "every", is_flag=True, help="Show every number, not changes and a few more.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, for programs: every number.")
@click.option(
    "--fail-on",
    type=click.Choice(["change"]),
    help="End with status 5 if something changed that is not noise.",
)
def compare(*, before: Path, after: Path, every: bool, as_json: bool, fail_on: str | None) -> None:
    """Say what changed from BEFORE to AFTER, and what of it may be noise.

    Each is the summary.json or the folder of a report, or a capture, or a folder of captures.
    Calls are compared as rates, by all tables of a report. A change is what chance explains in less
    than 1 of 100 comparisons of the same traffic, by how unevenly the calls of each row come.

    Exit status: 0, or 5 for a change with --fail-on change.
    """
    with without_pandas():
        from jvmwire.report import compare as compare_summaries
        from jvmwire.report._findings.comparison import describe

    made = compare_summaries(_summary(before), _summary(after))
    if as_json:
        write_json(made.changes)
    else:
        echo_safe(describe(made))
        rest = [each for each in made.changes if each not in made.changed]
        rows = [*made.changed, *(rest if every else rest[:SHOWN])]
        if rows:
            columns = dict.fromkeys(("what", "of", "measure"), "left")
            numbers = dict.fromkeys(("before", "now", "times"), "right")
            write_table(
                {**columns, **numbers, "verdict": "left"},
                (_row(each, by_share=made.by_share) for each in rows),
            )
        if left_out := len(made.changes) - len(rows):
            echo_safe(f"and {left_out:,} more without a change: --all shows them")
    if fail_on is not None and made.changed:
        click.get_current_context().exit(FOUND)


def _summary(path: Path) -> dict[str, Any]:
    with without_pandas():
        from jvmwire.report import is_summary, read_summary, summarize_captures

    if is_summary(path):
        return read_summary(path)
    captures = find_captures([path])
    with read_progress(captures) as on_read:
        return summarize_captures(captures, on_read=on_read)


def _row(change: Change, *, by_share: bool) -> tuple[str, ...]:
    from jvmwire.report._formatting import latency, rate, ratio, share_of
    from jvmwire.report._labels import sanitize_label

    if change.is_latency:
        values = [latency(change.before), latency(change.after)]
    else:
        shown = share_of if by_share else rate
        values = [shown(each or 0) for each in (change.before_rate, change.after_rate)]
    return (
        sanitize_label(change.name),
        change.table or "the recording",
        change.measure,
        *values,
        "–" if change.ratio is None else ratio(change.ratio),  # noqa: RUF001 (a dash for nothing)
        change.outcome,
    )
