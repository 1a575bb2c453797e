"""Hazelcast's client against real members and the double, in threads and in asyncio."""

import asyncio
import itertools
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import pytest

from jvmwire.errors import CallTimeout, ConfigError, ConnectFailed
from jvmwire.hazelcast import (
    AsyncHazelcastClient,
    HazelcastClient,
    HazelcastOptions,
    Lifecycle,
    MembershipChange,
)
from jvmwire.hazelcast._members import Address
from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast._proxies.ringbuffer import OverflowPolicy
from jvmwire.hazelcast.aggregators import LongSum
from jvmwire.hazelcast.errors import (
    AuthenticationFailed,
    ClassCast,
    IllegalMonitorState,
    IndexOutOfBounds,
    StaleSequence,
)
from jvmwire.hazelcast.predicates import (
    Between,
    Equal,
    Greater,
    GreaterEqual,
    ILike,
    In,
    Less,
    LessEqual,
    Like,
    NotEqual,
    PagingPredicate,
    Regex,
    Sql,
)
from jvmwire.options import NEVER
from jvmwire.transports import Tcp, Tls
from kit.client_flavours import STYLES, Style, in_every_style
from kit.hazelcast import Member
from kit.hazelcast_tasks import UsernamePassword
from kit.peer_fixtures import REAL_MEMBER
from kit.polling import eventually
from kit.servers import serving

# Seconds after which an operation hangs.
DEADLINE = 20.0
names = (f"test-{number}" for number in itertools.count())


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture
def client(hazelcast_peer):
    options = HazelcastOptions(timeout=DEADLINE)
    with HazelcastClient.connect([hazelcast_peer.address], options) as client:
        yield client


@pytest.fixture(params=["3.8.9", "3.6.8"], scope="module")
def older(request, tmp_path_factory):
    with Member(tmp_path_factory.mktemp("older"), version=request.param) as member:
        yield member


def connect(style: Style, member: Member, **options: Any) -> Any:
    told = HazelcastOptions(**({"timeout": DEADLINE} | options))
    return style.connect(HazelcastClient, AsyncHazelcastClient, [member.address], told)


@in_every_style
async def test_what_is_put_is_there_for_the_member_and_for_us(style, hazelcast_peer):
    name = next(names)
    async with connect(style, hazelcast_peer) as client:
        invoked = await client.invoke("Map.size", name=name)
        assert invoked == {"response": 0}
        await client.ping()
        assert len(client.client.members if style.name == "sync" else client.members) == 1


def test_a_map_of_one_key_at_a_time(client, hazelcast_peer):
    found = client.get_map(next(names))
    assert found.put("a", "😀") is None
    assert hazelcast_peer.do(f"get {found.name} a") == "😀"
    assert (found.get("a"), found.get("b"), found.contains_key("a")) == ("😀", None, True)
    assert found.put("a", 2) == "😀"
    assert (found.put_if_absent("a", 3), found.put_if_absent("b", 3)) == (2, None)
    assert (found.replace("a", 4), found.replace("c", 4)) == (2, None)
    assert (found.replace_if_same("a", 5, 6), found.replace_if_same("a", 4, 6)) == (False, True)
    assert (found.remove("a"), found.remove("a")) == (6, None)
    assert (found.remove_if_same("b", 1), found.remove_if_same("b", 3)) == (False, True)
    found.set("d", [1, None, "x"])
    found.put_transient("e", True)
    assert (found.try_put("f", b"\x00\xff"), found.try_remove("e", timeout=1.0)) == (True, True)
    found.delete("f")
    assert (found.size(), found.is_empty(), found.get("d")) == (1, False, [1, None, "x"])
    assert found.contains_value([1, None, "x"])
    view = found.get_entry_view("d")
    assert (view.key, view.value, found.get_entry_view("none")) == ("d", [1, None, "x"], None)
    assert found.evict("d")
    found.put("g", 1)
    found.evict_all()
    found.put("h", 1)
    found.clear()
    found.flush()
    assert found.is_empty()


