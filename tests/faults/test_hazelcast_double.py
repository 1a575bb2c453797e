"""Hazelcast's client with a fake member, for behaviour that real ones show seldom or never."""

import asyncio
import itertools
import logging
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from jvmwire.errors import (
    CallTimeout,
    ConnectFailed,
    JvmWireError,
    OutcomeUnknown,
    RemoteProtocolError,
)
from jvmwire.hazelcast import (
    AsyncHazelcastClient,
    HazelcastClient,
    HazelcastOptions,
    Lifecycle,
    Member,
    MembershipChange,
)
from jvmwire.hazelcast._members import Address
from jvmwire.hazelcast.errors import AuthenticationFailed, DuplicateTask, GroupDestroyed
from jvmwire.hazelcast.near_cache import NearCacheConfig
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.options import NEVER, Limits, RetryPolicy
from jvmwire.transports import Tcp, Tls
from kit.fake_member import (
    LIMIT,
    PARTITIONS,
    Answer,
    Asked,
    DoubleMember,
    doubles,
    named,
)
from kit.hazelcast_transcript import KEY, VALUE, interleaved, refusal
from kit.polling import eventually

# Seconds after which an operation hangs.
DEADLINE = 60.0
AT_ONCE = RetryPolicy(attempts=1000, first_wait=0.01, longest_wait=0.05, jitter=0.001)
KEPT, COUNTER = 0, "0"
OPTIONS = HazelcastOptions(
    timeout=DEADLINE, retry_pause=0.01, connect_retry=AT_ONCE, reconnect_retry=AT_ONCE
)


@pytest.fixture
def double():
    with doubles() as [member]:
        yield member


def connect(members: Sequence[DoubleMember], **told: Any) -> HazelcastClient:
    addresses = [member.address for member in members]
    return HazelcastClient.connect(addresses, replace(OPTIONS, **told))


def silence(_: Asked) -> bytes:
    return b""


def test_answers_and_events_in_fragments_of_any_size_are_put_together(double):
    key_of: dict[int, bytes] = {}
    with connect([double]) as client:
        found = client.get_map("m")
        heard: list[Any] = []
        found.add_entry_listener(heard.append)
        [listening] = double.all_of("Map.addEntryListener")
        entries = {number: f"value {number}" * number for number in range(12)}
        for number, value in entries.items():
            found.put(number, value)
            key_of[number] = double.all_of("Map.put")[-1].fields["key"]
        # A header and a byte, then one byte more each time, until nothing is fragmented.
        for limit in range(23, 200):
            double.limit = limit
            number = limit % len(entries)
            key = key_of[number]
            event = double.entry_event(listening.call_id, key, double.entries[key])
            double.say(listening.connection, event)
            assert found.get(number) == entries[number]
            assert dict(found.entry_set()) == entries
        eventually(lambda: len(heard) == 200 - 23)
        told = [(event.key, event.value) for event in heard]
        assert told == [(limit % 12, entries[limit % 12]) for limit in range(23, 200)]


def test_fragments_of_several_answers_may_come_by_turns(double):
    waiting: list[Asked] = []
    both = threading.Barrier(2)

    def answer(asked: Asked) -> bytes:
        waiting.append(asked)
        if len(waiting) < 2:
            return b""
        double.limit = 30
        answers = [
            double.response(one, "Data", double.entries[one.fields["key"]]) for one in waiting
        ]
        return interleaved(*reversed(answers))

    with connect([double]) as client:
        found = client.get_map("m")
        entries = {"a": "first " * 50, "b": "second " * 30}
        for key, value in entries.items():
            found.put(key, value)
        double.answers["Map.get"] = answer
        got: dict[str, Any] = {}

        def get(key: str) -> None:
            both.wait()
            got[key] = found.get(key)

        threads = [threading.Thread(target=get, args=(key,)) for key in entries]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == entries


def test_a_late_answer_is_dropped_and_counted_and_the_connection_lives(double):
    late: list[Asked] = []

    def keep(asked: Asked) -> bytes:
        late.append(asked)
        return b""

    with connect([double]) as client:
        found = client.get_map("m")
        found.put("a", 1)
        get, double.answers["Map.get"] = double.answers["Map.get"], keep
        with pytest.raises(CallTimeout):
            client.within(0.2).get_map("m").get("a")
        assert client.late_replies == 0
        double.say(late[0].connection, get(late[0]))
        double.answers["Map.get"] = get
        assert found.get("a") == 1
        assert client.late_replies == 1
        assert len(double.all_of("Client.authentication")) == 1


def test_the_rest_of_an_answer_that_came_too_late_in_part_is_dropped_and_counted(double):
    halves: list[tuple[Asked, bytes]] = []

    with connect([double]) as client:
        found = client.get_map("m")
        found.put("a", "x" * 500)
        get = double.answers["Map.get"]

        def say_half(asked: Asked) -> Any:
            double.limit = 100
            answer = get(asked)
            double.limit = LIMIT
            halves.append((asked, answer[200:]))
            return answer[:200]

        double.answers["Map.get"] = say_half
        with pytest.raises(CallTimeout):
            client.within(0.2).get_map("m").get("a")
        [(asked, rest)] = halves
        double.say(asked.connection, rest)
        double.answers["Map.get"] = get
        assert found.get("a") == "x" * 500
        assert client.late_replies == 1
        assert len(double.all_of("Client.authentication")) == 1


MEMBER_LEFT = (35, "com.hazelcast.core.MemberLeftException")
MEMBER_ADDED, MEMBER_REMOVED = 1, 2
SLOWLY = RetryPolicy(attempts=1000, first_wait=0.1)
NOT_NOW = (49, "com.hazelcast.spi.exception.RetryableHazelcastException")


@pytest.mark.parametrize("refused", [MEMBER_LEFT, NOT_NOW], ids=["member left", "not now"])
def test_a_listener_that_is_refused_for_now_is_told_each_event_once(double, refused):
    # A member that has just lost another refuses, and keeps the registration.
    registered: list[Asked] = []
    register = double.answers["Map.addEntryListener"]

    def refuse_twice(asked: Asked) -> Any:
        registered.append(asked)
        if len(registered) < 3:
            return refusal(asked.call_id, *refused)
        return register(asked)

    double.answers["Map.addEntryListener"] = refuse_twice
    with connect([double]) as client:
        found = client.get_map("m")
        heard: list[Any] = []
        found.add_entry_listener(heard.append)
        assert len({asked.call_id for asked in registered}) == 3
        for number in range(20):
            found.put(number, number)
            data = double.all_of("Map.put")[-1].fields
            for asked in registered:
                event = double.entry_event(asked.call_id, data["key"], data["value"])
                double.say(asked.connection, event)
        eventually(lambda: [event.key for event in heard] == list(range(20)))
        assert found.get(0) == 0


