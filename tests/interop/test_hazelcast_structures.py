"""Hazelcast's less common structures, each on a real member and on the double."""

import asyncio
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from jvmwire.errors import CallTimeout, StateError
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._proxies.reliable_topic import TopicOverloadPolicy
from jvmwire.hazelcast._proxies.transaction import TransactionType
from jvmwire.hazelcast.errors import StaleSequence, TopicOverloaded, TransactionFailed
from jvmwire.hazelcast.predicates import Greater
from kit.hazelcast_lock_holders import Held, cancel_with_its_reply
from kit.peer_fixtures import REAL_MEMBER
from kit.polling import eventually

# Seconds after which an operation hangs.
DEADLINE = 60.0
names = (f"structure-{number}" for number in itertools.count())


@pytest.fixture
def client(hazelcast_peer):
    options = HazelcastOptions(timeout=DEADLINE)
    with HazelcastClient.connect([hazelcast_peer.address], options) as client:
        yield client


KINDS = ["lock", "map", "multi_map", "semaphore"]


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def held(client, kind):
    """Take a lock or a permit as another client."""
    name = next(names)
    if kind == "semaphore":
        client.get_semaphore(name).init(1)
    found = Held(client, kind, name)
    found.take()
    return name, found


def taken_in_time(found: Held) -> bool:
    # With time to wait, as the one that gives up may be earlier.
    return bool(found.try_take(timeout=5.0))


@pytest.mark.parametrize("waiting", ["take", "try_take"])
def test_what_is_granted_after_a_timeout_is_given_back(client, hazelcast_peer, kind, held, waiting):
    name, ours = held
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        theirs = Held(other.within(0.3), kind, name)
        with pytest.raises(CallTimeout):
            theirs.take() if waiting == "take" else theirs.try_take(timeout=DEADLINE)
        ours.give_back()
        assert taken_in_time(ours)
        assert other.late_replies == 1


def test_what_is_granted_after_a_cancel_is_given_back(hazelcast_peer, kind, held):
    name, ours = held

    async def cancel() -> None:
        async with await AsyncHazelcastClient.connect([hazelcast_peer.address]) as other:
            theirs = Held(other, kind, name)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await theirs.take()
            ours.give_back()  # in the thread that holds it
            assert await asyncio.to_thread(taken_in_time, ours)

    asyncio.run(cancel())


def test_what_is_granted_as_its_task_is_cancelled_is_given_back(hazelcast_peer, kind, held):
    name, ours = held

    async def cancel() -> None:
        async with await AsyncHazelcastClient.connect([hazelcast_peer.address]) as other:
            theirs = Held(other, kind, name)
            taking = asyncio.create_task(theirs.take())
            await asyncio.sleep(0.3)
            cancel_with_its_reply(other, taking)
            ours.give_back()  # in the thread that holds it
            with pytest.raises(asyncio.CancelledError):
                await taking
            assert await asyncio.to_thread(taken_in_time, ours)

    asyncio.run(cancel())


def test_a_lock_given_back_after_a_timeout_is_kept_by_who_got_it_besides(client, hazelcast_peer):
    name = next(names)
    ours = client.get_lock(name)
    ours.lock()
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        theirs = other.get_lock(name)
        with pytest.raises(CallTimeout):
            other.within(0.3).get_lock(name).lock()
        unlocking = threading.Timer(0.3, client.get_lock(name).force_unlock)
        unlocking.start()
        theirs.lock()
        eventually(lambda: theirs.lock_count() == 1)
        assert theirs.is_locked_by_caller()
        theirs.unlock()
        assert not ours.is_locked()


@pytest.mark.parametrize("waiting", ["take", "poll"])
def test_an_item_that_comes_after_a_timeout_is_put_back(client, hazelcast_peer, waiting):
    name = next(names)
    ours = client.get_queue(name)
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        theirs = other.within(0.3).get_queue(name)
        with pytest.raises(CallTimeout):
            theirs.take() if waiting == "take" else theirs.poll(timeout=DEADLINE)
        ours.put("a job")
        eventually(lambda: other.late_replies == 1)
        assert ours.poll(timeout=DEADLINE) == "a job"


def test_an_item_that_comes_as_its_task_is_cancelled_is_put_back(client, hazelcast_peer):
    name = next(names)
    ours = client.get_queue(name)

    async def cancel() -> None:
        async with await AsyncHazelcastClient.connect([hazelcast_peer.address]) as other:
            taking = asyncio.create_task(other.get_queue(name).take())
            await asyncio.sleep(0.3)
            cancel_with_its_reply(other, taking)
            ours.put("a job")
            with pytest.raises(asyncio.CancelledError):
                await taking
            assert await asyncio.to_thread(ours.poll, timeout=DEADLINE) == "a job"

    asyncio.run(cancel())


