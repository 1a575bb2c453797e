"""Attempts, waits and outcomes of each client's repeated calls, one row per case."""

from collections.abc import Callable, Generator, Iterable
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import grpc
import pytest

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.operations import (
    Call,
    Connection,
    Join,
    NewMailbox,
    Open,
    Operation,
    Receive,
    RunExternal,
    Sleep,
    Spawn,
)
from jvmwire.errors import (
    CallTimeout,
    ConnectFailed,
    ConnectionLost,
    ConnectTimeout,
    InternalError,
    OutcomeUnknown,
    RemoteProtocolError,
    ServerError,
    TransportError,
)
from jvmwire.hazelcast import HazelcastOptions
from jvmwire.hazelcast._cluster import Cluster
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast.errors import HazelcastError, MemberLost
from jvmwire.hazelcast.errors import Retriable as HazelcastRetriable
from jvmwire.options import NEVER, ConnectRetries, RetryPolicy
from jvmwire.pravega._writer import Writer
from jvmwire.pravega.early._client import EarlyAppender
from jvmwire.pravega.errors import InvalidEventNumber, SegmentIsSealed
from jvmwire.pravega.streams._controller import Controller
from jvmwire.pravega.streams._controllers import Controllers
from jvmwire.pravega.streams._names import stream_info
from jvmwire.pravega.streams.errors import ControllerError, NotAllowed
from jvmwire.transports import Tcp

A, B, C = (Tcp(host, 1) for host in "abc")
COMMAND = cast("Any", "command")
THRICE = RetryPolicy(attempts=3, first_wait=1.0, jitter=0.0)


class Refusal(ServerError):
    """A refusal that is final."""


class Later(ServerError):
    """A refusal after which the same server may be called again."""

    retryable = True


class Elsewhere(Later):
    """A refusal after which another server may be called."""

    failover = True


class Undecided(ServerError):
    """A refusal that leaves open whether an earlier attempt was carried out."""

    undecided = True


class Fatal(ServerError):
    """A refusal of a connection."""

    @property
    def fatal(self) -> bool:
        return True


class Runner:
    """Runs an operation with scripted results, and notes its instructions."""

    def __init__(self, *results: Any) -> None:
        self.results = list(results)
        self.steps: list[Any] = []
        self.result: Any = None

    def run(self, operation: Operation[Any]) -> Any:
        """Run an operation, and all that it spawns, to the end."""
        value, error = None, None
        try:
            while True:
                instruction = operation.send(value) if error is None else operation.throw(error)
                value, error = None, None
                try:
                    value = self.carry_out(instruction)
                except Exception as failure:
                    error = failure
        except StopIteration as stop:
            return stop.value

    def carry_out(self, instruction: Any) -> Any:
        match instruction:
            case Sleep(seconds):
                self.steps.append(seconds)
            case Spawn(operation):
                return SimpleNamespace(done=True, run=lambda: self.run(operation))
            case Join(task):
                return cast("Any", task).run()
            case NewMailbox():
                return SimpleNamespace(messages=[], unreported_drops=0, end=lambda _: None)
            case Open(endpoint):
                self.steps.append(f"open {endpoint.host}" if isinstance(endpoint, Tcp) else "open")
                self.next_result()
                return SimpleNamespace(endpoint=endpoint, failure=None, alive=True)
            case Call(connection):
                self.steps.append("call")
                try:
                    return self.next_result()
                except (ConnectionLost, OutcomeUnknown) as error:
                    connection.failure = error
                    connection.alive = False  # type: ignore[misc]
                    raise
            case RunExternal() | Receive():
                self.steps.append("run" if isinstance(instruction, RunExternal) else "receive")
                return self.next_result()
        return None

    def next_result(self) -> Any:
        result = self.results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


def outcome(operation: Operation[Any], *results: Any) -> list[Any]:
    """Return the steps of an operation, and its result or the class of its error."""
    runner = Runner(*results)
    end: Any
    try:
        end = runner.run(operation)
    except Exception as error:
        end = type(error)
    assert runner.results == []
    return [*runner.steps, end]


OK = None
LOST, UNKNOWN = ConnectionLost("lost"), OutcomeUnknown("sent, and no answer")
FAILED, SLOW = ConnectFailed("refused"), ConnectTimeout("silent")


