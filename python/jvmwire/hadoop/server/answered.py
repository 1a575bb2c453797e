"""What calls were answered, for clients that did not hear it: `RetryCache` of Hadoop."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hadoop.server.call import RpcCall

    Key = tuple[bytes, int, str]
    Tell = Callable[[Any, Exception | None], object]

KEPT_SECONDS = 600.0
"""`dfs.namenode.retrycache.expirytime.millis`."""
KEPT_CALLS = 65_536
"""Ours: beyond these the oldest answer is forgotten."""


@dataclass(slots=True)
class Remembered:
    """A call, its result once there is one, and who else waits for it."""

    key: Key
    since: float = 0.0
    """When it was answered."""
    result: Any = None
    waiting: list[Tell] = field(default_factory=list)


class AnsweredCalls:
    """Calls by client and call id."""

    def __init__(self, *, seconds: float = KEPT_SECONDS, calls: int = KEPT_CALLS) -> None:
        self._seconds = seconds
        self._calls = calls
        self._open: dict[Key, Remembered] = {}
        """Those not answered yet: no more than are carried out or wait."""
        self._kept: OrderedDict[Key, Remembered] = OrderedDict()
        """Those answered, the oldest first."""

    def begin(self, call: RpcCall, now: float, tell: Tell) -> Remembered | None:
        """Return what to remember of a new call; have who calls again told what came of it."""
        self._forget(now)
        key = call.client_id, call.call_id, call.protocol
        answered = self._kept.get(key)
        if answered is not None:
            tell(answered.result, None)
            return None
        known = self._open.get(key)
        if known is not None:
            known.waiting.append(tell)
            return None
        new = self._open[key] = Remembered(key)
        return new

    def end(self, call: Remembered, result: Any, error: Exception | None, now: float) -> None:
        """Remember what came of a call, and tell who waits for it.

        One that failed is carried out when it comes again: `RetryCache.waitForCompletion`.
        """
        del self._open[call.key]
        if error is None:
            call.since, call.result = now, result
            self._kept[call.key] = call
            self._forget(now)
        waiting, call.waiting = call.waiting, []
        for tell in waiting:
            tell(result, error)

    def _forget(self, now: float) -> None:
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if now - oldest.since < self._seconds and len(self._kept) <= self._calls:
                break
            self._kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self._kept) + len(self._open)
