"""Reading of captures and dumps in chunks, with their decoded batches as an iterator."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from jvmwire._core import CaptureDecoder, DumpDecoder, RecordBatch, RowSorter, View
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

CHUNK = 1 << 17
"""Bytes per read; compressed data may expand a thousandfold before rows are taken."""
FOLLOW_INTERVAL = 0.2
"""Seconds between two checks of a growing file."""
_MAX_REPLY_LEAD = 4 << 20
"""Maximum bytes of a server's dump that wait for the client's dump."""


_Part = TypeVar("_Part")


class EncodedRows:
    """Rows of a table with their JSON.

    Args:
        batch: The rows, which are encoded now.
    """

    def __init__(self, batch: RecordBatch) -> None:
        self._batch = batch
        self._lines = batch.to_jsonl()

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return self._batch.num_rows

    def to_jsonl(self) -> bytes:
        """Return the rows as JSON, one object per line, in UTF-8."""
        return self._lines

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export the rows through Arrow's PyCapsule interface."""
        return self._batch.__arrow_c_array__(requested_schema)


class CaptureSession(ABC):
    """An input being decoded: an iterable of (table name, record batch), and what was lacking."""

    damages: dict[int, DecodeError]
    """What was wrong with files, by their place; what was whole of each was decoded."""
    first_stream: int
    """The number that the first stream has that begins here."""

    @abstractmethod
    def __iter__(self) -> Iterator[tuple[str, RecordBatch]]:
        """Decode, and yield the rows."""

    def encoded(self) -> Iterator[RecordBatch | EncodedRows]:
        """Decode, and yield rows of all tables that are written as JSON.

        Yields:
            Rows, whose JSON may be there already.
        """
        for _, batch in self:
            yield batch

    @property
    @abstractmethod
    def undecoded(self) -> list[tuple[str, int, int]]:
        """The undecoded parts, as tuples of the reason, the number of parts and their bytes."""

    @property
    @abstractmethod
    def next_stream(self) -> int:
        """The number for the first stream of the next capture."""

    @property
    @abstractmethod
    def is_without_streams(self) -> bool:
        """Whether the input is a capture without connections, once it is read to the end."""

    @property
    def damage(self) -> DecodeError | None:
        """The damage of the file, or of the first damaged file."""
        return next(iter(self.damages.values()), None)

    def describe_undecoded(self, files: Sequence[str]) -> list[str]:
        """Return a sentence for each reason for which bytes were not decoded.

        Args:
            files: Names of the capture's files, in order.

        Returns:
            The sentences; those without bytes are omitted if a file is damaged, which covers them.
        """
        name = files[0] if len(files) == 1 else f"{files[0]} to {files[-1]}"
        sentences = []
        for reason, pieces, size in self.undecoded:
            if size or not self.damages:
                where = "one place" if pieces == 1 else f"{pieces:,} places"
                amount = f"{size:,} bytes in " if size else ""
                sentences.append(f"{name}: {amount}{where}: {reason}")
        return sentences


class DecodeSession(CaptureSession):
    """A capture or dump being decoded: an iterable of (table name, record batch)."""

    def __init__(
        self,
        decoder: CaptureDecoder | DumpDecoder,
        files: Iterable[Iterator[None]],
        *,
        end: Callable[[], None] | None = None,
        end_file: Callable[[], None] | None = None,
    ) -> None:
        self._decoder = decoder
        self._files = files
        self._end = end or decoder.finish
        self._end_file = end_file
        self.first_stream = self.next_stream
        self._file = 0
        self.damages = {}

    def __iter__(self) -> Iterator[tuple[str, RecordBatch]]:
        for _ in self._advance():
            yield from self._drain(self._decoder.next_batch)

    def explanations(self) -> Iterator[str]:
        """Yield the annotated hex dump in pieces; requires `explain=True`.

        Yields:
            Text, cut at any place.
        """
        for _ in self._advance():
            yield from self._drain(self._decoder.take_explanation)

    def take_sorter(self) -> RowSorter:
        """Decode everything; requires one view and `in_order=True`.

        Returns:
            The sorted rows, to be appended to those of other ranges.
        """
        for _ in self._advance():
            pass
        assert isinstance(self._decoder, CaptureDecoder)  # noqa: S101 - a dump has no ranges
        return self._decoder.take_sorter()

    def _drain(self, next_part: Callable[[], _Part | None]) -> Iterator[_Part]:
        """Yield the results of `next_part` until it returns None; each call may decode more."""
        with self._noting_damage():
            while part := next_part():
                yield part

    def _advance(self) -> Iterator[None]:
        for number, pieces in enumerate(self._files):
            if number and self._end_file is not None:
                with self._noting_damage():
                    self._end_file()
                yield
            self._file = number
            with self._noting_damage():
                yield from pieces
        with self._noting_damage():
            self._end()
        yield

    @contextmanager
    def _noting_damage(self) -> Iterator[None]:
        try:
            yield
        except DecodeError as error:
            self.damages[self._file] = error

    @property
    def undecoded(self) -> list[tuple[str, int, int]]:
        """The undecoded parts, as tuples of the reason, the number of parts and their bytes."""
        return self._decoder.undecoded()

    @property
    def next_stream(self) -> int:
        """The number for the first stream of the next capture."""
        return self._decoder.next_stream if isinstance(self._decoder, CaptureDecoder) else 1

    @property
    def is_without_streams(self) -> bool:
        """Whether the input is a capture without connections, once it is read to the end."""
        return isinstance(self._decoder, CaptureDecoder) and self.next_stream == self.first_stream


