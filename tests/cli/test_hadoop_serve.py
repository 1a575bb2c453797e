"""`jvmwire hadoop serve`: a double of a NameNode for clients of any language."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kit.command import TIMEOUT, command, jvmwire


@contextmanager
def serving(*options: str) -> Iterator[list[str]]:
    """Run the command at free ports, and yield its addresses."""
    with subprocess.Popen(
        command("hadoop", "serve", "--port", "0", *options), stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.endswith("Ctrl-C ends\n")
        try:
            yield re.findall(r"127\.0\.0\.1:\d+", line)
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(TIMEOUT) == 130
            assert process.stderr.read() == ""


def test_commands_work_on_the_double() -> None:
    options = ("--file", "/data/part-0=1048576", "--group", "staff=alice,bob")
    refused = ("--refuse", "setTimes=java.io.IOException", "--drop", "getContentSummary")
    with serving(*options, *refused) as [address]:
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
        assert "setTimes is refused, as jvmwire hadoop serve was told" in done.stderr


def test_a_pair_has_two_addresses() -> None:
    with serving("--standby-port", "0") as [active, standby]:
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
