"""The double of a segment store: its life, its limits, and the failures that it is told to have."""

import asyncio
import socket
import subprocess
import sys
import time
import uuid

import pytest

from jvmwire.errors import (
    CallTimeout,
    ConfigError,
    NotStarted,
    ServerError,
    StateError,
    TransportError,
)
from jvmwire.options import RetryPolicy
from jvmwire.pravega import AsyncSegmentStore, SegmentStore, SegmentStoreOptions
from jvmwire.pravega.errors import (
    AuthTokenCheckFailed,
    ErrorMessage,
    NoSuchSegment,
    SegmentAlreadyExists,
    SegmentIsSealed,
    SegmentIsTruncated,
    TableKeyBadVersion,
    TokenExpired,
    WrongHost,
)
from jvmwire.pravega.testing import Fault, PravegaDouble
from kit.polling import eventually
from kit.raw_store_client import RawStoreClient

pytest_plugins = ["jvmwire.pravega.testing.plugin"]

NAME = "scope/stream/0.#epoch.0"
TOKEN = "let me in"  # noqa: S105 - of a double
ONCE = RetryPolicy(attempts=1)


def connect(double: PravegaDouble, **options: object) -> SegmentStore:
    return SegmentStore.connect(double.address, SegmentStoreOptions(**options))  # type: ignore[arg-type]


def events(store: SegmentStore, name: str = NAME) -> list[bytes]:
    return [event for batch in store.read_events(name) for event in batch]


def exists(store: SegmentStore, name: str) -> bool:
    try:
        store.get_segment_info(name)
    except NoSuchSegment:
        return False
    return True


def test_a_double_keeps_its_segments_when_it_is_stopped() -> None:
    double = PravegaDouble()
    assert repr(double) == "<PravegaDouble not started>"
    with pytest.raises(NotStarted):
        _ = double.address
    double.create_segment(NAME)
    with double, connect(double) as store:
        assert double.address in repr(double)
        with store.appender(NAME) as appender:
            appender.append(b"kept")
        with pytest.raises(SegmentAlreadyExists):
            double.create_segment(NAME)
        with pytest.raises(StateError):
            double.start()
    double.stop()
    with double, connect(double) as store:
        assert events(store) == [b"kept"]
    with PravegaDouble() as other, pytest.raises(TransportError, match="cannot listen"):
        PravegaDouble(port=other.port).start()


@pytest.mark.parametrize(
    "error",
    [
        *(NoSuchSegment(""), SegmentIsSealed(""), SegmentIsTruncated(""), WrongHost("")),
        *(SegmentAlreadyExists(""), AuthTokenCheckFailed(""), TokenExpired("")),
        *(TableKeyBadVersion(""), ErrorMessage("disk full")),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_command_fails_with_the_error_that_is_asked_for(
    segment_store_double: PravegaDouble, error: Exception
) -> None:
    segment_store_double.create_segment(NAME)
    fault = Fault(method="TruncateSegment", times=1, error=error)  # type: ignore[arg-type]
    segment_store_double.fail(fault)
    with connect(segment_store_double, retry=ONCE) as store:
        with pytest.raises(type(error), match=str(error) or None):
            store.truncate_segment(NAME, 0)
        store.truncate_segment(NAME, 0)


def test_an_answer_is_late_or_does_not_come(segment_store_double: PravegaDouble) -> None:
    segment_store_double.create_segment(NAME)
    with connect(segment_store_double) as store:
        store.get_segment_info(NAME)
        segment_store_double.fail(Fault(method="GetStreamSegmentInfo", delay=0.2, times=1))
        began = time.monotonic()
        store.get_segment_info(NAME)
        assert time.monotonic() - began >= 0.2
        for executes in False, True:
            segment_store_double.fail(
                Fault(method="SealSegment", drop=True, times=1, executes=executes)
            )
            with pytest.raises(CallTimeout):
                store.within(0.2).seal_segment(NAME)
            assert store.get_segment_info(NAME).is_sealed == executes
        segment_store_double.fail(Fault(drop=True))
        segment_store_double.faults.clear()
        store.get_segment_info(NAME)


@pytest.mark.parametrize("executes", [False, True])
def test_events_are_stored_once_when_connections_are_lost(
    segment_store_double: PravegaDouble, executes: bool
) -> None:
    segment_store_double.create_segment(NAME)
    written = [b"%d" % number for number in range(300)]
    with connect(segment_store_double) as store, store.appender(NAME) as appender:
        for start in range(0, 300, 100):
            segment_store_double.fail(
                Fault(method="AppendBlockEnd", times=1, disconnect=True, executes=executes)
            )
            appender.append_all(written[start : start + 100])
        assert events(store) == written


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"times": 0}, "times must be at least 1, got 0"),
        ({"delay": -1}, "delay must be a number of seconds, got -1"),
        ({"delay": float("nan")}, "delay must be a number of seconds, got nan"),
        ({"executes": True}, "executes is of use with disconnect or drop only"),
        (
            {"disconnect": True, "drop": True},
            "a call gets an error, is disconnected, or is dropped: only one",
        ),
    ],
)
def test_a_fault_that_contradicts_itself_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Fault(**values)  # type: ignore[arg-type]
    assert str(raised.value) == said


def test_a_fault_with_the_error_of_another_system_is_refused() -> None:
    with pytest.raises(ConfigError, match="error must be a PravegaError, got ServerError"):
        PravegaDouble().fail(Fault(error=ServerError("no", "java.io.IOException")))


