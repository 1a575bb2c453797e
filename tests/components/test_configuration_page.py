"""docs/configuration.md names every setting in the tables by which the code reads them."""

import re

from jvmwire.hadoop import _config_mapping as hadoop
from jvmwire.hazelcast import _config_mapping as hazelcast
from kit.environment import ROOT
from kit.guide import GUIDE

TEXT = (GUIDE / "configuration.md").read_text()
HADOOP, _, HAZELCAST = TEXT.partition("\n## Hazelcast\n")
READ, _, UNREAD = HADOOP.partition("\n### Not read")


def named(text: str) -> set[str]:
    return {word for code in re.findall(r"`([^`]+)`", text) for word in [code, *code.split(".")]}


def test_each_unread_setting_of_hadoop_is_named_apart_from_those_that_are_read() -> None:
    assert set(hadoop.UNREAD) <= named(UNREAD)
    assert not set(hadoop.UNREAD) & named(READ)


def test_each_setting_in_the_code_is_named() -> None:
    source = (ROOT / "python/jvmwire/hadoop/_config_mapping.py").read_text()
    used = set(re.findall(r'"((?:dfs|ipc|fs|hadoop)\.[\w.\-]*\w)"', source))
    lacking = [name for name in used if name not in HADOOP]
    assert lacking == []


def test_each_property_of_hazelcast_is_named_with_its_option() -> None:
    merged = {"statistics": "statistics_period"}
    for name, (option, _) in hazelcast._PROPERTIES.items():
        [row] = [line for line in HAZELCAST.splitlines() if f"`{name}`" in line]
        assert f"`{merged.get(option, option)}`" in row


def test_each_element_of_a_near_cache_is_named_with_its_field() -> None:
    section = HAZELCAST.partition("### Near caches")[2].partition("###")[0]
    for name, (field, _) in hazelcast._NEAR_CACHE.items():
        [row] = re.findall(rf"^\| `{name}`.*", section, re.MULTILINE)
        assert name == "eviction" or f"`{field}`" in row
    assert set(hazelcast._EVICTION) <= named(section)


def test_each_unused_and_each_refused_element_is_named() -> None:
    tables = (
        hazelcast._UNUSED, hazelcast._UNUSED_OF_NETWORK, hazelcast._UNUSED_OF_NEAR_CACHES,
        hazelcast._MIGHT_BE_ON, hazelcast._CONNECTION_RETRY,
    )  # fmt: skip
    for table in tables:
        assert set(table) <= named(HAZELCAST)
