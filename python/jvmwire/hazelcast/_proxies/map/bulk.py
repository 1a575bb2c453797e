"""Operations of a map on many keys, all in flight together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastEntryColumns, HazelcastMessage, hazelcast_pack
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._arguments import mapping
from jvmwire.hazelcast._bulk import call_partition_batches, send_all
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import UNSET, ClientProxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeVar

    from jvmwire._core import HazelcastPackedList
    from jvmwire._runtime.operations import Operation
    from jvmwire.codec._arrow import ArrowArray

    T = TypeVar("T")

_named = HazelcastMessage.named

SET = _named("Map.set")
GET = _named("Map.get")
GET_ALL = _named("Map.getAll")
PUT_ALL = _named("Map.putAll")
LOAD_ALL = _named("Map.loadAll")
LOAD_KEYS = _named("Map.loadGivenKeys")


class BulkOperations(ClientProxy):
    """Operations of a map on many keys, all in flight together."""

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Fetch the values of many keys as a dict.

        Keys that are equal in Python, such as 1 and True, are one key of the dict, though they may
        be different keys to members: `get_many` returns a value for each.

        Args:
            keys: Keys of the entries.

        Returns:
            Values by key; keys without an entry are left out.
        """
        gathered = yield from self._gather_all(self._datas(keys))
        return dict(self._cluster.serialization.take_entries(gathered))

    def _gather_all(self, datas: ArrowArray | list[bytes]) -> Operation[HazelcastEntryColumns]:
        gathered = HazelcastEntryColumns(GET_ALL.response)

        def request(at: int, keys: HazelcastPackedList) -> Request:
            return Request(GET_ALL, (self.name, keys), at, idempotent=True, gathered=gathered)

        yield from self._call_packed(datas, None, request)
        return gathered

    def _call_packed(
        self,
        keys: ArrowArray | list[bytes],
        values: ArrowArray | list[bytes] | None,
        request: Callable[[int, HazelcastPackedList], Request],
    ) -> Operation[None]:
        cluster, structure = self._cluster, (self.service, self.name)
        yield from cluster.create_proxy(*structure)
        count = cluster.partitions.count
        packed = hazelcast_pack(keys, values, count)
        yield from call_partition_batches(cluster, structure, packed, count, request)

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries, not atomically: after an error, a part of them may have been put.

        Args:
            entries: Values by key.
        """
        mapping("entries", entries)
        yield from self._put_datas(self._datas(entries.keys()), self._datas(entries.values()))

    def _put_datas(
        self, keys: ArrowArray | list[bytes], values: ArrowArray | list[bytes]
    ) -> Operation[None]:
        redo = self._cluster.options.redo

        def request(at: int, pairs: HazelcastPackedList) -> Request:
            return Request(PUT_ALL, (self.name, pairs), at, idempotent=redo)

        yield from self._call_packed(keys, values, request)

    @operation
    def get_many(self, keys: Iterable[object]) -> Operation[list[Any]]:
        """Fetch the value of each key with one `get` per key, all in flight together.

        Args:
            keys: Keys of the entries.

        Returns:
            The values in the order of `keys`, None for a key without an entry.
        """
        return self._objects((yield from self._get_datas(self._datas(keys))))

    def _get_datas(self, keys: list[bytes]) -> Operation[list[bytes | None]]:
        caller, structure = self._caller_id(), (self.service, self.name)
        rows = [(self.name, key, caller) for key in keys]
        return (yield from send_all(self._cluster, GET, rows, idempotent=True, structure=structure))

    @operation
    def put_many(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries with one `set` per entry, all in flight together.

        After an error, a part of the entries may have been put.

        Args:
            entries: Values by key.
        """
        caller, structure = self._caller_id(), (self.service, self.name)
        mapping("entries", entries)
        keys, values = self._datas(entries.keys()), self._datas(entries.values())
        rows = [
            (self.name, key, value, caller, UNSET) for key, value in zip(keys, values, strict=True)
        ]
        redo = self._cluster.options.redo
        yield from send_all(self._cluster, SET, rows, idempotent=redo, structure=structure)

    @operation
    def load_all(
        self, keys: Iterable[object] | None = None, *, replace_existing: bool = True
    ) -> Operation[None]:
        """Load entries from the map's store into the map.

        Args:
            keys: Keys to load; None loads all keys of the store.
            replace_existing: Whether loaded values replace entries of the map.
        """
        if keys is None:
            yield from self._ask(LOAD_ALL, replace_existing)
        else:
            yield from self._ask(LOAD_KEYS, self._datas(keys), replace_existing)
