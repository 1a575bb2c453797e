"""Sharing of connections: calls share one if they have the same `ConnectionId` in Java."""

from jvmwire.hadoop import HadoopOptions
from jvmwire.hadoop._commands import CLIENT_PROTOCOL
from jvmwire.hadoop._connection_pool import MAX_IDLE_ENTRIES, ConnectionPool
from jvmwire.hadoop._observer_reads import ObserverReadChannel, ObserverReads
from jvmwire.hadoop._session import HadoopClientSession
from jvmwire.transports import Tcp

HERE = Tcp("127.0.0.1", 8020)
MINE = CLIENT_PROTOCOL, "alice", None, 30.0


def test_calls_share_one_if_user_protocol_and_timeout_are_the_same():
    links = ConnectionPool.from_options(HERE, HadoopOptions())
    mine = links.find(*MINE)
    assert links.find(*MINE) is mine
    for other in (
        ("org.apache.hadoop.ha.HAServiceProtocol", "alice", None, 30.0),
        (CLIENT_PROTOCOL, "bob", None, 30.0),
        (CLIENT_PROTOCOL, "alice", "hdfs", 30.0),
        (CLIENT_PROTOCOL, "alice", None, 5.0),
        (CLIENT_PROTOCOL, "alice", None, None),
    ):
        assert links.find(*other) is not mine


def test_whoever_asks_within_whatever_time_reads_what_was_written_before():
    links = ConnectionPool.from_options([HERE, HERE], HadoopOptions(observer_reads=ObserverReads()))
    hurried = links.find(CLIENT_PROTOCOL, "alice", None, 5.0)
    patient = links.find(*MINE)
    assert isinstance(hurried, ObserverReadChannel)
    links._alignment.advance(7)
    for link in (hurried, patient):
        session = link._new_session()
        assert isinstance(session, HadoopClientSession)
        assert session._state_id() == 7


def test_those_that_nobody_is_connected_over_are_forgotten_in_the_end():
    links = ConnectionPool.from_options(HERE, HadoopOptions())
    for user in range(3 * MAX_IDLE_ENTRIES):
        links.find(CLIENT_PROTOCOL, f"user {user}", None, None)
        assert len(links._links) <= MAX_IDLE_ENTRIES
