"""The statements of docs/tables.md about the columns are true."""

import re

import pytest

from jvmwire.capture import PROTOCOLS, View
from jvmwire.capture._arrow import arrow_schema
from kit.environment import ROOT

PAGE = (ROOT / "docs" / "tables.md").read_text()
NOT_DECODED = {"http", "http2", "hdfs-data-transfer", "hazelcast-member", "ssh", "tls", "zookeeper"}
TYPES = {"text": "string", "JSON": "string", "integer": "int", "time": "timestamp"}


def section(name: str) -> str:
    return PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("table", ["messages", "calls", "streams"])
def test_each_column_is_named_with_its_type(table: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+)( or null)? \|", section(table), re.MULTILINE)
    named = list(View(table).columns)
    if "fields" not in named and table == "messages":
        named.insert(-1, "fields")
    assert [name for name, _, _ in rows] == named
    schema = arrow_schema(View(table, columns=named))
    for name, kind, null in rows:
        field = schema.field(name)
        assert str(field.type).startswith(TYPES[kind]), name
        assert field.nullable == bool(null), name


def test_each_protocol_is_named() -> None:
    [row] = re.findall(r"^\| `protocol` .*", section("messages"), re.MULTILINE)
    assert set(re.findall(r"`([a-z0-9-]+)`", row)) == {
        "protocol",
        *PROTOCOLS,
        *NOT_DECODED,
        "unknown",
    }