def test_more_bytes_or_segments_than_allowed_are_refused() -> None:
    with PravegaDouble(max_bytes=50, max_segments=2) as double, connect(double) as store:
        store.create_segment(NAME)
        store.create_table("a/table")
        with pytest.raises(ErrorMessage, match="the double has 2 segments at most"):
            store.create_segment("a/b/1")
        with store.appender(NAME) as appender:
            appender.append(bytes(20))
        with pytest.raises(ErrorMessage, match="the double holds 50 bytes at most"):
            store.appender(NAME).append(bytes(20))
        with pytest.raises(ErrorMessage, match="no room for these entries"):
            store.update_table("a/table", {b"key": bytes(40)})
        store.update_table("a/table", {b"key": b"value"})
        store.truncate_segment(NAME, 28)
        store.update_table("a/table", {b"key": bytes(40)})
        store.delete_table("a/table")
        with store.appender(NAME) as appender:
            appender.append(bytes(40))


def test_more_clients_than_allowed_are_disconnected() -> None:
    with PravegaDouble(max_connections=1) as double, connect(double) as store:
        with pytest.raises(NoSuchSegment):
            store.get_segment_info(NAME)
        with pytest.raises(ConnectionError):
            RawStoreClient(double.port)


def test_more_waiting_reads_than_allowed_get_no_bytes() -> None:
    with PravegaDouble(max_waiting_reads=1) as double:
        double.create_segment(NAME)
        asked = {"segment": NAME, "offset": 0, "suggested_length": 9}
        with RawStoreClient(double.port) as first, RawStoreClient(double.port) as second:
            first.send("ReadSegment", {"request_id": 1, "delegation_token": "", **asked})
            with pytest.raises(TimeoutError):
                first.receive(0.1)
            name, fields = second.call("ReadSegment", **asked)
            assert (name, fields["data"], fields["at_tail"]) == ("SegmentRead", b"", True)
            first.close()
            time.sleep(0.1)  # the room of a client that left is free again
            second.send("ReadSegment", {"request_id": 9, "delegation_token": "", **asked})
            with pytest.raises(TimeoutError):
                second.receive(0.1)
            assert second.call("SealSegment", segment=NAME)[0] == "SegmentIsSealed"
            assert second.receive()[0] == "SegmentSealed"


def test_commands_need_the_token_that_the_double_has() -> None:
    with PravegaDouble(delegation_token=TOKEN) as double:
        double.create_segment(NAME)
        assert TOKEN not in repr(double)
        with connect(double, delegation_token=TOKEN) as store:
            assert store.get_segment_info(NAME).write_offset == 0
        with connect(double, delegation_token=TOKEN[1:]) as store:
            with pytest.raises(AuthTokenCheckFailed):
                store.get_segment_info(NAME)
            with pytest.raises(AuthTokenCheckFailed):
                store.read_segment(NAME, 5)


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", bytes(64), b"\xff" * 64])
def test_bytes_of_another_protocol_end_their_connection_only(
    segment_store_double: PravegaDouble, data: bytes
) -> None:
    segment_store_double.create_segment(NAME)
    with connect(segment_store_double) as store:
        with socket.create_connection(("127.0.0.1", segment_store_double.port), 5) as sock:
            sock.sendall(data)
            assert sock.recv(100) == b""
        assert store.get_segment_info(NAME).write_offset == 0


def test_a_transient_segment_ends_with_its_connection(segment_store_double: PravegaDouble) -> None:
    segment_store_double.create_segment(NAME)
    with connect(segment_store_double) as store:
        with connect(segment_store_double) as other:
            name = other.create_transient_segment(NAME, uuid.uuid4())
            assert store.get_segment_info(name).write_offset == 0
        eventually(lambda: not exists(store, name))


def test_a_client_that_does_not_read_its_replies_is_waited_for(
    segment_store_double: PravegaDouble,
) -> None:
    """Requests of it stay in its socket; other clients are served."""
    segment_store_double.create_segment(NAME)
    with connect(segment_store_double) as store, store.appender(NAME) as appender:
        appender.append(bytes(4 << 20))
        with RawStoreClient(segment_store_double.port) as greedy:
            asked = {"segment": NAME, "offset": 0, "suggested_length": 2 << 20}
            count = 50
            for number in range(count):
                greedy.send("ReadSegment", {"request_id": number, "delegation_token": "", **asked})
            assert store.get_segment_info(NAME).write_offset == (4 << 20) + 8
            sizes = {len(greedy.receive()[1]["data"]) for _ in range(count)}
            assert sizes == {2 << 20}


def test_asyncio_clients_of_the_same_loop_are_served(segment_store_double: PravegaDouble) -> None:
    async def follow() -> list[bytes]:
        async with AsyncSegmentStore.connect(segment_store_double.address) as store:
            await store.create_segment(NAME)
            appender = store.appender(NAME)
            found: list[bytes] = []
            await appender.append(b"0")
            async for batch in store.read_events(NAME, follow=True):
                found += batch
                if len(found) == 3:
                    await store.seal_segment(NAME)
                else:
                    await appender.append(b"%d" % len(found))
            return found

    assert asyncio.run(follow()) == [b"0", b"1", b"2"]


def test_the_segment_store_alone_needs_no_grpc() -> None:
    code = (
        "import sys; from jvmwire.pravega.testing import PravegaDouble\n"
        "with PravegaDouble(): pass\n"
        "sys.exit('grpc' in sys.modules or 'google.protobuf' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
