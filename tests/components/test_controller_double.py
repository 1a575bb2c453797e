"""The double of a controller: transactions over changes of segments, failures, and limits."""

import uuid

import pytest

from jvmwire.errors import ConnectFailed, NotStarted
from jvmwire.options import RetryPolicy
from jvmwire.pravega.errors import ErrorMessage
from jvmwire.pravega.streams import ScalingPolicy, StreamClient, StreamConfiguration, StreamOptions
from jvmwire.pravega.streams.errors import (
    ControllerError,
    NoSuchStream,
    ScaleRefused,
    ScopeNotEmpty,
    StreamNotSealed,
    TransactionEnded,
)
from jvmwire.pravega.testing import Fault, PravegaDouble
from kit.polling import eventually

pytest_plugins = ["jvmwire.pravega.testing.plugin"]

ONCE = RetryPolicy(attempts=1)


def connect(double: PravegaDouble, **options: object) -> StreamClient:
    from jvmwire import pravega

    return pravega.connect(double.controller, StreamOptions(**options))  # type: ignore[arg-type]


def events(client: StreamClient, name: str) -> list[bytes]:
    return [event for batch in client.read_events(name) for event in batch.events]


def test_streams_are_kept_when_a_double_is_stopped() -> None:
    double = PravegaDouble(controller=True)
    with pytest.raises(NotStarted):
        _ = double.controller
    with double, connect(double) as client:
        assert double.controller in repr(double)
        client.create_scope("shop")
        client.create_stream("shop/orders")
        with client.writer("shop/orders") as writer:
            writer.append(b"kept", "key")
    with double, connect(double) as client:
        assert events(client, "shop/orders") == [b"kept"]
        with pytest.raises(ConnectFailed, match="cannot listen"):
            PravegaDouble(controller=True, controller_port=double.controller_port).start()
    with PravegaDouble() as other, pytest.raises(NotStarted, match="has no controller"):
        _ = other.controller


def test_a_transaction_is_committed_after_its_segments_were_sealed(
    pravega_double: PravegaDouble,
) -> None:
    """Two epochs follow, and the order of each key is that of the commit."""
    with connect(pravega_double) as client:
        client.create_scope("a")
        client.create_stream("a/b", StreamConfiguration(ScalingPolicy(min_segments=2)))
        keys = [str(number) for number in range(20)]
        transaction = client.begin_transaction("a/b")
        transaction.write_all([f"{key} 2".encode() for key in keys], keys)
        with client.writer("a/b") as writer:
            writer.append_all([f"{key} 0".encode() for key in keys], keys)
            first, second = client.segments("a/b")
            client.scale("a/b", [first.segment_id, second.segment_id], [(0.0, 0.3), (0.3, 1.0)])
            writer.append_all([f"{key} 1".encode() for key in keys], keys)
            transaction.commit()
            writer.append_all([f"{key} 3".encode() for key in keys], keys)
        assert [segment.high for segment in client.segments("a/b")] == [0.3, 1.0]
        found: dict[str, list[str]] = {key: [] for key in keys}
        for event in events(client, "a/b"):
            key, number = event.decode().split()
            found[key].append(number)
        assert found == {key: ["0", "1", "2", "3"] for key in keys}


def test_a_transaction_ends_with_its_lease(pravega_double: PravegaDouble) -> None:
    with connect(pravega_double) as client:
        client.create_scope("a")
        client.create_stream("a/b")
        transaction = client.begin_transaction("a/b", lease=0.3)
        transaction.append(b"never", "key")
        pravega_double.fail(Fault(method="pingTransaction", disconnect=True))
        eventually(lambda: transaction.state() == "ABORTED")
        with pytest.raises(TransactionEnded):
            transaction.commit()
        assert events(client, "a/b") == []


def test_a_call_fails_as_it_is_told(pravega_double: PravegaDouble) -> None:
    with connect(pravega_double, retry=ONCE) as client:
        pravega_double.fail(
            Fault(method="createScope", times=1, error=ErrorMessage("quota of ann"))
        )
        with pytest.raises(ControllerError, match="quota of ann"):
            client.create_scope("a")
        assert list(client.scopes()) == []
        pravega_double.fail(
            Fault(method="createScope", times=1, disconnect=True, executes=True, delay=0.01)
        )
        with pytest.raises(ConnectFailed, match="told to be unavailable"):
            client.create_scope("a")
        assert list(client.scopes()) == ["a"]


def test_what_does_not_fit_is_refused(pravega_double: PravegaDouble) -> None:
    with connect(pravega_double) as client:
        client.create_scope("a")
        client.create_stream("a/b")
        [only] = client.segments("a/b")
        for ranges in ([(0.0, 0.5)], [(0.0, 0.6), (0.5, 1.0)], [(0.0, 0.4), (0.5, 1.0)]):
            with pytest.raises(ScaleRefused):
                client.scale("a/b", [only.segment_id], ranges)
        with pytest.raises(ScopeNotEmpty):
            client.delete_scope("a")
        with pytest.raises(StreamNotSealed):
            client.delete_stream("a/b")
        with pytest.raises(NoSuchStream):
            client.segments("a/c")
        with pytest.raises(ControllerError, match="lease"):
            client.begin_transaction("a/b", lease=1e6)
        assert client.delete_scope("a", recursive=True)
        assert list(client.scopes()) == []


def test_a_stream_without_room_leaves_nothing() -> None:
    with PravegaDouble(controller=True, max_segments=3) as double, connect(double) as client:
        client.create_scope("a")
        with pytest.raises(ControllerError, match="has 3 segments at most"):
            client.create_stream("a/b", StreamConfiguration(ScalingPolicy(min_segments=4)))
        assert list(client.streams("a")) == []
        client.create_stream("a/b")


def test_many_streams_are_listed_in_pages(pravega_double: PravegaDouble) -> None:
    with connect(pravega_double) as client:
        client.create_scope("a")
        made = {f"a/{number}" for number in range(600)}
        for name in made:
            client.create_stream(name)
        listed = list(client.streams("a"))
        assert made <= set(listed)
        assert len(listed) == len(set(listed))


def test_an_unknown_transaction_has_no_state(pravega_double: PravegaDouble) -> None:
    with connect(pravega_double) as client:
        client.create_scope("a")
        client.create_stream("a/b")
        resumed = client.resume_transaction("a/b", uuid.UUID(int=5))
        assert resumed.state() == "UNKNOWN"
