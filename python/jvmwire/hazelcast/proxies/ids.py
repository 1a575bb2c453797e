"""IdGenerator and FlakeIdGenerator: numbers that nobody else in the cluster gets."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire._runtime.operations import Join, Spawn
from jvmwire.errors import RemoteProtocolError
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._runtime.operations import Operation, Task

_named = HazelcastMessage.named

GET_AND_INCREMENT = _named("AtomicLong.getAndIncrement")
COMPARE_AND_SET = _named("AtomicLong.compareAndSet")
NEW_ID_BATCH = _named("FlakeIdGenerator.newIdBatch")

BLOCK = 10_000
"""Ids that a client takes at a time: `IdGeneratorImpl.BLOCK_SIZE`."""
BATCH = 100
"""Ids that a member is asked for at a time: `ClientFlakeIdGeneratorConfig.prefetchCount`."""


@dataclass(eq=False, slots=True)
class _Stock:
    """Ids that a client took and did not give out yet."""

    ids: Iterator[int] = field(default_factory=lambda: iter(()))
    fetching: Task | None = None
    """Who fetches more."""


class _Ids(Proxy):
    """Ids in batches: who needs one while a batch is fetched waits for it, and fetches no other."""

    @property
    def _stock(self) -> _Stock:
        return self._cluster.shared(self.service, self.name, _Stock)

    @abc.abstractmethod
    def _fetch(self) -> Operation[range]:
        """Return ids that are ours alone."""

    def _fill(self) -> Operation[None]:
        self._stock.ids = iter((yield from self._fetch()))

    @operation
    def new_id(self) -> Operation[int]:
        """Return an id that was never given out before."""
        while (found := next(self._stock.ids, None)) is None:
            stock = self._stock
            if stock.fetching is None or stock.fetching.done:
                stock.fetching = yield Spawn(self._fill(), f"ids of {self.name}")
            yield Join(stock.fetching)
        return found


class IdGeneratorOperations(_Ids):
    """Ids that grow by 1 in each client: a client takes them by the ten thousand.

    What a client has taken and not given out is lost with it. The blocks are counted by an
    `AtomicLong`, as Java's members and clients count them.
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
            repeatable=message is GET_AND_INCREMENT or cluster.options.redo,
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
        """Begin above `start`; False if ids were given out already, or `start` is below 0."""
        if start < 0:
            return False
        first = start // BLOCK
        if not (yield from self._count(COMPARE_AND_SET, 0, first + 1)):
            return False
        self._stock.ids = iter(range(start + 1, (first + 1) * BLOCK))
        return True


class FlakeIdGeneratorOperations(_Ids):
    """Ids of time and member, in order only more or less; no member needs to ask another."""

    service = "hz:impl:flakeIdGeneratorService"

    def _fetch(self) -> Operation[range]:
        base, increment, count = yield from self._ask(NEW_ID_BATCH, BATCH)
        if increment < 1 or not 1 <= count <= BATCH:
            raise RemoteProtocolError(
                f"{self.name} was given {count} ids, {increment} apart; asked were up to {BATCH}"
            )
        return range(base, base + increment * count, increment)


class IdGenerator(IdGeneratorOperations, SyncProxy):
    """Ids of the cluster, for threads."""


class AsyncIdGenerator(IdGeneratorOperations, AsyncProxy):
    """Ids of the cluster, for asyncio."""


class FlakeIdGenerator(FlakeIdGeneratorOperations, SyncProxy):
    """Ids of time and member, for threads."""


class AsyncFlakeIdGenerator(FlakeIdGeneratorOperations, AsyncProxy):
    """Ids of time and member, for asyncio."""
