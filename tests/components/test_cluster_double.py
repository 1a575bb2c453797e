"""The double of a Hazelcast cluster: its failures, its members, its clock, its limits."""

import socket
import struct
import threading
import time
from typing import Any

import pytest

from jvmwire._core import HazelcastMessage
from jvmwire.errors import CallTimeout, ConfigError, JvmWireError, NotStarted, OutcomeUnknown
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions, MembershipChange
from jvmwire.hazelcast.errors import (
    AuthenticationFailed,
    DistributedObjectDestroyed,
    HazelcastError,
    IllegalState,
    ReachedMaxSize,
    UnsupportedOperation,
)
from jvmwire.hazelcast.predicates import Regex, Sql
from jvmwire.hazelcast.serialization import HazelcastJsonValue
from jvmwire.hazelcast.testing import Fault, HazelcastDouble
from jvmwire.options import NEVER
from kit.polling import eventually

pytest_plugins = ["jvmwire.hazelcast.testing.plugin"]


def connect(double: HazelcastDouble, **options: Any) -> HazelcastClient:
    return HazelcastClient.connect(double.addresses, HazelcastOptions(timeout=20.0, **options))


def test_a_double_keeps_what_it_stores_when_it_is_stopped() -> None:
    double = HazelcastDouble()
    assert repr(double) == "<HazelcastDouble not started>"
    with pytest.raises(NotStarted):
        double.stop_member(0)
    with double, connect(double) as client:
        assert repr(double) == f"<HazelcastDouble {double.address}>"
        client.get_map("m").put("a", 1)
        port = double.port
        client.get_map("m").put("short", 1, ttl=60)
    double.advance(61)
    with double, connect(double) as client:
        assert (client.get_map("m").get_all(["a", "short"]), double.port) == ({"a": 1}, port)


def test_a_call_fails_with_the_exception_that_is_asked_for(
    hazelcast_double: HazelcastDouble,
) -> None:
    refusal = IllegalState("not now", "java.lang.IllegalStateException")
    hazelcast_double.fail(Fault(method="Map.put", times=1, error=refusal))
    with connect(hazelcast_double) as client:
        found = client.get_map("m")
        with pytest.raises(IllegalState, match="not now") as raised:
            found.put("a", 1)
        assert (raised.value.java_class, raised.value.code) == (refusal.java_class, 29)
        assert found.put("a", 1) is None


def test_an_answer_of_a_member_is_late(hazelcast_double: HazelcastDouble) -> None:
    with connect(hazelcast_double) as client:
        found = client.get_map("m")
        found.size()
        hazelcast_double.fail(Fault(method="Map.size", delay=0.2, times=1))
        began = time.monotonic()
        assert found.size() == 0
        assert time.monotonic() - began >= 0.2


@pytest.mark.parametrize("executes", [False, True])
def test_a_lost_answer_leaves_the_outcome_unknown(
    hazelcast_double: HazelcastDouble, executes: bool
) -> None:
    with connect(hazelcast_double) as client:
        number = client.get_atomic_long("n")
        number.get()
        message = "AtomicLong.incrementAndGet"
        hazelcast_double.fail(Fault(method=message, times=1, disconnect=True, executes=executes))
        with pytest.raises((OutcomeUnknown, JvmWireError)):
            number.increment_and_get()
        assert number.get() == executes


@pytest.mark.parametrize("executes", [False, True])
def test_an_answer_of_a_member_never_comes(
    hazelcast_double: HazelcastDouble, executes: bool
) -> None:
    message = "AtomicLong.incrementAndGet"
    hazelcast_double.fail(Fault(method=message, times=1, drop=True, executes=executes))
    with connect(hazelcast_double) as client:
        number = client.get_atomic_long("n")
        with pytest.raises(CallTimeout):
            client.within(0.3).get_atomic_long("n").increment_and_get()
        assert number.get() == executes


def test_the_clock_of_the_double_is_moved_on(hazelcast_double: HazelcastDouble) -> None:
    with connect(hazelcast_double) as client:
        found = client.get_map("m")
        events: list[Any] = []
        found.add_entry_listener(events.append)
        found.put("short", 1, ttl=60)
        found.put("idle", 1, max_idle=600)
        found.put("kept", 1)
        found.lock("kept", lease=60)
        hazelcast_double.advance(61)
        assert (found.get("short"), found.get("idle"), found.is_locked("kept")) == (None, 1, False)
        hazelcast_double.advance(599)
        assert found.get("idle") == 1
        hazelcast_double.advance(601)
        assert sorted(found.key_set()) == ["kept"]
        eventually(lambda: [event.key for event in events[3:]] == ["short", "idle"])
        assert [event.type.name for event in events[3:]] == ["EXPIRED", "EXPIRED"]
        with pytest.raises(ConfigError):
            hazelcast_double.advance(-1)


