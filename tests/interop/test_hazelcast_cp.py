"""The CP subsystem of three real members: consensus, and survival of the loss of a member."""

import asyncio
import itertools
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from jvmwire.errors import CallTimeout
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast.errors import (
    HazelcastError,
    IllegalMonitorState,
    IllegalState,
    LockLost,
)
from kit.hazelcast import CP_SETTINGS, cluster
from kit.hazelcast_lock_holders import Held, cancel_with_its_reply
from kit.hazelcast_tasks import Work
from kit.polling import eventually

# Seconds after which an operation hangs.
DEADLINE = 60.0
names = (f"agreed-{number}" for number in itertools.count())


@pytest.fixture
def members(hazelcast_three):
    return hazelcast_three


def connected(members: Any) -> HazelcastClient:
    options = HazelcastOptions(timeout=DEADLINE)
    return HazelcastClient.connect([member.address for member in members], options)


@pytest.fixture
def client(members):
    with connected(members) as client:
        yield client


def test_cp_atomic_long(client):
    number = client.cp.get_atomic_long(next(names))
    assert (number.get(), number.add_and_get(5), number.get_and_add(-2)) == (0, 5, 5)
    assert (number.compare_and_set(3, 2**63 - 1), number.compare_and_set(3, 0)) == (True, False)
    assert (number.get_and_set(7), number.get()) == (2**63 - 1, 7)
    number.set(-1)
    assert number.get() == -1
    same = Work("same")
    assert (number.apply(same), number.alter_and_get(same), number.get_and_alter(same)) == (-1,) * 3
    elsewhere = client.cp.get_atomic_long(f"{number.name}@another")
    assert elsewhere.get() == 0
    assert client.cp.get_atomic_long(f" {number.name} @ Default ").get() == -1
    number.destroy()
    with pytest.raises(HazelcastError):
        number.get()


@pytest.mark.parametrize("name", ["", "@group", "a@", "a@b@c", "a@metadata"])
def test_what_names_no_structure_is_a_value_error(client, name):
    with pytest.raises(ValueError, match="structure"):
        client.cp.get_atomic_long(name)


def test_cp_atomic_reference(client):
    held = client.cp.get_atomic_reference(next(names))
    assert (held.get(), held.contains(None), held.get_and_set("a")) == (None, True, None)
    assert (held.compare_and_set("b", 1), held.compare_and_set("a", ["x", 1])) == (False, True)
    assert (held.get(), held.contains(["x", 1])) == (["x", 1], True)
    same = Work("same")
    assert (held.apply(same), held.alter_and_get(same), held.get_and_alter(same)) == (["x", 1],) * 3
    held.alter(same)
    held.set(None)
    assert held.get() is None


def test_a_latch_opens_when_it_was_counted_down(client):
    latch = client.cp.get_count_down_latch(next(names))
    assert (latch.try_set_count(2), latch.try_set_count(3), latch.get_count()) == (True, False, 2)
    assert not latch.wait(timeout=0.05)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(latch.wait, timeout=DEADLINE)
        latch.count_down()
        latch.count_down()
        assert waiting.result()
    assert (latch.get_count(), latch.wait(timeout=0.0), latch.try_set_count(1)) == (0, True, True)


def test_permits_are_free_again_when_who_holds_them_is_gone(client, members):
    permits = client.cp.get_semaphore(next(names))
    assert (permits.init(3), permits.init(9), permits.available_permits()) == (True, False, 3)
    with pytest.raises(IllegalState):
        permits.release()
    with permits:
        assert permits.available_permits() == 2
        assert (permits.try_acquire(3), permits.try_acquire(2, timeout=1.0)) == (False, True)
        permits.release(2)
    assert (permits.drain_permits(), permits.try_acquire()) == (3, False)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(permits.acquire)
        permits.release(2)
        waiting.result()
    permits.release(2)
    permits.increase_permits(2)
    permits.reduce_permits(1)
    assert permits.available_permits() == 4
    other = connected(members)
    other.cp.get_semaphore(permits.name).acquire(4)
    assert permits.available_permits() == 0
    other.close()
    assert permits.available_permits() == 4


def test_a_lock_gives_each_holder_a_greater_fence(client, members):
    lock = client.cp.get_lock(next(names))
    first = lock.lock()
    assert (lock.lock(), lock.lock_count(), lock.get_fence()) == (first, 2, first)
    lock.unlock()
    assert (lock.is_locked(), lock.is_locked_by_caller(), lock.lock_count()) == (True, True, 1)
    with connected(members) as other:
        theirs = other.cp.get_lock(lock.name)
        assert (theirs.try_lock(), theirs.try_lock(timeout=0.05)) == (None, None)
        assert (theirs.is_locked(), theirs.is_locked_by_caller()) == (True, False)
        for refused in (theirs.unlock, theirs.get_fence):
            with pytest.raises(IllegalMonitorState):
                refused()
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(theirs.lock)
            lock.unlock()
            assert waiting.result() > first
            # Held by that thread; closing the client releases it.
            assert lock.is_locked()
    assert not lock.is_locked()


