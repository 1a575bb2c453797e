"""Pytest plugin with the real peers, each started once per run and only if a test requests it."""

from collections.abc import Generator, Iterator

import pytest

from jvmwire.pravega.streams import StreamClient
from jvmwire.pravega.testing import PravegaDouble
from jvmwire.transports import Tcp
from kit.double_peer import DoublePeer
from kit.hadoop import MiniDfs, SecureDfs, WritablePeer
from kit.hazelcast import CP_SETTINGS, Member, cluster
from kit.hazelcast_data import Values
from kit.oracle import Oracle
from kit.peer import Peer
from kit.pravega import SegmentStorePeer, StandalonePeer


@pytest.fixture(scope="session")
def minidfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniDfs]:
    """A NameNode, which keeps a trash, and a DataNode on this machine."""
    settings = {"fs.trash.interval": "60"}
    with MiniDfs(tmp_path_factory.mktemp("minidfs"), settings=settings) as peer:
        yield peer


@pytest.fixture(scope="session")
def secure_dfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureDfs]:
    """A NameNode with Kerberos on this machine, and its key distribution centre."""
    with SecureDfs(tmp_path_factory.mktemp("secure")) as peer:
        yield peer


@pytest.fixture(scope="session")
def writable_peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WritablePeer]:
    """A server of the Writable engine on this machine."""
    with WritablePeer(tmp_path_factory.mktemp("writable")) as peer:
        yield peer


@pytest.fixture(scope="session")
def segment_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SegmentStorePeer]:
    """A segment store of Pravega on this machine."""
    with SegmentStorePeer(tmp_path_factory.mktemp("segmentstore")) as peer:
        yield peer


@pytest.fixture(scope="session")
def pravega(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandalonePeer]:
    """A controller and a segment store of Pravega, in a network of their own."""
    with StandalonePeer(tmp_path_factory.mktemp("pravega")) as peer:
        yield peer


@pytest.fixture(scope="session")
def pravega_in_process() -> Iterator[PravegaDouble]:
    """The double of a controller and a segment store."""
    with PravegaDouble(controller=True) as double:
        yield double


@pytest.fixture(scope="module", params=["real", "double"])
def controller(request: pytest.FixtureRequest) -> Tcp:
    """A real controller, and the one of the double, with the scope of the module."""
    if request.param == "real":
        peer: StandalonePeer = request.getfixturevalue("pravega")
        return peer.controller
    double: PravegaDouble = request.getfixturevalue("pravega_in_process")
    endpoint = Tcp("127.0.0.1", double.controller_port)
    with StreamClient(endpoint) as client:
        client.create_scope(request.module.SCOPE)
    return endpoint


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oracle]:
    """A JVM that encodes and decodes bytes and values with its own codecs."""
    with Oracle(tmp_path_factory.mktemp("oracle")) as oracle:
        yield oracle


@pytest.fixture(scope="session")
def hazelcast_values(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Values]:
    """A JVM that encodes and decodes bytes and values with Hazelcast's own serialization."""
    with Values(tmp_path_factory.mktemp("values")) as values:
        yield values


@pytest.fixture(scope="session")
def hazelcast_member(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Member]:
    """A Hazelcast 3.12.13 cluster of one member."""
    with Member(tmp_path_factory.mktemp("hazelcast")) as member:
        yield member


@pytest.fixture(scope="session")
def hazelcast_double_peer() -> Iterator[DoublePeer]:
    """The double of a Hazelcast cluster of one member."""
    with DoublePeer() as double:
        yield double


REAL_MEMBER = pytest.mark.parametrize("hazelcast_peer", ["member"], indirect=True)
"""Mark of tests of `hazelcast_peer` that are about what only a real member has."""


@pytest.fixture(scope="session", params=["member", "double_peer"], ids=["member", "double"])
def hazelcast_peer(request: pytest.FixtureRequest) -> Member | DoublePeer:
    """A Hazelcast 3.12.13 cluster of one member, and the double of one."""
    peer: Member | DoublePeer = request.getfixturevalue(f"hazelcast_{request.param}")
    return peer


@pytest.fixture(scope="session")
def hazelcast_three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Member]]:
    """A Hazelcast 3.12.13 cluster of three members with a CP subsystem."""
    with cluster(tmp_path_factory.mktemp("three"), settings=CP_SETTINGS) as members:
        yield members


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the end of the peers' logs to the report of a failed test."""
    report = yield
    if report.failed and isinstance(item, pytest.Function):
        for name, value in item.funcargs.items():
            if isinstance(value, Peer):
                report.sections.append(
                    (f"log of {name}, {value.program.log}", value.program.tail())
                )
    return report
