"""A segment store's client: every call once, for threads and for asyncio."""

from __future__ import annotations

import itertools
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast

from jvmwire.client import AsyncClient, Options, SyncClient, operation, stream
from jvmwire.drivers.limits import CONNECT_TIMEOUT
from jvmwire.link import Link
from jvmwire.pravega.appender import MAX_BYTES, MAX_EVENTS, Appender, AsyncAppender
from jvmwire.pravega.commands import (
    NO_VALUE,
    CreateSegment,
    CreateTableSegment,
    CreateTransientSegment,
    DeleteSegment,
    DeleteTableSegment,
    GetSegmentAttribute,
    GetStreamSegmentInfo,
    GetTableSegmentInfo,
    MergeSegments,
    MergeSegmentsBatch,
    ReadSegment,
    ReadTable,
    ReadTableEntries,
    ReadTableKeys,
    RemoveTableKeys,
    SealSegment,
    TruncateSegment,
    UpdateSegmentAttribute,
    UpdateSegmentPolicy,
    UpdateTableEntries,
)
from jvmwire.pravega.errors import SegmentIsSealed
from jvmwire.pravega.reading import PIECE, Cutter, EventBatch, emitting, pages, pieces
from jvmwire.pravega.results import SegmentPiece
from jvmwire.pravega.session import KEEP_ALIVE_INTERVAL, PravegaClientSession, Token
from jvmwire.pravega.writer import FIRST_REQUEST_ID, Writer
from jvmwire.retry import RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from jvmwire.operations import Emission, Operation
    from jvmwire.pravega.results import SegmentInfo, TableEntry, TableInfo, TableKey
    from jvmwire.transports import Endpoint

ANY_VERSION = -(1 << 63)
"""Of a key: whatever is there. `TableKey.NO_VERSION`."""
NOT_THERE = -1
"""Of a key: only if there is none. `TableKey.NOT_EXISTS`."""
ANYWHERE = -1
"""Of a table: however long it is. `WireCommands.NULL_TABLE_SEGMENT_OFFSET`."""
PAGE = 1000
"""Keys or entries asked for at once. Ours."""

NO_SCALING = 0
"""A segment is never to be split."""
BY_THROUGHPUT = 1
"""A segment is to be split from so many KB/s on."""
BY_EVENT_RATE = 2
"""A segment is to be split from so many events/s on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentStoreOptions(Options):
    """What a segment store's client may be told."""

    delegation_token: Token = field(default="", repr=False)
    """What the controller gave us to be let in with, or what returns it anew."""
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    """Of what is safe to repeat; connections are made again as often, for appends too."""
    keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL
    """Seconds of our own silence after which the store is told that we live; None is never."""


