"""Key-value tables of a controller, partitioned by the primary part of their keys."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._checks import check_range
from jvmwire._core import pravega_table_position
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Resource,
    SyncResource,
    operation,
    operation_stream,
)
from jvmwire._runtime.operations import Emit, Gather
from jvmwire.errors import RemoteProtocolError
from jvmwire.pravega._arguments import MAX_INT, MAX_LONG, check_bytes, check_type
from jvmwire.pravega._client import ANY_VERSION, NOT_THERE, PAGE
from jvmwire.pravega._commands import (
    ReadTable,
    ReadTableEntries,
    RemoveTableKeys,
    UpdateTableEntries,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.pravega._responses import TableEntry, TablePage
    from jvmwire.pravega.streams._names import StreamSegment
    from jvmwire.pravega.streams._store_locator import SegmentLine

SUFFIX = "_kvtable"
"""Suffix of a table's name in the names of its segments: `NameUtils.KVTABLE_SUFFIX`."""
MAX_KEY = 8192
"""Bytes of both parts of a key, at most: `TableSegment.MAXIMUM_KEY_LENGTH`."""
MAX_VALUE = (1 << 20) - MAX_KEY
"""Bytes of a value, at most: `TableSegment.MAXIMUM_VALUE_LENGTH`."""
MAX_KEYS = 256
"""Keys per update, at most: `TableSegment.MAXIMUM_BATCH_KEY_COUNT`."""
MAX_CHANGE = (1 << 24) - 1 - 8192
"""Bytes of keys and values per update, at most: `TableSegment.MAXIMUM_BATCH_LENGTH`."""
MAX_READ_KEYS = MAX_CHANGE // (MAX_KEY + MAX_VALUE)
"""Keys read at once, at most: all their entries may have the maximum size."""


@dataclass(frozen=True, slots=True)
class KeyValueTableConfig:
    """Configuration of a key-value table; it cannot be changed later.

    Args:
        partitions: The number of partitions.
        primary_key_length: Bytes of the primary part of a key, which determines the partition.
        secondary_key_length: Bytes of the secondary part of a key, which follows; 0 for no such
            part.
        rollover_size: Bytes per chunk of a partition in long-term storage; 0 is the store's
            default.

    Raises:
        ValueError: a value is out of range; both parts of a key have at most 8192 bytes.

    Source: KeyValueTableConfiguration (Pravega 0.13).
    """

    partitions: int = 1
    primary_key_length: int = 16
    secondary_key_length: int = 0
    rollover_size: int = 0

    def __post_init__(self) -> None:
        check_range("partitions", self.partitions, 1, MAX_INT)
        check_range("primary_key_length", self.primary_key_length, 1, MAX_KEY)
        check_range("secondary_key_length", self.secondary_key_length, 0, MAX_KEY)
        check_range("rollover_size", self.rollover_size, 0, MAX_LONG)


@dataclass(frozen=True, slots=True)
class KeyValueEntry:
    """An entry of a key-value table.

    Attributes:
        key: The primary part of the key, followed by the secondary part.
        value: The value.
        version: The version of the entry, for conditional updates.
    """

    key: bytes
    value: bytes
    version: int


