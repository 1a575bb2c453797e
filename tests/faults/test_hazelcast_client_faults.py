"""Hazelcast's client when members are killed, suspended, restarted, or are not members at all."""

import contextlib
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from typing import Any

import pytest

from jvmwire.errors import ConnectFailed, JvmWireError, OutcomeUnknown
from jvmwire.hazelcast import (
    Address,
    HazelcastClient,
    HazelcastOptions,
    Lifecycle,
    MigrationEvent,
)
from jvmwire.hazelcast.errors import IndeterminateState
from jvmwire.options import NEVER, RetryPolicy
from kit.hazelcast import Member, cluster
from kit.hazelcast_tasks import Work
from kit.jvm import free_port
from kit.polling import eventually

SOON = RetryPolicy(attempts=1000, first_wait=0.1, longest_wait=0.5)
DEADLINE = 60.0
IN_FLIGHT = 128


def options(**told: Any) -> HazelcastOptions:
    usual = HazelcastOptions(
        timeout=DEADLINE,
        heartbeat_interval=1.0,
        heartbeat_timeout=8.0,
        retry_pause=0.2,
        reconnect_retry=SOON,
    )
    return replace(usual, **told)


def connected(members: list[Member], **told: Any) -> HazelcastClient:
    return HazelcastClient.connect([member.address for member in members], options(**told))


