"""The client's errors follow the class hierarchy of Hadoop's exceptions."""

import zipfile

import pytest

from jvmwire.hadoop import HadoopError
from jvmwire.hadoop.errors import (
    CLASSES,
    RETRY_UNKNOWN,
    AuthenticationRequired,
    NoSuchMethod,
    ObserverBehind,
    Retriable,
    Standby,
    from_java,
)
from kit.jvm import PEERS, build


@pytest.fixture(scope="module")
def hadoops():
    """The classes in Hadoop's jars."""
    build("hadoop")
    found = set()
    for jar in (PEERS / "hadoop" / "target" / "lib").glob("hadoop-*.jar"):
        with zipfile.ZipFile(jar) as file:
            names = (name for name in file.namelist() if name.endswith(".class"))
            found |= {name.removesuffix(".class").replace("/", ".") for name in names}
    return found


def test_every_class_that_an_error_is_told_by_is_hadoops_or_javas(hadoops):
    named = {name for name in CLASSES if not name.startswith("java.")}
    assert named - hadoops == {RETRY_UNKNOWN}  # from jvmwire's own server


def test_an_error_says_what_the_server_said():
    text = "No such file\n\tat a.B.c(B.java:1)\n\tat a.B.main(B.java:9)"
    error = from_java(("java.io.FileNotFoundException", text, "ERROR_APPLICATION"))
    assert str(error) == "No such file"
    assert error.java_class == "java.io.FileNotFoundException"
    assert error.stack == "\tat a.B.c(B.java:1)\n\tat a.B.main(B.java:9)"
    assert not error.fatal
    unknown = from_java(("a.B", "", None))
    assert (type(unknown), str(unknown)) == (HadoopError, "a.B")


def test_codes_tell_what_classes_do_not():
    assert type(from_java(("a.B", "x", "ERROR_NO_SUCH_METHOD"))) is NoSuchMethod
    fatal = from_java(("a.B", "x", "FATAL_UNAUTHORIZED"))
    assert isinstance(fatal, AuthenticationRequired)
    assert fatal.fatal


def test_some_refusals_may_be_tried_again_and_some_only_elsewhere():
    again = {kind for kind in CLASSES.values() if kind.retryable}
    assert again == {Standby, Retriable, ObserverBehind}
    assert {kind for kind in CLASSES.values() if kind.failover} == {Standby, ObserverBehind}
