"""`exists` and `open` of clients of a NameNode, in both styles."""

import asyncio
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import pytest

from jvmwire.hadoop import AsyncHadoopClient, AsyncNameNode, HadoopClient, NameNode
from jvmwire.hadoop.errors import AccessDenied, MetadataOnly
from kit.hadoop_scripted import scripted, status

NOT_FOUND = "java.io.FileNotFoundException"
NOT_A_DIRECTORY = "org.apache.hadoop.fs.ParentNotDirectoryException"
DENIED = "org.apache.hadoop.security.AccessControlException"
ANSWERS: dict[str, Any] = {
    "/data": {"fs": status()},
    "/data/file": {"fs": status(kind="IS_FILE")},
    "/data/missing": {},
    "/data/deleted": (NOT_FOUND, "deleted meanwhile"),
    "/data/file/below": (NOT_A_DIRECTORY, "/data/file (is not a directory)"),
    "/secret/file": (DENIED, "Permission denied"),
}
EXPECTED = {
    "/data": True,
    "/data/file": True,
    "/data/missing": False,
    "/data/deleted": False,
    "/data/file/below": False,
}


def answer(_method: str, request: Mapping[str, Any]) -> Any:
    return ANSWERS[request["src"]]


def test_exists_is_whether_a_path_is_a_file_or_directory():
    with scripted(answer) as namenode, NameNode(f"127.0.0.1:{namenode.port}") as client:
        assert {path: client.exists(path) for path in EXPECTED} == EXPECTED
        assert client.exists(PurePosixPath("/data/file"))
        with pytest.raises(AccessDenied):
            client.exists("/secret/file")


def test_exists_is_awaited_in_the_async_client():
    async def use(address: str) -> None:
        async with AsyncNameNode(address) as client:
            assert {path: await client.exists(path) for path in EXPECTED} == EXPECTED

    with scripted(answer) as namenode:
        asyncio.run(use(f"127.0.0.1:{namenode.port}"))


@pytest.mark.parametrize("path", ["/data/file", PurePosixPath("/data/file")])
def test_open_says_that_bytes_of_files_are_not_read_yet(path: Any):
    said = "/data/file cannot be opened: jvmwire does not read or write the bytes of HDFS files yet"
    with NameNode("nn") as client, pytest.raises(MetadataOnly) as caught:
        client.open(path, "rb", encoding=None)
    assert str(caught.value) == said
    assert isinstance(caught.value, NotImplementedError)
    awaited = AsyncNameNode("nn")
    with pytest.raises(MetadataOnly):
        awaited.open(path)
    asyncio.run(awaited.close())


def test_clients_of_other_services_have_no_open():
    assert not hasattr(HadoopClient, "open")
    assert not hasattr(AsyncHadoopClient, "open")
