"""IMap: keys and values, spread over the members."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire._core import HazelcastMessage
from jvmwire.client import operation, stream
from jvmwire.errors import ConfigError
from jvmwire.hazelcast.bulk import call_all, group, group_entries, send_all
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.predicates import EntryKind, PagingPredicate
from jvmwire.hazelcast.proxies.proxy import (
    FOREVER,
    UNSET,
    AsyncProxy,
    Proxy,
    SyncProxy,
    milliseconds,
)
from jvmwire.mailbox import EndOfMessages
from jvmwire.operations import Emit, Receive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jvmwire._core import Array
    from jvmwire.hazelcast.listening import Registration
    from jvmwire.operations import Emission, Operation

T = TypeVar("T")

_named = HazelcastMessage.named

PUT, PUT_MAX_IDLE = _named("Map.put"), _named("Map.putWithMaxIdle")
SET, SET_MAX_IDLE = _named("Map.set"), _named("Map.setWithMaxIdle")
PUT_IF_ABSENT = _named("Map.putIfAbsent")
PUT_IF_ABSENT_MAX_IDLE = _named("Map.putIfAbsentWithMaxIdle")
PUT_TRANSIENT = _named("Map.putTransient")
PUT_TRANSIENT_MAX_IDLE = _named("Map.putTransientWithMaxIdle")
TRY_PUT, TRY_REMOVE = _named("Map.tryPut"), _named("Map.tryRemove")
GET, REMOVE, DELETE = _named("Map.get"), _named("Map.remove"), _named("Map.delete")
REPLACE, REPLACE_IF_SAME = _named("Map.replace"), _named("Map.replaceIfSame")
REMOVE_IF_SAME, REMOVE_ALL = _named("Map.removeIfSame"), _named("Map.removeAll")
CONTAINS_KEY, CONTAINS_VALUE = _named("Map.containsKey"), _named("Map.containsValue")
GET_ALL, PUT_ALL = _named("Map.getAll"), _named("Map.putAll")
SIZE, IS_EMPTY, CLEAR = _named("Map.size"), _named("Map.isEmpty"), _named("Map.clear")
SET_TTL, EVICT, EVICT_ALL = _named("Map.setTtl"), _named("Map.evict"), _named("Map.evictAll")
FLUSH, ADD_INDEX = _named("Map.flush"), _named("Map.addIndex")
LOAD_ALL, LOAD_KEYS = _named("Map.loadAll"), _named("Map.loadGivenKeys")
ENTRY_VIEW = _named("Map.getEntryView")
KEY_SET, VALUES, ENTRY_SET = _named("Map.keySet"), _named("Map.values"), _named("Map.entrySet")
KEY_SET_WHERE = _named("Map.keySetWithPredicate")
VALUES_WHERE = _named("Map.valuesWithPredicate")
ENTRIES_WHERE = _named("Map.entriesWithPredicate")
KEY_SET_PAGE = _named("Map.keySetWithPagingPredicate")
VALUES_PAGE = _named("Map.valuesWithPagingPredicate")
ENTRIES_PAGE = _named("Map.entriesWithPagingPredicate")
LOCK, TRY_LOCK, UNLOCK = _named("Map.lock"), _named("Map.tryLock"), _named("Map.unlock")
IS_LOCKED, FORCE_UNLOCK = _named("Map.isLocked"), _named("Map.forceUnlock")
ADD_INTERCEPTOR = _named("Map.addInterceptor")
REMOVE_INTERCEPTOR = _named("Map.removeInterceptor")
EXECUTE_ON_KEY, EXECUTE_ON_KEYS = _named("Map.executeOnKey"), _named("Map.executeOnKeys")
EXECUTE_ON_ALL, EXECUTE_WHERE = _named("Map.executeOnAllKeys"), _named("Map.executeWithPredicate")
AGGREGATE, AGGREGATE_WHERE = _named("Map.aggregate"), _named("Map.aggregateWithPredicate")
PROJECT, PROJECT_WHERE = _named("Map.project"), _named("Map.projectWithPredicate")
FETCH_ENTRIES, FETCH_KEYS = _named("Map.fetchEntries"), _named("Map.fetchKeys")
LISTEN = _named("Map.addEntryListener")
LISTEN_TO_KEY = _named("Map.addEntryListenerToKey")
LISTEN_WHERE = _named("Map.addEntryListenerWithPredicate")
LISTEN_TO_KEY_WHERE = _named("Map.addEntryListenerToKeyWithPredicate")
UNLISTEN = _named("Map.removeEntryListener")
LISTEN_PARTITION_LOST = _named("Map.addPartitionLostListener")
UNLISTEN_PARTITION_LOST = _named("Map.removePartitionLostListener")

FETCH_BATCH = 1000
"""Entries that a partition is asked for at a time while a map is iterated over. Ours."""
FETCHES = (3, 7)
"""Members from this version on hand out a partition in pieces: protocol 1.1."""


class EntryEventType(enum.IntFlag):
    """What came to pass with an entry, or with the whole map."""

    ADDED = 1
    REMOVED = 2
    UPDATED = 4
    EVICTED = 8
    EVICT_ALL = 16
    CLEAR_ALL = 32
    MERGED = 64
    EXPIRED = 128
    INVALIDATION = 256
    LOADED = 512


ALL_EVENTS = (
    EntryEventType.ADDED
    | EntryEventType.REMOVED
    | EntryEventType.UPDATED
    | EntryEventType.EVICTED
    | EntryEventType.EVICT_ALL
    | EntryEventType.CLEAR_ALL
    | EntryEventType.MERGED
    | EntryEventType.EXPIRED
    | EntryEventType.LOADED
)


@dataclass(frozen=True, slots=True)
class EntryEvent:
    """An entry was added, changed or removed; or the whole map was cleared or evicted."""

    type: EntryEventType
    key: Any
    """None where the whole map is meant."""
    value: Any
    """None if values were not asked for."""
    old_value: Any
    merging_value: Any
    member: str
    """UUID of the member where it happened."""
    count: int
    """Entries affected, where the whole map is meant."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry and what its member knows of it; times are milliseconds since 1970."""

    key: Any
    value: Any
    cost: int
    creation_time: int
    expiration_time: int
    hits: int
    last_access_time: int
    last_stored_time: int
    last_update_time: int
    version: int
    ttl: int
    """Milliseconds."""
    max_idle: int | None
    """Milliseconds; None of members before 3.11."""


