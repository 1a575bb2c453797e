"""ObjectWritable of every type: Java reads jvmwire's bytes, and jvmwire reads Java's."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from jvmwire._core import JavaClass, decode_object, encode_invocation
from jvmwire.hadoop.rpc._writable import CLASSES, MapWritable, SortedMapWritable
from kit import scale
from kit.hadoop import program
from kit.hadoop_values import VALUES
from kit.peer import Peer


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    with Peer(program("ObjectPeer", directory=tmp_path_factory.mktemp("objects"))) as peer:
        yield peer


@settings(max_examples=scale.times(1_000), deadline=None)
@given(value=VALUES)
def test_java_reads_what_ours_writes_and_writes_what_ours_reads(
    java: Peer, value: tuple[str, Any]
) -> None:
    java_class, given_value = value
    ours = JavaClass(java_class).encode(given_value)  # as servers answer
    asked = encode_invocation("P", "m", 1, 0, [JavaClass(java_class)], [given_value])
    answer = java.ask(ours.hex(), start="= ").removeprefix("= ")
    assert not answer.startswith("refused"), answer
    declared, compact, by_element = answer.split(" ")
    assert declared == java_class
    for written in (compact, by_element):
        assert decode_object(bytes.fromhex(written), CLASSES) == value
    if not has_maps(given_value):  # Java's maps have their own order
        assert by_element == ours.hex()
        assert asked.hex().endswith(compact)


def has_maps(value: object) -> bool:
    if isinstance(value, list):
        return any(map(has_maps, value))
    return isinstance(value, (MapWritable, SortedMapWritable))