@REAL_MEMBER
def test_a_map_is_loaded_from_its_store_and_kept_there(client):
    found, beside = client.get_map("stored one"), client.get_map("stored two")
    assert found.get("kept") == "before"
    found.put("kept", "after")
    found.put_transient("passing", 1)
    found.evict_all()
    assert (found.size(), found.get("passing")) == (0, None)
    found.load_all()
    eventually(lambda: found.get_all(["kept", "passing"]) == {"kept": "after"})
    beside.evict_all()
    beside.load_all(["kept", "nothing"])
    eventually(lambda: beside.size() == 1)
    beside.remove("kept")
    found.evict_all()
    assert found.get("kept") is None


def test_entries_live_as_long_as_they_are_told_to(client):
    found = client.get_map(next(names))
    found.put("ttl", 1, ttl=0.5)
    found.put("idle", 1, max_idle=0.5)
    found.put("later", 1)
    assert found.set_ttl("later", 0.5)
    assert found.size() == 3
    eventually(lambda: [found.get("ttl"), found.get("later")] == [None, None])


def test_a_map_of_many_keys_at_once(client):
    found = client.get_map(next(names))
    entries = {number: f"value {number}" for number in range(1_000)}
    found.put_all(entries)
    assert found.get_all([*entries, -1]) == entries
    assert dict(found.entry_set()) == entries
    assert sorted(found.key_set()) == list(entries)
    assert sorted(found.values()) == sorted(entries.values())
    assert dict(found.entries(batch=2)) == entries
    assert found.get_many([5, -1, 7]) == ["value 5", None, "value 7"]
    found.put_many({5: "five", 6: "six"})
    assert found.get_many([5, 6]) == ["five", "six"]
    assert (found.get_all([]), found.get_many([]), found.put_all({})) == ({}, [], None)
    with pytest.raises(ConfigError):
        next(iter(found.entries(batch=0)))


def test_predicates_find_what_they_say(client):
    found = client.get_map(next(names))
    found.put_all({number: f"value {number}" for number in range(40)})
    for predicate, keys in [
        (Sql("__key < 3"), [0, 1, 2]),
        (Less("__key", 2), [0, 1]),
        (LessEqual("__key", 2), [0, 1, 2]),
        (Greater("__key", 37), [38, 39]),
        (GreaterEqual("__key", 37), [37, 38, 39]),
        (Between("__key", 4, 6), [4, 5, 6]),
        (Equal("this", "value 7"), [7]),
        (In("__key", [8, 9, 99]), [8, 9]),
        (Like("this", "value 1_") & ~Less("__key", 18), [18, 19]),
        (ILike("this", "VALUE 3"), [3]),
        (Less("__key", 1) | Greater("__key", 38), [0, 39]),
        (NotEqual("__key", 0) & Less("__key", 2), [1]),
    ]:
        assert sorted(found.key_set(predicate)) == keys
        assert sorted(key for key, _ in found.entry_set(predicate)) == keys
        assert len(found.values(predicate)) == len(keys)
    found.add_index("this", ordered=True)
    found.remove_all(Greater("__key", 9))
    assert found.size() == 10


@REAL_MEMBER
def test_a_regular_expression_of_java_finds_what_it_says(client):
    found = client.get_map(next(names))
    found.put_all({number: f"value {number}" for number in range(40)})
    assert sorted(found.key_set(Regex("this", "value .1"))) == [11, 21, 31]


def pages(found: Any) -> list[list[int]]:
    predicate = PagingPredicate(4, predicate=Less("__key", 10))
    seen: list[list[int]] = []
    while len(seen) < 9 and (page := found.key_set(predicate)):
        seen.append(page)
        predicate.next_page()
    return seen


def test_a_paging_predicate_goes_through_all_that_is_found(client):
    found = client.get_map(next(names))
    found.put_all({number: number for number in range(40)})
    assert pages(found) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_what_is_to_live_for_less_than_a_millisecond_does_not_live_for_ever(client):
    found = client.get_map(next(names))
    found.put("a", 1, ttl=0.0001)
    eventually(lambda: not found.contains_key("a"))