def ids(asked: Sequence[Asked]) -> set[int]:
    return {one.call_id for one in asked}


def test_who_no_longer_waits_for_a_listener_to_be_taken_is_told_nothing(double):
    register = double.answers["Map.addEntryListener"]
    double.answers["Map.addEntryListener"] = silence
    heard: list[Any] = []

    async def listen() -> None:
        async with await AsyncHazelcastClient.connect([double.address], OPTIONS) as client:
            found = client.get_map("m")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(found.add_entry_listener(heard.append), 0.2)
            with pytest.raises(CallTimeout):
                await client.within(0.2).get_map("m").add_entry_listener(heard.append)
            asked = double.all_of("Map.addEntryListener")
            assert len(asked) == 2
            for one in asked:
                event = double.entry_event(one.call_id, KEY, VALUE)
                double.say(one.connection, register(one) + event)
            await found.put("a", 1)
            assert heard == []
            assert client.late_replies == 2
            # The member keeps no listener without a client.
            while len(double.all_of("Map.removeEntryListener")) < 2:
                await asyncio.sleep(0.01)
            [link] = client._cluster._links.all()
            assert not [key for key in link.connection.listeners if key in ids(asked)]
            assert not client._cluster._listeners._registrations

    asyncio.run(listen())


def test_a_listener_that_is_refused_for_good_is_an_error(double):
    double.answers["Map.addEntryListener"] = lambda asked: refusal(asked.call_id, 52, "a.Denied")
    with connect([double]) as client, pytest.raises(PermissionError, match="no"):
        client.get_map("m").add_entry_listener(print)


@pytest.mark.parametrize(("increment", "count"), [(0, 100), (-1, 5), (1, 0), (1, -1), (1, 101)])
def test_ids_that_no_member_gives_are_refused(double, increment, count):
    double.answers["FlakeIdGenerator.newIdBatch"] = lambda asked: double.response(
        asked, "IdBatch", 7, increment, count
    )
    with connect([double]) as client:
        ids = client.get_flake_id_generator("f")
        with pytest.raises(RemoteProtocolError, match=f"{count} ids, {increment} apart"):
            ids.new_id()


def test_credentials_are_asked_for_anew_at_each_authentication(double):
    tokens = (f"token {number}" for number in itertools.count())
    shown: list[Any] = []

    def judge(asked: Asked) -> Any:
        shown.append(SerializationService().to_object(asked.fields["credentials"]))
        return double.let_in(asked)

    double.answers["Client.authenticationCustom"] = judge
    with connect([double], credentials=lambda: next(tokens)) as client:
        found = client.get_map("m")
        found.put("a", 1)
        assert shown == ["token 0"]
        double.hang_up()
        eventually(lambda: len(shown) == 2)
        assert found.get("a") == 1
        assert shown == ["token 0", "token 1"]
        assert double.names().count("Client.authentication") == 0


def test_credentials_that_are_refused_are_told_and_renewed_ones_are_taken(double):
    tokens = iter(["old", "new"])

    def judge(asked: Asked) -> Any:
        shown = SerializationService().to_object(asked.fields["credentials"])
        return double.let_in(asked, status=0 if shown == "new" else 1)

    double.answers["Client.authenticationCustom"] = judge
    options = replace(OPTIONS, credentials=lambda: next(tokens))
    with HazelcastClient([double.address], options) as client:
        with pytest.raises(AuthenticationFailed, match="credentials"):
            client.get_map("m").get("a")
        assert client.get_map("m").get("a") is None


def test_who_calls_as_the_connection_is_lost_shares_the_next_one(double):
    with connect([double]) as client:
        found = client.get_map("m")
        found.put("a", 1)
        for losses in range(1, 20):
            double.hang_up()
            assert found.get("a") == 1
            ids = [asked.call_id for asked in double.all_of("Client.authentication")]
            # One more each time: members refuse a client whose authentications overtake each other.
            assert (ids, len(ids)) == (sorted(ids), losses + 1)


def test_tls_is_an_endpoint_like_any_other(ca):
    tls = Tls(ca_file=ca.file, server_hostname="localhost")
    with doubles(2, tls=ca.server()) as members:

        def secure(address: Address) -> Tcp:
            return Tcp(address.host, address.port, tls=tls)

        with connect(members, endpoint=secure) as client:
            found = client.get_map("m")
            found.put("a", "b" * 100_000)
            assert found.get("a") == "b" * 100_000
            eventually(lambda: all(member.names() for member in members))
        with pytest.raises(ConnectFailed, match="no member lets us in"):
            connect(members, connect_retry=RetryPolicy(attempts=1))


def test_a_load_balancer_says_who_is_asked_what_no_partition_answers():
    with doubles(3) as members:
        chosen = members[1]

        def balance(known: Sequence[Member]) -> Member:
            [one] = [member for member in known if member.uuid == chosen.uuid]
            return one

        with connect(members, load_balancer=balance) as client:
            for number in range(10):
                assert client.get_map("m").size() == 0, number
            assert len(chosen.all_of("Map.size")) == 10
            for number in range(50):
                client.get_map("m").put(number, number)
        assert all(member.all_of("Map.put") for member in members)


def test_members_take_turns_where_nobody_says_otherwise():
    with doubles(3) as members, connect(members) as client:
        for _ in range(30):
            client.get_map("m").size()
        assert all(len(member.all_of("Map.size")) >= 5 for member in members)


@pytest.mark.parametrize(
    "says",
    [b"\xff" * 64, b"\x16\0\0\0\1\xc0\x64\0" + b"\x77" * 14, bytes(64)],
    ids=["a wrong length", "an answer to nothing", "nothing but zeros"],
)
def test_a_member_that_talks_nonsense_is_left_and_the_others_serve(says):
    with doubles(2) as members, connect(members) as client:
        life: list[Any] = []
        client.add_lifecycle_listener(life.append)
        found = client.get_map("m")
        keys: dict[str, int] = {}
        number = 0
        while len(keys) < 2:
            found.put(number, number)
            for member in members:
                if member.names()[-1] == "Map.put":
                    keys.setdefault(member.uuid, number)
            number += 1
        mad, sane = members[1], members[0]
        put = mad.answers["Map.put"]
        mad.answers["Map.put"] = lambda _: says
        with pytest.raises(OutcomeUnknown, match=r"Map\.put"):
            found.put(keys[mad.uuid], "x")
        assert found.get(keys[sane.uuid]) == keys[sane.uuid]
        mad.answers["Map.put"] = put
        eventually(lambda: len(mad.all_of("Client.authentication")) == 2)
        eventually(lambda: found.get(keys[mad.uuid]) == keys[mad.uuid])
        assert Lifecycle.DISCONNECTED not in life


