"""Collection of the standard error of a child process."""

import io
import os
import select
import threading

from jvmwire._runtime import threads
from jvmwire.errors import ConnectFailed
from jvmwire.transports.fork_safety import in_child, leave
from jvmwire.transports.transport import FEW

KEPT = 64 * 1024
"""Number of bytes that are kept, from the end."""


class StderrTail:
    """A thread that drains a child's standard error and keeps its end (`KEPT` bytes).

    The pipe is drained so that the child never blocks on it. A thread is necessary since a driver
    only waits for the descriptors of the connection.
    """

    def __init__(self, pipe: io.FileIO) -> None:
        self._pipe = pipe
        bell, rope = os.pipe()
        self._bell, self._rope = io.FileIO(bell, "rb"), io.FileIO(rope, "wb")
        for copied in (pipe, self._bell, self._rope):
            in_child(copied, leave)
        self._tail = bytearray()
        self._lock = threading.Lock()
        try:
            self._thread = threads.start_thread(
                "jvmwire stderr", self._collect, purpose="listen to a child"
            )
        except ConnectFailed:
            self._bell.close()
            self._rope.close()
            raise

    @property
    def collected(self) -> bytes:
        """The bytes kept so far."""
        with self._lock:
            return bytes(self._tail)

    def _collect(self) -> None:
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        poll.register(self._bell, select.POLLIN)
        while True:
            ready = dict(poll.poll())
            if self._pipe.fileno() in ready:
                chunk = self._pipe.read(FEW)
                if not chunk:
                    break
                with self._lock:
                    self._tail += chunk
                    del self._tail[:-KEPT]
            # Checked after the last read: a process that inherited the pipe from the child may
            # never close it.
            if self._bell.fileno() in ready:
                break

    def close(self) -> None:
        """Read the remaining data and stop the thread; safe to call twice."""
        if not self._pipe.closed:
            self._rope.write(b"\0")
            self._thread.join()
            for copied in (self._pipe, self._bell, self._rope):
                copied.close()
