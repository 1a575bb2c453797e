"""Command `jvmwire decode`, which prints captures and dumps as rows."""

from __future__ import annotations

import os
import stat
import sys
import tomllib
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import click

from jvmwire._cli.decode_warnings import DecodeWarnings
from jvmwire._cli.output import open_rows, refuse_empty
from jvmwire._cli.progress import progress
from jvmwire._core import PROTOCOLS, PravegaDialect, View
from jvmwire._documents import decode_utf8, read_document
from jvmwire._escaping import shorten
from jvmwire._files import STDIN
from jvmwire.capture import (
    find_captures,
    group_rotated,
    make_view,
    read_dump,
    read_rotated,
    read_stream,
    redaction_key,
)
from jvmwire.capture._files import refuse_as_input
from jvmwire.errors import ConfigError

PRAVEGA_EARLY = "pravega-early"
"""The protocol whose messages have no type numbers of their own."""


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
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
    type=click.Choice(["jsonl", "arrow", "parquet"]),
    default="jsonl",
    show_default=True,
    help="How rows are written; arrow and parquet need the extra 'arrow'.",
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
    type=click.Path(path_type=Path, dir_okay=False),
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
    format_: str,
    columns: str | None,
    where: str | None,
    follow: bool,
    redact: bool,
    redact_secret: BinaryIO | None,
    explain: bool,
    output: Path | None,
) -> None:
    """Decode captures, or raw dumps of a stream's bytes, to rows.

    FILE is pcap or pcapng, plain, gzip or zstd; '-' is standard input. With --protocol and --side,
    or with --reply-file, it is a raw dump.

    The files of one ring buffer, named as tcpdump -C and -W or dumpcap -b do, are one capture.

    Rows of files come in order of stream and offset; rows of a capture that is '-' or that is
    followed come as they complete. An interrupted run leaves no output file, but for --follow.

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
    if explain and any(map(_was_given, ("table", "format_", "columns", "where"))):
        raise click.UsageError(
            "--explain prints a dump: --table, --format, --columns and --where are for rows"
        )
    if is_dump and follow:
        raise click.UsageError("--follow reads captures, not raw dumps")
    if (is_dump or follow or "-" in files) and len(files) > 1:
        raise click.UsageError("a dump, '-' and --follow take one FILE")
    if redact_secret and not redact:
        raise click.UsageError("--redact-secret is of use with --redact only")
    types_file, numbers = (None, None) if types is None else types
    view = _view(table, format_, columns, where)
    secret = redact_secret.read() if redact_secret else None
    key = redaction_key(secret) if redact else None
    views = [] if explain else [view]
    # Before the output is opened, since a mistyped name must not truncate a file.
    if is_dump or follow:
        captures = [_one_file(files[0])]
    else:
        captures = [] if files == ("-",) else find_captures(Path(file) for file in files)
    if output is not None:
        refuse_as_input(output, (Path(file) for file in files if file != "-"))
    inputs = [
        *captures,
        *((STDIN,) if "-" in files else ()),
        *(file for file in (reply_file, types_file) if file is not None),
        *((redact_secret.fileno(),) if redact_secret else ()),
    ]
    undecoded = DecodeWarnings()
    with ExitStack() as stack:
        write = stack.enter_context(
            open_rows(format_, view, output, inputs=inputs, explain=explain, grows=follow)
        )
        if is_dump:
            dump = read_dump(
                views,
                protocol=protocol or "",
                side=side or "client",
                path=captures[0],
                reply_path=reply_file,
                types=numbers,
                in_order=True,
                explain=explain,
                redact=key,
            )
            write(dump)
            undecoded.add([files[0]], dump)
        elif follow or files == ("-",):
            source = sys.stdin.buffer if files == ("-",) else captures[0].open("rb")
            live = read_stream(
                stack.enter_context(source),
                views,
                protocol=protocol,
                types=numbers,
                explain=explain,
                redact=key,
                follow=follow and _may_grow(source),
            )
            write(live)
            undecoded.add([files[0]], live)
        else:
            opened = stack.enter_context(progress(captures, shown=output is not None))
            first_stream = 0
            for rotated in group_rotated(captures):
                reading = read_rotated(
                    map(opened, rotated),
                    views,
                    protocol=protocol,
                    types=numbers,
                    first_stream=first_stream,
                    in_order=True,
                    explain=explain,
                    redact=key,
                )
                write(reading)
                undecoded.add(rotated, reading)
                first_stream = reading.next_stream
    if undecoded.report():
        ctx.exit(1)


def _types(path: Path) -> dict[str, int]:
    """Read a TOML file of message type numbers."""
    try:
        types = tomllib.loads(decode_utf8(read_document(path), path))
        PravegaDialect.early(types)
    except (ConfigError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise click.BadParameter(f"{path}: {shorten(str(error))}") from error
    return types


def _view(table: str, format_: str, columns: str | None, where: str | None) -> View:
    named = [name.strip() for name in columns.split(",")] if columns is not None else None
    if named is None and format_ == "jsonl" and table == "messages":
        # JSON lines are for people, and people look for the fields.
        named = [*View("messages").columns[:-1], "fields", "error"]
    return make_view(table, columns=named, where=where)


def _was_given(parameter: str) -> bool:
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not click.core.ParameterSource.DEFAULT


def _may_grow(source: BinaryIO) -> bool:
    """Return whether the input may grow after its end; a pipe on standard input may not."""
    return source is not sys.stdin.buffer or stat.S_ISREG(os.fstat(source.fileno()).st_mode)


def _one_file(name: str) -> Path:
    if name == "-":
        return Path("/dev/stdin")
    path = Path(name)
    if path.is_dir():
        raise click.UsageError(f"{name} is a folder: a dump and --follow take a file")
    find_captures([path])
    return path
