"""`jvmwire hadoop` changes the metadata of files of a real NameNode."""

import json
from itertools import count

import pytest

from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.transports import Tcp
from kit.command import jvmwire

numbers = count()


@pytest.fixture(scope="module")
def client(minidfs):
    with NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user="hdfs")) as client:
        yield client


@pytest.fixture
def run(minidfs):
    def run(command, *arguments, status=0, user="hdfs"):
        server = ["--server", f"127.0.0.1:{minidfs.port}", "--user", user]
        done = jvmwire("hadoop", *command.split(), *arguments, *server, status=status)
        return done.stdout.decode(), done.stderr

    return run


@pytest.fixture
def place(client):
    """A directory of its own for each test."""
    path = f"/changes/{next(numbers)}"
    client.mkdirs(path)
    return path


def names(client, path):
    return [status.path.rpartition("/")[2] for status in client.list_directory(path)]


def test_directories_are_made(run, client, place):
    run("mkdir", f"{place}/a", f"{place}/b")
    _, told = run("mkdir", f"{place}/a", f"{place}/x/y", status=1)
    assert f"{place}/a: exists already" in told
    assert f"{place}/x/y: " in told
    run("mkdir -p", f"{place}/a", f"{place}/x/y")
    assert names(client, place) == ["a", "b", "x"]
    assert names(client, f"{place}/x") == ["y"]


def test_files_are_touched(run, client, place):
    path = f"{place}/new"
    run("touch -c", path)
    assert not client.exists(path)
    run("touch", path)
    client.set_times(path, modified=1000, accessed=1000)
    run("touch", path)
    assert client.get_file_info(path).modification_time > 1000
    _, told = run("touch", f"{place}/no/such", status=1)
    assert f"{place}/no/such: " in told


def test_what_is_moved_replaces_nothing(run, client, place):
    for name in ("a", "b", "c1", "c2"):
        client.create(f"{place}/{name}")
    client.mkdirs(f"{place}/into")
    run("mv", f"{place}/a", f"{place}/d")
    _, told = run("mv", f"{place}/b", f"{place}/d", status=1)
    assert f"{place}/b: " in told
    run("mv", f"{place}/c*", f"{place}/b", f"{place}/into")
    assert names(client, f"{place}/into") == ["b", "c1", "c2"]
    assert names(client, place) == ["d", "into"]
    for wrong in ([f"{place}/d"], [f"{place}/d", f"{place}/into", f"{place}/d"]):
        _, told = run("mv", *wrong, status=2)
        assert "Traceback" not in told
    run("mv", f"{place}/missing", f"{place}/into", status=1)


def test_what_is_removed_is_in_the_trash(run, client, place):
    client.create(f"{place}/in/part-0")
    client.create(f"{place}/in/part-1")
    trash = f"/user/hdfs/.Trash/Current{place}"
    shown, _ = run("rm", f"{place}/in/part-*")
    assert shown.splitlines() == [
        f"{place}/in/{name} -> {trash}/in/{name}" for name in ("part-0", "part-1")
    ]
    client.create(f"{place}/in/part-0")
    run("rm", f"{place}/in/part-0")
    kept = names(client, f"{trash}/in")
    assert kept[0] == "part-0"
    assert kept[1].startswith("part-01")
    assert kept[2] == "part-1"
    assert client.get_file_info(f"{trash}/in").permission == 0o700
    _, told = run("rm", f"{place}/in", status=2)
    assert "is a directory: -r" in told
    run("rm -r", f"{place}/in")
    assert names(client, place) == []
    run("rm -r", f"{trash}/in")
    assert not client.exists(f"{trash}/in")
    _, told = run("rm -r", "/user", status=2)
    assert "/user contains the trash" in told


def test_the_trash_is_skipped_when_asked_for(run, client, place):
    client.create(f"{place}/in/gone")
    run("rm -r --skip-trash", f"{place}/in")
    assert not client.exists(f"{place}/in")
    assert not client.exists(f"/user/hdfs/.Trash/Current{place}")
    run("rm", f"{place}/in", status=1)
    run("rm -f", f"{place}/in", f"{place}/no*")
    client.create(f"{place}/not-mine")
    _, told = run("rm --skip-trash", f"{place}/not-mine", status=1, user="bob")
    assert "Permission denied: user=bob" in told


