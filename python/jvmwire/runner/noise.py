"""What is printed by whoever shares our process: it becomes log lines."""

from __future__ import annotations

import faulthandler
import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

from jvmwire._runtime import threads
from jvmwire.errors import ConnectFailed
from jvmwire.transports.forks import in_child

if TYPE_CHECKING:
    from collections.abc import Callable

LINE_LIMIT: Final = 16 * 1024
"""Bytes of a line that are told at once; the rest is a line of its own."""

_STDOUT, _STDERR = 1, 2


class Noise:
    """Both standard outputs, from now on: each line that is written to them is told.

    It goes through the descriptors, so that what a C library or a child prints counts too. Only
    what the interpreter says of its own death goes where standard error went before.
    """

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._before = [os.dup(_STDOUT), os.dup(_STDERR)]
        read_fd, write_fd = os.pipe()
        self._source = io.FileIO(read_fd, "rb")
        try:  # who prints would wait for ever for one who listens
            self._thread = threads.start_thread(
                "jvmwire noise", self._listen, purpose="tell what is printed"
            )
        except ConnectFailed:
            for fd in (write_fd, *self._before):
                os.close(fd)
            self._source.close()
            raise
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
        in_child(self, Noise._forget)
        os.dup2(write_fd, _STDOUT)
        os.dup2(write_fd, _STDERR)
        os.close(write_fd)
        faulthandler.enable(self._before[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Tell what is left, and give both outputs back."""
        flush_outputs()
        if not self._before:  # a forked child
            return
        for fd, before in zip((_STDOUT, _STDERR), self._before, strict=True):
            os.dup2(before, fd)
        # A child that lives on holds a copy: do not wait for its end.
        self._thread.join(END_TIMEOUT)
        faulthandler.disable()
        for before in self._before:
            os.close(before)

    def warn(self, text: str) -> None:
        """Write a text where standard error went before; whoever reads it may be gone."""
        with suppress(OSError):
            os.write(self._before[1], f"{text}\n".encode("utf-8", "backslashreplace"))

    def _forget(self) -> None:
        """Give up a forked child's copies, so that our outputs end when this process does."""
        faulthandler.disable()
        for before in self._before:
            with suppress(OSError):
                os.close(before)
        self._before = []

    def _listen(self) -> None:
        rest = b""
        while data := self._source.read(LINE_LIMIT):
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) >= LINE_LIMIT:
                lines.append(rest)
                rest = b""
            for line in lines:
                self._tell(line)
        self._tell(rest)
        self._source.close()

    def _tell(self, line: bytes) -> None:
        if text := line.decode("utf-8", "backslashreplace").rstrip():
            self._on_line(text)


def flush_outputs() -> None:
    """Write what Python keeps of both outputs; a component may have closed them."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


END_TIMEOUT: Final = 1.0
"""Seconds to wait for what was printed at the very end."""
