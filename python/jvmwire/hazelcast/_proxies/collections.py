"""IQueue, IList and ISet: collections of items, each kept in the partition of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import ClientProxy, ItemEvent, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation


class CollectionOperations(ClientProxy):
    """Operations that queues, lists and sets have in common."""

    _messages: dict[str, HazelcastMessage]

    @staticmethod
    def _named(kind: str, *names: str) -> dict[str, HazelcastMessage]:
        common = [
            *("size", "isEmpty", "contains", "containsAll", "remove", "addAll", "clear"),
            *("compareAndRemoveAll", "compareAndRetainAll", "addListener", "removeListener"),
        ]
        return {name: HazelcastMessage.named(f"{kind}.{name}") for name in (*common, *names)}

    @operation
    def size(self) -> Operation[int]:
        """Return the number of items.

        Returns:
            The number of items.
        """
        size: int = yield from self._value(self._messages["size"], read=True)
        return size

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether the collection has no items.

        Returns:
            True if there is no item.
        """
        empty: bool = yield from self._value(self._messages["isEmpty"], read=True)
        return empty

    @operation
    def contains(self, item: object) -> Operation[bool]:
        """Return whether the collection contains `item`.

        Args:
            item: Item to search for.

        Returns:
            True if it is in the collection.
        """
        data = self._data(item)
        found: bool = yield from self._value(self._messages["contains"], data, read=True)
        return found

    @operation
    def contains_all(self, items: Iterable[object]) -> Operation[bool]:
        """Return whether the collection contains all of `items`.

        Args:
            items: Items to search for.

        Returns:
            True if all are in the collection.
        """
        datas = self._datas(items)
        found: bool = yield from self._value(self._messages["containsAll"], datas, read=True)
        return found

    @operation
    def add_all(self, items: Iterable[object]) -> Operation[bool]:
        """Add items in their order.

        Args:
            items: Items to add.

        Returns:
            True if the collection changed.
        """
        changed: bool = yield from self._value(self._messages["addAll"], self._datas(items))
        return changed

    @operation
    def remove(self, item: object) -> Operation[bool]:
        """Remove the first item that equals `item`.

        Args:
            item: Item to remove.

        Returns:
            True if there was such an item.
        """
        removed: bool = yield from self._value(self._messages["remove"], self._data(item))
        return removed

    @operation
    def remove_all(self, items: Iterable[object]) -> Operation[bool]:
        """Remove all items that equal one of `items`.

        Args:
            items: Items to remove.

        Returns:
            True if the collection changed.
        """
        datas = self._datas(items)
        changed: bool = yield from self._value(self._messages["compareAndRemoveAll"], datas)
        return changed

    @operation
    def retain_all(self, items: Iterable[object]) -> Operation[bool]:
        """Remove all items that equal none of `items`.

        Args:
            items: Items to keep.

        Returns:
            True if the collection changed.
        """
        datas = self._datas(items)
        changed: bool = yield from self._value(self._messages["compareAndRetainAll"], datas)
        return changed

    @operation
    def clear(self) -> Operation[None]:
        """Remove all items."""
        yield from self._ask(self._messages["clear"])

    @operation
    def add_item_listener(
        self, callback: Callable[[ItemEvent], Any], *, include_value: bool = True
    ) -> Operation[str]:
        """Call `callback` with each item that is added or removed.

        Args:
            callback: Function that takes an `ItemEvent`, or an `EventsLost` in the place of
                dropped events.
            include_value: Whether events contain the item.

        Returns:
            The registration id that `remove_listener` takes.
        """
        add, remove = self._messages["addListener"], self._messages["removeListener"]
        registration = yield from self._listen(
            add, remove, (include_value,), self._item_event, callback
        )
        return registration.id

    def _items(self, name: str, *rest: Any) -> Operation[list[Any]]:
        datas = yield from self._value(self._messages[name], *rest, read=True)
        return self._objects(datas)

    def _item(self, name: str, *rest: Any, read: bool = False) -> Operation[Any]:
        return self._object((yield from self._value(self._messages[name], *rest, read=read)))


