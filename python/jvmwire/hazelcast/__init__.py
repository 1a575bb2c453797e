"""Client of Hazelcast's Open Binary Client Protocol 1.x, blocking and asyncio."""

from jvmwire.hazelcast._client import (
    AsyncHazelcastClient,
    DistributedObjectEvent,
    HazelcastClient,
    PartitionLost,
)
from jvmwire.hazelcast._events import EventsLost
from jvmwire.hazelcast._members import (
    Address,
    Lifecycle,
    Member,
    MembershipChange,
    MembershipEvent,
)
from jvmwire.hazelcast._options import HazelcastOptions
from jvmwire.hazelcast._partitions import MigrationEvent
from jvmwire.hazelcast._proxies.entries import (
    EntryEvent,
    EntryEventType,
    EntryView,
    PartitionLostEvent,
)
from jvmwire.hazelcast._proxies.map.arrow_entries import ArrowEntries
from jvmwire.hazelcast._proxies.proxy import ItemEvent
from jvmwire.hazelcast._proxies.reliable_topic import (
    ReliableMessage,
    TopicOverloadPolicy,
)
from jvmwire.hazelcast._proxies.ringbuffer import (
    OverflowPolicy,
    ReadResult,
)
from jvmwire.hazelcast._proxies.runnables import (
    RunnableTask,
    ScheduledRunnable,
)
from jvmwire.hazelcast._proxies.scheduled_executor import (
    ScheduledTaskHandle,
    ScheduledTaskStatistics,
)
from jvmwire.hazelcast._proxies.topic import TopicMessage
from jvmwire.hazelcast._proxies.transaction import TransactionType
from jvmwire.hazelcast.errors import HazelcastError

__all__ = [
    "Address",
    "ArrowEntries",
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
    "connect",
    "connect_async",
]

connect = HazelcastClient.connect
"""Return a client that is connected to a cluster: `HazelcastClient.connect`."""
connect_async = AsyncHazelcastClient.connect
"""Return an asyncio client that is connected to a cluster: `AsyncHazelcastClient.connect`."""
