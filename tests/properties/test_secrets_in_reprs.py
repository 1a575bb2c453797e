"""Secrets and user data are in no repr: neither in a generated one nor in a written one."""

import dataclasses
import functools
import importlib
import pkgutil
import re
from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

import jvmwire as package
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import Client
from jvmwire._runtime.connection import EngineConnection
from jvmwire._runtime.session import State
from jvmwire.hadoop._commands import (
    CLIENT_PROTOCOL,
    GetFileInfos,
    GetListings,
    Invocation,
    MessageFields,
    RawMessage,
    find_method,
)
from jvmwire.hadoop._configuration import HadoopConfiguration
from jvmwire.hadoop._instance import AskInstance
from jvmwire.hadoop.namenode._lazy_rows import Rows
from jvmwire.hadoop.namenode._status import FileInfos
from jvmwire.hadoop.rpc._proxy import InterfaceCall
from jvmwire.hadoop.server import CallBatch, Caller, RpcCall
from jvmwire.hama._configuration import JobConfiguration
from jvmwire.hazelcast._commands import Request, Requests
from jvmwire.hazelcast._proxies.executor import SubmittedTaskOperations
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.scheduled_executor import ScheduledTaskOperations
from jvmwire.hazelcast.cp._proxy import CPProxy
from jvmwire.hazelcast.query_cache._cache import QueryCacheOperations
from jvmwire.hazelcast.serialization import Data
from jvmwire.hazelcast.testing._session import Outgoing, Received
from jvmwire.pravega._commands import Append
from jvmwire.pravega.early._messages import AppendBlock
from jvmwire.pravega.server import AppendReceived

PLANTED = "PLANTED-f00d"
DATA = PLANTED.encode()
LOOKS_SECRET = re.compile("pass(word|wd|phrase)|pwd|secret|token|credential")

EXCUSED_FIELDS = {
    "continuation_token": "the place at which the keys of a table go on",
    "user_of_token": "a function",
}

HOLDS_SECRETS = {
    "Call.fields": "users' data, and credentials of a client",
    "CaptureOptions.redact": "the key of pseudonyms",
    "Child.env": "a child's environment",
    "Handshake.conf": "Storm's settings",
    "Handshake.raw_context": "Storm's context, with settings",
    "Kerberos._learned": "principals of servers",
    "Kerberos._own": "the name of the cache with the tickets",
    "ReadTable.keys": "users' data",
    "RemoveTableKeys.keys": "users' data",
    "SaslMessage.auths": "with challenges",
    "Token.identifier": "of a delegation token",
    "Topology.config": "Storm's settings",
    "UpdateTableEntries.table_entries": "users' data",
    "_Exchange.cnonce": "of DIGEST-MD5",
    "_Exchange.nonce": "of DIGEST-MD5",
    "_Exchange.username": "the identifier of a token",
}
"""Fields that no name gives away, reviewed by hand: they are in no repr either."""


@functools.cache
def classes() -> list[type]:
    found: dict[type, None] = {}
    for module in pkgutil.walk_packages(package.__path__, "jvmwire."):
        if not module.name.endswith("__main__"):
            for each in vars(importlib.import_module(module.name)).values():
                if isinstance(each, type) and each.__module__.startswith("jvmwire."):
                    found[each] = None
    return list(found)


def test_each_field_that_is_or_may_be_a_secret_is_in_no_repr() -> None:
    shown: set[str] = set()
    hidden: set[str] = set()
    for each in classes():
        if dataclasses.is_dataclass(each):
            for field in dataclasses.fields(each):
                (shown if field.repr else hidden).add(f"{each.__name__}.{field.name}")
        elif issubclass(each, tuple):
            shown |= {f"{each.__name__}.{name}" for name in getattr(each, "_fields", ())}
    looks = {name.partition(".")[2] for name in shown if _looks_secret(name)}
    assert looks == EXCUSED_FIELDS.keys()
    assert {name for name in hidden if not _looks_secret(name)} == HOLDS_SECRETS.keys()


def _looks_secret(name: str) -> bool:
    return bool(LOOKS_SECRET.search(name.partition(".")[2]))


# --- Written reprs

HARMLESS = {
    "CaptureFrame": "names of files",
    "ClassDefinition": "numbers of a class",
    "Described": "what logs show of bytes, tested with the logs",
    "Glob": "a pattern",
    "HazelcastDouble": "addresses",
    "HazelcastJsonValue": "the text that makes an equal value",
    "NameNodeDouble": "addresses",
    "JavaEnum": "the names that make an equal value",
    "NeedData": "a constant",
    "PravegaDouble": "addresses",
    "TaskIds": "numbers of tasks",
    "Task": "the name of an operation",
    "Tuple": "values, as storm.py shows them",
    "_Escaped": "a text, escaped",
}
"""Classes whose written repr hides nothing."""


