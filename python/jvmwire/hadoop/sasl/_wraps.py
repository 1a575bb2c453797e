"""SASL wraps: frames under a security layer, split to fit the peer's buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jvmwire._core import encode_sasl

if TYPE_CHECKING:
    from jvmwire._runtime.session import Buffer
    from jvmwire.hadoop.sasl._protection import SecurityLayer


def wrapped(side: Literal["client", "server"], seal: SecurityLayer, data: Buffer) -> bytes:
    """Return frames in as many SASL wraps as needed; the contents of all wraps form one stream.

    Args:
        side: Side that sends them.
        seal: Security layer of the connection.
        data: The frames.

    Returns:
        The bytes to send.
    """
    size = seal.max_size
    pieces = (bytes(data[at : at + size]) for at in range(0, len(data), size))
    return b"".join(encode_sasl(side, "WRAP", seal.wrap(piece)) for piece in pieces)
