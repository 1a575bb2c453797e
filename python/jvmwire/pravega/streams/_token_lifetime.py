"""Lifetime of a delegation token, according to its claims."""

from __future__ import annotations

import base64

import orjson

RENEW_AT_FRACTION = 0.75
"""Fraction of a token's lifetime after which it is renewed (chosen by jvmwire).

Java's client renews in the last 5 s.
"""


def token_lifetime(token: str) -> float | None:
    """Return the seconds from a token's issue to its expiry; None if it has no such claims.

    Pravega's own tokens are JSON web tokens (JsonWebToken.java: `iat`, `exp`, both by one clock).
    """
    parts = token.split(".")
    if len(parts) != 3:
        return None
    payload = parts[1]
    try:
        claims = orjson.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        life = float(claims["exp"]) - float(claims["iat"])
    except (ValueError, TypeError, KeyError):
        return None
    return life if 0 < life < float("inf") else None