def time_out(drain: Callable[[], Any], put_back: Callable[[Any], Any]) -> None:
    """Drain until nobody waits for the reply any more: a thread may be slower than the member."""
    while True:
        try:
            put_back(drain())
        except CallTimeout:
            return


def test_what_was_drained_for_nobody_is_put_back(client, hazelcast_peer):
    name = next(names)
    queue, semaphore = client.get_queue(name), client.get_semaphore(name)
    queue.add_all([1, 2, 3])
    semaphore.init(4)
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        # The first call makes them known to the cluster; a call without a wait is sent all the
        # same.
        assert other.get_queue(name).size() == 3
        assert other.get_semaphore(name).available_permits() == 4
        hasty = other.within(1e-9)
        time_out(hasty.get_queue(name).drain, queue.add_all)
        time_out(hasty.get_semaphore(name).drain_permits, semaphore.release)
        eventually(lambda: other.late_replies == 2)
        eventually(lambda: queue.get_all() == [1, 2, 3])
        eventually(lambda: semaphore.available_permits() == 4)


@REAL_MEMBER
def test_a_replicated_map_keeps_entries_and_tells_of_them(client):
    found = client.get_replicated_map(next(names))
    heard: list[Any] = []
    of_key: list[Any] = []
    above: list[Any] = []
    both: list[Any] = []
    listener = found.add_entry_listener(heard.append)
    found.add_entry_listener(of_key.append, key="a")
    found.add_entry_listener(above.append, predicate=Greater("this", 5))
    found.add_entry_listener(both.append, key="a", predicate=Greater("this", 5))
    assert (found.put("a", 1), found.put("a", 9), found.put("b", 7)) == (None, 1, None)
    eventually(lambda: (len(heard), len(of_key), len(above), len(both)) == (3, 2, 2, 1))
    told = [(event.type.name, event.key, event.value, event.old_value) for event in heard]
    assert sorted(told) == [
        ("ADDED", "a", 1, None),
        ("ADDED", "b", 7, None),
        ("UPDATED", "a", 9, 1),
    ]
    assert (found.get("a"), found.get("c"), found.contains_key("b")) == (9, None, True)
    assert (found.contains_value(7), found.contains_value(8)) == (True, False)
    assert (found.size(), found.is_empty()) == (2, False)
    assert (sorted(found.key_set()), sorted(found.values())) == (["a", "b"], [7, 9])
    assert sorted(found.entry_set()) == [("a", 9), ("b", 7)]
    assert (found.remove("a"), found.remove("a")) == (9, None)
    assert found.remove_listener(listener)
    found.put_all({number: number for number in range(10)})
    eventually(lambda: found.size() == 11)
    found.clear()
    assert found.is_empty()
    brief = client.get_replicated_map(next(names))
    brief.put("a", 1, ttl=0.2)
    eventually(lambda: brief.get("a") is None)


def test_a_reference_holds_one_value(client):
    held = client.get_atomic_reference(next(names))
    assert (held.get(), held.is_none(), held.contains(None)) == (None, True, True)
    held.set("a")
    assert (held.get(), held.contains("a"), held.contains("b")) == ("a", True, False)
    assert (held.compare_and_set("b", "c"), held.compare_and_set("a", [1, "x"])) == (False, True)
    assert (held.get_and_set(None), held.compare_and_set(None, 5)) == ([1, "x"], True)
    held.clear()
    assert held.is_none()


def test_none_is_nowhere_put(client):
    found, items = client.get_map(next(names)), client.get_queue(next(names))
    calls: list[Any] = [
        *(lambda: found.put("a", None), lambda: found.put(None, 1), lambda: found.get(None)),
        *(lambda: found.put_all({"a": None}), lambda: found.put_many({None: 1})),
        *(lambda: found.put_if_absent("a", None), lambda: found.arrow_put_all(["a"], [None])),
        *(lambda: items.offer(None), lambda: items.add_all([1, None])),
        lambda: client.get_topic(next(names)).publish(None),
        lambda: client.get_ringbuffer(next(names)).add(None),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="None"):
            call()
    assert (found.size(), items.size()) == (0, 0)


def test_what_lies_in_one_partition_lies_where_members_look_for_it(hazelcast_three):
    with HazelcastClient.connect([hazelcast_three[0].address]) as client:
        for behind in ("", "@here", "@here@there", "@"):
            for name in [f"{next(names)}{behind}" for _ in range(6)]:
                client.get_queue(name).offer("a")
                assert hazelcast_three[1].do(f"poll {name}") == "a"


