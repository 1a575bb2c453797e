"""fsspec's file system of HDFS's metadata meets fsspec's contract, except for file contents."""

import pickle

import fsspec
import pytest

from jvmwire.errors import JvmWireError
from jvmwire.hadoop.namenode._fsspec import HdfsMetadata

HOME = "/fsspec"


@pytest.fixture
def files(minidfs):
    found = fsspec.filesystem("jvmwire-hdfs", host="127.0.0.1", port=minidfs.port, user="hdfs")
    found.makedirs(f"{HOME}/a/b", exist_ok=True)
    found.touch(f"{HOME}/a/file")
    found.touch(f"{HOME}/a/b/part-0.orc")
    yield found
    found.rm(HOME, recursive=True)
    # fsspec caches its file systems, and this one keeps a client.
    HdfsMetadata.clear_instance_cache()


def test_it_is_found_by_its_name_and_by_its_urls(files, minidfs):
    assert isinstance(files, HdfsMetadata)
    url = f"jvmwire-hdfs://127.0.0.1:{minidfs.port}{HOME}/a"
    found, path = fsspec.url_to_fs(url, user="hdfs")
    assert found is files
    assert path == f"{HOME}/a"
    assert pickle.loads(pickle.dumps(files)).ls("/", detail=False) == files.ls("/", detail=False)  # noqa: S301


def test_what_is_there_is_listed_searched_and_told(files):
    assert files.ls(f"{HOME}/a", detail=False) == [f"{HOME}/a/b", f"{HOME}/a/file"]
    assert [info["type"] for info in files.ls(f"{HOME}/a")] == ["directory", "file"]
    info = files.info(f"{HOME}/a/file")
    assert (info["size"], info["type"], info["owner"]) == (0, "file", "hdfs")
    assert files.isdir(f"{HOME}/a")
    assert files.isfile(f"{HOME}/a/file")
    assert not files.exists(f"{HOME}/missing")
    assert files.glob(f"{HOME}/**/part-*") == [f"{HOME}/a/b/part-0.orc"]
    assert files.find(HOME) == [f"{HOME}/a/b/part-0.orc", f"{HOME}/a/file"]
    assert files.find(HOME, maxdepth=2) == [f"{HOME}/a/file"]
    assert files.find(f"{HOME}/a/file") == [f"{HOME}/a/file"]
    assert files.find(f"{HOME}/missing") == []
    assert {path for path, _, _ in files.walk(HOME)} == {HOME, f"{HOME}/a", f"{HOME}/a/b"}
    assert files.du(HOME) == 0
    assert files.modified(f"{HOME}/a/file") == info["modified"]


def test_directories_and_files_are_made_renamed_and_deleted(files):
    with pytest.raises(FileExistsError):
        files.mkdir(f"{HOME}/a")
    with pytest.raises(FileExistsError):
        files.makedirs(f"{HOME}/a")
    files.mv(f"{HOME}/a/file", f"{HOME}/moved")
    assert files.exists(f"{HOME}/moved")
    before = files.info(f"{HOME}/moved")
    files.touch(f"{HOME}/moved", truncate=False)
    assert files.info(f"{HOME}/moved")["ino"] == before["ino"]
    files.rm_file(f"{HOME}/moved")
    with pytest.raises(FileNotFoundError):
        files.rm_file(f"{HOME}/moved")
    files.rm(f"{HOME}/a/b/part-*")
    files.rmdir(f"{HOME}/a/b")
    with pytest.raises(FileNotFoundError):
        files.ls(f"{HOME}/a/b")


def test_the_bytes_of_files_are_refused_in_clear_words(files, tmp_path):
    path = f"{HOME}/a/file"
    for transfer in (
        lambda: files.open(path),
        lambda: files.open(path, "wb"),
        lambda: files.cat_file(path),
        lambda: files.pipe_file(path, b""),
        lambda: files.get_file(path, str(tmp_path / "file")),
        lambda: files.put_file(str(tmp_path / "file"), path),
        lambda: files.cp_file(path, f"{path}-copy"),
    ):
        with pytest.raises(NotImplementedError, match="does not transfer the bytes") as refused:
            transfer()
        assert isinstance(refused.value, JvmWireError)
