"""`jvmwire hazelcast serve`: a double of a cluster for clients of any language."""

import pytest

from kit.command import jvmwire
from kit.serve_command import serving


def test_commands_work_on_the_double() -> None:
    options = ("--members", "2", "--cluster-name", "test", "--password", "secret")
    refused = ("--refuse", "Map.size=java.lang.IllegalStateException")
    with serving("hazelcast", *options, *refused) as addresses:
        assert len(set(addresses)) == 2
        server = ("--server", addresses[0], "--cluster-name", "test", "--password", "secret")
        assert jvmwire("hazelcast", "put", "numbers", "1", "one", *server).stdout == b""
        assert jvmwire("hazelcast", "get", "numbers", "1", *server).stdout == b"one\n"
        found = jvmwire("hazelcast", "scan", "numbers", "--where", "__key = 1", *server)
        assert found.stdout == b"1  one\n"
        assert len(jvmwire("hazelcast", "members", "--json", *server).rows) == 2
        failed = jvmwire("hazelcast", "top", *server, status=4)
        assert "Map.size is refused, as jvmwire serve was told" in failed.stderr
        wrong = ("--server", addresses[0], "--cluster-name", "test", "--password", "guess")
        assert "credentials" in jvmwire("hazelcast", "members", *wrong, status=3).stderr


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--members", "0", "0 is not in the range"),
        ("--partitions", "100001", "100001 is not in the range"),
        ("--refuse", "Map.put", "'Map.put' is not METHOD=JAVA_CLASS"),
        ("--port", "65536", "65536 is not in the range"),
    ],
)
def test_a_wrong_option_of_a_cluster_is_one_sentence(option: str, value: str, message: str) -> None:
    assert message in jvmwire("hazelcast", "serve", option, value, status=2).stderr
