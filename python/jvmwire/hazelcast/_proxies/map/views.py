"""Operations of a map on all entries or those of a predicate, and iteration in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastEntryColumns, HazelcastMessage
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit
from jvmwire.errors import ConfigError
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.map.bulk import GET_ALL
from jvmwire.hazelcast._proxies.map.queries import QueryOperations
from jvmwire.hazelcast.predicates import (
    EntryKind,
    PagingPredicate,
    PartitionPredicate,
    TruePredicate,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from jvmwire._runtime.operations import Operation, OperationStream

    T = TypeVar("T")

_named = HazelcastMessage.named

REMOVE_ALL = _named("Map.removeAll")
CONTAINS_VALUE = _named("Map.containsValue")
SIZE = _named("Map.size")
IS_EMPTY = _named("Map.isEmpty")
CLEAR = _named("Map.clear")
EVICT_ALL = _named("Map.evictAll")
FLUSH = _named("Map.flush")
ADD_INDEX = _named("Map.addIndex")
KEY_SET = _named("Map.keySet")
VALUES = _named("Map.values")
ENTRY_SET = _named("Map.entrySet")
KEY_SET_WHERE = _named("Map.keySetWithPredicate")
VALUES_WHERE = _named("Map.valuesWithPredicate")
ENTRIES_WHERE = _named("Map.entriesWithPredicate")
KEY_SET_PAGE = _named("Map.keySetWithPagingPredicate")
VALUES_PAGE = _named("Map.valuesWithPagingPredicate")
ENTRIES_PAGE = _named("Map.entriesWithPagingPredicate")
FETCH_ENTRIES = _named("Map.fetchEntries")

FETCH_BATCH = 1000
"""Entries fetched per request while a map is iterated over. (Chosen by jvmwire.)"""
FIRST_INDEX = (1 << 31) - 1
"""Table index at which the iteration of a partition starts: members count down from there."""
FETCHES = (3, 7)
"""First version of members that return a partition in batches: protocol 1.1."""
ASKS_PARTITIONS = (3, 9)
"""First version of members that evaluate a `PartitionPredicate` on its partition only."""


class MapViews(QueryOperations):
    """Operations of a map on all its entries."""

    @operation
    def size(self) -> Operation[int]:
        """Return the number of entries.

        Returns:
            The number of entries.
        """
        size: int = yield from self._value(SIZE)
        return size

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether the map has no entries.

        Returns:
            True if there is no entry.
        """
        empty: bool = yield from self._value(IS_EMPTY)
        return empty

    @operation
    def contains_value(self, value: object) -> Operation[bool]:
        """Return whether any entry has the value `value`.

        Args:
            value: Value to search for.

        Returns:
            True if there is such an entry.
        """
        found: bool = yield from self._value(CONTAINS_VALUE, self._data(value))
        return found

    @operation
    def clear(self) -> Operation[None]:
        """Remove all entries."""
        yield from self._ask(CLEAR)

    @operation
    def remove_all(self, predicate: object) -> Operation[None]:
        """Remove the entries that match a predicate.

        Args:
            predicate: Predicate of `jvmwire.hazelcast.predicates`, or a serializable object.
        """
        yield from self._ask_where(REMOVE_ALL, predicate=predicate)

    @operation
    def evict_all(self) -> Operation[None]:
        """Remove all entries that are not locked from memory, but not from the map's store."""
        yield from self._ask(EVICT_ALL)

    @operation
    def flush(self) -> Operation[None]:
        """Make the map's store write its pending entries."""
        yield from self._ask(FLUSH)

    @operation
    def add_index(self, attribute: str, *, ordered: bool = False) -> Operation[None]:
        """Add an index on an attribute of the entries.

        Args:
            attribute: Name of the attribute.
            ordered: Whether the index is ordered, so that it also serves range queries.
        """
        yield from self._ask(ADD_INDEX, attribute, ordered)

    @operation
    def key_set(self, predicate: object = None) -> Operation[list[Any]]:
        """Return all keys, or the keys of the entries that match a predicate.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The keys, in no particular order unless a `PagingPredicate` sorts them.
        """
        if isinstance(predicate, PagingPredicate):
            asked = predicate.for_iteration(EntryKind.KEY)
            [keys] = yield from self._ask(KEY_SET_PAGE, self._data(asked))
            found = [(key, None) for key in self._objects(keys)]
            return [key for key, _ in predicate.page_of(asked, found)]
        gathered = yield from self._gather(KEY_SET, KEY_SET_WHERE, predicate)
        return self._cluster.serialization.take_values(gathered)

    @operation
    def values(self, predicate: object = None) -> Operation[list[Any]]:
        """Return all values, or the values of the entries that match a predicate.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The values, in no particular order unless a `PagingPredicate` sorts them.
        """
        if isinstance(predicate, PagingPredicate):
            asked = predicate.for_iteration(EntryKind.VALUE)
            [entries] = yield from self._ask(VALUES_PAGE, self._data(asked))
            return [value for _, value in predicate.page_of(asked, self._pairs(entries))]
        gathered = yield from self._gather(VALUES, VALUES_WHERE, predicate)
        return self._cluster.serialization.take_values(gathered)

    @operation
    def entry_set(self, predicate: object = None) -> Operation[list[tuple[Any, Any]]]:
        """Return all entries, or the entries that match a predicate, in one message.

        `entries` returns a large map in batches.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            Pairs of key and value, in no particular order unless a `PagingPredicate` sorts them.
        """
        if isinstance(predicate, PagingPredicate):
            asked = predicate.for_iteration(EntryKind.ENTRY)
            [entries] = yield from self._ask(ENTRIES_PAGE, self._data(asked))
            return predicate.page_of(asked, self._pairs(entries))
        gathered = yield from self._gather(ENTRY_SET, ENTRIES_WHERE, predicate)
        return self._cluster.serialization.take_entries(gathered)

    @operation_stream
    def entries(
        self,
        *,
        batch: int = FETCH_BATCH,
        partition_ids: Iterable[int] | None = None,
        approximate: bool = False,
    ) -> OperationStream[tuple[Any, Any]]:
        """Yield every entry, partition by partition (members from 3.9 on, or with `approximate`).

        An entry that exists during the whole iteration is yielded exactly once, whatever else is
        put or removed meanwhile, unless its partition is lost. An entry that is added or removed
        during the iteration may be yielded. A partition of more than `batch` entries is read by its
        keys, all of which are in one message, and by `getAll` for `batch` of them at a time. The
        member counts that as a read of these entries: it is a hit, restarts `max_idle`, and makes
        the map's store load entries that were evicted.

        Args:
            batch: Approximate number of entries per request.
            partition_ids: Partitions to read; all by default.
            approximate: Read the partitions' hash tables by index instead (`Map.fetchEntries`,
                as Java's client does): this counts no hits and needs no memory for keys, but
                entries of a partition of more than `batch` entries are skipped or repeated if
                other clients put entries meanwhile and the table grows.

        Yields:
            Pairs of key and value.

        Raises:
            ConfigError: `batch` is below 1; a partition does not exist; the members are older
                than 3.9 and `approximate` is not set. Members before 3.7 return all entries in
                one message, and cannot return those of one partition.
        """
        take = self._cluster.serialization.take_entries
        yield from self._pieces(batch, partition_ids, take, approximate=approximate)

    def _pieces(
        self,
        batch: int,
        partition_ids: Iterable[int] | None,
        read: Callable[[HazelcastEntryColumns], Iterable[T]],
        *,
        approximate: bool,
    ) -> OperationStream[T]:
        at_least("batch", batch, 1)
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        version = cluster.oldest_version()
        if version < FETCHES:
            if partition_ids is not None:
                raise ConfigError("members before 3.7 cannot be asked for entries of a partition")
            gathered = yield from self._gather(ENTRY_SET, ENTRIES_WHERE, None)
            for one in read(gathered) if len(gathered) else ():
                yield Emit(one)
            return
        if version < ASKS_PARTITIONS and not approximate:
            shown = ".".join(map(str, version))
            raise ConfigError(
                f"members of version {shown} cannot be asked for all keys of a partition (3.9 and"
                " later can): entries could be missed if others put meanwhile; pass"
                " approximate=True if that does no harm, or take entry_set()"
            )
        count = cluster.partitions.count
        for partition_id in range(count) if partition_ids is None else partition_ids:
            if not 0 <= partition_id < count:
                raise ConfigError(f"there are {count} partitions, and none is {partition_id}")
            walk = self._walk if approximate else self._read_partition
            yield from walk(partition_id, batch, read)

    def _walk(
        self, partition_id: int, batch: int, read: Callable[[HazelcastEntryColumns], Iterable[T]]
    ) -> OperationStream[T]:
        """Read a partition's hash table by index, which the member may rehash meanwhile."""
        index, found = FIRST_INDEX, 1
        while index >= 0 and found:
            index, found, gathered = yield from self._fetch(partition_id, index, batch)
            for one in read(gathered) if found else ():
                yield Emit(one)

    def _read_partition(
        self, partition_id: int, batch: int, read: Callable[[HazelcastEntryColumns], Iterable[T]]
    ) -> OperationStream[T]:
        """Read a partition without relying on stable positions in its hash table.

        A member handles one request per partition at a time. So the response to the first fetch is
        a snapshot of the whole partition, or if the partition is too large, the response with its
        keys is.
        """
        index, found, gathered = yield from self._fetch(partition_id, FIRST_INDEX, batch)
        is_whole = index < 0 or not found
        returned = set() if is_whole else set(gathered.keys())
        for one in read(gathered) if found else ():
            yield Emit(one)
        if is_whole:
            return
        cluster = self._cluster
        key = cluster.key_in_partition(partition_id)
        predicate = self._data(PartitionPredicate(key, TruePredicate()))
        request = Request(KEY_SET_WHERE, (self.name, predicate), partition_id, idempotent=True)
        [keys] = yield from cluster.call(request)
        keys = [key for key in keys if key not in returned]
        del returned, gathered
        for start in range(0, len(keys), batch):
            some = HazelcastEntryColumns(GET_ALL.response)
            fields = (self.name, keys[start : start + batch])
            request = Request(GET_ALL, fields, partition_id, idempotent=True, gathered=some)
            yield from cluster.call(request)
            for one in read(some) if len(some) else ():
                yield Emit(one)

    def _fetch(
        self, partition_id: int, index: int, batch: int
    ) -> Operation[tuple[int, int, HazelcastEntryColumns]]:
        """Return where the table goes on, how many entries came, and these."""
        gathered = HazelcastEntryColumns(FETCH_ENTRIES.response)
        fields = (self.name, partition_id, index, batch)
        request = Request(FETCH_ENTRIES, fields, partition_id, idempotent=True, gathered=gathered)
        index, found = yield from self._cluster.call(request)
        return index, found, gathered
