"""What a bolt gets."""

from typing import Final

from jvmwire._core import Tuple

HEARTBEAT_STREAM: Final = "__heartbeat"
"""Of the tuples that ask whether a bolt lives (Constants.HEARTBEAT_STREAM_ID)."""

TICK_STREAM: Final = "__tick"
"""Of the tuples that come every so many seconds (Constants.SYSTEM_TICK_STREAM_ID)."""

__all__ = ["HEARTBEAT_STREAM", "TICK_STREAM", "Tuple"]
