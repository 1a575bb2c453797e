"""Redirection of printed output (of the component, libraries and children) into log lines."""

from __future__ import annotations

import faulthandler
import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

from jvmwire._runtime import threads
from jvmwire.errors import ConnectFailed
from jvmwire.transports._fork_safety import register_after_fork

if TYPE_CHECKING:
    from collections.abc import Callable

LINE_LIMIT: Final = 16 * 1024
"""Maximum bytes of a reported line; a longer line is split."""

_STDOUT, _STDERR = 1, 2


class OutputCapture:
    """Redirects standard output and standard error, and reports each line to `on_line`.

    The file descriptors are redirected, so that output of C libraries and child processes is
    included. Only `faulthandler` reports of a crashing interpreter still go to the original
    standard error.
    """

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._saved_fds = [os.dup(_STDOUT), os.dup(_STDERR)]
        read_fd, write_fd = os.pipe()
        self._source = io.FileIO(read_fd, "rb")
        try:  # without a reader, every process that prints would block once the pipe is full
            self._thread = threads.start_thread(
                "jvmwire noise", self._listen, purpose="tell what is printed"
            )
        except ConnectFailed:
            for fd in (write_fd, *self._saved_fds):
                os.close(fd)
            self._source.close()
            raise
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
        register_after_fork(self, OutputCapture._forget)
        os.dup2(write_fd, _STDOUT)
        os.dup2(write_fd, _STDERR)
        os.close(write_fd)
        faulthandler.enable(self._saved_fds[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Report the remaining output, and restore both descriptors."""
        flush_outputs()
        if not self._saved_fds:  # a forked child
            return
        for fd, before in zip((_STDOUT, _STDERR), self._saved_fds, strict=True):
            os.dup2(before, fd)
        # A child process that lives on holds a copy of the pipe: do not wait for its end.
        self._thread.join(END_TIMEOUT)
        faulthandler.disable()
        for before in self._saved_fds:
            os.close(before)

    def warn(self, text: str) -> None:
        """Write a text to the original standard error; ignore errors: its reader may be gone."""
        with suppress(OSError):
            os.write(self._saved_fds[1], f"{text}\n".encode("utf-8", "backslashreplace"))

    def _forget(self) -> None:
        """Close a forked child's copies, so that the original outputs end with their owner."""
        faulthandler.disable()
        for before in self._saved_fds:
            with suppress(OSError):
                os.close(before)
        self._saved_fds = []

    def _listen(self) -> None:
        rest = b""
        while data := self._source.read(LINE_LIMIT):
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) >= LINE_LIMIT:
                lines.append(rest)
                rest = b""
            for line in lines:
                self._emit(line)
        self._emit(rest)
        self._source.close()

    def _emit(self, line: bytes) -> None:
        if text := line.decode("utf-8", "backslashreplace").rstrip():
            self._on_line(text)


def flush_outputs() -> None:
    """Flush `sys.stdout` and `sys.stderr` unless the component closed them."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


END_TIMEOUT: Final = 1.0
"""Seconds to wait for output that was printed just before `close`."""
