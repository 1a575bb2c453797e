"""Thread creation with an error of this package if the system has no more threads."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConnectFailed

if TYPE_CHECKING:
    from collections.abc import Callable

THREAD_JOIN_TIMEOUT = 5.0
"""Seconds that `close` waits for a thread or a task of the client.

A thread may be blocked in a callback of the user or in the system's name resolution.
"""


def start_thread(
    name: str, target: Callable[..., Any], *arguments: Any, purpose: str
) -> threading.Thread:
    """Start a daemon thread that runs `target`; `purpose` is named in the error.

    Raises:
        ConnectFailed: the system starts no more threads: `ulimit -u`, a container's pids, or
            memory.
    """
    thread = threading.Thread(target=target, args=arguments, name=name, daemon=True)
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        reason = str(error) or "no memory is left for a thread"
        raise ConnectFailed(f"cannot {purpose}: {reason}") from error
    return thread