def test_what_is_held_is_kept_by_heartbeats_and_nothing_else_is(members, caplog):
    def said(what: str) -> int:
        return sum(f"<CPSession.{what}>" in record.getMessage() for record in caplog.records)

    options = HazelcastOptions(timeout=DEADLINE, trace=True)
    with (
        caplog.at_level(logging.DEBUG, "jvmwire.wire"),
        HazelcastClient.connect([members[0].address], options) as client,
    ):
        lock = client.cp.get_lock(next(names))
        fence = lock.lock()
        eventually(lambda: said("heartbeatSession") >= 3)
        assert (lock.is_locked_by_caller(), lock.get_fence()) == (True, fence)
        assert said("closeSession") == 0
        lock.unlock()
        eventually(lambda: said("closeSession") == 1)
        assert lock.lock() > fence
        assert said("createSession") == 2


def test_who_lost_a_lock_is_told(client, members):
    lock = client.cp.get_lock(next(names))
    fence = lock.lock()
    session = client._sessions._sessions["default"]
    # Ended as the group ends a session without heartbeats.
    client.invoke(
        "CPSession.closeSession",
        group_id=client._sessions._groups["default"],
        session_id=session.id,
    )
    with pytest.raises(LockLost):
        lock.unlock()
    with pytest.raises(IllegalMonitorState):
        lock.unlock()
    with lock:
        assert lock.get_fence() > fence


def test_a_lock_is_given_back_by_whichever_object(client):
    name = next(names)
    lock, same = client.cp.get_lock(name), client.cp.get_lock(name)
    lock.lock()
    same.unlock()
    # As when a heartbeat finds that the session holds nothing; the next lock is in another.
    del client._sessions._sessions["default"]
    lock.lock()
    lock.unlock()


@pytest.fixture(params=["lock", "semaphore"])
def kind(request):
    return request.param


@pytest.fixture
def held(client, kind):
    """Take a lock or a permit as another client."""
    name = next(names)
    if kind == "semaphore":
        client.cp.get_semaphore(name).init(1)
    found = Held(client.cp, kind, name)
    found.take()
    return name, found


def test_what_is_granted_after_a_timeout_is_given_back(members, kind, held):
    name, ours = held
    with connected(members) as other:
        # Its other locks keep its session.
        other.cp.get_lock(next(names)).lock()
        theirs = Held(other.within(0.5).cp, kind, name)
        with pytest.raises(CallTimeout):
            theirs.take()
        ours.give_back()
        assert ours.try_take(timeout=5.0)
        [session] = other._sessions._sessions.values()
        assert session.held == 1


def test_what_is_granted_as_its_task_is_cancelled_is_given_back(members, kind, held):
    name, ours = held

    async def cancel() -> None:
        addresses = [member.address for member in members]
        async with await AsyncHazelcastClient.connect(addresses) as other:
            await other.cp.get_lock(next(names)).lock()
            theirs = Held(other.cp, kind, name)
            taking = asyncio.create_task(theirs.take())
            await asyncio.sleep(0.5)
            cancel_with_its_reply(other, taking)
            ours.give_back()  # in the thread that holds it
            with pytest.raises(asyncio.CancelledError):
                await taking
            assert await asyncio.to_thread(ours.try_take, timeout=5.0)
            [session] = other._sessions._sessions.values()
            await asyncio.to_thread(eventually, lambda: session.held == 1)

    asyncio.run(cancel())


def test_only_one_of_many_threads_holds_the_lock(client):
    lock, name = client.cp.get_lock(next(names)), next(names)
    counted = client.get_map(name)
    counted.put("n", 0)

    def count() -> None:
        for _ in range(5):
            with lock:
                counted.put("n", counted.get("n") + 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted.get("n") == 20


def test_cp_structures_in_asyncio(members):
    async def agree() -> None:
        async with await AsyncHazelcastClient.connect([members[0].address]) as client:
            number = client.cp.get_atomic_long(next(names))
            lock = client.cp.get_lock(next(names))

            async def add() -> None:
                async with lock:
                    await number.set(await number.get() + 1)

            await asyncio.gather(*(add() for _ in range(10)))
            assert await number.get() == 10
            permits = client.cp.get_semaphore(next(names))
            await permits.init(1)
            async with permits:
                assert await permits.available_permits() == 0
            latch = client.cp.get_count_down_latch(next(names))
            await latch.try_set_count(1)
            await asyncio.gather(latch.wait(timeout=DEADLINE), latch.count_down())
            held = client.cp.get_atomic_reference(next(names))
            await held.set(1)
            assert await held.get() == 1

    asyncio.run(agree())


def test_a_majority_goes_on_without_the_member_that_was_killed(tmp_path):
    with cluster(tmp_path, settings=CP_SETTINGS) as members, connected(members) as client:
        number, lock = client.cp.get_atomic_long("number"), client.cp.get_lock("lock")
        number.set(1)
        fence = lock.lock()
        members[2].kill()
        assert number.get() == 1
        assert (lock.is_locked_by_caller(), lock.get_fence()) == (True, fence)
        lock.unlock()
        assert lock.lock() > fence
