"""Calls of a real Hazelcast member: jvmwire's client beside the same bytes on a bare socket."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from benches.duel import Target, Work, duel, here
from benches.raw_loops import in_flight
from jvmwire._core import HazelcastDecoder
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast.joining import CLIENT_TYPE
from jvmwire.hazelcast.proxies.map_keys import GET
from jvmwire.hazelcast.proxies.map_whole import ENTRY_SET
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.hazelcast.session import AUTHENTICATION_ID, PREAMBLE
from kit.hazelcast import Member
from kit.hazelcast_conversation import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

ENTRIES = 10_000
WHOLE = 100_000
CALLS = 2_000
CHUNK = 1 << 18


@pytest.fixture(scope="module")
def member(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Member]:
    with Member(tmp_path_factory.mktemp("member")) as member:
        with HazelcastClient.connect([member.address]) as client:
            client.get_map("bench").put_all({n: f"value {n}" for n in range(ENTRIES)})
            client.get_map("whole").put_all({n: f"value {n}" for n in range(WHOLE)})
        yield member


class BareSocket:
    """Gets keys of a member in bytes that were encoded before."""

    def __init__(self, member: Member) -> None:
        self._socket = socket.create_connection(("127.0.0.1", member.port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        fields: tuple[Any, ...] = (
            "dev",
            "dev-pass",
            None,
            None,
            True,
            CLIENT_TYPE,
            1,
            "3.12",
            "raw",
            [],
            None,
            None,
        )
        message = named("Client.authentication")
        self._socket.sendall(PREAMBLE + message.encode(AUTHENTICATION_ID, -1, fields))
        self._read_messages(1)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _read_messages(self, count: int) -> bytes:
        data, at = bytearray(), 0
        while count:
            data += self._socket.recv(CHUNK)
            while len(data) - at >= 4:
                length = int.from_bytes(data[at : at + 4], "little")
                if len(data) - at < length:
                    break
                at, count = at + length, count - 1
        return bytes(data)

    def one_by_one(self, requests: list[bytes]) -> bytes:
        """Send each when the one before it is answered; return the answers."""
        answers = []
        for request in requests:
            self._socket.sendall(request)
            answers.append(self._read_messages(1))
        return b"".join(answers)

    def all_at_once(self, requests: bytes, count: int) -> bytes:
        """Send all, then read the answers."""
        self._socket.sendall(requests)
        return self._read_messages(count)


def some_keys(random: np.random.Generator) -> list[int]:
    """Return keys of which one in ten does not exist."""
    return [int(key) for key in random.integers(0, ENTRIES * 10 // 9, CALLS)]


def are_found(keys: list[int], values: object) -> bool:
    return values == [f"value {key}" if key < ENTRIES else None for key in keys]


def decoded(answers: bytes) -> list[Any]:
    decoder = HazelcastDecoder(limit=1 << 30)
    decoder.feed(answers)
    told = sorted(decoder.next_messages(), key=lambda message: message[1])
    return SerializationService().to_object_all([fields[0] for _, _, _, fields in told])


def rows(keys: list[int]) -> tuple[list[tuple[str, bytes, int]], list[int]]:
    service = SerializationService()
    datas = service.to_data_all(keys)
    return [("bench", key, 1) for key in datas], [service.partition_id(key, 271) for key in datas]


def test_getting_keys_one_after_the_other(benchmark: BenchmarkFixture, member: Member) -> None:
    with closing(BareSocket(member)) as raw, HazelcastClient.connect([member.address]) as client:
        found = client.get_map("bench")

        def ours(keys: list[int]) -> Work:
            return here(lambda: [found.get(key) for key in keys], len(keys))

        def bare(keys: list[int]) -> Work:
            several, partitions = rows(keys)
            requests = [
                GET.encode(at, partition, row)
                for at, (row, partition) in enumerate(zip(several, partitions, strict=True))
            ]
            return here(partial(raw.one_by_one, requests), len(keys), result=decoded)

        duel(
            benchmark,
            {"jvmwire": ours, "bare socket": bare},
            inputs=some_keys,
            check=are_found,
            unit="call",
            work="map.get of a member, one after the other",
        )


def test_getting_many_keys_at_once(benchmark: BenchmarkFixture, member: Member) -> None:
    with (
        closing(BareSocket(member)) as raw,
        asyncio.Runner() as runner,
        HazelcastClient.connect([member.address]) as client,
    ):
        found = client.get_map("bench")

        async def connected() -> AsyncHazelcastClient:
            return await AsyncHazelcastClient.connect([member.address], HazelcastOptions())

        awaited = runner.run(connected())
        theirs = awaited.get_map("bench")

        def many(keys: list[int]) -> Work:
            return here(lambda: found.get_many(keys), len(keys))

        def all_at_once(keys: list[int]) -> Work:
            return here(
                lambda: found.get_all(keys),
                len(keys),
                result=lambda values: [values.get(key) for key in keys],
            )

        def awaiting(keys: list[int]) -> Work:
            return here(lambda: runner.run(in_flight(256, theirs.get, keys)), len(keys))

        def bare(keys: list[int]) -> Work:
            several, partitions = rows(keys)
            requests = GET.encode_all(0, partitions, several)
            return here(partial(raw.all_at_once, requests, len(keys)), len(keys), result=decoded)

        duel(
            benchmark,
            {
                "jvmwire, get_many": many,
                "jvmwire, get_all": all_at_once,
                "jvmwire, 256 awaited": awaiting,
                "bare socket": bare,
            },
            inputs=some_keys,
            check=are_found,
            unit="call",
            work="map.get of a member, many in flight",
            targets=[Target("bare socket", times=0.8)],
        )
        runner.run(awaited.close())


def columns(found: Any) -> dict[Any, Any]:
    arrays: list[Any] = [pa.array(column) for column in found]
    return dict(zip(*(array.to_pylist() for array in arrays), strict=True))


def test_reading_a_map_as_a_whole(benchmark: BenchmarkFixture, member: Member) -> None:
    with closing(BareSocket(member)) as raw, HazelcastClient.connect([member.address]) as client:
        found = client.get_map("whole")
        request = ENTRY_SET.encode(1, -1, ("whole",))

        def entries(answer: bytes) -> dict[Any, Any]:
            decoder = HazelcastDecoder(limit=1 << 30)
            decoder.feed(answer)
            [(_, _, _, [pairs])] = decoder.next_messages()
            to_object_all = SerializationService().to_object_all
            return dict(zip(*map(to_object_all, zip(*pairs, strict=True)), strict=True))

        duel(
            benchmark,
            {
                "jvmwire, to Arrow": lambda _: here(found.arrow_entry_set, WHOLE, result=columns),
                "jvmwire, to objects": lambda _: here(found.entry_set, WHOLE, result=dict),
                "bare socket": lambda _: here(
                    partial(raw.all_at_once, request, 1), WHOLE, result=entries
                ),
            },
            inputs=lambda _: WHOLE,
            check=lambda count, told: told == {n: f"value {n}" for n in range(count)},
            unit="entry",
            work="entries of a map of 100,000, all in one message",
            targets=[Target("bare socket", times=0.8)],
        )


def test_writing_many_entries(benchmark: BenchmarkFixture, member: Member) -> None:
    with HazelcastClient.connect([member.address]) as client:
        columns, mapping = client.get_map("columns"), client.get_map("mapping")

        def arrow(keys: Any) -> Work:
            columns.clear()
            return here(
                lambda: columns.arrow_put_all(keys, keys),
                len(keys),
                result=lambda _: sorted(columns.key_set()),
            )

        def objects(keys: Any) -> Work:
            mapping.clear()
            entries = {key: key for key in keys.to_pylist()}
            return here(
                lambda: mapping.put_all(entries),
                len(keys),
                result=lambda _: sorted(mapping.key_set()),
            )

        duel(
            benchmark,
            {"jvmwire, of Arrow": arrow, "jvmwire, of objects": objects},
            inputs=lambda random: pa.array(random.permutation(ENTRIES).astype("int32")),
            check=lambda keys, told: told == sorted(keys.to_pylist()),
            unit="entry",
            work="map.putAll of 10,000",
        )
