"""Errors as users of other clients expect them: their bases, numbers, paths and states."""

import asyncio
import copy
import errno
import pickle

import pytest

import jvmwire
from jvmwire import (
    AuthenticationError,
    ClientClosed,
    ConfigError,
    InternalError,
    JvmWireError,
    LocalProtocolError,
    NotStarted,
    StateError,
    errors,
)
from jvmwire.hadoop import AclEntry, FileStatus, HadoopOptions, NameNode
from jvmwire.hadoop.errors import (
    CLASSES,
    AccessDenied,
    AlreadyExists,
    AuthenticationRequired,
    DirectoryNotEmpty,
    FileNotFound,
    NotADirectory,
    from_java,
)
from jvmwire.hadoop.sasl.errors import AuthenticationFailed, KerberosError
from jvmwire.hadoop.server import RpcServer
from jvmwire.hazelcast.errors import AuthenticationFailed as HazelcastAuthenticationFailed
from jvmwire.options import RetryPolicy
from jvmwire.pravega.errors import AuthTokenCheckFailed
from jvmwire.pravega.streams import RetentionPolicy, ScalingPolicy
from jvmwire.pravega.streams.errors import NotAllowed
from jvmwire.storm.errors import ComponentDied
from jvmwire.transports import Tcp
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.hadoop_scripted import Fields, scripted, status

JAVA = {kind: java_class for java_class, kind in CLASSES.items()}
NOWHERE = Tcp("127.0.0.1", 1)


@pytest.mark.parametrize(
    ("kind", "base", "number"),
    [
        (AccessDenied, PermissionError, errno.EACCES),
        (AlreadyExists, FileExistsError, errno.EEXIST),
        (DirectoryNotEmpty, OSError, errno.ENOTEMPTY),
        (FileNotFound, FileNotFoundError, errno.ENOENT),
        (NotADirectory, NotADirectoryError, errno.ENOTDIR),
    ],
)
def test_os_errors_have_a_number_a_text_and_a_path(
    kind: type[OSError], base: type[OSError], number: int
):
    error = from_java((JAVA[kind], "File does not exist: /a", None), "/a")  # type: ignore[index]
    for each in (error, copy.copy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301 - ours
        assert type(each) is kind
        assert isinstance(each, base)
        assert (each.errno, each.filename, each.strerror) == (
            number,
            "/a",
            "File does not exist: /a",
        )
        assert str(each) == "File does not exist: /a"


def answer(method: str, request: Fields) -> Fields | tuple[str, str]:
    """Find `/here`, refuse `/closed`, and know nothing else."""
    if request["src"] == "/closed":
        return JAVA[AccessDenied], "Permission denied: user=alice"
    if method == "delete":
        return JAVA[FileNotFound], f"no {request['src']}"
    return {"fs": status()} if request["src"] == "/here" else {}


def test_an_error_names_the_path_of_its_call():
    with (
        scripted(answer) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="alice")) as client,
    ):
        with pytest.raises(AccessDenied) as denied:
            client.get_file_info("/closed")
        assert denied.value.filename == "/closed"
        with pytest.raises(FileNotFoundError) as missing:
            client.delete("/gone")
        assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, "/gone")


def test_an_item_of_a_bulk_answer_is_its_error_and_does_not_raise_it():
    with (
        scripted(answer) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), HadoopOptions(user="alice")) as client,
    ):
        infos = client.get_file_infos(["/here", "/gone", "/closed"])
        found, missing, refused = infos
        assert isinstance(found, FileStatus)
        assert missing is None
        assert isinstance(refused, AccessDenied)
        assert infos[2] is refused
        assert infos[-1:] == [refused]
        with pytest.raises(AccessDenied) as raised:
            infos.raise_for_errors()
        assert raised.value.filename == "/closed"
        client.get_file_infos(["/here", "/gone"]).raise_for_errors()


@pytest.mark.parametrize(
    "kind",
    [
        AuthenticationRequired,
        AuthenticationFailed,
        KerberosError,
        HazelcastAuthenticationFailed,
        AuthTokenCheckFailed,
        NotAllowed,
    ],
)
def test_errors_of_authentication_have_one_base(kind: type[Exception]):
    assert issubclass(kind, AuthenticationError)
    assert issubclass(kind, JvmWireError)


@pytest.mark.parametrize(
    "make",
    [
        lambda: RetryPolicy(attempts=0),
        lambda: Tcp("h", 0),
        lambda: ScalingPolicy(min_segments=0),
        lambda: RetentionPolicy(min_seconds=1, min_bytes=1),
        lambda: AclEntry("NOBODY", 4),  # type: ignore[arg-type]
    ],
)
def test_options_that_are_wrong_raise_one_error_that_is_a_value_error(make):
    with pytest.raises(ConfigError) as wrong:
        make()
    assert isinstance(wrong.value, ValueError)


def test_states_are_no_faults_of_a_protocol():
    for kind in (ClientClosed, NotStarted, errors.Finished, errors.WrongProcess):
        assert issubclass(kind, StateError)
        assert issubclass(kind, RuntimeError)
        assert not issubclass(kind, LocalProtocolError)


@pytest.mark.parametrize(
    "error",
    [
        errors.MessagesLost("3 messages were lost", 3),
        ComponentDied("it died", ("why",)),
        errors.DecodeError("no", "field", 3, 4),
        errors.ConnectionLost("the peer closed the connection"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_copies_of_errors_are_equal_to_them(error: JvmWireError):
    error.__cause__ = KeyError("why")
    copied = copy.copy(error)
    assert copied.__cause__ is error.__cause__
    for each in (copied, pickle.loads(pickle.dumps(error))):  # noqa: S301 - ours
        assert (type(each), each.args, vars(each)) == (type(error), error.args, vars(error))


def test_every_error_is_exported_by_the_package():
    assert set(errors.__all__) - {"NotACapture"} <= set(jvmwire.__all__)


def test_a_closed_blocking_client_says_so():
    client = EchoClient(NOWHERE)
    client.close()
    with pytest.raises(ClientClosed, match="the client is closed"):
        client.echo(b"late")


def test_a_closed_asyncio_client_says_so():
    async def use() -> None:
        client = AsyncEchoClient(NOWHERE)
        await client.close()
        with pytest.raises(ClientClosed, match="the client is closed"):
            await client.echo(b"late")

    asyncio.run(use())


def test_a_server_that_is_not_started_says_so():
    with pytest.raises(NotStarted, match="this server was not started"):
        _ = RpcServer().port


class Odd:
    """An endpoint that is none."""

    side = "client"

    def connect(self, **_: object) -> None:
        raise KeyError("odd")


def test_an_unexpected_exception_is_the_cause_of_an_internal_error():
    with EchoClient(Odd()) as client, pytest.raises(InternalError, match="odd") as odd:  # type: ignore[arg-type]
        client.echo(b"x")
    assert isinstance(odd.value.__cause__, KeyError)