def test_any_page_of_a_cluster_has_what_stands_there_in_order(hazelcast_three):
    with HazelcastClient.connect([hazelcast_three[0].address]) as client:
        found = client.get_map(next(names))
        found.put_all({number: 99 - number for number in range(100)})
        predicate = PagingPredicate(10)
        for ask in (found.entry_set, found.key_set, found.values):
            for number in (5, 2, 3, 0, 9):
                predicate.page = number
                there = list(range(10 * number, 10 * number + 10))
                pairs = [(key, 99 - key) for key in there]
                assert ask(predicate) == (pairs if ask == found.entry_set else there)


def test_listeners_are_told_and_removed(client):
    found = client.get_map(next(names))
    seen: list[Any] = []
    of_key: list[Any] = []
    where: list[Any] = []
    everything = found.add_entry_listener(seen.append)
    found.add_entry_listener(of_key.append, key="a", include_value=False)
    found.add_entry_listener(where.append, predicate=Greater("this", 5))
    found.put("a", 1)
    found.put("b", 7)
    found.put("a", 9)
    found.remove("b")
    eventually(lambda: (len(seen), len(of_key), len(where)) == (4, 2, 3))
    told = [(event.type.name, event.key, event.value, event.old_value) for event in seen]
    assert sorted(told, key=str) == [
        ("ADDED", "a", 1, None),
        ("ADDED", "b", 7, None),
        ("REMOVED", "b", None, 7),
        ("UPDATED", "a", 9, 1),
    ]
    assert [event.value for event in of_key] == [None, None]
    assert (found.remove_listener(everything), found.remove_listener(everything)) == (True, False)
    found.clear()
    eventually(lambda: where[-1].type is EntryEventType.CLEAR_ALL)
    assert len(seen) == 4


def test_events_can_be_iterated_over(client):
    found = client.get_map(next(names))
    with pytest.raises(CallTimeout):
        next(client.within(0.5).get_map(found.name).entry_events())
    stop = threading.Event()

    def put_now_and_then() -> None:
        while not stop.wait(0.05):
            found.put("a", 1)

    putting = threading.Thread(target=put_now_and_then)
    putting.start()
    events = found.entry_events()
    try:
        assert [next(events).key for _ in range(3)] == ["a", "a", "a"]
    finally:
        stop.set()
        putting.join()
        events.close()


def test_locks_of_a_key_keep_others_out(client, hazelcast_peer):
    found = client.get_map(next(names))
    found.lock("a")
    assert found.is_locked("a")
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        theirs = other.get_map(found.name)
        assert not theirs.try_lock("a")
        assert not theirs.try_put("a", 1)
        with pytest.raises(IllegalMonitorState):
            theirs.unlock("a")
        found.unlock("a")
        assert theirs.try_lock("a", timeout=5.0, lease=60.0)
        theirs.force_unlock("a")
    assert not found.is_locked("a")


def test_the_lock_of_a_client_that_is_gone_is_the_next_ones(client, hazelcast_peer):
    name = next(names)
    lock = client.get_lock(name)
    with HazelcastClient.connect([hazelcast_peer.address]) as other:
        theirs = other.get_lock(name)
        theirs.lock()
        assert theirs.is_locked_by_caller()
        assert (lock.try_lock(), lock.is_locked(), lock.lock_count()) == (False, True, 1)
    assert lock.try_lock(timeout=DEADLINE)
    with lock:
        assert lock.lock_count() == 2
    lock.unlock()
    assert lock.remaining_lease() is None
    lock.lock(lease=30.0)
    assert 0 < lock.remaining_lease() <= 30.0
    lock.force_unlock()