class _Operations:
    _link: Link

    @operation
    def create_segment(
        self,
        segment: str,
        *,
        scale_type: int = NO_SCALING,
        target_rate: int = 0,
        rollover_size: int = 0,
    ) -> Operation[None]:
        """Make a segment; chunks of `rollover_size` bytes hold it, 0 is as the store likes.

        Raises:
            SegmentAlreadyExists: there is one of that name.
        """
        yield from self._link.call(CreateSegment(segment, target_rate, scale_type, rollover_size))

    @operation
    def seal_segment(self, segment: str) -> Operation[None]:
        """Let a segment take no more; sealing it again changes nothing."""
        with suppress(SegmentIsSealed):
            yield from self._link.call(SealSegment(segment))

    @operation
    def delete_segment(self, segment: str) -> Operation[None]:
        """Delete a segment, sealed or not."""
        yield from self._link.call(DeleteSegment(segment))

    @operation
    def truncate_segment(self, segment: str, offset: int) -> Operation[None]:
        """Drop what stands before `offset`; offsets stay as they are."""
        yield from self._link.call(TruncateSegment(segment, offset))

    @operation
    def merge_segments(
        self, target: str, source: str, attribute_updates: Iterable[Mapping[str, Any]] = ()
    ) -> Operation[int]:
        """Append all of `source`, which then is no more, to `target`; return where that ends now.

        Of the target's attributes, each of `attribute_updates` says `attribute_id`,
        `attribute_update_type` (1 replaces, 4 replaces `old_value`), `new_value`, `old_value`.
        """
        merge = MergeSegments(target, source, list(attribute_updates))
        offset: int = yield from self._link.call(merge)
        return offset

    @operation
    def merge_all(self, target: str, sources: Iterable[str]) -> Operation[list[int]]:
        """Append each of `sources` to `target`; return where that ended behind each."""
        offsets: list[int] = yield from self._link.call(MergeSegmentsBatch(target, list(sources)))
        return offsets

    @operation
    def get_segment_info(self, segment: str) -> Operation[SegmentInfo]:
        """Return how a segment is.

        Raises:
            NoSuchSegment: there is none of that name.
        """
        info: SegmentInfo = yield from self._link.call(GetStreamSegmentInfo(segment))
        return info

    @operation
    def get_attribute(self, segment: str, attribute_id: UUID) -> Operation[int | None]:
        """Return an attribute, None if it has no value."""
        value: int | None = yield from self._link.call(GetSegmentAttribute(segment, attribute_id))
        return value

    @operation
    def update_attribute(
        self, segment: str, attribute_id: UUID, value: int | None, *, expected: int | None
    ) -> Operation[bool]:
        """Set an attribute to `value` if it is `expected`, None being no value; return whether."""
        new, old = (NO_VALUE if number is None else number for number in (value, expected))
        update = UpdateSegmentAttribute(segment, attribute_id, new, old)
        success: bool = yield from self._link.call(update)
        return success

    @operation
    def update_policy(self, segment: str, *, scale_type: int, target_rate: int) -> Operation[None]:
        """Say when a segment is to be split."""
        yield from self._link.call(UpdateSegmentPolicy(segment, target_rate, scale_type))

    @operation
    def create_transient_segment(self, parent: str, writer_id: UUID) -> Operation[str]:
        """Make a segment for a while, and return its name.

        The store deletes it some time after the connection that made it has ended.
        """
        name: str = yield from self._link.call(CreateTransientSegment(writer_id, parent))
        return name

    @operation
    def read_segment(
        self, segment: str, offset: int, *, length: int = PIECE
    ) -> Operation[SegmentPiece[bytes]]:
        """Return what stands at `offset`: up to 2 MiB, more or less than `length`.

        At the tail the store waits for more, up to a minute.

        Raises:
            SegmentIsTruncated: what stood there is gone; `start_offset` says what is left.
            SegmentIsSealed: it ends before `offset` and always will.
        """
        piece: SegmentPiece[memoryview] = yield from self._link.call(
            ReadSegment(segment, offset, length)
        )
        return SegmentPiece(piece.offset, bytes(piece.data), piece.at_tail, piece.end_of_segment)

    @stream
    def read_bytes(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> Emission[bytes]:
        """Yield the bytes from `offset` to `end`; if none is said, to where the segment ends now.

        With `follow` those behind it too, until the segment is sealed.
        """
        give = emitting(bytes)
        reading = pieces(self._link, segment, offset, end=end, follow=follow, give=give)
        yield from cast("Emission[bytes]", reading)

    @stream
    def read_events(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> Emission[list[bytes]]:
        """Yield the events from `offset` on, where one begins, as lists of byte strings.

        They are those that stand whole before `end`, or stood there when this was called; with
        `follow` those to come too.

        Raises:
            RemoteProtocolError: no event begins at `offset`, or bytes stand there that are none.
        """
        cutter = Cutter(segment, offset)
        give = emitting(cutter.events)
        reading = pieces(self._link, segment, offset, end=end, follow=follow, give=give)
        yield from cast("Emission[list[bytes]]", reading)

    @stream
    def read_batches(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> Emission[EventBatch]:
        """Yield the same as Arrow arrays, with their offsets."""
        cutter = Cutter(segment, offset)
        give = emitting(cutter.batch)
        reading = pieces(self._link, segment, offset, end=end, follow=follow, give=give)
        yield from cast("Emission[EventBatch]", reading)

    @operation
    def create_table(
        self, table: str, *, key_length: int = 0, rollover_size: int = 0
    ) -> Operation[None]:
        """Make a table; with `key_length` all its keys are of so many bytes."""
        yield from self._link.call(CreateTableSegment(table, key_length, rollover_size))

    @operation
    def delete_table(self, table: str, *, must_be_empty: bool = False) -> Operation[None]:
        """Delete a table."""
        yield from self._link.call(DeleteTableSegment(table, must_be_empty))

    @operation
    def get_table_info(self, table: str) -> Operation[TableInfo]:
        """Return how a table is."""
        info: TableInfo = yield from self._link.call(GetTableSegmentInfo(table))
        return info

    @operation
    def update_table(
        self,
        table: str,
        entries: Mapping[bytes, bytes],
        *,
        versions: Mapping[bytes, int] | None = None,
        expected_length: int = ANYWHERE,
    ) -> Operation[list[int]]:
        """Put `entries`, all or none, and return their versions.

        Those of `versions` must be of that version before, `NOT_THERE` of none.

        Raises:
            TableKeyBadVersion, TableKeyDoesNotExist: they are not.
            SegmentIsTruncated: the table is not of `expected_length`; `start_offset` says of which.
            ValueError: a key is empty.
        """
        known = versions or {}
        told = [
            {"key": _key(key), "version": known.get(key, ANY_VERSION), "value": value}
            for key, value in entries.items()
        ]
        update = UpdateTableEntries(table, told, expected_length)
        made: list[int] = yield from self._link.call(update)
        return made

    @operation
    def remove_from_table(
        self,
        table: str,
        keys: Iterable[bytes],
        *,
        versions: Mapping[bytes, int] | None = None,
        expected_length: int = ANYWHERE,
    ) -> Operation[None]:
        """Remove the entries of `keys`, all or none; without a version none need be there."""
        known = versions or {}
        told = [{"key": _key(key), "version": known.get(key, ANY_VERSION)} for key in keys]
        yield from self._link.call(RemoveTableKeys(table, told, expected_length))

    @operation
    def read_table(self, table: str, keys: Iterable[bytes]) -> Operation[list[TableEntry | None]]:
        """Return the entry of each key, None where there is none."""
        told = [{"key": _key(key), "version": ANY_VERSION} for key in keys]
        entries: list[TableEntry] = yield from self._link.call(ReadTable(table, told))
        return [None if entry.version == NOT_THERE else entry for entry in entries]

    @stream
    def table_keys(
        self, table: str, *, start: bytes = b"", end: bytes = b"", page: int = PAGE
    ) -> Emission[TableKey]:
        """Yield the keys of a table; of one whose keys are of one length, from `start` to `end`."""
        reading = pages(self._link, ReadTableKeys, table, start=start, end=end, count=page)
        yield from cast("Emission[TableKey]", reading)

    @stream
    def table_entries(
        self, table: str, *, start: bytes = b"", end: bytes = b"", page: int = PAGE
    ) -> Emission[TableEntry]:
        """Yield the entries of a table; of one whose keys are of one length, those in between."""
        reading = pages(self._link, ReadTableEntries, table, start=start, end=end, count=page)
        yield from cast("Emission[TableEntry]", reading)

    @operation
    def _connect(self) -> Operation[None]:
        yield from self._link.connection()


def _key(key: bytes) -> bytes:
    # A store takes an empty key once, and then answers nobody who reads the table.
    if not key:
        raise ValueError("a table has no empty key")
    return key


class _Store(_Operations):
    """What both clients are made of."""

    def _set_up(self, endpoint: Endpoint, options: SegmentStoreOptions) -> None:
        self._options = options
        self._request_ids = itertools.count(FIRST_REQUEST_ID)
        self._link = Link(
            endpoint,
            lambda: PravegaClientSession(
                delegation_token=options.delegation_token,
                keep_alive_interval=options.keep_alive_interval,
            ),
            connect_timeout=options.connect_timeout,
            retry=options.retry,
        )

    def _writer(
        self, segment: str, writer_id: UUID | None, max_bytes: int, max_events: int
    ) -> Writer:
        return Writer(
            self._link,
            segment,
            writer_id=writer_id or uuid.uuid4(),
            request_id=next(self._request_ids),
            max_bytes=max_bytes,
            max_events=max_events,
            retry=self._options.retry,
        )


class SegmentStore(_Store, SyncClient):
    """Blocking client of a segment store; threads may share it."""

    def __init__(self, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> None:
        options = options or SegmentStoreOptions()
        super().__init__(options)
        self._set_up(endpoint, options)

    def appender(
        self,
        segment: str,
        *,
        writer_id: UUID | None = None,
        max_bytes: int = MAX_BYTES,
        max_events: int = MAX_EVENTS,
    ) -> Appender:
        """Return an appender to `segment`, which holds so much at most; nothing is sent yet.

        A `writer_id` is of one appender at a time: the store numbers the events of each.
        """
        return Appender(self, self._writer(segment, writer_id, max_bytes, max_events))

    @classmethod
    def connect(cls, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoint, options)
        return client._after(client._connect)


class AsyncSegmentStore(_Store, AsyncClient):
    """The same calls, awaited; they may overlap."""

    def __init__(self, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> None:
        options = options or SegmentStoreOptions()
        super().__init__(options)
        self._set_up(endpoint, options)

    def appender(
        self,
        segment: str,
        *,
        writer_id: UUID | None = None,
        max_bytes: int = MAX_BYTES,
        max_events: int = MAX_EVENTS,
    ) -> AsyncAppender:
        """Return an appender to `segment`, which holds so much at most; nothing is sent yet.

        A `writer_id` is of one appender at a time: the store numbers the events of each.
        """
        return AsyncAppender(self, self._writer(segment, writer_id, max_bytes, max_events))

    @classmethod
    async def connect(cls, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoint, options)
        return await client._after(client._connect)
