"""Listings continue past directories without permission, and report them."""

import fsspec
import pytest
from click.testing import CliRunner

from jvmwire._cli import cli
from jvmwire.hadoop import HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.errors import AccessDenied
from jvmwire.hadoop.namenode._fsspec import HdfsMetadata
from jvmwire.transports import Tcp
from kit.hadoop_scripted import listing, scripted, status

DENIED = ("org.apache.hadoop.security.AccessControlException", "Permission denied")
FILE = status("f", "IS_FILE", length=5)
DIRECTORIES = {
    "/d": listing(status("no", children_num=1), status("yes", children_num=1), FILE),
    "/d/yes": listing(status("f", "IS_FILE", length=7)),
}
KNOWN = {"/d": status(), "/d/no": status(), "/d/yes": status(), "/d/f": FILE, "/d/yes/f": FILE}
COUNTS = ("length", "file_count", "directory_count", "quota", "space_consumed", "space_quota")


def answer(method, request):
    path = request.get("src") or request["path"]
    if path.startswith("/d/no/") or (path == "/d/no" and not method.startswith("getFile")):
        return DENIED
    match method:
        case "getListing":
            return DIRECTORIES.get(path, {})
        case "getContentSummary":
            return {"summary": dict.fromkeys(COUNTS, 1)}
        case _:
            return {"fs": KNOWN[path]} if path in KNOWN else {}


@pytest.fixture(scope="module")
def namenode():
    with scripted(answer) as namenode:
        yield namenode


@pytest.mark.parametrize(
    ("command", "missed", "shown"),
    [
        (["ls", "-R", "/d"], ["/d/no"], 4),
        (["ls", "/d/*"], ["/d/no"], 2),
        (["ls", "/d/*/f"], ["/d/no/f"], 1),
        (["ls", "/d/*/*"], ["/d/no"], 1),
        (["ls", "/d/no/f"], ["/d/no/f"], 0),
        (["ls", "-d", "/d/*"], [], 3),
        (["du", "/d"], ["/d/no"], 2),
        (["du", "-s", "/d/no", "/d/f"], ["/d/no"], 1),
        (["find", "/d"], ["/d/no"], 4),
        (["tree", "/d"], ["/d/no"], 5),
        (["stat", "/d/no/f", "/d/yes"], ["/d/no/f"], 5),
    ],
)
def test_a_command_names_each_path_that_it_misses_once_and_ends_with_1(
    namenode, command, missed, shown
):
    server = f"127.0.0.1:{namenode.port}"
    done = CliRunner().invoke(cli, ["hadoop", *command, "--server", server])
    assert done.exit_code == bool(missed), done.output
    assert done.stderr.splitlines() == [f"jvmwire: {path}: Permission denied" for path in missed]
    assert len(done.stdout.splitlines()) >= shown


def test_a_pattern_tells_what_it_could_not_look_at(namenode):
    with NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="x")) as client:
        missed = []
        found = client.glob("/d/*/*", on_error=lambda path, _error: missed.append(path))
        assert ([one.path for one in found], missed) == (["/d/yes/f"], ["/d/no"])
        assert client.glob("/d/*/*") == found
        # A file has no entries, which is not an error.
        assert client.glob("/d/yes/f/x", on_error=lambda *_: pytest.fail("told")) == []


@pytest.mark.filterwarnings("ignore:.* is left out")
def test_fsspec_raises_what_is_no_refusal(namenode):
    def failing(method, request):
        return (
            ("java.io.IOException", "disk")
            if request["src"] == "/d/yes"
            else answer(method, request)
        )

    with scripted(failing) as broken:
        files = HdfsMetadata("127.0.0.1", broken.port, user="x", skip_instance_cache=True)
        for depth in (None, 5):
            with pytest.raises(HadoopError, match="disk"):
                files.find("/d", maxdepth=depth)


def test_fsspec_finds_what_may_be_read_whether_a_depth_is_given_or_not(namenode):
    files = HdfsMetadata("127.0.0.1", namenode.port, user="x", skip_instance_cache=True)
    found = ["/d/f", "/d/yes/f"]
    with pytest.warns(UserWarning, match="/d/no is left out") as warned:
        assert files.find("/d") == files.glob("/d/**/f") == found
    assert [str(it.message) for it in warned] == ["/d/no is left out: Permission denied"] * 2
    with pytest.warns(UserWarning, match="is left out") as warned:
        assert files.find("/d", maxdepth=5) == files.glob("/d/*f*") + files.glob("/d/*/f") == found
    assert [str(it.message) for it in warned] == ["a directory is left out: Permission denied"] * 2
    assert files.find("/d/gone", maxdepth=5) == []
    missed: list[OSError] = []
    files.find("/d", on_error=missed.append)
    assert [type(error) for error in missed] == [AccessDenied]
    for asked in ({"on_error": "raise"}, {"on_error": "raise", "maxdepth": 5}):
        with pytest.raises(AccessDenied):
            files.find("/d", **asked)
    with pytest.raises(AccessDenied):
        files.find("/d/no")


def test_the_user_of_a_url_makes_the_calls():
    with scripted(answer) as namenode:
        url = f"alice@127.0.0.1:{namenode.port}/d/yes"
        found, path = fsspec.url_to_fs(f"jvmwire-hdfs://{url}", skip_instance_cache=True)
        assert found.ls(path, detail=False) == ["/d/yes/f"]
        done = CliRunner().invoke(cli, ["hadoop", "ls", f"hdfs://{url}"])
        assert done.exit_code == 0, done.output
        assert [effective for effective, _ in namenode.users] == ["alice", "alice"]