class QueueOperations(CollectionOperations):
    """Operations of a queue."""

    service = "hz:impl:queueService"
    _messages = CollectionOperations._named(
        "Queue",
        *("offer", "put", "poll", "take", "peek", "iterator"),
        *("drainTo", "drainToMaxSize", "remainingCapacity"),
    )

    @operation
    def offer(self, item: object, *, timeout: float | timedelta = 0.0) -> Operation[bool]:
        """Add an item at the end if there is room within `timeout` seconds.

        Args:
            item: Item to add.
            timeout: Seconds to wait for room.

        Returns:
            True if the item was added.
        """
        fields = self._data(item), milliseconds(timeout, "timeout")
        done: bool = yield from self._value(self._messages["offer"], *fields)
        return done

    @operation
    def put(self, item: object) -> Operation[None]:
        """Wait for room and add an item at the end.

        Args:
            item: Item to add.
        """
        yield from self._ask(self._messages["put"], self._data(item))

    @operation
    def poll(self, *, timeout: float | timedelta = 0.0) -> Operation[Any]:
        """Remove and return the first item, or None if there is none within `timeout` seconds.

        If an item arrives after the caller has stopped waiting, it is put back, as by `take`.

        Args:
            timeout: Seconds to wait for an item.

        Returns:
            The item, or None.
        """
        return self._object((yield from self._removed("poll", milliseconds(timeout, "timeout"))))

    @operation
    def take(self) -> Operation[Any]:
        """Wait for an item, then remove and return the first one.

        The client's timeout limits the wait: `client.within(None)` waits without limit. If an item
        arrives after the caller has stopped waiting, the client puts it back at the end of the
        queue as soon as the reply arrives; the item is lost if the client or its connection is
        closed by then.

        Returns:
            The item.
        """
        return self._object((yield from self._removed("take")))

    @operation
    def peek(self) -> Operation[Any]:
        """Return the first item without removing it.

        Returns:
            The item, or None.
        """
        return (yield from self._item("peek", read=True))

    @operation
    def get_all(self) -> Operation[list[Any]]:
        """Return all items, in order.

        Returns:
            The items.
        """
        return (yield from self._items("iterator"))

    @operation
    def drain(self, limit: int | None = None) -> Operation[list[Any]]:
        """Remove and return all items, or the first `limit` items.

        Items that arrive after the caller has stopped waiting are put back, as by `take`.

        Args:
            limit: Maximum number of items; None is without limit.

        Returns:
            The items, in order.
        """
        if limit is None:
            return self._objects((yield from self._removed("drainTo")))
        return self._objects(
            (yield from self._removed("drainToMaxSize", at_least("limit", limit, 0)))
        )

    @operation
    def remaining_capacity(self) -> Operation[int]:
        """Return the number of items for which there is room.

        Returns:
            The number of items.
        """
        room: int = yield from self._value(self._messages["remainingCapacity"], read=True)
        return room

    def _removed(self, name: str, *rest: Any) -> Operation[Any]:
        """Make a call that removes items, which are put back if the caller has stopped waiting."""
        [found] = yield from self._acquire_request(self._messages[name], *rest, undo=self._put_back)
        return found

    def _put_back(self, fields: tuple[Any, ...]) -> Operation[None]:
        [found] = fields
        for item in found if isinstance(found, list) else fields:
            if item is not None:
                yield from self._ask(self._messages["put"], item)


