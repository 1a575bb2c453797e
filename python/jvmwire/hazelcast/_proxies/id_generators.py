"""IdGenerator and FlakeIdGenerator: ids that are unique in the cluster."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire._runtime.operations import Join, Spawn
from jvmwire.errors import RemoteProtocolError
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._runtime.operations import Operation, Task

_named = HazelcastMessage.named

GET_AND_INCREMENT = _named("AtomicLong.getAndIncrement")
COMPARE_AND_SET = _named("AtomicLong.compareAndSet")
NEW_ID_BATCH = _named("FlakeIdGenerator.newIdBatch")

BLOCK = 10_000
"""Ids that a client reserves per request: `IdGeneratorImpl.BLOCK_SIZE`."""
BATCH = 100
"""Ids requested from a member at a time: `ClientFlakeIdGeneratorConfig.prefetchCount`."""


@dataclass(eq=False, slots=True)
class _IdBatch:
    """Ids that the client has reserved and not yet returned."""

    ids: Iterator[int] = field(default_factory=lambda: iter(()))
    fetching: Task | None = None
    """Task that fetches more ids."""


class _Ids(ClientProxy):
    """Id generator that prefetches ids in batches; concurrent callers wait for the same fetch."""

    @property
    def _stock(self) -> _IdBatch:
        return self._cluster.shared(self.service, self.name, _IdBatch)

    @abc.abstractmethod
    def _fetch(self) -> Operation[range]:
        """Fetch ids that are reserved for this client."""

    def _refill(self) -> Operation[None]:
        self._stock.ids = iter((yield from self._fetch()))

    @operation
    def new_id(self) -> Operation[int]:
        """Return an id that was never returned before.

        Returns:
            The id.
        """
        while (found := next(self._stock.ids, None)) is None:
            stock = self._stock
            if stock.fetching is None or stock.fetching.done:
                stock.fetching = yield Spawn(self._refill(), f"ids of {self.name}")
            yield Join(stock.fetching)
        return found


class IdGeneratorOperations(_Ids):
    """Generator of ids that grow by 1 in each client, reserved in blocks of ten thousand.

    Ids that a client has reserved and not returned are lost with the client. An `AtomicLong` counts
    the blocks, as in Java's members and clients.
    """

    service = "hz:impl:idGeneratorService"

    @property
    def _counter(self) -> str:
        # IdGeneratorService.ATOMIC_LONG_NAME
        return f"hz:atomic:idGenerator:{self.name}"

    def _count(self, message: HazelcastMessage, *rest: int) -> Operation[int]:
        cluster, counter = self._cluster, self._counter
        request = Request(
            message,
            (counter, *rest),
            # A block that is taken twice is lost: that is allowed.
            idempotent=message is GET_AND_INCREMENT or cluster.options.redo,
            key=counter,
            structure=("hz:impl:atomicLongService", counter),
        )
        [number] = yield from cluster.call(request)
        return int(number)

    def _fetch(self) -> Operation[range]:
        block = yield from self._count(GET_AND_INCREMENT)
        return range(block * BLOCK, (block + 1) * BLOCK)

    @operation
    def init(self, start: int) -> Operation[bool]:
        """Start above `start`, if no id was returned yet.

        Args:
            start: Number below the first id.

        Returns:
            False if ids were returned already, or `start` is below 0.
        """
        if start < 0:
            return False
        first = start // BLOCK
        if not (yield from self._count(COMPARE_AND_SET, 0, first + 1)):
            return False
        self._stock.ids = iter(range(start + 1, (first + 1) * BLOCK))
        return True


class FlakeIdGeneratorOperations(_Ids):
    """Generator of roughly ordered ids made of time and member, without coordination of members."""

    service = "hz:impl:flakeIdGeneratorService"

    def _fetch(self) -> Operation[range]:
        base, increment, count = yield from self._ask(NEW_ID_BATCH, BATCH)
        if increment < 1 or not 1 <= count <= BATCH:
            raise RemoteProtocolError(
                f"{self.name} was given {count} ids, {increment} apart; asked were up to {BATCH}"
            )
        return range(base, base + increment * count, increment)


class IdGenerator(IdGeneratorOperations, ThreadIdentity):
    """An id generator of the cluster, for threads."""


class AsyncIdGenerator(IdGeneratorOperations, TaskIdentity):
    """An id generator of the cluster, for asyncio."""


class FlakeIdGenerator(FlakeIdGeneratorOperations, ThreadIdentity):
    """A generator of ids made of time and member, for threads."""


class AsyncFlakeIdGenerator(FlakeIdGeneratorOperations, TaskIdentity):
    """A generator of ids made of time and member, for asyncio."""
