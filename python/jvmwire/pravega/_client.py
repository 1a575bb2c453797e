"""Client of one segment store, blocking and asyncio; each call is implemented once for both."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast
from weakref import WeakValueDictionary

from jvmwire._checks import WrongType, check_range
from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.client import (
    AsyncClient,
    Client,
    Connecting,
    Either,
    SyncClient,
    connector,
    factory,
    operation,
    operation_stream,
)
from jvmwire.options import (
    CONNECT_TIMEOUT,
    ClientKeywords,
    ClientOptions,
    RetryPolicy,
    merge_options,
)
from jvmwire.pravega._addresses import STORE
from jvmwire.pravega._appender import MAX_BYTES, MAX_EVENT, MAX_EVENTS, Appender, AsyncAppender
from jvmwire.pravega._arguments import (
    MAX_INT,
    MAX_KEY_LENGTH,
    MAX_LONG,
    check_bytes,
    check_name,
    check_offset,
    check_type,
)
from jvmwire.pravega._commands import (
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
from jvmwire.pravega._responses import SegmentRead
from jvmwire.pravega._segment_reader import (
    PIECE,
    EventBatch,
    EventParser,
    emit_mapped,
    pages,
    read_chunks,
)
from jvmwire.pravega._session import KEEP_ALIVE_INTERVAL, PravegaClientSession, Token
from jvmwire.pravega._writer import FIRST_REQUEST_ID, Writer
from jvmwire.pravega.errors import SegmentIsSealed

if TYPE_CHECKING:
    from datetime import timedelta
    from typing import Unpack
    from uuid import UUID

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.pravega._responses import SegmentInfo, TableEntry, TableInfo, TableKey
    from jvmwire.transports._addresses import EndpointLike

ANY_VERSION = -(1 << 63)
"""Version of a key for which any version is accepted: `TableKey.NO_VERSION`."""
NOT_THERE = -1
"""Version of a key that must not exist: `TableKey.NOT_EXISTS`."""
ANYWHERE = -1
"""Expected length of a table if any length is accepted:
`WireCommands.NULL_TABLE_SEGMENT_OFFSET`.
"""
PAGE = 1000
"""Keys or entries requested per page (chosen by jvmwire)."""

NO_SCALING = 0
"""Scale type of a segment that is never split."""
BY_THROUGHPUT = 1
"""Scale type of a segment that is split above a target rate in KB/s."""
BY_EVENT_RATE = 2
"""Scale type of a segment that is split above a target rate in events/s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentStoreOptions(ClientOptions):
    """Options of a segment store's client.

    Args:
        delegation_token: The delegation token issued by the controller, or a function that returns
            one; `""` (the default) if the store requires none.
        connect_timeout: Seconds to connect to the store.
        retry: How often idempotent calls are retried; connections are re-established as often, for
            appends too.
        keep_alive_interval: Seconds of silence of the client until it sends `KeepAlive`; None
            disables keep-alives. Default: 10.
        max_event: Bytes of the largest event that is read or written. Three times as much memory is
            needed while such an event is read. Java has no such limit.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call, in the calling thread or task.
        trace: Whether the logger `jvmwire.wire` logs commands and events at DEBUG, secrets masked.
    """

    delegation_token: Token = field(default="", repr=False)
    """The delegation token issued by the controller, or a function that returns one."""
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL
    """Seconds of silence of the client until it sends `KeepAlive`; None disables keep-alives."""
    max_event: int = MAX_EVENT

    def __post_init__(self) -> None:
        ClientOptions.__post_init__(self)
        if not isinstance(self.delegation_token, str) and not callable(self.delegation_token):
            kind = type(self.delegation_token).__name__
            raise WrongType(f"delegation_token must be a str or a function, got {kind}")
        check_range("max_event", self.max_event, 1, MAX_INT)


