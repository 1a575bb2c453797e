"""No value that a user may give to a file ends a listing of the other files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import product

import pyarrow as pa
import pytest

from jvmwire._core import hadoop_messages
from jvmwire.errors import DecodeError
from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.hadoop._commands import find_method
from jvmwire.hadoop.namenode._fsspec import HdfsMetadata
from jvmwire.hadoop.namenode._status import EARLIEST, LATEST, as_datetime
from jvmwire.transports import Tcp
from kit import wire
from kit.command import jvmwire
from kit.hadoop_scripted import Fields, listing, scripted, status

TIMES = {
    0: datetime(1970, 1, 1, tzinfo=UTC),
    (1 << 64) - 1000: datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
    -1000: datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
    253402300799999: datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
    253402300800000: LATEST,
    1 << 62: LATEST,
    (1 << 63) - 1: LATEST,
    1 << 63: EARLIEST,
    (1 << 64) - (1 << 60): EARLIEST,
}
LARGE = (1 << 64) - 1
NAMES = ["\x1b[31mred\n", "a\u202eb", "-rf", "\\", "%s", "é", "🙂", " "]


@pytest.mark.parametrize("milliseconds", TIMES)
def test_any_time_of_java_is_a_datetime(milliseconds):
    assert as_datetime(milliseconds) == TIMES[milliseconds]


def signed(number: int) -> int:
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def entries() -> list[Fields]:
    found = [
        status(f"t{at}", "IS_FILE", modification_time=time % (1 << 64), access_time=1 << 63)
        for at, time in enumerate(TIMES)
    ]
    found += [status(name, "IS_FILE") for name in NAMES]
    found += [
        status("large", "IS_FILE", length=LARGE, file_id=LARGE, blocksize=LARGE, children_num=-1),
        status("flags", "IS_FILE", flags=0xFFFFFFFF, storage_policy=0xFFFFFFFF),
        status("mode", "IS_FILE", permission={"perm": 0xFFFFFFFF}, block_replication=0xFFFFFFFF),
        status("nobody", "IS_FILE", owner="", group="\x1b"),
        status("link", "IS_SYMLINK", symlink=b"\xff\x1b"),
        status("bytes \xff".encode("latin-1"), "IS_FILE"),
    ]
    return found


def answer(method: str, request: Fields) -> Fields:
    match method:
        case "getListing":
            return listing(*entries())
        case "getContentSummary":
            return {"summary": dict.fromkeys(SUMMARY, LARGE)}
        case "getBlockLocations":
            return {
                "locations": {
                    "file_length": 0,
                    "under_construction": False,
                    "is_last_block_complete": True,
                }
            }
        case "setTimes":
            return {}
        case _:
            below = request["src"].rpartition("/")[2]
            return {
                "fs": next((one for one in entries() if one["path"] == below.encode()), status())
            }


SUMMARY = ("length", "file_count", "directory_count", "quota", "space_consumed", "space_quota")


def test_calls_give_every_entry():
    with (
        scripted(answer) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="x")) as client,
    ):
        count = len(entries())
        listed = list(client.list_directory("/d"))
        assert len([(entry.modified, entry.accessed) for entry in listed]) == count
        assert len(list(client.find("/d"))) == len(client.glob("/d/*")) == count
        assert len(client.du("/d")) == count
        table = pa.record_batch(client.list_directory("/d"))
        assert table.num_rows == count
        instants = table.column("modification_time").cast(pa.int64()).to_pylist()
        assert instants == [entry.modification_time for entry in listed]
        assert instants[: len(TIMES)] == [signed(time) for time in TIMES]
        assert table.column("permission").to_pylist() == [entry.permission for entry in listed]
        files = HdfsMetadata("127.0.0.1", namenode.port, user="x", skip_instance_cache=True)
        assert len(files.ls("/d")) == count
        client.set_times("/d", modified=-1000)
        [request] = namenode.called("setTimes")
        assert request["mtime"] == (1 << 64) - 1000


@pytest.mark.parametrize(
    "command",
    [
        ["ls", "/d"],
        ["ls", "--json", "/d"],
        ["du", "/d"],
        ["tree", "/d"],
        ["find", "/d"],
        ["stat", "/d/t5", "/d/t7", "/d/large", "/d/flags", "/d/mode", "/d/link"],
    ],
)
def test_commands_show_every_entry(command):
    with scripted(answer) as namenode:
        done = jvmwire("hadoop", *command, "--server", f"127.0.0.1:{namenode.port}")
    assert not done.stderr
    assert len(done.stdout.splitlines()) >= len(entries()) or command[0] == "stat"


def test_numbers_of_later_enumerations_are_shown_or_refused_in_a_sentence():
    acl = wire.content(1, "o") + wire.content(2, "g") + wire.number(3, 0)
    strange = wire.number(1, 9) + wire.number(2, 0) + wire.number(3, 7)
    answers = {
        "getXAttrs": wire.content(1, wire.number(1, 9) + wire.content(2, "n")),
        "getAclStatus": wire.content(1, acl + wire.content(4, strange)),
        "getHAServiceState": wire.number(1, 9),
    }
    with (
        scripted(lambda method, _request: answers[method]) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="x")) as client,
    ):
        assert client.get_xattrs("/d") == {"9.n": b""}
        assert client.get_service_state() == "9"
        with pytest.raises(DecodeError, match="an access control list has the type 9"):
            client.get_acl_status("/d")


MESSAGES = hadoop_messages()
READS: dict[str, tuple[str, ...]] = {
    "diff_snapshots": ("/d", "old"),
    "get_acl_status": ("/d",),
    "get_block_locations": ("/d",),
    "get_content_summary": ("/d",),
    "get_datanode_report": (),
    "get_delegation_token": ("renewer",),
    "get_erasure_coding_policies": (),
    "get_erasure_coding_policy": ("/d",),
    "get_file_info": ("/d",),
    "get_fs_stats": (),
    "get_quota_usage": ("/d",),
    "get_server_defaults": (),
    "get_service_state": (),
    "get_storage_policies": (),
    "get_storage_policy": ("/d",),
    "get_xattrs": ("/d",),
    "list_snapshots": ("/d",),
    "list_snapshottable_directories": (),
    "list_xattrs": ("/d",),
}
CLOSED = {"AclEntryProto", "HdfsFileStatusProto", "GetHAServiceStateResponseProto"}
"""Messages whose enumerations have not changed since Hadoop 2, and are required."""
NUMBERS = (0, 1, (1 << 31) - 1, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
CHOICES = (*range(10), 250, (1 << 64) - 1)


@cache
def filled(name: str, number: int, choice: int) -> bytes:
    """Encode a message with every field; all numbers have one value."""
    content = b""
    for at, _, kind, is_repeated, _ in MESSAGES[name]:
        if kind in MESSAGES:
            field = wire.content(at, filled(kind, number, choice))
        elif kind in {"text", "bytes"}:
            field = wire.content(at, "n")
        elif kind == "enum":
            field = wire.number(at, 1 if name in CLOSED else choice)
        else:
            field = wire.number(at, number if kind == "int" else 1)
        content += field * (2 if is_repeated else 1)
    return content


def leaves(value: object) -> Iterator[tuple[str, object]]:
    """Yield the leaves of a result, each with its declared type."""
    for one in fields(value):  # type: ignore[arg-type]
        found = getattr(value, one.name)
        yield str(one.type), found
        inner = found.values() if isinstance(found, dict) else found
        for each in inner if isinstance(inner, Iterable) and not isinstance(inner, str) else ():
            if is_dataclass(each):
                yield from leaves(each)


@pytest.mark.parametrize("method", READS)
def test_any_number_of_any_field_is_read_and_what_is_a_text_stays_one(method: str) -> None:
    asked = [*product(NUMBERS, (1,)), *product((1,), CHOICES)]
    now = asked[0]
    with (
        scripted(
            lambda name, _request: filled(find_method(wire.CLIENT_PROTOCOL, name).response, *now)
        ) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="x")) as client,
    ):
        for now in asked:
            found = getattr(client, method)(*READS[method])
            if hasattr(found, "__arrow_c_array__"):
                assert pa.record_batch(found).num_rows == len(found) > 0
            if isinstance(found, dict):
                assert all(isinstance(name, str) for name in found)
                states = {"ENABLED", "DISABLED", "REMOVED", str(now[1]), "-1"}
                assert method != "get_erasure_coding_policies" or {*found.values()} <= states
            for one in found if isinstance(found, Sequence) else [found]:
                if not is_dataclass(one):
                    continue
                for declared, value in leaves(one):
                    assert declared != "str" or isinstance(value, str)
                for quota in getattr(one, "type_quotas", ()):
                    assert isinstance(quota, str)
            assert method != "get_service_state" or isinstance(found, str)
