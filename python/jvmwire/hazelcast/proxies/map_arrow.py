"""A map's entries as Arrow arrays, with no object for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jvmwire._runtime.client import operation, operation_stream
from jvmwire.hazelcast.proxies.map_bulk import BulkOperations
from jvmwire.hazelcast.proxies.map_whole import (
    ENTRIES_WHERE,
    ENTRY_SET,
    FETCH_BATCH,
    VALUES,
    VALUES_WHERE,
    WholeOperations,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._core import Array, HazelcastEntryColumns
    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.codec.arrow import ArrowArray


class ArrowOperations(BulkOperations, WholeOperations):
    """What can be done with many entries of a map as Arrow arrays.

    Arrays are of the types of what is in them (`SerializationService.to_arrow`): what no array can
    hold is a `ValueError`.
    """

    @operation
    def arrow_get_all(self, keys: Iterable[object] | ArrowArray) -> Operation[tuple[Array, Array]]:
        """Return the keys that are there, in any order, and what stands under each: two arrays."""
        gathered = yield from self._gather_all(self._datas_of(keys))
        return self._cluster.serialization.read_columns(gathered)

    @operation
    def arrow_put_all(
        self, keys: Iterable[object] | ArrowArray, values: Iterable[object] | ArrowArray
    ) -> Operation[None]:
        """Put each of `values` under the key at its place.

        As with `put_all`, on an error some may be there and some not. Of a key that is there twice,
        the last value stays. `ValueError` for a null.
        """
        yield from self._put_datas(self._datas_of(keys), self._datas_of(values))

    @operation
    def arrow_values(self, predicate: object = None) -> Operation[Array]:
        """Return the values, or those that a predicate finds, as an array."""
        gathered = yield from self._gather(VALUES, VALUES_WHERE, predicate)
        return self._cluster.serialization.read_columns(gathered)[1]

    @operation
    def arrow_entry_set(self, predicate: object = None) -> Operation[tuple[Array, Array]]:
        """Return keys and values, or those that a predicate finds, as two arrays.

        All of them at once, in one message: `arrow_entries` hands out a large map in pieces.
        """
        gathered = yield from self._gather(ENTRY_SET, ENTRIES_WHERE, predicate)
        return self._cluster.serialization.read_columns(gathered)

    @operation_stream
    def arrow_entries(
        self,
        *,
        batch: int = FETCH_BATCH,
        partition_ids: Iterable[int] | None = None,
        approximate: bool = False,
    ) -> OperationStream[tuple[Array, Array]]:
        """Yield what `entries` does, with its arguments: an array of keys and one of values.

        A piece is about `batch` entries of one partition at most, and its arrays are of the types
        of what is in it.
        """

        def read(gathered: HazelcastEntryColumns) -> list[tuple[Array, Array]]:
            return [self._cluster.serialization.read_columns(gathered)]

        yield from self._pieces(batch, partition_ids, read, approximate=approximate)

    def _datas_of(self, values: Iterable[object] | ArrowArray) -> ArrowArray | list[bytes]:
        if hasattr(values, "__arrow_c_array__"):
            return self._cluster.serialization.from_arrow(cast("ArrowArray", values))
        return self._datas(values)
