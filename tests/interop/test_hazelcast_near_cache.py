"""Near caches with real members of three versions: changes by others become visible."""

import asyncio
import itertools
import logging
from typing import Any

import pytest

from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast.near_cache import InMemoryFormat, NearCacheConfig
from kit.hazelcast import Member
from kit.polling import eventually

# Seconds after which an operation hangs.
DEADLINE = 60.0
names = (f"near-{number}" for number in itertools.count())
AT_ONCE = {"hazelcast.map.invalidation.batch.enabled": "false"}
IN_BATCHES = {
    "hazelcast.map.invalidation.batch.size": "7",
    "hazelcast.map.invalidation.batchfrequency.seconds": "1",
}


@pytest.fixture(scope="module")
def member(tmp_path_factory):
    with Member(tmp_path_factory.mktemp("near"), settings=AT_ONCE) as member:
        yield member


def connected(member: Member, **config: Any) -> Any:
    options = HazelcastOptions(
        timeout=DEADLINE, near_caches={"near-*": NearCacheConfig(**config)}, retry_pause=0.1
    )
    return HazelcastClient.connect([member.address], options)


def test_what_was_read_once_is_not_asked_for_again(member):
    with connected(member) as client:
        near = client.get_map(next(names))
        near.put_all({"a": [1], "b": 2})
        for _ in range(3):
            assert (near.get("a"), near.get("b"), near.get("c")) == ([1], 2, None)
        assert near.get_all(["a", "b", "c", "d"]) == {"a": [1], "b": 2}
        assert near.get_many(["d", "a"]) == [None, [1]]
        assert (near.contains_key("a"), near.contains_key("c")) == (True, False)
        told = near.near_cache_statistics
        assert (told.entries, told.hits, told.misses) == (4, 13, 4)
        # Another object of the same map shares the cache.
        assert client.get_map(near.name).near_cache_statistics.entries == 4
        assert near.get("a") is not near.get("a")
        assert client.get_map("far").near_cache_statistics is None


def test_objects_are_kept_if_that_is_wanted(member):
    with connected(member, in_memory_format=InMemoryFormat.OBJECT) as client:
        near = client.get_map(next(names))
        near.put("a", [1])
        assert near.get("a") is near.get("a")


def test_what_this_client_changes_it_reads_changed(member):
    with connected(member) as client:
        near = client.get_map(next(names))
        changes = (
            lambda: near.put("a", 1),
            lambda: near.set("a", 2),
            lambda: near.replace("a", 3),
            lambda: near.put_all({"a": 4}),
            lambda: near.put_many({"a": 5}),
            lambda: near.remove("a"),
            lambda: near.put_if_absent("a", 6),
            near.clear,
            lambda: near.try_put("a", 7),
            near.evict_all,
        )
        for change, value in zip(changes, [1, 2, 3, 4, 5, None, 6, None, 7, None], strict=True):
            near.get("a")
            change()
            assert near.get("a") == value
        near.put("a", 8)
        assert near.get("a") == 8
        near.destroy()
        assert near.get("a") is None


@pytest.mark.parametrize(
    ("version", "settings"),
    [("3.12.13", IN_BATCHES), ("3.6.8", AT_ONCE)],
    ids=["in batches", "3.6.8"],
)
def test_what_others_change_is_read_changed(tmp_path, version, settings):
    with Member(tmp_path, version=version, settings=settings) as member:
        change_and_read(member)


def test_what_others_change_is_read_changed_at_once(member):
    change_and_read(member)


def change_and_read(member: Member) -> None:
    with connected(member) as client, connected(member) as other:
        near = client.get_map(next(names))
        far = other.get_map(near.name)
        far.put_all({f"key-{number}": number for number in range(50)})
        keys = [f"key-{number}" for number in range(50)]
        assert near.get_many(keys) == list(range(50))
        assert near.near_cache_statistics.entries == 50
        member.do(f"put {near.name} key-0 Java")
        far.put_many(dict.fromkeys(keys[1:49], -1))
        far.delete("key-49")
        eventually(lambda: near.get_many(keys) == ["Java", *[-1] * 48, None])
        assert near.near_cache_statistics.invalidations >= 50
        far.clear()
        eventually(lambda: near.get_many(keys) == [None] * 50)


def test_without_invalidation_only_time_takes_entries_out(member):
    with connected(member, invalidate_on_change=False, time_to_live=0.5) as client:
        near = client.get_map(next(names))
        near.put("a", 1)
        assert near.get("a") == 1
        member.do(f"put {near.name} a Java")
        eventually(lambda: near.get("a") == "Java")
        assert near.near_cache_statistics.expirations >= 1


def test_what_was_missed_is_found_out_and_read_again(member):
    with connected(member, reconciliation_interval=0.5) as client:
        near = client.get_map(next(names))
        keys = [f"key-{number}" for number in range(2_000)]
        near.put_many(dict.fromkeys(keys, "old"))
        assert near.get_many(keys) == ["old"] * 2_000
        # No listener receives the member's events any more.
        for connection in client._driver._engine.connections:
            connection.listeners.clear()
        with HazelcastClient.connect([member.address]) as other:
            for _ in range(12):
                other.get_map(near.name).put_many(dict.fromkeys(keys, "new"))
        eventually(lambda: near.get_many(keys) == ["new"] * 2_000)
        kept = near.near_cache_statistics
        assert kept.invalidations >= 2_000


def test_a_cluster_that_began_anew_is_asked_anew(tmp_path):
    with Member(tmp_path, settings=AT_ONCE) as member, connected(member) as client:
        near = client.get_map(next(names))
        near.put("a", 1)
        assert (near.get("a"), near.get("a")) == (1, 1)
        member.kill()
        member.restart()
        eventually(lambda: near.get("a") is None)
        near.put("a", 2)
        assert near.get("a") == 2
        member.do(f"put {near.name} a Java")
        eventually(lambda: near.get("a") == "Java")


def test_a_near_cache_in_asyncio(member):
    async def read() -> None:
        options = HazelcastOptions(near_caches={"near-*": NearCacheConfig()})
        async with await AsyncHazelcastClient.connect([member.address], options) as client:
            near: Any = client.get_map(next(names))
            await near.put("a", 1)
            assert await asyncio.gather(*(near.get("a") for _ in range(10))) == [1] * 10
            assert await near.get("a") == 1
            assert near.near_cache_statistics.hits >= 1
            await near.put("a", 2)
            assert await near.get("a") == 2

    asyncio.run(read())


def test_the_cluster_is_told_of_the_client_and_of_what_it_keeps(member, caplog):
    options = HazelcastOptions(
        client_name="reporter, named=so",
        near_caches={"near-*": NearCacheConfig()},
        statistics_period=0.1,
        trace=True,
    )
    with caplog.at_level(logging.DEBUG, "jvmwire.wire"):
        client: Any = HazelcastClient.connect([member.address], options)
        near = client.get_map("near-told.of")
        assert [near.get("a") for _ in range(3)] == [None] * 3

        def told() -> int:
            return sum("<Client.statistics>" in record.getMessage() for record in caplog.records)

        before = told()
        eventually(lambda: told() >= before + 3)
        client.close()
    # A member that loses a client logs the client's statistics.
    log = member.program.log
    eventually(lambda: "clientName=reporter\\, named\\=so" in log.read_text())
    assert "nc.near-told\\.of.hits=2,nc.near-told\\.of.misses=1" in log.read_text()
