"""IScheduledExecutorService: tasks that members execute after a delay, once or periodically."""

from __future__ import annotations

import enum
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Either,
    Resource,
    SyncResource,
    factory,
    operation,
    operation_factory,
)
from jvmwire.hazelcast._arguments import text
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._members import Address, Member
from jvmwire.hazelcast._proxies.proxy import ClientProxy, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity
from jvmwire.hazelcast.errors import DuplicateTask

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._cluster import Cluster

_named = HazelcastMessage.named

SUBMIT_TO_PARTITION = _named("ScheduledExecutor.submitToPartition")
SUBMIT_TO_ADDRESS = _named("ScheduledExecutor.submitToAddress")
ALL = _named("ScheduledExecutor.getAllScheduledFutures")
SHUTDOWN = _named("ScheduledExecutor.shutdown")

NANOSECONDS = 1_000_000_000
"""Nanoseconds per second, the unit of the members' times here."""


class ScheduleType(enum.IntEnum):
    """Schedule of a task: `TaskDefinition.Type`."""

    ONCE = 0
    AT_FIXED_RATE = 1


@dataclass(frozen=True, slots=True)
class ScheduledTaskStatistics:
    """Statistics of a scheduled task; times are in seconds.

    Args:
        last_idle: Idle time before the last execution.
        total_idle: Idle time before all executions.
        runs: Number of executions.
        total_run: Duration of all executions.
        last_run: Duration of the last execution.
    """

    last_idle: float
    total_idle: float
    runs: int
    total_run: float
    last_run: float


@dataclass(frozen=True, slots=True)
class ScheduledTaskHandle:
    """Location of a scheduled task, from which another process can access it too.

    Args:
        scheduler: Name of the scheduled executor.
        task: Name of the task.
        place: Partition of the task, or address of its member.
    """

    scheduler: str
    task: str
    place: int | Address

    def _request(self, verb: str, *rest: Any) -> Request:
        at = "Partition" if isinstance(self.place, int) else "Address"
        message = _named(f"ScheduledExecutor.{verb}From{at}")
        if isinstance(self.place, int):
            fields = (self.scheduler, self.task, *rest)
            return Request(message, fields, self.place, idempotent=True)
        where = {"host": self.place.host, "port": self.place.port}
        return Request(message, (self.scheduler, self.task, where, *rest), idempotent=True)


