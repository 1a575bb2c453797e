"""Data structures within a transaction, whose changes are applied at its commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import Caller, operation
from jvmwire.hazelcast._proxies.proxy import ClientProxy, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity
from jvmwire.hazelcast.predicates import without_pages

if TYPE_CHECKING:
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._cluster import Cluster


def _named(kind: str, *names: str) -> dict[str, HazelcastMessage]:
    return {name: HazelcastMessage.named(f"Transactional{kind}.{name}") for name in names}


_CHANGE = frozenset(
    ("put", "set", "putIfAbsent", "replace", "replaceIfSame", "remove", "delete", "removeIfSame")
)
"""Requests of a transactional map that change the entry of their key."""


class _Transaction(Protocol):
    """Interface of a transaction for its structures, implemented by `TransactionOperations`."""

    def ask(
        self, message: HazelcastMessage, name: str, *rest: Any, read: bool
    ) -> Operation[tuple[Any, ...]]:
        """Make a call within the transaction."""

    def note_changed(self, name: str, key: bytes) -> None:
        """Invalidate a key in the map's near cache when the transaction ends."""


class _Transactional(ClientProxy):
    """Base of structures within a transaction."""

    _messages: dict[str, HazelcastMessage]

    def __init__(
        self,
        client: Caller,
        cluster: Cluster,
        name: str,
        transaction: _Transaction,
    ) -> None:
        super().__init__(client, cluster, name)
        self._transaction = transaction

    def _ask(
        self, message: HazelcastMessage, *rest: Any, read: bool = False
    ) -> Operation[tuple[Any, ...]]:
        return (yield from self._transaction.ask(message, self.name, *rest, read=read))

    def _invoke(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        return (yield from self._value(self._messages[name], *rest, read=read))

    def _item(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        return self._object((yield from self._invoke(name, *rest, read=read)))

    def _items(self, name: str, *rest: Any, read: bool = False) -> Operation[list[Any]]:
        return self._objects((yield from self._invoke(name, *rest, read=read)))

    @operation
    def size(self) -> Operation[int]:
        """Return the number of entries or items.

        Returns:
            The number.
        """
        size: int = yield from self._invoke("size", read=True)
        return size


class TransactionalMapOperations(_Transactional):
    """Operations of a map within a transaction."""

    service = "hz:impl:mapService"

    def _invoke(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        if name in _CHANGE:
            self._transaction.note_changed(self.name, rest[0])
        return (yield from super()._invoke(name, *rest, read=read))

    _messages = _named(
        "Map",
        *("containsKey", "get", "getForUpdate", "size", "isEmpty", "put", "set", "putIfAbsent"),
        *("replace", "replaceIfSame", "remove", "delete", "removeIfSame"),
        *("keySet", "keySetWithPredicate", "values", "valuesWithPredicate"),
    )

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return the value under `key`.

        Args:
            key: Key of the entry.

        Returns:
            The value, or None if there is no entry.
        """
        return (yield from self._item("get", self._data(key), read=True))

    @operation
    def get_for_update(self, key: object) -> Operation[Any]:
        """Return the value under `key`, and lock the key until the transaction ends.

        Args:
            key: Key of the entry.

        Returns:
            The value, or None if there is no entry.
        """
        return (yield from self._item("getForUpdate", self._data(key)))

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether the map has an entry of `key`.

        Args:
            key: Key of the entry.

        Returns:
            True if there is an entry.
        """
        found: bool = yield from self._invoke("containsKey", self._data(key), read=True)
        return found

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether the map has no entries.

        Returns:
            True if there is no entry.
        """
        empty: bool = yield from self._invoke("isEmpty", read=True)
        return empty

    @operation
    def put(
        self, key: object, value: object, *, ttl: float | timedelta | None = None
    ) -> Operation[Any]:
        """Put `value` under `key` and return the old value.

        Args:
            key: Key of the entry.
            value: New value.
            ttl: Seconds until the entry expires; None takes the map's configuration.

        Returns:
            The old value, or None.
        """
        rest = self._data(key), self._data(value), milliseconds(ttl, "ttl")
        return (yield from self._item("put", *rest))

    @operation
    def set(self, key: object, value: object) -> Operation[None]:
        """Put `value` under `key` without fetching the old value.

        Args:
            key: Key of the entry.
            value: New value.
        """
        yield from self._invoke("set", self._data(key), self._data(value))

    @operation
    def put_if_absent(self, key: object, value: object) -> Operation[Any]:
        """Put `value` under `key` if there is no entry.

        Args:
            key: Key of the entry.
            value: New value.

        Returns:
            None if `value` was put, otherwise the existing value.
        """
        return (yield from self._item("putIfAbsent", self._data(key), self._data(value)))

    @operation
    def replace(self, key: object, value: object) -> Operation[Any]:
        """Replace the value under `key` if there is an entry.

        Args:
            key: Key of the entry.
            value: New value.

        Returns:
            The old value, or None if there was no entry.
        """
        return (yield from self._item("replace", self._data(key), self._data(value)))

    @operation
    def replace_if_same(self, key: object, old: object, new: object) -> Operation[bool]:
        """Replace the value under `key` if it equals `old`.

        Args:
            key: Key of the entry.
            old: Value that the entry must have.
            new: New value.

        Returns:
            True if the value was replaced.
        """
        fields = self._data(key), self._data(old), self._data(new)
        done: bool = yield from self._invoke("replaceIfSame", *fields)
        return done

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove the entry of `key` and return its value.

        Args:
            key: Key of the entry.

        Returns:
            The removed value, or None.
        """
        return (yield from self._item("remove", self._data(key)))

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove the entry of `key` without fetching its value.

        Args:
            key: Key of the entry.
        """
        yield from self._invoke("delete", self._data(key))

    @operation
    def remove_if_same(self, key: object, value: object) -> Operation[bool]:
        """Remove the entry of `key` if its value equals `value`.

        Args:
            key: Key of the entry.
            value: Value that the entry must have.

        Returns:
            True if the entry was removed.
        """
        done: bool = yield from self._invoke("removeIfSame", self._data(key), self._data(value))
        return done

    @operation
    def key_set(self, predicate: object = None) -> Operation[list[Any]]:
        """Return all keys, or the keys of the entries that match a predicate.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The keys, in no particular order.
        """
        if predicate is None:
            return (yield from self._items("keySet", read=True))
        data = self._data(without_pages(predicate))
        return (yield from self._items("keySetWithPredicate", data, read=True))

    @operation
    def values(self, predicate: object = None) -> Operation[list[Any]]:
        """Return all values, or the values of the entries that match a predicate.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The values, in no particular order.
        """
        if predicate is None:
            return (yield from self._items("values", read=True))
        data = self._data(without_pages(predicate))
        return (yield from self._items("valuesWithPredicate", data, read=True))


class TransactionalMultiMapOperations(_Transactional):
    """Operations of a multimap within a transaction."""

    service = "hz:impl:multiMapService"
    _messages = _named("MultiMap", "put", "get", "remove", "removeEntry", "valueCount", "size")

    @operation
    def put(self, key: object, value: object) -> Operation[bool]:
        """Add a value to a key.

        Args:
            key: Key of the value.
            value: Value to add.

        Returns:
            True if the multimap changed.
        """
        done: bool = yield from self._invoke("put", self._data(key), self._data(value))
        return done

    @operation
    def get(self, key: object) -> Operation[list[Any]]:
        """Return the values of a key.

        Args:
            key: Key of the values.

        Returns:
            The values; empty if there are none.
        """
        return (yield from self._items("get", self._data(key), read=True))

    @operation
    def remove(self, key: object) -> Operation[list[Any]]:
        """Remove and return the values of a key.

        Args:
            key: Key of the values.

        Returns:
            The removed values.
        """
        return (yield from self._items("remove", self._data(key)))

    @operation
    def remove_entry(self, key: object, value: object) -> Operation[bool]:
        """Remove one value of a key.

        Args:
            key: Key of the value.
            value: Value to remove.

        Returns:
            True if the key had this value.
        """
        done: bool = yield from self._invoke("removeEntry", self._data(key), self._data(value))
        return done

    @operation
    def value_count(self, key: object) -> Operation[int]:
        """Return the number of values of a key.

        Args:
            key: Key of the values.

        Returns:
            The number of values.
        """
        count: int = yield from self._invoke("valueCount", self._data(key), read=True)
        return count


class TransactionalQueueOperations(_Transactional):
    """Operations of a queue within a transaction."""

    service = "hz:impl:queueService"
    _messages = _named("Queue", "offer", "take", "poll", "peek", "size")

    @operation
    def offer(self, item: object, *, timeout: float | timedelta = 0.0) -> Operation[bool]:
        """Add an item at the end if there is room within `timeout` seconds.

        Args:
            item: Item to add.
            timeout: Seconds to wait for room.

        Returns:
            True if the item was added.
        """
        done: bool = yield from self._invoke(
            "offer", self._data(item), milliseconds(timeout, "timeout")
        )
        return done

    @operation
    def take(self) -> Operation[Any]:
        """Wait for an item, then remove and return the first one.

        Returns:
            The item.
        """
        return (yield from self._item("take"))

    @operation
    def poll(self, *, timeout: float | timedelta = 0.0) -> Operation[Any]:
        """Remove and return the first item, or None if there is none within `timeout` seconds.

        Args:
            timeout: Seconds to wait for an item.

        Returns:
            The item, or None.
        """
        return (yield from self._item("poll", milliseconds(timeout, "timeout")))

    @operation
    def peek(self, *, timeout: float | timedelta = 0.0) -> Operation[Any]:
        """Return the first item without removing it; wait up to `timeout` seconds for one.

        Args:
            timeout: Seconds to wait for an item.

        Returns:
            The item, or None.
        """
        return (yield from self._item("peek", milliseconds(timeout, "timeout")))


class _TransactionalCollection(_Transactional):
    """Operations that lists and sets within a transaction have in common."""

    @operation
    def add(self, item: object) -> Operation[bool]:
        """Add an item.

        Args:
            item: Item to add.

        Returns:
            True if the collection changed.
        """
        done: bool = yield from self._invoke("add", self._data(item))
        return done

    @operation
    def remove(self, item: object) -> Operation[bool]:
        """Remove an item.

        Args:
            item: Item to remove.

        Returns:
            True if the collection had the item.
        """
        done: bool = yield from self._invoke("remove", self._data(item))
        return done


class TransactionalListOperations(_TransactionalCollection):
    """Operations of a list within a transaction."""

    service = "hz:impl:listService"
    _messages = _named("List", "add", "remove", "size")


class TransactionalSetOperations(_TransactionalCollection):
    """Operations of a set within a transaction."""

    service = "hz:impl:setService"
    _messages = _named("Set", "add", "remove", "size")


class TransactionalMap(TransactionalMapOperations, ThreadIdentity):
    """A map in a transaction, for threads."""


class AsyncTransactionalMap(TransactionalMapOperations, TaskIdentity):
    """A map in a transaction, for asyncio."""


class TransactionalMultiMap(TransactionalMultiMapOperations, ThreadIdentity):
    """A multimap in a transaction, for threads."""


class AsyncTransactionalMultiMap(TransactionalMultiMapOperations, TaskIdentity):
    """A multimap in a transaction, for asyncio."""


class TransactionalQueue(TransactionalQueueOperations, ThreadIdentity):
    """A queue in a transaction, for threads."""


class AsyncTransactionalQueue(TransactionalQueueOperations, TaskIdentity):
    """A queue in a transaction, for asyncio."""


class TransactionalList(TransactionalListOperations, ThreadIdentity):
    """A list in a transaction, for threads."""


class AsyncTransactionalList(TransactionalListOperations, TaskIdentity):
    """A list in a transaction, for asyncio."""


class TransactionalSet(TransactionalSetOperations, ThreadIdentity):
    """A set in a transaction, for threads."""


class AsyncTransactionalSet(TransactionalSetOperations, TaskIdentity):
    """A set in a transaction, for asyncio."""
