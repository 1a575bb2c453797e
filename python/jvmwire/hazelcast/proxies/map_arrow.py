"""A map's entries as Arrow arrays, with no object for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jvmwire._core import HazelcastGathered, HazelcastMessage, hazelcast_pack
from jvmwire.client import operation, stream
from jvmwire.errors import ConfigError
from jvmwire.hazelcast.bulk import call_all
from jvmwire.hazelcast.commands import NO_PARTITION, Request
from jvmwire.hazelcast.proxies.map_bulk import GET_ALL, PUT_ALL
from jvmwire.hazelcast.proxies.map_queries import QueryOperations
from jvmwire.hazelcast.proxies.map_whole import (
    ENTRIES_WHERE,
    ENTRY_SET,
    FETCH_BATCH,
    FETCH_ENTRIES,
    FETCHES,
    FIRST_INDEX,
    VALUES,
    VALUES_WHERE,
)
from jvmwire.operations import Emit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._core import Array
    from jvmwire.codec.arrow import ArrowArray
    from jvmwire.operations import Emission, Operation


class ArrowOperations(QueryOperations):
    """What can be done with many entries of a map as Arrow arrays.

    Arrays are of the types of what is in them (`SerializationService.to_arrow`): what no array can
    hold is a `ValueError`.
    """

    @operation
    def arrow_get_all(self, keys: Iterable[object] | ArrowArray) -> Operation[tuple[Array, Array]]:
        """Return the keys that are there, in any order, and what stands under each: two arrays."""
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        datas: Any = self._datas_of(keys)
        gathered = HazelcastGathered(GET_ALL.response)
        requests = [
            Request(GET_ALL, (self.name, packed), at, repeatable=True, gathered=gathered)
            for at, packed in hazelcast_pack(datas, None, cluster.partitions.count).items()
        ]
        yield from call_all(cluster, requests)
        return cluster.serialization.read_gathered(gathered)

    @operation
    def arrow_put_all(
        self, keys: Iterable[object] | ArrowArray, values: Iterable[object] | ArrowArray
    ) -> Operation[None]:
        """Put each of `values` under the key at its place.

        As with `put_all`, on an error some may be there and some not. Of a key that is there twice,
        the last value stays. `ValueError` for a null.
        """
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        datas: Any = self._datas_of(keys)
        packed = hazelcast_pack(datas, self._datas_of(values), cluster.partitions.count)
        redo = cluster.options.redo
        requests = [
            Request(PUT_ALL, (self.name, pairs), at, repeatable=redo)
            for at, pairs in packed.items()
        ]
        yield from call_all(cluster, requests)

    @operation
    def arrow_values(self, predicate: object = None) -> Operation[Array]:
        """Return the values, or those that a predicate finds, as an array."""
        _, values = yield from self._gather(VALUES, VALUES_WHERE, predicate)
        return values

    @operation
    def arrow_entry_set(self, predicate: object = None) -> Operation[tuple[Array, Array]]:
        """Return keys and values, or those that a predicate finds, as two arrays.

        All of them at once, in one message: `arrow_entries` hands out a large map in pieces.
        """
        return (yield from self._gather(ENTRY_SET, ENTRIES_WHERE, predicate))

    @stream
    def arrow_entries(self, *, batch: int = FETCH_BATCH) -> Emission[tuple[Array, Array]]:
        """Yield every entry as `entries` does, in pieces: an array of keys, one of values.

        A piece is at most `batch` entries of one partition, and its arrays are of the types of what
        is in it.
        """
        if batch < 1:
            raise ConfigError(f"batch is {batch}: there is at least one entry to a batch")
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        if cluster.oldest_version() < FETCHES:
            columns = yield from self._gather(ENTRY_SET, ENTRIES_WHERE, None)
            if len(columns[0]):
                yield Emit(columns)
            return
        for partition_id in range(cluster.partitions.count):
            index, count = FIRST_INDEX, 1
            while index >= 0 and count:
                fields = (self.name, partition_id, index, batch)
                gathered = HazelcastGathered(FETCH_ENTRIES.response)
                request = Request(
                    FETCH_ENTRIES, fields, partition_id, repeatable=True, gathered=gathered
                )
                index, count = yield from cluster.call(request)
                if count:
                    yield Emit(cluster.serialization.read_gathered(gathered))

    def _gather(
        self, all_: HazelcastMessage, where: HazelcastMessage, predicate: object
    ) -> Operation[tuple[Array, Array]]:
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        message, told = all_, []
        if predicate is not None:
            message, told = where, [self._data(predicate)]
        key = self._partition_key(predicate)
        at = NO_PARTITION if key is None else cluster.partition_of(key)
        gathered = HazelcastGathered(message.response)
        fields = (self.name, *told)
        yield from cluster.call(Request(message, fields, at, repeatable=True, gathered=gathered))
        return cluster.serialization.read_gathered(gathered)

    def _datas_of(self, values: Iterable[object] | ArrowArray) -> ArrowArray | list[bytes]:
        if hasattr(values, "__arrow_c_array__"):
            return self._cluster.serialization.from_arrow(cast("ArrowArray", values))
        return self._datas(values)
