"""The standard input and output of this process as an endpoint, for programs started by a JVM."""

from __future__ import annotations

import io
import os
import select
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jvmwire.errors import ConnectFailed
from jvmwire.transports._pipes import PipeTransport
from jvmwire.transports._transport import Side, never_cancelled, os_error_message

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from jvmwire.transports._transport import AsyncTransport, Transport

STDIN, STDOUT, STDERR = 0, 1, 2

_claim_lock = threading.Lock()
_claimed = False


@dataclass(frozen=True, slots=True)
class Stdio:
    """An endpoint that takes over the standard input and output of this process permanently.

    After the takeover, standard input is empty, and standard output (of `print`, libraries and
    child processes) goes to standard error, so that no other output can corrupt the protocol.
    """

    side: ClassVar[Side] = "client"

    def __str__(self) -> str:
        return "standard input and output"

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> Transport:
        """Take over standard input and output and return them as one transport.

        Args:
            timeout: Not used, since no step waits.
            cancelled: Not used.

        Returns:
            The transport over both descriptors.

        Raises:
            ConnectFailed: standard input and output were taken over before, or one of them is
                closed.
        """
        del timeout, cancelled
        return PipeTransport(*_claim())

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Take over standard input and output and return them as one transport.

        Args:
            protocol: The protocol of the connection.
            timeout: Not used, since no step waits.

        Returns:
            The asyncio transport over both descriptors.

        Raises:
            ConnectFailed: standard input and output were taken over before, one of them is closed,
                or one of them is a file or `/dev/null`, which asyncio cannot poll.
        """
        del timeout
        for fd, name in ((STDIN, "input"), (STDOUT, "output")):
            try:
                with select.epoll() as probe:
                    probe.register(fd)
            except OSError as error:  # a file or /dev/null
                raise ConnectFailed(
                    f"standard {name} is nothing that asyncio can wait for: "
                    f"{os_error_message(error)}"
                ) from error
        # Imported here so that a component without asyncio does not load asyncio.
        from jvmwire.transports._pipes_async import AsyncPipes

        return await AsyncPipes(protocol).connect(*_claim())


class _BlockingRestored(io.FileIO):
    """A descriptor that is set back to blocking mode when closed, since a terminal is shared."""

    def close(self) -> None:
        if not self.closed:
            os.set_blocking(self.fileno(), True)
        super().close()


def _claim() -> tuple[io.FileIO, io.FileIO]:
    global _claimed  # a process has one standard input
    with _claim_lock:
        if _claimed:
            raise ConnectFailed("standard input and output are taken already")
        try:
            reader = _BlockingRestored(os.dup(STDIN), "rb")
            writer = _BlockingRestored(os.dup(STDOUT), "wb")
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, STDIN)
            os.close(nothing)
            os.dup2(STDERR, STDOUT)
        except OSError as error:  # one of the three descriptors is closed
            raise ConnectFailed(
                f"cannot take standard input and output: {os_error_message(error)}"
            ) from error
        _claimed = True
        return reader, writer
