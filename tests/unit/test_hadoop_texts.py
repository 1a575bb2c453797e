"""Quotations in errors are bounded, and errors follow a server's meaning."""

import pytest

from jvmwire._escaping import MAX_SHOWN
from jvmwire.errors import JvmWireError, OutcomeUnknown
from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.hadoop.errors import AccessDenied, NotADirectory, from_java
from jvmwire.options import RetryPolicy
from jvmwire.transports import Tcp
from kit.hadoop_scripted import Fields, scripted

LONG = 30_000
DENIED = "org.apache.hadoop.security.AccessControlException"


def hang_up(_method: str, _request: Fields) -> Fields:
    raise ConnectionResetError


def test_a_call_of_unknown_outcome_names_the_beginning_of_its_arguments():
    options = HadoopOptions(user="x", retry=RetryPolicy(attempts=2, first_wait=0.01))
    with (
        scripted(hang_up) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), options) as client,
    ):
        for method, call in (
            ("setXAttr", lambda: client.set_xattr("/d", "user.a", b"v" * LONG)),
            ("rename", lambda: client.rename("/d", "/" + "v" * LONG)),
        ):
            with pytest.raises(OutcomeUnknown, match=f"{method}.* may have been carried") as raised:
                call()
            assert len(raised.value.args[0]) < 1000


@pytest.mark.parametrize("kind", [JvmWireError, OutcomeUnknown])
def test_no_error_says_more_than_a_line_may_have(kind):
    error = kind("x" * LONG)
    assert len(str(error)) < MAX_SHOWN + 10
    assert error.args == ("x" * LONG,)
    assert len(str(from_java(("some.Error", "y" * LONG, None)))) < MAX_SHOWN + 10


def test_a_path_below_a_file_is_not_a_directory():
    error = from_java((DENIED, "/f (is not a directory)", "ERROR_APPLICATION"))
    assert type(error) is NotADirectory
    assert error.java_class == DENIED
    error = from_java((DENIED, "Permission denied: user=x, path=/f (is not", None))
    assert type(error) is AccessDenied