@dataclass(frozen=True)
class Table:
    """The partitions of a key-value table, and the channels to them."""

    name: str
    config: KeyValueTableConfig
    partitions: Sequence[tuple[StreamSegment, SegmentLine]]
    """The partitions in order of their key ranges."""

    def check_key(self, key: bytes) -> bytes:
        """Return a key whose length is checked.

        Raises:
            ValueError: the key has another length than those of the table.
        """
        check_bytes("a key", key)
        config = self.config
        length = config.primary_key_length + config.secondary_key_length
        if len(key) != length:
            parts = f"{config.primary_key_length} + {config.secondary_key_length}"
            raise ValueError(f"a key of {self.name!r} has {parts} bytes, got {len(key)}")
        return bytes(key)

    def partition_of(self, key: bytes) -> tuple[str, SegmentLine]:
        """Return the name of the segment that holds a key, and the channel to it."""
        position = pravega_table_position(key[: self.config.primary_key_length])
        for segment, line in self.partitions:
            if position < segment.high:
                return segment.name, line
        segment, line = self.partitions[-1]
        return segment.name, line

    def only_partition(self, keys: Iterable[bytes]) -> tuple[str, SegmentLine]:
        """Return the segment of keys that are updated together, and the channel to it.

        Raises:
            ValueError: the keys differ in their primary parts.
        """
        primary = {key[: self.config.primary_key_length] for key in keys}
        if len(primary) != 1:
            raise ValueError(
                f"keys that are changed together have one primary part, got {len(primary)}"
            )
        return self.partition_of(primary.pop())

    def update(self, entries: Mapping[bytes, bytes], versions: Mapping[bytes, int]) -> Any:
        """Put all entries, whose keys have one primary part, or none; return their versions."""
        table_entries = []
        size = 0
        for key, value in entries.items():
            check_bytes("a value of the entries", value)
            if len(value) > MAX_VALUE:
                raise ValueError(f"a value has at most {MAX_VALUE} bytes, got {len(value)}")
            checked = self.check_key(key)
            size += len(checked) + len(value)
            version = versions.get(key, ANY_VERSION)
            table_entries.append({"key": checked, "version": version, "value": value})
        _check_change(len(table_entries), size)
        if not table_entries:
            return []
        segment, line = self.only_partition(entries)
        found: list[int] = yield from line.call(
            UpdateTableEntries(segment, table_entries, ANYWHERE)
        )
        if len(found) != len(table_entries):
            raise RemoteProtocolError(
                f"{len(found)} versions of {len(table_entries)} entries: {segment!r}"
            )
        return found

    def remove(self, keys: Sequence[bytes], versions: Mapping[bytes, int]) -> Operation[None]:
        """Remove all keys, which have one primary part, or none."""
        table_keys = [
            {"key": self.check_key(key), "version": versions.get(key, ANY_VERSION)} for key in keys
        ]
        _check_change(len(table_keys), sum(map(len, keys)))
        if table_keys:
            segment, line = self.only_partition(keys)
            yield from line.call(RemoveTableKeys(segment, table_keys, ANYWHERE))

    def get(self, keys: Sequence[bytes]) -> Operation[list[KeyValueEntry | None]]:
        """Return the entry of each key or None; partitions are read concurrently."""
        places: dict[str, tuple[SegmentLine, list[int]]] = {}
        for index, key in enumerate(keys):
            segment, line = self.partition_of(self.check_key(key))
            places.setdefault(segment, (line, []))[1].append(index)
        found: list[KeyValueEntry | None] = [None] * len(keys)

        def read(segment: str, line: SegmentLine, indexes: list[int]) -> Operation[None]:
            for at in range(0, len(indexes), MAX_READ_KEYS):
                part = indexes[at : at + MAX_READ_KEYS]
                table_keys = [{"key": bytes(keys[index]), "version": ANY_VERSION} for index in part]
                entries: list[TableEntry] = yield from line.call(ReadTable(segment, table_keys))
                if len(entries) != len(part):
                    count = len(entries)
                    raise RemoteProtocolError(f"{count} entries of {len(part)} keys: {segment!r}")
                for index, entry in zip(part, entries, strict=True):
                    if entry.version != NOT_THERE:
                        found[index] = _entry(entry)

        yield Gather([read(segment, *place) for segment, place in places.items()])
        return found

    def entries(self, start: bytes, end: bytes, page: int) -> OperationStream[KeyValueEntry]:
        """Emit the entries between two keys, both included, in the order of their keys."""
        cursors = []
        for segment, line in self.partitions:
            cursor = _Cursor(segment.name, line, start, end, page)
            yield from cursor.fill()
            cursors.append(cursor)
        heap = [(each.key, index) for index, each in enumerate(cursors) if each.entries]
        heapq.heapify(heap)
        while heap:
            _, index = heap[0]
            cursor = cursors[index]
            yield Emit(_entry(cursor.take()))
            if not cursor.entries:
                yield from cursor.fill()
            if cursor.entries:
                heapq.heapreplace(heap, (cursor.key, index))
            else:
                heapq.heappop(heap)


