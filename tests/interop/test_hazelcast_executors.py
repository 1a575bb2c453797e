"""Executors of real members: plain, durable and scheduled; and the estimator of cardinalities."""

import asyncio
import itertools

import pytest

from jvmwire.errors import CallTimeout
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._proxies.runnables import RunnableTask, ScheduledRunnable
from jvmwire.hazelcast._proxies.scheduled_executor import ScheduledTaskHandle
from jvmwire.hazelcast.errors import (
    Cancelled,
    DuplicateTask,
    HazelcastError,
    RejectedExecution,
    StaleTask,
    StaleTaskId,
)
from kit.hazelcast_tasks import Work
from kit.polling import eventually

# Seconds after which an operation hangs.
DEADLINE = 60.0
names = (f"executed-{number}" for number in itertools.count())


@pytest.fixture
def client(hazelcast_member):
    options = HazelcastOptions(timeout=DEADLINE)
    with HazelcastClient.connect([hazelcast_member.address], options) as client:
        yield client


def test_a_task_is_carried_out_and_its_result_comes_back(client):
    executor = client.get_executor(next(names))
    task = executor.submit(Work("echo", ["caf\xe9", 1, None]))
    assert task.result() == ["caf\xe9", 1, None]
    assert task.result() == ["caf\xe9", 1, None]
    assert (task.done, task.cancel()) == (True, False)
    assert executor.submit(RunnableTask(Work("echo", 1))).result() is None


def test_what_a_task_raises_is_raised_where_its_result_is_asked_for(client):
    task = client.get_executor(next(names)).submit(Work("explode"))
    for _ in range(2):
        with pytest.raises(HazelcastError, match="cannot explode"):
            task.result()


def test_a_task_is_cancelled_on_its_way(client):
    executor, name = client.get_executor(next(names)), next(names)
    by_key = executor.submit(Work("wait", name), key="key")
    on_member = executor.submit_to_member(Work("wait", name), client.members[0])
    eventually(lambda: client.get_atomic_long(name).get() == 2)
    for task in (by_key, on_member):
        assert not task.done
        assert task.cancel(interrupt=True)
        with pytest.raises(Cancelled):
            task.result()


def test_a_result_that_is_late_can_be_asked_for_again(client):
    executor, name = client.get_executor(next(names)), next(names)
    assert not executor.is_shutdown()
    impatient = client.within(0.1).get_executor(executor.name)
    task = impatient.submit(Work("wait", name))
    with pytest.raises(CallTimeout):
        task.result()
    eventually(lambda: client.get_atomic_long(name).get() == 1)
    assert executor.submit(Work("echo", "beside")).result() == "beside"
    assert task.cancel(interrupt=True)


def test_an_executor_tells_whether_it_was_shut_down(client):
    executor = client.get_executor(next(names))
    assert executor.submit(Work("echo")).result() is None
    assert not executor.is_shutdown()
    executor.shutdown()
    assert executor.is_shutdown()


def test_tasks_go_where_they_are_told(hazelcast_three):
    with HazelcastClient.connect([hazelcast_three[0].address]) as client:
        executor = client.get_executor(next(names))
        everywhere = executor.submit_to_members(Work("where"))
        assert {member.uuid: task.result() for member, task in everywhere.items()} == {
            member.uuid: member.uuid for member in hazelcast_three
        }
        one = client.members[1]
        assert executor.submit_to_member(Work("where"), one).result() == one.uuid
        asked = [executor.submit(Work("where"), key=number) for number in range(100)]
        again = [executor.submit(Work("where"), key=number) for number in range(100)]
        found = [task.result() for task in asked]
        assert found == [task.result() for task in again]
        assert set(found) == {member.uuid for member in hazelcast_three}
        scheduled = client.get_scheduled_executor(next(names)).schedule_on_members(
            Work("where"), 0.0
        )
        assert {at.uuid: task.result() for at, task in scheduled.items()} == {
            member.uuid: member.uuid for member in hazelcast_three
        }


