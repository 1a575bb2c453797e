"""What calls were answered, for clients that did not hear it: `RetryCache` of Hadoop."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hadoop.server.call import RpcCall

KEPT_SECONDS = 600.0
"""`dfs.namenode.retrycache.expirytime.millis`."""
KEPT_CALLS = 65_536
"""Ours: beyond these the oldest answer is forgotten."""


@dataclass(slots=True)
class Remembered:
    """A call, its answer if there is one, and who waits for it."""

    since: float
    outcome: tuple[Any, Exception | None] | None = None
    waiting: list[Callable[[Any, Exception | None], None]] = field(default_factory=list)


class AnsweredCalls:
    """Calls by client and call id."""

    def __init__(self, *, seconds: float = KEPT_SECONDS, calls: int = KEPT_CALLS) -> None:
        self._seconds = seconds
        self._calls = calls
        self._kept: OrderedDict[tuple[bytes, int, str], Remembered] = OrderedDict()

    def begin(self, call: RpcCall, now: float) -> tuple[Remembered, bool]:
        """Return what is known of a call, and whether it is a new one that is to be carried out."""
        while self._kept:
            oldest = next(iter(self._kept.values()))
            young = now - oldest.since < self._seconds and len(self._kept) <= self._calls
            if young or oldest.outcome is None:
                break
            self._kept.popitem(last=False)
        key = call.client_id, call.call_id, call.protocol
        known = self._kept.get(key)
        if known is not None:
            return known, False
        known = self._kept[key] = Remembered(now)
        return known, True

    def __len__(self) -> int:
        return len(self._kept)
