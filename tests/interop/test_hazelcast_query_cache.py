"""Continuous query caches with real members: their changes arrive here."""

import asyncio
import itertools
import queue
import time
from typing import Any

import pytest

from jvmwire.errors import ConfigError, Finished
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast.errors import SerializationFailed
from jvmwire.hazelcast.predicates import Between, Sql
from jvmwire.hazelcast.query_cache import QueryCacheConfig
from kit.hazelcast import Member, cluster

# Seconds after which an operation hangs.
DEADLINE = 60.0
FEW = Between("this", 0, 99)
names = (f"cached-{number}" for number in itertools.count())


@pytest.fixture(scope="module")
def member(tmp_path_factory):
    with Member(tmp_path_factory.mktemp("cached")) as member:
        yield member


def connected(*members: Member, redo: bool = False) -> Any:
    options = HazelcastOptions(timeout=DEADLINE, retry_pause=0.1, redo=redo)
    return HazelcastClient.connect([member.address for member in members], options)


def until(condition: Any) -> None:
    """Wait until a condition is true."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_it_begins_with_what_is_there_and_follows_what_changes(member):
    with connected(member) as client, connected(member) as other:
        numbers = client.get_map(next(names))
        numbers.put_all({f"key-{number}": number for number in range(200)})
        cache = numbers.get_query_cache("few", QueryCacheConfig(predicate=FEW))
        assert cache.size() == 100
        assert sorted(cache.values()) == list(range(100))
        far = other.get_map(numbers.name)
        far.put("key-1", 1000)  # the predicate no longer matches it
        far.put("key-150", 50)
        far.put("key-2", -1)
        far.put("key-3", 33)
        far.remove("key-4")
        far.put("new", 5)
        expected = {f"key-{number}": number for number in (0, *range(5, 100))}
        expected |= {"key-150": 50, "key-3": 33, "new": 5}
        until(lambda: dict(cache.entry_set()) == expected)
        assert (cache.get("key-3"), cache.get("key-1")) == (33, None)
        assert cache.get_all(["new", "key-2", "key-0"]) == {"new": 5, "key-0": 0}
        assert (cache.contains_key("new"), cache.contains_key("key-4")) == (True, False)
        assert sorted(cache.key_set()) == sorted(expected)
        far.clear()
        until(cache.is_empty)


def test_a_name_is_one_cache_until_it_is_destroyed(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put("a", 1)
        cache = numbers.get_query_cache("few", QueryCacheConfig(predicate=FEW))
        again = numbers.get_query_cache("few")
        assert (again.name, again.size()) == ("few", 1)
        cache.destroy()
        cache.destroy()
        for gone in (cache, again):
            with pytest.raises(Finished, match=f"few of {numbers.name} is destroyed"):
                gone.get("a")
        anew = numbers.get_query_cache("few", QueryCacheConfig(predicate=Sql("this > 1")))
        assert anew.is_empty()
        numbers.put("b", 2)
        until(lambda: anew.key_set() == ["b"])
        numbers.destroy()
        with pytest.raises(Finished):
            anew.size()


def test_one_that_could_not_be_made_can_be_made_otherwise(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put_all({number: number for number in range(200)})
        for predicate, refusal in [(object(), TypeError), (Sql("this >> 1"), SerializationFailed)]:
            with pytest.raises(refusal):
                numbers.get_query_cache("few", QueryCacheConfig(predicate=predicate))
        cache = numbers.get_query_cache("few", QueryCacheConfig(predicate=FEW))
        assert cache.size() == 100
        assert len(client._cluster._membership._membership_listeners) == 1


def test_without_values_the_map_is_asked_for_them(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put_all({"a": 1, "b": 2, "c": 300})
        config = QueryCacheConfig(predicate=FEW, include_value=False)
        cache = numbers.get_query_cache("keys", config)
        assert sorted(cache.key_set()) == ["a", "b"]
        assert cache.values() == [None, None]
        assert cache.get_all(["a", "b", "c"]) == {"a": 1, "b": 2}
        numbers.put("c", 3)
        until(lambda: cache.contains_key("c"))
        assert cache.get("c") == 3


def test_one_that_is_not_populated_begins_with_what_changes(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put("old", 1)
        cache = numbers.get_query_cache("new", QueryCacheConfig(predicate=FEW, populate=False))
        assert cache.is_empty()
        numbers.put("new", 2)
        until(lambda: cache.entry_set() == [("new", 2)])


def test_no_more_is_kept_than_there_is_room_for(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put_all({number: number for number in range(10)})
        cache = numbers.get_query_cache("three", QueryCacheConfig(max_entries=3))
        assert cache.size() == 3
        numbers.put("last", 1)
        until(lambda: cache.contains_key("last"))
        assert cache.size() == 3


def test_listeners_are_told_what_changes_in_the_cache(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put("a", 1)
        cache = numbers.get_query_cache("few", QueryCacheConfig(predicate=FEW))
        seen: queue.Queue[Any] = queue.Queue()
        of_key: queue.Queue[Any] = queue.Queue()
        listener = cache.add_entry_listener(seen.put)
        cache.add_entry_listener(of_key.put, key="b", include_value=False)
        numbers.put("a", 2)
        numbers.put("a", 200)
        numbers.put("b", 3)
        # Events of one key come in order.
        told = [seen.get(timeout=DEADLINE) for _ in range(3)]
        by_key = {
            key: [(event.type, event.value, event.old_value) for event in told if event.key == key]
            for key in "ab"
        }
        assert by_key == {
            "a": [(EntryEventType.UPDATED, 2, 1), (EntryEventType.REMOVED, None, 2)],
            "b": [(EntryEventType.ADDED, 3, None)],
        }
        assert of_key.get(timeout=DEADLINE).value is None
        assert cache.remove_listener(listener)
        assert not cache.remove_listener(listener)
        numbers.clear()
        cleared = of_key.get(timeout=DEADLINE)
        assert (cleared.type, cleared.key, cleared.count) == (EntryEventType.CLEAR_ALL, None, 1)
        assert seen.empty()


@pytest.mark.parametrize("coalesce", [False, True], ids=["all", "coalesced"])
def test_events_come_in_batches_if_that_is_wanted(member, coalesce):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        config = QueryCacheConfig(
            predicate=FEW, batch_size=10, buffer_size=64, delay_seconds=1, coalesce=coalesce
        )
        cache = numbers.get_query_cache("batches", config)
        for value in range(25):
            numbers.put("a", value)
            numbers.put(f"key-{value}", value)
        expected = {"a": 24} | {f"key-{value}": value for value in range(25)}
        until(lambda: dict(cache.entry_set()) == expected)


def test_events_that_members_have_no_more_are_noticed_and_the_map_is_read_again(member):
    with connected(member) as client:
        numbers = client.get_map(next(names))
        config = QueryCacheConfig(predicate=FEW, batch_size=100, buffer_size=4, delay_seconds=1)
        cache = numbers.get_query_cache("torn", config)
        lost: queue.Queue[Any] = queue.Queue()
        cache.add_event_lost_listener(lost.put)
        keys = [f"key-{number}" for number in range(40)]
        # As many events in one partition as push out the first ones.
        numbers.put_all(dict.fromkeys(keys, 1))
        for value in range(10):
            numbers.put("one", value)
        assert 0 <= lost.get(timeout=DEADLINE).partition_id < client.partition_count
        until(lambda: cache.get("one") == 9)
        until(lambda: dict(cache.entry_set()) == dict.fromkeys(keys, 1) | {"one": 9})


def test_events_that_did_not_come_are_told_again(member):
    with connected(member) as client, connected(member) as other:
        numbers = client.get_map(next(names))
        far = other.get_map(numbers.name)
        cache = numbers.get_query_cache("holes", QueryCacheConfig(predicate=FEW))
        seen: queue.Queue[Any] = queue.Queue()
        lost: queue.Queue[Any] = queue.Queue()
        cache.add_entry_listener(seen.put)
        cache.add_event_lost_listener(lost.put)
        [connection] = client._driver._engine.connections
        heard = dict(connection.listeners)
        connection.listeners.clear()
        for value in range(5):
            far.put("a", value)
        client.ping()  # events before this are dropped
        connection.listeners.update(heard)
        far.put("a", 5)
        assert lost.get(timeout=DEADLINE) is not None
        assert [seen.get(timeout=DEADLINE).value for _ in range(6)] == [0, 1, 2, 3, 4, 5]
        assert cache.get("a") == 5


def test_a_cluster_that_began_anew_is_asked_anew(tmp_path):
    with Member(tmp_path) as member, connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put("a", 1)
        cache = numbers.get_query_cache("few", QueryCacheConfig(predicate=FEW))
        seen: queue.Queue[Any] = queue.Queue()
        cache.add_entry_listener(seen.put)
        member.kill()
        member.restart()
        until(cache.is_empty)
        gone = seen.get(timeout=DEADLINE)
        assert (gone.type, gone.key, gone.old_value) == (EntryEventType.REMOVED, "a", 1)
        numbers.put("b", 2)
        until(lambda: cache.entry_set() == [("b", 2)])


def test_members_that_are_lost_and_that_join_leave_it_as_the_map_is(tmp_path):
    with cluster(tmp_path) as members, connected(*members, redo=True) as client:
        numbers = client.get_map(next(names))
        entries = {f"key-{number}": number for number in range(300)}
        numbers.put_all(entries)
        cache = numbers.get_query_cache("all", QueryCacheConfig())
        assert dict(cache.entry_set()) == entries

        def change(value: int) -> None:
            for key in entries:
                entries[key] = value
            numbers.put_all(entries)

        until(lambda: members[0].do("safe") == "true")
        members[1].kill()
        change(1)
        until(lambda: dict(cache.entry_set()) == entries)
        change(2)
        until(lambda: dict(cache.entry_set()) == entries)
        until(lambda: members[0].do("safe") == "true")
        members[1].restart()  # partitions move to it
        change(3)
        until(lambda: len(client.members) == 3)
        change(4)
        until(lambda: dict(cache.entry_set()) == entries)


def test_a_query_cache_in_asyncio(member):
    async def follow() -> None:
        async with await AsyncHazelcastClient.connect([member.address]) as client:
            numbers = client.get_map(next(names))
            await numbers.put("a", 1)
            config = QueryCacheConfig(predicate=FEW)
            caches = await asyncio.gather(
                *(numbers.get_query_cache("few", config) for _ in range(5))
            )
            assert [await cache.get("a") for cache in caches] == [1] * 5
            await numbers.put("b", 2)
            async with asyncio.timeout(DEADLINE):
                while await caches[0].size() != 2:
                    await asyncio.sleep(0.02)

    asyncio.run(follow())


def test_members_of_3_8_tell_query_caches_too(tmp_path):
    with Member(tmp_path, version="3.8.9") as member, connected(member) as client:
        numbers = client.get_map(next(names))
        numbers.put_all({"a": 1, "b": 200})
        cache = numbers.get_query_cache("few", QueryCacheConfig(predicate=FEW))
        assert cache.entry_set() == [("a", 1)]
        numbers.put_all({"b": 2, "a": 100})
        until(lambda: cache.entry_set() == [("b", 2)])


@pytest.mark.parametrize("told", [{"batch_size": 0}, {"max_entries": 0}, {"delay_seconds": -1}])
def test_a_config_that_makes_no_sense_is_refused(told):
    with pytest.raises(ConfigError, match=next(iter(told))):
        QueryCacheConfig(**told)
