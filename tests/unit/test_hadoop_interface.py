"""Interfaces: a declaration in Python is equivalent to Java's."""

# mypy: disable-error-code="empty-body"
from typing import Annotated, Any

import pytest

from jvmwire._core import JavaClass
from jvmwire.errors import ConfigError
from jvmwire.hadoop.rpc._interface import (
    Interface,
    VersionedProtocol,
    java_hash,
    method,
    methods,
    methods_hash,
    signature,
)
from jvmwire.hadoop.rpc._writable import Int, Long, ProtocolSignature, Text, Writable
from kit.hadoop_echo import Echo, Ping


class Old(Interface, protocol="test.Shop", version=1):
    def find_goods(self, name: str) -> list[str]: ...
    @method("buy", at_most_once=True)
    def buy_one(self, name: str) -> Int: ...


class New(Old, version=2):
    @method("buy")
    def buy_some(self, name: str, count: Int) -> Int: ...
    def find_goods(self, name: str) -> list[str]: ...


class Other(Old, protocol="test.Market", version=5):
    def sell(self, names: list[list[Int]]) -> None: ...


def test_the_seeds_interface_has_the_seeds_hash() -> None:
    assert methods_hash(Ping) & 0xFFFF_FFFF == 0xA0BD17CC


def test_hashes_are_javas() -> None:
    assert java_hash("") == 0
    assert java_hash("ping") == 3441010
    assert java_hash("org.apache.hadoop.io.Writable") == java_hash_slowly(
        "org.apache.hadoop.io.Writable"
    )
    assert java_hash("\U0001f600") == 0xD83D * 31 + 0xDE00


def java_hash_slowly(text: str) -> int:
    units = len(text)
    total: int = sum(ord(unit) * 31 ** (units - 1 - at) for at, unit in enumerate(text))
    return (total + 2**31) % 2**32 - 2**31


def test_a_method_is_called_in_camel_case_or_as_is_said() -> None:
    found = methods(New)
    assert found["find_goods"].key == ("findGoods", "java.lang.String")
    assert found["buy_one"].key == ("buy", "java.lang.String")
    assert found["buy_some"].key == ("buy", "java.lang.String", "int")
    assert found["buy_one"].at_most_once
    assert not found["buy_some"].at_most_once


def test_a_newer_version_has_the_older_ones_methods_as_its_own() -> None:
    assert set(methods(Old)) == {"find_goods", "buy_one"}
    assert {one.declaring for one in methods(Old).values()} == {Old}
    assert set(methods(New)) == {"find_goods", "buy_one", "buy_some"}
    assert {one.declaring for one in methods(New).values()} == {New}


def test_a_method_of_another_protocol_stays_that_protocols() -> None:
    found = methods(Other)
    assert found["sell"].declaring is Other
    assert found["find_goods"].declaring is Old
    assert found["sell"].parameters[0].name == "[[I"


def test_a_signature_tells_the_methods_to_who_knows_others() -> None:
    assert signature(New, methods_hash(New)) == ProtocolSignature(2)
    told = signature(New, 0)
    assert told.version == 2
    assert told.methods == sorted(one.fingerprint for one in methods(New).values())


def test_the_methods_of_versioned_protocols_are_javas() -> None:
    assert set(methods(VersionedProtocol)) < set(methods(Echo))
    [version] = [one for one in methods(Echo).values() if one.name == "getProtocolVersion"]
    assert version.declaring is VersionedProtocol
    assert [kind.name for kind in version.parameters] == ["java.lang.String", "long"]


def declared(annotation: Any) -> str:
    class Declared(Interface, protocol="test.Declared", version=1):
        def call(self, value) -> None: ...

    Declared.call.__annotations__["value"] = annotation
    return methods(Declared)["call"].parameters[0].name


@pytest.mark.parametrize(
    ("annotation", "java_class"),
    [
        (bool, "boolean"),
        (float, "double"),
        (str, "java.lang.String"),
        (bytes, "[B"),
        (Long, "long"),
        (Annotated[str, "a name"], "java.lang.String"),
        (Annotated[str, JavaClass("char")], "char"),
        (list[Int], "[I"),
        (list[list[str]], "[[Ljava.lang.String;"),
        (list[Text], "[Lorg.apache.hadoop.io.Text;"),
        (Writable | None, "org.apache.hadoop.io.Writable"),
        (Text, "org.apache.hadoop.io.Text"),
    ],
)
def test_an_annotation_is_a_java_class(annotation: Any, java_class: str) -> None:
    assert declared(annotation) == java_class


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        (int, "say which of Byte, Short, Int and Long"),
        (Int | None, "int has no null"),
        (dict[str, str], "no such type"),
        (str | bytes, "no such type"),
        ("Unheard", "Unheard"),
    ],
)
def test_an_annotation_that_java_has_no_type_for_is_refused(annotation: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        declared(annotation)


def test_what_java_cannot_declare_is_refused() -> None:
    class Untyped(Interface, protocol="test.Untyped", version=1):
        def call(self, value: str): ...

    class Twice(Interface, protocol="test.Twice", version=1):
        def buy_it(self, name: str) -> None: ...
        @method("buyIt")
        def buy_this(self, name: str) -> None: ...

    class Many(Interface, protocol="test.Many", version=1):
        def call(self, *values: str) -> None: ...

    class Message(Interface, protocol="test.Message", version=1, engine="protobuf"):
        def call(self, value: str) -> bytes: ...

    for interface, said in [
        (Untyped, "return has no type annotation"),
        (Twice, "the same to Java"),
        (Many, r"no parameter like \*values"),
        (Message, "must be a class of messages"),
        (Interface, "names no protocol"),
    ]:
        with pytest.raises(ConfigError, match=said):
            methods(interface)
    with pytest.raises(ConfigError, match="a version and no protocol"):
        type("Nameless", (Interface,), {}, version=1)
