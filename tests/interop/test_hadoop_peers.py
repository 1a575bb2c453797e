"""The real Hadoop peers: they start, answer, and leave nothing behind."""

import os
import shutil
import time
from pathlib import Path

import pytest
from hdfs_native import Client

from kit.hadoop import MiniDfs, WritablePeer, logged_calls, program, run_writable_client
from kit.hadoop_echo import ECHOED
from kit.jvm import Program
from kit.peer import PeerError


def test_the_seeds_ping_is_answered_with_pong(writable_peer: WritablePeer, tmp_path: Path) -> None:
    assert run_writable_client("seed", writable_peer.port, tmp_path) == ["ping -> pong"]


def test_every_type_of_echo_comes_back_as_it_should(
    writable_peer: WritablePeer, tmp_path: Path
) -> None:
    answers = run_writable_client("client", writable_peer.port, tmp_path)
    assert answers == ECHOED.splitlines()


def test_hdfs_native_lists_a_directory_of_the_namenode(
    minidfs: MiniDfs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HADOOP_USER_NAME", "hdfs")
    client = Client(minidfs.url)
    client.mkdirs("/listed/below", create_parent=True)
    with client.create("/listed/file") as file:
        file.write(b"content")
    statuses = list(client.list_status("/listed"))
    assert [(status.path, status.isdir, status.length) for status in statuses] == [
        ("/listed/below", True, 0),
        ("/listed/file", False, 7),
    ]
    assert client.read("/listed/file").read() == b"content"


def test_the_namenode_counts_each_call_of_a_client(
    minidfs: MiniDfs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HADOOP_USER_NAME", "hdfs")
    before = minidfs.metrics()["detailed"].get("GetFileInfoNumOps", 0)
    client = Client(minidfs.url)
    for _ in range(3):
        client.get_file_info("/")
    assert minidfs.metrics()["detailed"]["GetFileInfoNumOps"] == before + 3


def test_a_peer_that_was_closed_is_gone_with_its_files(tmp_path: Path) -> None:
    with WritablePeer(tmp_path) as peer:
        assert _alive(peer.pid)
    assert not _alive(peer.pid)
    assert list((tmp_path / "tmp").iterdir()) == []
    peer.close()


def test_a_peer_that_does_not_heed_its_stdin_is_ended_by_its_pid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kit.peer.END_TIMEOUT", 0.0)
    with WritablePeer(tmp_path) as peer:
        started = time.monotonic()
    assert time.monotonic() - started < 5
    assert not _alive(peer.pid)


def test_a_program_that_fails_says_where_its_log_is_and_how_it_ends(tmp_path: Path) -> None:
    bad = program("WPing", "nonsense", "1", directory=tmp_path)
    with pytest.raises(PeerError, match=r"WPing ended with status 1; its log .*/WPing.log") as info:
        bad.run(30)
    assert "IllegalArgumentException: nonsense" in str(info.value)


def test_a_missing_jdk_is_a_failure_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(shutil, "which", {}.get)
    with pytest.raises(PeerError, match="no java on the PATH: install a JDK"):
        Program(module="hadoop", main="Any", directory=tmp_path).start()


def test_the_log_of_the_java_client_gives_each_call_its_number_and_its_end(tmp_path: Path) -> None:
    log = tmp_path / "rpc.log"
    log.write_text(LOG)
    first, refused, again = logged_calls(log)
    assert (first.call_id, first.retry, first.method, first.took_ms) == (7, 0, "mkdirs", 5)
    assert (first.user, first.thread, first.error) == ("alice", "main", None)
    assert first.protocol == "org.apache.hadoop.hdfs.protocol.ClientProtocol"
    assert first.sent == 1_700_000_000_123_000
    assert (refused.call_id, refused.retry) == (8, 0)
    assert refused.error == "org.apache.hadoop.hdfs.server.namenode.SafeModeException"
    assert (again.call_id, again.retry, again.took_ms, again.error) == (8, 1, 2, None)


LOG = """\
2023-11-14T22:13:20.100 [main] #/ Client: The ping interval is 60000 ms.
2023-11-14T22:13:20.123 [IPC Parameter Sending Thread for localhost/127.0.0.1:1] #7/0 Client: \
IPC Client (1) connection to localhost/127.0.0.1:1 from alice sending #7 \
org.apache.hadoop.hdfs.protocol.ClientProtocol.mkdirs
2023-11-14T22:13:20.124 [IPC Client (1) connection to localhost/127.0.0.1:1 from alice] #7/0 \
Client: IPC Client (1) connection to localhost/127.0.0.1:1 from alice got value #7
2023-11-14T22:13:20.125 [main] #7/0 ProtobufRpcEngine2: Call: mkdirs took 5ms
2023-11-14T22:13:20.130 [IPC Parameter Sending Thread for localhost/127.0.0.1:1] #7/0 Client: \
IPC Client (1) connection to localhost/127.0.0.1:1 from alice sending #8 \
org.apache.hadoop.hdfs.protocol.ClientProtocol.mkdirs
2023-11-14T22:13:20.131 [main] #8/0 ProtobufRpcEngine2: 1: Exception <- localhost/127.0.0.1:1: \
mkdirs {org.apache.hadoop.ipc.RemoteException(\
org.apache.hadoop.hdfs.server.namenode.SafeModeException): Cannot create directory
\tat org.apache.hadoop.Some.where(Some.java:1)
2023-11-14T22:13:20.140 [IPC Parameter Sending Thread for localhost/127.0.0.1:1] #7/0 Client: \
IPC Client (1) connection to localhost/127.0.0.1:1 from alice sending #8 \
org.apache.hadoop.hdfs.protocol.ClientProtocol.mkdirs
2023-11-14T22:13:20.142 [main] #8/1 ProtobufRpcEngine2: Call: mkdirs took 2ms
"""


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
