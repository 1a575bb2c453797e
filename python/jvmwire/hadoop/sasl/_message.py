"""SASL messages of Hadoop RPC: `RpcSaslProto`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from jvmwire._core import encode_sasl

if TYPE_CHECKING:
    from collections.abc import Sequence

SaslState = Literal["SUCCESS", "NEGOTIATE", "INITIATE", "CHALLENGE", "RESPONSE", "WRAP"]


class SaslAuth(NamedTuple):
    """Authentication mechanism that a server offers.

    Attributes:
        method: The method: `TOKEN`, `KERBEROS`, `SIMPLE`: `SaslRpcServer.AuthMethod`.
        mechanism: The name of the mechanism.
        protocol: The service in the server's Kerberos principal. An empty text differs from None: a
            server accepts only its own offer, unchanged.
        server_id: The host in the server's Kerberos principal; for tokens, the realm.
        challenge: The first challenge, if the server sent it along.
    """

    method: str
    mechanism: str
    protocol: str | None = None
    server_id: str | None = None
    challenge: bytes | None = None


@dataclass(frozen=True, slots=True)
class SaslMessage:
    """One SASL message.

    Attributes:
        state: The step of the negotiation.
        token: The token of the mechanism.
        auths: The methods that the server offers, or the one that the client chose.
    """

    state: SaslState
    # Tokens prove an identity, so they are kept out of logs.
    token: bytes | None = field(default=None, repr=False)
    auths: Sequence[SaslAuth] = field(default=(), repr=False)

    def encode(self, side: Literal["client", "server"]) -> bytes:
        """Return the frame of the message.

        Args:
            side: Side that sends it.

        Returns:
            The bytes to send.
        """
        return encode_sasl(side, self.state, self.token, list(self.auths))
