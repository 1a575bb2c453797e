"""Structures within a transaction: what is done to them comes to pass when it is committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import AsyncCaller, SyncCaller, operation
from jvmwire.hazelcast.predicates import without_pages
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy, milliseconds

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.cluster import Cluster
    from jvmwire.hazelcast.proxies.transaction import TransactionOperations


def _named(kind: str, *names: str) -> dict[str, HazelcastMessage]:
    return {name: HazelcastMessage.named(f"Transactional{kind}.{name}") for name in names}


_CHANGE = frozenset(
    ("put", "set", "putIfAbsent", "replace", "replaceIfSame", "remove", "delete", "removeIfSame")
)
"""Requests of a transactional map that change what stands under their key."""


class _Transactional(Proxy):
    """A structure, as the transaction sees it that it belongs to."""

    _messages: dict[str, HazelcastMessage]
    _transaction: TransactionOperations

    def _ask(
        self, message: HazelcastMessage, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        return (yield from self._transaction.ask(message, self.name, *rest, read=read))

    def _told(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        return (yield from self._value(self._messages[name], *rest, read=read))

    def _item(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        return self._object((yield from self._told(name, *rest, read=read)))

    def _items(self, name: str, *rest: Any, read: bool = False) -> Operation[list[Any]]:
        return self._objects((yield from self._told(name, *rest, read=read)))

    @operation
    def size(self) -> Operation[int]:
        """Return how much is in it."""
        size: int = yield from self._told("size", read=True)
        return size


class TransactionalMapOperations(_Transactional):
    """What a transaction can do with a map."""

    service = "hz:impl:mapService"

    def _told(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        if name in _CHANGE:
            self._transaction.note_changed(self.name, rest[0])
        return (yield from super()._told(name, *rest, read=read))

    _messages = _named(
        "Map",
        *("containsKey", "get", "getForUpdate", "size", "isEmpty", "put", "set", "putIfAbsent"),
        *("replace", "replaceIfSame", "remove", "delete", "removeIfSame"),
        *("keySet", "keySetWithPredicate", "values", "valuesWithPredicate"),
    )

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, or None."""
        return (yield from self._item("get", self._data(key), read=True))

    @operation
    def get_for_update(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, and lock the key until the transaction ends."""
        return (yield from self._item("getForUpdate", self._data(key)))

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether something stands under `key`."""
        found: bool = yield from self._told("containsKey", self._data(key), read=True)
        return found

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether there is no entry."""
        empty: bool = yield from self._told("isEmpty", read=True)
        return empty

    @operation
    def put(self, key: object, value: object, *, ttl: float | None = None) -> Operation[Any]:
        """Put `value` under `key`, for `ttl` seconds; return what stood there, or None."""
        rest = self._data(key), self._data(value), milliseconds(ttl, "ttl")
        return (yield from self._item("put", *rest))

    @operation
    def set(self, key: object, value: object) -> Operation[None]:
        """Put `value` under `key`, and do not ask what stood there."""
        yield from self._told("set", self._data(key), self._data(value))

    @operation
    def put_if_absent(self, key: object, value: object) -> Operation[Any]:
        """Put `value` under `key` if nothing stands there, else return what does."""
        return (yield from self._item("putIfAbsent", self._data(key), self._data(value)))

    @operation
    def replace(self, key: object, value: object) -> Operation[Any]:
        """Put `value` in the place of what stands under `key`, if something does; return that."""
        return (yield from self._item("replace", self._data(key), self._data(value)))

    @operation
    def replace_if_same(self, key: object, old: object, new: object) -> Operation[bool]:
        """Put `new` under `key` if `old` stands there; return whether it did."""
        told = self._data(key), self._data(old), self._data(new)
        done: bool = yield from self._told("replaceIfSame", *told)
        return done

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove what stands under `key`, and return it."""
        return (yield from self._item("remove", self._data(key)))

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove what stands under `key`, and do not ask what it was."""
        yield from self._told("delete", self._data(key))

    @operation
    def remove_if_same(self, key: object, value: object) -> Operation[bool]:
        """Remove what stands under `key` if it is `value`; return whether it was."""
        done: bool = yield from self._told("removeIfSame", self._data(key), self._data(value))
        return done

    @operation
    def key_set(self, predicate: object = None) -> Operation[list[Any]]:
        """Return the keys, or those of the entries that a predicate finds."""
        if predicate is None:
            return (yield from self._items("keySet", read=True))
        told = self._data(without_pages(predicate))
        return (yield from self._items("keySetWithPredicate", told, read=True))

    @operation
    def values(self, predicate: object = None) -> Operation[list[Any]]:
        """Return the values, or those of the entries that a predicate finds."""
        if predicate is None:
            return (yield from self._items("values", read=True))
        told = self._data(without_pages(predicate))
        return (yield from self._items("valuesWithPredicate", told, read=True))


class TransactionalMultiMapOperations(_Transactional):
    """What a transaction can do with a multimap."""

    service = "hz:impl:multiMapService"
    _messages = _named("MultiMap", "put", "get", "remove", "removeEntry", "valueCount", "size")

    @operation
    def put(self, key: object, value: object) -> Operation[bool]:
        """Put `value` under `key` too; return whether that changed anything."""
        done: bool = yield from self._told("put", self._data(key), self._data(value))
        return done

    @operation
    def get(self, key: object) -> Operation[list[Any]]:
        """Return the values under `key`."""
        return (yield from self._items("get", self._data(key), read=True))

    @operation
    def remove(self, key: object) -> Operation[list[Any]]:
        """Remove the values under `key`, and return them."""
        return (yield from self._items("remove", self._data(key)))

    @operation
    def remove_entry(self, key: object, value: object) -> Operation[bool]:
        """Remove `value` under `key`; return whether it was there."""
        done: bool = yield from self._told("removeEntry", self._data(key), self._data(value))
        return done

    @operation
    def value_count(self, key: object) -> Operation[int]:
        """Return how many values stand under `key`."""
        count: int = yield from self._told("valueCount", self._data(key), read=True)
        return count


class TransactionalQueueOperations(_Transactional):
    """What a transaction can do with a queue."""

    service = "hz:impl:queueService"
    _messages = _named("Queue", "offer", "take", "poll", "peek", "size")

    @operation
    def offer(self, item: object, *, timeout: float = 0.0) -> Operation[bool]:
        """Add an item; return whether there was room for it within `timeout` seconds."""
        done: bool = yield from self._told(
            "offer", self._data(item), milliseconds(timeout, "timeout")
        )
        return done

    @operation
    def take(self) -> Operation[Any]:
        """Wait for the first item, take it and return it."""
        return (yield from self._item("take"))

    @operation
    def poll(self, *, timeout: float = 0.0) -> Operation[Any]:
        """Take the first item and return it, or None if there is none within `timeout` seconds."""
        return (yield from self._item("poll", milliseconds(timeout, "timeout")))

    @operation
    def peek(self, *, timeout: float = 0.0) -> Operation[Any]:
        """Return the first item and leave it, or None if there is none within `timeout` seconds."""
        return (yield from self._item("peek", milliseconds(timeout, "timeout")))


class _TransactionalCollection(_Transactional):
    """What lists and sets have in common."""

    @operation
    def add(self, item: object) -> Operation[bool]:
        """Add an item; return whether that changed anything."""
        done: bool = yield from self._told("add", self._data(item))
        return done

    @operation
    def remove(self, item: object) -> Operation[bool]:
        """Remove an item; return whether it was there."""
        done: bool = yield from self._told("remove", self._data(item))
        return done


class TransactionalListOperations(_TransactionalCollection):
    """What a transaction can do with a list."""

    service = "hz:impl:listService"
    _messages = _named("List", "add", "remove", "size")


class TransactionalSetOperations(_TransactionalCollection):
    """What a transaction can do with a set."""

    service = "hz:impl:setService"
    _messages = _named("Set", "add", "remove", "size")


class SyncTransactional(SyncProxy):
    """Base of structures in transactions of a blocking client."""

    def __init__(
        self,
        client: SyncCaller,
        cluster: Cluster,
        name: str,
        transaction: TransactionOperations,
    ) -> None:
        super().__init__(client, cluster, name)
        self._transaction = transaction


class AsyncTransactional(AsyncProxy):
    """Base of structures in transactions of an asyncio client."""

    def __init__(
        self,
        client: AsyncCaller,
        cluster: Cluster,
        name: str,
        transaction: TransactionOperations,
    ) -> None:
        super().__init__(client, cluster, name)
        self._transaction = transaction


class TransactionalMap(TransactionalMapOperations, SyncTransactional):
    """A map in a transaction, for threads."""


class AsyncTransactionalMap(TransactionalMapOperations, AsyncTransactional):
    """A map in a transaction, for asyncio."""


class TransactionalMultiMap(TransactionalMultiMapOperations, SyncTransactional):
    """A multimap in a transaction, for threads."""


class AsyncTransactionalMultiMap(TransactionalMultiMapOperations, AsyncTransactional):
    """A multimap in a transaction, for asyncio."""


class TransactionalQueue(TransactionalQueueOperations, SyncTransactional):
    """A queue in a transaction, for threads."""


class AsyncTransactionalQueue(TransactionalQueueOperations, AsyncTransactional):
    """A queue in a transaction, for asyncio."""


class TransactionalList(TransactionalListOperations, SyncTransactional):
    """A list in a transaction, for threads."""


class AsyncTransactionalList(TransactionalListOperations, AsyncTransactional):
    """A list in a transaction, for asyncio."""


class TransactionalSet(TransactionalSetOperations, SyncTransactional):
    """A set in a transaction, for threads."""


class AsyncTransactionalSet(TransactionalSetOperations, AsyncTransactional):
    """A set in a transaction, for asyncio."""
