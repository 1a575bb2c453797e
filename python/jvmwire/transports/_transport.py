"""Interfaces between drivers and the network: endpoints, and the transports that they connect."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from jvmwire.errors import ConnectionLost, TransportError

if TYPE_CHECKING:
    import asyncio
    from collections import deque
    from collections.abc import Callable

    from jvmwire._runtime.session import Buffer

LARGE_READ = 512 * 1024
"""Maximum bytes per system call (chosen by jvmwire): most likely fits a processor core's cache."""

SMALL_READ = 64 * 1024
"""Bytes that a `recv` asks for if it expects less, and the capacity of a pipe.

For 128 KiB and more, glibc may have to ask the system for memory on each call: three system calls
and two page faults.
"""

Side = Literal["client", "server"]
"""Role in a connection: the side that connects is the client; a child process is the client."""

Address = str
"""Text of an address: `ip:port`, for IPv6 `[ip]:port`."""


class Transport(Protocol):
    """Interface of a non-blocking connection; the driver waits for its descriptors.

    A transport has no lock: only one thread at a time may use it.
    """

    read_fd: int
    write_fd: int
    """The descriptor to write to; equal to `read_fd` for a socket."""

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """The local address and the peer's address, or None for transports without addresses."""

    @property
    def unsent(self) -> int:
        """Bytes that `send` accepted and the system has not; if any, poll `write_fd`."""

    @property
    def pending(self) -> bool:
        """Whether `recv` can return more data without a readable descriptor."""

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while no data is available.

        Raises:
            TransportError: the connection is lost.
        """

    def send(self, data: Buffer) -> int:
        """Write `data`, or only flush `unsent`.

        Args:
            data: The bytes to write; empty data only flushes `unsent`.

        Returns:
            The number of bytes that were accepted, possibly 0.

        Raises:
            TransportError: the connection is lost.
        """

    def close(self) -> None:
        """Close the connection, even if a forked child holds a copy; safe to call twice."""


@runtime_checkable
class SupportsTimedRecv(Protocol):
    """Interface of a transport that can wait and receive in one system call."""

    def recv_with_timeout(self, inbox: deque[bytes]) -> None:
        """Wait a moment for a chunk, and append it, or `b""` at the end, to `inbox` if it arrives.

        Other threads may call `send` and `close` at the same time, but not `recv`. No exception,
        not even one raised by a signal handler, loses received data.
        """


class AsyncTransport(Protocol):
    """The part of `asyncio.Transport` that drivers use."""

    def write(self, data: Buffer) -> None:
        """Accept all of `data` for sending.

        Args:
            data: The bytes to write, which the caller must not change afterwards.
        """

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes that wait to be sent."""

    def pause_reading(self) -> None:
        """Stop calling the protocol's `data_received`."""

    def resume_reading(self) -> None:
        """Resume calling the protocol's `data_received`."""

    def is_closing(self) -> bool:
        """Return whether the connection is closed or closing."""

    def close(self) -> None:
        """Close the connection after all data is sent; the protocol's `connection_lost` follows."""

    def abort(self) -> None:
        """Close the connection at once; `connection_lost` of the protocol follows."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return `sockname`, `peername` or `socket` if the transport has them, else `default`.

        Args:
            name: One of these names.
            default: The result if the transport does not have the information.
        """


def never_cancelled() -> bool:
    """Return False, as the `cancelled` argument of an attempt that is never cancelled."""
    return False


class Endpoint(Protocol):
    """Interface of an address to connect to: immutable, hashable, shown in errors by its `str`."""

    @property
    def side(self) -> Side:
        """The role of this process in the protocol: `client` or `server`."""

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> Transport:
        """Connect, and block for at most `timeout` seconds.

        Args:
            timeout: Seconds until the attempt fails.
            cancelled: Called repeatedly during the attempt; a true result ends the attempt.

        Returns:
            The connected transport.

        Raises:
            ConnectFailed: the connection cannot be made in time.
        """

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Connect within `timeout` seconds.

        Args:
            protocol: The protocol of the connection.
            timeout: Seconds until the attempt fails.

        Returns:
            The connected transport; `protocol.connection_made` was called.

        Raises:
            ConnectFailed: the connection cannot be made in time.
        """


def transport_error(error: BaseException | None) -> TransportError:
    """Return the jvmwire error for the end of a connection.

    Args:
        error: The system's error, or None if the peer closed the connection.

    Returns:
        `error` itself if it is a `TransportError`, else a `ConnectionLost`.
    """
    if isinstance(error, TransportError):
        return error
    if error is None:
        return ConnectionLost("the peer closed the connection")
    return ConnectionLost(f"the connection was lost: {os_error_message(error)}")


def os_error_message(error: BaseException) -> str:
    """Return the system's message for `error`, without its number."""
    # asyncio puts its own text into strerror, and the resolver's error numbers are not the
    # system's.
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def address_text(address: object) -> Address | None:
    """Return the result of `getsockname` or `getpeername` as text, or None if not an IP address."""
    match address:
        case (str(host), int(port)):
            return f"{host}:{port}"
        case (str(host), int(port), int(), int()):
            return f"[{host.partition('%')[0]}]:{port}"
        case _:
            return None


def format_address_pair(ours: object, peers: object) -> tuple[Address, Address] | None:
    """Return both addresses as text, or None unless both are IP addresses."""
    texts = address_text(ours), address_text(peers)
    return None if texts[0] is None or texts[1] is None else (texts[0], texts[1])
