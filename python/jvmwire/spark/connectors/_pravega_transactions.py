"""Transactional sink for a stream: one transaction per task, committed after all tasks."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from jvmwire.errors import JvmWireError
from jvmwire.pravega.streams import AsyncStreamClient, StreamClient
from jvmwire.spark.connectors._pravega_options import ROUTING_KEY, events_of
from jvmwire.spark.connectors._writer import CommitMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Iterator
    from uuid import UUID

    import pyarrow as pa

    from jvmwire.pravega.streams import AsyncTransaction, Transaction
    from jvmwire.spark.connectors._pravega_options import EventOptions

T = TypeVar("T")


@dataclass
class InTransaction(CommitMessage):
    """Commit message of a task whose rows are in an open transaction."""

    transaction_id: UUID


class TransactionSink:
    """A sink with a transaction per task, committed after all tasks have stored their events.

    A retried task has a new transaction; the transaction of the first attempt is aborted, by the
    controller at the end of its lease if not earlier.
    """

    def __init__(self, options: EventOptions) -> None:
        self._options = options

    def store(self, batches: Iterator[pa.RecordBatch]) -> CommitMessage:
        """Store a task's events in a transaction; without events there is no transaction."""
        options = self._options
        transaction: Transaction | None = None
        with StreamClient(options.server, options.of_streams()) as client:
            try:
                for batch in batches:
                    if transaction is None:
                        transaction = client.begin_transaction(options.name, lease=options.lease)
                    transaction.write_all(_to_list(events_of(batch)), _keys_of(batch))
                if transaction is None:
                    return CommitMessage()
                transaction.flush()
                # The lease is not prolonged from here until the driver commits.
                transaction.ping()
            except BaseException:
                if transaction is not None:
                    with suppress(JvmWireError):
                        transaction.abort()
                raise
            return InTransaction(transaction.transaction_id)

    def commit(self, stored: list[CommitMessage]) -> None:
        """Commit all transactions, if all of them are still open.

        Raises:
            TransactionEnded: the lease of a transaction has ended, and nothing was committed; or a
                lease ended, or the controller failed, between two commits, and a part was
                committed.
        """
        asyncio.run(self._commit(_transactions(stored)))

    def abort(self, stored: list[CommitMessage]) -> None:
        """Abort all transactions if possible; others end with their lease."""
        asyncio.run(self._abort(_transactions(stored)))

    async def _commit(self, ids: list[UUID]) -> None:
        async with self._client() as client:
            opened = await _all(self._resume(client, each) for each in ids)
            await _all(each.ping() for each in opened)
            await _all(each.commit() for each in opened)

    async def _abort(self, ids: list[UUID]) -> None:
        async with self._client() as client:
            await _all(self._forget(client, each) for each in ids)

    async def _forget(self, client: AsyncStreamClient, transaction_id: UUID) -> None:
        with suppress(JvmWireError):
            transaction = await self._resume(client, transaction_id)
            await transaction.abort()

    async def _resume(self, client: AsyncStreamClient, transaction_id: UUID) -> AsyncTransaction:
        options = self._options
        return await client.resume_transaction(options.name, transaction_id, lease=options.lease)

    def _client(self) -> AsyncStreamClient:
        client = AsyncStreamClient(self._options.server, self._options.of_streams())
        # No timeout per call: the calls of all tasks are made at the same time.
        return client.within(None)


async def _all(calls: Iterable[Awaitable[T]]) -> list[T]:
    """Return all results; after all calls have ended, raise the first error."""
    done = await asyncio.gather(*calls, return_exceptions=True)
    for each in done:
        if isinstance(each, BaseException):
            raise each
    return cast("list[T]", done)


def _transactions(stored: list[CommitMessage]) -> list[UUID]:
    return [each.transaction_id for each in stored if isinstance(each, InTransaction)]


def _keys_of(batch: pa.RecordBatch) -> list[str] | None:
    """Return the routing keys, or None if there is no such column."""
    if ROUTING_KEY not in batch.schema.names:
        return None
    keys = batch.column(ROUTING_KEY)
    if keys.null_count:
        raise ValueError(
            f"column routing_key has {keys.null_count} nulls: leave it out, or fill it"
        )
    return _to_list(keys)


def _to_list(column: pa.Array[Any]) -> list[Any]:
    # Arrow creates the objects here; its to_pylist loops over scalars in Python.
    values: list[Any] = column.to_numpy(zero_copy_only=False).tolist()
    return values
