"""`jvmwire hadoop serve`: a double of a NameNode for clients of any language."""

import pytest

from kit.command import jvmwire
from kit.serve_command import serving


def test_commands_work_on_the_double() -> None:
    options = ("--file", "/data/part-0=1048576", "--group", "staff=alice,bob")
    refused = ("--refuse", "setTimes=java.io.IOException", "--drop", "getContentSummary")
    with serving("hadoop", *options, *refused) as [address]:
        server = ("--server", address, "--user", "hdfs")
        listed = jvmwire("hadoop", "ls", "--json", "/data", *server).rows
        assert [(row["path"], row["length"]) for row in listed] == [("/data/part-0", 1048576)]
        jvmwire("hadoop", "mkdir", "/made", *server)
        assert jvmwire("hadoop", "chown", "alice:staff", "/made", *server).stderr == ""
        groups = jvmwire(
            *("hadoop", "call", "getGroupsForUser", '{"user": "bob"}', *server),
            *("--protocol", "GetUserMappingsProtocol"),
        )
        assert groups.rows == [{"groups": ["staff"]}]
        done = jvmwire("hadoop", "touch", "/made", *server, status=1)
        assert "setTimes is refused, as jvmwire serve was told" in done.stderr


def test_a_pair_has_two_addresses() -> None:
    with serving("hadoop", "--standby-port", "0") as [active, standby]:
        server = ("--user", "hdfs", "--server", standby)
        assert jvmwire("hadoop", "dfsadmin", "safemode", "get", *server).stderr == ""
        state = jvmwire(
            *("hadoop", "call", "getServiceStatus", "--protocol", "HAServiceProtocol", *server)
        )
        assert state.rows[0]["state"] == "STANDBY"
        assert active != standby


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--file", "data", "'data' is not PATH=LENGTH, as /data/part-0=1048576"),
        ("--file", "/data=x", "'/data=x' is not PATH=LENGTH, as /data/part-0=1048576"),
        ("--refuse", "mkdirs", "'mkdirs' is not METHOD=JAVA_CLASS"),
        ("--group", "=alice", "'=alice' is not GROUP=USER,..."),
        ("--delay", "-1", "-1.0 is not in the range"),
    ],
)
def test_an_option_that_is_wrong_is_one_sentence(option: str, value: str, said: str) -> None:
    assert said in jvmwire("hadoop", "serve", option, value, status=2).stderr