def test_a_put_is_sent_once_and_a_get_again_where_the_member_hangs_up(double):
    def hang_up(asked: Asked) -> bytes:
        double.answers[asked.name] = usual[asked.name]
        double.hang_up()
        return b""

    usual = dict(double.answers)
    with connect([double]) as client:
        found = client.get_map("m")
        found.put("a", 1)
        double.answers["Map.put"] = hang_up
        with pytest.raises(OutcomeUnknown):
            found.put("a", 2)
        assert len(double.all_of("Map.put")) == 2
        double.answers["Map.get"] = hang_up
        assert found.get("a") == 1
        assert len(double.all_of("Map.get")) == 2
        assert client.repeated_calls == 1
    with connect([double], redo=True) as client:
        double.answers["Map.put"] = hang_up
        assert client.get_map("m").put("a", 3) == 1
        assert len(double.all_of("Map.put")) == 4


@pytest.mark.parametrize(
    ("code", "java_class", "again"),
    [
        (21, "com.hazelcast.core.HazelcastInstanceNotActiveException", True),
        (41, "com.hazelcast.spi.exception.PartitionMigratingException", True),
        (49, "com.hazelcast.spi.exception.RetryableHazelcastException", True),
        (56, "com.hazelcast.spi.exception.TargetNotMemberException", True),
        (66, "com.hazelcast.spi.exception.WrongTargetException", True),
        (35, "com.hazelcast.core.MemberLeftException", False),
        (55, "com.hazelcast.spi.exception.TargetDisconnectedException", False),
        (25, "java.lang.IllegalArgumentException", False),
    ],
)
def test_what_is_refused_is_sent_again_only_if_nothing_was_done(double, code, java_class, again):
    put = double.answers["Map.put"]

    def refuse_once(asked: Asked) -> bytes:
        double.answers["Map.put"] = put
        return refusal(asked.call_id, code, java_class)

    with connect([double]) as client:
        found = client.get_map("m")
        double.answers["Map.put"] = refuse_once
        if again:
            assert found.put("a", 1) is None
        else:
            with pytest.raises(JvmWireError) as raised:
                found.put("a", 1)
            assert isinstance(raised.value, OutcomeUnknown) == (code in {35, 55})
        ids = [asked.call_id for asked in double.all_of("Map.put")]
        # A new id for every attempt.
        assert len(ids) == len(set(ids)) == (2 if again else 1)


def owner_and_other(members: Sequence[DoubleMember]) -> tuple[DoubleMember, DoubleMember]:
    """Return the member that owns the client, and the other one."""
    [owner] = [member for member in members if member.all_of("Client.addMembershipListener")]
    [other] = [member for member in members if member is not owner]
    return owner, other


def key_of(client: HazelcastClient, member: DoubleMember) -> int:
    """Return a key whose partition the member holds, according to the client's table."""
    found = client.get_map("m")
    for number in itertools.count():
        found.put(number, number)
        if member.names()[-1] == "Map.put":
            return number
    raise AssertionError


def test_there_is_one_connection_to_a_member_though_it_first_refused_to_look_after_the_client():
    with doubles(2) as members, connect(members) as client:
        owner, other = owner_and_other(members)
        [first] = other.all_of("Client.authentication")

        def refuse_on_the_first(asked: Asked) -> bytes:
            if asked.connection is first.connection:
                return refusal(asked.call_id, *NOT_NOW)
            return other.let_in(asked)

        other.answers["Client.authentication"] = refuse_on_the_first
        owner.answers["Client.authentication"] = lambda asked: refusal(asked.call_id, *NOT_NOW)
        owner.hang_up()
        eventually(lambda: other.all_of("Client.addMembershipListener"))
        eventually(lambda: first.connection.fileno() < 0)

        def hang_up(asked: Asked) -> bytes:
            other.answers[asked.name] = usual
            other.hang_up()
            return b""

        usual, other.answers["Map.size"] = other.answers["Map.size"], hang_up
        assert client.get_map("m").size() == 0


def test_who_only_listens_hears_again_though_the_next_connection_is_lost_at_once(double):
    def hang_up(asked: Asked) -> bytes:
        double.answers[asked.name] = usual
        double.hang_up()
        return b""

    with connect([double]) as client:
        life: list[Any] = []
        client.add_lifecycle_listener(life.append)
        heard: list[Any] = []
        client.get_map("m").add_entry_listener(heard.append)
        usual = double.answers["Map.addEntryListener"]
        double.answers["Map.addEntryListener"] = hang_up
        double.hang_up()
        eventually(lambda: len(double.all_of("Map.addEntryListener")) == 3)
        asked = double.all_of("Map.addEntryListener")[-1]
        double.say(asked.connection, double.entry_event(asked.call_id, KEY, VALUE))
        eventually(lambda: len(heard) == 1)
        eventually(lambda: life == [Lifecycle.DISCONNECTED, Lifecycle.CONNECTED])


def test_a_member_that_tells_a_table_that_is_none_is_left_and_joined_again():
    with doubles() as [double], connect([double]) as client:
        life: list[Any] = []
        client.add_lifecycle_listener(life.append)
        [asked] = double.all_of("Client.addPartitionListener")
        told_twice = [({"host": "127.0.0.1", "port": double.port}, [0, 0])]
        double.say(asked.connection, double.event(asked.call_id, "Partitions", told_twice, 2))
        eventually(lambda: life == [Lifecycle.DISCONNECTED, Lifecycle.CONNECTED])
        assert len(double.all_of("Client.addPartitionListener")) == 2
        assert client.get_map("m").put("k", 1) is None


def test_a_member_that_is_lost_while_another_is_connected_to_is_replaced():
    def lose_the_first(_: Asked) -> bytes:
        first.answers["Client.authentication"] = lambda asked: refusal(asked.call_id, *NOT_NOW)
        first.hang_up()
        return b""

    with doubles(3) as [first, second, third]:
        third.answers["Client.authentication"] = lose_the_first
        with connect([first], connect_timeout=0.5):
            eventually(lambda: second.all_of("Client.addPartitionListener"))


