"""The NameNode's client in every style, against a real NameNode and another client."""

import asyncio
import re
import subprocess
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hdfs_native import Client, WriteOptions

from jvmwire.errors import ConnectFailed, RemoteProtocolError
from jvmwire.hadoop import AsyncNameNode, FileType, HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.errors import AccessDenied, AuthenticationRequired, FileNotFound
from jvmwire.options import NEVER
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, Style, in_every_style
from kit.environment import ROOT
from kit.hadoop import program
from kit.jvm import free_port
from kit.recording import recording
from kit.rows import decode_capture

README = ROOT / "README.md"
HOME = "/client"
MANY = f"{HOME}/many"
# More entries than a NameNode lists at once: dfs.ls.limit is 1000.
ENTRIES = 1100


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module")
def other(minidfs):
    """Another client, which created the files and directories."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HADOOP_USER_NAME", "hdfs")
        client = Client(minidfs.url)
        client.mkdirs(f"{MANY}", create_parent=True)
        for number in range(ENTRIES):
            client.mkdirs(f"{MANY}/{number:05}")
        for name, content in {"file": b"x" * 700, "näme €😀": b"", "empty": b""}.items():
            with client.create(f"{HOME}/{name}") as file:
                file.write(content)
        client.set_permission(f"{HOME}/file", 0o640)
        client.set_owner(f"{HOME}/file", "alice", "analysts")
        client.mkdirs(f"{HOME}/secret/inside", create_parent=True)
        client.set_permission(f"{HOME}/secret", 0o700)
    return client


def connect(style: Style, port: int, **options: Any) -> Any:
    told = HadoopOptions(**({"user": "hdfs"} | options))
    return style.connect(NameNode, AsyncNameNode, Tcp("127.0.0.1", port), told)


def as_the_other_says(status):
    return (
        status.path,
        status.length,
        status.is_directory,
        status.permission,
        status.owner,
        status.group,
        status.modification_time,
        status.access_time,
        status.block_replication or None,
        status.block_size or None,
    )


def as_it_says(status):
    return (
        status.path,
        status.length,
        status.isdir,
        status.permission,
        status.owner,
        status.group,
        status.modification_time,
        status.access_time,
        status.replication or None,
        status.blocksize or None,
    )


@in_every_style
async def test_a_status_is_what_the_other_client_says_of_the_path(style, minidfs, other):
    async with connect(style, minidfs.port) as client:
        for path in ("/", HOME, f"{HOME}/file", f"{HOME}/näme €😀"):
            status = await client.get_file_info(path)
            assert as_the_other_says(status) == as_it_says(other.get_file_info(path))
        assert await client.get_file_info(f"{HOME}/missing") is None
        file = await client.get_file_info(f"{HOME}/file")
    assert (file.file_type, file.owner, file.permission) == (FileType.FILE, "alice", 0o640)
    assert file.modified.timestamp() * 1000 == file.modification_time


@in_every_style
async def test_a_listing_is_what_the_other_client_lists_page_after_page(style, minidfs, other):
    async with connect(style, minidfs.port) as client:
        for path in (HOME, MANY, f"{HOME}/file"):
            listed = [status async for status in style.each(client, client.get_listing(path))]
            expected = [as_it_says(status) for status in other.list_status(path)]
            assert [as_the_other_says(status) for status in listed] == expected
        assert len(listed) == 1


@in_every_style
async def test_a_listing_can_say_where_the_blocks_are(style, minidfs, other):
    async with connect(style, minidfs.port) as client:
        listing = style.each(client, client.get_listing(HOME, need_location=True))
        by_path = {status.path: status async for status in listing}
    locations = by_path[f"{HOME}/file"].locations
    [block] = locations["blocks"]
    assert locations["file_length"] == block["b"]["num_bytes"] == 700
    assert block["locs"][0]["id"]["ip_addr"] == "127.0.0.1"
    assert block["is_cached"] == [False]
    assert block["storage_types"] == ["DISK"]


@in_every_style
async def test_many_paths_are_one_batch_and_one_table(style, minidfs, other):
    paths = [f"{MANY}/{number:05}" for number in range(ENTRIES)]
    paths[7:7] = [f"{HOME}/missing", "/.reserved/.inodes/99999999", f"{HOME}/file"]
    async with connect(style, minidfs.port) as client:
        infos = await client.get_file_infos(paths)
        assert len(await client.get_file_infos([])) == 0
    assert len(infos) == len(paths)
    assert infos[7] is None
    assert isinstance(infos[8], FileNotFound)
    with pytest.raises(HadoopError, match="inode path does not exist") as refused:
        infos.raise_for_errors()
    assert refused.value.filename == paths[8]
    assert set(infos.errors) == {8}
    assert infos[9].owner == "alice"
    assert [status.path for status in infos[10:]] == paths[10:]
    table = pa.record_batch(infos)
    assert table["path"].to_pylist() == paths
    assert table["owner"][9].as_py() == "alice"
    assert table["modification_time"][9].as_py() == infos[9].modified
    assert table["length"].to_pylist()[6:10] == [0, None, None, 700]
    assert Counter(table["error_class"].to_pylist()) == {
        None: len(paths) - 1,
        "java.io.FileNotFoundException": 1,
    }


@in_every_style
async def test_what_the_namenode_refuses_is_an_error_by_its_java_class(style, minidfs, other):
    async with connect(style, minidfs.port, user="bob") as client:
        with pytest.raises(AccessDenied, match="user=bob") as denied:
            await client.get_file_info(f"{HOME}/secret/inside")
        assert isinstance(denied.value, PermissionError)
        assert denied.value.java_class == "org.apache.hadoop.security.AccessControlException"
        assert "FSPermissionChecker.java" in denied.value.stack
        with pytest.raises(FileNotFound, match=f"{HOME}/missing"):
            async for _ in style.each(client, client.get_listing(f"{HOME}/missing")):
                pass
        assert await client.get_file_info(HOME) is not None


@in_every_style
async def test_calls_overlap_on_one_connection(style, minidfs, other, tmp_path):
    capture = tmp_path / "overlap.pcap"
    with recording(minidfs.port, capture) as port:
        async with connect(style, port, caller_context="overlapping") as client:
            paths = [f"{MANY}/{number:05}" for number in range(200)]
            found = await asyncio.gather(*map(client.get_file_info, paths))
            assert [status.path for status in found] == paths
            await client.get_file_infos(paths)
            async for _ in style.each(client, client.get_listing(MANY)):
                pass
    decoded = decode_capture(capture.read_bytes())
    assert decoded.errors() == []
    assert len(decoded.streams) == 1
    assert Counter(call["name"] for call in decoded.calls) == {
        "ClientProtocol.getFileInfo": 400,
        "ClientProtocol.getListing": 2,
    }
    assert Counter(call["target"] for call in decoded.calls) == Counter(
        [*paths, *paths, MANY, MANY]
    )
    assert {call["status"] for call in decoded.calls} == {"ok"}
    assert {call["user"] for call in decoded.calls} == {"hdfs"}
    assert {call["attributes"]["caller_context"] for call in decoded.calls} == {"overlapping"}
    assert len({call["id"] for call in decoded.calls}) == 402


@in_every_style
async def test_who_may_not_act_for_another_is_told_at_the_first_call(style, minidfs):
    async with connect(style, minidfs.port, user="alice", real_user="mallory") as client:
        with pytest.raises(AuthenticationRequired, match="mallory is not allowed to impersonate"):
            await client.get_file_info("/")


@in_every_style
async def test_a_web_server_is_not_taken_for_a_namenode(style, minidfs):
    async with connect(style, minidfs.web_port, retry=NEVER) as client:
        with pytest.raises(RemoteProtocolError, match="speaks HTTP"):
            await client.get_file_info("/")


@in_every_style
async def test_nobody_at_the_port_is_told_when_connecting(style):
    endpoint, options = Tcp("127.0.0.1", free_port()), HadoopOptions(retry=NEVER)
    if style.name == "sync":
        with pytest.raises(ConnectFailed):
            NameNode.connect(endpoint, options)
    else:
        with pytest.raises(ConnectFailed):
            await AsyncNameNode.connect(endpoint, options)


@in_every_style
async def test_a_namenode_that_wants_kerberos_says_so(style, secure_dfs):
    async with connect(style, secure_dfs.port) as client:
        with pytest.raises(AuthenticationRequired, match="SIMPLE authentication is not enabled"):
            await client.get_file_info("/")


def test_the_readmes_example_runs(minidfs, other, capsys):
    examples = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    [example] = [example for example in examples if "hadoop.connect(" in example]
    other.mkdirs("/data", create_parent=True)
    with other.create("/data/file", WriteOptions(overwrite=True)) as file:
        file.write(b"x" * 7)
    here = example.replace("namenode:8020", f"127.0.0.1:{minidfs.port}")
    assert here != example
    exec(compile(here, "README.md", "exec"), {})  # noqa: S102 - it is ours
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "hdfs 0o644 7"
    assert any(line.startswith("/data/file ") for line in printed)
    assert printed[-1].endswith("{'path': '/missing', 'length': None, 'error_class': None}]")


def test_the_tables_are_what_hadoops_own_descriptors_say(tmp_path):
    printed = program("ProtoTables", directory=tmp_path).run(60)
    done = subprocess.run(
        ["rustfmt", "--edition", "2024", "--config-path", str(ROOT)],
        input=printed,
        capture_output=True,
        text=True,
        check=True,
    )
    generated = ROOT / "rust" / "codec" / "src" / "hadoop" / "generated"
    assert done.stdout == (generated / "messages.rs").read_text()
