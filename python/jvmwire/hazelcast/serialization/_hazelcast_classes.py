"""Readers of Hazelcast's own classes that members send as results."""

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
    except TypeError:  # a list, or another unhashable value
        return values


def _read_address(source: ObjectDataInput) -> tuple[str, int]:
    port, _ = source.read_int(), source.read_byte()
    return (source.read_byte_array() or b"").decode(errors="replace"), port


def _read_topic_message(source: ObjectDataInput) -> tuple[int, tuple[str, int] | None, bytes]:
    """Return the publication time, the publishing member or None, and the serialized message."""
    return source.read_long(), source.read_object(), source.read_byte_array() or b""


OWN: dict[tuple[int, int], Callable[[ObjectDataInput], Any]] = {
    (-10, 131): _read_entry,  # MapDataSerializerHook.LAZY_MAP_ENTRY
    (-18, 2): _read_topic_message,  # TopicDataSerializerHook.RELIABLE_TOPIC_MESSAGE
    (0, 1): _read_address,  # ClusterDataSerializerHook.ADDRESS
    (-41, 19): _read_set,  # AggregatorDataSerializerHook.CANONICALIZING_SET
}
"""Reader by factory id and class id."""