def test_permissions_are_changed(run, client, place):
    client.create(f"{place}/in/file")
    client.create(f"{place}/in/run", permission=0o744)

    def modes():
        return [f"{it.permission:o}" for it in client.list_recursively(place)]

    run("chmod -R", "750", f"{place}/in")
    assert modes() == ["750", "750", "750"]
    run("chmod", "u=rw,g-x,o=", f"{place}/in/file")
    run("chmod -R", "g+X,+t", f"{place}/in")
    assert modes() == ["1750", "1640", "1750"]
    for wrong in ("9", "u~w", "", "rwx"):
        _, told = run("chmod", wrong, place, status=2)
        assert "is not a mode" in told
    run("chown -R", "alice:staff", f"{place}/in")
    assert {(it.owner, it.group) for it in client.list_recursively(place)} == {("alice", "staff")}
    run("chown", ":users", f"{place}/in")
    run("chown", "bob", f"{place}/in/file")
    found = [(it.owner, it.group) for it in client.list_recursively(place)]
    assert found == [("alice", "users"), ("bob", "staff"), ("alice", "staff")]
    run("chown", ":", place, status=2)
    _, told = run("chmod", "777", f"{place}/in", f"{place}/missing", status=1, user="bob")
    assert len(told.splitlines()) == 2


def test_access_control_lists_are_changed(run, client, place):
    client.create(f"{place}/file", permission=0o640)
    shown, _ = run("getfacl", f"{place}/file")
    assert shown.splitlines()[3:6] == ["user::rw-", "group::r--", "other::---"]
    run("setfacl -m", "user:alice:r-x,group:staff:rwx", f"{place}/file")
    shown, _ = run("getfacl", f"{place}/file")
    assert shown.splitlines()[3:9] == [
        "user::rw-",
        "user:alice:r-x",
        "group::r--",
        "group:staff:rwx",
        "mask::rwx",
        "other::---",
    ]
    run("setfacl -x", "user:alice", f"{place}/file")
    run("setfacl -m", "default:user:bob:rwx", place)
    shown, _ = run("getfacl -R --json", place)
    lists = {row["path"]: row["acl"] for row in map(json.loads, shown.splitlines())}
    assert "default:user:bob:rwx" in lists[place]
    assert "group:staff:rwx" in lists[f"{place}/file"]
    assert "user:alice:r-x" not in lists[f"{place}/file"]
    run("setfacl -k", place)
    run("setfacl -R -b", place)
    assert client.get_acl_status(f"{place}/file").entries == []
    run("setfacl --set", "user::rwx,group::r-x,other::---", f"{place}/file")
    assert client.get_file_info(f"{place}/file").permission == 0o750
    run("setfacl", place, status=2)
    run("setfacl -m", "nonsense", place, status=2)


def test_what_is_there_is_counted(run, client, place):
    client.create(f"{place}/in/file")
    client.set_quota(place, namespace_quota=10)
    shown, _ = run("count -h -q", place)
    heading, row = (line.split() for line in shown.splitlines())
    assert heading[:2] == ["quota", "left"]
    assert row == ["10", "7", "-", "-", "2", "1", "0", "B", place]
    shown, _ = run("count --json", f"{place}/i*")
    assert json.loads(shown)["file_count"] == 1
    run("du -h", place)
    run("ls -h", place)
    _, told = run("count", f"{place}/missing", status=1)
    assert f"{place}/missing: no such file or directory" in told


def test_a_namenode_is_administered(run, client):
    shown, _ = run("dfsadmin report")
    assert "127.0.0.1" in shown
    assert "NORMAL" in shown
    shown, _ = run("dfsadmin report --json")
    assert len(shown.splitlines()) == 2
    assert run("dfsadmin safemode get")[0] == "safe mode is off\n"
    try:
        assert run("dfsadmin safemode enter")[0] == "safe mode is on\n"
        assert run("dfsadmin save-namespace")[0] == "the namespace was saved\n"
    finally:
        assert run("dfsadmin safemode leave")[0] == "safe mode is off\n"
    _, told = run("dfsadmin save-namespace", status=4)
    assert "safe mode" in told.lower()
    assert run("dfsadmin refresh-nodes")[0] == "the lists of DataNodes were read\n"
    _, told = run("dfsadmin safemode enter", status=4, user="bob")
    assert "Access denied" in told
