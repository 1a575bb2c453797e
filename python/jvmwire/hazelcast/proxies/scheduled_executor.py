"""IScheduledExecutorService: tasks that members carry out later, once or again and again."""

from __future__ import annotations

import abc
import enum
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import AsyncResource, SyncResource, operation
from jvmwire.hazelcast.arguments import text
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.errors import DuplicateTask
from jvmwire.hazelcast.members import Address, Member
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy, milliseconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.cluster import Cluster

_named = HazelcastMessage.named

SUBMIT_TO_PARTITION = _named("ScheduledExecutor.submitToPartition")
SUBMIT_TO_ADDRESS = _named("ScheduledExecutor.submitToAddress")
ALL = _named("ScheduledExecutor.getAllScheduledFutures")
SHUTDOWN = _named("ScheduledExecutor.shutdown")

NANOSECONDS = 1_000_000_000
"""In a second: what members count in here."""


class ScheduleType(enum.IntEnum):
    """When a task is carried out: `TaskDefinition.Type`."""

    ONCE = 0
    AT_FIXED_RATE = 1


@dataclass(frozen=True, slots=True)
class ScheduledTaskStatistics:
    """What a member knows of a task; times are in seconds."""

    last_idle: float
    total_idle: float
    runs: int
    total_run: float
    last_run: float


@dataclass(frozen=True, slots=True)
class ScheduledTaskHandle:
    """Where a task stands: who has this may ask for it, in another process too."""

    scheduler: str
    task: str
    place: int | Address
    """The task's partition, or its member."""

    def _request(self, verb: str, *rest: Any) -> Request:
        at = "Partition" if isinstance(self.place, int) else "Address"
        message = _named(f"ScheduledExecutor.{verb}From{at}")
        if isinstance(self.place, int):
            fields = (self.scheduler, self.task, *rest)
            return Request(message, fields, self.place, repeatable=True)
        where = {"host": self.place.host, "port": self.place.port}
        return Request(message, (self.scheduler, self.task, where, *rest), repeatable=True)


class ScheduledTaskOperations:
    """What can be done with a task that was scheduled.

    All of it raises `StaleTask` where the task was disposed of, or its member is gone.
    """

    _cluster: Cluster
    handle: ScheduledTaskHandle

    @operation
    def result(self) -> Operation[Any]:
        """Wait for what the task returns: of one at a fixed rate, until it is cancelled."""
        return self._cluster.serialization.to_object((yield from self._ask("getResult")))

    @operation
    def cancel(self) -> Operation[bool]:
        """Carry it out no more; what has begun goes on. Returns whether this call did."""
        # Members interrupt none.
        return bool((yield from self._ask("cancel", False)))  # noqa: FBT003 - the message's

    @operation
    def is_cancelled(self) -> Operation[bool]:
        """Return whether it was cancelled.

        Members of 3.12 answer once it was carried out or cancelled, and hold up all else that is
        asked of its partition, or of the member, until then: `is_done` does not.
        """
        return bool((yield from self._ask("isCancelled")))

    @operation
    def is_done(self) -> Operation[bool]:
        """Return whether it will not be carried out again."""
        return bool((yield from self._ask("isDone")))

    @operation
    def delay(self) -> Operation[float]:
        """Return in how many seconds it is carried out next."""
        nanoseconds: int = yield from self._ask("getDelay")
        return nanoseconds / NANOSECONDS

    @operation
    def statistics(self) -> Operation[ScheduledTaskStatistics]:
        """Return how often it was carried out, and how long that took."""
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
        """Cancel it, and forget it and its result."""
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
    """A task that was scheduled, for threads."""

    def __init__(self, client: SyncCaller, cluster: Cluster, handle: ScheduledTaskHandle) -> None:
        super().__init__(client)
        self._cluster, self.handle = cluster, handle


class AsyncScheduledTask(ScheduledTaskOperations, AsyncResource):
    """A task that was scheduled, for asyncio."""

    def __init__(self, client: AsyncCaller, cluster: Cluster, handle: ScheduledTaskHandle) -> None:
        super().__init__(client)
        self._cluster, self.handle = cluster, handle


ScheduledT = TypeVar("ScheduledT", bound=ScheduledTaskOperations)


