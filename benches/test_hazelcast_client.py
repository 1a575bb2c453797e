"""Calls of a real Hazelcast member: against Hazelcast's own clients, and a bare socket.

Hazelcast's client for Python gets fewer entries: the cost per entry is compared.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from benches.harness import FEWEST, PreparedRun, Target, compare, in_process
from benches.hazelcast_competitors import JavaClient
from benches.socket_baselines import in_flight
from jvmwire._core import HazelcastDecoder
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._connection_manager import CLIENT_TYPE
from jvmwire.hazelcast._proxies.map.entries import GET, SET
from jvmwire.hazelcast._proxies.map.views import ENTRY_SET, VALUES
from jvmwire.hazelcast._session import AUTHENTICATION_ID, PREAMBLE
from jvmwire.hazelcast.serialization import SerializationService
from kit.hazelcast import Member
from kit.hazelcast_clients import python_client
from kit.hazelcast_transcript import named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

ENTRIES = 10_000
WHOLE = 100_000
CALLS = 2_000
MANY_CALLS = 10_000
"""So many that the ramp-up of the calls in flight hardly counts."""
CHUNK = 1 << 18
IN_FLIGHT = 256
SOME = 5_000
"""Entries that Hazelcast's client for Python gets."""
ITERATED = 400_000
"""Entries of partitions that are larger than a batch of an iteration."""
JAVA = "Java's client"
PYTHON = "hazelcast-python-client"
RAW = "bare socket"
TO_ARROW = Target(JAVA, times=1 / 0.3)
"""By CPU: at most 0.3 of Java's."""
AS_JAVA_OR_RAW = [Target(JAVA, times=1, alternative=JAVA), Target(RAW, times=0.8, alternative=RAW)]
TO_OBJECTS = [*AS_JAVA_OR_RAW, Target(PYTHON, times=20)]


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:hazelcast")


@pytest.fixture(scope="module")
def member(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Member]:
    with Member(tmp_path_factory.mktemp("member")) as member:
        with HazelcastClient.connect([member.address]) as client:
            client.get_map("bench").put_all({n: f"value {n}" for n in range(ENTRIES)})
            client.get_map("whole").put_all({n: f"value {n}" for n in range(WHOLE)})
            client.get_map("some").put_all({n: f"value {n}" for n in range(SOME)})
        yield member


@pytest.fixture(scope="module")
def python(member: Member) -> Iterator[Any]:
    with python_client(member.address) as client:
        yield client


class BareSocket:
    """Baseline that gets keys of a member in bytes encoded before."""

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
        """Close the connection."""
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
        """Send each request after the reply to the previous one; return the replies."""
        answers = []
        for request in requests:
            self._socket.sendall(request)
            answers.append(self._read_messages(1))
        return b"".join(answers)

    def all_at_once(self, requests: bytes, count: int) -> bytes:
        """Send all requests, then read the replies."""
        self._socket.sendall(requests)
        return self._read_messages(count)


