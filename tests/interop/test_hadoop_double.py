"""The double of a NameNode answers as a real one, whoever asks."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hdfs_native import Client

from jvmwire.hadoop import FileStatus, HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.testing import NameNodeDouble
from kit.hadoop import GROUPS
from kit.scale import seeded, times

CALLS = times(400)
USERS = ("hdfs", "alice", "bob")
NAMES = ("a", "b", "c")
MODES = (0o777, 0o755, 0o750, 0o700, 0o640, 0o1777, 0o000, 0o551)
ACLS = (
    "user::rwx,group::r-x,other::---",
    "user::rwx,user:bob:r-x,group::---,other::---",
    "user::rw-,group:engineers:-wx,group::r--,mask::r-x,other::r--",
    "default:user:bob:rwx",
    "default:group:engineers:r-x,default:mask::r--",
)
SHOWN = (
    *("path", "file_type", "length", "permission", "owner", "group", "symlink"),
    *("block_replication", "children_num", "storage_policy"),
)
"""What both say of a file: all but numbers and times."""

Step = tuple[str, tuple[object, ...], dict[str, object]]
"""A method of the client, and its arguments."""


def members() -> dict[str, list[str]]:
    """Return the groups of the real NameNode's users."""
    pairs = (entry.split("=") for entry in GROUPS.split(";"))
    return {user: [group for group in groups.split(",") if group] for user, groups in pairs}


@pytest.fixture(scope="module")
def double() -> Iterator[NameNodeDouble]:
    with NameNodeDouble(groups=members()) as peer:
        yield peer


def step(chance: random.Random, top: str) -> Step:
    """Return a random call below a directory."""

    def path() -> str:
        return "/".join([top, *chance.choices(NAMES, k=chance.randint(1, 3))])

    one, two, flag, mode = path(), path(), chance.random() < 0.5, chance.choice(MODES)
    name = f"user.{chance.choice(NAMES)}"
    several: list[tuple[int, Step]] = [
        (8, ("mkdirs", (one,), {"permission": mode, "create_parent": flag})),
        (6, ("create", (one,), {"overwrite": flag, "permission": mode, "replication": 1})),
        (2, ("delete", (one,), {"recursive": flag})),
        (2, ("move", (one, two), {})),
        (4, ("rename", (one, two), {"overwrite": flag})),
        (4, ("get_file_info", (one,), {})),
        (4, ("get_listing", (one,), {})),
        (3, ("set_permission", (one, mode), {})),
        (2, ("set_owner", (one, chance.choice(USERS), "analysts"), {})),
        (2, ("set_owner", (one,), {"group": chance.choice(["engineers", "other"])})),
        (1, ("set_replication", (one, 2), {})),
        (2, ("set_acl", (one, chance.choice(ACLS)), {})),
        (4, ("modify_acl_entries", (one, chance.choice(ACLS)), {})),
        (1, ("remove_acl_entries", (one, "user:bob"), {})),
        (1, ("remove_default_acl", (one,), {})),
        (1, ("remove_acl", (one,), {})),
        (4, ("get_acl_status", (one,), {})),
        (2, ("set_xattr", (one, name, b"x"), {"create": flag})),
        (2, ("get_xattrs", (one,), {})),
        (1, ("remove_xattr", (one, name), {})),
        (2, ("set_quota", (one,), {"namespace_quota": chance.randint(1, 6)})),
        (2, ("get_quota_usage", (one,), {})),
        (2, ("get_content_summary", (one,), {})),
        (1, ("set_storage_policy", (one, chance.choice(["COLD", "HOT", "NONE"])), {})),
        (1, ("get_storage_policy", (one,), {})),
        (1, ("check_access", (one, "READ_EXECUTE"), {})),
        (1, ("is_file_closed", (one,), {})),
    ]
    weights = [weight for weight, _ in several]
    return chance.choices([call for _, call in several], weights)[0]


def outcome(client: NameNode, call: Step) -> Any:
    """Return the result of a call without times, or the class of its exception."""
    method, arguments, named = call
    try:
        result = getattr(client, method)(*arguments, **named)
        if method == "get_listing":
            return [{name: getattr(status, name) for name in SHOWN} for status in result]
    except HadoopError as error:
        return error.java_class
    if isinstance(result, FileStatus):
        return {name: getattr(result, name) for name in SHOWN}
    return result


@pytest.mark.parametrize("seed", range(3))
def test_random_calls_have_the_same_outcomes(minidfs, double, seed: int) -> None:
    top, chance = f"/double/{seed}", seeded(seed)
    ports = (minidfs.port, double.port)
    clients = {
        (port, user): NameNode.connect(f"127.0.0.1:{port}", HadoopOptions(user=user, umask=0))
        for port in ports
        for user in USERS
    }
    try:
        for port in ports:
            clients[port, "hdfs"].mkdirs(top, permission=0o777)
        for number in range(CALLS):
            user, call = chance.choice(USERS), step(chance, top)
            real, ours = (outcome(clients[port, user], call) for port in ports)
            assert ours == real, f"call {number}: {user} {call}"
    finally:
        for client in clients.values():
            client.close()


def test_another_client_sees_what_ours_made_and_the_reverse(double) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HADOOP_USER_NAME", "hdfs")
        other = Client(double.url)
        other.mkdirs("/native/inside", create_parent=True)
        other.set_permission("/native/inside", 0o711)
        with NameNode.connect(double.url, user="hdfs") as ours:
            ours.create("/native/file")
            inside = ours.get_file_info("/native/inside")
        assert inside is not None
        assert inside.permission == 0o711
        listed = {status.path: status.isdir for status in other.list_status("/native")}
        assert listed == {"/native/file": False, "/native/inside": True}