def test_a_latch_opens_when_it_was_counted_down(client):
    latch = client.get_count_down_latch(next(names))
    assert (latch.try_set_count(2), latch.try_set_count(3), latch.get_count()) == (True, False, 2)
    assert not latch.wait(timeout=0.05)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(latch.wait, timeout=DEADLINE)
        latch.count_down()
        latch.count_down()
        assert waiting.result()
    assert (latch.get_count(), latch.wait(timeout=0.0)) == (0, True)


def test_a_semaphore_gives_out_no_more_than_it_has(client):
    permits = client.get_semaphore(next(names))
    assert (permits.init(3), permits.init(9), permits.available_permits()) == (True, False, 3)
    permits.acquire(2)
    assert (permits.try_acquire(2), permits.try_acquire()) == (False, True)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(permits.acquire)
        permits.release(2)
        waiting.result()
    assert permits.drain_permits() == 1
    permits.increase_permits(5)
    permits.reduce_permits(2)
    with permits:
        assert permits.available_permits() == 2
    assert permits.available_permits() == 3
    with pytest.raises(ValueError, match="must be at least 0, got -1"):
        permits.acquire(-1)


def test_a_counter_of_many_replicas_counts_up_and_down(client, hazelcast_peer):
    counter = client.get_pn_counter(next(names))
    assert (counter.get(), counter.add_and_get(5), counter.get_and_add(-7)) == (0, 5, 5)
    assert counter.get() == -2
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        assert other.get_pn_counter(counter.name).add_and_get(10) == 8
    counter.reset()
    assert counter.get() == 8


def test_ids_are_given_out_once(client, hazelcast_peer):
    name = next(names)
    ids = client.get_id_generator(name)
    assert (ids.init(-1), ids.init(25_000), ids.init(0)) == (False, True, False)
    assert (ids.new_id(), ids.new_id()) == (25_001, 25_002)
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        assert other.get_id_generator(name).new_id() == 30_000
    # A client has one stock per name, however often it is requested.
    assert client.get_id_generator(name).new_id() == 25_003
    assert ids.new_id() == 25_004

    flakes = client.get_flake_id_generator(next(names))
    seen: list[int] = []

    def take() -> None:
        seen.extend([flakes.new_id() for _ in range(150)])

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seen)) == 600


@REAL_MEMBER
def test_a_reliable_topic_is_read_by_us_and_by_java_from_any_point(client, hazelcast_peer):
    topic = client.get_reliable_topic(next(names))
    hazelcast_peer.do(f"listen-reliably {topic.name}")
    heard: list[Any] = []
    listener = topic.add_message_listener(heard.append)
    topic.publish("from Python")
    log = hazelcast_peer.program.log
    eventually(lambda: "RECEIVED MESSAGE: from Python" in log.read_text())
    hazelcast_peer.do(f"publish-reliably {topic.name} Java")
    topic.publish([1, None, "x"])
    eventually(lambda: len(heard) == 3)
    assert [one.message for one in heard] == ["from Python", "Java", [1, None, "x"]]
    assert [one.sequence for one in heard] == [0, 1, 2]
    assert all(abs(one.publish_time / 1000 - time.time()) < 3600 for one in heard)
    assert (topic.remove_listener(listener), topic.remove_listener(listener)) == (True, False)
    topic.publish("later")
    again = topic.messages(start=1)
    assert [next(again).message for _ in range(3)] == ["Java", [1, None, "x"], "later"]
    again.close()
    assert len(heard) == 3


def test_what_was_overwritten_ends_a_reliable_listener_unless_it_may(client):
    # The peer's rings for such names hold ten messages.
    topic = client.get_reliable_topic(f"small-{next(names)}")
    for number in range(25):
        topic.publish(number, overload=TopicOverloadPolicy.DISCARD_OLDEST)
    with pytest.raises(StaleSequence):
        next(topic.messages(start=0))
    tolerant = topic.messages(start=0, loss_tolerant=True)
    assert [next(tolerant).message for _ in range(10)] == list(range(15, 25))
    tolerant.close()


@REAL_MEMBER
def test_a_reliable_topic_without_room_does_as_it_is_told(client):
    # The peer's rings for such names keep ten messages for an hour.
    topic = client.get_reliable_topic(f"held-{next(names)}")
    for number in range(10):
        topic.publish(number)
    with pytest.raises(TopicOverloaded, match="held"):
        topic.publish("refused", overload=TopicOverloadPolicy.ERROR)
    topic.publish("dropped", overload=TopicOverloadPolicy.DISCARD_NEWEST)
    with pytest.raises(CallTimeout):
        client.within(0.5).get_reliable_topic(topic.name).publish("waits")
    topic.publish("comes", overload=TopicOverloadPolicy.DISCARD_OLDEST)
    found = topic.messages(start=1)
    assert [next(found).message for _ in range(10)] == [*range(1, 10), "comes"]
    found.close()


