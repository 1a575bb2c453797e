"""Classes of Hazelcast's own that members send as results."""

from collections.abc import Callable
from typing import Any

from jvmwire._core import HazelcastDataInput as ObjectDataInput


def _read_entry(source: ObjectDataInput) -> tuple[Any, Any]:
    return source.read_object(), source.read_object()


def _read_set(source: ObjectDataInput) -> set[Any] | list[Any]:
    count = source.read_count(4) or 0
    values = [source.read_object() for _ in range(count)]
    try:
        return set(values)
    except TypeError:  # a list, or what else has no hash here
        return values


OWN: dict[tuple[int, int], Callable[[ObjectDataInput], Any]] = {
    (-10, 131): _read_entry,  # MapDataSerializerHook.LAZY_MAP_ENTRY
    (-41, 19): _read_set,  # AggregatorDataSerializerHook.CANONICALIZING_SET
}
"""What reads each, by its factory and class."""
