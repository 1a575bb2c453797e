"""Operations that members execute on the entries of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._arguments import text
from jvmwire.hazelcast._proxies.map.queries import QueryOperations

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from jvmwire._runtime.operations import Operation

    T = TypeVar("T")

_named = HazelcastMessage.named

ADD_INTERCEPTOR = _named("Map.addInterceptor")
REMOVE_INTERCEPTOR = _named("Map.removeInterceptor")
EXECUTE_ON_KEY = _named("Map.executeOnKey")
EXECUTE_ON_KEYS = _named("Map.executeOnKeys")
EXECUTE_ON_ALL = _named("Map.executeOnAllKeys")
EXECUTE_WHERE = _named("Map.executeWithPredicate")
AGGREGATE = _named("Map.aggregate")
AGGREGATE_WHERE = _named("Map.aggregateWithPredicate")
PROJECT = _named("Map.project")
PROJECT_WHERE = _named("Map.projectWithPredicate")


class ProcessingOperations(QueryOperations):
    """Operations of a map that run on the members, as instances of the members' Java classes."""

    @operation
    def execute_on_key(self, key: object, processor: object) -> Operation[Any]:
        """Run an entry processor on the entry of `key`.

        Args:
            key: Key of the entry.
            processor: Serializable counterpart of a Java `EntryProcessor` of the members.

        Returns:
            The result of the entry processor.
        """
        data, structure = self._data(key), (self.service, self.name)
        fields = (self.name, self._data(processor), data, self._caller_id())
        [result] = yield from self._cluster.request(
            EXECUTE_ON_KEY, fields, key=data, structure=structure
        )
        return self._object(result)

    @operation
    def execute_on_keys(
        self, keys: Iterable[object], processor: object
    ) -> Operation[dict[Any, Any]]:
        """Run an entry processor on the entries of `keys`.

        Args:
            keys: Keys of the entries.
            processor: Serializable counterpart of a Java `EntryProcessor` of the members.

        Returns:
            The results of the entry processor by key.
        """
        fields = yield from self._ask(EXECUTE_ON_KEYS, self._data(processor), self._datas(keys))
        return dict(self._pairs(fields[0]))

    @operation
    def execute_on_entries(
        self, processor: object, predicate: object = None
    ) -> Operation[dict[Any, Any]]:
        """Run an entry processor on all entries, or on those that match a predicate.

        Args:
            processor: Serializable counterpart of a Java `EntryProcessor` of the members.
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The results of the entry processor by key.
        """
        if predicate is None:
            fields = yield from self._ask(EXECUTE_ON_ALL, self._data(processor))
        else:
            data = self._data(processor)
            fields = yield from self._ask_where(EXECUTE_WHERE, data, predicate=predicate)
        return dict(self._pairs(fields[0]))

    @operation
    def aggregate(self, aggregator: object, predicate: object = None) -> Operation[Any]:
        """Aggregate all entries, or those that match a predicate, on the members.

        Args:
            aggregator: Aggregator of `jvmwire.hazelcast.aggregators`, or a serializable object.
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The result of the aggregator.
        """
        fields = (self._data(aggregator),)
        if predicate is None:
            [result] = yield from self._ask(AGGREGATE, *fields)
        else:
            [result] = yield from self._ask_where(AGGREGATE_WHERE, *fields, predicate=predicate)
        return self._object(result)

    @operation
    def project(self, projection: object, predicate: object = None) -> Operation[list[Any]]:
        """Apply a projection to all entries, or to those that match a predicate, on the members.

        Args:
            projection: Projection of `jvmwire.hazelcast.projections`, or a serializable object.
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            One result of the projection per entry.
        """
        fields = (self._data(projection),)
        if predicate is None:
            [results] = yield from self._ask(PROJECT, *fields)
        else:
            [results] = yield from self._ask_where(PROJECT_WHERE, *fields, predicate=predicate)
        return self._objects(results)

    @operation
    def add_interceptor(self, interceptor: object) -> Operation[str]:
        """Add an interceptor that members call at each access to the map.

        Args:
            interceptor: Serializable counterpart of a Java `MapInterceptor` of the members.

        Returns:
            The id that `remove_interceptor` takes.
        """
        added: str = yield from self._value(ADD_INTERCEPTOR, self._data(interceptor))
        return added

    @operation
    def remove_interceptor(self, interceptor_id: str) -> Operation[bool]:
        """Remove an interceptor.

        Args:
            interceptor_id: Id that `add_interceptor` returned.

        Returns:
            True if there was such an interceptor.
        """
        removed: bool = yield from self._value(
            REMOVE_INTERCEPTOR, text("interceptor_id", interceptor_id)
        )
        return removed
