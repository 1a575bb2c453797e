"""Members of a double, and the partitions that each owns."""

from __future__ import annotations

import uuid
from typing import Any

from jvmwire._core import hazelcast_partition_hash, hazelcast_partition_id
from jvmwire.hazelcast.serialization import SerializationService

ADDED, REMOVED = 1, 2
"""Types of a membership event (`MembershipEvent`)."""
MAX_NAMES = 100_000
"""Names of structures whose partitions are kept."""
_SERIALIZATION = SerializationService()


class DoubleMember:
    """One member: an address, and a UUID for each time that it is started.

    Args:
        host: Address that it listens at.
        port: Port that it listens at; 0 for any, until it is started.
    """

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.uuid = ""
        self.is_running = False

    def start(self, port: int) -> None:
        """Be a new member of the cluster.

        Args:
            port: Port that it listens at.
        """
        self.port = port
        self.uuid = str(uuid.uuid4())
        self.is_running = True

    @property
    def address(self) -> dict[str, Any]:
        """The address, as the fields of a message."""
        return {"host": self.host, "port": self.port}

    @property
    def fields(self) -> dict[str, Any]:
        """The member, as the fields of a message."""
        named = {"address": self.address, "uuid": self.uuid}
        return named | {"lite_member": False, "attributes": []}


class Partitions:
    """The owner of each partition.

    Args:
        count: Number of partitions.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.version = 0
        self.running: list[DoubleMember] = []
        """The members that run, the oldest first."""
        self._names: dict[str, int] = {}

    def assign(self, running: list[DoubleMember]) -> None:
        """Give each running member its share.

        Args:
            running: The members, the oldest first.
        """
        self.running = running
        self.version += self.count

    def owner(self, partition_id: int) -> DoubleMember:
        """Return the owner of a partition.

        Args:
            partition_id: The partition.

        Returns:
            The member.
        """
        return self.running[partition_id % len(self.running)]

    def of_key(self, key: bytes) -> int:
        """Return the partition of a key.

        Args:
            key: The serialized key.

        Returns:
            The partition.
        """
        return hazelcast_partition_id(hazelcast_partition_hash(key), self.count)

    def of_name(self, name: str) -> int:
        """Return the partition of a structure that is in one.

        Args:
            name: Its name.

        Returns:
            The partition.
        """
        if (found := self._names.get(name)) is None:
            # StringPartitioningStrategy: the key is the text after the first @, even if empty.
            _, at, after = name.partition("@")
            found = self.of_key(_SERIALIZATION.to_data(after if at else name))
            if len(self._names) < MAX_NAMES:
                self._names[name] = found
        return found

    @property
    def fields(self) -> tuple[list[tuple[dict[str, Any], list[int]]], int]:
        """The table, as the fields of a message."""
        several = len(self.running)
        table = [
            (member.address, list(range(at, self.count, several)))
            for at, member in enumerate(self.running)
        ]
        return table, self.version
