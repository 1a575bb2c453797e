"""Threads, where the system may have none left."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConnectFailed

if TYPE_CHECKING:
    from collections.abc import Callable

THREAD_JOIN_TIMEOUT = 5.0
"""Seconds that `close` waits for a thread of ours, or for a task: one may sit in a callback of the
user's, or in the system's look-up of a host name."""


def start_thread(
    name: str, target: Callable[..., Any], *arguments: Any, purpose: str
) -> threading.Thread:
    """Return a daemon thread that runs `target`; the error names its `purpose`.

    Raises:
        ConnectFailed: the system starts no more: `ulimit -u`, a container's pids, or memory.
    """
    thread = threading.Thread(target=target, args=arguments, name=name, daemon=True)
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        reason = str(error) or "no memory is left for a thread"
        raise ConnectFailed(f"cannot {purpose}: {reason}") from error
    return thread
