"""IExecutorService: tasks that members execute, and their results."""

from __future__ import annotations

import copy
import uuid
from typing import TYPE_CHECKING, Any, cast

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Either,
    Resource,
    SyncResource,
    operation,
    operation_factory,
)
from jvmwire._runtime.operations import Join, Spawn
from jvmwire.hazelcast._commands import NO_PARTITION, Request
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.operations import Connection, Operation, Task
    from jvmwire.hazelcast._cluster import Cluster
    from jvmwire.hazelcast._members import Address, Member

_named = HazelcastMessage.named

SUBMIT_TO_PARTITION = _named("ExecutorService.submitToPartition")
SUBMIT_TO_ADDRESS = _named("ExecutorService.submitToAddress")
CANCEL_ON_PARTITION = _named("ExecutorService.cancelOnPartition")
CANCEL_ON_ADDRESS = _named("ExecutorService.cancelOnAddress")
SHUTDOWN, IS_SHUTDOWN = _named("ExecutorService.shutdown"), _named("ExecutorService.isShutdown")


class SubmittedTaskOperations(Resource):
    """Operations of a task that was submitted.

    Args:
        client: Client that runs the operations.
        cluster: Cluster of the client.
    """

    _call: Task
    _place: int | Address = NO_PARTITION
    """Partition or member to which the task was submitted last."""

    def __init__(self, client: Caller, cluster: Cluster) -> None:
        super().__init__(client)
        self._cluster = cluster
        self.uuid = str(uuid.uuid4())
        """UUID of the task in the protocol."""

    def _begin(self, call: Operation[Any]) -> Operation[None]:
        self._call = yield Spawn(_outcome(call), f"task {self.uuid}")

    @property
    def done(self) -> bool:
        """Whether the task has a result, an error, or an unknown outcome."""
        return self._call.done

    @operation
    def result(self) -> Operation[Any]:
        """Wait for the result of the task; the client's timeout limits the wait.

        Returns:
            The result of the task.

        Raises:
            HazelcastError: the exception that the task raised; `Cancelled`: the task was
                cancelled.
            OutcomeUnknown: the member was lost during the task.
        """
        fields, error = yield Join(self._call)
        if error is not None:
            raise copy.copy(error)
        return self._cluster.serialization.to_object(fields[0])

    @operation
    def cancel(self, *, interrupt: bool = False) -> Operation[bool]:
        """Cancel the task.

        Args:
            interrupt: Whether to interrupt a task that has begun.

        Returns:
            True if the task will have no result.
        """
        if self._call.done:
            return False
        place, cluster = self._place, self._cluster
        if isinstance(place, int):
            fields: tuple[Any, ...] = (self.uuid, place, interrupt)
            request = Request(CANCEL_ON_PARTITION, fields, place, idempotent=True)
            [cancelled] = yield from cluster.call(request)
        else:
            fields = (self.uuid, {"host": place.host, "port": place.port}, interrupt)
            request = Request(CANCEL_ON_ADDRESS, fields, idempotent=True)
            [cancelled] = yield from cluster.call_member(place, request)
        return bool(cancelled)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.uuid}, {'done' if self.done else 'on its way'}>"


class SubmittedTask(SubmittedTaskOperations, SyncResource):
    """A submitted task, for threads."""


class AsyncSubmittedTask(SubmittedTaskOperations, AsyncResource):
    """A submitted task, for asyncio."""