def test_a_member_that_refuses_for_now_is_asked_again_to_look_after_the_client():
    def refuse(asked: Asked) -> bytes:
        other.answers[asked.name] = usual
        return refusal(asked.call_id, *NOT_NOW)

    with doubles(2) as members, connect(members) as client:
        owner, other = owner_and_other(members)
        heard: list[Any] = []
        client.add_membership_listener(heard.append)
        life: list[Any] = []
        client.add_lifecycle_listener(life.append)
        usual = other.answers["Client.getPartitions"]
        other.answers["Client.getPartitions"] = refuse
        owner.answers["Client.authentication"] = lambda asked: refusal(asked.call_id, *NOT_NOW)
        owner.hang_up()
        eventually(lambda: other.all_of("Client.addPartitionListener"))
        # Both attempts are reported.
        listening = other.all_of("Client.addMembershipListener")
        assert len(listening) == 2
        for asked in listening:
            gone = other.event(asked.call_id, "Member", owner.as_told(), MEMBER_REMOVED)
            come = other.event(asked.call_id, "Member", owner.as_told(), MEMBER_ADDED)
            other.say(asked.connection, gone + come)
        changes = [MembershipChange.ADDED] * 2 + [MembershipChange.REMOVED, MembershipChange.ADDED]
        eventually(lambda: [event.change for event in heard] == changes)
        assert client.get_map("m").size() == 0
        assert len(heard) == len(changes)
        assert life == []


def test_a_listener_that_the_next_member_refuses_does_not_keep_the_others_from_hearing(double):
    with connect([double]) as client:
        heard: list[Any] = []
        for _ in range(2):
            client.get_map("m").add_entry_listener(heard.append)
        register = double.answers["Map.addEntryListener"]

        def refuse_once(asked: Asked) -> bytes:
            double.answers["Map.addEntryListener"] = register
            return refusal(asked.call_id, 52, "a.Denied")

        double.answers["Map.addEntryListener"] = refuse_once
        double.hang_up()
        eventually(lambda: len(double.all_of("Map.addEntryListener")) == 4)
        asked = double.all_of("Map.addEntryListener")[-1]
        double.say(asked.connection, double.entry_event(asked.call_id, KEY, VALUE))
        eventually(lambda: len(heard) == 1)


def test_a_member_that_cannot_be_reached_does_not_keep_the_client_from_the_others():
    with doubles(2) as [here, away]:
        away.answers["Client.authentication"] = silence
        with connect([here], connect_timeout=0.3, timeout=5.0) as client:
            found = client.get_map("m")
            for number in range(10):
                found.put(number, number)
            away.answers["Client.authentication"] = away.let_in
            eventually(lambda: found.size() >= 0 and away.all_of("Map.size"))


@pytest.mark.parametrize("smart", [True, False])
def test_call_to_unreachable_member_is_forwarded(smart):
    with doubles(2) as [here, away]:
        away.answers["Client.authentication"] = silence
        here.answers |= {
            "Map.addNearCacheInvalidationListener": lambda asked: here.response(
                asked, "String", here.uuid
            ),
            "Map.fetchNearCacheInvalidationMetadata": lambda asked: here.response(
                asked, "NearCacheInvalidationMetaData", [], []
            ),
        }
        options = {"near_caches": {"m": NearCacheConfig()}, "connect_timeout": 0.3, "timeout": 5.0}
        with connect([here], smart=smart, **options) as client:
            assert client.get_map("m").get("a") is None
            asked = here.all_of("Map.fetchNearCacheInvalidationMetadata")
            assert [one.fields["address"]["port"] for one in asked] == [here.port, away.port]
        assert bool(away.asked) == smart


def test_who_talks_to_one_member_asks_it_for_the_replicas_of_others_too():
    with doubles(3) as [here, *others]:
        here.answers |= {
            "PNCounter.getConfiguredReplicaCount": lambda asked: here.response(asked, "Integer", 3),
            "PNCounter.get": lambda asked: here.response(asked, "CRDTTimestampedLong", 7, [], 3),
        }
        with connect([here], smart=False) as client:
            for number in range(20):
                assert client.get_pn_counter(f"c{number}").get() == 7
        assert not any(member.asked for member in others)


def test_a_cluster_that_restarts_is_used_once_it_has_told_its_own_partitions(double):
    told: list[Asked] = []

    def tell_late(asked: Asked) -> Any:
        told.append(asked)
        where = {"host": "127.0.0.1", "port": double.port}
        table = [] if len(told) < 3 else [(where, list(range(13)))]
        return double.response(asked, "Partitions", table, 0)

    with connect([double]) as client:
        assert client.partition_count == PARTITIONS
        double.answers["Client.getPartitions"] = tell_late
        double.hang_up()
        eventually(lambda: told)
        client.get_map("m").put("a", 1)
        assert client.partition_count == 13
        assert len(told) == 3


@pytest.mark.parametrize("partition", [PARTITIONS, -2])
def test_a_partition_that_the_cluster_does_not_have_is_asked_nothing(double, partition):
    with connect([double]) as client:
        with pytest.raises(ValueError, match=f"^there is no partition {partition}: the cluster"):
            client.invoke("Map.get", name="m", key=b"", thread_id=1, partition_id=partition)
        assert "Map.get" not in double.names()


def test_who_is_refused_at_one_address_is_let_in_at_the_next():
    with doubles() as [wrong], doubles() as [right]:
        wrong.answers["Client.authentication"] = lambda asked: wrong.let_in(asked, status=1)
        with connect([wrong, right]) as client:
            assert client.get_map("m").size() == 0
        assert wrong.all_of("Client.authentication")
        with pytest.raises(AuthenticationFailed, match="group name"):
            connect([wrong])


def test_who_is_refused_as_it_comes_back_tries_again(double):
    refused: list[Asked] = []

    def refuse_twice(asked: Asked) -> Any:
        refused.append(asked)
        return double.let_in(asked, status=1 if len(refused) < 3 else 0)

    with connect([double]) as client:
        double.answers["Client.authentication"] = refuse_twice
        double.hang_up()
        assert client.get_map("m").size() == 0
        assert len(refused) == 3