def test_queues_lists_and_sets_keep_items(client, hazelcast_peer):
    queue, items, unique = (
        client.get_queue(next(names)),
        client.get_list(next(names)),
        client.get_set(next(names)),
    )
    heard: list[Any] = []
    queue.add_item_listener(heard.append)
    assert queue.offer("a")
    queue.put("b")
    assert (queue.add_all(["c", "d"]), queue.get_all()) == (True, ["a", "b", "c", "d"])
    assert (queue.peek(), queue.poll(), queue.take(), queue.size()) == ("a", "a", "b", 2)
    assert hazelcast_peer.do(f"poll {queue.name}") == "c"
    assert (queue.drain(1), queue.drain(), queue.poll(timeout=0.05)) == (["d"], [], None)
    assert queue.remaining_capacity() > 0
    eventually(lambda: len(heard) == 8)
    assert {(event.item, event.added) for event in heard} >= {("a", True), ("d", False)}

    assert items.add("a")
    assert items.add("c")
    items.add("b", index=1)
    items.insert_all(0, ["x", "y"])
    assert (items.get_all(), items.get(2), items.set(2, "z")) == (list("xyabc"), "a", "a")
    assert (items.remove_at(0), items.index_of("c"), items.last_index_of("q")) == ("x", 3, -1)
    assert (items.sub_list(1, 3), items.remove("b"), items.contains("b")) == (
        ["z", "b"],
        True,
        False,
    )
    assert (items.retain_all(["z", "c"]), items.contains_all(["z", "c"])) == (True, True)
    with pytest.raises(IndexOutOfBounds):
        items.get(99)

    assert (unique.add(1), unique.add(1), unique.add_all([1, 2, 3])) == (True, False, True)
    assert (sorted(unique.get_all()), unique.remove_all([1]), unique.size()) == ([1, 2, 3], True, 2)
    unique.clear()
    assert unique.is_empty()


def test_multimaps_numbers_and_ringbuffers(client):
    many = client.get_multi_map(next(names))
    assert (many.put("a", 1), many.put("a", 2), many.put("b", 3)) == (True, True, True)
    assert (sorted(many.get("a")), many.value_count("a"), many.size()) == ([1, 2], 2, 3)
    assert (many.contains_key("a"), many.contains_value(3), many.contains_entry("a", 3)) == (
        *(True, True, False),
    )
    assert (sorted(many.key_set()), sorted(many.values())) == (["a", "b"], [1, 2, 3])
    assert sorted(many.entry_set()) == [("a", 1), ("a", 2), ("b", 3)]
    assert (many.remove_entry("a", 1), many.remove("a")) == (True, [2])
    many.delete("b")
    many.lock("a")
    assert (many.is_locked("a"), many.try_lock("a")) == (True, True)
    many.force_unlock("a")
    many.clear()

    number = client.get_atomic_long(next(names))
    assert (number.increment_and_get(), number.get_and_add(5), number.add_and_get(-2)) == (1, 1, 4)
    assert (number.compare_and_set(4, 10), number.compare_and_set(4, 11)) == (True, False)
    assert (number.get_and_set(1 << 40), number.decrement_and_get()) == (10, (1 << 40) - 1)
    number.set(-(1 << 63))
    assert (number.get_and_increment(), number.get()) == (-(1 << 63), 1 - (1 << 63))
    with pytest.raises(ValueError, match=r"AtomicLong\.set\.new_value"):
        number.set(1 << 63)

    ring = client.get_ringbuffer(f"small-{next(names)}")
    assert (ring.capacity(), ring.size(), ring.tail_sequence()) == (10, 0, -1)
    assert (ring.add("a"), ring.add_all(["b", "c"])) == (0, 2)
    assert (ring.read_one(1), ring.head_sequence(), ring.remaining_capacity()) == ("b", 0, 10)
    result = ring.read_many(1, minimum=1, maximum=10)
    assert (result.items, result.read_count, result.next_sequence) == (["b", "c"], 2, 3)
    ring.add_all(range(10), overflow=OverflowPolicy.OVERWRITE)
    with pytest.raises(StaleSequence):
        ring.read_one(0)


@REAL_MEMBER
def test_figure_4_a_message_published_is_printed_by_the_javas_member(client, hazelcast_peer):
    hazelcast_peer.do("listen my-topic")
    client.get_topic("my-topic").publish("Python update on topic")
    log = hazelcast_peer.program.log
    eventually(lambda: "RECEIVED MESSAGE: Python update on topic" in log.read_text())


def test_figures_2_and_5_an_item_is_counted_and_updates_are_received(client):
    queue = client.get_queue("queue")
    queue.put("item")
    assert queue.size() == 1
    seen: list[Any] = []
    found = client.get_map("my-map")
    found.add_entry_listener(seen.append, include_value=True)
    found.put("key", "value")
    eventually(lambda: [event.value for event in seen] == ["value"])
    queue.clear()