@REAL_MEMBER
def test_a_transaction_comes_to_pass_as_a_whole(client):
    name = next(names)
    entries, many = client.get_map(name), client.get_multi_map(name)
    queue, items, unique = (
        client.get_queue(name),
        client.get_list(f"{name}-l"),
        client.get_set(f"{name}-s"),
    )
    # Members confuse a queue, a list and a set of one name in one transaction.
    entries.put_all({"old": 1, "gone": 2, "same": 3})
    many.put("m", 1)
    queue.offer("first")
    items.add("item")
    with client.transaction() as transaction:
        found = transaction.get_map(name)
        assert (found.put("new", 4), found.get("new"), found.size()) == (None, 4, 4)
        assert (found.put_if_absent("old", 9), found.put("old", 5, ttl=3600.0)) == (1, 1)
        assert (found.remove("gone"), found.contains_key("gone")) == (2, False)
        assert (found.replace("new", 7), found.replace_if_same("same", 0, 7)) == (4, False)
        assert (found.replace_if_same("same", 3, 8), found.get_for_update("old")) == (True, 5)
        found.set("set", 0)
        found.delete("set")
        assert (found.remove_if_same("new", 0), found.is_empty()) == (False, False)
        assert (sorted(found.key_set()), sorted(found.values())) == (
            ["new", "old", "same"],
            [5, 7, 8],
        )
        assert found.key_set(Greater("this", 7)) == ["same"]
        assert found.values(Greater("this", 7)) == [8]
        multi = transaction.get_multi_map(name)
        assert (multi.put("m", 2), sorted(multi.get("m")), multi.value_count("m")) == (
            *(True, [1, 2], 2),
        )
        assert (multi.remove_entry("m", 1), multi.remove("none"), multi.size()) == (True, [], 1)
        jobs = transaction.get_queue(name)
        assert (jobs.peek(), jobs.poll(), jobs.offer("second"), jobs.size()) == (
            *("first", "first", True, 1),
        )
        listed = transaction.get_list(items.name)
        assert (listed.add("more"), listed.remove("item"), listed.size()) == (True, True, 1)
        single = transaction.get_set(unique.name)
        assert (single.add(1), single.add(1), single.remove(2), single.size()) == (
            *(True, False, False, 1),
        )
        # No other client has seen any of it.
        assert (entries.get("new"), entries.get("gone"), unique.size()) == (None, 2, 0)
    assert entries.get_all(["old", "gone", "same", "new"]) == {"old": 5, "same": 8, "new": 7}
    assert (many.get("m"), queue.get_all(), items.get_all(), unique.get_all()) == (
        *([2], ["second"], ["more"], [1]),
    )


@REAL_MEMBER
def test_a_transaction_is_rolled_back_on_an_exception(client):
    name = next(names)
    lost = client.transaction(kind=TransactionType.ONE_PHASE)

    def fail() -> None:
        with lost:
            lost.get_map(name).put("a", 1)
            raise KeyError("a")

    with pytest.raises(KeyError):
        fail()
    assert client.get_map(name).is_empty()
    with pytest.raises(StateError, match="has ended"):
        lost.get_map(name).get("a")


@REAL_MEMBER
def test_a_transaction_may_end_before_its_with_does(client):
    target = client.get_map(next(names))
    with client.transaction() as transaction:
        transaction.get_map(target.name).put("kept", 1)
        transaction.commit()
    with client.transaction() as transaction:
        transaction.get_map(target.name).put("lost", 1)
        transaction.rollback()
    with pytest.raises(KeyError) as raised, client.transaction() as transaction:  # noqa: PT012
        transaction.rollback()
        raise KeyError
    assert not hasattr(raised.value, "__notes__")
    assert target.key_set() == ["kept"]


@REAL_MEMBER
def test_a_transaction_that_takes_too_long_does_nothing(client):
    name = next(names)
    slow = client.transaction(timeout=0.2)
    slow.begin()
    slow.get_map(name).put("a", 1)
    time.sleep(1.0)
    with pytest.raises(TransactionFailed):
        slow.commit()
    assert client.get_map(name).is_empty()


@REAL_MEMBER
def test_a_transaction_in_asyncio(hazelcast_peer):
    async def move() -> None:
        async with await AsyncHazelcastClient.connect([hazelcast_peer.address]) as client:
            source, target = client.get_queue(next(names)), client.get_list(next(names))
            await source.offer("item")
            async with client.transaction() as transaction:
                item = await transaction.get_queue(source.name).take()
                await transaction.get_list(target.name).add(item)
            assert (await source.size(), await target.get_all()) == (0, ["item"])
            async with client.transaction() as transaction:
                await transaction.get_list(target.name).add("lost")
                await transaction.rollback()
                await transaction.begin()
            assert await target.get_all() == ["item"]

    asyncio.run(move())