class SegmentStoreKeywords(ClientKeywords, total=False):
    """Options as keyword arguments: the fields of `SegmentStoreOptions`."""

    delegation_token: Token
    connect_timeout: float | timedelta
    retry: RetryPolicy
    keep_alive_interval: float | timedelta | None
    max_event: int


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
        """Create a segment.

        Args:
            segment: The segment's name.
            scale_type: `NO_SCALING` (the default), `BY_THROUGHPUT` or `BY_EVENT_RATE`.
            target_rate: The rate above which the segment is split, in KB/s or events/s.
            rollover_size: Bytes per chunk of the segment in long-term storage; 0 is the store's
                default.

        Raises:
            SegmentAlreadyExists: a segment of that name exists already.
        """
        check_name("segment", segment)
        scaling = _scaling(scale_type, target_rate)
        rollover_size = check_range("rollover_size", rollover_size, 0, MAX_LONG)
        yield from self._link.call(CreateSegment(segment, *scaling, rollover_size))

    @operation
    def seal_segment(self, segment: str) -> Operation[None]:
        """Seal a segment, so that it accepts no more appends; sealing it again has no effect.

        Args:
            segment: The segment's name.

        Raises:
            NoSuchSegment: no segment has that name.
        """
        check_name("segment", segment)
        with suppress(SegmentIsSealed):
            yield from self._link.call(SealSegment(segment))

    @operation
    def delete_segment(self, segment: str) -> Operation[None]:
        """Delete a segment, sealed or not.

        Args:
            segment: The segment's name.

        Raises:
            NoSuchSegment: no segment has that name.
        """
        check_name("segment", segment)
        yield from self._link.call(DeleteSegment(segment))

    @operation
    def truncate_segment(self, segment: str, offset: int) -> Operation[None]:
        """Drop the bytes before `offset`; the offsets of the remaining bytes do not change.

        Args:
            segment: The segment's name.
            offset: The new start offset in bytes.

        Raises:
            NoSuchSegment: no segment has that name.
        """
        check_name("segment", segment)
        yield from self._link.call(TruncateSegment(segment, check_offset("offset", offset)))

    @operation
    def merge_segments(
        self, target: str, source: str, attribute_updates: Iterable[Mapping[str, Any]] = ()
    ) -> Operation[int]:
        """Append all bytes of the segment `source` to `target`, and delete `source`.

        Args:
            target: The name of the segment that is extended.
            source: The name of the segment that is merged into it.
            attribute_updates: Changes of the target's attributes, made atomically with the merge.
                Each is a mapping with `attribute_id`, `attribute_update_type` (1 replaces, 4
                replaces `old_value`), `new_value` and `old_value`.

        Returns:
            The offset at which `target` ends after the merge.

        Raises:
            NoSuchSegment: one of the segments does not exist.
            ValueError: an `attribute_update_type` is neither 1 nor 4.
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
        """Append each of `sources` to `target` in order, and delete them.

        Args:
            target: The name of the segment that is extended.
            sources: The names of the segments that are merged into it.

        Returns:
            The offsets at which `target` ended after each merge.
        """
        check_type("sources", sources, Iterable)
        sources = list(sources)
        _check_merged(target, sources)
        offsets: list[int] = yield from self._link.call(MergeSegmentsBatch(target, sources))
        return offsets

    @operation
    def get_segment_info(self, segment: str) -> Operation[SegmentInfo]:
        """Fetch the properties of a segment.

        Args:
            segment: The segment's name.

        Returns:
            Its offsets, its state and the time of its last change.

        Raises:
            NoSuchSegment: no segment has that name.
        """
        check_name("segment", segment)
        info: SegmentInfo = yield from self._link.call(GetStreamSegmentInfo(segment))
        return info

    @operation
    def get_attribute(self, segment: str, attribute_id: UUID) -> Operation[int | None]:
        """Fetch the value of a segment's attribute.

        Args:
            segment: The segment's name.
            attribute_id: The attribute's UUID.

        Returns:
            The value, None if the attribute has none.
        """
        check_name("segment", segment)
        check_type("attribute_id", attribute_id, uuid.UUID)
        value: int | None = yield from self._link.call(GetSegmentAttribute(segment, attribute_id))
        return value

    @operation
    def update_attribute(
        self, segment: str, attribute_id: UUID, value: int | None, *, expected: int | None
    ) -> Operation[bool]:
        """Set an attribute if it has the expected value (compare-and-set).

        Args:
            segment: The segment's name.
            attribute_id: The attribute's UUID.
            value: The new value; None removes the value.
            expected: The value that the attribute must have; None if it must have no value.

        Returns:
            Whether the attribute was set.
        """
        check_name("segment", segment)
        check_type("attribute_id", attribute_id, uuid.UUID)
        new, old = (
            NO_VALUE if number is None else check_range(name, number, -MAX_LONG, MAX_LONG)
            for name, number in (("value", value), ("expected", expected))
        )
        update = UpdateSegmentAttribute(segment, attribute_id, new, old)
        success: bool = yield from self._link.call(update)
        return success

    @operation
    def update_policy(self, segment: str, *, scale_type: int, target_rate: int) -> Operation[None]:
        """Change the scaling policy of a segment.

        Args:
            segment: The segment's name.
            scale_type: `NO_SCALING`, `BY_THROUGHPUT` or `BY_EVENT_RATE`.
            target_rate: The rate above which the segment is split, in KB/s or events/s.
        """
        check_name("segment", segment)
        scaling = _scaling(scale_type, target_rate)
        yield from self._link.call(UpdateSegmentPolicy(segment, *scaling))

    @operation
    def create_transient_segment(self, parent: str, writer_id: UUID) -> Operation[str]:
        """Create a transient segment.

        The store deletes the segment some time after the connection on which it was created has
        ended.

        Args:
            parent: The name of the segment to which it belongs.
            writer_id: The UUID of the writer that will append to it.

        Returns:
            The name of the new segment.
        """
        check_name("parent segment", parent)
        check_type("writer_id", writer_id, uuid.UUID)
        name: str = yield from self._link.call(CreateTransientSegment(writer_id, parent))
        return name

    @operation
    def read_segment(
        self, segment: str, offset: int, *, length: int = PIECE
    ) -> Operation[SegmentRead[bytes]]:
        """Read up to 2 MiB at `offset`.

        At the end of an open segment, the store waits up to a minute for more bytes.

        Args:
            segment: The segment's name.
            offset: The offset of the first byte.
            length: The suggested number of bytes; the result may have more or fewer. Default: 1
                MiB.

        Returns:
            The bytes, and whether the segment had more.

        Raises:
            SegmentIsTruncated: the bytes at `offset` were truncated; `start_offset` is the first
                offset that can be read.
            SegmentIsSealed: the segment is sealed and ends before `offset`.
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
        """Read the bytes from `offset` to `end`.

        Args:
            segment: The segment's name.
            offset: The offset of the first byte.
            end: The offset after the last byte; by default where the segment ends now.
            follow: Continue with bytes that are appended later, until the segment is sealed.

        Yields:
            The bytes in order, in chunks of any size.

        Raises:
            SegmentIsTruncated: the bytes at `offset` were truncated.
            SegmentIsSealed: the segment is sealed and ends before `end`.
        """
        _check_read(segment, offset, end)
        give = emit_mapped(bytes)
        reading = read_chunks(self._link, segment, offset, end=end, follow=follow, handler=give)
        yield from cast("OperationStream[bytes]", reading)

    @operation_stream
    def read_events(
        self, segment: str, offset: int = 0, *, end: int | None = None, follow: bool = False
    ) -> OperationStream[list[bytes]]:
        """Read events as lists of byte strings.

        Only events that end at or before `end` are yielded.

        Args:
            segment: The segment's name.
            offset: The offset at which the first event begins.
            end: The offset up to which events are read; by default where the segment ends now.
            follow: Continue with events that are appended later, until the segment is sealed.

        Yields:
            The events in order, without headers, in lists of any length above 0.

        Raises:
            RemoteProtocolError: no event begins at `offset`, or the segment holds bytes that are
                not events.
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
        """Read events as Arrow arrays, with their offsets.

        Only events that end at or before `end` are yielded.

        Args:
            segment: The segment's name.
            offset: The offset at which the first event begins.
            end: The offset up to which events are read; by default where the segment ends now.
            follow: Continue with events that are appended later, until the segment is sealed.

        Yields:
            Batches of events in order: `events: binary` and `offsets: int64`.

        Raises:
            RemoteProtocolError: no event begins at `offset`, or the segment holds bytes that are
                not events.
            LimitExceeded: an event is larger than the option `max_event`.
        """
        _check_read(segment, offset, end)
        cutter = EventParser(segment, offset, self._options.max_event)
        give = emit_mapped(cutter.batch, cutter.check)
        reading = read_chunks(self._link, segment, offset, end=end, follow=follow, handler=give)
        yield from cast("OperationStream[EventBatch]", reading)

    @operation
    def create_table(
        self, table: str, *, key_length: int = 0, rollover_size: int = 0
    ) -> Operation[None]:
        """Create a table segment.

        Args:
            table: The table's name.
            key_length: Bytes of each key, at most 256; 0 (the default) permits keys of different
                lengths.
            rollover_size: Bytes per chunk of the segment in long-term storage; 0 is the store's
                default.

        Raises:
            SegmentAlreadyExists: a segment of that name exists already.
        """
        check_name("table", table)
        key_length = check_range("key_length", key_length, 0, MAX_KEY_LENGTH)
        rollover_size = check_range("rollover_size", rollover_size, 0, MAX_LONG)
        yield from self._link.call(CreateTableSegment(table, key_length, rollover_size))

    @operation
    def delete_table(self, table: str, *, must_be_empty: bool = False) -> Operation[None]:
        """Delete a table segment.

        Args:
            table: The table's name.
            must_be_empty: Delete the table only if it has no entries.

        Raises:
            TableSegmentNotEmpty: the table has entries, and `must_be_empty` is set.
        """
        check_name("table", table)
        yield from self._link.call(DeleteTableSegment(table, must_be_empty))

    @operation
    def get_table_info(self, table: str) -> Operation[TableInfo]:
        """Fetch the properties of a table segment.

        Args:
            table: The table's name.

        Returns:
            Its length, number of entries and key length.

        Raises:
            NoSuchSegment: no table has that name.
        """
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
        """Put all entries into a table, or no entry.

        Args:
            table: The table's name.
            entries: Values by key.
            versions: The versions that entries must have before; `NOT_THERE` for keys that must not
                exist. Keys that are not listed may have any version or none.
            expected_length: The length in bytes that the table must have; by default any.

        Returns:
            The new versions, in the order of `entries`.

        Raises:
            TableKeyBadVersion: an entry has another version than the expected one.
            TableKeyDoesNotExist: an entry for which a version was given does not exist.
            SegmentIsTruncated: the table does not have `expected_length`; `start_offset` is its
                length.
            ValueError: a key is empty.
        """
        check_name("table", table)
        expected_length = check_range("expected_length", expected_length, ANYWHERE, MAX_LONG)
        check_type("entries", entries, Mapping)
        for value in entries.values():
            check_bytes("a value of the entries", value)
        known = _versions(versions)
        table_entries = [
            {"key": _key(key), "version": known.get(key, ANY_VERSION), "value": value}
            for key, value in entries.items()
        ]
        update = UpdateTableEntries(table, table_entries, expected_length)
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
        """Remove the entries of all keys from a table, or no entry.

        Args:
            table: The table's name.
            keys: The keys; a key without an entry in `versions` need not exist.
            versions: The versions that entries must have before.
            expected_length: The length in bytes that the table must have; by default any.

        Raises:
            TableKeyBadVersion: an entry has another version than the expected one.
            TableKeyDoesNotExist: an entry for which a version was given does not exist.
            SegmentIsTruncated: the table does not have `expected_length`; `start_offset` is its
                length.
            ValueError: a key is empty.
        """
        check_name("table", table)
        expected_length = check_range("expected_length", expected_length, ANYWHERE, MAX_LONG)
        known = _versions(versions)
        table_keys = [{"key": _key(key), "version": known.get(key, ANY_VERSION)} for key in keys]
        yield from self._link.call(RemoveTableKeys(table, table_keys, expected_length))

    @operation
    def read_table(self, table: str, keys: Iterable[bytes]) -> Operation[list[TableEntry | None]]:
        """Fetch the entries of keys.

        Args:
            table: The table's name.
            keys: The keys.

        Returns:
            The entry of each key in order, None for a key without an entry.

        Raises:
            ValueError: a key is empty.
        """
        check_name("table", table)
        table_keys = [{"key": _key(key), "version": ANY_VERSION} for key in keys]
        entries: list[TableEntry] = yield from self._link.call(ReadTable(table, table_keys))
        return [None if entry.version == NOT_THERE else entry for entry in entries]

    @operation_stream
    def table_keys(
        self, table: str, *, start: bytes = b"", end: bytes = b"", page: int = PAGE
    ) -> OperationStream[TableKey]:
        """Read the keys of a table, page by page.

        Args:
            table: The table's name.
            start: The first key, in a table with fixed-length keys.
            end: The last key, included, in a table with fixed-length keys; `b""` is no bound.
            page: Keys requested per page.

        Yields:
            The keys with the versions of their entries.
        """
        check_name("table", table)
        page = check_range("page", page, 1, MAX_INT)
        check_bytes("start", start)
        check_bytes("end", end)
        reading = pages(self._link, ReadTableKeys, table, start=start, end=end, count=page)
        yield from cast("OperationStream[TableKey]", reading)

    @operation_stream
    def table_entries(
        self, table: str, *, start: bytes = b"", end: bytes = b"", page: int = PAGE
    ) -> OperationStream[TableEntry]:
        """Read the entries of a table, page by page.

        Args:
            table: The table's name.
            start: The first key, in a table with fixed-length keys.
            end: The last key, included, in a table with fixed-length keys; `b""` is no bound.
            page: Entries requested per page.

        Yields:
            The entries with keys, values and versions.
        """
        check_name("table", table)
        page = check_range("page", page, 1, MAX_INT)
        check_bytes("start", start)
        check_bytes("end", end)
        reading = pages(self._link, ReadTableEntries, table, start=start, end=end, count=page)
        yield from cast("OperationStream[TableEntry]", reading)

    @operation
    def _connect(self) -> Operation[None]:
        yield from self._link.connection()


UPDATE_TYPES = (1, 4)
"""Attribute updates permitted in a merge: `AttributeUpdateType.Replace` and `ReplaceIfEquals`."""


def _scaling(scale_type: int, target_rate: int) -> tuple[int, int]:
    """Return the target rate and the scale type, checked, in the order of the command's fields."""
    kind = check_range("scale_type", scale_type, NO_SCALING, BY_EVENT_RATE)
    return check_range("target_rate", target_rate, 0, MAX_INT), kind


