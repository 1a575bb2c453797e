"""The double of a NameNode: its failures, its standby, its limits, and its fixtures."""

import time

import pytest

from jvmwire.errors import CallTimeout, ConfigError, OutcomeUnknown, TransportError
from jvmwire.hadoop import HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.errors import (
    AccessDenied,
    AlreadyExists,
    AuthenticationRequired,
    SnapshotRefused,
    Standby,
)
from jvmwire.hadoop.testing import Fault, NameNodeDouble
from jvmwire.options import NEVER

pytest_plugins = ["jvmwire.hadoop.testing.plugin"]


def connect(double: NameNodeDouble, user: str = "hdfs", **options: object) -> NameNode:
    return NameNode.connect(double.addresses, HadoopOptions(user=user, **options))  # type: ignore[arg-type]


def test_a_double_starts_empty_and_keeps_its_namespace_when_it_is_stopped() -> None:
    double = NameNodeDouble()
    assert repr(double) == "<NameNodeDouble not started>"
    with double, connect(double) as client:
        assert list(client.get_listing("/")) == []
        double.put("/data/part-0", 300 << 20, owner="alice")
        status = client.get_file_info("/data/part-0")
        assert status is not None
        assert (status.length, status.owner) == (300 << 20, "alice")
        assert repr(double) == f"<NameNodeDouble {double.addresses[0]}>"
    with double, connect(double) as client:
        assert client.exists("/data/part-0")
        with pytest.raises(AlreadyExists):
            double.put("/data/part-0")


def test_a_call_fails_with_the_error_that_is_asked_for(namenode_double: NameNodeDouble) -> None:
    refusal = HadoopError("disk full", "java.io.IOException")
    namenode_double.fail(Fault(method="mkdirs", times=1, error=refusal))
    with connect(namenode_double) as client:
        with pytest.raises(HadoopError, match="disk full") as raised:
            client.mkdirs("/a")
        assert raised.value.java_class == "java.io.IOException"
        assert not client.exists("/a")
        client.mkdirs("/a")
        assert client.exists("/a")


def test_an_answer_is_late(namenode_double: NameNodeDouble) -> None:
    namenode_double.fail(Fault(delay=0.2, times=1))
    with connect(namenode_double) as client:
        began = time.monotonic()
        client.exists("/")
        assert time.monotonic() - began >= 0.2


@pytest.mark.parametrize("executes", [False, True])
def test_an_answer_never_comes(namenode_double: NameNodeDouble, executes: bool) -> None:
    namenode_double.fail(Fault(method="mkdirs", times=1, drop=True, executes=executes))
    with connect(namenode_double) as client:
        with pytest.raises(CallTimeout):
            client.within(0.3).mkdirs("/a")
        assert client.exists("/a") is executes


@pytest.mark.parametrize("executes", [False, True])
def test_a_lost_connection_leaves_the_outcome_unknown(
    namenode_double: NameNodeDouble, executes: bool
) -> None:
    lost = Fault(method="setOwner", times=1, disconnect=True, executes=executes)
    with connect(namenode_double, retry=NEVER) as client:
        client.mkdirs("/a")
        namenode_double.fail(lost)
        with pytest.raises((OutcomeUnknown, TransportError)):
            client.set_owner("/a", "alice")
        found = client.get_file_info("/a")
        assert found is not None
        assert found.owner == ("alice" if executes else "hdfs")


def test_faults_are_removed(namenode_double: NameNodeDouble) -> None:
    namenode_double.fail(Fault(error=HadoopError("no", "java.io.IOException")))
    with connect(namenode_double) as client:
        for _ in range(3):
            with pytest.raises(HadoopError, match="no"):
                client.exists("/")
        namenode_double.faults.clear()
        assert client.exists("/")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"times": 0}, "times must be at least 1, got 0"),
        ({"delay": -1}, "delay must be a number of seconds, got -1"),
        ({"delay": float("nan")}, "delay must be a number of seconds, got nan"),
        ({"executes": True}, "executes is of use with disconnect or drop only"),
        (
            {"disconnect": True, "drop": True},
            "a call gets an error, is disconnected, or is dropped: only one",
        ),
        (
            {"disconnect": True, "error": HadoopError("no", "x")},
            "a call gets an error, is disconnected, or is dropped: only one",
        ),
    ],
)
def test_a_fault_that_contradicts_itself_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Fault(**values)  # type: ignore[arg-type]
    assert str(raised.value) == said