def some_keys(random: np.random.Generator, count: int = CALLS) -> list[int]:
    """Return keys, one in ten of which does not exist."""
    return [int(key) for key in random.integers(0, ENTRIES * 10 // 9, count)]


def are_found(keys: list[int], values: object) -> bool:
    return values == [f"value {key}" if key < ENTRIES else None for key in keys]


def as_values(lines: list[str]) -> list[Any]:
    return [None if line == "null" else line for line in lines]


def as_entries(lines: list[str]) -> dict[int, str]:
    pairs = (line.split("=") for line in lines)
    return {int(key): value for key, value in pairs}


def decoded(answers: bytes) -> list[Any]:
    decoder = HazelcastDecoder(limit=1 << 30)
    decoder.feed(answers)
    told = sorted(decoder.next_messages(), key=lambda message: message[1])
    return SerializationService().to_object_all([fields[0] for _, _, _, fields in told])


def rows(keys: list[int]) -> tuple[list[tuple[str, bytes, int]], list[int]]:
    service = SerializationService()
    datas = service.to_data_all(keys)
    return [("bench", key, 1) for key in datas], [service.partition_id(key, 271) for key in datas]


def test_getting_keys_one_after_the_other(
    benchmark: BenchmarkFixture, member: Member, python: Any, tmp_path: Path
) -> None:
    with (
        closing(BareSocket(member)) as raw,
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, "get", "bench") as java,
    ):
        found, theirs = client.get_map("bench"), python.get_map("bench").blocking()

        def ours(keys: list[int]) -> PreparedRun:
            return in_process(lambda: [found.get(key) for key in keys], len(keys))

        def others(keys: list[int]) -> PreparedRun:
            return in_process(lambda: [theirs.get(key) for key in keys], len(keys))

        def bare(keys: list[int]) -> PreparedRun:
            several, partitions = rows(keys)
            requests = [
                GET.encode(at, partition, row)
                for at, (row, partition) in enumerate(zip(several, partitions, strict=True))
            ]
            return in_process(partial(raw.one_by_one, requests), len(keys), result=decoded)

        compare(
            benchmark,
            {
                "jvmwire": ours,
                RAW: bare,
                JAVA: lambda keys: java.work(keys, len(keys), as_values),
                PYTHON: others,
            },
            inputs=some_keys,
            check=are_found,
            unit="call",
            work="map.get of a member, one after the other",
            targets=[Target(JAVA, times=1), Target(JAVA, times=1, by="wall")],
        )


def test_getting_many_keys_at_once(
    benchmark: BenchmarkFixture, member: Member, tmp_path: Path
) -> None:
    with (
        closing(BareSocket(member)) as raw,
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, "pipeline", "bench", depth=IN_FLIGHT) as java,
    ):
        found = client.get_map("bench")

        def many(keys: list[int]) -> PreparedRun:
            return in_process(lambda: found.get_many(keys), len(keys))

        def bare(keys: list[int]) -> PreparedRun:
            several, partitions = rows(keys)
            requests = GET.encode_all(0, partitions, several)
            return in_process(
                partial(raw.all_at_once, requests, len(keys)), len(keys), result=decoded
            )

        compare(
            benchmark,
            {
                "jvmwire, get_many": many,
                RAW: bare,
                JAVA: lambda keys: java.work(keys, len(keys), as_values),
            },
            inputs=some_keys,
            check=are_found,
            unit="call",
            work="map.get of a member, many in flight",
            targets=AS_JAVA_OR_RAW,
        )


def test_awaiting_many_keys_each(
    benchmark: BenchmarkFixture, member: Member, python: Any, tmp_path: Path
) -> None:
    with (
        asyncio.Runner() as runner,
        JavaClient(tmp_path, member.port, "pipeline", "bench", depth=IN_FLIGHT) as java,
    ):

        async def connected() -> AsyncHazelcastClient:
            return await AsyncHazelcastClient.connect([member.address], HazelcastOptions())

        awaited = runner.run(connected())
        found, theirs = awaited.get_map("bench"), python.get_map("bench")

        def awaiting(keys: list[int]) -> PreparedRun:
            return in_process(lambda: runner.run(in_flight(IN_FLIGHT, found.get, keys)), len(keys))

        def pieces(keys: list[int]) -> list[Any]:
            values = []
            for at in range(0, len(keys), IN_FLIGHT):
                futures = [theirs.get(key) for key in keys[at : at + IN_FLIGHT]]
                values += [future.result() for future in futures]
            return values

        compare(
            benchmark,
            {
                "jvmwire": awaiting,
                JAVA: lambda keys: java.work(keys, len(keys), as_values),
                PYTHON: lambda keys: in_process(lambda: pieces(keys), len(keys)),
            },
            inputs=partial(some_keys, count=MANY_CALLS),
            check=are_found,
            unit="call",
            work="map.get of a member, 256 in flight, each awaited",
            targets=[Target(PYTHON, times=10)],
        )
        runner.run(awaited.close())


def test_setting_many_keys_at_once(
    benchmark: BenchmarkFixture, member: Member, tmp_path: Path
) -> None:
    with (
        closing(BareSocket(member)) as raw,
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, "pipeline_set", "java", depth=IN_FLIGHT) as java,
    ):
        maps = {name: client.get_map(name) for name in ("ours", "raw", "java")}

        def emptied(name: str) -> Callable[[object], object]:
            maps[name].clear()
            return lambda _: dict(maps[name].entry_set())

        def many(keys: list[int]) -> PreparedRun:
            entries, put = {key: f"value {key}" for key in keys}, maps["ours"].put_many
            return in_process(lambda: put(entries), len(entries), result=emptied("ours"))

        def bare(keys: list[int]) -> PreparedRun:
            entries = list(set(keys))
            service = SerializationService()
            datas = service.to_data_all(entries)
            values = service.to_data_all([f"value {key}" for key in entries])
            several = [("raw", key, value, 1, -1) for key, value in zip(datas, values, strict=True)]
            partitions = [service.partition_id(key, 271) for key in datas]
            requests = SET.encode_all(0, partitions, several)
            send = partial(raw.all_at_once, requests, len(entries))
            return in_process(send, len(entries), result=emptied("raw"))

        def by_java(keys: list[int]) -> PreparedRun:
            done = java.work(keys, len(set(keys)), emptied("java"))
            maps["java"].clear()  # the map of its warm-up
            return done

        compare(
            benchmark,
            {"jvmwire, put_many": many, RAW: bare, JAVA: by_java},
            inputs=some_keys,
            check=lambda keys, told: told == {key: f"value {key}" for key in keys},
            unit="call",
            work="map.set of a member, many in flight",
            targets=AS_JAVA_OR_RAW,
        )


