"""Wrong arguments of a client of a NameNode are refused by name, before anything is sent."""

import math
from collections.abc import Iterator

import pytest

from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.options import NEVER
from jvmwire.transports import Tcp
from kit.argument_sweep import Table, cases, complaints
from kit.hadoop_scripted import ScriptedNameNode, scripted

NOT_PATHS = [5, None, "", b"/bytes"]
NOT_LISTS = [5, None, [5], [b"/bytes"]]
NOT_NAMES = [5, None]
NOT_COUNTS = ["1", 1.5, 1 << 63]

TABLE = Table(
    right={
        **dict.fromkeys(("path", "source", "target", "link"), "/path"),
        **{key: ["/path"] for key in ("paths", "sources")},
        **dict.fromkeys(("old", "new", "renewer", "user", "owner", "group"), "name"),
        "name": "user.name",
        "policy": "HOT",
        "value": b"value",
        "entries": ["user::rwx"],
        "mode": "READ",
        "permission": 0o644,
        **dict.fromkeys(("replication", "length", "offset"), 1),
        "pattern": "/*",
        "predicate": None,
        "token": b"",
        "kind": "ALL",
        "seconds": 1.0,
    },
    wrong={
        **dict.fromkeys(("path", "source", "target", "link", "pattern"), NOT_PATHS),
        **dict.fromkeys(("paths", "sources"), NOT_LISTS),
        **dict.fromkeys(("name", "old", "new", "renewer", "user"), NOT_NAMES),
        **{key: [5] for key in ("owner", "group")},
        **{key: [*NOT_COUNTS, -1] for key in ("length", "offset", "replication")},
        **dict.fromkeys(("namespace_quota", "space_quota"), NOT_COUNTS),
        "NameNode.create_symlink.target": [5, None, b"/bytes"],
        "permission": ["644", 1.5, -1, 1 << 17],
        "seconds": ["1", math.nan, -1],
        "concurrency": ["1", 1.5, 0, -1],
        "mode": [5, "EVERYTHING"],
        "kind": [5, "SOME"],
        "on_error": ["nothing", 5],
        "value": [5, "text"],
        "entries": [5, ["nonsense"], [5]],
        "policy": NOT_NAMES,
        "storage_type": [5],
        "accessed": ["1", 1.5],
        "modified": ["1", 1.5],
        "block_size": NOT_COUNTS,
    },
    skipped=frozenset({"connect", "from_configuration", "call", "open", "close"}),
    words={
        **dict.fromkeys(("source", "target", "link", "sources", "paths", "pattern"), "path"),
        "owner": "username",
        "group": "groupname",
        "policy": "policy_name",
        "old": "from_snapshot",
        "new": "to_snapshot",
        "entries": "ACL",
    },
)


@pytest.fixture(scope="module")
def namenode() -> Iterator[ScriptedNameNode]:
    with scripted(lambda _method, _request: ("java.io.IOException", "it was asked")) as namenode:
        yield namenode


@pytest.fixture(scope="module")
def client(namenode: ScriptedNameNode) -> Iterator[NameNode]:
    options = HadoopOptions(user="user", retry=NEVER)
    with NameNode.connect(Tcp("127.0.0.1", namenode.port), options) as client:
        yield client


def test_wrong_arguments_of_a_namenode_are_refused_before_they_are_sent(client, namenode):
    assert list(cases(client, TABLE))
    assert not complaints(client, TABLE, lambda: len(namenode.calls))
