"""What goes over the wire when a seal was agreed on: frames in wraps, cut as the peer wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jvmwire._core import encode_sasl

if TYPE_CHECKING:
    from jvmwire._runtime.session import Buffer
    from jvmwire.hadoop.sasl.protection import SecurityLayer


def wrapped(side: Literal["client", "server"], seal: SecurityLayer, data: Buffer) -> bytes:
    """Return frames in as many wraps as they take: what is in wraps is one stream."""
    size = seal.max_size
    pieces = (bytes(data[at : at + size]) for at in range(0, len(data), size))
    return b"".join(encode_sasl(side, "WRAP", seal.wrap(piece)) for piece in pieces)
