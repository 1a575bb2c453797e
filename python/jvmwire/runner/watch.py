"""Keeps the conversation alive while the component is busy."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from jvmwire._runtime import threads
from jvmwire.errors import JvmWireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.runner.line import Line

INTERVAL: Final = 0.2
"""Seconds between two looks."""

HANG_LIMIT: Final = 600.0
"""Seconds that a component may be at one thing; then it is left to look as hung as it is. Ours."""


class Watch:
    """A thread that reads, answers and writes for a component that is at one thing for long.

    What comes meanwhile waits, in order, and `settle` says what need not wait. If nothing was
    written for `silence` seconds, `on_silence` may say something. Once `hang_limit`
    seconds have passed it does nothing more.
    """

    def __init__(
        self,
        line: Line[Any],
        on_silence: Callable[[], None],
        *,
        settle: Callable[[], None],
        hang_limit: float = HANG_LIMIT,
    ) -> None:
        self.silence: float | None = None
        """Seconds without a word that are too many; None while there is no such limit."""
        self._line = line
        self._on_silence = on_silence
        self._settle = settle
        self._hang_limit = hang_limit
        self._closing = threading.Event()
        self._thread: threading.Thread

    def __enter__(self) -> Self:
        self._thread = threads.start_thread(
            "jvmwire watch", self._look, purpose="watch the component"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()

    def _look(self) -> None:
        line = self._line
        while not self._closing.wait(INTERVAL):
            since, now = line.busy_since, monotonic()
            if since is None or not INTERVAL <= now - since < self._hang_limit:
                continue
            try:
                line.read_ahead()
                self._settle()
                if self.silence is not None and now - line.last_write > self.silence:
                    self._on_silence()
                line.flush()
            except JvmWireError:  # whoever takes the events will meet it too
                return
