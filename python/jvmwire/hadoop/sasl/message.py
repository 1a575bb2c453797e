"""`RpcSaslProto`: what the two sides say about who they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from jvmwire._core import encode_sasl

if TYPE_CHECKING:
    from collections.abc import Sequence

SaslState = Literal["SUCCESS", "NEGOTIATE", "INITIATE", "CHALLENGE", "RESPONSE", "WRAP"]


class SaslAuth(NamedTuple):
    """A way to prove who one is, as a server offers it."""

    method: str
    """`TOKEN`, `KERBEROS`, `SIMPLE`: `SaslRpcServer.AuthMethod`."""
    mechanism: str
    protocol: str | None = None
    """The service's part of its Kerberos principal. What is there and empty is not what is missing:
    a server takes back only what it offered."""
    server_id: str | None = None
    """The host's part of it; of tokens, the realm."""
    challenge: bytes | None = None


@dataclass(frozen=True, slots=True)
class SaslMessage:
    """One message of a negotiation."""

    state: SaslState
    # What proves who one is stands in no log.
    token: bytes | None = field(default=None, repr=False)
    auths: Sequence[SaslAuth] = field(default=(), repr=False)

    def encode(self, side: Literal["client", "server"]) -> bytes:
        """Return its frame, as a client or a server writes it."""
        return encode_sasl(side, self.state, self.token, list(self.auths))