class ExecutorOperations(ClientProxy):
    """Operations of an executor.

    A task is an instance of a Java class of the members, a `Callable`, that the client serializes;
    a class that is only a `Runnable` needs a `RunnableTask`. It is submitted once: if its member is
    lost, `result` raises `OutcomeUnknown`.
    """

    service = "hz:impl:executorService"

    @operation_factory
    def submit(
        self, task: object, *, key: object = None
    ) -> Operation[Either[SubmittedTask, AsyncSubmittedTask]]:
        """Submit a task to the owner of `key`, or to any partition.

        Args:
            task: Serializable counterpart of a Java `Callable` of the members, or a
                `RunnableTask`.
            key: Key whose owner executes the task; None is any partition.

        Returns:
            The submitted task.
        """
        data, held = self._data(task), None if key is None else self._data(key)
        yield from self._cluster.create_proxy(self.service, self.name)
        return (yield from self._submit_to_partition(data, held))

    @operation_factory
    def submit_to_member(
        self, task: object, member: Member
    ) -> Operation[Either[SubmittedTask, AsyncSubmittedTask]]:
        """Submit a task to a member.

        Args:
            task: Serializable counterpart of a Java `Callable` of the members, or a
                `RunnableTask`.
            member: Member that executes the task.

        Returns:
            The submitted task.
        """
        data = self._data(task)
        yield from self._cluster.create_proxy(self.service, self.name)
        return (yield from self._submit_to_member(data, member.address))

    @operation_factory
    def submit_to_members(
        self, task: object, members: Iterable[Member] | None = None
    ) -> Operation[Either[dict[Member, SubmittedTask], dict[Member, AsyncSubmittedTask]]]:
        """Submit a task to each of many members.

        Args:
            task: Serializable counterpart of a Java `Callable` of the members, or a
                `RunnableTask`.
            members: Members that execute the task; None is all members.

        Returns:
            The submitted tasks by member.
        """
        data = self._data(task)
        yield from self._cluster.create_proxy(self.service, self.name)
        if members is None:
            members = list(self._cluster.members.values())
        submitted = {}
        for member in members:
            submitted[member] = yield from self._submit_to_member(data, member.address)
        return cast("Either[Any, Any]", submitted)

    def _submit_to_partition(
        self, data: bytes, key: bytes | None
    ) -> Operation[Either[SubmittedTask, AsyncSubmittedTask]]:
        cluster = self._cluster
        submitted: Any = self._styled(SubmittedTask, AsyncSubmittedTask)(self._client, cluster)

        def choose() -> Operation[tuple[Connection, Request]]:
            while True:
                yield from cluster.create_proxy(self.service, self.name)
                at = cluster.any_partition() if key is None else cluster.partition_of(key)
                if (connection := cluster.connection_to(at)) is not None:
                    break
                yield from cluster.join()
            submitted._place = at
            fields = (self.name, submitted.uuid, data, at)
            redo = cluster.options.redo
            return connection, Request(SUBMIT_TO_PARTITION, fields, at, idempotent=redo)

        yield from submitted._begin(cluster.call_with_selector(choose))
        return cast("Either[Any, Any]", submitted)

    def _submit_to_member(
        self, data: bytes, place: Address
    ) -> Operation[Either[SubmittedTask, AsyncSubmittedTask]]:
        cluster = self._cluster
        submitted: Any = self._styled(SubmittedTask, AsyncSubmittedTask)(self._client, cluster)
        submitted._place = place
        fields = (self.name, submitted.uuid, data, {"host": place.host, "port": place.port})
        request = Request(SUBMIT_TO_ADDRESS, fields, idempotent=cluster.options.redo)
        yield from submitted._begin(cluster.call_member(place, request))
        return cast("Either[Any, Any]", submitted)

    # Shutting down is idempotent.

    @operation
    def shutdown(self) -> Operation[None]:
        """Shut the executor down; running tasks end and `is_shutdown` becomes true.

        Members of 3.12 still accept tasks afterwards: check `is_shutdown` before submitting.
        """
        yield from self._ask(SHUTDOWN, read=True)

    @operation
    def is_shutdown(self) -> Operation[bool]:
        """Return whether the executor was shut down.

        Returns:
            True if it was shut down.
        """
        down: bool = yield from self._value(IS_SHUTDOWN, read=True)
        return down


def _outcome(operation: Operation[Any]) -> Operation[tuple[Any, Exception | None]]:
    """Run an operation; return its result or its exception, for a later call of `result`."""
    try:
        return (yield from operation), None
    except Exception as error:  # `result` raises it
        return None, error


class Executor(ExecutorOperations, ThreadIdentity):
    """An executor of the cluster, for threads."""


class AsyncExecutor(ExecutorOperations, TaskIdentity):
    """An executor of the cluster, for asyncio."""
