"""Trace logs of every client contain no password, no token and no user data."""

import asyncio
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from jvmwire._runtime.wire_log import Described, describe
from jvmwire.hama._configuration import JobConfiguration
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from jvmwire.pravega import AsyncSegmentStore, SegmentStoreOptions
from jvmwire.pravega._commands import ReadTable, ReadTableKeys
from jvmwire.pravega.early import AsyncEarlyClient, EarlyOptions, EarlyServer
from jvmwire.storm._session import BoltSession
from jvmwire.transports import Tcp
from kit.fake_member import doubles
from kit.fake_store import store_double

PLANTED = "PLANTED-f00d"


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.DEBUG):
        yield


def assert_nothing_planted(*said: str) -> None:
    for text in said:
        for shown in (PLANTED, PLANTED.encode().hex(), str(list(PLANTED.encode()))[1:-1]):
            assert shown not in text


def test_a_trace_of_hazelcast_shows_neither_passwords_nor_entries(
    caplog: pytest.LogCaptureFixture,
) -> None:
    options = HazelcastOptions(trace=True, password=PLANTED)
    with doubles() as [member], HazelcastClient.connect([member.address], options) as client:
        entries = client.get_map("m")
        entries.put(f"{PLANTED} key", f"{PLANTED} value")
        assert entries.get(f"{PLANTED} key") == f"{PLANTED} value"
        assert dict(entries.entry_set()) == {f"{PLANTED} key": f"{PLANTED} value"}
        seen: list[Any] = []
        entries.add_entry_listener(seen.append, include_value=True)
        [asked] = member.all_of("Map.addEntryListener")
        [(key, value)] = member.entries.items()
        member.say(asked.connection, member.entry_event(asked.call_id, key, value))
        entries.size()
        said = repr(options) + repr(client)
    assert "Pushed" in caplog.text
    assert "< Reply" in caplog.text
    assert_nothing_planted(caplog.text, said)


def test_a_trace_of_a_segment_store_shows_neither_tokens_nor_events(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work() -> str:
        options = SegmentStoreOptions(trace=True, delegation_token=PLANTED)
        async with (
            store_double() as store,
            AsyncSegmentStore(store.endpoint, options) as client,
        ):
            appender = client.appender("a/b/0.#epoch.0")
            await appender.write(PLANTED.encode())
            await appender.flush()
            return repr(options) + repr(client)

    said = asyncio.run(work())
    assert "SetupAppend" in caplog.text
    assert_nothing_planted(caplog.text, said)


def test_a_trace_of_the_early_protocol_shows_no_events(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with EarlyServer() as server:
            endpoint = Tcp("127.0.0.1", await server.start())
            async with AsyncEarlyClient(endpoint, EarlyOptions(trace=True)) as client:
                await client.appender("s").append([PLANTED.encode()])
                assert (await client.read("s", 0)).data == PLANTED.encode()

    asyncio.run(work())
    assert "data=<12 bytes>" in caplog.text
    assert_nothing_planted(caplog.text)


def test_storms_handshake_and_hamas_configuration_show_no_value_of_theirs() -> None:
    session = BoltSession(42)
    conf = {"storm.zookeeper.auth.payload": PLANTED, "a.b": PLANTED}
    shake = {
        "conf": conf,
        "pidDir": "/p",
        "context": {"taskid": 3, "task->component": {"3": "c"}},
    }
    session.receive_data(f"{json.dumps(shake)}\nend\n".encode())
    events = list(session.events())
    assert events
    assert_nothing_planted(repr(events), describe(events), repr(session))
    assert_nothing_planted(repr(JobConfiguration(conf)))


class Pair(NamedTuple):
    left: object
    right: object


@dataclass(frozen=True)
class Told:
    data: object
    hidden: object = field(default=None, repr=False)


@dataclass
class Own:
    data: bytes

    def __repr__(self) -> str:
        return "<own>"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (b"x", "<1 bytes>"),
        (bytearray(3), "<3 bytes>"),
        (memoryview(b"1234").cast("H"), "<4 bytes>"),
        ([b"x", "y", None], "[<1 bytes>, 'y', None]"),
        ((b"x",), "(<1 bytes>,)"),
        ({b"k": {"a": b"v"}}, "{<1 bytes>: {'a': <1 bytes>}}"),
        (Pair(1, b"x"), "Pair(left=1, right=<1 bytes>)"),
        (Told([b"x"], b"y"), "Told(data=[<1 bytes>])"),
        (Own(b"x"), "<own>"),
        ("\x1b[31m\u202e\n", r"'\x1b[31m\u202e\n'"),
    ],
)
def test_a_description_has_the_number_of_bytes_in_their_place(value: object, shown: str) -> None:
    assert describe(value) == shown
    assert str(Described(value)) == repr(Described(value)) == shown


def test_a_description_of_nested_values_ends() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert len(describe(endless)) < 100


def test_commands_of_tables_show_no_keys() -> None:
    reading = ReadTableKeys("s", 10, b"token", PLANTED.encode(), PLANTED.encode())
    asked = ReadTable("s", [{"key": PLANTED.encode()}])
    assert_nothing_planted(describe(reading), describe(asked))
