"""Traffic of real Hadoop peers, recorded now and decoded: the rows contain the clients' calls."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hdfs_native import Client

from kit.command import decode
from kit.hadoop import MiniDfs, WritablePeer, run_native_client, run_writable_client
from kit.recording import recording
from kit.rows import decode_capture


def test_the_seeds_ping_of_a_real_client_is_decoded(
    writable_peer: WritablePeer, tmp_path: Path
) -> None:
    capture = tmp_path / "seed.pcap"
    with recording(writable_peer.port, capture) as port:
        assert run_writable_client("seed", port, tmp_path) == ["ping -> pong"]
    rows = decode(capture).rows
    assert [row["error"] for row in rows] == [None] * 4
    replies = [row["fields"]["response"] for row in rows if row["name"] == "Reply"]
    assert replies == [{"class": "java.lang.String", "value": "pong"}]
    [call] = decode("--table", "calls", capture).rows
    assert (call["name"], call["status"], call["user"]) == ("ping.ping", "ok", "hdfs")


def test_each_call_of_echo_is_decoded_to_its_last_byte(
    writable_peer: WritablePeer, tmp_path: Path
) -> None:
    capture = tmp_path / "echo.pcap"
    with recording(writable_peer.port, capture) as port:
        printed = run_writable_client("client", port, tmp_path)
    decoded = decode_capture(capture.read_bytes())
    assert (decoded.errors(), decoded.damage) == ([], None)
    # A method without a result is not printed.
    assert len(decoded.calls) == len(printed) + 1
    assert Counter(call["status"] for call in decoded.calls) == {"ok": len(printed), "error": 1}


def test_the_namenode_counts_the_calls_that_are_decoded(
    minidfs: MiniDfs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HADOOP_USER_NAME", "hdfs")
    capture = tmp_path / "namenode.pcap"
    before = Counter(minidfs.metrics()["detailed"])
    with recording(minidfs.port, capture) as port:
        client = Client(f"hdfs://127.0.0.1:{port}")
        client.mkdirs("/counted/below", create_parent=True)
        for _ in range(5):
            client.get_file_info("/counted")
        list(client.list_status("/counted"))
        client.set_permission("/counted/below", 0o700)
        client.delete("/counted", recursive=True)
        with pytest.raises(FileNotFoundError):
            client.get_file_info("/counted")
    decoded = decode_capture(capture.read_bytes())
    assert decoded.errors() == []
    assert {call["user"] for call in decoded.calls} == {"hdfs"}
    called = Counter(call["name"].split(".")[1] for call in decoded.calls)
    grown = Counter(minidfs.metrics()["detailed"]) - before
    # `Overall...` counts each call once more, and `...AvgTime` is a time.
    counted = {name.removesuffix("NumOps"): n for name, n in grown.items() if "NumOps" in name}
    counted = {name: n for name, n in counted.items() if not name.startswith("Overall")}
    assert counted == {f"{name[0].upper()}{name[1:]}": n for name, n in called.items()}


def test_a_client_of_another_user_is_decoded_with_its_paths(
    minidfs: MiniDfs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HADOOP_USER_NAME", "hdfs")
    client = Client(minidfs.url)
    client.mkdirs("/data", 0o777, create_parent=True)
    client.set_permission("/data", 0o777)
    client.mkdirs("/admin", 0o700, create_parent=True)
    capture, log = tmp_path / "frank.pcap", tmp_path / "log.jsonl"
    with recording(minidfs.port, capture) as port:
        run_native_client(port, log)
    decoded = decode_capture(capture.read_bytes())
    assert decoded.errors() == []
    assert {call["user"] for call in decoded.calls} == {"frank"}
    operations = [json.loads(line) for line in log.read_text().splitlines()]
    asked_about = {call["target"] for call in decoded.calls}
    paths = {op["path"] for op in operations if op["operation"] != "glob_status"}
    assert paths <= asked_about
