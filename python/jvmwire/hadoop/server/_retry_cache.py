"""Retry cache of a server: results kept for clients that did not receive them.

It follows Hadoop's `RetryCache`, and differs where Hadoop would execute a call a second time: it
refuses a resent call if this server cannot know whether an earlier try was executed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire.hadoop.errors import RETRY_UNKNOWN
from jvmwire.hadoop.server import _error_responses
from jvmwire.hadoop.server._error_responses import make_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hadoop.errors import HadoopError
    from jvmwire.hadoop.server._call import RpcCall

    Key = tuple[bytes, int, str]
    Tell = Callable[[Any, Exception | None], object]

KEPT_SECONDS = 600.0
"""Seconds that a result is kept: `dfs.namenode.retrycache.expirytime.millis`."""
KEPT_CALLS = 65_536
"""The number of kept results; beyond it the oldest is dropped. (Chosen by jvmwire.)"""
KEPT_BYTES = 64 << 20
"""The bytes of kept results; beyond them the oldest is dropped. (Chosen by jvmwire.)"""
ENTRY_BYTES = 512
"""The bytes counted for each entry in addition to its result: the key and the bookkeeping."""
NOTED_CLIENTS = 65_536
"""The number of clients whose highest dropped call id is kept. Beyond it a retry of a client
without an entry is refused. (Chosen by jvmwire.)"""
NOTED_FAILURES = 65_536
"""The number of failed or refused calls kept, so that their retry is executed. (Chosen by
jvmwire.)"""
CALL_IDS = 1 << 31
"""The number of call ids: `Client.nextCallId`."""
CLIENT_ID_LIMIT = 16
"""The longest client id in bytes of a call that can be cached: `ClientId.BYTE_LENGTH`."""


@dataclass(slots=True)
class CacheEntry:
    """One call, its result after its execution, and the retries that wait for it."""

    key: Key
    since: float = 0.0
    """The time of its answer."""
    size: int = 0
    """The bytes counted for it."""
    result: Any = None
    error: Exception | None = None
    """The error that the client received although the method had returned a result."""
    waiting: list[Tell] = field(default_factory=list)


class RetryCache:
    """Cache of calls by client id and call id.

    Args:
        seconds: Seconds that a result is kept. Default: 600.
        calls: Number of kept results. Default: 65,536.
        limit: Bytes of kept results. Default: 64 MiB.
        trusting: Whether to execute unknown retries of clients that do not check the server
            instance. Default: False.
    """

    def __init__(
        self,
        *,
        seconds: float = KEPT_SECONDS,
        calls: int = KEPT_CALLS,
        limit: int = KEPT_BYTES,
        trusting: bool = False,
    ) -> None:
        self._seconds = seconds
        self._calls = calls
        self._limit = limit
        self._trusting = trusting
        self.size = 0
        """The bytes counted for the kept results."""
        self._open: dict[Key, CacheEntry] = {}
        """Calls without a result: no more than are executed or wait."""
        self._entries: OrderedDict[Key, CacheEntry] = OrderedDict()
        """Calls with a result, the oldest first."""
        self._undone: OrderedDict[Key, None] = OrderedDict()
        """Calls whose latest try failed or was refused, the oldest first: a retry may be
        executed."""
        self._dropped: OrderedDict[bytes, int] = OrderedDict()
        """The highest call id whose result was dropped, by client id; clients count upwards."""
        self._dropped_clients = False
        """Whether an entry of `_dropped` was dropped itself."""

    def begin(
        self, call: RpcCall, now: float, on_done: Tell, *, same_instance: bool
    ) -> CacheEntry | None:
        """Register a call, or answer its retry from the cache.

        Args:
            call: The call.
            now: Time by the clock of `end`.
            on_done: Function that answers the retry of a known call with a result or an exception.
            same_instance: Whether the client sends a retry only to the server instance that
                received the earlier tries.

        Returns:
            The new entry, or None if the call is known.

        Raises:
            HadoopError: it is a retry, and an earlier try may have been executed; or the client id
                is longer than Hadoop's.
        """
        if len(call.client_id) > CLIENT_ID_LIMIT:
            text = f"client id: expected at most {CLIENT_ID_LIMIT} bytes, got {len(call.client_id)}"
            raise make_error("ERROR_RPC_SERVER", _error_responses.RPC_SERVER, text)
        if not call.client_id and call.retry_count > 0 and not self._trusting:
            raise _unknown_retry(call)
        self._expire(now)
        key = call.client_id, call.call_id, call.protocol
        answered = self._entries.get(key)
        if answered is not None:
            on_done(answered.result, answered.error)
            return None
        known = self._open.get(key)
        if known is not None:
            known.waiting.append(on_done)
            return None
        undone = self._undone
        if key in undone:
            del undone[key]
        elif self._may_be_forgotten(call, same_instance=same_instance):
            raise _unknown_retry(call)
        new = self._open[key] = CacheEntry(key)
        return new

    def end(
        self,
        call: CacheEntry,
        result: Any,
        error: Exception | None,
        now: float,
        *,
        size: int = 0,
        unwritable: Exception | None = None,
    ) -> None:
        """Keep the result of a call, and answer the retries that wait for it.

        A call whose method raised an exception is executed again if it is sent again, as in
        `RetryCache.waitForCompletion`.

        Args:
            call: The entry that `begin` returned.
            result: Result of the method.
            error: Exception of the method, if it raised one.
            now: Time by the clock of `begin`.
            size: Bytes of the result. Default: 0.
            unwritable: Error that the client received in place of a result, if any.
        """
        del self._open[call.key]
        if error is None:
            call.since, call.error = now, unwritable
            call.result = result if unwritable is None else None
            call.size = ENTRY_BYTES + size
            self._entries[call.key] = call
            self.size += call.size
            self._expire(now)
        else:
            self.note_undone(call.key)
        waiting, call.waiting = call.waiting, []
        for send in waiting:
            send(result, error or unwritable)

    def refused(self, call: RpcCall, error: HadoopError) -> HadoopError:
        """Record that a call was refused before its lookup in the cache.

        A first try has certainly not been executed. The refusal of a retry says nothing about the
        earlier tries: unless the client will retry, its error must say so.

        Args:
            call: The call.
            error: Reason of the refusal.

        Returns:
            The error to send to the client.
        """
        if call.retry_count <= 0:
            if len(call.client_id) <= CLIENT_ID_LIMIT:
                self.note_undone((call.client_id, call.call_id, call.protocol))
            return error
        return error if error.java_class == _error_responses.RETRIABLE else _unknown_retry(call)

    def note_undone(self, key: Key) -> None:
        """Record that the latest try of a call failed, so that its retry is executed.

        Args:
            key: Client id, call id, and protocol.
        """
        if key in self._open or key in self._entries:
            return
        self._undone[key] = None
        while len(self._undone) > NOTED_FAILURES:
            self._undone.popitem(last=False)

    def _may_be_forgotten(self, call: RpcCall, *, same_instance: bool) -> bool:
        """Return whether an earlier try may have been executed whose entry was dropped."""
        highest = self._dropped.get(call.client_id)
        if highest is not None and _is_behind(call.call_id, highest):
            # This applies to a first try too: it may have been read late, after its retry was
            # answered.
            return True
        if call.retry_count <= 0:
            return False
        if not same_instance:
            # Another instance may have executed it: the one before a restart, or another server.
            return not self._trusting
        return highest is None and self._dropped_clients

    def _expire(self, now: float) -> None:
        kept = self._entries
        while kept:
            oldest = next(iter(kept.values()))
            if (
                now - oldest.since < self._seconds
                and len(kept) <= self._calls
                and self.size <= self._limit
            ):
                break
            kept.popitem(last=False)
            self.size -= oldest.size
            self._note_dropped(oldest.key)

    def _note_dropped(self, key: Key) -> None:
        client_id, call_id, _ = key
        dropped = self._dropped
        highest = dropped.pop(client_id, None)
        if highest is None or not _is_behind(call_id, highest):
            highest = call_id
        dropped[client_id] = highest
        if len(dropped) > NOTED_CLIENTS:
            dropped.popitem(last=False)
            self._dropped_clients = True

    def __len__(self) -> int:
        return len(self._entries) + len(self._open)


def _is_behind(call_id: int, highest: int) -> bool:
    """Return whether a client assigned `call_id` no later than `highest`; ids wrap around."""
    return (highest - call_id) & CALL_IDS - 1 < CALL_IDS >> 1


def _unknown_retry(call: RpcCall) -> HadoopError:
    text = (
        f"try {call.retry_count + 1} of call {call.call_id} of {call.protocol}.{call.method}:"
        " this server does not know whether an earlier try was carried out;"
        " check its effect before calling again"
    )
    return make_error("ERROR_RPC_SERVER", RETRY_UNKNOWN, text)
