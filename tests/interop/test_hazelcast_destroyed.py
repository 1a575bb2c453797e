"""Structures that another client of a real member destroys: caches and listeners go on."""

import itertools
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from jvmwire.errors import StateError
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from jvmwire.hazelcast.near_cache import NearCacheConfig
from kit.hazelcast import Member
from kit.polling import eventually

NAMES = (f"near {number} destroyed" for number in itertools.count())


@pytest.fixture(params=["hazelcast_member", "hazelcast_three"])
def both(request: pytest.FixtureRequest) -> Iterator[tuple[HazelcastClient, HazelcastClient]]:
    options = HazelcastOptions(near_caches={"near*": NearCacheConfig()})
    started = request.getfixturevalue(request.param)
    members: list[Member] = [started] if isinstance(started, Member) else started
    addresses = [member.address for member in members]
    with (
        HazelcastClient.connect(addresses, options) as client,
        HazelcastClient.connect(addresses) as other,
    ):
        yield client, other


def test_near_cache_listeners_and_query_caches_outlive_destruction(both):
    client, other = both
    name = next(NAMES)
    there, theirs = client.get_map(name), other.get_map(name)
    told: list[Any] = []
    said: list[Any] = []
    there.add_entry_listener(told.append)
    client.get_topic(name).add_message_listener(lambda message: said.append(message.message))
    there.put("k", "first")
    cache = there.get_query_cache("all of it")
    assert [there.get("k"), there.get("k"), cache.get("k")] == ["first"] * 3
    for round_ in range(2):
        theirs.destroy()
        other.get_topic(name).destroy()
        assert theirs.get("k") is None
        theirs.put("k", f"between {round_}")
        there.get("k")
        theirs.put("k", f"after destruction {round_}")

        def is_cached(round_: int = round_) -> bool:
            return bool(cache.get("k") == f"after destruction {round_}")

        eventually(is_cached)

        def is_told(round_: int = round_) -> bool:
            other.get_topic(name).publish(round_)
            theirs.put("told", round_)
            return said[-1:] == [round_] and told[-1].value == round_

        eventually(is_told)
        count = len(told)
        theirs.put("once", round_)
        eventually(lambda: told[-1].key == "once")
        assert [event.key for event in told[count:]].count("once") == 1
    eventually(
        lambda: there.get("k") == "after destruction 1"
    )  # members batch this for ten seconds
    there.destroy()


def test_near_cache_reads_what_a_transaction_or_invoke_has_put(both):
    client, _ = both
    name = next(NAMES)
    near = client.get_map(name)
    near.put("k", "old")
    assert [near.get("k") for _ in range(3)] == ["old"] * 3
    with client.transaction() as changing:
        changing.get_map(name).put("k", "new")
        assert near.get("k") == "old"
    assert near.get("k") == "new"
    with client.transaction() as changing:
        assert changing.get_map(name).remove("k") == "new"
    assert near.get("k") is None
    to_data = HazelcastOptions().serialization.to_data
    client.invoke("Map.put", name=name, key=to_data("k"), value=to_data("put"), thread_id=1, ttl=-1)
    assert near.get("k") == "put"
    client.invoke("Map.clear", name=name)
    assert near.get("k") is None
    near.destroy()


def test_a_transaction_inside_a_transaction_is_refused(both):
    client, other = both
    there = client.get_map("nested")
    there.put("a", 10)
    with client.transaction() as outer:
        value = outer.get_map("nested").get_for_update("a")
        with pytest.raises(StateError, match="this thread or task has begun"):
            client.transaction().begin()
        with other.transaction() as another:  # another client has another holder
            another.get_map("beside").put(1, 1)
        outer.get_map("nested").put("a", value + 1)
    assert there.get("a") == 11
    with client.transaction() as second:
        second.get_map("nested").put("a", 12)
    assert there.get("a") == 12


def test_a_transaction_without_end_commits(both):
    client, _ = both
    with client.transaction(timeout=float("inf")) as endless:
        locked = endless.get_map("endless").get_for_update("k")
        endless.get_map("endless").put("k", 1)
    assert locked is None
    assert client.get_map("endless").get("k") == 1
    client.get_map("endless").destroy()


def test_locks_do_not_pass_to_a_thread_that_begins_later(both):
    client, other = both

    def in_a_thread(call: Any) -> Any:
        returned: list[Any] = []
        thread = threading.Thread(target=lambda: returned.append(call()))
        thread.start()
        thread.join()
        return returned[0]

    there = client.get_map("locked")
    for key in range(20):
        lock = client.get_lock(f"lock {key}")
        in_a_thread(lock.lock)
        assert not in_a_thread(lock.try_lock)
        in_a_thread(lambda key=key: there.lock(key))
        assert not in_a_thread(lambda key=key: there.try_lock(key))
        assert not in_a_thread(lambda key=key: there.try_put(key, 1))
        lock.force_unlock()
        assert other.get_lock(f"lock {key}").try_lock()
    there.destroy()
