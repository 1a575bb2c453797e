"""Command `jvmwire decode`, which prints captures and dumps as rows."""

from __future__ import annotations

import tomllib
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from jvmwire._cli.counts import DEFAULT_LIMIT, Counts
from jvmwire._cli.decode_warnings import DecodeWarnings
from jvmwire._cli.inputs import find_input
from jvmwire._cli.near_values import warn_of_no_match
from jvmwire._cli.output import open_result, refuse_empty
from jvmwire._cli.progress import progress
from jvmwire._cli.rows import FILE, Format, default_format, open_rows
from jvmwire._core import PROTOCOLS, PravegaDialect, View
from jvmwire._documents import decode_utf8, read_document
from jvmwire._escaping import shorten
from jvmwire.capture import DecodeSession, make_view, redaction_key
from jvmwire.capture._views import all_columns
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmwire._cli.rows import Rows
    from jvmwire.capture._reading import CaptureSession

FOR_ROWS = ("table", "format_", "columns", "where", "limit", "top", "partition_by")
"""The parameters that --explain does not go with."""
NO_PARTITIONS = frozenset({"ts", "start", "end", "fields", "attributes"})
"""Columns that name no folders: times and JSON."""

PRAVEGA_EARLY = "pravega-early"
"""The protocol whose messages have no type numbers of their own."""


@click.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(readable=False)
)
@click.option(
    "--table",
    type=click.Choice(["messages", "calls", "streams"]),
    default="messages",
    show_default=True,
    help="What a row is.",
)
@click.option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    help="Take this protocol for granted instead of telling it by content; needed for dumps.",
)
@click.option(
    "--side",
    type=click.Choice(["client", "server", "any"]),
    help="FILE is a raw dump of this side's bytes; 'any' detects the side of each message.",
)
@click.option(
    "--reply-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The raw dump of the server's side; FILE is then the client's.",
)
@click.option(
    "--types",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    callback=lambda _context, _param, path: None if path is None else (path, _types(path)),
    help="A TOML file of numbers by messages' names, for pravega-early where they are not ours.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([format_.value for format_ in Format]),
    help="How rows are written: table is for people; csv, arrow and parquet need the extra "
    "'arrow'. Default: table on a terminal, else jsonl.",
)
@click.option(
    "--columns",
    metavar="NAME,...",
    help="Only these columns, separated by commas, in this order.",
)
@click.option(
    "--where",
    metavar="SQL",
    help="Only the rows that this condition is true of, as \"status = 'error'\".",
)
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=1),
    help="Only the first N rows to complete, after which nothing more is read.",
)
@click.option(
    "--top",
    metavar="NAME,...",
    help="Count rows by these columns, the most frequent values first, with their share: "
    f"{DEFAULT_LIMIT}, or as many as --limit says.",
)
@click.option(
    "--partition-by",
    metavar="NAME,...",
    help="Write Parquet to the folder of -o, with a folder for each value of these columns, as "
    "Hive does; 'file' is the capture.",
)
@click.option("--follow", is_flag=True, help="Wait for more at the end of FILE, as tail -f does.")
@click.option(
    "--redact",
    is_flag=True,
    help="Replace data of users: paths, names, payloads; equal values equally.",
)
@click.option(
    "--redact-secret",
    type=click.File("rb"),
    help="A file: runs of --redact with the same content replace the same alike.",
)
@click.option("--explain", is_flag=True, help="Print an annotated hex dump instead of rows.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file, which appears when it is complete; with --follow, to a new one.",
)
@click.pass_context
def decode(
    ctx: click.Context,
    *,
    files: tuple[str, ...],
    table: str,
    protocol: str | None,
    side: str | None,
    reply_file: Path | None,
    types: tuple[Path, dict[str, int]] | None,
    format_: str | None,
    columns: str | None,
    where: str | None,
    limit: int | None,
    top: str | None,
    partition_by: str | None,
    follow: bool,
    redact: bool,
    redact_secret: BinaryIO | None,
    explain: bool,
    output: Path | None,
) -> None:
    """Decode captures, or raw dumps of a stream's bytes, to rows.

    FILE is pcap or pcapng, plain, gzip or zstd; '-' is standard input. It may be a folder, a
    quoted pattern such as 'day*/nn.pcap.gz', or a URL that fsspec opens, such as
    s3://bucket/nn.pcap.gz. With --protocol and --side, or with --reply-file, it is a raw dump.

    The files of one ring buffer, named as tcpdump -C and -W or dumpcap -b do, are one capture.
    All cores decode a large capture.

    Rows of files come in order of stream and offset; rows of a capture that is '-' or that is
    followed, and with --limit, come as they complete. An interrupted run leaves no output file, but
    for --follow.

    Exit status: 0 if all was decoded, 1 if something was not (the rows say what), 2 for bad usage.
    """
    refuse_empty(files)
    is_dump = side is not None or reply_file is not None
    if is_dump and not protocol:
        raise click.UsageError("a raw dump does not name its protocol: pass --protocol")
    if types is not None and protocol != PRAVEGA_EARLY:
        raise click.UsageError(f"--types is for --protocol {PRAVEGA_EARLY}")
    if reply_file and side in ("server", "any"):
        raise click.UsageError("with --reply-file, FILE is what the client wrote")
    if explain and any(map(_was_given, FOR_ROWS)):
        named = ", ".join(f"--{name.strip('_').replace('_', '-')}" for name in FOR_ROWS)
        raise click.UsageError(f"--explain prints a dump; these are for rows: {named}")
    if is_dump and follow:
        raise click.UsageError("--follow reads captures, not raw dumps")
    if (is_dump or follow or "-" in files) and len(files) > 1:
        raise click.UsageError("a dump, '-' and --follow take one FILE")
    if redact_secret and not redact:
        raise click.UsageError("--redact-secret is of use with --redact only")
    if top is not None and (columns is not None or follow or partition_by is not None):
        raise click.UsageError(
            "--top counts all rows by its own columns: not with --columns, --follow or "
            "--partition-by"
        )
    partitions = _partitions(partition_by, format_, output, follow=follow)
    if output is not None and not partitions and output.is_dir():
        raise click.UsageError(f"the output {output} is a directory: name a file")
    chosen = Format(format_) if format_ else default_format(output)
    if partitions:
        chosen = Format.PARQUET
    types_file, numbers = (None, None) if types is None else types
    view = _view(table, chosen, top if columns is None else columns, where, partitions)
    secret = redact_secret.read() if redact_secret else None
    # Before the output is opened, since a mistyped name must not truncate a file.
    source = find_input(
        files,
        output,
        side=side,
        reply_file=reply_file,
        protocol=protocol,
        types=numbers,
        key=redaction_key(secret) if redact else None,
        follow=follow,
    )
    inputs = [
        *source.local_files,
        *(() if types_file is None else (types_file,)),
        *((redact_secret.fileno(),) if redact_secret else ()),
    ]
    undecoded = DecodeWarnings()
    with ExitStack() as stack:
        counts = None if top is None else Counts(view)
        file = rows = None
        if explain:
            file = stack.enter_context(open_result(output, inputs=inputs, grows=follow))
        else:
            rows = stack.enter_context(
                open_rows(
                    chosen,
                    view if counts is None else counts.view,
                    output,
                    inputs=inputs,
                    grows=follow,
                    live=source.is_live,
                    named=columns is not None or counts is not None,
                    limit=limit if counts is None else None,
                    names_files=FILE in partitions
                    or (columns is None and counts is None and len(source.groups) > 1),
                    partition_by=partitions,
                )
            )
        shown = stack.enter_context(
            progress(source.captures, shown=output is not None and source.is_measured)
        )
        sessions = stack.enter_context(
            closing(
                source.sessions(
                    [] if explain else [view],
                    in_order=limit is None and counts is None,
                    promptly=limit is not None and counts is None,
                    explain=explain,
                    shown=shown,
                    warnings=undecoded,
                )
            )
        )
        if file is not None:
            for _, session in sessions:
                if isinstance(session, DecodeSession):  # one of rows explains nothing
                    for text in session.explanations():
                        file.write(text.encode())
        elif rows is not None and counts is not None:
            counts.add(_batches(sessions))
            rows.write([("", counts.most_frequent(limit or DEFAULT_LIMIT))])
            counts.warn_of_others()
        elif rows is not None:
            rows.write(_batches(sessions, encoded=chosen is Format.JSONL))
    is_incomplete = undecoded.report()
    if where is not None and rows is not None and not rows.rows:
        warn_of_no_match(source, table, where)
    if is_incomplete:
        ctx.exit(1)


