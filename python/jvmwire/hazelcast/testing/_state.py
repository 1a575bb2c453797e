"""What the services of a double share: members, partitions, locks, listeners, limits."""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from jvmwire.hazelcast.testing._limits import MAX_STRUCTURES, Budget, too_many
from jvmwire.hazelcast.testing._listeners import Registrations
from jvmwire.hazelcast.testing._locks import Locks

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast.testing._calls import WaitingCalls
    from jvmwire.hazelcast.testing._members import DoubleMember, Partitions
    from jvmwire.hazelcast.testing._timers import Timers


class ClusterState(ABC):
    """What the services of a double share.

    Args:
        members: The members.
        partitions: The owners of partitions.
        budget: Limits of what structures hold.
        ring_capacities: Capacities of ring buffers by a pattern of their names.
        timers: The timers.
        waiting: The calls that wait.
        now: Returns the time in milliseconds since 1970.
    """

    cluster_name: str
    password: str | None

    def __init__(
        self,
        members: list[DoubleMember],
        *,
        partitions: Partitions,
        budget: Budget,
        ring_capacities: dict[str, int],
        timers: Timers,
        waiting: WaitingCalls,
        now: Callable[[], int],
    ) -> None:
        self.members = members
        self.cluster_id = str(uuid.uuid4())
        self.partitions = partitions
        self.budget = budget
        self.ring_capacities = ring_capacities
        self.now = now
        self.timers = timers
        self.listeners = Registrations(budget)
        self.waiting = waiting
        self.locks = Locks(timers, budget, now, waiting.notify)
        self.structures = 0
        self.proxies: dict[tuple[str, str], None] = {}
        """Services and names of the structures that clients made proxies of."""

    def origin_of_key(self, key: bytes) -> DoubleMember:
        """Return the member that owns a key, at which its events happen.

        Args:
            key: The serialized key.

        Returns:
            The member.
        """
        return self.partitions.owner(self.partitions.of_key(key))

    def origin_of_name(self, name: str) -> DoubleMember:
        """Return the member that owns a structure, at which its events happen.

        Args:
            name: Name of the structure.

        Returns:
            The member.
        """
        return self.partitions.owner(self.partitions.of_name(name))

    def count_structure(self, name: str) -> None:
        """Count a new structure.

        Args:
            name: Its name.

        Raises:
            HazelcastError: there are too many.
        """
        if self.structures >= MAX_STRUCTURES:
            raise too_many(MAX_STRUCTURES, "structures")
        self.budget.take(0, len(name))
        self.structures += 1

    @abstractmethod
    def create_proxy(self, service: str, name: str, origin: DoubleMember) -> None:
        """Note that a client has a proxy of a structure."""

    @abstractmethod
    def destroy_proxy(self, service: str, name: str, origin: DoubleMember) -> None:
        """Destroy a structure."""

    @abstractmethod
    def client_connected(self, owner: str) -> None:
        """Count a connection of a client that was authenticated."""
