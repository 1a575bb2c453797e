"""What a bolt gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

HEARTBEAT_STREAM: Final = "__heartbeat"
"""Of the tuples that ask whether a bolt lives (Constants.HEARTBEAT_STREAM_ID)."""

TICK_STREAM: Final = "__tick"
"""Of the tuples that come every so many seconds (Constants.SYSTEM_TICK_STREAM_ID)."""


@dataclass(slots=True)  # not frozen: making one would take twice as long
class Tuple:
    """One tuple, as Storm delivered it."""

    id: str
    component: str | None
    """Who emitted it."""
    stream: str
    task: int
    """Of the component the task; -1 of Storm's own."""
    values: list[Any]

    @property
    def is_tick(self) -> bool:
        """Whether Storm's clock sent it (`topology.tick.tuple.freq.secs`)."""
        return self.stream == TICK_STREAM
