"""Hazelcast's Open Binary Client Protocol 1.x: a cluster's client, blocking and asyncio."""

from jvmwire.hazelcast.client import AsyncHazelcastClient, HazelcastClient
from jvmwire.hazelcast.errors import HazelcastError
from jvmwire.hazelcast.members import Address, Lifecycle, Member, MembershipChange, MembershipEvent
from jvmwire.hazelcast.options import HazelcastOptions
from jvmwire.hazelcast.partitions import MigrationEvent

__all__ = [
    "Address",
    "AsyncHazelcastClient",
    "HazelcastClient",
    "HazelcastError",
    "HazelcastOptions",
    "Lifecycle",
    "Member",
    "MembershipChange",
    "MembershipEvent",
    "MigrationEvent",
]
