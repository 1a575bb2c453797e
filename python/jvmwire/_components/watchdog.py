"""Watchdog thread that keeps the connection alive while the component is busy."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from jvmwire._runtime import threads
from jvmwire.errors import JvmWireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._components.channel import ComponentChannel

INTERVAL: Final = 0.2
"""Seconds between two checks."""

HANG_LIMIT: Final = 600.0
"""Seconds after which the watchdog gives up on a component that hangs (chosen by jvmwire)."""


class Watchdog:
    """A watchdog thread that reads, replies and writes while the component is busy.

    Incoming events are queued in order; `settle` handles events that need not wait for the
    component. After `silence` seconds without a write, `on_silence` is called to send a heartbeat.
    After `hang_limit` seconds of one piece of work the watchdog does nothing more, so that the peer
    detects the hang.
    """

    def __init__(
        self,
        line: ComponentChannel[Any],
        on_silence: Callable[[], None],
        *,
        flush_pending: Callable[[], None],
        hang_limit: float = HANG_LIMIT,
    ) -> None:
        self.silence: float | None = None
        """Maximum seconds without a write before `on_silence` is called; None: no such limit."""
        self._line = line
        self._on_silence = on_silence
        self._flush_pending = flush_pending
        self._hang_limit = hang_limit
        self._closing = threading.Event()
        self._thread: threading.Thread

    def __enter__(self) -> Self:
        self._thread = threads.start_thread(
            "jvmwire watch", self._run, purpose="watch the component"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        line = self._line
        while not self._closing.wait(INTERVAL):
            since, now = line.busy_since, monotonic()
            if since is None or not INTERVAL <= now - since < self._hang_limit:
                continue
            try:
                line.read_ahead()
                self._flush_pending()
                if self.silence is not None and now - line.last_write > self.silence:
                    self._on_silence()
                line.flush()
            except JvmWireError:  # the thread that takes the events gets the same error
                return
