"""Segments of a real store and streams of a real controller, read and written by Spark."""

from __future__ import annotations

import asyncio
import itertools
import pickle
from collections import defaultdict
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException, StreamingQueryException

from jvmwire.errors import ConfigError, RemoteProtocolError
from jvmwire.pravega import SegmentStore
from jvmwire.pravega.streams import (
    Controllers,
    ScalingPolicy,
    StreamClient,
    StreamConfiguration,
    StreamOptions,
)
from jvmwire.pravega.streams.errors import TransactionEnded
from jvmwire.spark.connectors._pravega import PravegaSource
from jvmwire.spark.connectors._pravega_options import EventOptions
from jvmwire.spark.connectors._pravega_segments import slices
from jvmwire.spark.connectors._pravega_stream_reader import EventStreamReader
from jvmwire.spark.connectors._pravega_transactions import InTransaction, TransactionSink
from kit.jvm import free_port
from kit.queries import follow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, Row, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from kit.pravega import SegmentStorePeer, StandalonePeer

EVENTS = 50_000
PATIENT = 60.0
SCOPE = "spark"

numbers = itertools.count()


@pytest.fixture
def segment(segment_store: SegmentStorePeer) -> str:
    """A segment that no other test uses."""
    name = f"spark/ß 😀/{next(numbers)}.#epoch.0"
    with SegmentStore(segment_store.endpoint) as store:
        store.create_segment(name)
    return name


@pytest.fixture
def client(pravega: StandalonePeer) -> Iterator[StreamClient]:
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_scope(SCOPE)
        yield client


@pytest.fixture
def stream(client: StreamClient) -> str:
    """A stream of three segments that no other test uses."""
    name = f"{SCOPE}/stream-{next(numbers)}"
    client.create_stream(name, StreamConfiguration(ScalingPolicy(min_segments=3)))
    return name


def of_segment(peer: SegmentStorePeer, segment: str, **options: str) -> dict[str, str]:
    return {"store": str(peer.endpoint), "segment": segment, **options}


def of_stream(peer: StandalonePeer, stream: str, **options: str) -> dict[str, str]:
    return {"controller": f"tcp://{peer.controller}", "stream": stream, **options}


def read(spark: SparkSession, options: dict[str, str]) -> DataFrame:
    return spark.read.format("pravega").options(**options).load()


def append(peer: SegmentStorePeer, segment: str, events: list[bytes]) -> None:
    with SegmentStore(peer.endpoint) as store, store.appender(segment) as appender:
        appender.append_all(events)


def test_large_events_are_rows(spark, segment_store, segment):
    large = bytes(range(256)) * (66 << 10)
    append(segment_store, segment, [b"before", large, b"after"])
    rows = read(spark, of_segment(segment_store, segment)).orderBy("offset").collect()
    assert [bytes(row.event) for row in rows] == [b"before", large, b"after"]


def by_key(events: list[bytes]) -> dict[str, list[int]]:
    """Return the numbers of events that are `key number`."""
    told = defaultdict(list)
    for event in events:
        key, number = event.split()
        told[key.decode()].append(int(number))
    return told


def keyed(first: int, behind: int) -> tuple[list[bytes], list[str]]:
    """Return events `key number`, and their keys."""
    pairs = [(f"k{key}", number) for number in range(first, behind) for key in range(20)]
    return [f"{key} {number}".encode() for key, number in pairs], [key for key, _ in pairs]


def write_keyed(client: StreamClient, stream: str, first: int, behind: int) -> None:
    with client.writer(stream) as writer:
        writer.append_all(*keyed(first, behind))


def split_all(client: StreamClient, stream: str) -> None:
    """Replace a stream's segments by twice as many."""
    for each in client.segments(stream):
        middle = (each.low + each.high) / 2
        client.scale(stream, [each.segment_id], [(each.low, middle), (middle, each.high)])


def test_a_segment_is_read_from_its_first_event_to_its_last(
    spark: SparkSession, segment_store: SegmentStorePeer, segment: str
) -> None:
    events = [b"%d" % number * (number % 7) for number in range(EVENTS)]
    append(segment_store, segment, events)
    starts = list(itertools.accumulate((8 + len(event) for event in events), initial=0))
    rows = read(spark, of_segment(segment_store, segment))
    got = rows.toArrow()
    assert rows.rdd.getNumPartitions() == 1
    assert got.column_names == ["segment", "offset", "event"]
    assert got["event"].to_pylist() == events
    assert got["offset"].to_pylist() == starts[:-1]
    assert set(got["segment"].to_pylist()) == {segment}
    with SegmentStore(segment_store.endpoint) as store:
        store.truncate_segment(segment, starts[10])
    assert read(spark, of_segment(segment_store, segment)).count() == EVENTS - 10


