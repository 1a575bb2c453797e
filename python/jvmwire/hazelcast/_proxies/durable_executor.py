"""DurableExecutorService: tasks and results that survive the loss of members and clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.errors import ConfigError
from jvmwire.hazelcast._arguments import integer
from jvmwire.hazelcast._commands import Key, Request
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation

_named = HazelcastMessage.named

SUBMIT = _named("DurableExecutor.submitToPartition")
RETRIEVE = _named("DurableExecutor.retrieveResult")
DISPOSE = _named("DurableExecutor.disposeResult")
RETRIEVE_AND_DISPOSE = _named("DurableExecutor.retrieveAndDisposeResult")
SHUTDOWN, IS_SHUTDOWN = _named("DurableExecutor.shutdown"), _named("DurableExecutor.isShutdown")

SEQUENCE_BITS = 32
"""Low bits of a task id for its sequence in the partition's ring; the higher bits are the
partition."""


class DurableExecutorOperations(ClientProxy):
    """Operations of a durable executor.

    Tasks are as for an `Executor`. A task and its result stay in a ring of its partition, with
    backups, until they are disposed of: every client with the task's id can fetch the result, and
    if a member is lost, the next owner of the partition executes the task again.
    """

    service = "hz:impl:durableExecutorService"

    @operation
    def submit(self, task: object, *, key: object = None) -> Operation[int]:
        """Submit a task to the owner of `key`, or to any partition.

        Args:
            task: Serializable counterpart of a Java `Callable` of the members, or a
                `RunnableTask`.
            key: Key whose owner executes the task; None is any partition.

        Returns:
            The id of the task.

        Raises:
            RejectedExecution: the ring of the partition is full.
            OutcomeUnknown: the member was lost before it answered. With `redo`, the task is then
                submitted again, as by Java's client, and may be executed twice.
        """
        cluster = self._cluster
        fields = (self.name, self._data(task))
        request = Request(SUBMIT, fields, idempotent=cluster.options.redo)
        request.structure = self.service, self.name
        request.key = Key.ANY_PARTITION if key is None else self._data(key)
        [sequence] = yield from cluster.call(request)
        return request.partition_id << SEQUENCE_BITS | int(sequence)

    @operation
    def retrieve_result(self, task_id: int) -> Operation[Any]:
        """Wait for the result of a task and keep it in the ring.

        Args:
            task_id: Id that `submit` returned.

        Returns:
            The result; None if the task was disposed of.

        Raises:
            StaleTaskId: the task does not exist, or another one has replaced it.
            HazelcastError: the exception that the task raised.
        """
        return self._object((yield from self._ask_of(RETRIEVE, task_id))[0])

    @operation
    def retrieve_and_dispose_result(self, task_id: int) -> Operation[Any]:
        """Wait for the result of a task and remove it from the ring; see `retrieve_result`.

        Args:
            task_id: Id that `submit` returned.

        Returns:
            The result; None if the task was disposed of.

        Raises:
            StaleTaskId: the task does not exist, or another one has replaced it.
            HazelcastError: the exception that the task raised.
        """
        return self._object((yield from self._ask_of(RETRIEVE_AND_DISPOSE, task_id))[0])

    @operation
    def dispose_result(self, task_id: int) -> Operation[None]:
        """Remove a task and its result from the ring.

        Args:
            task_id: Id that `submit` returned.
        """
        yield from self._ask_of(DISPOSE, task_id)

    def _ask_of(self, message: HazelcastMessage, task_id: int) -> Operation[tuple[Any, ...]]:
        partition_id, sequence = divmod(integer("task_id", task_id), 1 << SEQUENCE_BITS)
        yield from self._cluster.ready()
        if not 0 <= partition_id < self._cluster.partitions.count:
            raise ConfigError(
                f"task_id must be one that submit returned, got {task_id}: there is no partition"
                f" {partition_id}"
            )
        yield from self._cluster.create_proxy(self.service, self.name)
        request = Request(message, (self.name, sequence), partition_id, idempotent=True)
        fields: tuple[Any, ...] = yield from self._cluster.call(request)
        return fields

    @operation
    def shutdown(self) -> Operation[None]:
        """Stop accepting tasks, of every client."""
        yield from self._ask(SHUTDOWN, read=True)

    @operation
    def is_shutdown(self) -> Operation[bool]:
        """Return whether the executor was shut down.

        Returns:
            True if it accepts no more tasks.
        """
        down: bool = yield from self._value(IS_SHUTDOWN, read=True)
        return down


class DurableExecutor(DurableExecutorOperations, ThreadIdentity):
    """A durable executor of the cluster, for threads."""


class AsyncDurableExecutor(DurableExecutorOperations, TaskIdentity):
    """A durable executor of the cluster, for asyncio."""
