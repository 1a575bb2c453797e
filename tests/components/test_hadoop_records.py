"""Messages of a NameNode as objects: creation in bulk preserves the contents of each message."""

import gc
from typing import Any

import pyarrow as pa
import pytest

from jvmwire._core import HadoopList, HadoopRecord, encode_message
from jvmwire.errors import DecodeError
from jvmwire.hadoop import FileFlags, FileStatus, FileType
from jvmwire.hadoop.namenode._listing import DECODE_CHUNK, Listing, Page
from jvmwire.hadoop.namenode._status import STATUS

LEAST: dict[str, Any] = {
    "file_type": "IS_FILE",
    "path": b"b",
    "length": 3,
    "permission": {"perm": 0o1644},
    "owner": "alice",
    "group": "staff",
    "modification_time": 1_700_000_000_123,
    "access_time": 0,
}
ALL = LEAST | {
    "symlink": b"/else\xff",
    "block_replication": 3,
    "blocksize": 1 << 40,
    "file_id": 1 << 60,
    "children_num": 5,
    "storage_policy": 7,
    "flags": 5,
    "namespace": "ns",
    "ec_policy": {"id": 1},
    "locations": {
        "file_length": 3,
        "blocks": [],
        "under_construction": False,
        "is_last_block_complete": True,
    },
}
PARTS = {
    "file_type": b"\x08\x02",
    "path": b"\x12\x01b",
    "length": b"\x18\x03",
    "permission": b"\x22\x03\x08\xa4\x07",
    "owner": b"\x2a\x05alice",
    "group": b"\x32\x05staff",
    "modification_time": b"\x38\xfb\xd0\x95\xff\xbc\x31",
    "access_time": b"\x40\x00",
}
"""`LEAST`, field by field."""
REQUIRED = ["file_type", "path", "length", "owner", "group", "modification_time", "access_time"]


def status(fields: dict[str, Any]) -> bytes:
    return encode_message("HdfsFileStatusProto", fields)


def a_page(*entries: bytes) -> bytes:
    listing = encode_message("DirectoryListingProto", {"remaining_entries": 0})
    listing = b"".join(b"\x0a" + varint(len(entry)) + entry for entry in entries) + listing
    return b"\x0a" + varint(len(listing)) + listing


def varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def test_what_a_message_does_not_say_is_the_default() -> None:
    found = STATUS.decode("/a", status(LEAST))
    assert found == FileStatus(
        path="/a/b",
        file_type=FileType.FILE,
        length=3,
        permission=0o1644,
        owner="alice",
        group="staff",
        modification_time=1_700_000_000_123,
        access_time=0,
    )
    assert status(LEAST) == b"".join(PARTS.values())
    assert hash(found) == hash(STATUS.decode("/a", status(LEAST)))


def test_all_that_a_message_says_is_in_the_object() -> None:
    found = STATUS.decode("/", status(ALL))
    assert (found.path, found.symlink, found.flags) == (
        "/b",
        "/else\ufffd",
        FileFlags.HAS_ACL | FileFlags.HAS_EC,
    )
    assert (found.block_replication, found.block_size, found.file_id) == (3, 1 << 40, 1 << 60)
    assert (found.children_num, found.storage_policy, found.namespace) == (5, 7, "ns")
    assert found.ec_policy == {"id": 1}
    assert found.locations is not None
    assert found.locations["file_length"] == 3
    assert found.file_encryption_info is None


def test_the_objects_of_many_pages_are_those_of_each_message() -> None:
    entries = [
        LEAST | {"path": b"%d" % number, "owner": f"u{number % 20}", "flags": number % 11}
        for number in range(100)
    ]
    pages = [
        Page.decode(parent, b"", a_page(*map(status, entries))) for parent in ("/x", "/", "/x/y/")
    ]
    found = list(Listing(pages))
    assert found == [
        FileStatus.from_fields(page.path, entry) for page in pages for entry in entries
    ]
    assert [found[at].path for at in (0, 100, 200)] == ["/x/0", "/0", "/x/y/0"]


def test_a_page_that_is_decoded_in_parts_is_the_same_page() -> None:
    for count in (0, 1, DECODE_CHUNK, DECODE_CHUNK + 1, 2 * DECODE_CHUNK + 1):
        entries = [status(LEAST | {"path": b"%d" % number}) for number in range(count)]
        page = Page.decode("/x", b"", a_page(*entries))
        assert [entry.path for entry in page.entries()] == [f"/x/{n}" for n in range(count)]


def test_a_file_that_is_listed_has_its_own_path() -> None:
    [found] = Page.decode("/a/file", b"", a_page(status(LEAST | {"path": b""}))).entries()
    assert found.path == "/a/file"


@pytest.mark.parametrize("name", REQUIRED)
def test_what_must_be_there_is_missed_by_its_name(name: str) -> None:
    message = b"".join(data for field, data in PARTS.items() if field != name)
    with pytest.raises(DecodeError, match=name):
        STATUS.decode("/", message)


