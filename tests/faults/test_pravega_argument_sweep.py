"""Wrong arguments of Pravega's clients are refused by name, before anything is sent."""

import asyncio
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from jvmwire.options import NEVER
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega.early import EarlyClient, EarlyOptions
from jvmwire.pravega.streams import (
    AsyncStreamClient,
    GroupReader,
    ReaderGroupConfig,
    StateKind,
    StreamClient,
    StreamConfiguration,
    StreamCut,
    StreamOptions,
    StreamSegment,
)
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._group_reader import GroupMember
from jvmwire.transports import Tcp
from kit.argument_sweep import Table, cases, complaints, complaints_async
from kit.scripted_controller import ScriptedController

NOBODY = Tcp("127.0.0.1", 1)
NAME = "scope/stream"
NOT_SECONDS = ["1", math.nan, -1, object()]
NOT_OFFSETS = ["1", 1.5, -1, 1 << 63]
NOT_COUNTS = ["1", 1.5, 0, -1]
NOT_NAMES = ["", 5, None]
NOT_STREAMS = ["", "stream", "a/b/c", 5, None]
NOT_IDS = [5, "text"]
NOT_BYTES = ["text", 5, None]
NOT_KEYS = [5, None, b"\0" * 3]
KIND = StateKind(bytes, bytes, bytes, bytes, lambda state, update: state + update)

TABLE = Table(
    right={
        "name": NAME,
        "scope": "scope",
        "reader": "reader",
        "configuration": StreamConfiguration(),
        "config": ReaderGroupConfig({NAME: None}),
        "cut": StreamCut(NAME, {0: 0}),
        "segment": StreamSegment(NAME, 0, 0.0, 1.0),
        "segment_ids": [0],
        "ranges": [(0.0, 1.0)],
        "kind": KIND,
        "transaction_id": UUID(int=7),
        "event": b"event",
        "events": [b"event"],
        "entry": b"entry",
        "data": b"data",
        "key": b"\0" * 8,
        "keys": [b"\0" * 8],
        "value": b"value",
        "entries": {b"\0" * 8: b"value"},
        "version": 0,
        "expected": 0,
        **dict.fromkeys(("offset", "start", "revision", "timestamp", "size"), 0),
        "stream": NAME,
        "state": b"state",
        "updates": [b"update"],
        "choose": lambda _: [],
        "seconds": 1.0,
        "cuts": [StreamCut(NAME, {0: 0})],
    },
    wrong={
        **dict.fromkeys(("seconds", "wait", "linger"), NOT_SECONDS),
        "lease": [*NOT_SECONDS, 0, math.inf],
        "name": NOT_STREAMS,
        "stream": NOT_STREAMS,
        **dict.fromkeys(("scope", "reader", "tag"), NOT_NAMES),
        **dict.fromkeys(("max_bytes", "max_events", "page"), NOT_COUNTS),
        **dict.fromkeys(("offset", "revision", "start", "expected"), NOT_OFFSETS),
        "version": ["1", 1.5, -2, 1 << 63],
        "timestamp": ["1", 1.5, 1 << 63],
        "size": ["1", 1.5, -1],
        **dict.fromkeys(("event", "entry", "data", "value"), NOT_BYTES),
        "events": [5, None, ["text"], [5]],
        "key": NOT_KEYS,
        "keys": [5, [5], [b"\0" * 3]],
        "entries": [5, {b"\0" * 3: b"v"}, {b"\0" * 8: 5}],
        "EventWriter.append.key": [5],
        "EventWriter.write.key": [5],
        "EventWriter.append_all.keys": [5, [5], []],
        "EventWriter.write_all.keys": [5, [5], []],
        "Transaction.append.key": [5, None],
        "Transaction.write.key": [5, None],
        "Transaction.write_all.keys": [5, [5], []],
        "cut": [5, None, "text"],
        "end": [5, "text"],
        "cuts": [5, [5]],
        "transaction_id": [5, None, "text"],
        "configuration": [5],
        "segment": [5, None],
        "segment_ids": [5, ["0"], [-1]],
        "ranges": [5, [5], [(0.0, 2.0)], [("a", "b")]],
        "config": [5, "text"],
        "kind": [5, None],
        "position": [5, "text"],
        "RevisionedStream.read.end": NOT_OFFSETS,
        "StreamClient.read_bytes.start": NOT_OFFSETS,
        **{f"StreamClient.read_{what}.start": [5, "text"] for what in ("events", "batches")},
        "KeyValueTable.entries.start": [5, "text"],
        "KeyValueTable.entries.end": [5, "text"],
        "StateSynchronizer.initialize.state": [],
        "StateSynchronizer.update.choose": [5, None],
        "StateSynchronizer.update_unconditionally.updates": [5],
        "ReaderGroup.checkpoint.name": NOT_NAMES,
    },
    skipped=frozenset({"connect"}),
    words={"keys": "key", "entries": "key"},
)


def group_reader(client: Any) -> GroupReader:
    """Return a reader that has not joined its group, which asks no server."""
    group = client._run(client._group(NAME), "group")
    member = GroupMember("reader", NAME, group.sync, group.access)
    return GroupReader(client, member)


OPENED: dict[str, Callable[[Any], Any]] = {
    "writer": lambda client: client.writer(NAME),
    "byte_writer": lambda client: client.byte_writer(NAME),
    "byte_reader": lambda client: client.byte_reader(NAME),
    "revisioned_stream": lambda client: client.revisioned_stream(NAME),
    "state_synchronizer": lambda client: client.state_synchronizer(NAME, KIND),
    "reader_group": lambda client: client.reader_group(NAME),
    "key_value_table": lambda client: client.key_value_table(NAME),
    "transaction": lambda client: client.begin_transaction(NAME),
    "group_reader": group_reader,
}