def _batches(
    sessions: Iterable[tuple[str, CaptureSession]], *, encoded: bool = False
) -> Iterator[tuple[str, Rows]]:
    for name, session in sessions:
        for batch in session.encoded() if encoded else (batch for _, batch in session):
            yield name, batch


def _partitions(
    partition_by: str | None, format_: str | None, output: Path | None, *, follow: bool
) -> list[str]:
    """Return the columns that name folders, after a look at the options that go with them."""
    if partition_by is None:
        return []
    if format_ not in (None, Format.PARQUET) or output is None or follow:
        raise click.UsageError(
            "--partition-by writes Parquet to the folder that -o names: not with another "
            "--format, nor with --follow"
        )
    names = [name.strip() for name in partition_by.split(",")]
    wrong = [name for name in names if name in NO_PARTITIONS]
    if wrong:
        raise click.UsageError(f"--partition-by takes texts and numbers, which {wrong[0]} is not")
    if len(set(names)) < len(names):
        raise click.UsageError("--partition-by names a column twice")
    return names


def _types(path: Path) -> dict[str, int]:
    """Read a TOML file of message type numbers."""
    try:
        types = tomllib.loads(decode_utf8(read_document(path), path))
        PravegaDialect.early(types)
    except (ConfigError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise click.BadParameter(f"{path}: {shorten(str(error))}") from error
    return types


def _view(
    table: str, format_: Format, columns: str | None, where: str | None, partitions: Sequence[str]
) -> View:
    named = [name.strip() for name in columns.split(",")] if columns is not None else None
    if named is None and not format_.is_binary and table == "messages":
        # These are for people, and people look for the fields.
        named = all_columns(table)
    by = [name for name in partitions if name != FILE]
    if named is None and by:
        make_view(table, columns=by)  # names those that do not exist
    elif named is not None:
        named += [name for name in by if name not in named]
    return make_view(table, columns=named, where=where)


def _was_given(parameter: str) -> bool:
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not click.core.ParameterSource.DEFAULT
