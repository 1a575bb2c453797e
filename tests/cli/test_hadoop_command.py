"""`jvmwire hadoop` prints the files of a real NameNode in tables and in JSON."""

import json

import pytest

from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.transports import Tcp
from kit.command import jvmwire
from kit.environment import ROOT
from kit.rows import decode_dump

SEED = ROOT / "tests" / "vectors" / "hadoop" / "seed"
HOME = "/command"


@pytest.fixture(scope="module")
def server(minidfs):
    with NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user="hdfs")) as client:
        client.create(f"{HOME}/in/part-0.orc", replication=2)
        client.create(f"{HOME}/in/na\x1bme")
        client.create_symlink(f"{HOME}/in", f"{HOME}/link")
        client.mkdirs(f"{HOME}/secret/inside")
        client.set_permission(f"{HOME}/secret", 0o1700)
    return f"127.0.0.1:{minidfs.port}"


def run(*arguments, status=0):
    done = jvmwire("hadoop", *arguments, status=status)
    return done.stdout.decode(), done.stderr


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def test_paths_are_listed_as_hdfs_lists_them(server):
    listed, _ = run("ls", HOME, "--server", server, "--user", "hdfs")
    lines = [line.split() for line in listed.splitlines()]
    assert [line[0] for line in lines[1:]] == ["drwxr-xr-x", "lrwxrwxrwx", "drwx-----T"]
    assert lines[2][-3:] == [f"{HOME}/link", "->", f"{HOME}/in"]
    again, _ = run("ls", f"hdfs://{server}{HOME}/in/p*", "--json")
    [file] = rows(again)
    assert (file["path"], file["block_replication"]) == (f"{HOME}/in/part-0.orc", 2)
    shown, _ = run("ls", f"{HOME}/in", "--server", server)
    assert r"na\x1bme" in shown


def test_what_cannot_be_listed_is_told_and_the_rest_is_listed(server):
    listed, told = run("ls", "-R", HOME, "--server", server, "--user", "bob", status=1)
    assert f"{HOME}/in/part-0.orc" in listed
    assert f"{HOME}/secret: Permission denied: user=bob" in told
    _, told = run("ls", f"{HOME}/missing", "--server", server, status=1)
    assert "no such file or directory" in told


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["ls", "-R"], f"{HOME}/in/part-0.orc"),
        (["tree"], "part-0.orc"),
        (["find"], f"{HOME}/in/part-0.orc"),
        (["du"], f"{HOME}/in"),
    ],
    ids=["ls", "tree", "find", "du"],
)
def test_commands_go_on_past_what_may_not_be_read_and_end_with_1(server, command, shown):
    listed, told = run(*command, HOME, "--server", server, "--user", "bob", status=1)
    assert shown in listed
    assert f"{HOME}/secret: Permission denied: user=bob" in told
    for other in ("missing", "in/part-0.orc/x"):
        _, told = run(*command, f"{HOME}/{other}", "--server", server, "--user", "bob", status=1)
        assert len(told.splitlines()) == 1
        assert f"{HOME}/{other}: " in told


@pytest.mark.parametrize("command", [["ls"], ["stat"], ["du"], ["du", "-s"]])
def test_a_path_that_is_not_shown_does_not_end_a_command_for_the_others(server, command):
    wrong = [f"{HOME}/missing", f"{HOME}/secret/x", f"{HOME}/in/part-0.orc/x", "/a:b"]
    paths = [*wrong, f"{HOME}/in"]
    shown, told = run(*command, *paths, "--server", server, "--user", "bob", status=1)
    assert f"{HOME}/in" in shown
    assert len(told.splitlines()) == len(wrong)


def test_a_path_is_shown_with_all_that_is_known(server):
    shown, _ = run("stat", f"{HOME}/in/part-0.orc", "--server", server)
    assert "-rw-r--r-- (0644)" in shown
    assert "of 128.0 M, 2 replicas" in shown
    shown, _ = run("stat", f"{HOME}/link", "--server", server, "--json")
    assert rows(shown)[0]["symlink"] == f"{HOME}/in"
    run("stat", f"{HOME}/missing", "--server", server, status=1)


def test_directories_are_summed_searched_and_drawn(server):
    summed, _ = run("du", f"{HOME}/", "--server", server, "--user", "hdfs", "--json")
    counts = {row["path"]: row["file_count"] for row in rows(summed)}
    assert counts[f"{HOME}/in"] == 2
    conditions = ["--name", "part-*", "--type", "f", "--user", "hdfs"]
    found, _ = run("find", HOME, *conditions, "--server", server)
    assert found.splitlines() == [f"{HOME}/in/part-0.orc"]
    drawn, _ = run("tree", HOME, "--server", server, "--user", "hdfs")
    assert drawn.splitlines()[0] == HOME
    assert "│   └── part-0.orc  0 B" in drawn


def test_any_method_is_called_by_its_name(server):
    asked = json.dumps({"src": HOME})
    answer, _ = run("call", "getFileInfo", asked, "--server", server)
    assert rows(answer)[0]["fs"]["file_type"] == "IS_DIR"
    answer, _ = run(
        "call",
        "getGroupsForUser",
        '{"user": "alice"}',
        "--protocol",
        "GetUserMappingsProtocol",
        "--server",
        server,
    )
    assert rows(answer) == [{"groups": ["analysts", "engineers"]}]
    listed, _ = run("call", "--list")
    assert "mkdirs  MkdirsRequestProto -> MkdirsResponseProto" in listed
    known, _ = run("call", "--protocols")
    assert "org.apache.hadoop.yarn.api.ApplicationClientProtocolPB" in known
    for wrong in (["nothing"], ["mkdirs"], ["mkdirs", "[]"], ["mkdirs", "{"]):
        _, told = run("call", *wrong, "--server", server, status=2)
        assert told.startswith("jvmwire: ")
        assert len(told.splitlines()) == 1


def test_a_namenode_is_pinged(server):
    told, _ = run("ping", "-c", "2", "--server", server)
    assert told.startswith("connected and answered in ")
    assert "2 calls: " in told


def test_a_dump_is_sent_as_it_was_and_the_answer_is_kept(server, tmp_path):
    answer = tmp_path / "answer.bin"
    dump = SEED / "client-call.bin"
    _, told = run("replay", str(dump), "--server", server, "-o", str(answer), "--quiet", "5")
    assert told.startswith(f"jvmwire: {dump.stat().st_size} bytes sent")
    # The seed is of 2.1.0-beta, whose call ids current servers reject.
    [reply] = decode_dump(answer.read_bytes(), "server").messages
    assert reply["name"] == "Fatal"


def test_who_is_not_named_or_not_there_is_told_in_a_sentence(monkeypatch):
    monkeypatch.delenv("HADOOP_CONF_DIR", raising=False)
    monkeypatch.delenv("HADOOP_HOME", raising=False)
    for arguments, status in (
        (["ls", "/"], 2),
        (["ls", "file:///"], 2),
        (["ping", "--server", "nowhere:port"], 2),
        (["ping", "--server", "127.0.0.1:1,"], 2),
        (["ping", "--server", "127.0.0.1:1"], 3),
    ):
        _, told = run(*arguments, status=status)
        assert told.startswith("jvmwire: ")
        assert len(told.splitlines()) == 1