class ScheduledTaskOperations(Resource):
    """Operations of a scheduled task.

    All operations raise `StaleTask` if the task was disposed of or its member is gone.

    Args:
        client: Client that runs the operations.
        cluster: Cluster of the client.
        handle: Location of the task.
    """

    def __init__(self, client: Caller, cluster: Cluster, handle: ScheduledTaskHandle) -> None:
        super().__init__(client)
        self._cluster, self.handle = cluster, handle

    @operation
    def result(self) -> Operation[Any]:
        """Wait for the result of the task; a periodic task has none until it is cancelled.

        Returns:
            The result.

        Raises:
            StaleTask: the task was disposed of, or its member is gone.
        """
        return self._cluster.serialization.to_object((yield from self._ask("getResult")))

    @operation
    def cancel(self) -> Operation[bool]:
        """Cancel future executions of the task; a running execution continues.

        Returns:
            True if this call cancelled it.

        Raises:
            StaleTask: the task was disposed of, or its member is gone.
        """
        # Members do not support interruption.
        return bool((yield from self._ask("cancel", False)))  # noqa: FBT003 - the message's

    @operation
    def is_cancelled(self) -> Operation[bool]:
        """Return whether the task was cancelled.

        Members of 3.12 answer only after the task was executed or cancelled, and until then block
        all other requests for its partition, or for the member; `is_done` does not block.

        Returns:
            True if the task was cancelled.

        Raises:
            StaleTask: the task was disposed of, or its member is gone.
        """
        return bool((yield from self._ask("isCancelled")))

    @operation
    def is_done(self) -> Operation[bool]:
        """Return whether the task will not be executed again.

        Returns:
            True if there are no more executions.

        Raises:
            StaleTask: the task was disposed of, or its member is gone.
        """
        return bool((yield from self._ask("isDone")))

    @operation
    def delay(self) -> Operation[float]:
        """Return the time until the next execution.

        Returns:
            Seconds.

        Raises:
            StaleTask: the task was disposed of, or its member is gone.
        """
        nanoseconds: int = yield from self._ask("getDelay")
        return nanoseconds / NANOSECONDS

    @operation
    def statistics(self) -> Operation[ScheduledTaskStatistics]:
        """Return the number of executions and their durations.

        Returns:
            The statistics, in seconds.

        Raises:
            StaleTask: the task was disposed of, or its member is gone.
        """
        last_idle, total_idle, runs, total_run, last_run = yield from self._call("getStats")
        return ScheduledTaskStatistics(
            last_idle / NANOSECONDS,
            total_idle / NANOSECONDS,
            runs,
            total_run / NANOSECONDS,
            last_run / NANOSECONDS,
        )

    @operation
    def dispose(self) -> Operation[None]:
        """Cancel the task and remove it and its result."""
        yield from self._call("dispose")

    def _ask(self, verb: str, *rest: Any) -> Operation[Any]:
        return (yield from self._call(verb, *rest))[0]

    def _call(self, verb: str, *rest: Any) -> Operation[Any]:
        request = self.handle._request(verb, *rest)
        yield from self._cluster.ready()
        if isinstance(self.handle.place, int):
            return (yield from self._cluster.call(request))
        return (yield from self._cluster.call_member(self.handle.place, request))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.handle.task!r} of {self.handle.scheduler!r}>"


class ScheduledTask(ScheduledTaskOperations, SyncResource):
    """A scheduled task, for threads."""


class AsyncScheduledTask(ScheduledTaskOperations, AsyncResource):
    """A scheduled task, for asyncio."""


