"""Our own standard input and output, when we are the child."""

from __future__ import annotations

import io
import os
import select
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jvmwire.errors import ConnectFailed
from jvmwire.transports.pipes import PipeTransport
from jvmwire.transports.transport import Side, never, reason

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from jvmwire.transports.transport import AsyncTransport, Transport

STDIN, STDOUT, STDERR = 0, 1, 2

_taking = threading.Lock()
_taken = False


@dataclass(frozen=True, slots=True)
class Stdio:
    """Standard input and output of this process, taken over once and for good.

    From then on whoever reads standard input finds its end, and whoever prints, be it a library
    or a child, prints to standard error: the conversation stays clean.
    """

    side: ClassVar[Side] = "client"

    def __str__(self) -> str:
        return "standard input and output"

    def connect(self, *, timeout: float, cancelled: Callable[[], bool] = never) -> Transport:
        """Take them over; that takes no time."""
        del timeout, cancelled
        return PipeTransport(*_take())

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Take them over; that takes no time."""
        del timeout
        for fd, name in ((STDIN, "input"), (STDOUT, "output")):
            try:
                with select.epoll() as probe:
                    probe.register(fd)
            except OSError as error:  # a file or /dev/null
                raise ConnectFailed(
                    f"standard {name} is nothing that asyncio can wait for: {reason(error)}"
                ) from error
        # A component without asyncio does not load it.
        from jvmwire.transports.pipes_async import AsyncPipes

        return await AsyncPipes(protocol).connect(*_take())


class _Borrowed(io.FileIO):
    """A descriptor that is left blocking, as it was: a terminal is its user's again."""

    def close(self) -> None:
        if not self.closed:
            os.set_blocking(self.fileno(), True)
        super().close()


def _take() -> tuple[io.FileIO, io.FileIO]:
    global _taken  # a process has one standard input
    with _taking:
        if _taken:
            raise ConnectFailed("standard input and output are taken already")
        try:
            reader = _Borrowed(os.dup(STDIN), "rb")
            writer = _Borrowed(os.dup(STDOUT), "wb")
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, STDIN)
            os.close(nothing)
            os.dup2(STDERR, STDOUT)
        except OSError as error:  # one of the three is closed
            raise ConnectFailed(
                f"cannot take standard input and output: {reason(error)}"
            ) from error
        _taken = True
        return reader, writer
