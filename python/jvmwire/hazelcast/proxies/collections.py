"""IQueue, IList, ISet: items in one partition, that of the name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import at_least
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, ItemEvent, Proxy, SyncProxy, milliseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._runtime.operations import Operation


class CollectionOperations(Proxy):
    """What queues, lists and sets have in common."""

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
        """Return how many items there are."""
        size: int = yield from self._value(self._messages["size"], read=True)
        return size

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether there is no item."""
        empty: bool = yield from self._value(self._messages["isEmpty"], read=True)
        return empty

    @operation
    def contains(self, item: object) -> Operation[bool]:
        """Return whether `item` is in it."""
        told = self._data(item)
        found: bool = yield from self._value(self._messages["contains"], told, read=True)
        return found

    @operation
    def contains_all(self, items: Iterable[object]) -> Operation[bool]:
        """Return whether all of `items` are in it."""
        told = self._datas(items)
        found: bool = yield from self._value(self._messages["containsAll"], told, read=True)
        return found

    @operation
    def add_all(self, items: Iterable[object]) -> Operation[bool]:
        """Add items in their order; return whether anything changed."""
        changed: bool = yield from self._value(self._messages["addAll"], self._datas(items))
        return changed

    @operation
    def remove(self, item: object) -> Operation[bool]:
        """Remove the first that is `item`; return whether there was one."""
        removed: bool = yield from self._value(self._messages["remove"], self._data(item))
        return removed

    @operation
    def remove_all(self, items: Iterable[object]) -> Operation[bool]:
        """Remove all that are one of `items`; return whether anything changed."""
        told = self._datas(items)
        changed: bool = yield from self._value(self._messages["compareAndRemoveAll"], told)
        return changed

    @operation
    def retain_all(self, items: Iterable[object]) -> Operation[bool]:
        """Remove all that are none of `items`; return whether anything changed."""
        told = self._datas(items)
        changed: bool = yield from self._value(self._messages["compareAndRetainAll"], told)
        return changed

    @operation
    def clear(self) -> Operation[None]:
        """Remove every item."""
        yield from self._ask(self._messages["clear"])

    @operation
    def add_item_listener(
        self, callback: Callable[[ItemEvent], Any], *, include_value: bool = True
    ) -> Operation[str]:
        """Call `callback` with each item that comes or goes; return the listener's id."""
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
    """What can be done with a queue."""

    service = "hz:impl:queueService"
    _messages = CollectionOperations._named(
        "Queue",
        *("offer", "put", "poll", "take", "peek", "iterator"),
        *("drainTo", "drainToMaxSize", "remainingCapacity"),
    )

    @operation
    def offer(self, item: object, *, timeout: float = 0.0) -> Operation[bool]:
        """Add an item; return whether there was room for it within `timeout` seconds."""
        told = self._data(item), milliseconds(timeout, "timeout")
        done: bool = yield from self._value(self._messages["offer"], *told)
        return done

    @operation
    def put(self, item: object) -> Operation[None]:
        """Add an item, once there is room."""
        yield from self._ask(self._messages["put"], self._data(item))

    @operation
    def poll(self, *, timeout: float = 0.0) -> Operation[Any]:
        """Remove the first item and return it, or None if none comes within `timeout` seconds.

        An item that comes to who waits no longer is put back, as by `take`.
        """
        return self._object((yield from self._removed("poll", milliseconds(timeout, "timeout"))))

    @operation
    def take(self) -> Operation[Any]:
        """Remove the first item and return it, once there is one.

        How long this waits, the client's timeout says: `client.within(None)` waits for ever.
        An item that comes to who waits no longer is put back as soon as the client hears of it,
        behind all others; it is lost if the client or its connection is by then.
        """
        return self._object((yield from self._removed("take")))

    @operation
    def peek(self) -> Operation[Any]:
        """Return the first item, or None."""
        return (yield from self._item("peek", read=True))

    @operation
    def get_all(self) -> Operation[list[Any]]:
        """Return all items, in order."""
        return (yield from self._items("iterator"))

    @operation
    def drain(self, limit: int | None = None) -> Operation[list[Any]]:
        """Remove all items, or the first `limit`, and return them.

        Items that come to who waits no longer are put back, as by `take`.
        """
        if limit is None:
            return self._objects((yield from self._removed("drainTo")))
        return self._objects(
            (yield from self._removed("drainToMaxSize", at_least("limit", limit, 0)))
        )

    @operation
    def remaining_capacity(self) -> Operation[int]:
        """Return how many items there is still room for."""
        room: int = yield from self._value(self._messages["remainingCapacity"], read=True)
        return room

    def _removed(self, name: str, *rest: Any) -> Operation[Any]:
        """Ask for what leaves the queue by that; it is put back if nobody waits for it any more."""
        [found] = yield from self._claim(self._messages[name], *rest, undo=self._put_back)
        return found

    def _put_back(self, fields: tuple[Any, ...]) -> Operation[None]:
        [found] = fields
        for item in found if isinstance(found, list) else fields:
            if item is not None:
                yield from self._ask(self._messages["put"], item)