def test_a_type_of_file_that_is_none_is_told_where_it_stands() -> None:
    message = b"".join((PARTS | {"file_type": b"\x08\x09"}).values())
    with pytest.raises(DecodeError, match="file_type at offset 0: 9"):
        STATUS.decode("/", message)
    with pytest.raises(DecodeError, match="file_type"):
        list(Listing([Page.decode("/", b"", a_page(status(LEAST), message))]))


@pytest.mark.parametrize(
    ("message", "slot", "path", "shown"),
    [
        ("HdfsFileStatusProto", "path", "nothing", ""),
        ("HdfsFileStatusProto", "path", "permission.nothing", ""),
        ("HdfsFileStatusProto", "path", "owner", "child"),
        ("HdfsFileStatusProto", "path", "path", "else"),
        ("NoSuchProto", "path", "path", ""),
    ],
)
def test_a_plan_that_no_message_fits_is_refused(
    message: str, slot: str, path: str, shown: str
) -> None:
    with pytest.raises(ValueError, match=r"NoSuchProto|can be shown"):
        HadoopRecord(FileStatus, message, [(slot, path, shown)], {})


def test_a_class_without_the_slot_is_refused() -> None:
    with pytest.raises(TypeError, match="is_directory is no slot"):
        HadoopRecord(FileStatus, "HdfsFileStatusProto", [("is_directory", "owner", "")], {})


def test_only_those_messages_are_made_that_have_the_name_that_is_asked_for() -> None:
    pages = HadoopList("GetListingResponseProto", "dir_list.partial_listing")
    directory = {**LEAST, "file_type": "IS_DIR", "path": b"a"}
    answers = [("/", a_page(status(LEAST), status(directory))), ("/d", a_page(status(directory)))]
    found = pages.records(answers, STATUS, of=("file_type", "IS_DIR"))
    assert [entry.path for entry in found] == ["/a", "/d/a"]
    assert pages.records(answers, STATUS, of=("owner", "alice")) == []
    with pytest.raises(ValueError, match="no single nothing"):
        pages.records(answers, STATUS, of=("nothing", "IS_DIR"))


def test_a_list_that_is_cut_is_refused() -> None:
    pages = HadoopList("GetListingResponseProto", "dir_list.partial_listing")
    whole = a_page(status(LEAST))
    for cut in range(1, len(whole)):
        with pytest.raises(DecodeError):
            pages.records([("/", whole[:cut])], STATUS)


def test_the_collector_walks_no_object_but_of_what_may_lead_back_to_it() -> None:
    plain, located = STATUS.decode("/a", status(LEAST)), STATUS.decode("/a", status(ALL))
    assert not gc.is_tracked(plain)
    assert gc.is_tracked(located)
    del plain, located
    gc.collect()


def test_columns_are_what_the_objects_are_in_any_order_and_with_the_last_that_counts() -> None:
    backwards = b"".join(reversed(PARTS.values()))
    twice = b"".join(PARTS.values()) + b"\x18\x09" + b"\x2a\x03bob" + b"\x12\x03\xc3\xa4\xff"
    unnamed = status({**LEAST, "path": b""})
    answers = [
        ("/d/", a_page(backwards, twice)),
        ("/f", a_page(unnamed)),
        ("/f", a_page(status(ALL))),
    ]
    listing = Listing([Page.decode(path, b"", payload) for path, payload in answers])
    rows = pa.record_batch(listing).to_pylist()
    assert [row["path"] for row in rows] == ["/d/b", "/d/\xe4\ufffd", "/f", "/f/b"]
    for row, entry in zip(rows, listing, strict=True):
        assert row["path"] == entry.path
        assert row["file_type"] == entry.file_type
        assert (row["length"], row["owner"]) == (entry.length, entry.owner)
        assert row["permission"] == entry.permission
        assert row["modification_time"] == entry.modified
        assert row["symlink"] == entry.symlink
    assert [row["length"] for row in rows] == [3, 9, 3, 3]
    assert [row["children_num"] for row in rows] == [None, None, None, 5]


def test_flags_stand_above_the_permission_where_there_are_no_others() -> None:
    hadoop_2 = {**LEAST, "permission": {"perm": 0o1644 | 5 << 12}}
    entries = [LEAST, hadoop_2, {**hadoop_2, "flags": 2}, {**hadoop_2, "flags": 0}]
    listing = Listing([Page.decode("/d", b"", a_page(*map(status, entries)))])
    rows = pa.record_batch(listing).to_pylist()
    assert [row["flags"] for row in rows] == [entry.flags for entry in listing] == [0, 5, 2, 0]
    assert [row["permission"] for row in rows] == [0o1644] * 4


def test_a_text_that_is_none_is_told_where_it_stands() -> None:
    wrong = status(LEAST).replace(b"alice", b"ali\xffe")
    listing = Listing([Page.decode("/d", b"", a_page(status(LEAST), wrong))])
    with pytest.raises(DecodeError, match="string at offset") as refused:
        pa.record_batch(listing)
    assert refused.value.offset is not None
