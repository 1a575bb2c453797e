"""Operations of a map that exchange entries as Arrow arrays, without a Python object per entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jvmwire._runtime.client import operation, operation_stream
from jvmwire.hazelcast._proxies.map.arrow_entries import ArrowEntries
from jvmwire.hazelcast._proxies.map.bulk import BulkOperations
from jvmwire.hazelcast._proxies.map.views import (
    ENTRIES_WHERE,
    ENTRY_SET,
    FETCH_BATCH,
    VALUES,
    VALUES_WHERE,
    MapViews,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._core import Array, HazelcastEntryColumns
    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.codec._arrow import ArrowArray


class ArrowOperations(BulkOperations, MapViews):
    """Operations of a map that exchange many entries as Arrow arrays.

    The type of an array follows from its content (`SerializationService.to_arrow`); content that
    no array can hold raises `ValueError`.
    """

    @operation
    def arrow_get_all(self, keys: Iterable[object] | ArrowArray) -> Operation[ArrowEntries]:
        """Fetch the entries of many keys as two arrays.

        Args:
            keys: Keys of the entries.

        Returns:
            The keys that have an entry, in any order, and their values.

        Raises:
            ValueError: no array can hold the keys or the values.
        """
        gathered = yield from self._gather_all(self._datas_of(keys))
        return ArrowEntries(*self._cluster.serialization.read_columns(gathered))

    @operation
    def arrow_put_all(
        self, keys: Iterable[object] | ArrowArray, values: Iterable[object] | ArrowArray
    ) -> Operation[None]:
        """Put each of `values` under the key of the same row, not atomically.

        After an error, a part of the entries may have been put. Of a repeated key, the last
        value stays.

        Args:
            keys: Keys of the entries.
            values: Values of the entries, one per key.

        Raises:
            ValueError: a key or value is null.
        """
        yield from self._put_datas(self._datas_of(keys), self._datas_of(values))

    @operation
    def arrow_values(self, predicate: object = None) -> Operation[Array]:
        """Return all values, or the values that match a predicate, as an array.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            An array with one row per entry.

        Raises:
            ValueError: no array can hold the values.
        """
        gathered = yield from self._gather(VALUES, VALUES_WHERE, predicate)
        return self._cluster.serialization.read_columns(gathered)[1]

    @operation
    def arrow_entry_set(self, predicate: object = None) -> Operation[ArrowEntries]:
        """Return all entries, or those that match a predicate, as two arrays in one message.

        `arrow_entries` returns a large map in batches.

        Args:
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The keys and the values.

        Raises:
            ValueError: no array can hold the keys or the values.
        """
        gathered = yield from self._gather(ENTRY_SET, ENTRIES_WHERE, predicate)
        return ArrowEntries(*self._cluster.serialization.read_columns(gathered))

    @operation_stream
    def arrow_entries(
        self,
        *,
        batch: int = FETCH_BATCH,
        partition_ids: Iterable[int] | None = None,
        approximate: bool = False,
    ) -> OperationStream[ArrowEntries]:
        """Yield all entries, partition by partition, as pairs of arrays; see `entries`.

        A pair holds about `batch` entries of one partition at most, and its types follow from
        its content.

        Args:
            batch: Approximate number of entries per request.
            partition_ids: Partitions to read; all by default.
            approximate: Read the partitions' hash tables by index instead; see `entries`.

        Yields:
            The keys and the values.

        Raises:
            ConfigError: `batch`, a partition or the members' version does not fit; see
                `entries`.
            ValueError: no array can hold the keys or the values.
        """

        def read(gathered: HazelcastEntryColumns) -> list[ArrowEntries]:
            return [ArrowEntries(*self._cluster.serialization.read_columns(gathered))]

        yield from self._pieces(batch, partition_ids, read, approximate=approximate)

    def _datas_of(self, values: Iterable[object] | ArrowArray) -> ArrowArray | list[bytes]:
        if hasattr(values, "__arrow_c_array__"):
            return self._cluster.serialization.from_arrow(cast("ArrowArray", values))
        return self._datas(values)
