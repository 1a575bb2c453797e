"""Transactions of a stream: events that are added to it together, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from jvmwire._checks import check_range
from jvmwire._core import PRAVEGA_EVENT_LIMIT, PravegaEvents, pravega_split
from jvmwire._runtime.cleanup import cleanup_after
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Resource,
    SyncResource,
    operation,
)
from jvmwire._runtime.operations import Sleep
from jvmwire.errors import Finished, JvmWireError, TransportError
from jvmwire.pravega._appender import check_sizes
from jvmwire.pravega._arguments import (
    MAX_LONG,
    check_bytes,
    check_events,
    check_milliseconds,
    check_type,
)
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._controller import refusal, status_of
from jvmwire.pravega.streams._routing import positions_of
from jvmwire.pravega.streams.errors import SEALED, TransactionEnded

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire._runtime.operations import Operation
    from jvmwire.pravega._writer import Writer
    from jvmwire.pravega.streams._controller import Controller
    from jvmwire.pravega.streams._names import StreamSegment

LEASE = 90.0
"""Seconds without a ping after which a transaction is aborted, as in Java's client."""
PINGS_PER_LEASE = 4
"""Pings per lease (chosen by jvmwire)."""
FIRST_POLL_INTERVAL = 0.02
"""Seconds until the end of a transaction is polled again; then twice as long (chosen by
jvmwire).
"""
LONGEST_LOOK = 1.0
TRANSACTION_ALLOWS = "a transaction allows"
NO_TIME = -(1 << 63)
"""Timestamp of a commit whose events have no time of their own."""


class TransactionWriter:
    """Writer of one transaction's events, and its calls to the controller."""

    def __init__(
        self,
        controller: Controller,
        stream: messages.StreamInfo,
        transaction_id: UUID,
        *,
        lease: float,
        branches: list[tuple[StreamSegment, Writer]],
        writer_id: str,
    ) -> None:
        self._writer_id = writer_id
        self.transaction_id = transaction_id
        self._controller = controller
        self._stream = stream
        self._lease = lease
        self._ends = [segment.high for segment, _ in branches]
        self._writers = [writer for _, writer in branches]
        self.is_open = True
        """Whether the transaction was neither committed nor aborted by this client."""

    @property
    def description(self) -> str:
        """The noun for this transaction in errors."""
        return f"transaction {self.transaction_id} of {self._stream.scope}/{self._stream.stream}"

    def keep_alive(self) -> Operation[None]:
        """Renew the lease periodically while the transaction is open."""
        pause = self._lease / PINGS_PER_LEASE
        wait = pause
        while True:
            yield Sleep(wait)
            if not self.is_open:
                return
            try:
                yield from self.ping()
            except TransportError:
                # The controller may be reachable again before the lease expires.
                wait = pause / PINGS_PER_LEASE
            except JvmWireError:
                # The calls that write or commit report the end of the transaction.
                return
            else:
                wait = pause

    def ping(self) -> Operation[None]:
        """Renew the lease."""
        request = messages.PingTxnRequest(
            streamInfo=self._stream,
            txnId=self._txn_id(),
            lease=check_milliseconds("lease", self._lease),
        )
        answer = yield from self._controller.call("pingTransaction", request)
        if (status := status_of(answer)) != "OK":
            raise TransactionEnded(f"{self.description}: {status}")

    def write(self, events: list[bytes], positions: list[float]) -> Operation[None]:
        """Enqueue events by position; raise `ValueError` if one is longer than 8 MiB.

        Java's transactions reject such events too: they are merged into a segment by themselves.
        """
        self._check()
        check_sizes(events, PRAVEGA_EVENT_LIMIT, TRANSACTION_ALLOWS)
        for index, part, _ in pravega_split(events, positions, self._ends):
            try:
                yield from self._writers[index].enqueue(PravegaEvents.push_all, part)
            except SEALED as error:
                raise TransactionEnded(f"{self.description} has ended") from error

    def flush(self) -> Operation[None]:
        """Wait until all events that were enqueued are stored."""
        for writer in self._writers:
            try:
                yield from writer.await_acknowledgement(writer.accepted)
            except SEALED as error:
                raise TransactionEnded(f"{self.description} has ended") from error

    def state(self) -> Operation[str]:
        """Fetch the name of the transaction's state from the controller."""
        request = messages.TxnRequest(streamInfo=self._stream, txnId=self._txn_id())
        answer = yield from self._controller.call("checkTransactionState", request)
        return messages.TxnState.State.Name(answer.state)

    def commit(self, timestamp: int | None = None) -> Operation[None]:
        """Store all enqueued events, and commit the transaction; note a time after them."""
        self._check()
        yield from self.flush()
        while any(writer.acknowledged < writer.accepted for writer in self._writers):
            # Events that other callers enqueued meanwhile were accepted, so they are committed too.
            yield from self.flush()
        yield from self._finish("commitTransaction", "COMMITTING", "COMMITTED", timestamp)

    def abort(self) -> Operation[None]:
        """Abort the transaction, which discards its events."""
        self._check()
        yield from self._finish("abortTransaction", "ABORTING", "ABORTED")

    def _finish(
        self, method: str, under_way: str, done: str, timestamp: int | None = None
    ) -> Operation[None]:
        self.is_open = False
        for writer in self._writers:
            writer.end(Finished(f"{self.description} has ended"))
        request = messages.TxnRequest(
            streamInfo=self._stream,
            txnId=self._txn_id(),
            writerId="" if timestamp is None else self._writer_id,
            timestamp=NO_TIME if timestamp is None else timestamp,
        )
        answer = yield from self._controller.call(method, request)
        if (status := status_of(answer)) == "FAILURE":
            # The status does not say how the transaction has ended.
            raise TransactionEnded(
                f"{method} of {self.description}, which is {(yield from self.state())}"
            )
        if status != "SUCCESS":
            raise refusal(method, status, self.description)
        wait = FIRST_POLL_INTERVAL
        while (state := (yield from self.state())) in {"OPEN", under_way}:
            yield Sleep(wait)
            wait = min(2 * wait, LONGEST_LOOK)
        if state not in {done, "UNKNOWN"}:
            raise TransactionEnded(f"{self.description}: {state}")

    def _check(self) -> None:
        if not self.is_open:
            raise Finished(f"{self.description} has ended")

    def _txn_id(self) -> messages.TxnId:
        high, low = divmod(self.transaction_id.int, 1 << 64)
        return messages.TxnId(highBits=_signed(high), lowBits=_signed(low))


