"""Commands `jvmwire pravega`, which read and write segments and streams."""

from __future__ import annotations

import functools
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from jvmwire._cli.groups import ServerGroup
from jvmwire._cli.missed import Missed
from jvmwire._cli.pravega_serve import serve
from jvmwire._cli.server_options import (
    DEFAULT_TIMEOUT,
    count_option,
    json_option,
    password_option,
    server_option,
    system_option,
    timeout_option,
    user_option,
)
from jvmwire._cli.tabular import echo_safe, write_bytes, write_json
from jvmwire._cli.termination import tell_listening
from jvmwire._escaping import is_unicode, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire.pravega import SegmentStore
    from jvmwire.pravega.streams import StreamClient
    from jvmwire.transports import Tls

SYSTEM = "pravega"
OFFSET = click.IntRange(0, (1 << 63) - 1)
"""Parameter type of an offset in a segment."""
LINES = 1 << 20
"""The bytes of lines that are appended together."""


@dataclass(frozen=True)
class _Server:
    """Server to call, with the credentials for it."""

    servers: tuple[str, ...]
    """One segment store, or the controllers of a cluster."""
    tls: Tls | None
    token: str = field(repr=False)
    user: str
    password: str = field(repr=False)
    timeout: float

    def store(self) -> SegmentStore:
        """Return a connected client for the server as a segment store."""
        from jvmwire.pravega import SegmentStore, SegmentStoreOptions
        from jvmwire.pravega._addresses import STORE

        options = SegmentStoreOptions(delegation_token=self.token, timeout=self.timeout)
        return SegmentStore.connect(STORE.parse_one(self.servers, tls=self.tls), options)

    def controller(self) -> StreamClient:
        """Return a client for the server as a controller."""
        from jvmwire.pravega.streams import Controllers, StreamClient, StreamOptions

        controllers = Controllers._parsed(self.servers, self.tls)
        options = StreamOptions(user=self.user, password=self.password, timeout=self.timeout)
        return StreamClient(controllers, options)