def test_who_asks_a_member_that_is_put_out_asks_another():
    with doubles(2) as members, connect(members) as client:
        owner, other = owner_and_other(members)
        key = key_of(client, other)
        owner.entries |= other.entries
        asked = threading.Event()

        def stand_still(_: Asked) -> bytes:
            asked.set()
            return b""

        def put_out() -> None:
            asked.wait()
            [listening] = owner.all_of("Client.addMembershipListener")
            gone = owner.event(listening.call_id, "Member", other.as_told(), MEMBER_REMOVED)
            owner.say(listening.connection, gone)

        other.answers["Map.get"] = stand_still
        thread = threading.Thread(target=put_out)
        thread.start()
        assert client.get_map("m").get(key) == key
        thread.join()
        assert [member.uuid for member in client.members] == [owner.uuid]


@pytest.mark.parametrize("code", [35, 55])
def test_a_member_that_left_a_batch_open_is_asked_again_only_where_that_is_safe(double, code):
    def refuse(name: str, *, times: int) -> None:
        usual, refusals = double.answers[name], itertools.count()

        def answer(asked: Asked) -> bytes:
            return (
                refusal(asked.call_id, code, "a.Lost") if next(refusals) < times else usual(asked)
            )

        double.answers[name] = answer

    double.answers["Map.set"] = lambda asked: double.response(asked, "Void")
    with connect([double]) as client:
        found = client.get_map("m")
        for key in range(4):
            found.put(key, -key)
        refuse("Map.get", times=9)
        assert found.get_many(range(4)) == [0, -1, -2, -3]
        refuse("Map.set", times=10)
        with pytest.raises(OutcomeUnknown, match=r"Map\.set"):
            found.put_many({1: 1})
        assert len(double.all_of("Map.set")) == 1


def test_a_batch_that_is_answered_with_another_type_is_the_members_fault(double):
    with connect([double]) as client:
        found = client.get_map("m")
        found.put("a", 1)
        double.answers["Map.set"] = lambda asked: double.response(asked, "Integer", 7)
        with pytest.raises(OutcomeUnknown, match="type 102, not 100"):
            found.put_many({"a": 2, "b": 3})
        assert found.get_many(["a"]) == [1]


def test_of_batches_that_were_given_up_only_the_late_answers_are_counted(double):
    asked: list[Asked] = []

    def keep(one: Asked) -> bytes:
        asked.append(one)
        return b""

    get, double.answers["Map.get"] = double.answers["Map.get"], keep
    with connect([double]) as client:
        found = client.get_map("m")
        value = "x" * 500
        found.put(0, value)
        for _ in range(3):
            with pytest.raises(CallTimeout):
                client.within(0.1).get_map("m").get_many(range(10))
        assert len(asked) == 30
        # One of them in part, before it is given up.
        halves: list[tuple[Asked, bytes]] = []

        def say_half(one: Asked) -> Any:
            double.limit = 100
            halves.append((one, get(one)))
            double.limit = LIMIT
            return halves[0][1][:200]

        double.answers["Map.get"] = say_half
        with pytest.raises(CallTimeout):
            client.within(0.2).get_map("m").get_many([0])
        [(half, data)] = halves
        double.answers["Map.get"] = get
        for one in reversed(asked):
            double.say(one.connection, get(one))
        double.say(half.connection, data[200:])
        assert found.get_many([0, 1]) == [value, None]
        assert client.late_replies == 31
        assert len(double.all_of("Client.authentication")) == 1


@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("Map.put", lambda found, _: found.put(KEPT, "value")),
        ("Map.putAll", lambda found, _: found.put_all({KEPT: "value"})),
        ("Map.getAll", lambda found, _: found.get_all([KEPT])),
        ("Map.set", lambda found, _: found.put_many({KEPT: "value"})),
        ("AtomicLong.incrementAndGet", lambda _, counter: counter.increment_and_get()),
    ],
)
def test_what_a_cluster_refused_goes_where_its_key_lies_in_the_next_cluster(
    double, caplog, name, act
):
    usual = {
        "Map.putAll": lambda asked: double.response(asked, "Void"),
        "Map.getAll": lambda asked: double.response(asked, "ListEntry", []),
        "Map.set": lambda asked: double.response(asked, "Void"),
        "AtomicLong.incrementAndGet": lambda asked: double.response(asked, "Long", 1),
    }
    double.answers.update(usual)
    tell_partitions = double.answers["Client.getPartitions"]
    answer = double.answers[name]

    def tell_late(asked: Asked) -> Any:
        told = tell_partitions(asked)
        threading.Timer(0.1, double.say, (asked.connection, told)).start()
        return b""

    def stop(asked: Asked) -> bytes:
        double.partitions = 3
        double.answers[name] = answer
        double.answers["Client.getPartitions"] = tell_late
        inactive = "com.hazelcast.core.HazelcastInstanceNotActiveException"
        double.say(asked.connection, refusal(asked.call_id, 21, inactive))
        double.hang_up()
        return b""

    double.answers[name] = stop
    caplog.set_level(logging.DEBUG, "jvmwire.wire")
    with connect([double], trace=True, retry_pause=0.2) as client:
        act(client.get_map("m"), client.get_atomic_long(COUNTER))
    asked = double.names()
    # The structure is announced to the cluster again before.
    assert asked[asked.index(name) :].count("Client.createProxy") == 1
    partitions = SerializationService()
    key = partitions.to_data(COUNTER if name.startswith("Atomic") else KEPT)
    sent = re.findall(rf"> -?\d+ <{re.escape(name)} on partition (\d+)>", caplog.text)
    before, after = partitions.partition_id(key, 7), partitions.partition_id(key, 3)
    assert before >= 3
    # A batch does not name the partitions of its requests.
    assert [*map(int, sent)] == ([after] if name == "Map.set" else [before, after])


def test_a_call_that_is_misread_is_repeated_once(double):
    with connect([double]) as client:
        found = client.get_map("m")
        found.put("a", 1)
        get = double.answers["Map.get"]

        def misread(*, times: int) -> None:
            left = iter(range(times))

            def answer(asked: Asked) -> Any:
                if next(left, None) is None:
                    return get(asked)
                return double.response(asked, "Integer", 7)

            double.answers["Map.get"] = answer

        misread(times=1)
        assert found.get("a") == 1
        misread(times=2)
        with pytest.raises(RemoteProtocolError, match="type 102, not 105"):
            found.get("a")
        assert found.get("a") == 1