def test_a_wait_ends_by_the_clock_of_the_double(hazelcast_double: HazelcastDouble) -> None:
    with connect(hazelcast_double) as client:
        queue = client.get_queue("q")
        polled: list[Any] = []
        waiting = threading.Thread(target=lambda: polled.append(queue.poll(timeout=15)))
        waiting.start()
        time.sleep(0.2)
        assert polled == []
        hazelcast_double.advance(16)
        waiting.join(5)
        assert polled == [None]


def test_members_stop_and_start_and_nothing_is_lost(
    hazelcast_double_cluster: HazelcastDouble,
) -> None:
    double = hazelcast_double_cluster
    with connect(double) as client:
        changes: list[Any] = []
        events: list[Any] = []
        client.add_membership_listener(changes.append)
        found = client.get_map("m")
        found.add_entry_listener(events.append)
        found.put_all({number: number for number in range(100)})
        eventually(lambda: len(events) == 100)
        assert {event.member for event in events} == set(double.uuids)
        before = double.uuids[1]
        double.stop_member(1)
        assert found.get_all(range(100)) == {number: number for number in range(100)}
        eventually(lambda: changes and changes[-1].change is MembershipChange.REMOVED)
        assert changes[-1].member.uuid == before
        double.start_member(1)
        eventually(lambda: changes[-1].change is MembershipChange.ADDED)
        assert changes[-1].member.uuid == double.uuids[1] != before

        def sends_events_again() -> bool:
            for number in range(100):
                found.set(number, "new")
            return double.uuids[1] in {event.member for event in events}

        eventually(sends_events_again)
    for number, message in ((7, "none is 7"), (-1, "none is -1")):
        with pytest.raises(ConfigError, match=message):
            double.stop_member(number)
    with pytest.raises(ConfigError, match="member 1 is running"):
        double.start_member(1)
    double.stop_member(0)
    double.stop_member(1)
    with pytest.raises(ConfigError, match="member 1 is stopped"):
        double.stop_member(1)
    with pytest.raises(ConfigError, match="member 2 is the last one"):
        double.stop_member(2)


@pytest.mark.parametrize("smart", [True, False])
def test_each_event_is_sent_once_whichever_member_it_happens_at(
    hazelcast_double_cluster: HazelcastDouble, smart: bool
) -> None:
    with connect(hazelcast_double_cluster, smart=smart) as client:
        entries: list[Any] = []
        messages: list[Any] = []
        made: list[Any] = []
        client.add_distributed_object_listener(made.append)
        found = client.get_map("m")
        found.add_entry_listener(entries.append)
        for number in range(50):
            found.put(number, number)
        topics = [client.get_topic(f"t{number}") for number in range(9)]
        for topic in topics:
            topic.add_message_listener(messages.append)
        for topic in topics:
            topic.publish(topic.name)
        eventually(lambda: (len(entries), len(messages), len(made)) == (50, 9, 10))
        time.sleep(0.2)
        assert (len(entries), len(messages), len(made)) == (50, 9, 10)
        assert len({event.member for event in entries}) == 3


def test_a_cluster_may_have_a_name_and_a_password() -> None:
    with HazelcastDouble(cluster_name="test", password="secret") as double:  # noqa: S106
        for name, password in (("dev", "secret"), ("test", "guess")):
            with pytest.raises(AuthenticationFailed):
                connect(double, cluster_name=name, password=password, connect_retry=NEVER)
        with connect(double, cluster_name="test", password="secret") as client:  # noqa: S106
            client.ping()


def test_entries_and_bytes_are_limited() -> None:
    with HazelcastDouble(max_entries=3, max_bytes=1000) as double, connect(double) as client:
        found, queue = client.get_map("m"), client.get_queue("q")
        found.put_all({1: 1, 2: 2})
        queue.offer(3)
        with pytest.raises(ReachedMaxSize, match="at most 3 entries, got 4"):
            found.put(4, 4)
        queue.clear()
        with pytest.raises(ReachedMaxSize, match="at most 1000 bytes"):
            found.put(3, "x" * 1000)
        with pytest.raises(ReachedMaxSize, match="at most 1000 bytes"):
            found.put(1, "x" * 1000)
        found.destroy()
        again = client.get_map("other")
        again.put_all({number: number for number in range(3)})
        assert again.size() == 3