class ScheduledExecutorOperations(ClientProxy):
    """Operations of a scheduled executor.

    Tasks are as for an `Executor`; a periodic task is a `ScheduledRunnable`. A task on a partition
    has backups, a task on a member is lost with it. The name of a task is unique within its
    partition or member (otherwise `DuplicateTask`); a task without a name gets a UUID.
    """

    service = "hz:impl:scheduledExecutorService"

    @factory
    def get_task(self, handle: ScheduledTaskHandle) -> Either[ScheduledTask, AsyncScheduledTask]:
        """Return a task that any client scheduled before.

        Args:
            handle: Location of the task.

        Returns:
            The task.
        """
        return self._task(handle)

    def _task(self, handle: ScheduledTaskHandle) -> Either[ScheduledTask, AsyncScheduledTask]:
        return self._styled(ScheduledTask, AsyncScheduledTask)(self._client, self._cluster, handle)

    @operation_factory
    def schedule(
        self,
        task: object,
        delay: float | timedelta,
        *,
        period: float | timedelta | None = None,
        name: str | None = None,
        key: object = None,
    ) -> Operation[Either[ScheduledTask, AsyncScheduledTask]]:
        """Schedule a task on the owner of `key`.

        Args:
            task: Serializable counterpart of a Java `Callable` of the members, or a
                `ScheduledRunnable`.
            delay: Seconds until the first execution.
            period: Seconds between two executions; None executes the task once.
            name: Name of the task; a UUID by default.
            key: Key whose owner executes the task; the name of the task by default.

        Returns:
            The scheduled task.

        Raises:
            DuplicateTask: the partition has a task of this name.
        """
        chosen = str(uuid.uuid4()) if name is None else text("name", name)
        data = self._data(chosen if key is None else key)
        fields = (self.name, *_task_fields(self._data(task), chosen, delay, period))
        request = Request(SUBMIT_TO_PARTITION, fields, idempotent=True, key=data)
        request.structure = self.service, self.name
        yield from _once(self._cluster.call(request), ours=name is None)
        return self._task(ScheduledTaskHandle(self.name, chosen, request.partition_id))

    @operation_factory
    def schedule_on_members(
        self,
        task: object,
        delay: float | timedelta,
        *,
        members: Iterable[Member] | None = None,
        period: float | timedelta | None = None,
        name: str | None = None,
    ) -> Operation[Either[dict[Member, ScheduledTask], dict[Member, AsyncScheduledTask]]]:
        """Schedule a task on each of many members.

        Args:
            task: Serializable counterpart of a Java `Callable` of the members, or a
                `ScheduledRunnable`.
            delay: Seconds until the first execution.
            members: Members that execute the task; None is all members.
            period: Seconds between two executions; None executes the task once.
            name: Name of the task; a UUID by default.

        Returns:
            The scheduled tasks by member.

        Raises:
            DuplicateTask: a member has a task of this name.
        """
        cluster = self._cluster
        chosen = str(uuid.uuid4()) if name is None else text("name", name)
        task_fields = _task_fields(self._data(task), chosen, delay, period)
        yield from cluster.create_proxy(self.service, self.name)
        if members is None:
            members = list(cluster.members.values())
        scheduled = {}
        for member in members:
            at = member.address
            fields = (self.name, {"host": at.host, "port": at.port}, *task_fields)
            request = Request(SUBMIT_TO_ADDRESS, fields, idempotent=True)
            yield from _once(cluster.call_member(at, request), ours=name is None)
            scheduled[member] = self._task(ScheduledTaskHandle(self.name, chosen, at))
        return cast("Either[Any, Any]", scheduled)

    @operation_factory
    def get_all_tasks(
        self,
    ) -> Operation[
        Either[dict[Member, list[ScheduledTask]], dict[Member, list[AsyncScheduledTask]]]
    ]:
        """Return all tasks of every member, including those of its partitions.

        Returns:
            The tasks by member.
        """
        found = yield from self._value(ALL)
        tasks = {
            Member.from_fields(at): [self._task(_handle(each)) for each in handles]
            for at, handles in found
        }
        return cast("Either[Any, Any]", tasks)

    @operation
    def shutdown(self) -> Operation[None]:
        """Stop accepting tasks, and do not start pending ones."""
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        for member in list(cluster.members.values()):
            at = member.address
            fields = (self.name, {"host": at.host, "port": at.port})
            yield from cluster.call_member(at, Request(SHUTDOWN, fields, idempotent=True))


def _once(call: Operation[Any], *, ours: bool) -> Operation[None]:
    """Wait until a task is scheduled; a duplicate of a generated name (`ours`) is a success."""
    try:
        yield from call
    except DuplicateTask:
        if not ours:
            raise
        # An earlier attempt of this call succeeded; its response was lost with the connection.


def _task_fields(
    task: bytes, name: str, delay: float | timedelta, period: float | timedelta | None
) -> tuple[Any, ...]:
    kind = ScheduleType.ONCE if period is None else ScheduleType.AT_FIXED_RATE
    return (
        int(kind),
        name,
        task,
        milliseconds(delay, "delay"),
        milliseconds(period, "period", absent=0),
    )


def _handle(fields: dict[str, Any]) -> ScheduledTaskHandle:
    kind, place = fields["target"]
    return ScheduledTaskHandle(
        fields["scheduler_name"],
        fields["task_name"],
        place if kind == "partition_id" else Address.from_fields(place),
    )


class ScheduledExecutor(ScheduledExecutorOperations, ThreadIdentity):
    """A scheduled executor of the cluster, for threads."""


class AsyncScheduledExecutor(ScheduledExecutorOperations, TaskIdentity):
    """A scheduled executor of the cluster, for asyncio."""
