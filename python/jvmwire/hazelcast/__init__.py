"""Client of Hazelcast's Open Binary Client Protocol 1.x, blocking and asyncio."""

from jvmwire.hazelcast.client import (
    AsyncHazelcastClient,
    DistributedObjectEvent,
    HazelcastClient,
    PartitionLost,
)
from jvmwire.hazelcast.errors import HazelcastError
from jvmwire.hazelcast.events import EventsLost
from jvmwire.hazelcast.members import (
    Address,
    Lifecycle,
    Member,
    MembershipChange,
    MembershipEvent,
)
from jvmwire.hazelcast.options import HazelcastOptions
from jvmwire.hazelcast.partitions import MigrationEvent
from jvmwire.hazelcast.proxies.entries import (
    EntryEvent,
    EntryEventType,
    EntryView,
    PartitionLostEvent,
)
from jvmwire.hazelcast.proxies.proxy import ItemEvent
from jvmwire.hazelcast.proxies.reliable_topic import (
    ReliableMessage,
    TopicOverloadPolicy,
)
from jvmwire.hazelcast.proxies.ringbuffer import (
    OverflowPolicy,
    ReadResult,
)
from jvmwire.hazelcast.proxies.runnables import (
    RunnableTask,
    ScheduledRunnable,
)
from jvmwire.hazelcast.proxies.scheduled_executor import (
    ScheduledTaskHandle,
    ScheduledTaskStatistics,
)
from jvmwire.hazelcast.proxies.topic import TopicMessage
from jvmwire.hazelcast.proxies.transaction import TransactionType

__all__ = [
    "Address",
    "AsyncHazelcastClient",
    "DistributedObjectEvent",
    "EntryEvent",
    "EntryEventType",
    "EntryView",
    "EventsLost",
    "HazelcastClient",
    "HazelcastError",
    "HazelcastOptions",
    "ItemEvent",
    "Lifecycle",
    "Member",
    "MembershipChange",
    "MembershipEvent",
    "MigrationEvent",
    "OverflowPolicy",
    "PartitionLost",
    "PartitionLostEvent",
    "ReadResult",
    "ReliableMessage",
    "RunnableTask",
    "ScheduledRunnable",
    "ScheduledTaskHandle",
    "ScheduledTaskStatistics",
    "TopicMessage",
    "TopicOverloadPolicy",
    "TransactionType",
]
