"""Transactions, whose changes are applied as a whole or not at all."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.cleanup import cleanup_after
from jvmwire._runtime.client import Caller, Either, factory, operation
from jvmwire._times import to_seconds
from jvmwire.errors import StateError
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import MAX_MILLIS, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import CallerIdentity, TaskIdentity, ThreadIdentity
from jvmwire.hazelcast._proxies.transactional import (
    AsyncTransactionalList,
    AsyncTransactionalMap,
    AsyncTransactionalMultiMap,
    AsyncTransactionalQueue,
    AsyncTransactionalSet,
    TransactionalList,
    TransactionalMap,
    TransactionalMultiMap,
    TransactionalQueue,
    TransactionalSet,
)

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from datetime import timedelta
    from types import TracebackType
    from typing import Self

    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hazelcast._cluster import Cluster
    from jvmwire.hazelcast._invoker import OpenTransaction
    from jvmwire.hazelcast.near_cache._caches import NearCaches

_CREATE = HazelcastMessage.named("Transaction.create")
_COMMIT = HazelcastMessage.named("Transaction.commit")
_ROLLBACK = HazelcastMessage.named("Transaction.rollback")

TIMEOUT = 120.0
"""Seconds before a member rolls a transaction back: `TransactionOptions.DEFAULT_TIMEOUT_MILLIS`."""


class TransactionType(enum.IntEnum):
    """Commit protocol of a transaction."""

    TWO_PHASE = 1
    """The changes are prepared on all members and logged on `durability` backups, then applied."""
    ONE_PHASE = 2
    """The changes are applied at once; if the member is lost meanwhile, perhaps only a part."""


class TransactionOperations(CallerIdentity):
    """Operations of a transaction, which is bound to one connection and lost with it."""

    def __init__(
        self,
        client: Caller,
        cluster: Cluster,
        near_caches: NearCaches,
        transactions: MutableMapping[int, OpenTransaction],
        *,
        timeout: float | timedelta,
        durability: int,
        kind: TransactionType,
    ) -> None:
        super().__init__(client)
        self._cluster = cluster
        self._near_caches, self._transactions = near_caches, transactions
        self._timeout = to_seconds("timeout", timeout)
        self._durability = at_least("durability", durability, 0)
        self._kind = TransactionType(kind)
        self._id: str | None = None
        self._thread_id = 0
        self._connection: Connection | None = None
        self._changed: dict[str, set[bytes]] = {}
        """Changed keys by map name, for maps with a near cache."""

    @operation
    def begin(self) -> Operation[None]:
        """Begin the transaction; a `with` statement does so.

        Raises:
            StateError: the transaction has begun already, or another transaction of the
                same thread or task has begun and has not ended.
        """
        if self._id is not None:
            raise StateError("the transaction has begun already")
        cluster = self._cluster
        self._thread_id = self._caller_id()
        outer = self._transactions.get(self._thread_id)
        if outer is not None and outer.lives:
            raise StateError(
                "a transaction of this thread or task has begun and not ended: members take the"
                " locks of both for the same holder's; commit or roll back the first, or begin"
                " the second in another thread or task"
            )
        self._changed.clear()
        self._connection = yield from cluster.connection()
        # The member adds the timeout to its clock: a larger one would overflow.
        timeout = min(milliseconds(self._timeout, "timeout"), MAX_MILLIS >> 1)
        fields = (timeout, self._durability, self._kind, self._thread_id)
        # Repeatable: the member rolls back a transaction that no client uses, after its timeout.
        request = Request(_CREATE, fields, idempotent=True)
        [self._id] = yield from cluster.call(request, connection=self._connection)
        self._transactions[self._thread_id] = self

    @operation
    def commit(self) -> Operation[None]:
        """Commit the transaction.

        Raises:
            TransactionFailed: no change was applied.
            OutcomeUnknown: the member was lost during the commit.
        """
        yield from self._end(_COMMIT)

    @operation
    def rollback(self) -> Operation[None]:
        """Roll the transaction back."""
        yield from self._end(_ROLLBACK)

    def _end(self, message: HazelcastMessage) -> Operation[None]:
        connection, id_ = self._open()
        self._id = None
        request = Request(message, (id_, self._thread_id))
        try:
            yield from self._cluster.call(request, connection=connection)
        finally:
            for name, keys in self._changed.items():
                self._near_caches.invalidate(name, keys)
            self._changed.clear()

    def note_changed(self, name: str, key: bytes) -> None:
        """Invalidate a key in the map's near cache when the transaction ends.

        Args:
            name: Name of the map.
            key: Serialized key that the transaction changes.
        """
        if name in self._near_caches:
            self._changed.setdefault(name, set()).add(key)

    @property
    def lives(self) -> bool:
        """Whether the transaction can still be committed."""
        return self._begun and self._connection is not None and self._connection.alive

    def ask(
        self, message: HazelcastMessage, name: str, *rest: Any, read: bool
    ) -> Operation[tuple[Any, ...]]:
        """Make a call within the transaction; `rest` follows name, transaction id and thread id.

        Args:
            message: Request to send.
            name: Name of the structure.
            *rest: Further fields of the request.
            read: Whether the request is a read and may be repeated.

        Returns:
            The fields of the response.

        Raises:
            StateError: the transaction has not begun, or has ended.
        """
        connection, id_ = self._open()
        request = Request(message, (name, id_, self._thread_id, *rest), idempotent=read)
        fields: tuple[Any, ...] = yield from self._cluster.call(request, connection=connection)
        return fields

    @property
    def _begun(self) -> bool:
        """Whether the transaction has begun and was neither committed nor rolled back."""
        return self._id is not None

    def _open(self) -> tuple[Connection, str]:
        if self._connection is None or self._id is None:
            raise StateError("the transaction has not begun, or has ended")
        return self._connection, self._id

    @factory
    def get_map(self, name: str) -> Either[TransactionalMap, AsyncTransactionalMap]:
        """Return the map `name` as the transaction sees it.

        Args:
            name: Name of the map.

        Returns:
            A proxy that is valid until the transaction ends.
        """
        return self._styled(TransactionalMap, AsyncTransactionalMap)(
            self._client, self._cluster, name, self
        )

    @factory
    def get_multi_map(self, name: str) -> Either[TransactionalMultiMap, AsyncTransactionalMultiMap]:
        """Return the multimap `name` as the transaction sees it.

        Args:
            name: Name of the multimap.

        Returns:
            A proxy that is valid until the transaction ends.
        """
        return self._styled(TransactionalMultiMap, AsyncTransactionalMultiMap)(
            self._client, self._cluster, name, self
        )

    @factory
    def get_queue(self, name: str) -> Either[TransactionalQueue, AsyncTransactionalQueue]:
        """Return the queue `name` as the transaction sees it.

        Args:
            name: Name of the queue.

        Returns:
            A proxy that is valid until the transaction ends.
        """
        return self._styled(TransactionalQueue, AsyncTransactionalQueue)(
            self._client, self._cluster, name, self
        )

    @factory
    def get_list(self, name: str) -> Either[TransactionalList, AsyncTransactionalList]:
        """Return the list `name` as the transaction sees it.

        Args:
            name: Name of the list.

        Returns:
            A proxy that is valid until the transaction ends.
        """
        return self._styled(TransactionalList, AsyncTransactionalList)(
            self._client, self._cluster, name, self
        )

    @factory
    def get_set(self, name: str) -> Either[TransactionalSet, AsyncTransactionalSet]:
        """Return the set `name` as the transaction sees it.

        Args:
            name: Name of the set.

        Returns:
            A proxy that is valid until the transaction ends.
        """
        return self._styled(TransactionalSet, AsyncTransactionalSet)(
            self._client, self._cluster, name, self
        )


class Transaction(TransactionOperations, ThreadIdentity):
    """A transaction for threads: committed at the end of `with`, rolled back on an exception.

    If it was committed or rolled back inside of `with`, the end of `with` does nothing.
    """

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
        with cleanup_after(error, "rolling back"):
            self.rollback()


class AsyncTransaction(TransactionOperations, TaskIdentity):
    """A transaction for asyncio: `async with` commits it, or rolls it back on an exception."""

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
        with cleanup_after(error, "rolling back"):
            await self.rollback()