def read_tables(
    source: Path | BinaryIO,
    views: Sequence[View],
    *,
    protocol: str | None = None,
    types: dict[str, int] | None = None,
    first_stream: int = 0,
    in_order: bool = False,
    explain: bool = False,
    redact: bytes | None = None,
) -> DecodeSession:
    """Decode a capture file.

    A damaged file ends the iteration without an exception: see `DecodeSession.damage`.

    Args:
        source: A path, or an open binary file.
        views: The tables to decode, with columns and conditions.
        protocol: The protocol of all connections; None (the default) detects it.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the built-in
            ones.
        first_stream: Number of the first stream, 0 by default.
        in_order: Whether rows are sorted by (stream, offset); by default they are in order of the
            last packet of each row.
        explain: Whether annotated hex dumps are produced instead of rows; `views` is empty then.
        redact: A key from `redaction_key`, with which values chosen by users are replaced.

    Returns:
        The reading, an iterable of (table name, record batch).

    Raises:
        OSError: the file cannot be opened or read (during the iteration).
    """
    return read_rotated(
        (source,),
        views,
        protocol=protocol,
        types=types,
        first_stream=first_stream,
        in_order=in_order,
        explain=explain,
        redact=redact,
    )


def read_rotated(
    sources: Iterable[Path | BinaryIO],
    views: Sequence[View],
    *,
    protocol: str | None = None,
    types: dict[str, int] | None = None,
    first_stream: int = 0,
    in_order: bool = False,
    explain: bool = False,
    redact: bytes | None = None,
    flush: bool = False,
) -> DecodeSession:
    """Decode one capture that was written into many files: connections continue from file to file.

    The arguments are those of `read_tables`. A damaged file ends, the next one is read: see
    `DecodeSession.damages`.

    Args:
        sources: The files, opened or by their paths, in order of time; each is taken when the one
            before has been read.
        flush: Whether rows are yielded after each chunk that is read, not in full batches, for
            those who do not read to the end. Default: False.

    Returns:
        The session, which decodes while its results are taken.
    """
    decoder = CaptureDecoder(
        views,
        protocol=protocol,
        types=types,
        first_stream=first_stream,
        in_order=in_order,
        explain=explain,
        redact=redact,
    )
    return DecodeSession(
        decoder,
        (_feed_file(decoder, source, flush=flush) for source in sources),
        end_file=decoder.end_file,
    )


def read_range(
    part: CaptureRange,
    views: Sequence[View],
    *,
    protocol: str | None = None,
    types: dict[str, int] | None = None,
    first_stream: int = 0,
    in_order: bool = False,
    redact: bytes | None = None,
    raises: bool = False,
    on_read: Callable[[int], None] | None = None,
) -> DecodeSession:
    """Decode one range of a capture: all ranges together yield the rows of the whole, in order.

    A file that cannot be read, or was overwritten in the meantime, counts as damaged: see
    `DecodeSession.damage`.

    Args:
        part: The range, with the decoder state before it.
        views: The tables to decode, with columns and conditions.
        protocol: The protocol of all connections; None (the default) detects it.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the built-in
            ones.
        first_stream: Number of the first stream, 0 by default.
        in_order: Whether rows are sorted by (stream, offset), within the range. Default: False.
        redact: A key from `redaction_key`, with which values chosen by users are replaced.
        raises: Whether an error of the system ends the iteration, instead of counting as damage.
            Default: False.
        on_read: Called with the number of bytes before each chunk is decoded; its exception ends
            the iteration.

    Returns:
        The reading, an iterable of (table name, record batch).
    """
    decoder = CaptureDecoder(
        views,
        protocol=protocol,
        types=types,
        first_stream=first_stream,
        in_order=in_order,
        redact=redact,
        state=part.state,
    )
    ends = {
        RangeEnd.CUT: decoder.suspend,
        RangeEnd.FILE: decoder.end_file,
        RangeEnd.CAPTURE: decoder.finish,
    }

    def chunks() -> Iterator[None]:
        try:
            yield from _feed_range(decoder, part, on_read)
        except OSError as error:
            if raises:
                raise
            decoder.break_off(read_error_message(error))
            ends[RangeEnd.CUT] = decoder.end_file  # a damaged range has no valid cut at its end

    def end() -> None:
        try:
            ends[part.end]()
        finally:
            decoder.suspend()

    return DecodeSession(decoder, [chunks()], end=end)