def test_a_listener_whose_removal_was_given_up_is_removed_later_from_the_others():
    with doubles(3) as members, connect(members) as client:
        eventually(lambda: all(member.names() for member in members))
        found = client.get_map("m")
        listener = found.add_entry_listener(print)
        silent = next(member for member in members if member.all_of("Map.addEntryListener"))
        removing = silent.answers["Map.removeEntryListener"]
        silent.answers["Map.removeEntryListener"] = lambda _: b""
        with pytest.raises(CallTimeout):
            client.within(0.2).get_map("m").remove_listener(listener)
        silent.answers["Map.removeEntryListener"] = removing
        assert not found.remove_listener(listener)
        listened = [member for member in members if member.all_of("Map.addEntryListener")]
        eventually(lambda: all(one.all_of("Map.removeEntryListener") for one in listened))
        eventually(lambda: len(silent.all_of("Map.removeEntryListener")) == 2)


def silent_topic(double: DoubleMember) -> None:
    double.answers["Ringbuffer.tailSequence"] = lambda asked: double.response(asked, "Long", 41)
    double.answers["Ringbuffer.headSequence"] = lambda asked: double.response(asked, "Long", 3)
    double.answers["Ringbuffer.readMany"] = lambda _: b""


def test_a_listener_of_a_silent_topic_leaves_no_call_behind(double):
    silent_topic(double)
    limits = Limits(calls=2)
    with connect([double], limits=limits, timeout=5.0) as client:
        topic = client.get_reliable_topic("t")
        for _ in range(10):
            assert topic.remove_listener(topic.add_message_listener(print))
        eventually(lambda: len(double.all_of("Ringbuffer.readMany")) > 0)


@pytest.mark.parametrize(
    ("code", "java_class", "tolerant", "sequences"),
    [
        (40, "com.hazelcast.core.OperationTimeoutException", False, [42, 42]),
        (25, "java.lang.IllegalArgumentException", True, [42, 3]),
        (25, "java.lang.IllegalArgumentException", False, [42]),
    ],
)
def test_a_topic_is_read_on_where_the_ring_is_another_or_nothing_came(
    double, code, java_class, tolerant, sequences
):
    silent_topic(double)
    left = iter([0])

    def refuse_once(asked: Asked) -> bytes:
        return b"" if next(left, None) is None else refusal(asked.call_id, code, java_class)

    double.answers["Ringbuffer.readMany"] = refuse_once
    with connect([double]) as client:
        topic = client.get_reliable_topic("t")
        topic.add_message_listener(print, loss_tolerant=tolerant)
        eventually(lambda: len(double.all_of("Ringbuffer.readMany")) == len(sequences))
        reads = double.all_of("Ringbuffer.readMany")
        assert [one.fields["start_sequence"] for one in reads] == sequences


def test_who_listens_to_the_clients_life_is_told_of_its_end(double):
    life: list[Lifecycle] = []
    client = connect([double])
    client.add_lifecycle_listener(life.append)
    client.close()
    assert life == [Lifecycle.SHUTDOWN]
    client.close()
    assert life == [Lifecycle.SHUTDOWN]

    async def live() -> None:
        async with await AsyncHazelcastClient.connect([double.address], OPTIONS) as client:
            await client.add_lifecycle_listener(life.append)

    asyncio.run(live())
    assert life == [Lifecycle.SHUTDOWN] * 2


def test_a_damaged_event_is_skipped_by_callbacks_and_iterators_alike(double):
    with connect([double]) as client:
        found = client.get_map("m")
        events = found.entry_events()
        heard: list[Any] = []
        found.add_entry_listener(heard.append)
        first: list[Any] = []
        reader = threading.Thread(target=lambda: first.append(next(events)))
        reader.start()
        eventually(lambda: len(double.all_of("Map.addEntryListener")) == 2)
        for asked in double.all_of("Map.addEntryListener"):
            double.say(asked.connection, double.entry_event(asked.call_id, b"\0\0", VALUE))
            double.say(asked.connection, double.entry_event(asked.call_id, KEY, VALUE))
        reader.join(DEADLINE)
        eventually(lambda: len(heard) == 1)
        assert first == heard


def test_time_without_end_is_the_longest_that_java_can_say(double):
    with connect([double]) as client:
        client.get_map("m").put("a", 1, ttl=float("inf"))
        [asked] = double.all_of("Map.put")
        assert asked.fields["ttl"] == (1 << 63) - 1
        with pytest.raises(ValueError, match=r"ttl must be .* got nan"):
            client.get_map("m").put("a", 1, ttl=float("nan"))


def test_a_durable_task_is_submitted_again_only_with_redo(double):
    def hang_up(asked: Asked) -> bytes:
        double.answers[asked.name] = lambda asked: double.response(asked, "Integer", 1)
        double.hang_up()
        return b""

    for redo in (False, True):
        double.answers["DurableExecutor.submitToPartition"] = hang_up
        with connect([double], redo=redo) as client:
            durable = client.get_durable_executor("d")
            if redo:
                assert durable.submit("task", key="a") & 0xFFFFFFFF == 1
            else:
                with pytest.raises(OutcomeUnknown):
                    durable.submit("task", key="a")
    assert len(double.all_of("DurableExecutor.submitToPartition")) == 3


def test_a_task_that_was_scheduled_as_its_member_was_lost_is_no_duplicate_of_itself(double):
    def hang_up(asked: Asked) -> bytes:
        double.answers[asked.name] = again
        double.hang_up()
        return b""

    def again(asked: Asked) -> bytes:
        duplicate = "com.hazelcast.scheduledexecutor.DuplicateTaskException"
        return refusal(asked.call_id, 81, duplicate)

    everywhere = ["ScheduledExecutor.submitToPartition", "ScheduledExecutor.submitToAddress"]
    double.answers |= dict.fromkeys(everywhere, hang_up)
    with connect([double]) as client:
        executor = client.get_scheduled_executor("s")
        assert executor.schedule("task", 1.0).handle.task
        assert len(executor.schedule_on_members("task", 1.0)) == 1
        names = {asked.fields["task_name"] for name in everywhere for asked in double.all_of(name)}
        assert len(names) == 2
        # A name that others may have chosen too does not identify a task.
        with pytest.raises(DuplicateTask):
            executor.schedule("task", 1.0, name="report")


