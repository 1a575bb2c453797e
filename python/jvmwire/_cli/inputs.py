"""Inputs of `jvmwire decode`: captures, dumps, and what standard input brings."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from jvmwire._escaping import path_text
from jvmwire._files import STDIN
from jvmwire.capture import find_captures, group_rotated, read_dump, read_rotated, read_stream
from jvmwire.capture._files import expand_pattern, refuse_as_input
from jvmwire.capture._sources import find_sources
from jvmwire.capture._urls import UrlFile, hide_secrets, is_url

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from jvmwire._cli.decode_warnings import DecodeWarnings
    from jvmwire._cli.progress import InputProgress
    from jvmwire.capture import View
    from jvmwire.capture._reading import CaptureSession

STANDARD_INPUT = "-"


@dataclass(frozen=True, kw_only=True)
class DecodeInput:
    """The files that a command decodes, and how.

    Args:
        names: Arguments of the command line.
        captures: Files of captures; the dump.
        groups: Files of each capture, in order of time: those of a ring buffer are one.
        side: Side whose raw dump is read; None for captures.
        reply_file: Raw dump of the server, or None.
        protocol: Protocol of all connections; None detects it.
        types: Numbers of messages by name, or None.
        key: Key that redacts; None for none.
        follow: Whether to wait for more at the end.
    """

    names: tuple[str, ...]
    captures: list[Path]
    groups: list[Sequence[Path | UrlFile]]
    side: str | None
    reply_file: Path | None
    protocol: str | None
    types: dict[str, int] | None
    key: bytes | None
    follow: bool

    @property
    def is_dump(self) -> bool:
        """Whether the input is a raw dump."""
        return self.side is not None or self.reply_file is not None

    @property
    def is_live(self) -> bool:
        """Whether rows come as they complete, from standard input or a file that grows."""
        return not self.is_dump and (self.follow or self.names == (STANDARD_INPUT,))

    @property
    def is_repeatable(self) -> bool:
        """Whether the input can be read again."""
        return STANDARD_INPUT not in self.names and not self.follow

    @property
    def is_measured(self) -> bool:
        """Whether the size of the input is known: all of it is captures in local files."""
        return bool(self.groups) and len(self.captures) == sum(map(len, self.groups))

    @property
    def local_files(self) -> list[Path | int]:
        """The files of this system, which no output may be."""
        urls = (file for group in self.groups for file in group if isinstance(file, UrlFile))
        files: list[Path | int] = [*self.captures, *(path for url in urls for path in url.local)]
        if STANDARD_INPUT in self.names:
            files.append(STDIN)
        if self.reply_file is not None:
            files.append(self.reply_file)
        return files

    def sessions(
        self,
        views: Sequence[View],
        *,
        in_order: bool = False,
        promptly: bool = False,
        explain: bool = False,
        shown: InputProgress | None = None,
        warnings: DecodeWarnings | None = None,
    ) -> Generator[tuple[str, CaptureSession]]:
        """Yield a session for each capture, to be read before the next one is taken.

        Args:
            views: Tables to decode.
            in_order: Whether rows are sorted by stream and offset, where they are not live; by
                default they come in order of the last packet of each.
            promptly: Whether rows come as soon as they complete, for those who do not read to the
                end. Default: False.
            explain: Whether annotated dumps are produced instead of rows. Default: False.
            shown: Progress bar of the bytes read; None (the default) for none.
            warnings: What could not be decoded is added to; None (the default) for none.

        Yields:
            The name of the capture's first file, and the session.
        """
        found = self._sessions(
            views, in_order=in_order, promptly=promptly, explain=explain, shown=shown
        )
        for names, session in found:
            try:
                yield path_text(names[0]), session
            finally:  # also if it is not read to its end
                if warnings is not None:
                    warnings.add(names, session)

    def _sessions(
        self,
        views: Sequence[View],
        *,
        in_order: bool,
        promptly: bool,
        explain: bool,
        shown: InputProgress | None,
    ) -> Iterator[tuple[Sequence[Path | str], CaptureSession]]:
        if self.is_dump:
            yield (
                [self.names[0]],
                read_dump(
                    views,
                    protocol=self.protocol or "",
                    side=self.side or "client",
                    path=self.captures[0],
                    reply_path=self.reply_file,
                    types=self.types,
                    in_order=in_order,
                    explain=explain,
                    redact=self.key,
                ),
            )
            return
        if self.is_live:
            is_stdin = self.names == (STANDARD_INPUT,)
            source = sys.stdin.buffer if is_stdin else self.captures[0].open("rb")
            with source:
                stream = read_stream(
                    source,
                    views,
                    protocol=self.protocol,
                    types=self.types,
                    explain=explain,
                    redact=self.key,
                    follow=self.follow and _may_grow(source),
                )
                yield [self.names[0]], stream
            return
        first_stream = 0
        for group in self.groups:
            session: CaptureSession | None = None
            if in_order:
                session = self._in_threads(group, views, first_stream, shown)
            if session is None:
                session = read_rotated(
                    (_open(file, shown) for file in group),
                    views,
                    protocol=self.protocol,
                    types=self.types,
                    first_stream=first_stream,
                    in_order=in_order,
                    explain=explain,
                    redact=self.key,
                    flush=promptly,
                )
            yield [file if isinstance(file, Path) else str(file) for file in group], session
            first_stream = session.next_stream

    def _in_threads(
        self,
        group: Sequence[Path | UrlFile],
        views: Sequence[View],
        first_stream: int,
        shown: InputProgress | None,
    ) -> CaptureSession | None:
        """Return the session of a capture that several threads decode; None if one is as fast."""
        files = [file for file in group if isinstance(file, Path)]
        if len(views) != 1 or len(files) < len(group):
            return None
        from jvmwire.capture._parallel import ParallelSession, sorting_threads

        threads = sorting_threads(files)
        if threads == 1:
            return None
        return ParallelSession(
            files,
            views[0],
            threads=threads,
            protocol=self.protocol,
            types=self.types,
            first_stream=first_stream,
            redact=self.key,
            on_read=None if shown is None else shown.on_read,
        )


def find_input(
    names: tuple[str, ...],
    output: Path | None,
    *,
    side: str | None,
    reply_file: Path | None,
    protocol: str | None,
    types: dict[str, int] | None,
    key: bytes | None,
    follow: bool,
) -> DecodeInput:
    """Return the input that the arguments of a command name.

    Args:
        names: Files, folders, patterns, URLs, or `-`.
        output: Output file, which must be none of them; None for standard output.
        side: Side whose raw dump is read; None for captures.
        reply_file: Raw dump of the server, or None.
        protocol: Protocol of all connections; None detects it.
        types: Numbers of messages by name, or None.
        key: Key that redacts; None for none.
        follow: Whether to wait for more at the end.

    Raises:
        click.UsageError: the options do not fit together.
        ConfigError: a file does not exist, or is the output.
        MissingExtra: a URL needs a package that is not installed.
    """
    is_dump = side is not None or reply_file is not None
    captures: list[Path] = []
    groups: list[Sequence[Path | UrlFile]] = []
    if is_dump or follow:
        captures = [_one_file(names[0])]
    elif names != (STANDARD_INPUT,):
        captures, urls = find_sources(names)
        groups = [*group_rotated(captures), *([url] for url in urls)]
    if output is not None:
        local = [name for name in names if name != STANDARD_INPUT and not is_url(name)]
        refuse_as_input(output, (path for name in local for path in expand_pattern(name)))
    return DecodeInput(
        names=names,
        captures=captures,
        groups=groups,
        side=side,
        reply_file=reply_file,
        protocol=protocol,
        types=types,
        key=key,
        follow=follow,
    )


def _open(file: Path | UrlFile, shown: InputProgress | None) -> Path | BinaryIO:
    if isinstance(file, UrlFile):
        return file.open()
    return file if shown is None else shown.open(file)


def _may_grow(source: BinaryIO) -> bool:
    """Return whether the input may grow after its end; a pipe on standard input may not."""
    return source is not sys.stdin.buffer or stat.S_ISREG(os.fstat(source.fileno()).st_mode)


def _one_file(name: str) -> Path:
    if name == STANDARD_INPUT:
        return Path("/dev/stdin")
    if is_url(name):
        raise click.UsageError(f"{hide_secrets(name)} is a URL: a dump and --follow take a file")
    found = expand_pattern(name)
    if found[1:]:
        raise click.UsageError(f"{name} is {len(found)} files: a dump and --follow take one")
    if found[0].is_dir():
        raise click.UsageError(f"{found[0]} is a folder: a dump and --follow take a file")
    find_captures(found)
    return found[0]
