"""What a driver asks of the outside world: endpoints, and the transports they connect."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from jvmwire.errors import ConnectionLost, TransportError

if TYPE_CHECKING:
    import asyncio
    from collections import deque
    from collections.abc import Callable

    from jvmwire._runtime.session import Buffer

CHUNK = 512 * 1024
"""The most bytes that go to the system or come from it at once. Ours: of each a processor's own
cache holds as many, most likely."""

FEW = 64 * 1024
"""What a `recv` asks for that most likely gets less; also what a pipe holds. For 128 KiB and more
glibc may have to ask the system for memory, each time: three calls and two page faults."""

Side = Literal["client", "server"]
"""Who opens the connection is the client; of a program and its child, the child is."""

Address = str
"""`ip:port`, of IPv6 `[ip]:port`."""


class Transport(Protocol):
    """A connection that never blocks; the driver waits for its descriptors.

    It has no lock: one thread at a time may use it.
    """

    read_fd: int
    write_fd: int
    """Of a socket the same as `read_fd`."""

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """Ours and the peer's, or None where there are none."""

    @property
    def unsent(self) -> int:
        """Bytes that `send` took and the system did not yet; wait for room while there are any."""

    @property
    def pending(self) -> bool:
        """Whether `recv` has more to give that no descriptor announces."""

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while there is nothing."""

    def send(self, data: Buffer) -> int:
        """Return how much of `data` was taken, maybe nothing; no data only moves `unsent` on."""

    def close(self) -> None:
        """End the connection, even if a forked child holds a copy; twice is fine."""


@runtime_checkable
class Patient(Protocol):
    """What a transport also does if one look at it can both wait and receive."""

    def recv_soon(self, inbox: deque[bytes]) -> None:
        """Wait a moment for a chunk, or `b""`, and put it into `inbox`; put nothing if none came.

        Other threads may meanwhile `send` and `close`, and not `recv`. No exception, not even one
        that a signal's handler raises, loses what was taken from the system.
        """


class AsyncTransport(Protocol):
    """What drivers use of `asyncio.Transport`."""

    def write(self, data: Buffer) -> None:
        """Take all of `data`, which must not be changed afterwards."""

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be sent."""

    def pause_reading(self) -> None:
        """Hand no more to the protocol's `data_received`."""

    def resume_reading(self) -> None:
        """Hand on again."""

    def is_closing(self) -> bool:
        """Return whether the connection ended or will."""

    def close(self) -> None:
        """End the connection once all was sent; the protocol's `connection_lost` follows."""

    def abort(self) -> None:
        """End the connection now; the protocol's `connection_lost` follows."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return `sockname`, `peername` or `socket`, where there are such."""


def never() -> bool:
    """Return False: nobody cancels."""
    return False


class Endpoint(Protocol):
    """Where to connect to: immutable, hashable, and its text is what errors call it."""

    @property
    def side(self) -> Side:
        """Who we are in the conversation."""

    def connect(self, *, timeout: float, cancelled: Callable[[], bool] = never) -> Transport:
        """Connect, blocking; `cancelled` is asked now and then, and ends it.

        Raises `ConnectFailed`.
        """

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Connect; `protocol` has met `connection_made` when this returns.

        Raises `ConnectFailed`.
        """


def transport_error(error: BaseException | None) -> TransportError:
    """Return ours for what ended a connection: the system's error, or None for the peer's wish."""
    if isinstance(error, TransportError):
        return error
    if error is None:
        return ConnectionLost("the peer closed the connection")
    return ConnectionLost(f"the connection was lost: {reason(error)}")


def reason(error: BaseException) -> str:
    """Return the system's words for `error`, without its number."""
    # asyncio puts words of its own into strerror; the resolver's numbers are not the system's.
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def address_text(address: object) -> Address | None:
    """Return what `getsockname` or `getpeername` gave as text; None if it is no IP address."""
    match address:
        case (str(host), int(port)):
            return f"{host}:{port}"
        case (str(host), int(port), int(), int()):
            return f"[{host.partition('%')[0]}]:{port}"
        case _:
            return None


def both_addresses(ours: object, peers: object) -> tuple[Address, Address] | None:
    """Return both as text, or None if one is no IP address."""
    texts = address_text(ours), address_text(peers)
    return None if texts[0] is None or texts[1] is None else (texts[0], texts[1])