def _signed(half: int) -> int:
    return half - (1 << 64) if half >> 63 else half


class _TransactionMethods(Resource):
    def __init__(self, client: Caller, writer: TransactionWriter) -> None:
        super().__init__(client)
        self._writer = writer

    @property
    def transaction_id(self) -> UUID:
        """The UUID by which the controller identifies the transaction."""
        return self._writer.transaction_id

    @operation
    def write(self, event: bytes, key: str) -> Operation[None]:
        """Enqueue an event without waiting until it is stored.

        Args:
            event: The event's bytes, without a header; at most 8 MiB.
            key: The routing key.

        Raises:
            TransactionEnded: the transaction was aborted, or its lease has expired.
            ValueError: the event is longer than 8 MiB.
        """
        check_bytes("event", event)
        yield from self._writer.write([event], positions_of(1, [key]))

    @operation
    def append(self, event: bytes, key: str) -> Operation[None]:
        """Write an event, and return once it is stored; it is in the stream after `commit`.

        Args:
            event: The event's bytes, without a header; at most 8 MiB.
            key: The routing key.

        Raises:
            TransactionEnded: the transaction was aborted, or its lease has expired.
            ValueError: the event is longer than 8 MiB.
        """
        check_bytes("event", event)
        yield from self._writer.write([event], positions_of(1, [key]))
        yield from self._writer.flush()

    @operation
    def write_all(self, events: list[bytes], keys: list[str] | None = None) -> Operation[None]:
        """Enqueue events without waiting until they are stored.

        Args:
            events: The events' bytes, without headers; at most 8 MiB each.
            keys: One routing key per event; without keys the events go to random segments.

        Raises:
            TransactionEnded: the transaction was aborted, or its lease has expired.
            ValueError: an event is longer than 8 MiB, or the number of keys differs from that of
                events.
        """
        check_type("events", events, Sequence)
        check_events(events)
        yield from self._writer.write(events, positions_of(len(events), keys))

    @operation
    def flush(self) -> Operation[None]:
        """Wait until all enqueued events are stored; they are in the stream after `commit`."""
        yield from self._writer.flush()

    @operation
    def ping(self) -> Operation[None]:
        """Renew the lease now; the client also renews it periodically by itself."""
        yield from self._writer.ping()

    @operation
    def state(self) -> Operation[str]:
        """Fetch the state of the transaction.

        Returns:
            `OPEN`, `COMMITTING`, `COMMITTED`, `ABORTING`, `ABORTED`, or `UNKNOWN`.
        """
        return (yield from self._writer.state())

    @operation
    def commit(self, timestamp: int | None = None) -> Operation[None]:
        """Commit the transaction, and return once all of its events are in the stream.

        Args:
            timestamp: A time that is noted after the events, as by `note_time` of one writer for
                all transactions of the client, 0 or later; by default none.

        Raises:
            TransactionEnded: the transaction was aborted instead: none of its events is in the
                stream.
        """
        if timestamp is not None:
            check_range("timestamp", timestamp, 0, MAX_LONG)
        yield from self._writer.commit(timestamp)

    @operation
    def abort(self) -> Operation[None]:
        """Abort the transaction, which discards its events, and return once that is done."""
        yield from self._writer.abort()


class Transaction(_TransactionMethods, SyncResource):
    """A transaction of a stream; thread-safe.

    As a context manager it commits at the end of the block. It aborts after an exception in the
    block, and if the commit fails before the transaction has ended.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if not self._writer.is_open:
            return
        if error is not None:
            with cleanup_after(error, "aborting"):
                self.abort()
            return
        try:
            self.commit()
        except BaseException:
            if self._writer.is_open:
                with suppress(JvmWireError):
                    self.abort()
            raise


class AsyncTransaction(_TransactionMethods, AsyncResource):
    """Asyncio counterpart of `Transaction`; tasks may share it.

    As an asynchronous context manager it commits at the end of the block. It aborts after an
    exception in the block, and if the commit fails before the transaction has ended.
    """

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if not self._writer.is_open:
            return
        if error is not None:
            with cleanup_after(error, "aborting"):
                await self.abort()
            return
        try:
            await self.commit()
        except BaseException:
            if self._writer.is_open:
                with suppress(JvmWireError):
                    await self.abort()
            raise
