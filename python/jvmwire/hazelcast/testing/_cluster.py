"""The cluster of a double: its members, its structures and the calls to them, without I/O."""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire.errors import DecodeError
from jvmwire.hazelcast.errors import HazelcastError
from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._atomics import AtomicLongs, AtomicReferences, FlakeIds, PNCounters
from jvmwire.hazelcast.testing._calls import Call, Wait, WaitingCalls
from jvmwire.hazelcast.testing._client_service import MEMBERS, OBJECTS, PARTITIONS, ClientService
from jvmwire.hazelcast.testing._coordination import CountDownLatches, LockService, Semaphores
from jvmwire.hazelcast.testing._limits import MAX_GONE, MAX_STRUCTURES, Budget, too_many
from jvmwire.hazelcast.testing._lists import Lists, Sets
from jvmwire.hazelcast.testing._maps import Maps
from jvmwire.hazelcast.testing._members import ADDED, REMOVED, DoubleMember, Partitions
from jvmwire.hazelcast.testing._multimaps import MultiMaps
from jvmwire.hazelcast.testing._queues import Queues
from jvmwire.hazelcast.testing._ringbuffers import Ringbuffers
from jvmwire.hazelcast.testing._state import ClusterState
from jvmwire.hazelcast.testing._timers import Timer, Timers
from jvmwire.hazelcast.testing._topics import Topics

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast.testing._calls import Client
    from jvmwire.hazelcast.testing._service import Service

_MEMBER_EVENT = HazelcastMessage.named("Event.Member")
_PARTITIONS_EVENT = HazelcastMessage.named("Event.Partitions")
_OBJECT_EVENT = HazelcastMessage.named("Event.DistributedObject")

_log = get_logger("jvmwire.connection")