def test_an_empty_segment_has_no_rows(
    spark: SparkSession, segment_store: SegmentStorePeer, segment: str
) -> None:
    assert read(spark, of_segment(segment_store, segment)).collect() == []


def test_an_event_that_is_not_whole_at_the_end_is_an_error(
    pravega: StandalonePeer, client: StreamClient
) -> None:
    name = f"{SCOPE}/bytes-{next(numbers)}"
    client.create_stream(name)
    with client.byte_writer(name) as out:
        out.write(b"\0\0\0\0\0\0\0\x05whole" + b"\0\0\0\0\0\0\0\x09torn")
    reader = PravegaSource(of_stream(pravega, name)).reader(schema())
    [part] = reader.partitions()
    with pytest.raises(RemoteProtocolError, match="does not append events whole"):
        list(reader.read(part))


def schema() -> Any:
    return PravegaSource({}).schema()


@pytest.mark.parametrize("kind", ["binary", "string"])
def test_what_spark_appends_to_a_segment_is_read_by_the_client(
    spark: SparkSession, segment_store: SegmentStorePeer, segment: str, kind: str
) -> None:
    rows = spark.range(EVENTS, numPartitions=3).selectExpr(f"cast(concat('é', id) as {kind}) event")
    told = of_segment(segment_store, segment)
    rows.write.format("pravega").options(**told).mode("append").save()
    with SegmentStore(segment_store.endpoint) as store:
        found = [event.decode() for batch in store.read_events(segment) for event in batch]
    assert sorted(found) == sorted(f"é{number}" for number in range(EVENTS))
    # A task's events are in the order of the task.
    for task in range(3):
        span = range(task * EVENTS // 3, (task + 1) * EVENTS // 3)
        mine = [number for text in found if (number := int(text[1:])) in span]
        assert mine == sorted(mine)


def test_a_stream_is_read_a_task_a_segment_over_splits(
    spark: SparkSession, pravega: StandalonePeer, client: StreamClient, stream: str
) -> None:
    write_keyed(client, stream, 0, 100)
    split_all(client, stream)
    write_keyed(client, stream, 100, 200)
    rows = read(spark, of_stream(pravega, stream))
    assert rows.rdd.getNumPartitions() == 3 + 6
    got = rows.collect()
    assert {row.segment for row in got} >= {each.name for each in client.segments(stream)}
    for one in {row.segment for row in got}:
        mine = [row for row in got if row.segment == one]
        assert [row.offset for row in mine] == sorted(row.offset for row in mine)
    found = by_key([bytes(row.event) for row in got])
    assert {key: sorted(told) for key, told in found.items()} == {
        f"k{key}": list(range(200)) for key in range(20)
    }
    client.seal_stream(stream)
    assert read(spark, of_stream(pravega, stream)).count() == len(got)


def test_what_spark_writes_to_a_stream_is_there_by_its_routing_keys(
    spark: SparkSession, pravega: StandalonePeer, client: StreamClient, stream: str
) -> None:
    events, keys = keyed(0, 300)
    rows = spark.createDataFrame(
        pa.table({"event": pa.array(events, pa.binary()), "routing_key": keys})
    )
    told = of_stream(pravega, stream)
    rows.coalesce(1).write.format("pravega").options(**told).mode("append").save()
    found = [event for batch in client.read_events(stream) for event in batch.events]
    assert by_key(found) == {f"k{key}": list(range(300)) for key in range(20)}
    texts = spark.range(100, numPartitions=4).selectExpr("concat('any ', id) event")
    texts.write.format("pravega").options(**told).mode("append").save()
    again = [event for batch in client.read_events(stream) for event in batch.events]
    assert sorted(set(again) - set(found)) == sorted(b"any %d" % number for number in range(100))


def test_of_a_job_that_fails_nothing_is_in_the_stream(
    spark: SparkSession, pravega: StandalonePeer, client: StreamClient, stream: str
) -> None:
    doomed = spark.range(100, numPartitions=2).selectExpr(
        "if(id = 99, raise_error('doomed'), concat('event ', id)) event"
    )
    told = of_stream(pravega, stream)
    with pytest.raises(PySparkException, match="doomed"):
        doomed.write.format("pravega").options(**told).mode("append").save()
    assert [batch.events for batch in client.read_events(stream)] == []


def test_if_a_tasks_transaction_is_gone_none_is_committed(
    pravega: StandalonePeer, client: StreamClient, stream: str
) -> None:
    writer = PravegaSource(of_stream(pravega, stream)).writer(of_events(), overwrite=False)
    batch = pa.record_batch({"event": pa.array([b"event"], pa.binary())})
    stored = [writer.write(iter([batch])) for _ in range(3)]
    assert not isinstance(writer.write(iter([])), InTransaction)
    assert isinstance(stored[1], InTransaction)
    client.resume_transaction(stream, stored[1].transaction_id).abort()
    with pytest.raises(TransactionEnded):
        writer.commit([*stored, None])
    assert [batch.events for batch in client.read_events(stream)] == []
    writer.abort([*stored, None])
    assert isinstance(stored[0], InTransaction)
    assert client.resume_transaction(stream, stored[0].transaction_id).state() in {
        "ABORTED",
        "UNKNOWN",
    }


class Pending:
    """A transaction that is committed slowly."""

    def __init__(self, seconds: float, error: Exception | None = None) -> None:
        self.seconds = seconds
        self.error = error
        self.committed = False

    async def ping(self) -> None:
        pass

    async def commit(self) -> None:
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        self.committed = True


OF_NOBODY = {"controller": "127.0.0.1:9", "stream": "scope/stream"}


def test_if_a_commit_fails_the_others_under_way_are_waited_for() -> None:
    failing, slow = Pending(0.0, TransactionEnded("has ended")), Pending(0.2)
    pending: dict[UUID, Any] = {UUID(int=1): failing, UUID(int=2): slow}

    class Sink(TransactionSink):
        @asynccontextmanager
        async def _client(self) -> Any:  # type: ignore[override]
            yield

        async def _resume(self, _: Any, transaction_id: UUID) -> Any:
            return pending[transaction_id]

    with pytest.raises(TransactionEnded, match="has ended"):
        Sink(EventOptions.of_write(OF_NOBODY)).commit([InTransaction(each) for each in pending])
    assert slow.committed


def test_a_job_waits_for_its_commits_as_long_as_they_take() -> None:
    async def limit() -> float | None:
        async with TransactionSink(EventOptions.of_write(OF_NOBODY))._client() as client:
            return client._timeout

    assert asyncio.run(limit()) is None


def of_events() -> Any:
    from pyspark.sql.types import BinaryType, StructType

    return StructType().add("event", BinaryType())


def run(
    spark: SparkSession,
    options: dict[str, str],
    directory: Path,
    work: Callable[[StreamingQuery], object],
    **trigger: Any,
) -> None:
    """Follow into `directory`/events, and run `work` with the query."""
    rows = spark.readStream.format("pravega").options(**options).load()
    writer = rows.writeStream.format("parquet").option("path", str(directory / "events"))
    writer = writer.option("checkpointLocation", str(directory / "checkpoint"))
    if trigger:
        writer = writer.trigger(**trigger)
    follow(writer, work)


def followed(spark: SparkSession, directory: Path) -> list[Row]:
    return spark.read.parquet(str(directory / "events")).collect()


@pytest.mark.timeout(600)  # each batch waits for new processes
def test_a_query_that_is_stopped_and_started_again_gives_each_event_once(
    spark: SparkSession, segment_store: SegmentStorePeer, segment: str, tmp_path: Path
) -> None:
    told = of_segment(segment_store, segment)

    def work(query: StreamingQuery) -> None:
        query.processAllAvailable()
        append(segment_store, segment, [b"%d" % next(count) for _ in range(1000)])
        query.processAllAvailable()

    count = itertools.count()
    append(segment_store, segment, [b"%d" % next(count) for _ in range(1000)])
    run(spark, told, tmp_path, work)
    append(segment_store, segment, [b"%d" % next(count) for _ in range(1000)])
    run(spark, told, tmp_path, work)
    rows = sorted(followed(spark, tmp_path), key=lambda row: row.offset)
    assert [bytes(row.event) for row in rows] == [b"%d" % number for number in range(next(count))]


@pytest.mark.timeout(600)  # each batch waits for new processes
def test_a_query_reads_successors_behind_their_predecessors_and_ends_if_it_is_to(
    spark: SparkSession,
    pravega: StandalonePeer,
    client: StreamClient,
    stream: str,
    tmp_path: Path,
) -> None:
    told = of_stream(pravega, stream)
    write_keyed(client, stream, 0, 50)
    split_all(client, stream)
    write_keyed(client, stream, 50, 100)
    run(spark, told, tmp_path, lambda query: query.awaitTermination(), availableNow=True)
    split_all(client, stream)
    write_keyed(client, stream, 100, 150)
    run(spark, told, tmp_path, lambda query: query.awaitTermination(), availableNow=True)
    found = by_key([bytes(row.event) for row in followed(spark, tmp_path)])
    assert {key: sorted(told) for key, told in found.items()} == {
        f"k{key}": list(range(150)) for key in range(20)
    }


def test_batches_have_a_keys_events_in_order_and_come_to_the_end_that_was_noted(
    pravega: StandalonePeer, client: StreamClient, stream: str
) -> None:
    reader = EventStreamReader(EventOptions.of_query(of_stream(pravega, stream)))
    write_keyed(client, stream, 0, 10)
    split_all(client, stream)
    write_keyed(client, stream, 10, 20)
    at = reader.initialOffset()
    reader.prepareForTriggerAvailableNow()
    split_all(client, stream)
    write_keyed(client, stream, 20, 30)
    found: list[bytes] = []
    while (end := reader.latestOffset(at, None)) != at:  # type: ignore[arg-type]
        parts = reader.partitions(at, end)
        assert len({part.segment for part in slices(at, end)}) == len(parts)
        for part in reversed(parts):
            for batch in reader.read(part):
                found += [row["event"] for row in batch.to_pylist()]
        at = end
    assert by_key(found) == {f"k{key}": list(range(20)) for key in range(20)}
    reader.stop()


def test_a_query_from_the_tail_on_begins_where_its_first_batch_was(
    segment_store: SegmentStorePeer, segment: str
) -> None:
    options = EventOptions.of_query(of_segment(segment_store, segment, start="tail"))
    append(segment_store, segment, [b"before"])
    reader = EventStreamReader(options)
    first = reader.latestOffset(reader.initialOffset(), None)  # type: ignore[arg-type]
    append(segment_store, segment, [b"after"])
    # After a restart, the first batch has not been processed.
    again = EventStreamReader(options)
    assert again.partitions(again.initialOffset(), first) == []
    second = again.latestOffset(first, None)  # type: ignore[arg-type]
    [part] = again.partitions(first, second)
    rows = [row for batch in again.read(part) for row in batch.to_pylist()]
    assert [row["event"] for row in rows] == [b"after"]
    other = EventOptions.of_query(of_segment(segment_store, "another"))
    with pytest.raises(ConfigError, match="each needs a checkpoint of its own"):
        EventStreamReader(other).latestOffset(second, None)  # type: ignore[arg-type]
    again.stop()
    reader.stop()


@pytest.mark.timeout(600)  # each batch waits for new processes
def test_a_query_writes_what_it_reads(
    spark: SparkSession,
    segment_store: SegmentStorePeer,
    pravega: StandalonePeer,
    client: StreamClient,
    segment: str,
    stream: str,
    tmp_path: Path,
) -> None:
    append(segment_store, segment, keyed(0, 50)[0])
    rows = spark.readStream.format("pravega").options(**of_segment(segment_store, segment)).load()
    rows = rows.selectExpr("event", "split(cast(event as string), ' ')[0] routing_key")
    for checkpoint in "one", "two":
        writer = rows.writeStream.format("pravega").options(**of_stream(pravega, stream))
        writer = writer.option("checkpointLocation", str(tmp_path / checkpoint))
        while True:
            query = writer.trigger(availableNow=True).start()
            try:
                query.awaitTermination()
            except StreamingQueryException as error:
                if "connect back" not in str(error):
                    raise
            else:
                break
    found = by_key([event for batch in client.read_events(stream) for event in batch.events])
    assert found == {f"k{key}": 2 * list(range(50)) for key in range(20)}


GIVEN = {"store": "127.0.0.1:1", "segment": "a"}
STREAM = {"controller": "127.0.0.1:1", "stream": "a/b"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({**GIVEN, "segmnt": "b"}, "format pravega knows no option segmnt"),
        ({}, "needs the option store"),
        ({"store": "127.0.0.1:1"}, "needs the option segment"),
        ({"stream": "a/b"}, "needs the option controller"),
        ({**GIVEN, "store": "127.0.0.1"}, "option store is host:port"),
        ({**GIVEN, "store": "http://127.0.0.1:1"}, "option store is host:port"),
        ({**GIVEN, "store": "tcp://127.0.0.1:1", "ca_file": "ca.pem"}, "ca_file is for TLS"),
        ({**GIVEN, "user": "ann"}, "option user is not of a segment"),
        ({**GIVEN, **STREAM}, "option store is not of a stream"),
        ({**STREAM, "stream": "a"}, "'a' is not the name of a stream"),
        ({**GIVEN, "start": "tail"}, "option start is for readStream"),
        ({**STREAM, "lease": "9"}, "option lease is for a write"),
    ],
    ids=str,
)
def test_options_of_a_read_that_mean_nothing_are_refused(
    options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ConfigError, match=sentence):
        PravegaSource(options).reader(schema())


