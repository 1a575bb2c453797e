"""Requests to a NameNode equal those of Hadoop's Java client byte for byte, except for names."""

import logging
from contextlib import suppress
from typing import Any

import pytest

from jvmwire._core import decode_message, encode_message
from jvmwire.hadoop import AclEntry, HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop._commands import CLIENT_PROTOCOL, find_method
from jvmwire.transports import Recorder, Tap, Tcp
from kit import wire
from kit.captures import NAMENODE, decoded
from kit.directions import directions
from kit.hadoop_transcript import delimited, fields
from kit.rows import decode_capture, parsed

# Fields of RpcRequestHeaderProto.
CALL_ID, CLIENT_ID, CALLER_CONTEXT = 3, 4, 7

# Each method once, with the arguments of Java's client.
CASES: dict[str, Any] = {
    "allowSnapshot": lambda c, f: c.allow_snapshot(f["snapshot_root"]),
    "checkAccess": lambda c, f: c.check_access(f["path"], f["mode"]),
    "concat": lambda c, f: c.concat(f["trg"], f["srcs"]),
    "create": lambda c, f: c.create(f["src"], replication=1, block_size=f["block_size"]),
    "createSnapshot": lambda c, f: c.create_snapshot(f["snapshot_root"], f["snapshot_name"]),
    "createSymlink": lambda c, f: c.create_symlink(f["target"], f["link"]),
    "delete": lambda c, f: c.delete(f["src"]),
    "deleteSnapshot": lambda c, f: c.delete_snapshot(f["snapshot_root"], f["snapshot_name"]),
    "disallowSnapshot": lambda c, f: c.disallow_snapshot(f["snapshot_root"]),
    "getAclStatus": lambda c, f: c.get_acl_status(f["src"]),
    "getBlockLocations": lambda c, f: c.get_block_locations(f["src"], 0, f["length"]),
    "getContentSummary": lambda c, f: c.get_content_summary(f["path"]),
    "getDatanodeReport": lambda c, _: c.get_datanode_report("LIVE"),
    "getDelegationToken": lambda c, f: c.get_delegation_token(f["renewer"]),
    "getErasureCodingPolicies": lambda c, _: c.get_erasure_coding_policies(),
    "getErasureCodingPolicy": lambda c, f: c.get_erasure_coding_policy(f["src"]),
    "getFileInfo": lambda c, f: c.get_file_info(f["src"]),
    "getFileLinkInfo": lambda c, f: c.get_file_link_info(f["src"]),
    "getFsStats": lambda c, _: c.get_fs_stats(),
    "getHAServiceState": lambda c, _: c.get_service_state(),
    "getLinkTarget": lambda c, f: c.get_link_target(f["path"]),
    "getListing": lambda c, f: c.list_directory(f["src"]),
    "getQuotaUsage": lambda c, f: c.get_quota_usage(f["path"]),
    "getServerDefaults": lambda c, _: c.get_server_defaults(),
    "getSnapshotDiffReport": lambda c, f: c.diff_snapshots(
        f["snapshot_root"], f["from_snapshot"], f["to_snapshot"]
    ),
    "getSnapshotListing": lambda c, f: c.list_snapshots(f["snapshot_root"]),
    "getSnapshottableDirListing": lambda c, _: c.list_snapshottable_directories(),
    "getStoragePolicies": lambda c, _: c.get_storage_policies(),
    "getStoragePolicy": lambda c, f: c.get_storage_policy(f["path"]),
    "getXAttrs": lambda c, f: c.get_xattrs(f["src"], "user.note"),
    "isFileClosed": lambda c, f: c.is_file_closed(f["src"]),
    "listXAttrs": lambda c, f: c.list_xattrs(f["src"]),
    "mkdirs": lambda c, f: c.mkdirs(f["src"]),
    "modifyAclEntries": lambda c, f: c.modify_acl_entries(f["src"], acl(f)),
    "msync": lambda c, _: c.msync(),
    "recoverLease": lambda c, f: c.recover_lease(f["src"]),
    "removeAcl": lambda c, f: c.remove_acl(f["src"]),
    "removeAclEntries": lambda c, f: c.remove_acl_entries(f["src"], acl(f)),
    "removeDefaultAcl": lambda c, f: c.remove_default_acl(f["src"]),
    "removeXAttr": lambda c, f: c.remove_xattr(f["src"], "user.origin"),
    "rename": lambda c, f: c.move(f["src"], f["dst"]),
    "rename2": lambda c, f: c.rename(f["src"], f["dst"], overwrite=True),
    "renameSnapshot": lambda c, f: c.rename_snapshot(
        f["snapshot_root"], f["snapshot_old_name"], f["snapshot_new_name"]
    ),
    "setAcl": lambda c, f: c.set_acl(f["src"], acl(f)),
    "setErasureCodingPolicy": lambda c, f: c.set_erasure_coding_policy(
        f["src"], f["ec_policy_name"]
    ),
    "setOwner": lambda c, f: c.set_owner(f["src"], f["username"], f["groupname"]),
    "setPermission": lambda c, f: c.set_permission(f["src"], f["permission"]["perm"]),
    "setQuota": lambda c, f: c.set_quota(f["path"], namespace_quota=f["namespace_quota"]),
    "setReplication": lambda c, f: c.set_replication(f["src"], f["replication"]),
    "setStoragePolicy": lambda c, f: c.set_storage_policy(f["src"], f["policy_name"]),
    "setTimes": lambda c, f: c.set_times(f["src"], modified=f["mtime"], accessed=f["atime"]),
    "setXAttr": lambda c, f: c.set_xattr(f["src"], "user.origin", f["x_attr"]["value"]),
    "truncate": lambda c, f: c.truncate(f["src"], f["new_length"]),
    "unsetErasureCodingPolicy": lambda c, f: c.unset_erasure_coding_policy(f["src"]),
    "unsetStoragePolicy": lambda c, f: c.unset_storage_policy(f["src"]),
}


