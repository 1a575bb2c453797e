"""Delegation tokens as credentials of SASL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hadoop.sasl._digest import DigestClient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.hadoop.sasl._message import SaslAuth
    from jvmwire.hadoop.sasl._protection import Protection
    from jvmwire.hadoop.sasl._token import Token


class TokenCredential:
    """Credential of one token; the server derives the user from it.

    Args:
        token: The token.
        protections: Acceptable protections, the preferred first.
    """

    user = None

    def __init__(self, token: Token, protections: Sequence[Protection]) -> None:
        self._token = token
        self._protections = protections

    def mechanism(self, auth: SaslAuth) -> DigestClient | None:
        """Return the DIGEST-MD5 client if the server accepts tokens.

        Args:
            auth: Mechanism that the server offers.

        Returns:
            The mechanism, or None if the server does not accept tokens by DIGEST-MD5.
        """
        if (auth.method, auth.mechanism) != ("TOKEN", "DIGEST-MD5"):
            return None
        return DigestClient(
            self._token.username,
            self._token.secret,
            protocol=auth.protocol or "",
            server_id=auth.server_id or "",
            protections=self._protections,
        )
