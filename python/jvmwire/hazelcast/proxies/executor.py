"""IExecutorService: tasks that members carry out, and what comes of them."""

from __future__ import annotations

import abc
import copy
import uuid
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import AsyncResource, SyncResource, operation
from jvmwire._runtime.operations import Join, Spawn
from jvmwire.hazelcast.commands import NO_PARTITION, Request
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire._runtime.operations import Connection, Operation, Task
    from jvmwire.hazelcast.cluster import Cluster
    from jvmwire.hazelcast.members import Address, Member

_named = HazelcastMessage.named

SUBMIT_TO_PARTITION = _named("ExecutorService.submitToPartition")
SUBMIT_TO_ADDRESS = _named("ExecutorService.submitToAddress")
CANCEL_ON_PARTITION = _named("ExecutorService.cancelOnPartition")
CANCEL_ON_ADDRESS = _named("ExecutorService.cancelOnAddress")
SHUTDOWN, IS_SHUTDOWN = _named("ExecutorService.shutdown"), _named("ExecutorService.isShutdown")


class SubmittedTaskOperations:
    """What can be done with a task that was submitted."""

    _cluster: Cluster
    uuid: str
    """What members call it."""
    _call: Task
    _place: int | Address = NO_PARTITION
    """The partition or the member that it was submitted to last."""

    def _begin(self, call: Operation[Any]) -> Operation[None]:
        self._call = yield Spawn(_outcome(call), f"task {self.uuid}")

    @property
    def done(self) -> bool:
        """Whether it is known what came of it."""
        return self._call.done

    @operation
    def result(self) -> Operation[Any]:
        """Return what the task returns; wait for it, as long as a call of the client may.

        Raises:
            HazelcastError: what the task raised; `Cancelled`: it was cancelled.
            OutcomeUnknown: its member was lost meanwhile.
        """
        fields, error = yield Join(self._call)
        if error is not None:
            raise copy.copy(error)
        return self._cluster.serialization.to_object(fields[0])

    @operation
    def cancel(self, *, interrupt: bool = False) -> Operation[bool]:
        """Do not carry the task out; with `interrupt`, end it if it has begun.

        Returns whether it will have no result.
        """
        if self._call.done:
            return False
        place, cluster = self._place, self._cluster
        if isinstance(place, int):
            fields: tuple[Any, ...] = (self.uuid, place, interrupt)
            request = Request(CANCEL_ON_PARTITION, fields, place, repeatable=True)
            [cancelled] = yield from cluster.call(request)
        else:
            fields = (self.uuid, {"host": place.host, "port": place.port}, interrupt)
            request = Request(CANCEL_ON_ADDRESS, fields, repeatable=True)
            [cancelled] = yield from cluster.call_member(place, request)
        return bool(cancelled)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.uuid}, {'done' if self.done else 'on its way'}>"


class SubmittedTask(SubmittedTaskOperations, SyncResource):
    """A task that was submitted, for threads."""

    def __init__(self, client: SyncCaller, cluster: Cluster) -> None:
        super().__init__(client)
        self._cluster = cluster
        self.uuid = str(uuid.uuid4())


class AsyncSubmittedTask(SubmittedTaskOperations, AsyncResource):
    """A task that was submitted, for asyncio."""

    def __init__(self, client: AsyncCaller, cluster: Cluster) -> None:
        super().__init__(client)
        self._cluster = cluster
        self.uuid = str(uuid.uuid4())


SubmittedT = TypeVar("SubmittedT", bound=SubmittedTaskOperations)


class ExecutorOperations(Proxy, Generic[SubmittedT]):
    """What can be done with an executor.

    A task is of a class of the members', a `Callable` that our serialization writes; of one that is
    a `Runnable` alone, a `RunnableTask`. It is submitted once: `result` of one whose member is lost
    raises `OutcomeUnknown`.
    """

    service = "hz:impl:executorService"

    @abc.abstractmethod
    def _submitted(self) -> SubmittedT:
        """Return a task, of the style of the client."""

    @operation
    def submit(self, task: object, *, key: object = None) -> Operation[SubmittedT]:
        """Have the member carry out a task that holds `key`, else any member."""
        data, held = self._data(task), None if key is None else self._data(key)
        yield from self._cluster.create_proxy(self.service, self.name)
        return (yield from self._submit_to_partition(data, held))

    @operation
    def submit_to_member(self, task: object, member: Member) -> Operation[SubmittedT]:
        """Have a member carry out a task."""
        data = self._data(task)
        yield from self._cluster.create_proxy(self.service, self.name)
        return (yield from self._submit_to_member(data, member.address))

    @operation
    def submit_to_members(
        self, task: object, members: Iterable[Member] | None = None
    ) -> Operation[dict[Member, SubmittedT]]:
        """Have each of `members` carry out a task; None is all."""
        data = self._data(task)
        yield from self._cluster.create_proxy(self.service, self.name)
        if members is None:
            members = list(self._cluster.members.values())
        submitted = {}
        for member in members:
            submitted[member] = yield from self._submit_to_member(data, member.address)
        return submitted

    def _submit_to_partition(self, data: bytes, key: bytes | None) -> Operation[SubmittedT]:
        cluster, submitted = self._cluster, self._submitted()

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
            return connection, Request(SUBMIT_TO_PARTITION, fields, at, repeatable=redo)

        yield from submitted._begin(cluster.call_chosen(choose))
        return submitted

    def _submit_to_member(self, data: bytes, place: Address) -> Operation[SubmittedT]:
        cluster, submitted = self._cluster, self._submitted()
        submitted._place = place
        fields = (self.name, submitted.uuid, data, {"host": place.host, "port": place.port})
        request = Request(SUBMIT_TO_ADDRESS, fields, repeatable=cluster.options.redo)
        yield from submitted._begin(cluster.call_member(place, request))
        return submitted

    # Members count shutting down twice as once.

    @operation
    def shutdown(self) -> Operation[None]:
        """End what is carried out, and say so to who asks `is_shutdown`.

        Members of 3.12 still take tasks afterwards: whoever submits should ask.
        """
        yield from self._ask(SHUTDOWN, read=True)

    @operation
    def is_shutdown(self) -> Operation[bool]:
        """Return whether it was shut down."""
        down: bool = yield from self._value(IS_SHUTDOWN, read=True)
        return down


def _outcome(operation: Operation[Any]) -> Operation[tuple[Any, Exception | None]]:
    """Return what an operation returns or raises: for who asks later."""
    try:
        return (yield from operation), None
    except Exception as error:  # who asks is told
        return None, error


class Executor(ExecutorOperations[SubmittedTask], SyncProxy):
    """An executor of the cluster, for threads."""

    def _submitted(self) -> SubmittedTask:
        return SubmittedTask(self._client, self._cluster)


class AsyncExecutor(ExecutorOperations[AsyncSubmittedTask], AsyncProxy):
    """An executor of the cluster, for asyncio."""

    def _submitted(self) -> AsyncSubmittedTask:
        return AsyncSubmittedTask(self._client, self._cluster)
