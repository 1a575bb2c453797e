"""Transactions: what is done in one comes to pass as a whole, or not at all."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import AsyncResource, SyncResource, operation
from jvmwire.errors import JvmWireError, LocalProtocolError
from jvmwire.hazelcast.arguments import at_least, seconds_of
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.proxies.holder import Holder, TaskHolder, ThreadHolder
from jvmwire.hazelcast.proxies.proxy import FOREVER, milliseconds
from jvmwire.hazelcast.proxies.transactional import (
    AsyncTransactional,
    AsyncTransactionalList,
    AsyncTransactionalMap,
    AsyncTransactionalMultiMap,
    AsyncTransactionalQueue,
    AsyncTransactionalSet,
    SyncTransactional,
    TransactionalList,
    TransactionalMap,
    TransactionalMultiMap,
    TransactionalQueue,
    TransactionalSet,
)

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from jvmwire._runtime.client import AsyncCaller, SyncCaller
    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hazelcast.cluster import Cluster

_CREATE = HazelcastMessage.named("Transaction.create")
_COMMIT = HazelcastMessage.named("Transaction.commit")
_ROLLBACK = HazelcastMessage.named("Transaction.rollback")

TIMEOUT = 120.0
"""Seconds until the member gives a transaction up: `TransactionOptions.DEFAULT_TIMEOUT_MILLIS`."""

SyncT = TypeVar("SyncT", bound="SyncTransactional")
AsyncT = TypeVar("AsyncT", bound="AsyncTransactional")


class TransactionType(enum.IntEnum):
    """How a transaction is committed."""

    TWO_PHASE = 1
    """First made ready on all members, and by `durability` backups; then carried out."""
    ONE_PHASE = 2
    """At once: if the member is lost meanwhile, half of it may be done."""


class TransactionOperations(Holder):
    """A transaction lives on one connection: if that is lost, so is what was not committed."""

    _cluster: Cluster

    def _prepare(self, timeout: float, durability: int, kind: TransactionType) -> None:
        self._timeout = seconds_of("timeout", timeout)
        self._durability = at_least("durability", durability, 0)
        self._kind = TransactionType(kind)
        self._id: str | None = None
        self._thread_id = 0
        self._connection: Connection | None = None
        self._changed: dict[str, set[bytes]] = {}
        """Keys by the name of their map, where it has a near cache."""

    @operation
    def begin(self) -> Operation[None]:
        """Begin it; `with` does so.

        Raises:
            LocalProtocolError: it has begun already, or another one of the same thread or task has
                and has not ended.
        """
        if self._id is not None:
            raise LocalProtocolError("the transaction has begun already")
        cluster = self._cluster
        self._thread_id = self._caller_id()
        outer = cluster.transactions.get(self._thread_id)
        if outer is not None and outer.lives:
            raise LocalProtocolError(
                "a transaction of this thread or task has begun and not ended: members take the"
                " locks of both for the same holder's; commit or roll back the first, or begin"
                " the second in another thread or task"
            )
        self._changed.clear()
        self._connection = yield from cluster.connection()
        # What a member adds to its clock: more would be in the past for it.
        timeout = min(milliseconds(self._timeout, "timeout"), FOREVER >> 1)
        fields = (timeout, self._durability, self._kind, self._thread_id)
        # One that nobody knows of is given up by the member.
        request = Request(_CREATE, fields, repeatable=True)
        [self._id] = yield from cluster.call(request, connection=self._connection)
        cluster.transactions[self._thread_id] = self

    @operation
    def commit(self) -> Operation[None]:
        """Carry out what was done in it.

        Raises:
            TransactionFailed: nothing of it was carried out.
            OutcomeUnknown: the member was lost meanwhile.
        """
        yield from self._end(_COMMIT)

    @operation
    def rollback(self) -> Operation[None]:
        """Forget what was done in it."""
        yield from self._end(_ROLLBACK)

    def _end(self, message: HazelcastMessage) -> Operation[None]:
        connection, id_ = self._open()
        self._id = None
        request = Request(message, (id_, self._thread_id))
        try:
            yield from self._cluster.call(request, connection=connection)
        finally:
            for name, keys in self._changed.items():
                self._cluster.note_changed(name, keys)
            self._changed.clear()

    def note_changed(self, name: str, key: bytes) -> None:
        """Note that the transaction changes what stands under a key of a map, once it is committed.

        Near caches read that again then.
        """
        if self._cluster.keeps_near(name):
            self._changed.setdefault(name, set()).add(key)

    @property
    def lives(self) -> bool:
        """Whether it may still be committed."""
        return self._begun and self._connection is not None and self._connection.alive

    def ask(
        self, message: HazelcastMessage, name: str, *rest: Any, read: bool
    ) -> Operation[tuple[Any, ...]]:
        """Ask in the name of the transaction; `rest` follows the structure's name and ours."""
        connection, id_ = self._open()
        request = Request(message, (name, id_, self._thread_id, *rest), repeatable=read)
        fields: tuple[Any, ...] = yield from self._cluster.call(request, connection=connection)
        return fields

    @property
    def _begun(self) -> bool:
        """Whether it has begun and was neither committed nor rolled back."""
        return self._id is not None

    def _open(self) -> tuple[Connection, str]:
        if self._connection is None or self._id is None:
            raise LocalProtocolError("the transaction has not begun, or has ended")
        return self._connection, self._id


