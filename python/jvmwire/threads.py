"""Threads, where the system may have none left."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConnectFailed

if TYPE_CHECKING:
    from collections.abc import Callable


def start(name: str, target: Callable[..., Any], *arguments: Any, why: str) -> threading.Thread:
    """Return a daemon thread that runs `target`; `why` it is needed is for the error.

    Raises:
        ConnectFailed: the system starts no more: `ulimit -u`, a container's pids, or memory.
    """
    thread = threading.Thread(target=target, args=arguments, name=name, daemon=True)
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        reason = str(error) or "no memory is left for a thread"
        raise ConnectFailed(f"cannot {why}: {reason}") from error
    return thread
