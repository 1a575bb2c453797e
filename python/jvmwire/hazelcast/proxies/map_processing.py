"""What members do with the entries of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import text
from jvmwire.hazelcast.proxies.map_queries import QueryOperations

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
    """Work that members do: classes of theirs, told by what is serialized."""

    @operation
    def execute_on_key(self, key: object, processor: object) -> Operation[Any]:
        """Have an entry processor change the entry under `key`; return what it returns."""
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
        """Have an entry processor change the entries under `keys`; return what it says of each."""
        fields = yield from self._ask(EXECUTE_ON_KEYS, self._data(processor), self._datas(keys))
        return dict(self._pairs(fields[0]))

    @operation
    def execute_on_entries(
        self, processor: object, predicate: object = None
    ) -> Operation[dict[Any, Any]]:
        """Have an entry processor change every entry, or those that a predicate finds."""
        if predicate is None:
            fields = yield from self._ask(EXECUTE_ON_ALL, self._data(processor))
        else:
            told = self._data(processor)
            fields = yield from self._ask_where(EXECUTE_WHERE, told, predicate=predicate)
        return dict(self._pairs(fields[0]))

    @operation
    def aggregate(self, aggregator: object, predicate: object = None) -> Operation[Any]:
        """Return what an aggregator makes of all entries, or of those that a predicate finds."""
        told = (self._data(aggregator),)
        if predicate is None:
            [result] = yield from self._ask(AGGREGATE, *told)
        else:
            [result] = yield from self._ask_where(AGGREGATE_WHERE, *told, predicate=predicate)
        return self._object(result)

    @operation
    def project(self, projection: object, predicate: object = None) -> Operation[list[Any]]:
        """Return what a projection makes of each entry, or of each that a predicate finds."""
        told = (self._data(projection),)
        if predicate is None:
            [results] = yield from self._ask(PROJECT, *told)
        else:
            [results] = yield from self._ask_where(PROJECT_WHERE, *told, predicate=predicate)
        return self._objects(results)

    @operation
    def add_interceptor(self, interceptor: object) -> Operation[str]:
        """Have the members ask an interceptor at each access; return the id that removes it."""
        added: str = yield from self._value(ADD_INTERCEPTOR, self._data(interceptor))
        return added

    @operation
    def remove_interceptor(self, interceptor_id: str) -> Operation[bool]:
        """Remove an interceptor; return whether there was one."""
        removed: bool = yield from self._value(
            REMOVE_INTERCEPTOR, text("interceptor_id", interceptor_id)
        )
        return removed
