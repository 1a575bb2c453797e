"""Paths of HDFS as objects: `PurePosixPath` wherever a text is taken."""

from pathlib import PurePosixPath

from jvmwire.hadoop import NameNode
from kit.hadoop_scripted import Fields, scripted, status


def answer(method: str, request: Fields) -> Fields:
    """Find everything."""
    del request
    return {"result": True} if method in ("delete", "mkdirs", "rename2") else {"fs": status()}


def test_paths_are_texts_or_path_objects():
    with (
        scripted(answer) as namenode,
        NameNode.connect(f"127.0.0.1:{namenode.port}", user="alice") as client,
    ):
        assert client.get_file_info(PurePosixPath("/a")) is not None
        assert client.get_file_info(PurePosixPath("b")) is not None
        assert len(client.get_file_infos([PurePosixPath("/c"), "/d"])) == 2
        assert client.delete(PurePosixPath("/e"))
        client.mkdirs(PurePosixPath("/f"))
        asked = sorted(request["src"] for _, request in namenode.calls)
        assert asked == ["/a", "/c", "/d", "/e", "/f", "/user/alice/b"]
