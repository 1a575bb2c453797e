"""Enumerations of the NameNode's protocol: members and names are taken, members returned."""

import asyncio
import enum
import typing
from typing import Any

import pytest

from jvmwire._core import encode_message
from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hadoop import (
    AclEntry,
    AclEntryScope,
    AclEntryType,
    AsyncNameNode,
    DatanodeReportType,
    DiffType,
    FsAction,
    HAServiceState,
    NameNode,
    SnapshotDiffEntry,
)
from jvmwire.hadoop.namenode import _choices
from kit.hadoop_scripted import scripted

ACL = {"permissions": "READ", "type": "USER", "scope": "ACCESS"}
FIELDS: list[tuple[type[enum.StrEnum], str, str, dict[str, str]]] = [
    (FsAction, "CheckAccessRequestProto", "mode", {"path": "/"}),
    (DatanodeReportType, "GetDatanodeReportRequestProto", "type", {}),
    (HAServiceState, "HAServiceStateResponseProto", "state", {}),
    (AclEntryType, "AclEntryProto", "type", ACL),
    (AclEntryScope, "AclEntryProto", "scope", ACL),
    (FsAction, "AclEntryProto", "permissions", ACL),
]


@pytest.mark.parametrize(("kind", "message", "field", "rest"), FIELDS)
def test_members_are_the_values_of_the_protocol(kind, message, field, rest):
    for member in kind:
        assert encode_message(message, {**rest, field: member.value})
    with pytest.raises(ValueError, match="is not one of") as caught:
        encode_message(message, {**rest, field: "OTHERWISE"})
    assert str(caught.value).endswith(f"is not one of {', '.join(kind)}")


@pytest.mark.parametrize(
    "kind", [FsAction, AclEntryType, AclEntryScope, DatanodeReportType], ids=lambda it: it.__name__
)
def test_type_checkers_know_the_names(kind: type[enum.StrEnum]):
    assert typing.get_args(getattr(_choices, f"{kind.__name__}Name")) == tuple(kind)


def answer(method: str, _request: dict[str, Any]) -> Any:
    return {"getDatanodeReport": {"di": []}}.get(method, {})


@pytest.mark.parametrize("mode", [FsAction.READ_WRITE, "READ_WRITE"])
@pytest.mark.parametrize("kind", [DatanodeReportType.LIVE, "LIVE"])
def test_members_and_names_are_sent_alike(mode: Any, kind: Any):
    async def use(address: str) -> None:
        async with AsyncNameNode(address) as client:
            await client.check_access("/a", mode)
            await client.get_datanode_report(kind)

    with scripted(answer) as namenode:
        address = f"127.0.0.1:{namenode.port}"
        with NameNode(address) as client:
            client.check_access("/a", mode)
            assert list(client.get_datanode_report(kind)) == []
        asyncio.run(use(address))
        sent = [request.get("mode", request.get("type")) for _, request in namenode.calls]
    assert sent == ["READ_WRITE", "LIVE"] * 2


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("READ-WRITE", "; did you mean 'READ_WRITE'?"),
        ("read", "; did you mean 'READ'?"),
        (4, ""),
        (None, ""),
    ],
)
def test_another_name_is_refused_with_the_choices(wrong: Any, hint: str):
    with scripted(answer) as namenode, NameNode(f"127.0.0.1:{namenode.port}") as client:
        with pytest.raises(ConfigError) as caught:
            client.check_access("/a", wrong)
        with pytest.raises(ConfigError, match="kind must be one of ALL, LIVE, DEAD"):
            client.get_datanode_report(wrong)
        assert not namenode.calls
    assert str(caught.value) == (
        "mode must be one of NONE, EXECUTE, WRITE, WRITE_EXECUTE, READ, READ_EXECUTE, READ_WRITE, "
        f"PERM_ALL, got {wrong!r}{hint}"
    )


@pytest.mark.parametrize("state", list(HAServiceState))
def test_the_state_of_a_namenode_is_a_member_equal_to_its_name(state: HAServiceState):
    with (
        scripted(lambda *_: {"state": state.value}) as namenode,
        NameNode(f"127.0.0.1:{namenode.port}") as client,
    ):
        found = client.get_service_state()
    assert isinstance(found, HAServiceState)
    assert found == state.name
    assert str(found) == f"{found}" == state.name


def test_entries_of_access_control_lists_have_members():
    entry = AclEntry("USER", 5, "alice", "DEFAULT")
    assert entry == AclEntry(AclEntryType.USER, 5, "alice", AclEntryScope.DEFAULT)
    assert hash(entry) == hash(AclEntry.parse("default:user:alice:r-x"))
    assert AclEntry.from_fields(entry.to_fields()) == entry
    for each in (entry, AclEntry.parse("default:user:alice:r-x")):
        assert isinstance(each.type, AclEntryType)
        assert isinstance(each.scope, AclEntryScope)
    assert (entry.type, entry.scope, str(entry)) == ("USER", "DEFAULT", "default:user:alice:r-x")
    assert all(type(value) in {str, int} for value in entry.to_fields().values())


def test_wrong_entries_are_refused_with_the_choices():
    with pytest.raises(ConfigError, match="the type of an ACL entry must be one of USER, GROUP"):
        AclEntry("NOBODY", 4)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="the scope of an ACL entry must be one of ACCESS"):
        AclEntry("USER", 4, scope="access")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="'nobody:alice:r-x' is not a valid ACL entry"):
        AclEntry.parse("nobody:alice:r-x")
    for wrong in ({"type": 9}, {"scope": 9}, {"permissions": 9}):
        with pytest.raises(DecodeError, match="an entry of an access control list has the type"):
            AclEntry.from_fields({**ACL, **wrong})


def test_kinds_of_differences_are_equal_to_their_names():
    assert SnapshotDiffEntry("MODIFY", "a") == SnapshotDiffEntry(DiffType.MODIFY, "a")
    assert [str(kind) for kind in DiffType] == ["CREATE", "MODIFY", "DELETE", "RENAME"]


def test_differences_of_snapshots_have_members():
    def report(_method: str, _request: dict[str, Any]) -> Any:
        entries = [
            {"fullpath": b"kept", "modification_label": label}
            for label in ("+", "M", "-", "R", "?")
        ]
        return {
            "diff_report": {
                "snapshot_root": "/a",
                "from_snapshot": "s1",
                "to_snapshot": "s2",
                "diff_report_entries": entries,
            }
        }

    with scripted(report) as namenode, NameNode(f"127.0.0.1:{namenode.port}") as client:
        kinds = [entry.kind for entry in client.diff_snapshots("/a", "s1", "s2")]
    assert kinds == [DiffType.CREATE, DiffType.MODIFY, DiffType.DELETE, DiffType.RENAME, "?"]
    assert all(isinstance(kind, DiffType) for kind in kinds[:-1])