@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("ReplicatedMap.size", lambda client: client.get_replicated_map("r").size()),
        ("ExecutorService.submitToPartition", lambda client: submit(client, None)),
        ("ExecutorService.submitToPartition", lambda client: submit(client, KEPT)),
    ],
)
def test_what_any_partition_or_a_tasks_key_asked_for_is_asked_for_anew_in_the_next_cluster(
    double, caplog, name, act
):
    def stop(asked: Asked) -> bytes:
        told = ("Integer", 0) if name == "ReplicatedMap.size" else ("Data", None)
        double.answers[name] = lambda asked: double.response(asked, *told)
        double.partitions = 1
        inactive = "com.hazelcast.core.HazelcastInstanceNotActiveException"
        double.say(asked.connection, refusal(asked.call_id, 21, inactive))
        double.hang_up()
        return b""

    caplog.set_level(logging.DEBUG, "jvmwire.wire")
    with connect([double], trace=True) as client:
        double.answers[name] = stop
        act(client)
    sent = re.findall(rf"> -?\d+ <{re.escape(name)} on partition (\d+)>", caplog.text)
    assert (len(sent), sent[1]) == (2, "0")
    assert sent[0] != "0"
    told = [asked.fields.get("partition_id") for asked in double.all_of(name)]
    assert told in ([None, None], [int(at) for at in sent])


def submit(client: HazelcastClient, key: object) -> None:
    assert client.get_executor("e").submit("task", key=key).result() is None


def test_one_task_tries_to_connect_to_a_member_whatever_comes_to_pass_meanwhile():
    with doubles(2) as [here, away]:
        away.answers["Client.authentication"] = silence
        with connect([here], connect_timeout=0.2) as client:
            heard: list[Any] = []
            client.add_membership_listener(heard.append)
            [listening] = here.all_of("Client.addMembershipListener")
            other = here.as_told() | {"uuid": "another"}
            for _ in range(50):
                for change in (MEMBER_ADDED, MEMBER_REMOVED):
                    event = here.event(listening.call_id, "Member", other, change)
                    here.say(listening.connection, event)
            eventually(lambda: len(heard) == 2 + 100)
            names = [task.name for task in list(client._driver._engine._tasks)]
            assert names.count(f"connect to {away.address}") == 1


def test_a_member_that_stands_still_when_it_is_to_look_after_the_client_is_passed_over():
    with doubles(2) as members, connect(members, connect_timeout=0.3, timeout=10.0) as client:
        owner, other = owner_and_other(members)
        [first] = other.all_of("Client.authentication")

        def stand_still_on_the_first(asked: Asked) -> bytes:
            return b"" if asked.connection is first.connection else other.let_in(asked)

        other.answers["Client.authentication"] = stand_still_on_the_first
        owner.hang_up()
        assert client.get_map("m").size() == 0
        eventually(lambda: first.connection.fileno() < 0)


@pytest.fixture
def replicas():
    with doubles(3) as members:
        for member in members:
            member.answers |= {
                "PNCounter.getConfiguredReplicaCount": lambda asked: members[0].response(
                    asked, "Integer", 3
                ),
                "PNCounter.get": lambda asked: members[0].response(
                    asked, "CRDTTimestampedLong", 7, [], 3
                ),
            }
            member.answers["PNCounter.add"] = member.answers["PNCounter.get"]
        yield members


def refuse_the_first(members: Sequence[DoubleMember], name: str, refuse: Answer) -> list[str]:
    """Have the first member asked refuse from now on; return a list of the members asked."""
    asked_in_turn: list[str] = []

    def answering(member: DoubleMember) -> Answer:
        usual = member.answers[name]

        def answer(asked: Asked) -> bytes:
            asked_in_turn.append(member.uuid)
            return refuse(asked) if member.uuid == asked_in_turn[0] else usual(asked)

        return answer

    for member in members:
        member.answers[name] = answering(member)
    return asked_in_turn


def test_a_counters_replica_that_does_not_answer_in_time_is_not_asked_again(replicas):
    asked = refuse_the_first(replicas, "PNCounter.get", silence)
    with connect(replicas, timeout=0.5) as client:
        counter = client.get_pn_counter("c")
        with pytest.raises(CallTimeout):
            counter.get()
        assert [counter.get() for _ in range(20)] == [7] * 20
    assert asked[0] not in asked[1:]


@pytest.mark.parametrize(
    ("name", "code", "java_class"),
    [
        ("PNCounter.get", 40, "com.hazelcast.core.OperationTimeoutException"),
        ("PNCounter.get", 88, "com.hazelcast.core.ConsistencyLostException"),
        ("PNCounter.add", 88, "com.hazelcast.core.ConsistencyLostException"),
    ],
)
def test_a_counters_replica_that_cannot_say_is_left_for_another(replicas, name, code, java_class):
    def refuse(asked: Asked) -> bytes:
        return refusal(asked.call_id, code, java_class)

    asked = refuse_the_first(replicas, name, refuse)
    with connect(replicas) as client:
        counter = client.get_pn_counter("c")
        for _ in range(20):
            assert (counter.get() if name == "PNCounter.get" else counter.add_and_get(1)) == 7
        assert asked[0] not in asked[1:]
        for member in replicas:
            member.answers[name] = refuse
        with pytest.raises(JvmWireError, match="no"):
            counter.add_and_get(1) if name == "PNCounter.add" else counter.get()


def test_a_client_keeps_to_what_it_saw_of_a_counter_by_whichever_object(replicas):
    with connect(replicas) as client:
        for member in replicas:
            seen = [(member.uuid, 9)]
            member.answers["PNCounter.add"] = lambda asked, seen=seen: replicas[0].response(
                asked, "CRDTTimestampedLong", 7, seen, 3
            )
        client.get_pn_counter("c").add_and_get(1)
        for _ in range(20):
            client.get_pn_counter("c").get()
    [kept] = [one for one in replicas if one.all_of("PNCounter.add")]
    reads = kept.all_of("PNCounter.get")
    assert len(reads) == 20
    assert all(read.fields["replica_timestamps"] == [(kept.uuid, 9)] for read in reads)


def test_a_sum_of_which_nobody_knows_whether_it_was_counted_is_counted_once(replicas):
    timeout = "com.hazelcast.core.OperationTimeoutException"
    asked = refuse_the_first(
        replicas, "PNCounter.add", lambda asked: refusal(asked.call_id, 40, timeout)
    )
    with connect(replicas) as client, pytest.raises(TimeoutError):
        client.get_pn_counter("c").add_and_get(1)
    assert len(asked) == 1