def test_where_a_query_begins_is_head_or_tail() -> None:
    with pytest.raises(ConfigError, match="start cannot be 'now'; it is one of head, tail"):
        PravegaSource({**GIVEN, "start": "now"}).streamReader(schema())


@pytest.mark.parametrize(
    ("columns", "options", "sentence"),
    [
        ("event binary, key string", GIVEN, "got event, key"),
        ("event binary, routing_key string", GIVEN, "got event, routing_key"),
        ("routing_key string", STREAM, "got routing_key"),
        ("event bigint", GIVEN, "column event is binary or string, not bigint"),
        ("event binary, routing_key int", STREAM, "column routing_key is string, not int"),
        ("event binary", {**GIVEN, "start": "head"}, "option start is for readStream"),
        ("event binary", {**STREAM, "lease": "soon"}, "option lease is 1 seconds or more"),
    ],
    ids=str,
)
def test_a_write_of_something_else_is_refused(
    spark: SparkSession, columns: str, options: dict[str, str], sentence: str
) -> None:
    told = spark.createDataFrame([], columns).schema
    for writer in PravegaSource(options).writer, PravegaSource(options).streamWriter:
        with pytest.raises(ConfigError, match=sentence):
            writer(told, overwrite=False)


def test_nothing_is_overwritten(spark: SparkSession) -> None:
    rows = spark.range(1).selectExpr("cast(id as string) event")
    with pytest.raises(PySparkException, match="take mode append"):
        rows.write.format("pravega").options(**GIVEN).mode("overwrite").save()