class ListOperations(CollectionOperations):
    """Operations of a list."""

    service = "hz:impl:listService"
    _messages = CollectionOperations._named(
        "List",
        *("add", "getAll", "addAllWithIndex", "get", "set", "addWithIndex", "removeWithIndex"),
        *("lastIndexOf", "indexOf", "sub"),
    )

    @operation
    def add(self, item: object, *, index: int | None = None) -> Operation[bool]:
        """Add an item at the end, or before the item at `index`.

        Args:
            item: Item to add.
            index: Index from 0; None is the end of the list.

        Returns:
            True if the list changed.
        """
        if index is None:
            done: bool = yield from self._value(self._messages["add"], self._data(item))
            return done
        yield from self._ask(
            self._messages["addWithIndex"], at_least("index", index, 0), self._data(item)
        )
        return True

    @operation
    def insert_all(self, index: int, items: Iterable[object]) -> Operation[bool]:
        """Insert items before the item at `index`.

        Args:
            index: Index from 0.
            items: Items to insert, in their order.

        Returns:
            True if the list changed.
        """
        fields = at_least("index", index, 0), self._datas(items)
        changed: bool = yield from self._value(self._messages["addAllWithIndex"], *fields)
        return changed

    @operation
    def get(self, index: int) -> Operation[Any]:
        """Return the item at `index`.

        Args:
            index: Index from 0.

        Returns:
            The item.

        Raises:
            IndexOutOfBounds: the list has no item at `index`.
        """
        return (yield from self._item("get", at_least("index", index, 0), read=True))

    @operation
    def set(self, index: int, item: object) -> Operation[Any]:
        """Replace the item at `index` and return the old one.

        Args:
            index: Index from 0.
            item: New item.

        Returns:
            The old item.
        """
        return (yield from self._item("set", at_least("index", index, 0), self._data(item)))

    @operation
    def remove_at(self, index: int) -> Operation[Any]:
        """Remove and return the item at `index`.

        Args:
            index: Index from 0.

        Returns:
            The removed item.
        """
        return (yield from self._item("removeWithIndex", at_least("index", index, 0)))

    @operation
    def index_of(self, item: object) -> Operation[int]:
        """Return the index of the first item that equals `item`.

        Args:
            item: Item to search for.

        Returns:
            Index from 0, or -1 if there is no such item.
        """
        at: int = yield from self._value(self._messages["indexOf"], self._data(item))
        return at

    @operation
    def last_index_of(self, item: object) -> Operation[int]:
        """Return the index of the last item that equals `item`.

        Args:
            item: Item to search for.

        Returns:
            Index from 0, or -1 if there is no such item.
        """
        at: int = yield from self._value(self._messages["lastIndexOf"], self._data(item))
        return at

    @operation
    def sub_list(self, start: int, stop: int) -> Operation[list[Any]]:
        """Return the items from `start` to `stop`, without the item at `stop`.

        Args:
            start: Index of the first item, from 0.
            stop: Index after the last item.

        Returns:
            The items, in order.
        """
        return (
            yield from self._items("sub", at_least("start", start, 0), at_least("stop", stop, 0))
        )

    @operation
    def get_all(self) -> Operation[list[Any]]:
        """Return all items, in order.

        Returns:
            The items.
        """
        return (yield from self._items("getAll"))


class SetOperations(CollectionOperations):
    """Operations of a set."""

    service = "hz:impl:setService"
    _messages = CollectionOperations._named("Set", "add", "getAll")

    @operation
    def add(self, item: object) -> Operation[bool]:
        """Add an item.

        Args:
            item: Item to add.

        Returns:
            True if the set did not contain the item.
        """
        added: bool = yield from self._value(self._messages["add"], self._data(item))
        return added

    @operation
    def get_all(self) -> Operation[list[Any]]:
        """Return all items, in no particular order.

        Returns:
            The items.
        """
        return (yield from self._items("getAll"))


class Queue(QueueOperations, ThreadIdentity):
    """A queue of the cluster, for threads."""


class AsyncQueue(QueueOperations, TaskIdentity):
    """A queue of the cluster, for asyncio."""


class List(ListOperations, ThreadIdentity):
    """A list of the cluster, for threads."""


class AsyncList(ListOperations, TaskIdentity):
    """A list of the cluster, for asyncio."""


class Set(SetOperations, ThreadIdentity):
    """A set of the cluster, for threads."""


class AsyncSet(SetOperations, TaskIdentity):
    """A set of the cluster, for asyncio."""
