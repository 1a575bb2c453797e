"""DurableExecutorService: tasks whose results outlive members, and who asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.errors import ConfigError
from jvmwire.hazelcast.arguments import whole
from jvmwire.hazelcast.commands import Key, Request
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

SUBMIT = _named("DurableExecutor.submitToPartition")
RETRIEVE = _named("DurableExecutor.retrieveResult")
DISPOSE = _named("DurableExecutor.disposeResult")
RETRIEVE_AND_DISPOSE = _named("DurableExecutor.retrieveAndDisposeResult")
SHUTDOWN, IS_SHUTDOWN = _named("DurableExecutor.shutdown"), _named("DurableExecutor.isShutdown")

SEQUENCE_BITS = 32
"""A task's id is its partition, then its sequence in the partition's ring, of so many bits."""


class DurableExecutorOperations(Proxy):
    """What can be done with a durable executor.

    Tasks are as for an `Executor`. A task and its result stay in a ring of its partition, with
    backups, until it is disposed of: so anyone who knows the task's id may ask, and a task whose
    member is lost is carried out again by the next.
    """

    service = "hz:impl:durableExecutorService"

    @operation
    def submit(self, task: object, *, key: object = None) -> Operation[int]:
        """Have the member carry out a task that holds `key`, else any; return the task's id.

        Raises:
            RejectedExecution: the ring of that partition is full.
            OutcomeUnknown: the member was lost before it answered. With `redo`, the task is then
                submitted again, as Java's client does: it may be carried out twice.
        """
        cluster = self._cluster
        fields = (self.name, self._data(task))
        request = Request(SUBMIT, fields, repeatable=cluster.options.redo)
        request.structure = self.service, self.name
        request.key = Key.ANY if key is None else self._data(key)
        [sequence] = yield from cluster.call(request)
        return request.partition_id << SEQUENCE_BITS | int(sequence)

    @operation
    def retrieve_result(self, task_id: int) -> Operation[Any]:
        """Wait for what a task returns, and leave it there; of one disposed of, return None.

        Raises:
            StaleTaskId: there is no such task, or another stands in its place by now.
            HazelcastError: what the task raised.
        """
        return self._object((yield from self._ask_of(RETRIEVE, task_id))[0])

    @operation
    def retrieve_and_dispose_result(self, task_id: int) -> Operation[Any]:
        """Wait for what a task returns, and make room; see `retrieve_result`."""
        return self._object((yield from self._ask_of(RETRIEVE_AND_DISPOSE, task_id))[0])

    @operation
    def dispose_result(self, task_id: int) -> Operation[None]:
        """Make room where a task and its result stand."""
        yield from self._ask_of(DISPOSE, task_id)

    def _ask_of(self, message: HazelcastMessage, task_id: int) -> Operation[tuple[Any, ...]]:
        partition_id, sequence = divmod(whole("task_id", task_id), 1 << SEQUENCE_BITS)
        yield from self._cluster.ready()
        if not 0 <= partition_id < self._cluster.partitions.count:
            raise ConfigError(
                f"task_id must be one that submit returned, got {task_id}: there is no partition"
                f" {partition_id}"
            )
        yield from self._cluster.create_proxy(self.service, self.name)
        request = Request(message, (self.name, sequence), partition_id, repeatable=True)
        fields: tuple[Any, ...] = yield from self._cluster.call(request)
        return fields

    @operation
    def shutdown(self) -> Operation[None]:
        """Take no more tasks, from anyone."""
        yield from self._ask(SHUTDOWN, read=True)

    @operation
    def is_shutdown(self) -> Operation[bool]:
        """Return whether it takes no more tasks."""
        down: bool = yield from self._value(IS_SHUTDOWN, read=True)
        return down


class DurableExecutor(DurableExecutorOperations, SyncProxy):
    """A durable executor of the cluster, for threads."""


class AsyncDurableExecutor(DurableExecutorOperations, AsyncProxy):
    """A durable executor of the cluster, for asyncio."""
