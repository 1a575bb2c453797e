"""Collection of the standard error of a child process."""

import io
import os
import select
import threading

from jvmwire._runtime import threads
from jvmwire.errors import ConnectFailed
from jvmwire.transports._fork_safety import close_inherited, register_after_fork
from jvmwire.transports._transport import SMALL_READ

MAX_KEPT_BYTES = 64 * 1024
"""Number of bytes that are kept, from the end."""


class StderrTail:
    """A thread that drains a child's standard error and keeps its end (`MAX_KEPT_BYTES` bytes).

    The pipe is drained so that the child never blocks on it. A thread is necessary since a driver
    only waits for the descriptors of the connection.
    """

    def __init__(self, pipe: io.FileIO) -> None:
        self._pipe = pipe
        wakeup_recv, wakeup_send = os.pipe()
        self._wakeup_recv, self._wakeup_send = (
            io.FileIO(wakeup_recv, "rb"),
            io.FileIO(wakeup_send, "wb"),
        )
        for copied in (pipe, self._wakeup_recv, self._wakeup_send):
            register_after_fork(copied, close_inherited)
        self._tail = bytearray()
        self._lock = threading.Lock()
        try:
            self._thread = threads.start_thread(
                "jvmwire stderr", self._collect, purpose="listen to a child"
            )
        except ConnectFailed:
            self._wakeup_recv.close()
            self._wakeup_send.close()
            raise

    @property
    def collected(self) -> bytes:
        """The bytes kept so far."""
        with self._lock:
            return bytes(self._tail)

    def _collect(self) -> None:
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        poll.register(self._wakeup_recv, select.POLLIN)
        while True:
            ready = dict(poll.poll())
            if self._pipe.fileno() in ready:
                chunk = self._pipe.read(SMALL_READ)
                if not chunk:
                    break
                with self._lock:
                    self._tail += chunk
                    del self._tail[:-MAX_KEPT_BYTES]
            # Checked after the last read: a process that inherited the pipe from the child may
            # never close it.
            if self._wakeup_recv.fileno() in ready:
                break

    def close(self) -> None:
        """Read the remaining data and stop the thread; safe to call twice."""
        if not self._pipe.closed:
            self._wakeup_send.write(b"\0")
            self._thread.join()
            for copied in (self._pipe, self._wakeup_recv, self._wakeup_send):
                copied.close()
