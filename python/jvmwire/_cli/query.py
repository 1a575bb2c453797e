"""Command `jvmwire query`, which answers SQL over the tables of captures."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmwire._cli.engines import without_pandas
from jvmwire._cli.inputs import STANDARD_INPUT, find_input
from jvmwire._cli.output import refuse_empty
from jvmwire._cli.rows import Format, default_format, open_rows
from jvmwire._core import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from jvmwire._cli.sql import ResultRows

MEMORY_MIB = 1024
"""The default of --memory-limit."""


class _QueryCommand(click.Command):
    """Command whose SQL may begin with a comment, which is not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {arg}" if _is_comment(arg) else arg for arg in args])


def _is_comment(arg: str) -> bool:
    name = arg.partition("=")[0]
    return name.startswith("--") and any(map(str.isspace, name))


@click.command(cls=_QueryCommand)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.argument("sql", metavar="SQL")
@click.option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    help="Take this protocol for granted instead of telling it by content.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([format_.value for format_ in Format]),
    help="How rows are written, as by decode. Default: table on a terminal, else jsonl.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file, which appears when it is complete.",
)
@click.option(
    "--memory-limit",
    metavar="MIB",
    type=click.IntRange(64, 1 << 24),
    default=MEMORY_MIB,
    show_default=True,
    help="The memory in MiB that DuckDB may use for sorting, grouping and joins.",
)
@click.option(
    "--allow-files",
    is_flag=True,
    help="Let the query read and write other files, as by read_csv or COPY.",
)
@click.pass_context
def query(
    ctx: click.Context,
    *,
    files: tuple[str, ...],
    sql: str,
    protocol: str | None,
    format_: str | None,
    output: Path | None,
    memory_limit: int,
    allow_files: bool,
) -> None:
    """Query the tables of captures by SQL.

    FILE is as for decode; SQL is one SELECT of DuckDB over the tables calls, messages, streams and
    traffic:

      jvmwire query nn.pcap "select user, count(*) from calls group by user"

    Only the columns that the query needs are decoded. Without --allow-files the query reads no
    other file, and writes none.

    Exit status: 0 if all was decoded, 1 if something was not, 2 for bad usage or a wrong query.
    """
    refuse_empty(files)
    if STANDARD_INPUT in files:
        raise click.UsageError("a query may read its captures more than once: pass files, not '-'")
    source = find_input(
        files,
        output,
        side=None,
        reply_file=None,
        protocol=protocol,
        types=None,
        key=None,
        follow=False,
    )
    with without_pandas():
        from jvmwire._cli.sql import CaptureQueries, ResultRows, errors_of_values

        queries = CaptureQueries(source, memory_limit=memory_limit << 20, allow_files=allow_files)
        with errors_of_values(), closing(queries.run(sql)) as batches:
            head = ResultRows(next(batches))  # before the output is opened
            with open_rows(
                Format(format_) if format_ else default_format(output),
                head,
                output,
                inputs=source.local_files,
                named=True,
                kinds=head.kinds,
            ) as rows:
                rows.write(_rows(batches, ResultRows))
    if queries.warnings.report():
        ctx.exit(1)


def _rows(
    batches: Iterator[pa.RecordBatch], wrap: type[ResultRows]
) -> Iterator[tuple[str, ResultRows]]:
    for batch in batches:
        if batch.num_rows:
            yield "", wrap(batch)