def test_messages_come_to_who_listens_until_that_is_removed(client, hazelcast_peer):
    topic = client.get_topic(next(names))
    seen: list[Any] = []
    listener = topic.add_message_listener(seen.append)
    hazelcast_peer.do(f"publish {topic.name} hello")
    topic.publish("again")
    eventually(lambda: [message.message for message in seen] == ["hello", "again"])
    assert topic.remove_listener(listener)


def test_structures_are_told_of_and_destroyed(client):
    seen: list[Any] = []
    client.add_distributed_object_listener(seen.append)
    name = next(names)
    found = client.get_map(name)
    found.put(1, 1)
    eventually(lambda: any(event.name == name and event.created for event in seen))
    assert ("hz:impl:mapService", name) in client.get_distributed_objects()
    found.destroy()
    eventually(lambda: any(event.name == name and not event.created for event in seen))
    assert found.size() == 0


def test_members_and_the_clients_own_life_are_told(hazelcast_peer):
    members: list[Any] = []
    life: list[Any] = []
    with HazelcastClient([hazelcast_peer.address]) as client:
        client.add_lifecycle_listener(life.append)
        client.add_membership_listener(members.append)
        eventually(lambda: members and life)
        assert (members[0].change, members[0].member.uuid) == (
            MembershipChange.ADDED,
            hazelcast_peer.uuid,
        )
        assert members[0].member.address == Address("127.0.0.1", hazelcast_peer.port)
        assert life == [Lifecycle.CONNECTED]
        assert client.partition_count == 271


@REAL_MEMBER
def test_attributes_of_members_are_told(hazelcast_peer):
    members: list[Any] = []
    with HazelcastClient([hazelcast_peer.address]) as client:
        client.add_membership_listener(members.append)
        eventually(lambda: members)
        hazelcast_peer.do("attribute place cellar")
        eventually(lambda: len(members) == 2)
        changed = members[1]
        assert (changed.change, changed.attribute) == (MembershipChange.ATTRIBUTE_CHANGED, "place")
        assert changed.member.attributes == client.members[0].attributes == {"place": "cellar"}


@REAL_MEMBER
def test_members_see_the_labels_of_a_client(hazelcast_peer):
    options = HazelcastOptions(timeout=DEADLINE, labels=["batch", "caf\xe9"])
    with HazelcastClient.connect([hazelcast_peer.address], options):
        assert hazelcast_peer.do("labels") == "[batch, caf\xe9]"


def test_a_member_is_reached_through_what_ends_tls_before_it(hazelcast_peer, ca):
    # Open-source members have no TLS of their own.
    def hand_on(outside: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", hazelcast_peer.port)) as inside:
            back = threading.Thread(target=pump, args=(inside, outside))
            back.start()
            pump(outside, inside)
            back.join()

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)

    with serving(hand_on, tls=ca.server()) as port:

        def secure(_: Address) -> Tcp:
            tls = Tls(ca_file=ca.file, server_hostname="localhost")
            return Tcp("127.0.0.1", port, tls=tls)

        options = HazelcastOptions(endpoint=secure)
        with HazelcastClient.connect([hazelcast_peer.address], options) as client:
            found = client.get_map(next(names))
            found.put("a", "b" * 100_000)
            assert found.get("a") == "b" * 100_000
        untrusting = HazelcastOptions(
            endpoint=lambda _: Tcp("127.0.0.1", port, tls=Tls(server_hostname="localhost")),
            connect_retry=NEVER,
        )
        with pytest.raises(ConnectFailed, match="certificate"):
            HazelcastClient.connect([hazelcast_peer.address], untrusting)


def test_another_group_and_nobody_at_all_are_told_apart(hazelcast_peer):
    options = HazelcastOptions(cluster_name="other", connect_retry=NEVER)
    with pytest.raises(AuthenticationFailed, match="group name"):
        HazelcastClient.connect([hazelcast_peer.address], options)
    with pytest.raises(ConnectFailed, match="no member lets us in"):
        HazelcastClient.connect(["127.0.0.1:1"], HazelcastOptions(connect_retry=NEVER))


