"""Calls to a NameNode take effect, in every style: of real NameNodes, and of the double."""

import asyncio
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from jvmwire.hadoop import (
    AclEntry,
    AsyncNameNode,
    FileType,
    HadoopError,
    HadoopOptions,
    NameNode,
    SnapshotDiffEntry,
)
from jvmwire.hadoop.errors import (
    AccessDenied,
    AlreadyExists,
    DirectoryNotEmpty,
    FileNotFound,
    IllegalArgument,
    InvalidPath,
    NoSuchProtocol,
    NotADirectory,
    PathIsLink,
    QuotaExceeded,
    SafeMode,
    SnapshotRefused,
)
from jvmwire.hadoop.testing import NameNodeDouble
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, in_every_style
from kit.hadoop import MODULES, MiniDfs
from kit.recording import recording
from kit.rows import decode_capture

SECOND = datetime(2020, 2, 2, tzinfo=UTC)


SYNC, ASYNCIO = STYLES
TODAY, OLDER = MODULES
DOUBLE = "double"
REAL = [(SYNC, TODAY), (ASYNCIO, OLDER)]
WAYS = [*REAL, (SYNC, DOUBLE), (ASYNCIO, DOUBLE)]


def name_of_way(way):
    return f"{way[0].name}-{way[1]}"


@pytest.fixture(scope="module", params=WAYS, ids=name_of_way)
def way(request):
    """The style of the calls, and the version of the NameNode."""
    return request.param


@pytest.fixture
def style(way):
    return way[0]


@pytest.fixture(scope="module")
def today(minidfs):
    return minidfs


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    with MiniDfs(tmp_path_factory.mktemp("older"), module=OLDER) as peer:
        yield peer


@pytest.fixture(scope="module")
def double():
    groups = {"alice": ["analysts", "engineers"], "bob": ["engineers"]}
    with NameNodeDouble(groups=groups) as peer:
        yield peer


@pytest.fixture(scope="module")
def minidfs(way, request):
    fixture = {TODAY: "today", OLDER: "older", DOUBLE: "double"}[way[1]]
    return request.getfixturevalue(fixture)


@pytest.fixture
def home(style, request):
    """A directory for one test."""
    return f"/calls/{request.node.originalname}/{style.name}"


def connect(style, minidfs, user="hdfs", **options):
    endpoint = Tcp("127.0.0.1", minidfs.port)
    return style.connect(NameNode, AsyncNameNode, endpoint, HadoopOptions(user=user, **options))