def channel(servers: Iterable[Tcp] = (A,), **options: Any) -> FailoverChannel:
    first, *others = servers
    options = {"connect_timeout": 1.0, "retry": THRICE, **options}
    return FailoverChannel(first, cast("Any", object), others=others, **options)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([OK, "reply"], ["open a", "call", "reply"]),
        ([FAILED, OK, 1], ["open a", 1.0, "open a", "call", 1]),
        ([FAILED] * 3, ["open a", 1.0, "open a", 2.0, "open a", ConnectFailed]),
        ([OK, LOST, OK, 1], ["open a", "call", 1.0, "open a", "call", 1]),
        ([OK, Later(""), 1], ["open a", "call", 1.0, "call", 1]),
        ([OK, *[Later("")] * 3], ["open a", "call", 1.0, "call", 2.0, "call", Later]),
        ([OK, Refusal("")], ["open a", "call", Refusal]),
        ([OK, UNKNOWN], ["open a", "call", OutcomeUnknown]),
        ([OK, Undecided("")], ["open a", "call", OutcomeUnknown]),
        ([OK, CallTimeout("")], ["open a", "call", CallTimeout]),
        ([OK, RemoteProtocolError("")], ["open a", "call", RemoteProtocolError]),
    ],
)
def test_channel_to_one_server_repeats_safe_calls_after_the_waits_of_its_policy(results, expected):
    assert outcome(channel().call(COMMAND), *results) == expected


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([FAILED, FAILED, OK, 1], ["open a", "open b", "open c", "call", 1]),
        (
            [FAILED] * 5,
            ["open a", "open b", "open c", 1.0, "open a", 2.0, "open b", ConnectFailed],
        ),
        (
            [OK, Elsewhere(""), OK, Later(""), 1],
            ["open a", "call", "open b", "call", 1.0, "call", 1],
        ),
        (
            [OK, Later(""), LOST, OK, 1],
            ["open a", "call", 1.0, "call", "open b", "call", 1],
        ),
    ],
)
def test_channel_to_a_group_tries_every_server_once_before_a_wait(results, expected):
    assert outcome(channel([A, B, C]).call(COMMAND), *results) == expected


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([OK, UNKNOWN, OK, 1], ["open a", "call", 1.0, "open a", "call", 1]),
        ([OK, UNKNOWN, FAILED, FAILED], ["open a", "call", 1.0, "open a", 2.0, "open a", UNKNOWN]),
        ([OK, UNKNOWN, Fatal("")], ["open a", "call", 1.0, "open a", UNKNOWN]),
        ([OK, UNKNOWN, OK, Refusal("")], ["open a", "call", 1.0, "open a", "call", Refusal]),
        ([OK, UNKNOWN, OK, Fatal("")], ["open a", "call", 1.0, "open a", "call", UNKNOWN]),
    ],
)
def test_channel_repeats_sent_calls_that_the_server_deduplicates(results, expected):
    found = outcome(channel().call(COMMAND, server_deduplicates=True), *results)
    expected = [OutcomeUnknown if step is UNKNOWN else step for step in expected]
    assert found == expected


@pytest.mark.parametrize(
    ("instances", "results", "expected"),
    [
        ([1, 1], [OK, UNKNOWN, OK, 1], ["open a", "call", 1.0, "open a", "call", 1]),
        ([1, 2], [OK, UNKNOWN, OK], ["open a", "call", 1.0, "open a", OutcomeUnknown]),
        ([None], [OK, UNKNOWN], ["open a", "call", OutcomeUnknown]),
    ],
)
def test_channel_repeats_sent_calls_on_the_same_instance_only(instances, results, expected):
    left = list(instances)
    call = channel().call(COMMAND, instance_of=lambda _: left.pop(0))
    assert outcome(call, *results) == expected
    assert left == []


RETRIES = ConnectRetries(failures=2, timeouts=1, wait=0.25)


@pytest.mark.parametrize(
    ("servers", "results", "expected"),
    [
        ([A], [FAILED, FAILED, OK, 1], ["open a", 0.25, "open a", 0.25, "open a", "call", 1]),
        ([A], [FAILED] * 3, ["open a", 0.25, "open a", 0.25, "open a", ConnectFailed]),
        ([A], [SLOW] * 2, ["open a", "open a", ConnectTimeout]),
        (
            [A],
            [FAILED, SLOW, FAILED, SLOW],
            ["open a", 0.25, "open a", "open a", 0.25, "open a", ConnectTimeout],
        ),
        ([A], [OK, LOST, OK, 1], ["open a", "call", 1.0, "open a", "call", 1]),
        ([A, B], [SLOW, SLOW, OK, 1], ["open a", "open a", "open b", "call", 1]),
        ([A], [Refusal("")], ["open a", Refusal]),
    ],
)
def test_channel_repeats_connection_attempts_per_server(servers, results, expected):
    call = channel(servers, connect_retries=RETRIES).call(COMMAND)
    assert outcome(call, *results) == expected


def test_connection_attempts_without_policy_of_their_own_are_made_once():
    assert outcome(channel(retry=NEVER).call(COMMAND), SLOW) == ["open a", ConnectTimeout]


# Hazelcast.

