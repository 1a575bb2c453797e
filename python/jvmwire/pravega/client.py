"""A segment store's client: every call once, for threads and for asyncio."""

from __future__ import annotations

import itertools
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast
from weakref import WeakValueDictionary

from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.client import AsyncClient, SyncClient, operation, operation_stream
from jvmwire.options import CONNECT_TIMEOUT, ClientOptions, RetryPolicy
from jvmwire.pravega.appender import MAX_BYTES, MAX_EVENT, MAX_EVENTS, Appender, AsyncAppender
from jvmwire.pravega.arguments import (
    MAX_INT,
    MAX_KEY_LENGTH,
    MAX_LONG,
    check_name,
    check_offset,
    check_range,
)
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
from jvmwire.pravega.responses import SegmentRead
from jvmwire.pravega.segment_reader import (
    PIECE,
    EventBatch,
    EventParser,
    emit_mapped,
    pages,
    read_chunks,
)
from jvmwire.pravega.session import KEEP_ALIVE_INTERVAL, PravegaClientSession, Token
from jvmwire.pravega.writer import FIRST_REQUEST_ID, Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.pravega.responses import SegmentInfo, TableEntry, TableInfo, TableKey
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
class SegmentStoreOptions(ClientOptions):
    """What a segment store's client may be told."""

    delegation_token: Token = field(default="", repr=False)
    """What the controller gave us to be let in with, or what returns it anew."""
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    """Of what is safe to repeat; connections are made again as often, for appends too."""
    keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL
    """Seconds of our own silence after which the store is told that we live; None is never."""
    max_event: int = MAX_EVENT
    """Bytes of the largest event that is read or written.

    Memory for three times as many is needed while such an event is read. Java has no such limit.
    """

    def __post_init__(self) -> None:
        check_range("max_event", self.max_event, 1, MAX_INT)