def acl(fields):
    return [AclEntry.from_fields(entry) for entry in fields["acl_spec"]]


def requests(stream, rows):
    """Yield the method and the frame of each call of ClientProtocol."""
    for row in rows:
        told = row["fields"]
        if row["name"] == "Call" and told["protocol"] == CLIENT_PROTOCOL:
            yield told["method"], stream[row["offset"] : row["offset"] + row["length"]]


def wrap_error(frame, our_frame, request):
    """Return a frame of Java's with jvmwire's ids and client name, and without caller context.

    A context describes the calling program, and jvmwire's client sends none.
    """
    header, called, argument = delimited(frame[4:])
    our_header, _, our_argument = delimited(our_frame[4:])
    ids = {number: data for number, data in fields(our_header) if number in (CALL_ID, CLIENT_ID)}
    kept = [field for field in fields(header) if field[0] != CALLER_CONTEXT]
    header = b"".join(ids.get(number, data) for number, data in kept)
    if "client_name" in (told := decode_message(request, argument)):
        name = decode_message(request, our_argument)["client_name"]
        argument = encode_message(request, told | {"client_name": name})
    return wire.frame(*map(wire.delimited, (header, called, argument)))


@pytest.fixture(scope="module")
def javas():
    """The frame of the first request of each method, of a recorded Java client."""
    columns = ["stream", "side", "offset", "length", "name", "fields"]
    found: dict[str, Any] = {}
    both = directions(NAMENODE)
    for batch in decoded(NAMENODE, "messages", columns=columns, where="name = 'Call'").to_batches():
        for row in batch.to_pylist():
            row["fields"] = parsed(row["fields"])
            for method, frame in requests(both[row["stream"]].client, [row]):
                found.setdefault(method, frame)
    return found


@pytest.fixture(scope="module")
def ours(minidfs, javas, tmp_path_factory):
    """The requests of jvmwire's client for the same calls; the replies do not matter here."""
    capture = tmp_path_factory.mktemp("ours") / "ours.pcap"
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[assignment,method-assign]
    log = logging.getLogger("jvmwire.wire")
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        with capture.open("wb") as file:
            recorder = Recorder(file)
            endpoint = Tap(Tcp("127.0.0.1", minidfs.port), recorder)
            options = HadoopOptions(user="nobody", trace=True)
            with NameNode(endpoint, options) as client:
                for method, ask in CASES.items():
                    request = find_method(CLIENT_PROTOCOL, method).request
                    with suppress(HadoopError):
                        ask(client, decode_message(request, delimited(javas[method][4:])[2]))
            recorder.close()
    finally:
        log.removeHandler(handler)
    return capture, records


def test_each_request_is_what_javas_client_wrote(javas, ours):
    capture, _ = ours
    found = decode_capture(capture.read_bytes())
    [stream] = {row["stream"] for row in found.messages}
    written = directions(capture)[stream].client
    seen: dict[str, Any] = {}
    for method, frame in requests(written, found.messages):
        seen.setdefault(method, frame)
    for method in CASES:
        request = find_method(CLIENT_PROTOCOL, method).request
        assert seen[method] == wrap_error(javas[method], seen[method], request), method


def test_a_tap_of_our_own_shows_the_calls_that_our_log_tells(ours):
    capture, records = ours
    found = decode_capture(capture.read_bytes())
    assert found.errors() == []
    said = [record.args for record in records if " > " in record.msg]
    logged = [(str(call_id), described.value.method) for _, call_id, described in said]
    shown = [
        (row["id"], row["fields"]["method"]) for row in found.messages if row["name"] == "Call"
    ]
    assert shown == logged
    assert len(logged) >= len(CASES)
    answered = {call["id"] for call in found.calls if call["status"] in ("ok", "error")}
    assert answered == {call_id for call_id, _ in logged}