def columns(found: Any) -> dict[Any, Any]:
    arrays: list[Any] = [pa.array(column) for column in found]
    return dict(zip(*(array.to_pylist() for array in arrays), strict=True))


def entries_of(answer: bytes) -> dict[Any, Any]:
    decoder = HazelcastDecoder(limit=1 << 30)
    decoder.feed(answer)
    [(_, _, _, [pairs])] = decoder.next_messages()
    to_object_all = SerializationService().to_object_all
    return dict(zip(*map(to_object_all, zip(*pairs, strict=True)), strict=True))


def values_of(answer: bytes) -> list[Any]:
    decoder = HazelcastDecoder(limit=1 << 30)
    decoder.feed(answer)
    [(_, _, _, [values])] = decoder.next_messages()
    return sorted(SerializationService().to_object_all(values))


def is_whole(count: int, told: Any) -> bool:
    if isinstance(told, dict):
        wanted = {n: f"value {n}" for n in range(count)}
        return told in (wanted, dict(list(wanted.items())[:SOME]))
    values = sorted(f"value {n}" for n in range(count))
    return told in (values, sorted(f"value {n}" for n in range(SOME)))


WAYS: dict[str, tuple[Any, Any, Any, Any]] = {
    "entry_set": (ENTRY_SET, dict, as_entries, entries_of),
    "values": (VALUES, sorted, sorted, values_of),
}
"""Per method: the message, and the conversions of entries, Java's lines and the reply."""


@pytest.mark.parametrize("way", WAYS)
def test_reading_a_map_as_a_whole(
    benchmark: BenchmarkFixture, member: Member, python: Any, tmp_path: Path, way: str
) -> None:
    message, of_objects, of_lines, of_bytes = WAYS[way]
    with (
        closing(BareSocket(member)) as raw,
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, way, "whole") as java,
    ):
        ours = getattr(client.get_map("whole"), way)
        theirs = getattr(python.get_map("some").blocking(), way)
        request = message.encode(1, -1, ("whole",))
        compare(
            benchmark,
            {
                "jvmwire": lambda _: in_process(ours, WHOLE, result=of_objects),
                RAW: lambda _: in_process(
                    partial(raw.all_at_once, request, 1), WHOLE, result=of_bytes
                ),
                JAVA: lambda _: java.work([], WHOLE, of_lines),
                PYTHON: lambda _: in_process(lambda: list(theirs()), SOME, result=of_objects),
            },
            inputs=lambda _: WHOLE,
            check=is_whole,
            unit="entry",
            work=f"{way} of a map of 100,000 to objects",
            targets=TO_OBJECTS,
            rounds=FEWEST,
        )


@pytest.mark.parametrize("to", ["objects", "arrow"])
def test_iterating_over_a_map_of_large_partitions(
    benchmark: BenchmarkFixture, member: Member, to: str
) -> None:
    """The price of exactness: partitions of more than a batch are read by their keys."""
    with HazelcastClient.connect([member.address]) as client:
        iterated = client.get_map("iterated")
        for at in range(0, ITERATED, CHUNK):
            iterated.put_all({number: number for number in range(at, min(at + CHUNK, ITERATED))})

        def read(*, approximate: bool) -> int:
            if to == "objects":
                return len(dict(iterated.entries(approximate=approximate)))
            return sum(len(keys) for keys, _ in iterated.arrow_entries(approximate=approximate))

        compare(
            benchmark,
            {
                "jvmwire": lambda _: in_process(partial(read, approximate=False), ITERATED),
                "jvmwire, approximate": lambda _: in_process(
                    partial(read, approximate=True), ITERATED
                ),
            },
            inputs=lambda _: ITERATED,
            check=lambda count, found: found == count,
            unit="entry",
            work=f"iteration over a map of 400,000 to {to}",
            rounds=FEWEST,
        )
        iterated.destroy()


