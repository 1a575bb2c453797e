"""A map as a whole: all of it, what a predicate finds, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastEntryColumns, HazelcastMessage
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit
from jvmwire.errors import ConfigError
from jvmwire.hazelcast.arguments import at_least
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.predicates import (
    EntryKind,
    Everything,
    PagingPredicate,
    PartitionPredicate,
)
from jvmwire.hazelcast.proxies.map_bulk import GET_ALL
from jvmwire.hazelcast.proxies.map_queries import QueryOperations

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
"""Entries that a partition is asked for at a time while a map is iterated over. Ours."""
FIRST_INDEX = (1 << 31) - 1
"""Where a partition is begun with: members go downwards from there."""
FETCHES = (3, 7)
"""Members from this version on hand out a partition in pieces: protocol 1.1."""
ASKS_PARTITIONS = (3, 9)
"""Members from this version on answer a `PartitionPredicate` for its partition alone."""


class WholeOperations(QueryOperations):
    """What can be done with all entries of a map."""

    @operation
    def size(self) -> Operation[int]:
        """Return how many entries there are."""
        size: int = yield from self._value(SIZE)
        return size

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether there is no entry."""
        empty: bool = yield from self._value(IS_EMPTY)
        return empty

    @operation
    def contains_value(self, value: object) -> Operation[bool]:
        """Return whether `value` stands under any key."""
        found: bool = yield from self._value(CONTAINS_VALUE, self._data(value))
        return found

    @operation
    def clear(self) -> Operation[None]:
        """Remove every entry."""
        yield from self._ask(CLEAR)

    @operation
    def remove_all(self, predicate: object) -> Operation[None]:
        """Remove the entries that a predicate finds."""
        yield from self._ask_where(REMOVE_ALL, predicate=predicate)

    @operation
    def evict_all(self) -> Operation[None]:
        """Remove every entry from memory that is not locked, not from the map's store."""
        yield from self._ask(EVICT_ALL)

    @operation
    def flush(self) -> Operation[None]:
        """Have the map's store write what it has not written."""
        yield from self._ask(FLUSH)

    @operation
    def add_index(self, attribute: str, *, ordered: bool = False) -> Operation[None]:
        """Have the members index an attribute; an ordered index serves ranges too."""
        yield from self._ask(ADD_INDEX, attribute, ordered)

    @operation
    def key_set(self, predicate: object = None) -> Operation[list[Any]]:
        """Return the keys, or those of the entries that a predicate finds."""
        if isinstance(predicate, PagingPredicate):
            asked = predicate.asking_for(EntryKind.KEY)
            [keys] = yield from self._ask(KEY_SET_PAGE, self._data(asked))
            found = [(key, None) for key in self._objects(keys)]
            return [key for key, _ in predicate.cut(asked, found)]
        gathered = yield from self._gather(KEY_SET, KEY_SET_WHERE, predicate)
        return self._cluster.serialization.take_values(gathered)

    @operation
    def values(self, predicate: object = None) -> Operation[list[Any]]:
        """Return the values, or those of the entries that a predicate finds."""
        if isinstance(predicate, PagingPredicate):
            asked = predicate.asking_for(EntryKind.VALUE)
            [entries] = yield from self._ask(VALUES_PAGE, self._data(asked))
            return [value for _, value in predicate.cut(asked, self._pairs(entries))]
        gathered = yield from self._gather(VALUES, VALUES_WHERE, predicate)
        return self._cluster.serialization.take_values(gathered)

    @operation
    def entry_set(self, predicate: object = None) -> Operation[list[tuple[Any, Any]]]:
        """Return keys and values, or those that a predicate finds.

        All of them at once, in one message: `entries` hands out a large map in pieces.
        """
        if isinstance(predicate, PagingPredicate):
            asked = predicate.asking_for(EntryKind.ENTRY)
            [entries] = yield from self._ask(ENTRIES_PAGE, self._data(asked))
            return predicate.cut(asked, self._pairs(entries))
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

        An entry that is there all the while comes exactly once, whatever else is put or removed
        meanwhile, unless its partition is lost. One that comes or goes meanwhile may come. A
        partition of more than `batch` entries is read by its keys, all of which come in one
        message, and by `getAll` for `batch` of them at a time. To the member that is a read of
        these entries: it is a hit, begins `max_idle` anew, and asks the map's store for what was
        evicted.

        Args:
            batch: Entries of one request, about.
            partition_ids: Which partitions are read; all by default.
            approximate: Walk through the partitions' tables by index instead (`Map.fetchEntries`,
                as Java's client does): entries are not touched and no keys are kept, but entries of
                a partition of more than `batch` are skipped, or come twice, if others put
                meanwhile and its table grows.

        Yields:
            Pairs of key and value.

        Raises:
            ConfigError: `batch` is below 1; there is no such partition; the members are older than
                3.9 and `approximate` is not set. Members before 3.7 answer with all entries in one
                message, and cannot be asked for those of a partition.
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
        """Go through a partition's table by index, which another table may replace meanwhile."""
        index, found = FIRST_INDEX, 1
        while index >= 0 and found:
            index, found, gathered = yield from self._fetch(partition_id, index, batch)
            for one in read(gathered) if found else ():
                yield Emit(one)

    def _read_partition(
        self, partition_id: int, batch: int, read: Callable[[HazelcastEntryColumns], Iterable[T]]
    ) -> OperationStream[T]:
        """Read a partition without a place in its table that has to stay the same.

        A member handles one request for a partition at a time. So the answer to the first fetch is
        the whole partition as it was at one moment, or if that is too large its keys are.
        """
        index, found, gathered = yield from self._fetch(partition_id, FIRST_INDEX, batch)
        is_whole = index < 0 or not found
        told = set() if is_whole else set(gathered.keys())
        for one in read(gathered) if found else ():
            yield Emit(one)
        if is_whole:
            return
        cluster = self._cluster
        key = cluster.key_in_partition(partition_id)
        predicate = self._data(PartitionPredicate(key, Everything()))
        request = Request(KEY_SET_WHERE, (self.name, predicate), partition_id, repeatable=True)
        [keys] = yield from cluster.call(request)
        keys = [key for key in keys if key not in told]
        del told, gathered
        for start in range(0, len(keys), batch):
            some = HazelcastEntryColumns(GET_ALL.response)
            fields = (self.name, keys[start : start + batch])
            request = Request(GET_ALL, fields, partition_id, repeatable=True, gathered=some)
            yield from cluster.call(request)
            for one in read(some) if len(some) else ():
                yield Emit(one)

    def _fetch(
        self, partition_id: int, index: int, batch: int
    ) -> Operation[tuple[int, int, HazelcastEntryColumns]]:
        """Return where the table goes on, how many entries came, and these."""
        gathered = HazelcastEntryColumns(FETCH_ENTRIES.response)
        fields = (self.name, partition_id, index, batch)
        request = Request(FETCH_ENTRIES, fields, partition_id, repeatable=True, gathered=gathered)
        index, found = yield from self._cluster.call(request)
        return index, found, gathered