PAUSE = 0.5
RETRIED, LOST_MEMBER = HazelcastRetriable(""), MemberLost("")
MALFORMED = RemoteProtocolError("")
CASES: list[tuple[bool, list[Any], list[Any]]] = [
    (False, [RETRIED, RETRIED, RETRIED, 1], ["call", PAUSE, "call", PAUSE, "call", PAUSE]),
    (False, [LOST, 1], ["call"]),
    (True, [UNKNOWN], ["call", OutcomeUnknown]),
    (True, [LOST_MEMBER, 1], ["call", PAUSE]),
    (False, [LOST_MEMBER], ["call", OutcomeUnknown]),
    (True, [HazelcastError("")], ["call", HazelcastError]),
    (True, [Refusal("")], ["call", Refusal]),
    (True, [CallTimeout("")], ["call", CallTimeout]),
    (True, [MALFORMED], ["call", RemoteProtocolError]),
]


def expected_of(results: list[Any], expected: list[Any]) -> list[Any]:
    return expected if isinstance(results[-1], Exception) else [*expected, "call", results[-1]]


def hazelcast(call: Callable[[Cluster, Connection], Operation[Any]]) -> tuple[Cluster, Any]:
    options = HazelcastOptions(retry_pause=PAUSE)
    cluster = Cluster(["127.0.0.1"], options, awaits=False)
    connection = cast("Connection", SimpleNamespace(failure=None, alive=True))
    cast("Any", cluster).choose_connection = lambda _: connection
    return cluster, call(cluster, connection)


def ping(*, idempotent: bool) -> Request:
    return Request(HazelcastMessage.named("Client.ping"), (), idempotent=idempotent)


def repeated(results: list[Any]) -> int:
    return len(results) - 1


@pytest.mark.parametrize(("idempotent", "results", "expected"), CASES)
def test_cluster_repeats_safe_calls_on_any_member(idempotent, results, expected):
    cluster, call = hazelcast(lambda cluster, _: cluster.call(ping(idempotent=idempotent)))
    assert outcome(call, *results) == expected_of(results, expected)
    assert cluster.repeated_calls == repeated(results)


@pytest.mark.parametrize(("idempotent", "results", "expected"), CASES)
def test_cluster_selects_connection_and_command_anew_for_each_attempt(
    idempotent, results, expected
):
    selected = []

    def selector(connection: Connection) -> Generator[Any, Any, tuple[Connection, Request]]:
        selected.append(connection)
        return connection, ping(idempotent=idempotent)
        yield

    cluster, call = hazelcast(
        lambda cluster, connection: cluster.call_with_selector(lambda: selector(connection))
    )
    assert outcome(call, *results) == expected_of(results, expected)
    assert len(selected) == len(results)
    assert cluster.repeated_calls == repeated(results)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([RETRIED, 1], ["call", PAUSE, "call", 1]),
        ([LOST], ["call", ConnectionLost]),
        ([MALFORMED], ["call", RemoteProtocolError]),
    ],
)
def test_cluster_leaves_a_chosen_connection_for_no_other(results, expected):
    _, call = hazelcast(
        lambda cluster, connection: cluster.call(ping(idempotent=True), connection=connection)
    )
    assert outcome(call, *results) == expected


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([MALFORMED, 1], ["call", PAUSE, "call", 1]),
        ([MALFORMED, MALFORMED], ["call", PAUSE, "call", RemoteProtocolError]),
        (
            [MALFORMED, RETRIED, MALFORMED, 1],
            ["call", PAUSE, "call", PAUSE, "call", PAUSE, "call", 1],
        ),
    ],
)
def test_cluster_repeats_a_misread_call_once_if_its_connection_ended(results, expected):
    def end(cluster: Cluster, connection: Connection) -> Operation[Any]:
        connection.alive = False  # type: ignore[misc]
        return cluster.call(ping(idempotent=True))

    _, call = hazelcast(end)
    assert outcome(call, *results) == expected


# Pravega.


class FakeChannel:
    def __init__(self) -> None:
        self.failures: list[type[Exception]] = []

    def connection(self) -> Operation[Connection]:
        found: Connection = yield Open(cast("Any", object()), cast("Any", None), 1.0)
        return found

    def failed(self, error: Exception) -> None:
        self.failures.append(type(error))


def new_writer(events: int) -> tuple[Writer, FakeChannel]:
    channel_used = FakeChannel()
    writer = Writer(
        cast("Any", channel_used),
        "segment",
        writer_id=UUID(int=1),
        request_id=1,
        max_bytes=1 << 20,
        max_events=100,
        retry=THRICE,
    )
    for _ in range(events):
        writer._events.push(b"event")
    writer.accepted = events
    return writer, channel_used


def acknowledgement(number: int) -> Any:
    return SimpleNamespace(write_offset=10, event_number=number)