@pytest.mark.parametrize("way", WAYS)
def test_reading_a_map_as_a_whole_to_arrow(
    benchmark: BenchmarkFixture, member: Member, tmp_path: Path, way: str
) -> None:
    _, _, of_lines, _ = WAYS[way]
    with (
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, way, "whole") as java,
    ):
        ours = getattr(client.get_map("whole"), f"arrow_{way}")
        of_arrays = columns if way == "entry_set" else lambda found: sorted(as_list(found))
        compare(
            benchmark,
            {
                "jvmwire": lambda _: in_process(ours, WHOLE, result=of_arrays),
                JAVA: lambda _: java.work([], WHOLE, of_lines),
            },
            inputs=lambda _: WHOLE,
            check=is_whole,
            unit="entry",
            work=f"{way} of a map of 100,000 to Arrow",
            targets=[TO_ARROW],
            rounds=FEWEST,
        )


def as_list(column: Any) -> list[Any]:
    array: Any = pa.array(column)
    return list(array.to_pylist())


def all_keys(random: np.random.Generator) -> list[int]:
    return [int(key) for key in random.permutation(WHOLE)]


def are_all(keys: Sequence[int], told: object) -> bool:
    wanted = {key: f"value {key}" for key in keys}
    return told in (wanted, {key: wanted[key] for key in keys[:SOME]})


def test_getting_all_of_many_keys(
    benchmark: BenchmarkFixture, member: Member, python: Any, tmp_path: Path
) -> None:
    with (
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, "get_all", "whole") as java,
    ):
        found, theirs = client.get_map("whole"), python.get_map("whole").blocking()

        def arrow(keys: list[int]) -> PreparedRun:
            array: Any = pa.array(keys, pa.int32())
            return in_process(lambda: found.arrow_get_all(array), WHOLE, result=columns)

        compare(
            benchmark,
            {
                "jvmwire": lambda keys: in_process(lambda: found.get_all(keys), WHOLE),
                "jvmwire, to Arrow": arrow,
                JAVA: lambda keys: java.work(keys, WHOLE, as_entries),
                PYTHON: lambda keys: in_process(lambda: dict(theirs.get_all(keys[:SOME])), SOME),
            },
            inputs=all_keys,
            check=are_all,
            unit="entry",
            work="map.getAll of 100,000",
            targets=[Target(JAVA, times=1), Target(PYTHON, times=20)],
            rounds=FEWEST,
        )


def test_putting_all_of_many_entries(
    benchmark: BenchmarkFixture, member: Member, python: Any, tmp_path: Path
) -> None:
    with (
        HazelcastClient.connect([member.address]) as client,
        JavaClient(tmp_path, member.port, "put_all", "java") as java,
    ):
        maps = {name: client.get_map(name) for name in ("arrow", "objects", "java", "python")}
        theirs = python.get_map("python").blocking()

        def emptied(name: str) -> Callable[[object], object]:
            maps[name].clear()
            return lambda _: dict(maps[name].entry_set())

        def arrow(keys: list[int]) -> PreparedRun:
            columns: tuple[Any, Any] = (
                pa.array(keys, pa.int32()),
                pa.array([f"value {key}" for key in keys]),
            )
            put = maps["arrow"].arrow_put_all
            return in_process(lambda: put(*columns), WHOLE, result=emptied("arrow"))

        def objects(keys: list[int]) -> PreparedRun:
            entries = {key: f"value {key}" for key in keys}
            put = maps["objects"].put_all
            return in_process(lambda: put(entries), WHOLE, result=emptied("objects"))

        def others(keys: list[int]) -> PreparedRun:
            entries = {key: f"value {key}" for key in keys[:SOME]}
            return in_process(lambda: theirs.put_all(entries), SOME, result=emptied("python"))

        compare(
            benchmark,
            {
                "jvmwire": objects,
                "jvmwire, of Arrow": arrow,
                JAVA: lambda keys: java.work(keys, WHOLE, emptied("java")),
                PYTHON: others,
            },
            inputs=all_keys,
            check=are_all,
            unit="entry",
            work="map.putAll of 100,000",
            targets=[Target(JAVA, times=1), Target(PYTHON, times=20)],
            rounds=FEWEST,
        )