def _connected(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that select the server to a command, as an argument `server`."""

    @functools.wraps(command)
    def run(
        servers: tuple[str, ...],
        ca_file: Path | None,
        token: str,
        user: str | None,
        password: str | None,
        timeout: float | None,
        *,
        tls: bool,
        **others: Any,
    ) -> None:
        from jvmwire.transports import Tls

        server = _Server(
            servers,
            Tls(ca_file=ca_file) if tls or ca_file is not None else None,
            token,
            user or "",
            password or "",
            timeout or DEFAULT_TIMEOUT,
        )
        command(server=server, **others)

    for option in (
        timeout_option(SYSTEM, has_config=False),
        system_option(
            SYSTEM,
            "--token",
            default="",
            help="Delegation token for a segment store; other users of this machine see it unless "
            "it is in the variable.",
        ),
        password_option(SYSTEM, of="the user"),
        user_option(SYSTEM, help="User to call a controller as."),
        system_option(
            SYSTEM,
            "--ca-file",
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help="Use TLS, and trust the authorities in this PEM file.",
        ),
        system_option(
            SYSTEM, "--tls", is_flag=True, help="Use TLS, and trust the system's authorities."
        ),
        server_option(
            SYSTEM,
            help="Address or URL of a segment store (default port: 12345), or of a controller "
            "(9090), where that is called.",
            required=True,
        ),
    ):
        run = option(run)
    return run


_of_streams = click.option(
    "--stream", "of_streams", is_flag=True, help="Of a stream, scope/stream; ask its controller."
)


@click.group(cls=ServerGroup)
def pravega() -> None:
    """Look into Pravega's segments and streams, and write to them.

    --server names a segment store; with --stream, and for `scopes` and `streams`, a controller, or
    several: one:9090,two:9090, or a URL of Java's client, such as pravega://one:9090.
    """


def _check_tag(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Reject a text that cannot be a tag as a usage error."""
    if value == "":
        raise click.BadParameter("it must not be empty")
    if value is not None and not is_unicode(value):
        raise click.BadParameter("it is not valid Unicode")
    return value


@pravega.command()
@count_option
@_connected
@json_option
def ping(server: _Server, count: int, *, as_json: bool) -> None:
    """Say how long the store takes to answer."""
    from jvmwire.pravega.errors import NoSuchSegment

    with server.store() as store:
        for _ in range(count):
            start = time.perf_counter()
            with suppress(NoSuchSegment):  # a refusal is an answer too
                store.get_segment_info("jvmwire/ping/0")
            milliseconds = (time.perf_counter() - start) * 1e3
            if as_json:
                write_json([{"milliseconds": milliseconds}])
            else:
                echo_safe(f"answered in {milliseconds:.2f} ms")


@pravega.command()
@_connected
@click.argument("segments", metavar="SEGMENT...", nargs=-1, required=True)
@click.option("--table", is_flag=True, help="Make tables.")
@_of_streams
def create(
    server: _Server,
    segments: tuple[str, ...],
    *,
    table: bool,
    of_streams: bool,
) -> None:
    """Make segments, or streams and the scopes that they are in.

    Exit status: 0; 1 if one could not be made.
    """
    miss = Missed()
    if of_streams:
        with server.controller() as client:
            for name in segments:
                with miss.about(name):
                    client.create_scope(name.partition("/")[0])
                    client.create_stream(name)
                    echo_safe(name)
    else:
        with server.store() as store:
            for segment in segments:
                with miss.about(segment):
                    if table:
                        store.create_table(segment)
                    else:
                        store.create_segment(segment)
                    echo_safe(segment)
    sys.exit(bool(miss))


@pravega.command()
@_connected
@click.argument("segments", metavar="SEGMENT...", nargs=-1, required=True)
@json_option
def segments(server: _Server, segments: tuple[str, ...], *, as_json: bool) -> None:
    """Say how segments are.

    A segment store does not tell which it has: they are asked for by their names.

    Exit status: 0; 1 if one does not exist.
    """
    miss = Missed()
    with server.store() as store:
        for segment in segments:
            with miss.about(segment):
                info = store.get_segment_info(segment)
                if as_json:
                    write_json([info])
                else:
                    state = "sealed" if info.is_sealed else "open"
                    echo_safe(f"{info.name}: {state}, {info.start_offset} to {info.write_offset}")
    sys.exit(bool(miss))


@pravega.command()
@_connected
@click.argument("segment")
@click.argument("file", type=click.File("rb"), default="-")
@_of_streams
@click.option("--key", help="The routing key of all of them; without it they are spread.")
def append(
    server: _Server,
    segment: str,
    file: BinaryIO,
    *,
    of_streams: bool,
    key: str | None,
) -> None:
    """Append each line of FILE, or of standard input, as an event."""
    if key is not None and not of_streams:
        raise click.UsageError("--key is of streams: --stream is needed")
    count = 0
    if of_streams:
        with server.controller() as client, client.writer(segment) as writer:
            for events in _lines(file):
                writer.write_all(events, None if key is None else [key] * len(events))
                count += len(events)
    else:
        with server.store() as store, store.appender(segment) as appender:
            for events in _lines(file):
                count = appender.write_all(events)
    click.echo(f"{count} event{'s' * (count != 1)}")


def _lines(file: BinaryIO) -> Iterator[list[bytes]]:
    while lines := file.readlines(LINES):
        yield [line.removesuffix(b"\n") for line in lines]


@pravega.command()
@_connected
@click.argument("segment")
@click.option(
    "--offset",
    type=OFFSET,
    default=0,
    show_default=True,
    help="Offset in bytes at which an event begins.",
)
@click.option("--raw", is_flag=True, help="Print the stored bytes, headers included.")
@_of_streams
def cat(
    server: _Server,
    segment: str,
    offset: int,
    *,
    raw: bool,
    of_streams: bool,
) -> None:
    """Write the events of a segment or a stream, a line each."""
    if of_streams and (offset or raw):
        raise click.UsageError("--offset and --raw are of segments: not with --stream")
    if of_streams:
        with server.controller() as client:
            _write(batch.events for batch in client.read_events(segment))
        return
    with server.store() as store:
        if raw:
            for data in store.read_bytes(segment, offset):
                write_bytes(data)
        else:
            _write(store.read_events(segment, offset))


@pravega.command()
@_connected
@click.argument("segment")
@click.option(
    "--offset", type=OFFSET, help="Offset in bytes at which an event begins (default: the end)."
)
@_of_streams
def tail(
    server: _Server,
    segment: str,
    offset: int | None,
    *,
    of_streams: bool,
) -> None:
    """Write events of a segment or a stream as they come.

    It ends when the segment or the stream is sealed.
    """
    if of_streams and offset is not None:
        raise click.UsageError("--offset is of segments: not with --stream")
    if of_streams:
        with server.controller() as client:
            now = client.tail(segment)
            tell_listening(f"stream {quote(segment)}")
            reading = client.within(None).read_events(segment, start=now, follow=True)
            _write(batch.events for batch in reading)
        return
    with server.store() as store:
        end = store.get_segment_info(segment).write_offset
        tell_listening(f"segment {quote(segment)}")
        start = end if offset is None else offset
        _write(store.within(None).read_events(segment, start, follow=True))


@pravega.command()
@_connected
@json_option
def scopes(server: _Server, *, as_json: bool) -> None:
    """List the scopes that a controller has."""
    with server.controller() as client:
        for scope in client.scopes():
            if as_json:
                write_json([{"name": scope}])
            else:
                echo_safe(scope)


@pravega.command()
@_connected
@click.argument("scope")
@click.option("--tag", callback=_check_tag, help="Only those that have it.")
@json_option
def streams(server: _Server, scope: str, tag: str | None, *, as_json: bool) -> None:
    """List the streams of a scope.

    With --json each has its tags and its present segments.
    """
    with server.controller() as client:
        for name in client.streams(scope, tag=tag):
            if not as_json:
                echo_safe(name)
                continue
            tags = sorted(client.get_configuration(name).tags)
            now = client.segments(name)
            row = {"name": name, "tags": tags, "segments": [segment.name for segment in now]}
            write_json([row])


def _write(batches: Iterator[list[bytes]]) -> None:
    for events in batches:
        if events:
            write_bytes(b"\n".join(events) + b"\n")


pravega.add_command(serve)