NUMBER = InvalidEventNumber("")


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([FAILED] * 3, ["open", 1.0, "open", 2.0, "open", ConnectFailed]),
        ([OK, Refusal(""), OK], ["open", "call", "call", Refusal]),
        ([OK, SegmentIsSealed(""), OK], ["open", "call", "call", SegmentIsSealed]),
        ([OK, RemoteProtocolError(""), OK], ["open", "call", "call", RemoteProtocolError]),
        ([OK, ValueError(), OK], ["open", "call", "call", InternalError]),
        (
            [OK, Later(""), FAILED, FAILED, OK],
            ["open", "call", 1.0, "open", 2.0, "open", "call", ConnectFailed],
        ),
        (
            [OK, NUMBER, FAILED, FAILED, OK],
            ["open", "call", 1.0, "open", 2.0, "open", "call", ConnectFailed],
        ),
    ],
)
def test_writer_repeats_its_connection_until_its_policy_ends(results, expected):
    writer, channel_used = new_writer(1)
    assert outcome(writer._run(), *results) == [*expected[:-1], None]
    assert type(writer._failure) is expected[-1]
    handled = (TransportError, ServerError)
    assert channel_used.failures == [type(error) for error in results if isinstance(error, handled)]


def test_writer_begins_its_waits_again_after_progress():
    writer, _ = new_writer(2)
    results = [FAILED, FAILED, OK, 0, OK, acknowledgement(1), LOST, FAILED, FAILED]
    steps = ["open", 1.0, "open", 2.0, "open", "call", "call", "receive", "receive", 1.0, "open"]
    assert outcome(writer._run(), *results, OK) == [*steps, 2.0, "open", "call", None]
    assert isinstance(writer._failure, ConnectFailed)


@pytest.mark.parametrize("ends", [LOST, Later("")])
def test_writer_with_nothing_to_send_leaves_a_lost_connection_without_a_wait(ends):
    writer, _ = new_writer(1)
    results = [OK, 0, OK, acknowledgement(1), ends, OK]
    steps = ["open", "call", "call", "receive", "receive", "call"]
    assert outcome(writer._run(), *results) == [*steps, None]
    assert (writer.is_open, writer._is_running) == (True, False)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([FAILED, FAILED, OK, 0, 4], ["open", 1.0, "open", 2.0, "open", "call", "call"]),
        ([FAILED] * 3, ["open", 1.0, "open", 2.0, "open", ConnectFailed]),
        ([OK, 0, LOST, OK, 0, 4], ["open", "call", "call", 1.0, "open", "call", "call"]),
        ([OK, 0, LOST, OK, 4], ["open", "call", "call", 1.0, "open", "call"]),
        ([OK, Later("")], ["open", "call", Later]),
        ([OK, 0, LOST, OK, 9], ["open", "call", "call", 1.0, "open", "call", RemoteProtocolError]),
    ],
)
def test_appender_of_the_early_protocol_repeats_its_connection(results, expected):
    caller: Any = None  # operations are run here
    appender = EarlyAppender(caller, cast("Any", FakeChannel()), "segment", THRICE)
    if not isinstance(expected[-1], type):
        expected = [*expected, None]
    assert outcome(appender._store(b"data"), *results) == expected


class Answer(grpc.RpcError):
    """Exception that gRPC raises for an error status."""

    def __init__(self, code: grpc.StatusCode) -> None:
        self._code = code

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return "details"


CODE = grpc.StatusCode
SILENT, LATE = Answer(CODE.UNAVAILABLE), Answer(CODE.DEADLINE_EXCEEDED)
BUSY, DENIED = Answer(CODE.RESOURCE_EXHAUSTED), Answer(CODE.PERMISSION_DENIED)


@pytest.mark.parametrize(
    ("controllers", "results", "expected"),
    [
        ((A,), [SILENT] * 3, ["run", 1.0, "run", 2.0, "run", ConnectFailed]),
        ((A,), [BUSY, Answer(CODE.ABORTED), 1], ["run", 1.0, "run", 2.0, "run", 1]),
        ((A,), [BUSY] * 3, ["run", 1.0, "run", 2.0, "run", ControllerError]),
        ((A,), [DENIED], ["run", NotAllowed]),
        ((A, B, C), [SILENT, LATE, 1], ["run", "run", "run", 1]),
        ((A, B), [BUSY, SILENT, 1], ["run", 1.0, "run", "run", 1]),
        ((A, B), [SILENT] * 4, ["run", "run", 1.0, "run", 2.0, "run", ConnectFailed]),
    ],
)
def test_calls_to_controllers_are_repeated_on_another_that_answers(controllers, results, expected):
    controller = Controller(Controllers(controllers), user="", password="", retry=THRICE)
    call = controller.call("getDelegationToken", stream_info("scope/stream"))
    assert outcome(call, *results) == expected
