"""A map, many keys at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastGathered, HazelcastMessage, hazelcast_pack
from jvmwire.client import operation
from jvmwire.hazelcast.bulk import call_all, send_all
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.proxies.proxy import UNSET, Proxy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    from jvmwire.codec.arrow import ArrowArray
    from jvmwire.operations import Operation

    T = TypeVar("T")

_named = HazelcastMessage.named

SET = _named("Map.set")
GET = _named("Map.get")
GET_ALL = _named("Map.getAll")
PUT_ALL = _named("Map.putAll")
LOAD_ALL = _named("Map.loadAll")
LOAD_KEYS = _named("Map.loadGivenKeys")


class BulkOperations(Proxy):
    """What can be done with many keys of a map: all in flight together."""

    @operation
    def get_all(self, keys: Iterable[object]) -> Operation[dict[Any, Any]]:
        """Return what stands under `keys`; what is not there is left out."""
        gathered = yield from self._gather_all(self._datas(keys))
        return dict(self._cluster.serialization.take_entries(gathered))

    def _gather_all(self, datas: ArrowArray | list[bytes]) -> Operation[HazelcastGathered]:
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        gathered = HazelcastGathered(GET_ALL.response)
        requests = [
            Request(GET_ALL, (self.name, packed), at, repeatable=True, gathered=gathered)
            for at, packed in hazelcast_pack(datas, None, cluster.partitions.count).items()
        ]
        yield from call_all(cluster, requests)
        return gathered

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries; not as one: on an error some may be there and some not."""
        yield from self._put_datas(self._datas(entries.keys()), self._datas(entries.values()))

    def _put_datas(
        self, keys: ArrowArray | list[bytes], values: ArrowArray | list[bytes]
    ) -> Operation[None]:
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        packed = hazelcast_pack(keys, values, cluster.partitions.count)
        redo = cluster.options.redo
        requests = [
            Request(PUT_ALL, (self.name, pairs), at, repeatable=redo)
            for at, pairs in packed.items()
        ]
        yield from call_all(cluster, requests)

    @operation
    def get_many(self, keys: Iterable[object]) -> Operation[list[Any]]:
        """Return what stands under each of `keys`, in their order: a `get` a key, all in flight."""
        return self._objects((yield from self._get_datas(self._datas(keys))))

    def _get_datas(self, keys: list[bytes]) -> Operation[list[bytes | None]]:
        caller = self._caller_id()
        yield from self._cluster.create_proxy(self.service, self.name)
        rows = [(self.name, key, caller) for key in keys]
        return (yield from send_all(self._cluster, GET, rows, repeatable=True))

    @operation
    def put_many(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries: a `set` an entry, all in flight; on an error some are there."""
        caller = self._caller_id()
        yield from self._cluster.create_proxy(self.service, self.name)
        keys, values = self._datas(entries.keys()), self._datas(entries.values())
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