def _check_merged(target: str, sources: Iterable[str]) -> None:
    check_name("target segment", target)
    for segment in sources:
        check_name("source segment", segment)


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
    # A store accepts an empty key once, and afterwards answers no read of the table.
    check_bytes("a key", key)
    if not key:
        raise ValueError("a table has no empty key")
    return key


class _SegmentStoreClient(_SegmentStoreMethods, Client):
    """Base class of the blocking and the asyncio client."""

    def __init__(
        self,
        endpoint: EndpointLike,
        options: SegmentStoreOptions | None = None,
        **keywords: Unpack[SegmentStoreKeywords],
    ) -> None:
        options = merge_options(SegmentStoreOptions, options, keywords)
        found = STORE.parse_one(endpoint)
        super().__init__(options)
        self._endpoint = found
        self._options = options
        self._request_ids = itertools.count(FIRST_REQUEST_ID)
        self._writers: WeakValueDictionary[UUID, Writer] = WeakValueDictionary()
        self._link = FailoverChannel(
            found,
            lambda: PravegaClientSession(
                delegation_token=options.delegation_token,
                keep_alive_interval=options.keep_alive_interval,
            ),
            connect_timeout=options.connect_timeout,
            retry=options.retry,
        )

    @connector
    def connect(
        cls,
        endpoint: EndpointLike,
        options: SegmentStoreOptions | None = None,
        **keywords: Unpack[SegmentStoreKeywords],
    ) -> Either[Self, Connecting[Self]]:
        """Create a client and connect it; it reconnects when needed.

        Args:
            endpoint: The store's address, as for the class.
            options: Timeouts, retries, delegation token and limits.
            **keywords: Fields of `SegmentStoreOptions`, which take precedence over `options`.

        Returns:
            The connected client. An asyncio client is awaited, or used in `async with`.

        Raises:
            ConnectFailed: the store could not be reached.
        """
        return cls._open(endpoint, options, **keywords)

    @factory
    def appender(
        self,
        segment: str,
        *,
        writer_id: UUID | None = None,
        max_bytes: int = MAX_BYTES,
        max_events: int = MAX_EVENTS,
    ) -> Either[Appender, AsyncAppender]:
        """Create an appender to a segment; nothing is sent yet.

        Args:
            segment: The segment's name.
            writer_id: The UUID by which the store counts the appender's events; by default a random
                one. Only one appender at a time may use a UUID.
            max_bytes: Bytes of events that the appender buffers before its callers block.
            max_events: Events that the appender buffers before its callers block.

        Returns:
            The appender.

        Raises:
            ValueError: an open appender of this client has this `writer_id`. If an appender of
                another client has it, the calls that append raise a `LocalProtocolError`.
        """
        writer = self._writer(segment, writer_id, max_bytes, max_events)
        return self._styled(Appender, AsyncAppender)(self, writer)

    def _target(self) -> str:
        return str(self._endpoint)

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
    """Blocking client of one segment store; thread-safe.

    Args:
        endpoint: The store's address: `host`, `host:port`, `pravega+tls://host:port`, or an
            endpoint object such as `Tcp`. The default port is 12345.
        options: Timeouts, retries, delegation token and limits.
        **keywords: Fields of `SegmentStoreOptions`, which take precedence over `options`.
    """


class AsyncSegmentStore(_SegmentStoreClient, AsyncClient):
    """Asyncio client of one segment store; its calls may overlap.

    Args:
        endpoint: The store's address: `host`, `host:port`, `pravega+tls://host:port`, or an
            endpoint object such as `Tcp`. The default port is 12345.
        options: Timeouts, retries, delegation token and limits.
        **keywords: Fields of `SegmentStoreOptions`, which take precedence over `options`.
    """