class DoubleCluster(ClusterState):
    """Members, structures and clients; one thread at a time uses it.

    Args:
        members: The members.
        cluster_name: Name of the cluster (of its group).
        password: Password of the group; None takes any.
        partition_count: Number of partitions.
        budget: Limits of what structures hold.
        client_removal_delay: Milliseconds after which a client that is gone loses its locks.
        ring_capacities: Capacities of ring buffers by a pattern of their names.
        now: Returns the time in milliseconds since 1970.
    """

    def __init__(
        self,
        members: list[DoubleMember],
        *,
        cluster_name: str,
        password: str | None,
        partition_count: int,
        budget: Budget,
        client_removal_delay: int,
        ring_capacities: dict[str, int],
        now: Callable[[], int],
    ) -> None:
        waiting = WaitingCalls(timers := Timers(), budget, self._run_again, self._expire)
        super().__init__(
            members,
            partitions=Partitions(partition_count),
            budget=budget,
            ring_capacities=ring_capacities,
            timers=timers,
            waiting=waiting,
            now=now,
        )
        self.cluster_name, self.password = cluster_name, password
        self._removal_delay = client_removal_delay
        self._connections: dict[str, int] = {}
        """Number of connections by the UUID of their client."""
        self._removals: dict[str, Timer] = {}
        kinds: dict[str, type[Service[Any]]] = {
            "AtomicLong": AtomicLongs,
            "AtomicReference": AtomicReferences,
            "CountDownLatch": CountDownLatches,
            "FlakeIdGenerator": FlakeIds,
            "List": Lists,
            "Lock": LockService,
            "Map": Maps,
            "MultiMap": MultiMaps,
            "PNCounter": PNCounters,
            "Queue": Queues,
            "Ringbuffer": Ringbuffers,
            "Semaphore": Semaphores,
            "Set": Sets,
            "Topic": Topics,
        }
        self._services = {prefix: kind(self) for prefix, kind in kinds.items()}
        self._by_name = {service.name: service for service in self._services.values()}
        self._client_service = ClientService(self)
        self._methods: dict[str, Callable[..., Any] | None] = {}

    # Calls

    def execute(self, call: Call) -> None:
        """Execute a call, and those that waited for its effect, after all that is due.

        Args:
            call: The call.
        """
        self.timers.run(self.now())
        self._run(call)
        self.waiting.wake()

    def run_timers(self) -> None:
        """Do what is due by now."""
        self.timers.run(self.now())
        self.waiting.wake()

    def _run_again(self, call: Call) -> bool:
        return self._run(call, parks=False)

    def _run(self, call: Call, *, parks: bool = True) -> bool:
        """Execute a call and answer it; return whether it must wait."""
        try:
            value = self._method(call.message.name)(call, *call.fields)
        except Wait as wait:
            if not parks:
                return True
            if wait.timeout:
                try:
                    self.waiting.park(call, wait, self.now())
                except HazelcastError as error:
                    call.client.refuse(call.call_id, error)
                return True
            self._expire(call, wait.expired)
        except HazelcastError as error:
            call.client.refuse(call.call_id, error)
        except DecodeError as error:
            text = f"the double cannot read a value of {call.message.name}: {error}"
            name = "com.hazelcast.nio.serialization.HazelcastSerializationException"
            call.client.refuse(call.call_id, java.refuse(name, text))
        except Exception as error:
            self._fail(call, error)
        else:
            self._answer(call, value)
        return False

    def _fail(self, call: Call, error: Exception) -> None:
        """Answer a call at which the double has a fault of its own, which must not end it."""
        _log.error("a call of %s failed", call.message.name, exc_info=error)
        text = f"the double failed: {error!r}"
        call.client.refuse(call.call_id, java.refuse("java.lang.RuntimeException", text))

    def _expire(self, call: Call, value: object) -> None:
        if isinstance(value, HazelcastError):
            call.client.refuse(call.call_id, value)
        else:
            self._answer(call, value)

    def _answer(self, call: Call, value: object) -> None:
        response = HazelcastMessage.of_type(call.message.response)
        assert response is not None  # each request of the table has a response  # noqa: S101
        if len(response.fields) == 1:
            value = (value,)
        fields = value if isinstance(value, tuple) else ()
        try:
            call.client.send(response, call.call_id, fields, event=False)
        except ValueError as error:  # a value does not fit its field
            self._fail(call, error)

    def _method(self, name: str) -> Callable[..., Any]:
        if name not in self._methods:
            prefix, _, method = name.partition(".")
            target = self._client_service if prefix == "Client" else self._services.get(prefix)
            method = _snake_case(method)
            method += "_" if iskeyword(method) else ""
            self._methods[name] = getattr(target, method, None)
        found = self._methods[name]
        if found is None:
            text = f"the double of a cluster has no {name}"
            raise java.refuse(java.UNSUPPORTED, text)
        return found

    # Members

    def member_started(self, member: DoubleMember, port: int) -> None:
        """Let a member join, which listens by now.

        Args:
            member: The member.
            port: Its port.
        """
        member.start(port)
        self.partitions.assign([*self.partitions.running, member])
        self._tell_members(member, ADDED)

    def member_stopped(self, member: DoubleMember) -> None:
        """Let a member leave, whose connections are closed by now; the others keep its entries.

        Args:
            member: The member.
        """
        member.is_running = False
        self.partitions.assign([each for each in self.partitions.running if each is not member])
        self._tell_members(member, REMOVED)

    def _tell_members(self, member: DoubleMember, kind: int) -> None:
        for listener in self.listeners.at(MEMBERS, None):
            listener.send(_MEMBER_EVENT, member.fields, kind)
        for listener in self.listeners.at(PARTITIONS, None):
            listener.send(_PARTITIONS_EVENT, *self.partitions.fields)

    # Structures

    def create_proxy(self, service: str, name: str, origin: DoubleMember) -> None:
        """Note that a client has a proxy of a structure.

        Args:
            service: Name of the Java service.
            name: Name of the structure.
            origin: The member that was called.

        Raises:
            HazelcastError: there are too many.
        """
        if (service, name) in self.proxies:
            return
        if len(self.proxies) >= MAX_STRUCTURES:
            raise too_many(MAX_STRUCTURES, "structures")
        self.budget.take(0, len(service) + len(name))
        self.proxies[service, name] = None
        for listener in self.listeners.at(OBJECTS, origin):
            listener.send(_OBJECT_EVENT, name, service, "CREATED")

    def destroy_proxy(self, service: str, name: str, origin: DoubleMember) -> None:
        """Destroy a structure: calls that wait for it fail.

        Args:
            service: Name of the Java service.
            name: Name of the structure.
            origin: The member that was called.
        """
        known = self.proxies.pop((service, name), 0) is None
        found = self._by_name.get(service)
        if found is not None:
            text = f"DistributedObject[{service}] with ID {name} has been destroyed!"
            for key in found.destroy_structure(name):
                self.waiting.end(key, java.refuse(java.DESTROYED, text))
        if known:
            self.budget.give_back(0, len(service) + len(name))
            for listener in self.listeners.at(OBJECTS, origin):
                listener.send(_OBJECT_EVENT, name, service, "DESTROYED")

    # Clients

    def client_connected(self, owner: str) -> None:
        """Count a connection of a client that was authenticated.

        Args:
            owner: UUID of the client.
        """
        self._connections[owner] = self._connections.get(owner, 0) + 1
        if (removal := self._removals.pop(owner, None)) is not None:
            removal.cancel()

    def client_disconnected(self, client: Client) -> None:
        """Forget a connection; a client without one loses its locks after a time.

        Args:
            client: The connection.
        """
        self.listeners.remove_all_of(client)
        for parked in list(client.parked):
            self.waiting.remove(parked)
        owner = client.uuid
        if not owner:
            return
        left = self._connections.pop(owner) - 1
        if left:
            self._connections[owner] = left
        elif self._removal_delay and len(self._removals) < MAX_GONE:
            due = self.now() + self._removal_delay
            self._removals[owner] = self.timers.at(due, lambda: self._forget(owner))
        else:
            self._forget(owner)
        self.waiting.wake()

    def _forget(self, owner: str) -> None:
        self._removals.pop(owner, None)
        self.locks.release_all_of(owner)
        for service in self._services.values():
            service.forget_client(owner)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