class ListOperations(CollectionOperations):
    """What can be done with a list."""

    service = "hz:impl:listService"
    _messages = CollectionOperations._named(
        "List",
        *("add", "getAll", "addAllWithIndex", "get", "set", "addWithIndex", "removeWithIndex"),
        *("lastIndexOf", "indexOf", "sub"),
    )

    @operation
    def add(self, item: object, *, index: int | None = None) -> Operation[bool]:
        """Add an item at the end, or before the one at `index`."""
        if index is None:
            done: bool = yield from self._value(self._messages["add"], self._data(item))
            return done
        yield from self._ask(
            self._messages["addWithIndex"], at_least("index", index, 0), self._data(item)
        )
        return True

    @operation
    def insert_all(self, index: int, items: Iterable[object]) -> Operation[bool]:
        """Add items before the one at `index`; return whether anything changed."""
        told = at_least("index", index, 0), self._datas(items)
        changed: bool = yield from self._value(self._messages["addAllWithIndex"], *told)
        return changed

    @operation
    def get(self, index: int) -> Operation[Any]:
        """Return the item at `index`.

        Raises:
            IndexOutOfBounds: there is none.
        """
        return (yield from self._item("get", at_least("index", index, 0), read=True))

    @operation
    def set(self, index: int, item: object) -> Operation[Any]:
        """Put `item` in the place of the one at `index`, which is returned."""
        return (yield from self._item("set", at_least("index", index, 0), self._data(item)))

    @operation
    def remove_at(self, index: int) -> Operation[Any]:
        """Remove the item at `index` and return it."""
        return (yield from self._item("removeWithIndex", at_least("index", index, 0)))

    @operation
    def index_of(self, item: object) -> Operation[int]:
        """Return where `item` stands first; -1 is nowhere."""
        at: int = yield from self._value(self._messages["indexOf"], self._data(item))
        return at

    @operation
    def last_index_of(self, item: object) -> Operation[int]:
        """Return where `item` stands last; -1 is nowhere."""
        at: int = yield from self._value(self._messages["lastIndexOf"], self._data(item))
        return at

    @operation
    def sub_list(self, start: int, stop: int) -> Operation[list[Any]]:
        """Return the items from `start` to before `stop`."""
        return (
            yield from self._items("sub", at_least("start", start, 0), at_least("stop", stop, 0))
        )

    @operation
    def get_all(self) -> Operation[list[Any]]:
        """Return all items, in order."""
        return (yield from self._items("getAll"))


class SetOperations(CollectionOperations):
    """What can be done with a set."""

    service = "hz:impl:setService"
    _messages = CollectionOperations._named("Set", "add", "getAll")

    @operation
    def add(self, item: object) -> Operation[bool]:
        """Add an item; return whether it was not there."""
        added: bool = yield from self._value(self._messages["add"], self._data(item))
        return added

    @operation
    def get_all(self) -> Operation[list[Any]]:
        """Return all items, in no order."""
        return (yield from self._items("getAll"))


class Queue(QueueOperations, SyncProxy):
    """A queue of the cluster, for threads."""


class AsyncQueue(QueueOperations, AsyncProxy):
    """A queue of the cluster, for asyncio."""


class List(ListOperations, SyncProxy):
    """A list of the cluster, for threads."""


class AsyncList(ListOperations, AsyncProxy):
    """A list of the cluster, for asyncio."""


class Set(SetOperations, SyncProxy):
    """A set of the cluster, for threads."""


class AsyncSet(SetOperations, AsyncProxy):
    """A set of the cluster, for asyncio."""