def test_calls_to_a_destroyed_structure_end(hazelcast_double: HazelcastDouble) -> None:
    with connect(hazelcast_double) as client:
        queue = client.get_queue("q")
        failures: list[Exception] = []

        def take() -> None:
            try:
                queue.take()
            except HazelcastError as error:
                failures.append(error)

        taking = threading.Thread(target=take)
        taking.start()
        time.sleep(0.2)
        queue.destroy()
        taking.join(5)
        assert [type(error) for error in failures] == [DistributedObjectDestroyed]


def test_what_a_cluster_double_does_not_have_is_refused_by_name(
    hazelcast_double: HazelcastDouble,
) -> None:
    with connect(hazelcast_double) as client:
        with pytest.raises(UnsupportedOperation, match=r"has no Map\.assignAndGetUuids"):
            client.invoke("Map.assignAndGetUuids")
        with pytest.raises(UnsupportedOperation, match="has no RegexPredicate"):
            client.get_map("m").key_set(Regex("this", "a*"))
        with pytest.raises(UnsupportedOperation, match=r"has no Transaction\.create"):
            client.transaction().begin()


@pytest.mark.parametrize(
    ("sql", "keys"),
    [
        ("age > 30", [4]),
        ("age between 20 and 30", [2, 3]),
        ("age in (10, 40) and not name = 'n0'", [1, 4]),
        ("name like 'n_' or age = 99", [0, 1, 2, 3, 4]),
        ("active", [0, 2, 4]),
        ("(age < 20 or age >= 40) and active != false", [0, 4]),
        ("name ilike 'N%' and __key <> 3", [0, 1, 2, 4]),
        ("missing = 1", []),
    ],
)
def test_conditions_in_sql_select_json(
    hazelcast_double: HazelcastDouble, sql: str, keys: list[int]
) -> None:
    with connect(hazelcast_double) as client:
        found = client.get_map("m")
        for number in range(5):
            person = {"age": 10 * number, "name": f"n{number}", "active": number % 2 == 0}
            found.put(number, HazelcastJsonValue(person))
        assert sorted(found.key_set(Sql(sql))) == keys


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("age >", "a word is missing"),
        ("age 5", "after 'age'"),
        ("'open", "at offset 0"),
        ("(" * 60 + "a" + ")" * 60, "below 50 parentheses"),
        ("NOT " * 60 + "a", "below 50 parentheses"),
        ("a in (1", "without '[)]'"),
    ],
)
def test_a_wrong_condition_is_refused(
    hazelcast_double: HazelcastDouble, sql: str, message: str
) -> None:
    with connect(hazelcast_double) as client, pytest.raises(HazelcastError, match=message):
        client.get_map("m").key_set(Sql(sql))


HEADER = struct.Struct("<iBBHqiH")
HOSTILE = {
    "another protocol": b"GET / HTTP/1.1\r\n\r\n",
    "a newer protocol": b"CP2",
    "a huge frame": b"CB2" + struct.pack("<i", (1 << 31) - 1) + bytes(100),
    "no header": b"CB2" + struct.pack("<i", 4),
    "a response": b"CB2" + HEADER.pack(22, 1, 0xC0, 100, 1, -1, 22),
    "a ping before the authentication": b"CB2" + HEADER.pack(22, 1, 0xC0, 0xF, 1, -1, 22),
    "a large message before the authentication": b"CB2"
    + HEADER.pack(1 << 20, 1, 0xC0, 2, 1, -1, 22)
    + bytes(1 << 17),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_client_is_cut_off_and_others_are_not(
    hazelcast_double: HazelcastDouble, data: bytes
) -> None:
    with connect(hazelcast_double) as client:
        with socket.create_connection(("127.0.0.1", hazelcast_double.port), 10) as hostile:
            hostile.sendall(data)
            try:
                while hostile.recv(1 << 16):
                    pass
            except ConnectionResetError:
                pass
        assert client.get_map("m").size() == 0


def test_a_type_that_does_not_exist_is_refused(hazelcast_double: HazelcastDouble) -> None:
    with socket.create_connection(("127.0.0.1", hazelcast_double.port), 10) as client:
        client.sendall(b"CB2" + HEADER.pack(22, 1, 0xC0, 0x7FFF, 5, -1, 22))
        answer = client.recv(1 << 16)
    assert HEADER.unpack_from(answer)[3:5] == (109, 5)
    assert b"Unrecognized client message received with type: 0x7fff" in answer


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"members": 0}, "members must be 1 to 100, got 0"),
        ({"members": 3, "port": 65534}, "port must leave room for 3 members, got 65534"),
        ({"partition_count": 0}, "partition_count must be 1 to 100000, got 0"),
        ({"max_entries": 0}, "max_entries"),
        ({"client_removal_delay": -1}, "client_removal_delay"),
        ({"ring_capacities": {"a": 0}}, "ring_capacities"),
    ],
)
def test_options_of_a_double_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        HazelcastDouble(**options)