class ScheduledExecutorOperations(Proxy, Generic[ScheduledT]):
    """What can be done with a scheduled executor.

    Tasks are as for an `Executor`; what is done again and again is a `ScheduledRunnable`. A task on
    a partition has backups, one on a member goes with it. Its name is its own among those of its
    partition or member (else `DuplicateTask`); without one it gets one.
    """

    service = "hz:impl:scheduledExecutorService"

    def get_task(self, handle: ScheduledTaskHandle) -> ScheduledT:
        """Return a task that was scheduled before, by whomever."""
        return self._task(handle)

    @abc.abstractmethod
    def _task(self, handle: ScheduledTaskHandle) -> ScheduledT:
        """Return a task, of the style of the client."""

    @operation
    def schedule(
        self,
        task: object,
        delay: float,
        *,
        period: float | None = None,
        name: str | None = None,
        key: object = None,
    ) -> Operation[ScheduledT]:
        """Have the member carry out a task that holds `key`, in `delay` seconds.

        With `period`, again each so many seconds; without `key`, the task's name is the key.
        """
        chosen = str(uuid.uuid4()) if name is None else text("name", name)
        data = self._data(chosen if key is None else key)
        fields = (self.name, *_told(self._data(task), chosen, delay, period))
        request = Request(SUBMIT_TO_PARTITION, fields, repeatable=True, key=data)
        request.structure = self.service, self.name
        yield from _once(self._cluster.call(request), ours=name is None)
        return self.get_task(ScheduledTaskHandle(self.name, chosen, request.partition_id))

    @operation
    def schedule_on_members(
        self,
        task: object,
        delay: float,
        *,
        members: Iterable[Member] | None = None,
        period: float | None = None,
        name: str | None = None,
    ) -> Operation[dict[Member, ScheduledT]]:
        """Have each of `members` carry out a task, None is all; else as `schedule`."""
        cluster = self._cluster
        chosen = str(uuid.uuid4()) if name is None else text("name", name)
        told = _told(self._data(task), chosen, delay, period)
        yield from cluster.create_proxy(self.service, self.name)
        if members is None:
            members = list(cluster.members.values())
        scheduled = {}
        for member in members:
            at = member.address
            fields = (self.name, {"host": at.host, "port": at.port}, *told)
            request = Request(SUBMIT_TO_ADDRESS, fields, repeatable=True)
            yield from _once(cluster.call_member(at, request), ours=name is None)
            scheduled[member] = self.get_task(ScheduledTaskHandle(self.name, chosen, at))
        return scheduled

    @operation
    def get_all_tasks(self) -> Operation[dict[Member, list[ScheduledT]]]:
        """Return the tasks that each member has, those of its partitions too."""
        told = yield from self._value(ALL)
        return {
            Member.of(at): [self.get_task(_handle(each)) for each in tasks] for at, tasks in told
        }

    @operation
    def shutdown(self) -> Operation[None]:
        """Take no more tasks, and carry out none that has not begun."""
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        for member in list(cluster.members.values()):
            at = member.address
            fields = (self.name, {"host": at.host, "port": at.port})
            yield from cluster.call_member(at, Request(SHUTDOWN, fields, repeatable=True))


def _once(call: Operation[Any], *, ours: bool) -> Operation[None]:
    """Go on once a task is scheduled, whose name may be `ours`: nobody else knows it."""
    try:
        yield from call
    except DuplicateTask:
        if not ours:
            raise
        # An earlier try of this call was carried out; its answer was lost with the connection.


def _told(task: bytes, name: str, delay: float, period: float | None) -> tuple[Any, ...]:
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
        place if kind == "partition_id" else Address.of(place),
    )


class ScheduledExecutor(ScheduledExecutorOperations[ScheduledTask], SyncProxy):
    """A scheduled executor of the cluster, for threads."""

    def _task(self, handle: ScheduledTaskHandle) -> ScheduledTask:
        return ScheduledTask(self._client, self._cluster, handle)


class AsyncScheduledExecutor(ScheduledExecutorOperations[AsyncScheduledTask], AsyncProxy):
    """A scheduled executor of the cluster, for asyncio."""

    def _task(self, handle: ScheduledTaskHandle) -> AsyncScheduledTask:
        return AsyncScheduledTask(self._client, self._cluster, handle)