ANYWHERE = -1
"""Expected length of a table if any length is accepted:
`WireCommands.NULL_TABLE_SEGMENT_OFFSET`.
"""


class _Cursor:
    """Cursor over the entries of one partition, page by page."""

    def __init__(self, segment: str, line: SegmentLine, start: bytes, end: bytes, page: int):
        self._segment = segment
        self._line = line
        self._start: bytes | None = start
        self._end = end
        self._page = page
        self.entries: list[TableEntry] = []
        """Entries that were read and not taken; the next one is last."""

    @property
    def key(self) -> bytes:
        """The key of the next entry."""
        return self.entries[-1].key

    def take(self) -> TableEntry:
        """Remove and return the next entry."""
        return self.entries.pop()

    def fill(self) -> Operation[None]:
        """Read the next page, if there is one."""
        if self._start is None:
            return
        request = ReadTableEntries(self._segment, self._page, b"", self._start, self._end)
        page: TablePage[TableEntry] = yield from self._line.call(request)
        found = list(page.items)
        if not found:
            self._start = None
            return
        # Tables with fixed-length keys are continued by the next key, not by a token.
        last = int.from_bytes(found[-1].key, "big") + 1
        length = len(self._end)
        after = last.to_bytes(length, "big") if last < 1 << 8 * length else None
        self._start = after if after is not None and after <= self._end else None
        self.entries = found[::-1]


def _check_change(count: int, size: int) -> None:
    if count > MAX_KEYS:
        raise ValueError(f"at most {MAX_KEYS} keys are changed at once, got {count}")
    if size > MAX_CHANGE:
        raise ValueError(f"at most {MAX_CHANGE} bytes are changed at once, got {size}")


def _entry(found: TableEntry) -> KeyValueEntry:
    return KeyValueEntry(found.key, bytes(found.value), found.version)


