"""Lists and sets of a double: `com.hazelcast.collection.impl`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._entries import identity
from jvmwire.hazelcast.testing._items import ADDED, REMOVED, CollectionService

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call


class Lists(CollectionService[list[bytes]]):
    """Lists, and the calls of clients to them."""

    name = "hz:impl:listService"

    def _new(self, name: str) -> list[bytes]:
        return []

    def _drop(self, name: str, structure: list[bytes]) -> None:
        self._cluster.budget.give_back(len(structure), sum(map(len, structure)))

    def _item(self, name: str, index: int, *, also_end: bool = False) -> list[bytes]:
        """Return the items of a list that has one at an index."""
        items = self._find(name)
        if not 0 <= index < len(items) + also_end:
            raise java.refuse(java.INDEX_OUT_OF_BOUNDS, f"Index: {index}, Size: {len(items)}")
        return items

    def size(self, call: Call, name: str) -> int:
        return len(self._find(name))

    def is_empty(self, call: Call, name: str) -> bool:
        return not self._find(name)

    def get_all(self, call: Call, name: str) -> list[bytes]:
        return list(self._find(name))

    iterator = get_all

    def list_iterator(self, call: Call, name: str, index: int) -> list[bytes]:
        return self._item(name, index, also_end=True)[index:]

    def sub(self, call: Call, name: str, start: int, end: int) -> list[bytes]:
        items = self._find(name)
        if not 0 <= start <= end <= len(items):
            text = f"fromIndex: {start}, toIndex: {end}, Size: {len(items)}"
            raise java.refuse(java.INDEX_OUT_OF_BOUNDS, text)
        return items[start:end]

    def get(self, call: Call, name: str, index: int) -> bytes:
        return self._item(name, index)[index]

    def set(self, call: Call, name: str, index: int, value: bytes) -> bytes:
        items = self._item(name, index)
        old = items[index]
        self._count(value)
        items[index] = value
        self._tell(name, old, REMOVED)
        self._tell(name, value, ADDED)
        return old

    def index_of(self, call: Call, name: str, value: bytes) -> int:
        places = enumerate(self._find(name))
        return next((at for at, item in places if identity(item) == identity(value)), -1)

    def last_index_of(self, call: Call, name: str, value: bytes) -> int:
        items = self._find(name)
        places = range(len(items) - 1, -1, -1)
        return next((at for at in places if identity(items[at]) == identity(value)), -1)

    def contains(self, call: Call, name: str, value: bytes) -> bool:
        return self.index_of(call, name, value) >= 0

    def contains_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return {identity(item) for item in self._find(name)} >= {*map(identity, values)}

    def add(self, call: Call, name: str, value: bytes) -> bool:
        return self.add_all(call, name, [value])

    def add_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self.add_all_with_index(call, name, len(self._find(name)), values)

    def add_with_index(self, call: Call, name: str, index: int, value: bytes) -> None:
        self.add_all_with_index(call, name, index, [value])

    def add_all_with_index(self, call: Call, name: str, index: int, values: list[bytes]) -> bool:
        items = self._item(name, index, also_end=True)
        self._cluster.budget.take(len(values), sum(map(len, values)))
        items[index:index] = values
        for value in values:
            self._tell(name, value, ADDED)
        return bool(values)

    def remove(self, call: Call, name: str, value: bytes) -> bool:
        index = self.index_of(call, name, value)
        if index >= 0:
            self._tell(name, self._find(name).pop(index), REMOVED)
        return index >= 0

    def remove_with_index(self, call: Call, name: str, index: int) -> bytes:
        # Members do not name the item in this event, and send it even if there is no such index.
        self._send(name, None, REMOVED)
        item = self._item(name, index).pop(index)
        self._cluster.budget.give_back(1, len(item))
        return item

    def clear(self, call: Call, name: str) -> None:
        self._keep(name, [], keeps=True)

    def compare_and_remove_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._keep(name, values, keeps=False)

    def compare_and_retain_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._keep(name, values, keeps=True)

    def _keep(self, name: str, values: list[bytes], *, keeps: bool) -> bool:
        """Keep the items that are among the values, or those that are not."""
        items, among = self._find(name), {*map(identity, values)}
        removed = [item for item in items if (identity(item) in among) is not keeps]
        items[:] = [item for item in items if (identity(item) in among) is keeps]
        for item in removed:
            self._tell(name, item, REMOVED)
        return bool(removed)


class Sets(CollectionService[dict[bytes, bytes]]):
    """Sets, and the calls of clients to them."""

    name = "hz:impl:setService"

    def _new(self, name: str) -> dict[bytes, bytes]:
        return {}

    def _drop(self, name: str, structure: dict[bytes, bytes]) -> None:
        self._cluster.budget.give_back(len(structure), sum(map(len, structure.values())))

    def size(self, call: Call, name: str) -> int:
        return len(self._find(name))

    def is_empty(self, call: Call, name: str) -> bool:
        return not self._find(name)

    def get_all(self, call: Call, name: str) -> list[bytes]:
        return list(self._find(name).values())

    def contains(self, call: Call, name: str, value: bytes) -> bool:
        return identity(value) in self._find(name)

    def contains_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._find(name).keys() >= {*map(identity, values)}

    def add(self, call: Call, name: str, value: bytes) -> bool:
        items = self._find(name)
        if identity(value) in items:
            return False
        self._count(value)
        items[identity(value)] = value
        self._tell(name, value, ADDED)
        return True

    def add_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        items = self._find(name)
        new = [value for value in values if identity(value) not in items]
        several = {identity(value): value for value in reversed(new)}
        self._cluster.budget.take(len(several), sum(map(len, several.values())))
        items.update(reversed(several.items()))
        for value in new:  # members send an event for each, for equal ones too
            self._tell(name, value, ADDED)
        return bool(new)

    def remove(self, call: Call, name: str, value: bytes) -> bool:
        item = self._find(name).pop(identity(value), None)
        if item is not None:
            self._tell(name, item, REMOVED)
        return item is not None

    def clear(self, call: Call, name: str) -> None:
        self._remove_where(name, set(self._find(name)))

    def compare_and_remove_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._remove_where(name, self._find(name).keys() & {*map(identity, values)})

    def compare_and_retain_all(self, call: Call, name: str, values: list[bytes]) -> bool:
        return self._remove_where(name, self._find(name).keys() - {*map(identity, values)})

    def _remove_where(self, name: str, among: set[bytes]) -> bool:
        items = self._find(name)
        for each in [each for each in items if each in among]:
            self._tell(name, items.pop(each), REMOVED)
        return bool(among)