def test_nulls_are_no_events_and_no_keys(pravega: StandalonePeer, stream: str) -> None:
    writer = PravegaSource(of_stream(pravega, stream)).writer(of_events(), overwrite=False)
    nulls = pa.array([None], pa.string())
    for column, batch in {
        "event": {"event": nulls},
        "routing_key": {"event": ["one"], "routing_key": nulls},
    }.items():
        with pytest.raises(ValueError, match=f"column {column} has 1 nulls"):
            writer.write(iter([pa.record_batch(batch)]))


def test_several_controllers_are_one_cluster(
    spark: SparkSession, pravega: StandalonePeer, stream: str
) -> None:
    with StreamClient(pravega.controller) as client, client.writer(stream) as writer:
        writer.append(b"event", "key")
    several = f"127.0.0.1:{free_port()},{pravega.controller}"
    rows = read(spark, of_stream(pravega, stream, controller=several)).collect()
    assert [bytes(row.event) for row in rows] == [b"event"]


@pytest.mark.parametrize(
    ("controller", "ca_file", "endpoints", "discover", "secure"),
    [
        ("a:1,b:2", None, ["a:1", "b:2"], False, False),
        ("tls://a:1,b:2", None, ["a:1", "b:2"], False, True),
        ("a:1,b:2", "ca.pem", ["a:1", "b:2"], False, True),
        ("pravega://a:1", None, ["a:1"], True, False),
        ("pravegas://a:1,b:2", "ca.pem", ["a:1", "b:2"], True, True),
    ],
)
def test_controllers_are_a_list_or_a_url(
    controller: str, ca_file: str | None, endpoints: list[str], *, discover: bool, secure: bool
) -> None:
    more = {} if ca_file is None else {"ca_file": ca_file}
    options = EventOptions.of_read(STREAM | {"controller": controller} | more)
    found = Controllers.of(pickle.loads(pickle.dumps(options)).server)  # noqa: S301
    assert list(map(str, found.endpoints)) == endpoints
    assert (found.discover, found.tls is not None) == (discover, secure)


def test_secrets_are_in_no_repr() -> None:
    with_password = EventOptions.of_read({**STREAM, "user": "ann", "password": "s3cret"})
    with_token = EventOptions.of_read({**GIVEN, "token": "s3cret", "store": "tls://[::1]:9"})
    assert "ann" in repr(with_password)
    assert str(with_token.store) == "[::1]:9"
    assert with_token.store.tls is not None
    for options in with_password, with_token:
        assert "s3cret" not in repr(options)