class Transaction(ThreadHolder, TransactionOperations, SyncResource):
    """A transaction, for threads: committed at the end of `with`, rolled back on an exception.

    One that was committed or rolled back before the end of `with` is left as it is there.
    """

    def __init__(
        self,
        client: SyncCaller,
        cluster: Cluster,
        *,
        timeout: float,
        durability: int,
        kind: TransactionType,
    ) -> None:
        super().__init__(client)
        self._cluster = cluster
        self._prepare(timeout, durability, kind)

    def _structure(self, kind: type[SyncT], name: str) -> SyncT:
        return kind(self._client, self._cluster, name, self)

    def get_map(self, name: str) -> TransactionalMap:
        """Return the map of that name, as the transaction sees it."""
        return self._structure(TransactionalMap, name)

    def get_multi_map(self, name: str) -> TransactionalMultiMap:
        """Return the multimap of that name, as the transaction sees it."""
        return self._structure(TransactionalMultiMap, name)

    def get_queue(self, name: str) -> TransactionalQueue:
        """Return the queue of that name, as the transaction sees it."""
        return self._structure(TransactionalQueue, name)

    def get_list(self, name: str) -> TransactionalList:
        """Return the list of that name, as the transaction sees it."""
        return self._structure(TransactionalList, name)

    def get_set(self, name: str) -> TransactionalSet:
        """Return the set of that name, as the transaction sees it."""
        return self._structure(TransactionalSet, name)

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._begun:
            return
        if error is None:
            self.commit()
            return
        try:
            self.rollback()
        except JvmWireError as failure:
            error.add_note(f"rolling back failed too: {failure}")


class AsyncTransaction(TaskHolder, TransactionOperations, AsyncResource):
    """A transaction, for asyncio: committed at the end of `async with`, or rolled back."""

    def __init__(
        self,
        client: AsyncCaller,
        cluster: Cluster,
        *,
        timeout: float,
        durability: int,
        kind: TransactionType,
    ) -> None:
        super().__init__(client)
        self._cluster = cluster
        self._prepare(timeout, durability, kind)

    def _structure(self, kind: type[AsyncT], name: str) -> AsyncT:
        return kind(self._client, self._cluster, name, self)

    def get_map(self, name: str) -> AsyncTransactionalMap:
        """Return the map of that name, as the transaction sees it."""
        return self._structure(AsyncTransactionalMap, name)

    def get_multi_map(self, name: str) -> AsyncTransactionalMultiMap:
        """Return the multimap of that name, as the transaction sees it."""
        return self._structure(AsyncTransactionalMultiMap, name)

    def get_queue(self, name: str) -> AsyncTransactionalQueue:
        """Return the queue of that name, as the transaction sees it."""
        return self._structure(AsyncTransactionalQueue, name)

    def get_list(self, name: str) -> AsyncTransactionalList:
        """Return the list of that name, as the transaction sees it."""
        return self._structure(AsyncTransactionalList, name)

    def get_set(self, name: str) -> AsyncTransactionalSet:
        """Return the set of that name, as the transaction sees it."""
        return self._structure(AsyncTransactionalSet, name)

    async def __aenter__(self) -> Self:
        await self.begin()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._begun:
            return
        if error is None:
            await self.commit()
            return
        try:
            await self.rollback()
        except JvmWireError as failure:
            error.add_note(f"rolling back failed too: {failure}")