class Counter:
    """Has members count to one at each of many keys, from many threads, and keeps the outcomes.

    Calls that counted twice, or not at all, are detected.
    """

    def __init__(self, client: HazelcastClient) -> None:
        self.acknowledged: list[int] = []
        self.unknown: list[int] = []
        self.failed: list[tuple[int, Exception]] = []
        self._map = client.get_map("counted")
        self._next = iter(range(10_000_000))
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> "Counter":
        self._stop.clear()
        self._threads = [threading.Thread(target=self._count) for _ in range(IN_FLIGHT)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def go_on(self) -> None:
        """Wait until each thread has counted once more, on average."""
        seen = len(self.acknowledged)
        eventually(lambda: len(self.acknowledged) > seen + IN_FLIGHT)

    def found(self) -> dict[int, int]:
        """Return the counts of the members, by key."""
        return self._map.get_all([*self.acknowledged, *self.unknown])

    def _count(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                number = next(self._next)
            try:
                self._map.execute_on_key(number, Work("increment"))
            except (OutcomeUnknown, IndeterminateState):
                self.unknown.append(number)
            except JvmWireError as error:
                self.failed.append((number, error))
            else:
                self.acknowledged.append(number)


# The other members give up a suspended member soon, and before the client does: the calls that it
# did and did not answer are decided by then, and would be executed twice if they were repeated.
SETTINGS = {
    "hazelcast.max.no.heartbeat.seconds": "5",
    "hazelcast.heartbeat.interval.seconds": "1",
    "hazelcast.client.endpoint.remove.delay.seconds": "10",
    "hazelcast.partition.count": "31",
    # Otherwise they repeat on their own the operations of a lost member.
    "hazelcast.operation.fail.on.indeterminate.state": "true",
}
GIVEN_UP = 8.0
"""Seconds after which the client gives up a suspended member."""
STALL = 30.0
"""Maximum seconds of a call: both heartbeats' settings, and a busy machine."""


def lose(client: HazelcastClient, member: Member, how: str) -> None:
    """Make the client and the other members lose a member."""
    uuid = member.uuid
    if how == "killed":
        member.kill()
    else:
        member.stop()
    eventually(lambda: uuid not in [known.uuid for known in client.members])
    member.kill()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("how", ["killed", "standing still"])
def test_lost_members_lose_nothing_nothing_is_done_twice_and_listeners_go_on(how, tmp_path):
    told = {"heartbeat_timeout": GIVEN_UP, "connect_timeout": 3.0, "timeout": STALL}
    with cluster(tmp_path, 3, settings=SETTINGS) as members, connected(members, **told) as client:
        heard: list[Any] = []
        client.get_map("heard").add_entry_listener(heard.append)
        lost: list[Any] = []
        client.add_partition_lost_listener(lost.append)
        lost_of_map: list[Any] = []
        client.get_map("single").add_partition_lost_listener(lost_of_map.append)
        assert len(client.members) == 3
        counter = Counter(client)
        for member in members:
            with counter:
                counter.go_on()
                lose(client, member, how)
                counter.go_on()
            member.restart()
            # Another is lost only when each entry is on two members again.
            eventually(lambda: len(client.members) == 3 and members[-1].do("safe") == "true")
        assert [error for _, error in counter.failed] == []
        found = counter.found()
        assert {number for number in counter.acknowledged if found.get(number) != 1} == set()
        assert {number for number in counter.unknown if found.get(number, 0) > 1} == set()
        heard.clear()
        for number in range(50):
            client.get_map("heard").put(number, number)
        eventually(lambda: len({event.key for event in heard}) == 50)
        eventually(lambda: lost and lost_of_map)
        assert {event.partition_id for event in [*lost, *lost_of_map]} <= set(range(31))


HOLDER = """
import sys
from jvmwire.hazelcast import HazelcastClient

client = HazelcastClient.connect(sys.argv[1:])
client.get_lock("lock").lock()
client.get_map("map").lock("key")
print("held", flush=True)
sys.stdin.read()
"""


def test_what_a_killed_client_held_is_the_next_ones(hazelcast_member):
    command = [sys.executable, "-c", HOLDER, hazelcast_member.address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with connected([hazelcast_member]) as client:
            lock, found = client.get_lock("lock"), client.get_map("map")
            assert not lock.try_lock()
            assert not found.try_lock("key")
            holder.kill()
            assert lock.try_lock(timeout=DEADLINE)
            assert found.try_lock("key", timeout=DEADLINE)
            lock.force_unlock()
            found.force_unlock("key")


def test_a_member_that_stands_still_is_given_up_and_the_client_goes_on(tmp_path):
    with Member(tmp_path) as member:
        life: list[Any] = []
        with HazelcastClient.connect([member.address], options()) as client:
            found = client.get_map("m")
            found.put("a", 1)
            client.add_lifecycle_listener(life.append)
            member.stop()
            try:
                eventually(lambda: Lifecycle.DISCONNECTED in life)
            finally:
                member.go_on()
            assert found.get("a") == 1
            eventually(lambda: life == [Lifecycle.DISCONNECTED, Lifecycle.CONNECTED])


def test_a_cluster_that_restarts_is_joined_again_with_all_listeners(tmp_path):
    port = free_port()
    life: list[Any] = []
    heard: list[Any] = []
    with HazelcastClient([f"127.0.0.1:{port}"], options()) as client:
        with Member(tmp_path / "first", port=port) as member:
            client.add_lifecycle_listener(life.append)
            found = client.get_map("m")
            found.put("a", 1)
            found.add_entry_listener(heard.append)
            member.kill()
        eventually(lambda: life == [Lifecycle.CONNECTED, Lifecycle.DISCONNECTED])
        told = {"hazelcast.partition.count": "13"}
        with Member(tmp_path / "second", port=port, settings=told) as member:
            assert found.get("a") is None
            assert client.partition_count == 13
            assert [one.uuid for one in client.members] == [member.uuid]
            eventually(lambda: life[2:] == [Lifecycle.CONNECTED])
            heard.clear()
            found.put("b", 2)
            eventually(lambda: [event.key for event in heard] == ["b"])
            # Created again in the new cluster.
            assert ("hz:impl:mapService", "m") in client.get_distributed_objects()


def test_partitions_that_migrate_to_a_member_that_joins_are_told(tmp_path):
    ports = [free_port() for _ in range(2)]
    with (
        Member(tmp_path / "first", port=ports[0], ports=ports, settings=SETTINGS) as first,
        connected([first]) as client,
    ):
        client.get_map("m").set("key", "value")  # otherwise no partition would have an owner
        heard: list[MigrationEvent] = []
        listener = client.add_migration_listener(heard.append)
        with Member(tmp_path / "second", port=ports[1], ports=ports, settings=SETTINGS) as second:

            def of_second() -> set[int]:
                told = client.invoke("Client.getPartitions")["partitions"]
                return next((set(ids) for at, ids in told if at["port"] == second.port), set())

            eventually(
                lambda: of_second() and {event.partition_id for event in heard} == of_second()
            )
            addresses = [Address("127.0.0.1", member.port) for member in (first, second)]
            assert {(event.old_owner, event.new_owner) for event in heard} == {tuple(addresses)}
            assert len(heard) == len(of_second())
            assert client.remove_listener(listener)


def test_a_dummy_client_talks_to_one_member_and_finds_another(tmp_path):
    with (
        cluster(tmp_path, 2, settings=SETTINGS) as members,
        connected(members[:1], smart=False) as client,
    ):
        heard: list[Any] = []
        found = client.get_map("m")
        found.add_entry_listener(heard.append)
        found.put_all({number: number for number in range(50)})
        eventually(lambda: len(heard) == 50)
        assert members[1].do("clients") == "0"
        members[0].kill()
        assert found.get_all(range(50)) == {number: number for number in range(50)}
        heard.clear()
        for number in range(50):
            found.set(number, -number)
        eventually(lambda: len(heard) == 50)


@pytest.mark.parametrize(
    "says",
    [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"CP2", b"\xff" * 64, b"\x16\0\0\0" + bytes(18)],
    ids=["nothing", "http", "cp2", "negative", "no-message"],
)
def test_who_is_no_member_is_told_in_one_clear_error(says):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(3)
                connection.sendall(says)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ConnectFailed, match=f"no member lets us in: {address}"):
            HazelcastClient.connect([address], options(connect_retry=NEVER))
        thread.join()