def test_a_durable_task_is_asked_for_by_its_id(client, hazelcast_member):
    executor = client.get_durable_executor(next(names))
    id_ = executor.submit(Work("echo", "kept"), key="key")
    with HazelcastClient.connect([hazelcast_member.address]) as other:
        assert other.get_durable_executor(executor.name).retrieve_result(id_) == "kept"
    assert executor.retrieve_and_dispose_result(id_) == "kept"
    assert executor.retrieve_result(id_) is None
    with pytest.raises(StaleTaskId):
        executor.retrieve_result(id_ + 1)
    failing = executor.submit(Work("explode"))
    with pytest.raises(HazelcastError, match="cannot explode"):
        executor.retrieve_result(failing)
    executor.dispose_result(failing)
    with pytest.raises(ValueError, match="task_id must be one that submit returned"):
        executor.retrieve_result(1 << 60)
    assert not executor.is_shutdown()
    executor.shutdown()
    eventually(executor.is_shutdown)


def test_a_task_is_carried_out_later(client):
    executor = client.get_scheduled_executor(next(names))
    task = executor.schedule(Work("echo", 5), 0.2, name="later")
    assert 0 < task.delay() <= 0.2
    with pytest.raises(DuplicateTask):
        executor.schedule(Work("echo", 6), 0.2, name="later")
    assert task.result() == 5
    assert (task.is_done(), task.is_cancelled()) == (True, False)
    assert task.statistics().runs == 1
    again = executor.get_task(ScheduledTaskHandle(executor.name, "later", task.handle.place))
    assert again.result() == 5
    again.dispose()
    with pytest.raises(StaleTask):
        task.is_done()


def test_a_task_is_carried_out_again_and_again_until_it_is_cancelled(client):
    executor, count = client.get_scheduled_executor(next(names)), next(names)
    task = executor.schedule(ScheduledRunnable(Work("count", count)), 0.0, period=0.05, key="key")
    on_member = executor.schedule_on_members(
        ScheduledRunnable(Work("count", f"{count}-m")), 0.0, period=0.05, name="on a member"
    )[client.members[0]]
    eventually(lambda: client.get_atomic_long(count).get() >= 3)
    eventually(lambda: client.get_atomic_long(f"{count}-m").get() >= 3)
    found = executor.get_all_tasks()
    assert list(found) == [client.members[0]]
    assert {each.handle for each in found[client.members[0]]} == {task.handle, on_member.handle}
    for each in (task, on_member):
        assert each.statistics().runs >= 1
        assert (each.is_done(), each.cancel(), each.is_cancelled()) == (False, True, True)
        with pytest.raises(Cancelled):
            each.result()
        each.dispose()
    executor.shutdown()
    with pytest.raises(RejectedExecution):
        executor.schedule(Work("echo"), 0.0)


def test_executors_in_asyncio(hazelcast_member):
    async def work() -> None:
        async with await AsyncHazelcastClient.connect([hazelcast_member.address]) as client:
            executor = client.get_executor(next(names))
            tasks = [await executor.submit(Work("echo", number)) for number in range(20)]
            assert await asyncio.gather(*(task.result() for task in tasks)) == list(range(20))
            durable = client.get_durable_executor(next(names))
            assert await durable.retrieve_result(await durable.submit(Work("echo", 1))) == 1
            scheduled = client.get_scheduled_executor(next(names))
            assert await (await scheduled.schedule(Work("echo", 2), 0.0)).result() == 2

    asyncio.run(work())


def test_different_values_are_counted_about(client):
    counted = client.get_cardinality_estimator(next(names))
    assert counted.estimate() == 0
    for value in ("a", "b", "a", None, 5, b"\xff" * 100):
        counted.add(value)
    assert counted.estimate() == 5
    counted.add_all(range(10_000))
    assert abs(counted.estimate() - 10_005) < 500