@dataclass(frozen=True, slots=True)
class PartitionLostEvent:
    """A partition of the map was lost, with all its backups."""

    partition_id: int
    member: str


class MapOperations(Proxy):
    """What can be done with a map."""

    service = "hz:impl:mapService"

    # One key.

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, or None."""
        [value] = yield from self._on_key(GET, self._data(key), self._caller_id())
        return self._object(value)

    @operation
    def put(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[Any]:
        """Put `value` under `key`; return what stood there, or None.

        The entry goes after `ttl` seconds, and after `max_idle` seconds in which nobody looked at
        it; `max_idle` needs members from 3.11 on.
        """
        [old] = yield from self._put(PUT, PUT_MAX_IDLE, key, value, ttl, max_idle)
        return self._object(old)

    @operation
    def set(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[None]:
        """Put `value` under `key`, and do not ask what stood there; see `put`."""
        yield from self._put(SET, SET_MAX_IDLE, key, value, ttl, max_idle)

    @operation
    def put_if_absent(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[Any]:
        """Put `value` under `key` if nothing stands there, else return what does; see `put`."""
        [old] = yield from self._put(
            PUT_IF_ABSENT, PUT_IF_ABSENT_MAX_IDLE, key, value, ttl, max_idle
        )
        return self._object(old)

    @operation
    def put_transient(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[None]:
        """Put `value` under `key` and not into the map's store; see `put`."""
        yield from self._put(PUT_TRANSIENT, PUT_TRANSIENT_MAX_IDLE, key, value, ttl, max_idle)

    def _put(
        self,
        message: HazelcastMessage,
        with_max_idle: HazelcastMessage,
        key: object,
        value: object,
        ttl: float | None,
        max_idle: float | None,
    ) -> Operation[tuple[Any, ...]]:
        rest: tuple[Any, ...] = (self._data(value), self._caller_id(), milliseconds(ttl))
        if max_idle is not None:
            message, rest = with_max_idle, (*rest, milliseconds(max_idle))
        return (yield from self._on_key(message, self._data(key), *rest))

    @operation
    def try_put(self, key: object, value: object, *, timeout: float = 0.0) -> Operation[bool]:
        """Put `value` under `key` if the key's lock is free within `timeout` seconds."""
        rest = (self._data(value), self._caller_id(), milliseconds(timeout))
        [done] = yield from self._on_key(TRY_PUT, self._data(key), *rest)
        return bool(done)

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove what stands under `key`, and return it."""
        [old] = yield from self._on_key(REMOVE, self._data(key), self._caller_id())
        return self._object(old)

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove what stands under `key`, and do not ask what it was."""
        yield from self._on_key(DELETE, self._data(key), self._caller_id())

    @operation
    def try_remove(self, key: object, *, timeout: float = 0.0) -> Operation[bool]:
        """Remove what stands under `key` if its lock is free within `timeout` seconds."""
        rest = (self._caller_id(), milliseconds(timeout))
        [done] = yield from self._on_key(TRY_REMOVE, self._data(key), *rest)
        return bool(done)

    @operation
    def remove_if_same(self, key: object, value: object) -> Operation[bool]:
        """Remove what stands under `key` if it is `value`; return whether it was."""
        rest = (self._data(value), self._caller_id())
        [done] = yield from self._on_key(REMOVE_IF_SAME, self._data(key), *rest)
        return bool(done)

    @operation
    def replace(self, key: object, value: object) -> Operation[Any]:
        """Put `value` in the place of what stands under `key`, if something does; return that."""
        rest = (self._data(value), self._caller_id())
        [old] = yield from self._on_key(REPLACE, self._data(key), *rest)
        return self._object(old)

    @operation
    def replace_if_same(self, key: object, old: object, new: object) -> Operation[bool]:
        """Put `new` under `key` if `old` stands there; return whether it did."""
        rest = (self._data(old), self._data(new), self._caller_id())
        [done] = yield from self._on_key(REPLACE_IF_SAME, self._data(key), *rest)
        return bool(done)

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether something stands under `key`."""
        [found] = yield from self._on_key(CONTAINS_KEY, self._data(key), self._caller_id())
        return bool(found)

    @operation
    def set_ttl(self, key: object, ttl: float) -> Operation[bool]:
        """Let an entry live for `ttl` seconds; return whether there is one. From 3.11 on."""
        [done] = yield from self._on_key(SET_TTL, self._data(key), milliseconds(ttl))
        return bool(done)

    @operation
    def evict(self, key: object) -> Operation[bool]:
        """Remove what stands under `key` from memory, not from the map's store."""
        [done] = yield from self._on_key(EVICT, self._data(key), self._caller_id())
        return bool(done)

    @operation
    def get_entry_view(self, key: object) -> Operation[EntryView | None]:
        """Return an entry and what its member knows of it, or None."""
        rest = self._caller_id()
        view, max_idle = yield from self._on_key(ENTRY_VIEW, self._data(key), rest)
        if view is None:
            return None
        view.pop("eviction_criteria_number")
        known = {name: view[name] for name in view if name not in ("key", "value")}
        return EntryView(
            self._object(view["key"]), self._object(view["value"]), **known, max_idle=max_idle
        )

    # Locks of a key: they belong to the thread, or in asyncio to the task, that took them.

    @operation
    def lock(self, key: object, *, lease: float | None = None) -> Operation[None]:
        """Wait for the key's lock and take it; it frees itself after `lease` seconds.

        Others cannot change what stands under the key while it is held. How long this waits, the
        client's timeout says: `client.within(None)` waits for ever.
        """
        reference_id = self._cluster.next_reference_id()
        rest = (self._caller_id(), milliseconds(lease), reference_id)
        yield from self._on_key(LOCK, self._data(key), *rest)

    @operation
    def try_lock(
        self, key: object, *, timeout: float = 0.0, lease: float | None = None
    ) -> Operation[bool]:
        """Take the key's lock if it is free within `timeout` seconds."""
        reference_id = self._cluster.next_reference_id()
        lease_time = milliseconds(lease, absent=FOREVER)
        rest = (self._caller_id(), lease_time, milliseconds(timeout), reference_id)
        [done] = yield from self._on_key(TRY_LOCK, self._data(key), *rest)
        return bool(done)

    @operation
    def unlock(self, key: object) -> Operation[None]:
        """Give the key's lock back.

        Raises:
            IllegalMonitorState: the caller does not hold it.
        """
        rest = (self._caller_id(), self._cluster.next_reference_id())
        yield from self._on_key(UNLOCK, self._data(key), *rest)

    @operation
    def is_locked(self, key: object) -> Operation[bool]:
        """Return whether anyone holds the key's lock."""
        [locked] = yield from self._on_key(IS_LOCKED, self._data(key))
        return bool(locked)

    @operation
    def force_unlock(self, key: object) -> Operation[None]:
        """Free the key's lock, whoever holds it."""
        yield from self._on_key(FORCE_UNLOCK, self._data(key), self._cluster.next_reference_id())

    # Many keys: one message for each partition, all in flight together.

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Return what stands under `keys`; what is not there is left out."""
        yield from self._cluster.create_proxy(self.service, self.name)
        grouped = group(self._datas(keys), self._cluster.partitions.count)
        requests = [
            Request(GET_ALL, (self.name, datas), partition_id, repeatable=True)
            for partition_id, datas in grouped.items()
        ]
        found: dict[Any, Any] = {}
        for [entries] in (yield from call_all(self._cluster, requests)):
            found.update(self._pairs(entries))
        return found

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries; not as one: on an error some may be there and some not."""
        yield from self._cluster.create_proxy(self.service, self.name)
        datas = self._datas(entries.keys()), self._datas(entries.values())
        grouped = group_entries(*datas, self._cluster.partitions.count)
        redo = self._cluster.options.redo
        requests = [
            Request(PUT_ALL, (self.name, pairs), partition_id, repeatable=redo)
            for partition_id, pairs in grouped.items()
        ]
        yield from call_all(self._cluster, requests)

    @operation
    def get_many(self, keys: Iterable[object]) -> Operation[list[Any]]:
        """Return what stands under each of `keys`, in their order: a `get` a key, all in flight."""
        yield from self._cluster.create_proxy(self.service, self.name)
        caller = self._caller_id()
        rows = [(self.name, key, caller) for key in self._datas(keys)]
        values = yield from send_all(self._cluster, GET, rows, repeatable=True)
        return self._objects(values)

    @operation
    def put_many(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries: a `set` an entry, all in flight; on an error some are there."""
        yield from self._cluster.create_proxy(self.service, self.name)
        keys, values = self._datas(entries.keys()), self._datas(entries.values())
        caller = self._caller_id()
        rows = [
            (self.name, key, value, caller, UNSET) for key, value in zip(keys, values, strict=True)
        ]
        redo = self._cluster.options.redo
        yield from send_all(self._cluster, SET, rows, repeatable=redo)

    @operation
    def load_all(
        self, keys: Iterable[object] | None = None, *, replace_existing: bool = True
    ) -> Operation[None]:
        """Have the map's store load `keys`, or all it has."""
        if keys is None:
            yield from self._ask(LOAD_ALL, replace_existing)
        else:
            yield from self._ask(LOAD_KEYS, self._datas(keys), replace_existing)

    # The whole map.

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
        yield from self._ask(REMOVE_ALL, self._data(predicate))

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
            fields = yield from self._page(KEY_SET_PAGE, predicate, EntryKind.KEY)
            found = [(key, None) for key in self._objects(fields[0])]
            return [key for key, _ in predicate.cut(found, EntryKind.KEY)]
        fields = yield from self._found(KEY_SET, KEY_SET_WHERE, predicate)
        return self._objects(fields[0])

    @operation
    def values(self, predicate: object = None) -> Operation[list[Any]]:
        """Return the values, or those of the entries that a predicate finds."""
        if isinstance(predicate, PagingPredicate):
            fields = yield from self._page(VALUES_PAGE, predicate, EntryKind.VALUE)
            page = predicate.cut(self._pairs(fields[0]), EntryKind.VALUE)
            return [value for _, value in page]
        fields = yield from self._found(VALUES, VALUES_WHERE, predicate)
        return self._objects(fields[0])

    @operation
    def entry_set(self, predicate: object = None) -> Operation[list[tuple[Any, Any]]]:
        """Return keys and values, or those that a predicate finds.

        All of them at once, in one message: `entries` hands out a large map in pieces.
        """
        if isinstance(predicate, PagingPredicate):
            fields = yield from self._page(ENTRIES_PAGE, predicate, EntryKind.ENTRY)
            return predicate.cut(self._pairs(fields[0]), EntryKind.ENTRY)
        fields = yield from self._found(ENTRY_SET, ENTRIES_WHERE, predicate)
        return self._pairs(fields[0])

    def _found(
        self, all_: HazelcastMessage, where: HazelcastMessage, predicate: object
    ) -> Operation[tuple[Any, ...]]:
        if predicate is None:
            return (yield from self._ask(all_))
        return (yield from self._ask(where, self._data(predicate)))

    def _page(
        self, message: HazelcastMessage, predicate: PagingPredicate, kind: EntryKind
    ) -> Operation[tuple[Any, ...]]:
        return (yield from self._ask(message, self._data(predicate.asking_for(kind))))

    def _pairs(self, entries: list[tuple[bytes, bytes]]) -> list[tuple[Any, Any]]:
        if not entries:
            return []
        keys, values = zip(*entries, strict=True)
        return list(zip(self._objects(keys), self._objects(values), strict=True))

    def _columns(self, entries: list[tuple[bytes, bytes]]) -> list[tuple[Array, Array]]:
        if not entries:
            return []
        keys, values = zip(*entries, strict=True)
        to_arrow = self._cluster.serialization.to_arrow
        return [(to_arrow(list(keys)), to_arrow(list(values)))]

    @stream
    def entries(self, *, batch: int = FETCH_BATCH) -> Emission[tuple[Any, Any]]:
        """Yield every entry, `batch` at a time from each partition.

        An entry that is there all the while comes once or more; one that comes or goes meanwhile
        may. Of members before 3.7, all entries come in one message.
        """
        yield from self._pieces(batch, self._pairs)

    @stream
    def arrow_entries(self, *, batch: int = FETCH_BATCH) -> Emission[tuple[Array, Array]]:
        """Yield every entry as `entries` does, in pieces: an Arrow array of keys, one of values.

        A piece is at most `batch` entries of one partition, and its arrays are of the types of what
        is in it (`SerializationService.to_arrow`), a `ValueError` if that is not one.
        """
        yield from self._pieces(batch, self._columns)

    def _pieces(
        self, batch: int, told: Callable[[list[tuple[bytes, bytes]]], Iterable[T]]
    ) -> Emission[T]:
        if batch < 1:
            raise ConfigError(f"batch is {batch}: there is at least one entry to a batch")
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        if cluster.oldest_version() < FETCHES:
            fields = yield from self._ask(ENTRY_SET)
            for one in told(fields[0]):
                yield Emit(one)
            return
        for partition_id in range(cluster.partitions.count):
            index = (1 << 31) - 1
            while index >= 0:
                fields = (self.name, partition_id, index, batch)
                request = Request(FETCH_ENTRIES, fields, partition_id, repeatable=True)
                index, entries = yield from cluster.call(request)
                for one in told(entries):
                    yield Emit(one)
                if not entries:
                    break

    # What members do with entries: classes of theirs, told by what is serialized.

    @operation
    def execute_on_key(self, key: object, processor: object) -> Operation[Any]:
        """Have an entry processor change the entry under `key`; return what it returns."""
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        data = self._data(key)
        fields = (self.name, self._data(processor), data, self._caller_id())
        partition_id = cluster.partition_of(data)
        [result] = yield from cluster.request(EXECUTE_ON_KEY, fields, partition_id)
        return self._object(result)

    @operation
    def execute_on_keys(
        self, keys: Iterable[object], processor: object
    ) -> Operation[dict[Any, Any]]:
        """Have an entry processor change the entries under `keys`; return what it says of each."""
        fields = yield from self._ask(EXECUTE_ON_KEYS, self._data(processor), self._datas(keys))
        return dict(self._pairs(fields[0]))

    @operation
    def execute_on_entries(
        self, processor: object, predicate: object = None
    ) -> Operation[dict[Any, Any]]:
        """Have an entry processor change every entry, or those that a predicate finds."""
        if predicate is None:
            fields = yield from self._ask(EXECUTE_ON_ALL, self._data(processor))
        else:
            told = self._data(processor), self._data(predicate)
            fields = yield from self._ask(EXECUTE_WHERE, *told)
        return dict(self._pairs(fields[0]))

    @operation
    def aggregate(self, aggregator: object, predicate: object = None) -> Operation[Any]:
        """Return what an aggregator makes of all entries, or of those that a predicate finds."""
        told = (self._data(aggregator),)
        if predicate is None:
            [result] = yield from self._ask(AGGREGATE, *told)
        else:
            [result] = yield from self._ask(AGGREGATE_WHERE, *told, self._data(predicate))
        return self._object(result)

    @operation
    def project(self, projection: object, predicate: object = None) -> Operation[list[Any]]:
        """Return what a projection makes of each entry, or of each that a predicate finds."""
        told = (self._data(projection),)
        if predicate is None:
            [results] = yield from self._ask(PROJECT, *told)
        else:
            [results] = yield from self._ask(PROJECT_WHERE, *told, self._data(predicate))
        return self._objects(results)

    @operation
    def add_interceptor(self, interceptor: object) -> Operation[str]:
        """Have the members ask an interceptor at each access; return the id that removes it."""
        added: str = yield from self._value(ADD_INTERCEPTOR, self._data(interceptor))
        return added

    @operation
    def remove_interceptor(self, interceptor_id: str) -> Operation[bool]:
        """Remove an interceptor; return whether there was one."""
        removed: bool = yield from self._value(REMOVE_INTERCEPTOR, interceptor_id)
        return removed

    # Listeners.

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        predicate: object = None,
        include_value: bool = True,
        events: EntryEventType = ALL_EVENTS,
    ) -> Operation[str]:
        """Call `callback` with each event, or those of a key, of what a predicate finds, or both.

        Returns the id that `remove_listener` takes. Events of one key come in order.
        """
        registration = yield from self._listen_to(callback, key, predicate, include_value, events)
        return registration.id

    @stream
    def entry_events(
        self,
        *,
        key: object = None,
        predicate: object = None,
        include_value: bool = True,
        events: EntryEventType = ALL_EVENTS,
    ) -> Emission[EntryEvent]:
        """Yield each event, as `add_entry_listener` tells them, until the iterator is closed."""
        registration = yield from self._listen_to(None, key, predicate, include_value, events)
        try:
            while True:
                try:
                    _, fields = yield Receive(registration.mailbox)
                except EndOfMessages:
                    return
                yield Emit(self._event(fields))
        finally:
            self._cluster.let_go(registration)

    def _listen_to(
        self,
        callback: Callable[[EntryEvent], Any] | None,
        key: object,
        predicate: object,
        include_value: bool,  # noqa: FBT001  # of ours alone
        events: EntryEventType,
    ) -> Operation[Registration]:
        told: tuple[Any, ...] = (include_value, int(events))
        add = LISTEN
        if predicate is not None:
            told, add = (self._data(predicate), *told), LISTEN_WHERE
        if key is not None:
            told = (self._data(key), *told)
            add = LISTEN_TO_KEY if predicate is None else LISTEN_TO_KEY_WHERE
        return (yield from self._listen(add, UNLISTEN, told, self._event, callback))

    def _event(self, fields: tuple[Any, ...]) -> EntryEvent:
        key, value, old_value, merging_value, kind, member, count = fields
        return EntryEvent(
            EntryEventType(kind),
            self._object(key),
            self._object(value),
            self._object(old_value),
            self._object(merging_value),
            member,
            count,
        )

    @operation
    def add_partition_lost_listener(
        self, callback: Callable[[PartitionLostEvent], Any]
    ) -> Operation[str]:
        """Call `callback` when a partition is lost with all its backups."""
        registration = yield from self._listen(
            LISTEN_PARTITION_LOST,
            UNLISTEN_PARTITION_LOST,
            (),
            lambda fields: PartitionLostEvent(*fields),
            callback,
        )
        return registration.id


class Map(MapOperations, SyncProxy):
    """A map of the cluster, for threads."""


class AsyncMap(MapOperations, AsyncProxy):
    """A map of the cluster, for asyncio."""