@REAL_MEMBER
def test_custom_credentials_are_judged_by_a_member(hazelcast_peer):
    # Without a login module of the user's, members accept only one kind of them: Hazelcast's own.
    def connected(group: str) -> HazelcastClient:
        options = HazelcastOptions(credentials=lambda: UsernamePassword(group, b"any"))
        return HazelcastClient.connect([hazelcast_peer.address], options)

    with connected("dev") as client:
        client.ping()
    with pytest.raises(AuthenticationFailed, match="credentials"):
        connected("another")


@REAL_MEMBER
def test_what_a_member_refuses_is_an_error_of_its_kind_and_the_client_goes_on(client):
    found = client.get_map(next(names))
    found.put_all({number: f"text {number}" for number in range(5)})
    with pytest.raises(ClassCast, match="cannot be cast"):
        found.aggregate(LongSum())
    assert found.size() == 5


def test_a_client_that_only_listens_is_kept_by_its_pings(tmp_path):
    settings = {"hazelcast.client.max.no.heartbeat.seconds": "5"}
    with Member(tmp_path, settings=settings) as member:
        options = HazelcastOptions(heartbeat_interval=1.0)
        with HazelcastClient.connect([member.address], options) as client:
            seen: list[Any] = []
            client.get_topic("t").add_message_listener(seen.append)
            life: list[Any] = []
            client.add_lifecycle_listener(life.append)
            time.sleep(20.0)  # members look every 10 s
            member.do("publish t awake")
            eventually(lambda: [message.message for message in seen] == ["awake"])
            assert Lifecycle.DISCONNECTED not in life


@pytest.mark.parametrize("count", [13, 1])
def test_any_number_of_partitions_will_do(count, tmp_path):
    with (
        Member(tmp_path, settings={"hazelcast.partition.count": str(count)}) as member,
        HazelcastClient.connect([member.address]) as client,
    ):
        assert client.partition_count == count
        found = client.get_map("m")
        found.put_all({number: str(number) for number in range(100)})
        assert [found.get(number) for number in range(100)] == [str(n) for n in range(100)]
        assert member.do("size m") == "100"


def test_older_members_do_what_they_can(older):
    with HazelcastClient.connect([older.address], HazelcastOptions(timeout=DEADLINE)) as client:
        found = client.get_map("m")
        assert (found.put("a", "😀"), found.get("a")) == (None, "😀")
        assert older.do("get m a") == "😀"
        found.clear()
        found.put_all({number: number for number in range(40)})
        assert (found.size(), len(found.entry_set())) == (40, 40)
        fetched_by_index = (3, 7) <= client.oldest_version < (3, 9)
        if fetched_by_index:
            with pytest.raises(ConfigError, match=r"version 3\.8 cannot .* approximate=True"):
                next(iter(found.entries()))
        entries = found.entries(batch=3, approximate=fetched_by_index)
        assert dict(entries) == {number: number for number in range(40)}
        assert pages(found)[:3] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
        seen: list[Any] = []
        found.add_entry_listener(seen.append)
        found.put("b", 1)
        eventually(lambda: len(seen) == 1)
        lock = client.get_lock("l")
        with lock:
            assert lock.is_locked_by_caller()
        ring = client.get_ringbuffer("small-r")
        ring.add_all(["a", "b"])
        assert ring.read_many(0).items == ["a", "b"]
        # In several fragments, both ways.
        big = "x" * 3_000_000
        found.put("big", big)
        assert found.get("big") == big


@in_every_style
async def test_many_calls_in_flight_each_get_their_own_answer(style, hazelcast_peer):
    async with connect(style, hazelcast_peer) as client:
        owner = client.client if style.name == "sync" else client
        found = owner.get_map(next(names))
        if style.name == "sync":
            loop = asyncio.get_running_loop()
            puts = [loop.run_in_executor(None, found.put, n, n * n) for n in range(300)]
            await asyncio.gather(*puts)
            gets = [loop.run_in_executor(None, found.get, n) for n in range(300)]
        else:
            await asyncio.gather(*(found.put(n, n * n) for n in range(300)))
            gets = [found.get(n) for n in range(300)]
        assert await asyncio.gather(*gets) == [n * n for n in range(300)]
