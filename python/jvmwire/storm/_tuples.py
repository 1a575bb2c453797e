"""Tuples that a bolt receives, and the names of Storm's system streams."""

from typing import Final

from jvmwire._core import Tuple

HEARTBEAT_STREAM: Final = "__heartbeat"
"""The stream of heartbeat tuples, which check whether a bolt is alive
(Constants.HEARTBEAT_STREAM_ID).
"""

TICK_STREAM: Final = "__tick"
"""The stream of tick tuples, which arrive periodically (Constants.SYSTEM_TICK_STREAM_ID)."""

__all__ = ["HEARTBEAT_STREAM", "TICK_STREAM", "Tuple"]
