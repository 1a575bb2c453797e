"""A delegation token as what somebody proves who they are with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hadoop.sasl.digest import DigestClient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.hadoop.sasl.message import SaslAuth
    from jvmwire.hadoop.sasl.protection import Protection
    from jvmwire.hadoop.sasl.token import Token


class TokenCredential:
    """One token; the server knows whose it is."""

    user = None

    def __init__(self, token: Token, protections: Sequence[Protection]) -> None:
        self._token = token
        self._protections = protections

    def mechanism(self, auth: SaslAuth) -> DigestClient | None:
        """Return DIGEST-MD5, if the server takes tokens."""
        if (auth.method, auth.mechanism) != ("TOKEN", "DIGEST-MD5"):
            return None
        return DigestClient(
            self._token.username,
            self._token.secret,
            protocol=auth.protocol or "",
            server_id=auth.server_id or "",
            protections=self._protections,
        )