@in_every_style
async def test_directories_and_files_are_made_renamed_and_deleted(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.mkdirs(f"{home}/a/b")
        await client.mkdirs(f"{home}/a/b")
        assert (await client.get_file_info(f"{home}/a/b")).permission == 0o755
        made = await client.create(f"{home}/a/file", replication=1, permission=0o777)
        assert (made.path, made.file_type, made.permission) == (
            f"{home}/a/file",
            FileType.FILE,
            0o755,
        )
        assert await client.is_file_closed(f"{home}/a/file")
        assert (await client.get_file_info(f"{home}/a/file")).file_id == made.file_id
        with pytest.raises(AlreadyExists) as exists:
            await client.create(f"{home}/a/file")
        assert isinstance(exists.value, FileExistsError)
        again = await client.create(f"{home}/a/file", overwrite=True)
        assert again.file_id > made.file_id
        with pytest.raises(NotADirectory):
            await client.mkdirs(f"{home}/a/file/inside")
        with pytest.raises(FileNotFound):
            await client.mkdirs(f"{home}/x/y", create_parent=False)
        with pytest.raises(FileNotFound):
            await client.create(f"{home}/x/y", create_parent=False)
        await client.rename(f"{home}/a/file", f"{home}/a/other")
        with pytest.raises(FileNotFound):
            await client.rename(f"{home}/a/file", f"{home}/a/other")
        await client.create(f"{home}/a/file")
        with pytest.raises(AlreadyExists):
            await client.rename(f"{home}/a/file", f"{home}/a/other")
        await client.rename(f"{home}/a/file", f"{home}/a/other", overwrite=True)
        assert await client.move(f"{home}/a/other", f"{home}/a/b")
        assert not await client.move(f"{home}/a/other", f"{home}/a/b")
        assert (await client.get_file_info(f"{home}/a/b/other")).length == 0
        with pytest.raises(DirectoryNotEmpty):
            await client.delete(f"{home}/a")
        assert await client.delete(f"{home}/a", recursive=True)
        assert not await client.delete(f"{home}/a", recursive=True)


@in_every_style
async def test_attributes_are_set_and_read(style, minidfs, home):
    path = f"{home}/file"
    async with connect(style, minidfs) as client:
        await client.create(path)
        await client.set_permission(path, 0o1640)
        await client.set_owner(path, "alice")
        await client.set_owner(path, group="analysts")
        when = int(SECOND.timestamp() * 1000)
        await client.set_times(path, modified=when)
        await client.set_times(path, accessed=when + 1000)
        assert await client.set_replication(path, 2)
        assert not await client.set_replication(home, 2)
        status = await client.get_file_info(path)
        assert (status.permission, status.owner, status.group) == (0o1640, "alice", "analysts")
        assert status.modified == SECOND
        assert status.access_time == when + 1000
        assert status.block_replication == 2
        with pytest.raises(FileNotFound):
            await client.set_permission(f"{home}/missing", 0o700)
        with pytest.raises(IllegalArgument):
            await client.set_storage_policy(path, "NONSENSE")


@in_every_style
async def test_access_control_lists_are_set_changed_and_removed(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.mkdirs(home)
        await client.set_acl(home, "user::rwx,user:alice:r-x,group::r-x,other::---")
        await client.modify_acl_entries(home, [AclEntry("GROUP", 5, "engineers", "DEFAULT")])
        status = await client.get_acl_status(home)
        assert [str(entry) for entry in status.entries if entry.scope == "ACCESS"] == [
            "user:alice:r-x",
            "group::r-x",
        ]
        assert "default:group:engineers:r-x" in map(str, status.entries)
        assert (status.owner, status.permission) == ("hdfs", 0o750)
        await client.remove_default_acl(home)
        await client.remove_acl_entries(home, "user:alice")
        assert await client.get_acl_status(home) != status
        await client.remove_acl(home)
        assert list((await client.get_acl_status(home)).entries) == []


@in_every_style
async def test_extended_attributes_are_set_listed_and_removed(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.mkdirs(home)
        await client.set_xattr(home, "user.origin", b"\0\xff")
        await client.set_xattr(home, "trusted.seal", b"")
        with pytest.raises(HadoopError, match="REPLACE flag"):
            await client.set_xattr(home, "user.origin", b"", replace=False)
        with pytest.raises(HadoopError, match="CREATE flag"):
            await client.set_xattr(home, "user.other", b"", create=False)
        assert await client.get_xattrs(home) == {"user.origin": b"\0\xff", "trusted.seal": b""}
        assert await client.get_xattrs(home, "user.origin") == {"user.origin": b"\0\xff"}
        assert sorted(await client.list_xattrs(home)) == ["trusted.seal", "user.origin"]
        await client.remove_xattr(home, "user.origin")
        assert await client.list_xattrs(home) == ["trusted.seal"]
        with pytest.raises(ValueError, match="namespace"):
            await client.set_xattr(home, "origin", b"")


@in_every_style
async def test_quotas_and_summaries_count_what_is_there(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.mkdirs(f"{home}/inside")
        await client.create(f"{home}/file")
        await client.set_quota(home, namespace_quota=4, space_quota=1 << 40)
        await client.set_quota(home, space_quota=1 << 30, storage_type="SSD")
        summary = await client.get_content_summary(home)
        assert (summary.file_count, summary.directory_count, summary.length) == (1, 2, 0)
        assert (summary.quota, summary.space_quota) == (4, 1 << 40)
        usage = await client.get_quota_usage(home)
        assert (usage.file_and_directory_count, usage.quota) == (3, 4)
        assert usage.type_quotas["SSD"].quota == 1 << 30
        await client.create(f"{home}/last")
        with pytest.raises(QuotaExceeded, match="quota"):
            await client.create(f"{home}/too many")
        await client.set_quota(home, namespace_quota=None)
        await client.create(f"{home}/too many")
        usage = await client.get_quota_usage(home)
        assert (usage.quota, usage.space_quota) == (None, 1 << 40)
        assert list(await client.du(home)) == [
            f"{home}/file",
            f"{home}/inside",
            f"{home}/last",
            f"{home}/too many",
        ]


@in_every_style
async def test_policies_are_set_and_read(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.mkdirs(home)
        policies = await client.get_storage_policies()
        await client.set_storage_policy(home, "COLD")
        assert await client.get_storage_policy(home) == "COLD"
        assert (await client.get_file_info(home)).storage_policy == policies["COLD"]
        await client.unset_storage_policy(home)
        assert await client.get_storage_policy(home) == "HOT"
        assert "RS-6-3-1024k" in await client.get_erasure_coding_policies()
        assert await client.get_erasure_coding_policy(home) is None
        await client.set_erasure_coding_policy(home, "RS-6-3-1024k")
        assert await client.get_erasure_coding_policy(home) == "RS-6-3-1024k"
        assert (await client.get_file_info(home)).ec_policy["id"] == 1
        await client.unset_erasure_coding_policy(home)


@in_every_style
async def test_snapshots_are_taken_compared_renamed_and_deleted(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.create(f"{home}/kept")
        await client.create(f"{home}/old")
        with pytest.raises(SnapshotRefused):
            await client.create_snapshot(home, "first")
        await client.allow_snapshot(home)
        assert await client.create_snapshot(home, "first") == f"{home}/.snapshot/first"
        await client.rename(f"{home}/old", f"{home}/new")
        await client.delete(f"{home}/kept")
        await client.create(f"{home}/fresh")
        await client.create_snapshot(home, "second")
        assert set(await client.diff_snapshots(home, "first", "second")) == {
            SnapshotDiffEntry("MODIFY", ""),
            SnapshotDiffEntry("DELETE", "kept"),
            SnapshotDiffEntry("CREATE", "fresh"),
            SnapshotDiffEntry("RENAME", "old", "new"),
        }
        assert await client.diff_snapshots(home, "second") == []
        await client.rename_snapshot(home, "second", "last")
        assert [found.name for found in await client.list_snapshots(home)] == ["first", "last"]
        [mine] = [
            found
            for found in await client.list_snapshottable_directories()
            if found.status.path == home
        ]
        assert mine.snapshot_number == 2
        assert await client.get_file_info(f"{home}/.snapshot/first/kept") is not None
        for name in ("first", "last"):
            await client.delete_snapshot(home, name)
        await client.disallow_snapshot(home)


@in_every_style
async def test_symbolic_links_are_made_and_told(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.create(f"{home}/file")
        await client.create_symlink(f"{home}/file", f"{home}/link")
        link = await client.get_file_link_info(f"{home}/link")
        assert (link.file_type, link.symlink) == (FileType.SYMLINK, f"{home}/file")
        assert (await client.get_file_link_info(f"{home}/missing")) is None
        assert await client.get_link_target(f"{home}/link") == f"{home}/file"
        with pytest.raises(PathIsLink):
            await client.get_file_info(f"{home}/link")


@pytest.mark.parametrize("way", REAL, ids=name_of_way, indirect=True)  # the double has no DataNode
@in_every_style
async def test_the_cluster_tells_of_its_nodes_and_its_space(style, minidfs, home):
    async with connect(style, minidfs) as client:
        report = await client.get_datanode_report("LIVE")
        [node] = report
        assert (node.address.split(":")[0], node.admin_state) == ("127.0.0.1", "NORMAL")
        table = pa.record_batch(report)
        assert table["uuid"].to_pylist() == [node.uuid]
        assert table["capacity"].to_pylist() == [node.capacity]
        assert list(await client.get_datanode_report("DEAD")) == []
        stats = await client.get_fs_stats()
        assert stats.capacity == node.capacity
        assert stats.missing_blocks == 0
        assert (await client.get_server_defaults()).bytes_per_checksum == 512
        with pytest.raises(HadoopError, match="HA for namenode is not enabled"):
            await client.get_service_state()
        assert await client.get_delegation_token("hdfs") is None


@in_every_style
async def test_nothing_is_changed_in_safe_mode(style, minidfs, home):
    async with connect(style, minidfs) as client:
        await client.mkdirs(home)
        assert await client.enter_safe_mode()
        try:
            assert await client.get_safe_mode()
            with pytest.raises(SafeMode, match="safe mode"):
                await client.create(f"{home}/file")
            assert await client.save_namespace()
        finally:
            assert not await client.leave_safe_mode()
        await client.create(f"{home}/file")


@pytest.fixture(scope="module")
def tree(way, minidfs):
    """Directories with more files than a page has."""
    top = f"/calls/tree/{way[0].name}"
    with NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user="hdfs")) as client:
        for number in range(40):
            client.mkdirs(f"{top}/{number % 4}/{number:02}")
        for number in range(0, 40, 7):
            client.create(f"{top}/{number % 4}/{number:02}/part-{number:05}.orc")
        client.mkdirs(f"{top}/secret/inside")
        client.set_permission(f"{top}/secret", 0o700)
    return top


def of_the_tree(top):
    directories = {f"{top}/{number}" for number in range(4)}
    directories |= {f"{top}/{number % 4}/{number:02}" for number in range(40)}
    files = {f"{top}/{n % 4}/{n:02}/part-{n:05}.orc" for n in range(0, 40, 7)}
    return directories, files


@in_every_style
async def test_a_tree_is_walked_and_listed_whatever_is_asked_at_once(style, minidfs, tree):
    directories, files = of_the_tree(tree)
    directories |= {f"{tree}/secret", f"{tree}/secret/inside"}
    async with connect(style, minidfs) as client:
        for concurrency in (1, 3, 100):
            listing = await client.list_recursively(tree, concurrency=concurrency)
            assert {entry.path for entry in listing} == directories | files
            assert len(listing) == len(directories) + len(files)
            table = pa.record_batch(listing)
            assert table["path"].to_pylist() == [entry.path for entry in listing]
            assert set(table["file_type"].to_pylist()) == {"IS_DIR", "IS_FILE"}
            seen = [
                found
                async for found in style.each(client, client.walk(tree, concurrency=concurrency))
            ]
            assert {found.path for found in seen} == directories | {tree}
            assert {file.path for found in seen for file in found.files} == files
        with pytest.raises(FileNotFound):
            await client.list_recursively(f"{tree}/missing")


@in_every_style
async def test_what_one_may_not_see_is_an_error_or_told(style, minidfs, tree):
    directories, files = of_the_tree(tree)
    refused = []
    async with connect(style, minidfs, user="bob") as client:
        with pytest.raises(AccessDenied):
            await client.list_recursively(tree)
        listing = await client.list_recursively(
            tree, on_error=lambda path, error: refused.append((path, type(error)))
        )
        assert {entry.path for entry in listing} == directories | files | {f"{tree}/secret"}
        assert refused == [(f"{tree}/secret", AccessDenied)]
        found = [
            status.path
            async for status in style.each(
                client, client.find(tree, lambda status: not status.is_directory)
            )
        ]
        assert set(found) == files


@in_every_style
async def test_patterns_match_as_hadoops_own_do(style, minidfs, tree):
    _, files = of_the_tree(tree)
    async with connect(style, minidfs) as client:
        for pattern, expected in {
            f"{tree}/*/??/part-*.orc": files,
            f"{tree}/[0-2]/0?": {f"{tree}/{n % 4}/{n:02}" for n in range(10) if n % 4 < 3},
            f"{tree}/[^1-3s]*": {f"{tree}/0"},
            f"{tree}/{{0/00,1/01,9/99}}": {f"{tree}/0/00", f"{tree}/1/01"},
            f"{tree}/*/0{{0,5}}": {f"{tree}/0/00", f"{tree}/1/05"},
            f"{tree}/*/00/*": {f"{tree}/0/00/part-00000.orc"},
            f"{tree}/0/00/part-00000.orc/*": set(),
            f"{tree}/\\0": {f"{tree}/0"},
            f"{tree}/missing": set(),
            tree: {tree},
            "/": {"/"},
        }.items():
            found = await client.glob(pattern)
            assert {status.path for status in found} == expected, pattern
        for none in ("/a{b", "/a[b", "/a\\", "/[b-a]"):
            with pytest.raises(ValueError, match=r"is not closed|escape|range"):
                await client.glob(none)


@in_every_style
async def test_any_method_of_any_protocol_is_called_by_its_name(style, minidfs, home):
    async with connect(style, minidfs) as client:
        answer = await client.call(
            "mkdirs", {"src": home, "masked": {"perm": 0o700}, "create_parent": True}
        )
        assert answer == {"result": True}
        for wrong in (
            client.call("nothing"),
            client.call("mkdirs", {"src": home}),
            client.call("getFileInfo", {"src": home, "more": 1}),
            client.call("getFileInfo", protocol="no.such.Protocol"),
        ):
            with pytest.raises(ValueError, match=r"no method|needs|fewer fields|no protocol"):
                await wrong
        refresh = "org.apache.hadoop.security.RefreshUserMappingsProtocol"
        assert await client.call("refreshUserToGroupsMappings", protocol=refresh) == {}
        policy = "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol"
        with pytest.raises(HadoopError, match="Authorization not enabled"):
            await client.call("refreshServiceAcl", protocol=policy)
        user = "org.apache.hadoop.tools.GetUserMappingsProtocol"
        answer = await client.call("getGroupsForUser", {"user": "alice"}, protocol=user)
        assert answer == {"groups": ["analysts", "engineers"]}
        yarn = "org.apache.hadoop.yarn.api.ApplicationClientProtocolPB"
        with pytest.raises(NoSuchProtocol):
            await client.call("getClusterMetrics", protocol=yarn)
        with pytest.raises(InvalidPath):
            await client.mkdirs(f"{home}/a//b:/./c")


@in_every_style
async def test_each_protocol_and_timeout_has_a_connection(style, minidfs, home, tmp_path):
    capture = tmp_path / "users.pcap"
    with recording(minidfs.port, capture) as port:
        endpoint, options = Tcp("127.0.0.1", port), HadoopOptions(user="hdfs")
        async with style.connect(NameNode, AsyncNameNode, endpoint, options) as client:
            await asyncio.gather(*(client.get_file_info("/") for _ in range(9)))
            mappings = "org.apache.hadoop.tools.GetUserMappingsProtocol"
            await client.call("getGroupsForUser", {"user": "bob"}, protocol=mappings)
            await client.call("getGroupsForUser", {"user": "bob"}, protocol=mappings)
            hurried = client.within(20.0)
            await asyncio.gather(*(hurried.get_file_info("/") for _ in range(9)))
            await client.within(20.0).get_file_info("/")
    decoded = decode_capture(capture.read_bytes())
    assert decoded.errors() == []
    assert len(decoded.streams) == 3