class _SegmentStoreMethods:
    _link: FailoverChannel
    _options: SegmentStoreOptions

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
        check_name("segment", segment)
        scaling = _scaling(scale_type, target_rate)
        rollover_size = check_range("rollover_size", rollover_size, 0, MAX_LONG)
        yield from self._link.call(CreateSegment(segment, *scaling, rollover_size))

    @operation
    def seal_segment(self, segment: str) -> Operation[None]:
        """Let a segment take no more; sealing it again changes nothing."""
        check_name("segment", segment)
        with suppress(SegmentIsSealed):
            yield from self._link.call(SealSegment(segment))

    @operation
    def delete_segment(self, segment: str) -> Operation[None]:
        """Delete a segment, sealed or not."""
        check_name("segment", segment)
        yield from self._link.call(DeleteSegment(segment))

    @operation
    def truncate_segment(self, segment: str, offset: int) -> Operation[None]:
        """Drop what stands before `offset`; offsets stay as they are."""
        check_name("segment", segment)
        yield from self._link.call(TruncateSegment(segment, check_offset("offset", offset)))

    @operation
    def merge_segments(
        self, target: str, source: str, attribute_updates: Iterable[Mapping[str, Any]] = ()
    ) -> Operation[int]:
        """Append all of `source`, which then is no more, to `target`; return where that ends now.

        Of the target's attributes, each of `attribute_updates` says `attribute_id`,
        `attribute_update_type` (1 replaces, 4 replaces `old_value`), `new_value`, `old_value`.
        """
        _check_merged(target, [source])
        updates = list(attribute_updates)
        for update in updates:
            if (kind := update.get("attribute_update_type")) not in UPDATE_TYPES:
                expected = " or ".join(map(str, UPDATE_TYPES))
                raise ValueError(f"attribute_update_type must be {expected}, got {kind!r}")
        merge = MergeSegments(target, source, updates)
        offset: int = yield from self._link.call(merge)
        return offset

    @operation
    def merge_all(self, target: str, sources: Iterable[str]) -> Operation[list[int]]:
        """Append each of `sources` to `target`; return where that ended behind each."""
        sources = list(sources)
        _check_merged(target, sources)
        offsets: list[int] = yield from self._link.call(MergeSegmentsBatch(target, sources))
        return offsets

    @operation
    def get_segment_info(self, segment: str) -> Operation[SegmentInfo]:
        """Return how a segment is.

        Raises:
            NoSuchSegment: there is none of that name.
        """
        check_name("segment", segment)
        info: SegmentInfo = yield from self._link.call(GetStreamSegmentInfo(segment))
        return info

    @operation
    def get_attribute(self, segment: str, attribute_id: UUID) -> Operation[int | None]:
        """Return an attribute, None if it has no value."""
        check_name("segment", segment)
        value: int | None = yield from self._link.call(GetSegmentAttribute(segment, attribute_id))
        return value

    @operation
    def update_attribute(
        self, segment: str, attribute_id: UUID, value: int | None, *, expected: int | None
    ) -> Operation[bool]:
        """Set an attribute to `value` if it is `expected`, None being no value; return whether."""
        check_name("segment", segment)
        new, old = (
            NO_VALUE if number is None else check_range(name, number, -MAX_LONG, MAX_LONG)
            for name, number in (("value", value), ("expected", expected))
        )
        update = UpdateSegmentAttribute(segment, attribute_id, new, old)
        success: bool = yield from self._link.call(update)
        return success

    @operation
    def update_policy(self, segment: str, *, scale_type: int, target_rate: int) -> Operation[None]:
        """Say when a segment is to be split."""
        check_name("segment", segment)
        scaling = _scaling(scale_type, target_rate)
        yield from self._link.call(UpdateSegmentPolicy(segment, *scaling))

    @operation
    def create_transient_segment(self, parent: str, writer_id: UUID) -> Operation[str]:
        """Make a segment for a while, and return its name.

        The store deletes it some time after the connection that made it has ended.
        """
        check_name("segment", parent)
        name: str = yield from self._link.call(CreateTransientSegment(writer_id, parent))
        return name

    @operation
    def read_segment(
        self, segment: str, offset: int, *, length: int = PIECE
    ) -> Operation[SegmentRead[bytes]]:
        """Return what stands at `offset`: up to 2 MiB, more or less than `length`.

        At the tail the store waits for more, up to a minute.

        Raises:
            SegmentIsTruncated: what stood there is gone; `start_offset` says what is left.
            SegmentIsSealed: it ends before `offset` and always will.
        """
        check_name("segment", segment)
        offset = check_offset("offset", offset)
        length = check_range("length", length, 0, MAX_INT)
        piece: SegmentRead[memoryview] = yield from self._link.call(
            ReadSegment(segment, offset, length)
        )
        return SegmentRead(piece.offset, bytes(piece.data), piece.at_tail, piece.end_of_segment)

    @operation_stream
    def read_bytes(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> OperationStream[bytes]:
        """Yield the bytes from `offset` to `end`; if none is said, to where the segment ends now.

        With `follow` those behind it too, until the segment is sealed.
        """
        _check_read(segment, offset, end)
        give = emit_mapped(bytes)
        reading = read_chunks(self._link, segment, offset, end=end, follow=follow, handler=give)
        yield from cast("OperationStream[bytes]", reading)

    @operation_stream
    def read_events(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> OperationStream[list[bytes]]:
        """Yield the events from `offset` on, where one begins, as lists of byte strings.

        They are those that stand whole before `end`, or stood there when this was called; with
        `follow` those to come too.

        Raises:
            RemoteProtocolError: no event begins at `offset`, or bytes stand there that are none.
            LimitExceeded: an event is larger than the option `max_event`.
        """
        _check_read(segment, offset, end)
        cutter = EventParser(segment, offset, self._options.max_event)
        give = emit_mapped(cutter.events, cutter.check)
        reading = read_chunks(self._link, segment, offset, end=end, follow=follow, handler=give)
        yield from cast("OperationStream[list[bytes]]", reading)

    @operation_stream
    def read_batches(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> OperationStream[EventBatch]:
        """Yield the same as Arrow arrays, with their offsets."""
        _check_read(segment, offset, end)
        cutter = EventParser(segment, offset, self._options.max_event)
        give = emit_mapped(cutter.batch, cutter.check)
        reading = read_chunks(self._link, segment, offset, end=end, follow=follow, handler=give)
        yield from cast("OperationStream[EventBatch]", reading)

    @operation
    def create_table(
        self, table: str, *, key_length: int = 0, rollover_size: int = 0
    ) -> Operation[None]:
        """Make a table; with `key_length` all its keys are of so many bytes."""
        check_name("table", table)
        key_length = check_range("key_length", key_length, 0, MAX_KEY_LENGTH)
        rollover_size = check_range("rollover_size", rollover_size, 0, MAX_LONG)
        yield from self._link.call(CreateTableSegment(table, key_length, rollover_size))

    @operation
    def delete_table(self, table: str, *, must_be_empty: bool = False) -> Operation[None]:
        """Delete a table."""
        check_name("table", table)
        yield from self._link.call(DeleteTableSegment(table, must_be_empty))

    @operation
    def get_table_info(self, table: str) -> Operation[TableInfo]:
        """Return how a table is."""
        check_name("table", table)
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
        check_name("table", table)
        expected_length = check_range("expected_length", expected_length, ANYWHERE, MAX_LONG)
        known = _versions(versions)
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
        check_name("table", table)
        expected_length = check_range("expected_length", expected_length, ANYWHERE, MAX_LONG)
        known = _versions(versions)
        told = [{"key": _key(key), "version": known.get(key, ANY_VERSION)} for key in keys]
        yield from self._link.call(RemoveTableKeys(table, told, expected_length))

    @operation
    def read_table(self, table: str, keys: Iterable[bytes]) -> Operation[list[TableEntry | None]]:
        """Return the entry of each key, None where there is none."""
        check_name("table", table)
        told = [{"key": _key(key), "version": ANY_VERSION} for key in keys]
        entries: list[TableEntry] = yield from self._link.call(ReadTable(table, told))
        return [None if entry.version == NOT_THERE else entry for entry in entries]

    @operation_stream
    def table_keys(
        self, table: str, *, start: bytes = b"", end: bytes = b"", page: int = PAGE
    ) -> OperationStream[TableKey]:
        """Yield the keys of a table; of one whose keys are of one length, from `start` to `end`."""
        check_name("table", table)
        page = check_range("page", page, 1, MAX_INT)
        reading = pages(self._link, ReadTableKeys, table, start=start, end=end, count=page)
        yield from cast("OperationStream[TableKey]", reading)

    @operation_stream
    def table_entries(
        self, table: str, *, start: bytes = b"", end: bytes = b"", page: int = PAGE
    ) -> OperationStream[TableEntry]:
        """Yield the entries of a table; of one whose keys are of one length, those in between."""
        check_name("table", table)
        page = check_range("page", page, 1, MAX_INT)
        reading = pages(self._link, ReadTableEntries, table, start=start, end=end, count=page)
        yield from cast("OperationStream[TableEntry]", reading)

    @operation
    def _connect(self) -> Operation[None]:
        yield from self._link.connection()


UPDATE_TYPES = (1, 4)
"""How a merge may change an attribute: `AttributeUpdateType.Replace` and `ReplaceIfEquals`."""


def _scaling(scale_type: int, target_rate: int) -> tuple[int, int]:
    """Return a target rate and a scale type, as a command has them."""
    kind = check_range("scale_type", scale_type, NO_SCALING, BY_EVENT_RATE)
    return check_range("target_rate", target_rate, 0, MAX_INT), kind


def _check_merged(target: str, sources: Iterable[str]) -> None:
    for segment in (target, *sources):
        check_name("segment", segment)


def _check_read(segment: str, offset: int, end: int | None) -> None:
    check_name("segment", segment)
    check_offset("offset", offset)
    if end is not None:
        check_offset("end", end)


def _versions(versions: Mapping[bytes, int] | None) -> dict[bytes, int]:
    known = dict(versions or {})
    for key, version in known.items():
        if version != ANY_VERSION:
            known[key] = check_range("a version", version, NOT_THERE, MAX_LONG)
    return known


def _key(key: bytes) -> bytes:
    # A store takes an empty key once, and then answers nobody who reads the table.
    if not key:
        raise ValueError("a table has no empty key")
    return key


class _SegmentStoreClient(_SegmentStoreMethods):
    """What both clients are made of."""

    def _configure(self, endpoint: Endpoint, options: SegmentStoreOptions) -> None:
        self._options = options
        self._request_ids = itertools.count(FIRST_REQUEST_ID)
        self._writers: WeakValueDictionary[UUID, Writer] = WeakValueDictionary()
        self._link = FailoverChannel(
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
        check_name("segment", segment)
        if writer_id is None:
            writer_id = uuid.uuid4()
        elif not isinstance(writer_id, uuid.UUID):
            raise TypeError(f"writer_id must be a UUID, got {type(writer_id).__name__}")
        elif (other := self._writers.get(writer_id)) is not None and other.is_open:
            raise ValueError(
                f"writer_id {writer_id} is that of an open appender to {other.segment!r}: close it "
                f"before, or take another id"
            )
        writer = self._writers[writer_id] = Writer(
            self._link,
            segment,
            writer_id=writer_id,
            request_id=next(self._request_ids),
            max_bytes=check_range("max_bytes", max_bytes, 1, MAX_LONG),
            max_events=check_range("max_events", max_events, 1, MAX_LONG),
            retry=self._options.retry,
            max_event=self._options.max_event,
        )
        return writer


class SegmentStore(_SegmentStoreClient, SyncClient):
    """Blocking client of a segment store; threads may share it."""

    def __init__(self, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> None:
        options = options or SegmentStoreOptions()
        super().__init__(options)
        self._configure(endpoint, options)

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

        Raises:
            ValueError: an appender of this client that is open has this id. That one of another
                client has it, an appender is told as it appends, by a `LocalProtocolError`.
        """
        return Appender(self, self._writer(segment, writer_id, max_bytes, max_events))

    @classmethod
    def connect(cls, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoint, options)
        return client._connect_or_close(client._connect)


class AsyncSegmentStore(_SegmentStoreClient, AsyncClient):
    """The same calls, awaited; they may overlap."""

    def __init__(self, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> None:
        options = options or SegmentStoreOptions()
        super().__init__(options)
        self._configure(endpoint, options)

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

        Raises:
            ValueError: an appender of this client that is open has this id. That one of another
                client has it, an appender is told as it appends, by a `LocalProtocolError`.
        """
        return AsyncAppender(self, self._writer(segment, writer_id, max_bytes, max_events))

    @classmethod
    async def connect(cls, endpoint: Endpoint, options: SegmentStoreOptions | None = None) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoint, options)
        return await client._connect_or_close(client._connect)