class _TableMethods(Resource):
    def __init__(self, client: Caller, table: Table) -> None:
        super().__init__(client)
        self._table = table

    @property
    def name(self) -> str:
        """The name of the table, `scope/name`."""
        return self._table.name

    @property
    def config(self) -> KeyValueTableConfig:
        """The number of partitions and the lengths of keys."""
        return self._table.config

    @operation
    def get(self, key: bytes) -> Operation[KeyValueEntry | None]:
        """Fetch the entry of a key.

        Args:
            key: The primary part of the key, followed by the secondary part.

        Returns:
            The entry, None if the key has none.

        Raises:
            ValueError: the key has another length than those of the table.
        """
        return (yield from self._table.get([key]))[0]

    @operation
    def get_all(self, keys: Iterable[bytes]) -> Operation[list[KeyValueEntry | None]]:
        """Fetch the entries of keys; partitions are read concurrently.

        Args:
            keys: The keys.

        Returns:
            The entry of each key in order, None for a key without an entry.

        Raises:
            ValueError: a key has another length than those of the table.
        """
        return self._table.get(list(keys))

    @operation
    def put(self, key: bytes, value: bytes) -> Operation[int]:
        """Put an entry unconditionally.

        Args:
            key: The primary part of the key, followed by the secondary part.
            value: The value.

        Returns:
            The version of the entry.

        Raises:
            ValueError: the key has another length than those of the table, or the value is too
                large.
        """
        return (yield from self._table.update({key: value}, {}))[0]  # type: ignore[no-any-return]

    @operation
    def insert(self, key: bytes, value: bytes) -> Operation[int]:
        """Put an entry of a key that has none.

        Args:
            key: The primary part of the key, followed by the secondary part.
            value: The value.

        Returns:
            The version of the entry.

        Raises:
            TableKeyBadVersion: the key has an entry.
            ValueError: the key has another length than those of the table, or the value is too
                large.
        """
        found = yield from self._table.update({key: value}, {key: NOT_THERE})
        return found[0]  # type: ignore[no-any-return]

    @operation
    def replace(self, key: bytes, value: bytes, version: int) -> Operation[int]:
        """Replace an entry if it has the given version.

        Args:
            key: The primary part of the key, followed by the secondary part.
            value: The new value.
            version: The version that the entry must have.

        Returns:
            The new version of the entry.

        Raises:
            TableKeyBadVersion: the entry has another version, or there is none.
            ValueError: the key has another length than those of the table, or the value is too
                large.
        """
        known = {key: check_range("version", version, 0, MAX_LONG)}
        return (yield from self._table.update({key: value}, known))[0]  # type: ignore[no-any-return]

    @operation
    def put_all(
        self, entries: Mapping[bytes, bytes], *, versions: Mapping[bytes, int] | None = None
    ) -> Operation[list[int]]:
        """Put all entries, or no entry; their keys must have one primary part.

        Args:
            entries: Values by key; at most 256 entries and 16 MiB.
            versions: The versions that entries must have before; `NOT_THERE` for keys that must not
                exist.

        Returns:
            The new versions, in the order of `entries`.

        Raises:
            TableKeyBadVersion: an entry has another version than the expected one.
            ValueError: the keys differ in their primary parts, or have other lengths than those of
                the table.

        Source: KeyValueTable.update (Pravega 0.13).
        """
        check_type("entries", entries, Mapping)
        return self._table.update(entries, _versions(versions))  # type: ignore[no-any-return]

    @operation
    def remove(self, key: bytes, *, version: int | None = None) -> Operation[None]:
        """Remove the entry of a key.

        Args:
            key: The primary part of the key, followed by the secondary part.
            version: The version that the entry must have; by default any, and it need not exist.

        Raises:
            TableKeyBadVersion: the entry has another version, or there is none.
            ValueError: the key has another length than those of the table.
        """
        known = {} if version is None else {key: check_range("version", version, 0, MAX_LONG)}
        yield from self._table.remove([key], known)

    @operation
    def remove_all(
        self, keys: Iterable[bytes], *, versions: Mapping[bytes, int] | None = None
    ) -> Operation[None]:
        """Remove the entries of all keys, or no entry; the keys must have one primary part.

        Args:
            keys: At most 256 keys.
            versions: The versions that entries must have before.

        Raises:
            TableKeyBadVersion: an entry has another version than the expected one.
            ValueError: the keys differ in their primary parts, or have other lengths than those of
                the table.
        """
        yield from self._table.remove(list(keys), _versions(versions))

    @operation_stream
    def entries(
        self, start: bytes = b"", end: bytes = b"", *, page: int = PAGE
    ) -> OperationStream[KeyValueEntry]:
        """Read the entries of all partitions in the order of their keys.

        Args:
            start: The first key, or a prefix of keys; by default the first key of the table.
            end: The last key, or a prefix of the last keys; by default the last key of the table.
            page: Entries requested per page of a partition.

        Yields:
            The entries.

        Raises:
            ValueError: `start` or `end` is longer than a key.

        Source: KeyValueTable.iterator (Pravega 0.13).
        """
        config = self._table.config
        length = config.primary_key_length + config.secondary_key_length
        for name, value in (("start", start), ("end", end)):
            check_bytes(name, value)
            if len(value) > length:
                raise ValueError(f"{name} has at most {length} bytes, got {len(value)}")
        page = check_range("page", page, 1, MAX_INT)
        start, end = start.ljust(length, b"\0"), end.ljust(length, b"\xff")
        if start <= end:
            yield from self._table.entries(start, end, page)


def _versions(versions: Mapping[bytes, int] | None) -> dict[bytes, int]:
    return {
        key: check_range("a version", version, NOT_THERE, MAX_LONG)
        for key, version in (versions or {}).items()
    }


class KeyValueTable(_TableMethods, SyncResource):
    """Key-value table of one scope; thread-safe."""


class AsyncKeyValueTable(_TableMethods, AsyncResource):
    """Asyncio counterpart of `KeyValueTable`; tasks may share it."""