def test_a_pair_fails_over(namenode_pair: NameNodeDouble) -> None:
    active, standby = namenode_pair.addresses
    with connect(namenode_pair) as client:
        client.mkdirs("/a")
        with NameNode.connect(standby, user="hdfs", retry=NEVER) as alone:
            assert alone.get_service_state() == "STANDBY"
            with pytest.raises(Standby):
                alone.get_file_info("/a")
        namenode_pair.fail_over()
        assert client.exists("/a")
        with NameNode.connect(active, user="hdfs", retry=NEVER) as alone:
            assert alone.get_service_state() == "STANDBY"


def test_one_server_has_no_standby(namenode_double: NameNodeDouble) -> None:
    with pytest.raises(ConfigError, match="has no standby"):
        namenode_double.fail_over()


def test_there_are_at_most_so_many_inodes() -> None:
    with NameNodeDouble(max_inodes=5) as double, connect(double) as client:
        client.mkdirs("/a/b")
        client.allow_snapshot("/a")
        client.create_snapshot("/a", "s")
        with pytest.raises(HadoopError, match="at most 5 inodes, got 6"):
            client.mkdirs("/c")
        client.delete_snapshot("/a", "s")
        client.mkdirs("/c/d")
        with pytest.raises(HadoopError, match="at most 5 inodes"):
            client.create_snapshot("/a", "t")


def test_a_directory_with_snapshots_is_not_deleted(namenode_double: NameNodeDouble) -> None:
    with connect(namenode_double) as client:
        client.mkdirs("/a/b")
        client.allow_snapshot("/a/b")
        client.create_snapshot("/a/b", "s")
        with pytest.raises(SnapshotRefused):
            client.delete("/a", recursive=True)
        with pytest.raises(SnapshotRefused):
            client.delete("/a/b/.snapshot/s", recursive=True)


def test_only_some_users_may_act_for_others() -> None:
    with NameNodeDouble(proxy_users=["hive"]) as double:
        with connect(double, "alice", real_user="hive") as client:
            assert client.exists("/")
        with (
            connect(double, "alice", real_user="mallory") as client,
            pytest.raises(AuthenticationRequired, match="mallory is not allowed to impersonate"),
        ):
            client.exists("/")


def test_members_of_the_supergroup_are_superusers() -> None:
    with NameNodeDouble(groups={"admin": ["supergroup"], "bob": ["staff"]}) as double:
        with connect(double, "admin") as client:
            client.mkdirs("/a", permission=0o700)
            client.set_owner("/a", "bob", "staff")
        with connect(double, "eve") as client, pytest.raises(AccessDenied, match="user=eve"):
            list(client.get_listing("/a"))


def test_many_directories_are_listed_at_once(namenode_double: NameNodeDouble) -> None:
    with connect(namenode_double) as client:
        for name in ("a", "b"):
            for number in range(600):
                client.mkdirs(f"/{name}/{number:03}")
        fields = {"paths": ["/a", "/none", "/b"], "start_after": b"", "need_location": False}
        seen: list[tuple[int, int, str | None]] = []
        while True:
            answer = client.call("getBatchedListing", fields)
            for listing in answer["listings"]:
                error = listing.get("exception", {}).get("class_name")
                found = len(listing.get("partial_listing", []))
                seen.append((listing["parent_idx"], found, error))
            if not answer["has_more"]:
                break
            fields["start_after"] = answer["start_after"]
    assert seen == [
        (0, 600, None),
        (1, 0, "java.io.FileNotFoundException"),
        (2, 400, None),
        (2, 200, None),
    ]


def test_what_the_double_does_not_have_is_refused_by_name(namenode_double: NameNodeDouble) -> None:
    with connect(namenode_double) as client:
        with pytest.raises(HadoopError, match="the double of a NameNode has no metaSave"):
            client.call("metaSave", {"filename": "x"})
        client.create("/a")
        with pytest.raises(HadoopError, match="the double of a NameNode has none"):
            client.call("addBlock", {"src": "/a", "client_name": "c"})