def read_stream(
    source: BinaryIO,
    views: Sequence[View],
    *,
    protocol: str | None = None,
    types: dict[str, int] | None = None,
    explain: bool = False,
    redact: bytes | None = None,
    follow: bool = False,
) -> DecodeSession:
    """Decode a capture while it is written; rows are yielded as soon as they are decoded.

    Args:
        source: An open binary file or pipe.
        views: The tables to decode, with columns and conditions.
        protocol: The protocol of all connections; None (the default) detects it.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the built-in
            ones.
        explain: Whether annotated hex dumps are produced instead of rows.
        redact: A key from `redaction_key`, with which values chosen by users are replaced.
        follow: Whether to wait for more data at the end of `source`, with a check every 0.2
            seconds.

    Returns:
        The reading, an iterable of (table name, record batch).
    """
    decoder = CaptureDecoder(views, protocol=protocol, types=types, explain=explain, redact=redact)
    return DecodeSession(decoder, [_feed_stream(decoder, source, follow=follow)])


def read_dump(
    views: Sequence[View],
    *,
    protocol: str,
    side: str,
    path: Path,
    reply_path: Path | None = None,
    types: dict[str, int] | None = None,
    in_order: bool = False,
    explain: bool = False,
    redact: bytes | None = None,
) -> DecodeSession:
    """Decode raw dumps of the bytes of one or both sides of a connection.

    Args:
        views: The tables to decode, with columns and conditions.
        protocol: The protocol of the dump.
        side: The side that wrote `path`: `client`, `server`, or `any` to decode each message on its
            own.
        path: The dump; the client's dump if `reply_path` is given.
        reply_path: The server's dump, or None; if it is given, `side` is ignored.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the built-in
            ones.
        in_order: Whether rows are sorted by (stream, offset).
        explain: Whether annotated hex dumps are produced instead of rows.
        redact: A key from `redaction_key`, with which values chosen by users are replaced.

    Returns:
        The reading, an iterable of (table name, record batch).
    """
    of = side if reply_path is None else "both"
    decoder = DumpDecoder(
        views,
        protocol=protocol,
        of=of,
        types=types,
        in_order=in_order,
        explain=explain,
        redact=redact,
    )
    if reply_path is None:
        batches = _feed_dump(decoder, "server" if side == "server" else "client", path)
    else:
        batches = _feed_dumps(decoder, path, reply_path)
    return DecodeSession(decoder, [batches])


def _feed_file(decoder: CaptureDecoder, source: Path | BinaryIO, *, flush: bool) -> Iterator[None]:
    with source.open("rb", buffering=0) if isinstance(source, Path) else source as file:
        while chunk := file.read(CHUNK):
            decoder.feed(chunk)
            if flush:
                decoder.flush()
            yield


def _feed_range(
    decoder: CaptureDecoder, part: CaptureRange, on_read: Callable[[int], None] | None
) -> Iterator[None]:
    with part.path.open("rb", buffering=0) as file:
        file.seek(part.start)
        left = part.stop - part.start
        while left and (chunk := file.read(min(CHUNK, left))):
            # Checked after the read, so that the chunk is known to belong to the same file.
            if part.beginning is not None and not part.beginning.matches(file.fileno()):
                break
            left -= len(chunk)
            if on_read is not None:
                on_read(len(chunk))
            decoder.feed(chunk)
            yield
    if left and part.beginning is not None:
        raise FileRewritten


class FileRewritten(OSError):
    """The content of a file was replaced while it was read."""

    def __init__(self) -> None:
        super().__init__("it was written anew before it was read to its end")


def read_error_message(error: OSError) -> str:
    """Return the system's reason why a file cannot be read, without its path."""
    return error.strerror or str(error)


def _feed_stream(decoder: CaptureDecoder, source: BinaryIO, *, follow: bool) -> Iterator[None]:
    read = getattr(source, "read1", source.read)
    while True:
        while chunk := read(CHUNK):
            decoder.feed(chunk)
            decoder.flush()
            yield
        if not follow:
            return
        time.sleep(FOLLOW_INTERVAL)


def _feed_dump(decoder: DumpDecoder, side: str, path: Path) -> Iterator[None]:
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(CHUNK):
            decoder.feed(side, chunk)
            yield


def _feed_dumps(decoder: DumpDecoder, path: Path, reply_path: Path) -> Iterator[None]:
    """Feed the server's dump behind the client's, since a reply is decoded by its request."""
    with path.open("rb", buffering=0) as requests, reply_path.open("rb", buffering=0) as replies:
        while chunk := requests.read(CHUNK):
            decoder.feed("client", chunk)
            yield
            while decoder.held("server") < _MAX_REPLY_LEAD and (reply := replies.read(CHUNK)):
                decoder.feed("server", reply)
                yield
        decoder.end_of("client")
        yield
        while reply := replies.read(CHUNK):
            decoder.feed("server", reply)
            yield
