"""Events of a member that arrive faster than callbacks take them: losses are reported, in order."""

import asyncio
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from jvmwire.errors import MessagesLost
from jvmwire.hazelcast import (
    AsyncHazelcastClient,
    EventsLost,
    HazelcastClient,
    HazelcastOptions,
)
from jvmwire.hazelcast.serialization import SerializationService
from kit.fake_member import Asked, DoubleMember, doubles
from kit.hazelcast import Member
from kit.polling import eventually

to_data = SerializationService().to_data
DEADLINE = 30.0


@pytest.fixture
def double() -> Iterator[DoubleMember]:
    with doubles() as [member]:
        yield member


def connect(double: DoubleMember, **told: Any) -> HazelcastClient:
    return HazelcastClient.connect([double.address], HazelcastOptions(timeout=DEADLINE, **told))


def push(double: DoubleMember, asked: Asked, numbers: range, value: str = "v") -> None:
    data = to_data(value)
    events = [double.entry_event(asked.call_id, to_data(number), data) for number in numbers]
    double.say(asked.connection, b"".join(events))


@pytest.mark.parametrize(
    ("limits", "value"), [({"event_queue": 10}, "v"), ({"event_queue_bytes": 5_000}, "v" * 450)]
)
def test_lost_events_are_told_to_the_listener_in_their_place(double, limits, value):
    heard: list[Any] = []
    held = threading.Event()

    def hear(event: Any) -> None:
        heard.append(event)
        assert held.wait(DEADLINE)

    with connect(double, **limits) as client:
        there = client.get_map("m")
        there.add_entry_listener(hear)
        [asked] = double.all_of("Map.addEntryListener")
        push(double, asked, range(100), value)
        eventually(lambda: bool(heard))
        client.ping()  # its connection is read all the time
        held.set()
        eventually(lambda: any(isinstance(event, EventsLost) for event in heard))
        push(double, asked, range(100, 105), value)
        eventually(lambda: not isinstance(heard[-1], EventsLost) and heard[-1].key == 104)
    [lost] = [event for event in heard if isinstance(event, EventsLost)]
    at = heard.index(lost)
    keys = [event.key for event in heard if event is not lost]
    assert 9 <= at <= 12
    assert lost.count == 100 - at
    assert keys == [*range(at), *range(100, 105)]


def test_an_iterator_of_events_goes_on_after_it_raised_what_was_lost(double):
    with connect(double, event_queue=10) as client:
        events: Any = client.get_map("m").entry_events()
        begun = threading.Thread(target=lambda: eventually(lambda: begin()))

        def begin() -> bool:
            if not (asked := double.all_of("Map.addEntryListener")):
                return False
            push(double, asked[0], range(50))
            return True

        begun.start()
        keys = [next(events).key]
        begun.join()
        client.ping()
        with pytest.raises(MessagesLost) as raised:
            keys.extend(event.key for event in events)
        assert len(keys) + raised.value.count == 50
        push(double, double.all_of("Map.addEntryListener")[0], range(50, 52))
        assert [next(events).key, next(events).key] == [50, 51]
        events.close()


def test_an_asynchronous_iterator_goes_on_too(double):
    async def run() -> None:
        options = HazelcastOptions(timeout=DEADLINE, event_queue=10)
        async with await AsyncHazelcastClient.connect([double.address], options) as client:
            events: Any = client.get_map("m").entry_events()
            first = asyncio.ensure_future(anext(events))
            while not (asked := double.all_of("Map.addEntryListener")):
                await asyncio.sleep(0.01)
            push(double, asked[0], range(50))
            assert (await first).key == 0
            await client.ping()
            keys = [0]

            async def read_on() -> None:
                while True:
                    keys.append((await anext(events)).key)

            with pytest.raises(MessagesLost) as raised:
                await read_on()
            assert len(keys) + raised.value.count == 50
            push(double, asked[0], range(50, 51))
            assert (await anext(events)).key == 50
            await events.aclose()

    asyncio.run(run())


def test_a_listener_that_waits_delays_no_other_where_there_are_threads(double):
    held = threading.Event()
    heard: list[int] = []
    with connect(double, event_threads=2) as client:
        there = client.get_map("m")
        there.add_entry_listener(lambda _: held.wait(DEADLINE))
        there.add_entry_listener(lambda event: heard.append(event.key))
        slow, fast = double.all_of("Map.addEntryListener")
        push(double, slow, range(3))
        push(double, fast, range(1_000))
        try:
            eventually(lambda: len(heard) == 1_000)
        finally:
            held.set()
    assert all(one < other for one, other in pairwise(heard))


def test_structures_are_listened_to_again_if_it_may_be_lost_that_one_was_destroyed(double):
    double.answers["Client.addDistributedObjectListener"] = lambda asked: double.response(
        asked, "String", double.uuid
    )
    service = "hz:impl:mapService"
    heard: list[int] = []
    with connect(double, event_queue=10) as client:
        client.get_map("m").add_entry_listener(lambda event: heard.append(event.key))
        [watched] = double.all_of("Client.addDistributedObjectListener")
        names = [*(f"other {number}" for number in range(1_000)), "m"]
        events = [
            double.event(watched.call_id, "DistributedObject", name, service, "DESTROYED")
            for name in names
        ]
        double.say(watched.connection, b"".join(events))
        eventually(lambda: len(double.all_of("Map.addEntryListener")) == 2)
        push(double, double.all_of("Map.addEntryListener")[-1], range(1))
        eventually(lambda: heard == [0])


def test_coroutine_functions_are_refused_by_a_blocking_client(double):
    async def hear(_: Any) -> None:
        raise AssertionError

    class Hearing:
        async def __call__(self, _: Any) -> None:
            raise AssertionError

    with connect(double) as client:
        asked = len(double.asked)
        for callback in (hear, Hearing()):
            with pytest.raises(TypeError, match="callback is a coroutine function"):
                client.get_map("m").add_entry_listener(callback)
            with pytest.raises(TypeError, match="callback is a coroutine function"):
                client.add_membership_listener(callback)
        topic: Any = client.get_topic("t")
        with pytest.raises(TypeError, match="callback must be callable, got int"):
            topic.add_message_listener(5)
        assert len(double.asked) == asked


def test_a_burst_of_real_events_is_told_whole(hazelcast_member: Member):
    count = 50_000
    heard: list[int] = []
    addresses = [hazelcast_member.address]
    with HazelcastClient.connect(addresses) as one, HazelcastClient.connect(addresses) as other:
        there = one.get_map("burst of events")
        there.add_entry_listener(lambda event: heard.append(event.key), include_value=False)
        other.get_map("burst of events").put_all(dict.fromkeys(range(count), 0))
        eventually(lambda: len(heard) >= count)
        assert sorted(heard) == [*range(count)]
        there.destroy()