def bare(cls: type, **attributes: Any) -> Any:
    """Return an instance that was not initialized, with some attributes."""
    # In the class too, because some are properties.
    kind: Any = type(cls.__name__, (cls,), attributes)
    kind.__abstractmethods__ = frozenset()
    one: Any = object.__new__(kind)
    vars(one).update(attributes)
    return one


class BatchOfCalls:
    """Decoded calls with a secret among their arguments."""

    protocol, method, client_id = "p", "m", DATA

    def __init__(self) -> None:
        self.arguments = [[DATA]]

    def __len__(self) -> int:
        return 1

    def call_id(self, index: int) -> int:
        return index


CALLER = Caller("h:1", "bob", token=DATA)
CALLS: Any = BatchOfCalls()
OPTIONS = SimpleNamespace(password=PLANTED)
CLUSTER = SimpleNamespace(options=OPTIONS)
TOKEN = {"identifier": DATA, "password": DATA, "kind": "k", "service": "s"}
TOKEN_MESSAGE = "RenewDelegationTokenRequestProto"  # noqa: S105  # a name
PUT = HazelcastMessage.named("Map.put")

SAMPLES: dict[type, Callable[[], Any]] = {
    Append: lambda: Append(DATA),
    AppendBlock: lambda: AppendBlock(UUID(int=1), 0, DATA),
    AppendReceived: lambda: AppendReceived(UUID(int=1), 0, 1, DATA, 0),
    AskInstance: lambda: AskInstance("protobuf", DATA, beta=False),
    CPProxy: lambda: bare(CPProxy, _full_name="n", _cluster=CLUSTER),
    CallBatch: lambda: CallBatch(CALLS, CALLER),
    Data: lambda: Data(bytes(8) + DATA),
    EngineConnection: lambda: bare(
        EngineConnection,
        endpoint="h:1",
        failure=None,
        session=SimpleNamespace(state=State.OPEN, options=OPTIONS),
        calls={1: PLANTED},
    ),
    FileInfos: lambda: bare(FileInfos, paths=[PLANTED], errors={}),
    GetFileInfos: lambda: GetFileInfos([PLANTED]),
    GetListings: lambda: GetListings([(PLANTED, DATA)]),
    HadoopConfiguration: lambda: HadoopConfiguration({"password": PLANTED}),
    InterfaceCall: lambda: InterfaceCall(
        SimpleNamespace(declaring=SimpleNamespace(protocol="p"), name="m"),  # type: ignore[arg-type]
        (DATA, PLANTED),
    ),
    Invocation: lambda: Invocation(
        find_method(CLIENT_PROTOCOL, "renewDelegationToken"), {"token": TOKEN}
    ),
    JobConfiguration: lambda: JobConfiguration({"password": PLANTED}),
    MessageFields: lambda: MessageFields(TOKEN_MESSAGE, {"token": TOKEN}),
    ClientProxy: lambda: bare(ClientProxy, name="n", _cluster=CLUSTER),
    QueryCacheOperations: lambda: bare(
        QueryCacheOperations,
        name="n",
        _cluster=CLUSTER,
        _subscriber=SimpleNamespace(map_name="m", records={DATA: DATA}),
    ),
    Outgoing: lambda: Outgoing(PUT, ("m", DATA, DATA, 0, 0)),
    RawMessage: lambda: RawMessage(DATA),
    Received: lambda: Received(PUT, PUT.id, 1, ("m", DATA, DATA, 0, 0)),
    Request: lambda: Request(PUT, ("m", DATA, DATA, 0, 0), key=DATA),
    Requests: lambda: Requests(PUT, [("m", DATA, DATA, 0, 0)], [0]),
    Rows: lambda: bare(Rows, _answers=[(PLANTED, DATA)], _length=1),
    RpcCall: lambda: RpcCall(CALLS, 0, CALLER),
    ScheduledTaskOperations: lambda: bare(
        ScheduledTaskOperations,
        _cluster=CLUSTER,
        handle=SimpleNamespace(task="t", scheduler="s"),
    ),
    SubmittedTaskOperations: lambda: bare(
        SubmittedTaskOperations,
        uuid="u",
        _cluster=CLUSTER,
        _call=SimpleNamespace(done=True, result=PLANTED),
    ),
    Client: lambda: bare(Client, _driver=SimpleNamespace(state="closed", options=OPTIONS)),
}
"""Instances, each with a secret or users' data in it."""


def test_each_written_repr_is_tested_or_excused() -> None:
    written = set()
    for each in classes():
        method = vars(each).get("__repr__")
        function = getattr(method, "__wrapped__", method)
        if isinstance(function, FunctionType) and "/jvmwire/" in function.__code__.co_filename:
            written.add(each.__name__)
    assert written == HARMLESS.keys() | {each.__name__ for each in SAMPLES}


@pytest.mark.parametrize("each", SAMPLES, ids=lambda each: each.__name__)
def test_written_repr_shows_neither_secrets_nor_data(each: type) -> None:
    shown = repr(SAMPLES[each]())
    assert PLANTED not in shown
    assert DATA.hex() not in shown