def test_who_is_refused_at_one_address_waits_for_another_that_is_still_starting():
    with doubles() as [wrong], doubles() as [right]:
        wrong.answers["Client.authentication"] = lambda asked: wrong.let_in(asked, status=1)
        tries = itertools.count()

        def hang_up(_: Asked) -> bytes:
            right.hang_up()
            return b""

        def start_slowly(asked: Asked) -> Any:
            return hang_up(asked) if next(tries) < 3 else right.let_in(asked)

        right.answers["Client.authentication"] = start_slowly
        with connect([wrong, right]) as client:
            assert client.get_map("m").size() == 0
        right.answers["Client.authentication"] = hang_up
        few = replace(AT_ONCE, attempts=3)
        before = len(wrong.all_of("Client.authentication"))
        with pytest.raises(AuthenticationFailed, match="group name"):
            connect([wrong, right], connect_retry=few)
        assert len(wrong.all_of("Client.authentication")) == before + 3


def test_a_listener_that_is_taken_as_the_connection_dies_is_taken_by_the_next(double):
    def hang_up(asked: Asked) -> bytes:
        double.answers[asked.name] = usual
        double.hang_up()
        return b""

    usual, double.answers["Map.addEntryListener"] = double.answers["Map.addEntryListener"], hang_up
    with connect([double]) as client:
        heard: list[Any] = []
        listener = client.get_map("m").add_entry_listener(heard.append)
        eventually(lambda: len(double.all_of("Map.addEntryListener")) == 2)
        asked = double.all_of("Map.addEntryListener")[-1]
        double.say(asked.connection, double.entry_event(asked.call_id, KEY, VALUE))
        eventually(lambda: len(heard) == 1)
        assert client.get_map("m").remove_listener(listener)


def test_a_listener_that_is_just_taken_elsewhere_and_refused_is_taken_by_who_waited():
    with doubles(2) as members, connect(members) as client:
        owner, other = owner_and_other(members)
        heard: list[Any] = []
        client.get_map("m").add_entry_listener(heard.append)
        register = other.answers["Map.addEntryListener"]
        held: list[Asked] = []

        def hold(asked: Asked) -> bytes:
            other.answers["Map.addEntryListener"] = register
            held.append(asked)
            return b""

        other.answers["Map.addEntryListener"] = hold
        other.hang_up()
        eventually(lambda: held)
        owner.answers["Client.authentication"] = lambda asked: refusal(asked.call_id, *NOT_NOW)
        owner.hang_up()
        eventually(lambda: other.all_of("Client.addPartitionListener"))
        [waiting] = held
        other.say(waiting.connection, refusal(waiting.call_id, 52, "a.Denied"))
        eventually(lambda: len(other.all_of("Map.addEntryListener")) == 3)
        asked = other.all_of("Map.addEntryListener")[-1]
        other.say(asked.connection, other.entry_event(asked.call_id, KEY, VALUE))
        eventually(lambda: len(heard) == 1)


def test_the_session_of_a_group_that_was_destroyed_meanwhile_has_a_heart(double):
    group = {"name": "default", "seed": 0, "commit_index": 0}
    held: list[Asked] = []

    def hold(asked: Asked) -> bytes:
        held.append(asked)
        return b""

    def tell_group(asked: Asked) -> Any:
        double.answers[asked.name] = hold
        return double.response(asked, "RaftGroupId", group)

    destroyed = "com.hazelcast.cp.exception.CPGroupDestroyedException"
    double.answers |= {
        "CPGroup.createCPGroup": tell_group,
        "CPSession.createSession": hold,
        "CPSession.generateThreadId": lambda asked: double.response(asked, "Long", 1),
        "CPSession.heartbeatSession": lambda asked: double.response(asked, "Void"),
        "CPSession.closeSession": lambda asked: double.response(asked, "Boolean", True),
        "CPFencedLock.lock": lambda asked: double.response(asked, "Long", 1),
        "CPAtomicLong.get": lambda asked: refusal(asked.call_id, 93, destroyed),
    }
    with connect([double]) as client:
        lock = client.cp.get_lock("lock")
        locking = threading.Thread(target=lock.lock)
        locking.start()
        eventually(lambda: held)
        with pytest.raises(GroupDestroyed):
            client.cp.get_atomic_long("number").get()
        # Time to live, and the interval of heartbeats: milliseconds.
        session = double.response(held[0], "RaftSessionResponse", 5, 30_000, 10)
        double.say(held[0].connection, session)
        # The group is requested again before the lock is, and meanwhile:
        eventually(lambda: len(double.all_of("CPSession.heartbeatSession")) > 1)
        double.say(held[1].connection, double.response(held[1], "RaftGroupId", group))
        locking.join()


@pytest.mark.parametrize(("count", "size"), [(2_000, 100), (40, 4_000)], ids=["many", "large"])
def test_a_flood_of_fragments_is_bounded_and_the_client_lives(double, count, size):
    get = double.answers["Map.get"]

    def flood(asked: Asked) -> Any:
        double.answers["Map.get"] = get
        data = named("Response.Data")
        begun = (
            data.encode(asked.call_id + at, -1, (bytes(size * 2),), limit=size)[:size]
            for at in range(count)
        )
        return b"".join(begun)

    with connect([double], message_limit=1 << 16) as client:
        found = client.get_map("m")
        found.put("a", 1)
        double.answers["Map.get"] = flood
        assert found.get("a") == 1
        assert client.repeated_calls == 1


def test_a_timeout_names_the_last_refusal_as_its_cause(double):
    def refuse(asked: Asked) -> bytes:
        return refusal(asked.call_id, *NOT_NOW, "the cluster is PASSIVE")

    with connect([double], timeout=1.0, retry_pause=0.1) as client:
        double.answers["Map.put"] = refuse
        with pytest.raises(CallTimeout, match=r"no answer to put in 1 s; .* is PASSIVE") as raised:
            client.get_map("m").put(1, 1)
    assert "the cluster is PASSIVE" in str(raised.value.__cause__)


def test_members_out_of_reach_are_named_once_with_what_to_check():
    with pytest.raises(ConnectFailed) as raised:
        HazelcastClient.connect(["127.0.0.1:1"], replace(OPTIONS, connect_retry=NEVER))
    assert str(raised.value).startswith("no member lets us in: 127.0.0.1:1: Connection refused (")
    assert str(raised.value).count("127.0.0.1:1") == 1
    assert "check that members listen" in str(raised.value)
    with pytest.raises(CallTimeout, match=r"last try failed: .*Connection refused"):
        HazelcastClient.connect(
            ["127.0.0.1:1"], replace(OPTIONS, timeout=0.3, connect_retry=SLOWLY)
        )