def test_a_call_may_end_before_the_answer_of_the_double(hazelcast_double: HazelcastDouble) -> None:
    hazelcast_double.fail(Fault(method="Map.get", delay=5))
    with connect(hazelcast_double) as client, pytest.raises(CallTimeout):
        client.within(0.2).get_map("m").get("a")


def test_a_client_that_does_not_read_holds_only_itself_up(
    hazelcast_double: HazelcastDouble, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(hazelcast_double) as client:
        found = client.get_map("m")
        found.put_all(dict.fromkeys(range(1000), "x" * 10000))
        with socket.create_connection(("127.0.0.1", hazelcast_double.port), 10) as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            other.sendall(authentication() + 200 * encoded("Map.entrySet", ("m",)))
            time.sleep(0.3)
            # Answers of two gigabytes wait to be made, not to be sent.
            assert client.get_map("m").size() == 1000
            server = hazelcast_double._started()
            unsent = sum(
                each.transport.get_write_buffer_size() + each._session.pending_bytes
                for each in list(server._connections)
            )
            assert 0 < unsent < 32 << 20
        eventually(lambda: len(server._connections) == 1)
    assert "failed" not in caplog.text


def test_names_and_waiting_calls_count_as_bytes() -> None:
    with HazelcastDouble(max_bytes=50_000) as double, connect(double) as client:
        with pytest.raises(ReachedMaxSize, match="at most 50000 bytes"):
            client.get_map("n" * 60_000).size()
        found = client.get_map("m")
        with pytest.raises(ReachedMaxSize, match="at most 50000 bytes"):
            found.lock("k" * 60_000)
        with pytest.raises(ReachedMaxSize, match="at most 50000 bytes"):
            found.add_entry_listener(print, key="k" * 60_000)
        found.lock("a")
        with connect(double) as other, pytest.raises(ReachedMaxSize, match="at most 50000 bytes"):
            other.get_map("m").put("a", "x" * 60_000)
        found.unlock("a")
        for _ in range(20):  # what is given back can be taken again
            queue = client.get_queue("q" * 15_000)
            queue.offer("x" * 10_000)
            queue.destroy()
            found.lock("k" * 20_000)
            found.unlock("k" * 20_000)
            assert client.get_queue("q").poll(timeout=0.001) is None


def test_all_that_is_counted_is_given_back(hazelcast_double: HazelcastDouble) -> None:
    budget = hazelcast_double._cluster.budget
    with connect(hazelcast_double) as client:
        before = budget.entries, budget.bytes
        for _ in range(3):
            client.get_map("m").put_all({1: "a", 2: "b", 3: "c"})
            client.get_map("m").put(1, "longer")
            client.get_map("m").lock(9)
            client.get_map("m").evict(2)
            client.get_multi_map("mm").put(1, "a")
            client.get_multi_map("mm").put(1, "b")
            client.get_multi_map("mm").remove_entry(1, "a")
            client.get_list("l").add_all([1, 2, 3])
            client.get_list("l").set(0, "text")
            client.get_list("l").remove_at(1)
            client.get_set("s").add_all([1, 1, 2])
            client.get_set("s").remove(1)
            client.get_queue("q").add_all([1, 2, 3])
            client.get_queue("q").retain_all([2])
            client.get_atomic_reference("r").set("a")
            client.get_atomic_reference("r").set("longer")
            client.get_ringbuffer("b").add_all([1, 2])
            for found in (
                *(client.get_map("m"), client.get_multi_map("mm"), client.get_list("l")),
                *(client.get_set("s"), client.get_queue("q"), client.get_atomic_reference("r")),
                client.get_ringbuffer("b"),
            ):
                found.destroy()
        assert (budget.entries, budget.bytes) == before


def encoded(name: str, fields: tuple[Any, ...]) -> bytes:
    return HazelcastMessage.named(name).encode(1, -1, fields)


def authentication() -> bytes:
    fields: tuple[Any, ...] = ("dev", "", None, None, True, "PYH", 1, "3.12", "raw", [], None, None)
    return b"CB2" + encoded("Client.authentication", fields)


def test_permits_are_counted_as_java_counts(hazelcast_double: HazelcastDouble) -> None:
    with connect(hazelcast_double) as client:
        permits = client.get_semaphore("s")
        permits.release((1 << 31) - 1)
        permits.release(1)
        assert permits.available_permits() == -(1 << 31)