SEGMENTS = messages.SegmentRanges(
    segmentRanges=[
        messages.SegmentRange(
            segmentId={"streamInfo": {"scope": "scope", "stream": "stream"}, "segmentId": 0},
            minKey=0.0,
            maxKey=1.0,
        )
    ]
)
ANSWERS = {
    "getControllerServerList": messages.ServerResponse(),
    "getCurrentSegments": SEGMENTS,
    "getCurrentSegmentsKeyValueTable": SEGMENTS,
    "getKeyValueTableConfiguration": messages.KeyValueTableConfigResponse(
        config={"partitionCount": 1, "primaryKeyLength": 4, "secondaryKeyLength": 4}
    ),
    "createTransaction": messages.CreateTxnResponse(
        txnId={"highBits": 0, "lowBits": 7}, activeSegments=SEGMENTS.segmentRanges
    ),
}


@pytest.fixture(scope="module")
def controller() -> Iterator[ScriptedController]:
    with ScriptedController(ANSWERS) as controller:
        yield controller


@pytest.fixture(scope="module")
def client(controller: ScriptedController) -> Iterator[StreamClient]:
    options = StreamOptions(retry=NEVER, timeout=5.0)
    with StreamClient(Tcp("127.0.0.1", controller.port), options) as client:
        yield client


def test_wrong_arguments_of_the_client_of_streams_are_refused(client, controller):
    assert list(cases(client, TABLE))
    assert not complaints(client, TABLE, lambda: len(controller.asked))


@pytest.mark.parametrize("what", OPENED)
def test_wrong_arguments_of_what_the_client_opens_are_refused(what, client, controller):
    opened = OPENED[what](client)
    table = replace(TABLE, skipped=TABLE.skipped | {"close"})
    if what == "transaction":  # its keys are texts
        table = replace(table, right={**TABLE.right, "key": "key", "keys": ["key"]})
    assert list(cases(opened, table))
    assert not complaints(opened, table, lambda: len(controller.asked))


@pytest.mark.parametrize("what", ["writer", "byte_reader"])
def test_wrong_arguments_of_asyncio_clients_are_refused(what, controller):
    async def check() -> list[str]:
        options = StreamOptions(retry=NEVER, timeout=5.0)
        address = Tcp("127.0.0.1", controller.port)
        async with AsyncStreamClient(address, options) as client:
            table = replace(TABLE, wrong=table_of_async())
            found = await complaints_async(client, table, lambda: len(controller.asked))
            opened = OPENED[what](client)
            table = replace(table, skipped=table.skipped | {"close"})
            return found + await complaints_async(opened, table, lambda: len(controller.asked))

    with asyncio.Runner() as runner:
        assert not runner.run(check())


def table_of_async() -> dict[str, Any]:
    named = {f"Async{name}": values for name, values in TABLE.wrong.items() if "." in name}
    return {**TABLE.wrong, **named}


STORE_TABLE = replace(
    TABLE,
    right={
        **TABLE.right,
        **dict.fromkeys(("segment", "table", "source", "target"), "scope/stream/0.#epoch.0"),
        **dict.fromkeys(("attribute_id", "writer_id", "transaction_id"), UUID(int=7)),
        "sources": ["scope/stream/1.#epoch.0"],
        "parent": "scope/stream/0.#epoch.0",
        "expected_offset": 0,
        "value": 1,
        "expected": None,
        **dict.fromkeys(("length", "scale_type", "target_rate"), 1),
        "entries": {b"key": b"value"},
        "keys": [b"key"],
        "name": "scope/stream/0.#epoch.0",
    },
    wrong={
        **dict.fromkeys(("segment", "table", "source", "target", "parent", "name"), NOT_NAMES),
        **dict.fromkeys(("offset", "start", "end", "rollover_size"), NOT_OFFSETS),
        **dict.fromkeys(("attribute_id", "writer_id", "transaction_id"), NOT_IDS),
        **dict.fromkeys(("page", "max_bytes", "max_events"), NOT_COUNTS),
        "entries": [5, {b"": b"v"}, {b"k": 5}, {"k": b"v"}],
        "keys": [5, [5], ["k"], [b""]],
        **{
            f"SegmentStore.table_{what}.{bound}": [5, "text"]
            for what in ("keys", "entries")
            for bound in ("start", "end")
        },
        "sources": [5, [5], [""]],
        "length": ["1", 1.5, -1],
        "scale_type": ["1", -1, 3],
        "target_rate": ["1", 1.5, -1],
        "SegmentStore.update_attribute.value": ["1", 1.5, 1 << 63],
        "seconds": NOT_SECONDS,
        "event": NOT_BYTES,
        "events": [5, None, ["text"], [5]],
        "expected_offset": NOT_OFFSETS,
    },
)


@pytest.fixture(scope="module")
def store() -> Iterator[SegmentStore]:
    with SegmentStore(NOBODY, SegmentStoreOptions(retry=NEVER)) as store:
        yield store


def test_wrong_arguments_of_the_client_of_a_store_are_refused(store):
    assert list(cases(store, STORE_TABLE))
    assert not complaints(store, STORE_TABLE, lambda: 0)
    appender = store.appender("scope/stream/0.#epoch.0")
    table = replace(STORE_TABLE, skipped=TABLE.skipped | {"close"})
    assert list(cases(appender, table))
    assert not complaints(appender, table, lambda: 0)


def test_wrong_arguments_of_the_client_of_an_early_store_are_refused():
    with EarlyClient(NOBODY, EarlyOptions(retry=NEVER)) as client:
        assert list(cases(client, STORE_TABLE))
        assert not complaints(client, STORE_TABLE, lambda: 0)
