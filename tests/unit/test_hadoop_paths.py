"""Paths and URLs of HDFS are read as Java reads them, or refused; none is misread."""

import inspect
import random
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest

from jvmwire.errors import ConfigError
from jvmwire.hadoop import FileStatus, HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.errors import InvalidPath
from jvmwire.hadoop.namenode._paths import absolute, are_absolute, split
from jvmwire.transports import Tcp
from kit.hadoop_scripted import Fields, listing, scripted, status

HOME = "/user/alice"
SAME = {
    "/d/../d": "/d",
    "/./d": "/d",
    "/d/": "/d",
    "/a//b": "/a/b",
    "///a": "/a",
    "/": "/",
    "x": "/user/alice/x",
    ".": "/user/alice",
    "../bob/x": "/user/bob/x",
    "/a/...": "/a/...",
    "/a/.b": "/a/.b",
    "/é/./e": "/é/e",
    "/a?b#c": "/a?b#c",
    "/a%2fb": "/a%2fb",
    "/.reserved/raw/../x": "/.reserved/x",
    "/a\n/./b": "/a\n/b",
}
REFUSED = [
    "",
    "/..",
    "/../d",
    "/a/../..",
    "../../..",
    "/a:b",
    "a:b",
    "hdfs://h/x",
    "//a/b",
    "/\ud800",
]


@pytest.mark.parametrize("path", SAME)
def test_a_path_is_what_java_makes_of_it(path):
    assert absolute(path, HOME) == SAME[path]


@pytest.mark.parametrize("path", REFUSED)
def test_a_path_that_no_file_can_have_is_refused_in_a_sentence(path):
    with pytest.raises(InvalidPath) as raised:
        absolute(path, HOME)
    assert isinstance(raised.value, ValueError)


def test_many_paths_are_only_passed_on_as_they_are_if_each_is():
    drawn = random.Random(1)  # noqa: S311 - nothing is kept secret by it
    plain = [path for path in SAME if path == SAME[path] and path.isascii() and path != "/"]
    for _ in range(500):
        paths = drawn.choices([*plain, *SAME, *REFUSED[1:]], k=drawn.randrange(1, 4))
        if are_absolute(paths):
            assert all(SAME.get(path) == path for path in paths), paths
    assert are_absolute(["/a", "/b/c"])


def found(method: str, request: Fields) -> Fields:
    asked = request.get("src") or request.get("path")
    if method == "getListing":
        return listing(status("x", "IS_FILE")) if asked in ("/d", "/user/alice/d") else {}
    return {"fs": status()} if asked in ("/d", "/user/alice/d") else {}


@pytest.mark.parametrize("path", ["/d/../d", "/./d", "/d/", "d", "../alice/d"])
def test_every_call_asks_for_what_a_path_stands_for(path):
    with (
        scripted(found) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="alice")) as client,
    ):
        place = SAME.get(path, f"{HOME}/d")
        assert client.get_file_info(path) is not None
        [only] = client.get_file_infos([path])
        assert isinstance(only, FileStatus)
        assert only.path == place
        assert client.glob(path)[0].path == place
        assert client.glob(f"{path}/*")[0].path == f"{place}/x"
        for ask in (
            client.list_directory,
            client.list_recursively,
            client.get_listing,
            client.find,
        ):
            assert [entry.path for entry in ask(path)] == [f"{place}/x"]
        assert [content.path for content in client.walk(path)] == [place]
        asked = {request.get("src") for _, request in namenode.calls}
        assert asked <= {place, f"{place}/x"}


ODD = "odd/../x"
OF_PATHS = {"path", "pattern", "source", "target", "link"}
GIVEN = {"mode": "READ", "entries": "user:bob:r-x", "name": "user.a", "value": b""}
METHODS = [
    name
    for name, method in inspect.getmembers(NameNode, callable)
    if not name.startswith("_")
    and name != "open"  # asks no server
    and {*inspect.signature(method).parameters} & (OF_PATHS | {"paths", "sources"})
]


@pytest.mark.parametrize("name", METHODS)
def test_no_method_passes_a_path_on_as_it_is(name: str) -> None:
    given: dict[str, Any] = {}
    for parameter in inspect.signature(getattr(NameNode, name)).parameters.values():
        if parameter.name in OF_PATHS:
            given[parameter.name] = ODD
        elif parameter.name in {"paths", "sources"}:
            given[parameter.name] = [ODD]
        elif parameter.kind is parameter.VAR_POSITIONAL:
            continue
        elif parameter.default is parameter.empty and parameter.name in GIVEN:
            given[parameter.name] = GIVEN[parameter.name]
        elif parameter.default is parameter.empty and parameter.annotation in {"str", "int"}:
            given[parameter.name] = 1 if parameter.annotation == "int" else "new"
    if name == "create_symlink":
        given["target"] = "x"  # the target of a link is kept as it is
    with (
        scripted(lambda _method, _request: ("java.io.IOException", "no")) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="alice")) as client,
    ):
        with suppress(HadoopError):
            found = getattr(client, name)(**given)
            list(found) if isinstance(found, Iterable) else None
        asked = [repr(request) for _, request in namenode.calls]
    assert asked
    assert all(f"{HOME}/x" in request and "odd" not in request for request in asked)


def test_a_home_directory_is_of_who_acts():
    here = Tcp("127.0.0.1", 1)
    with NameNode(here, HadoopOptions(user="alice/host@R", home_prefix="/home/")) as client:
        assert client.home_directory == "/home/alice"
        assert client.do_as("bob").home_directory == "/home/bob"
    with NameNode(here, HadoopOptions(home_prefix="x")) as client, pytest.raises(InvalidPath):
        client.get_file_info("y")


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("/x", (None, "/x")),
        ("x/y", (None, "x/y")),
        ("hdfs://nn:8020/x", ("hdfs://nn:8020", "/x")),
        ("hdfs://alice@nn/x?y#z", ("hdfs://alice@nn", "/x?y#z")),
        ("hdfs:///x", (None, "/x")),
        ("hdfs:/x", (None, "/x")),
        ("HDFS://nn", ("hdfs://nn", "/")),
        ("hdfs://nn/nn/x", ("hdfs://nn", "/nn/x")),
        ("hdfs://d/d/x", ("hdfs://d", "/d/x")),
    ],
)
def test_a_url_names_a_file_system_and_a_path(url, parts):
    assert split(url) == parts


@pytest.mark.parametrize("url", ["hdfs:x", "file:///x", "viewfs://c/x", "a:b", "://x"])
def test_a_url_of_another_file_system_is_refused(url):
    with pytest.raises(ConfigError, match="not a path in HDFS"):
        split(url)
