"""Keys for redaction, which replaces values chosen by users: paths, names, payloads."""

from __future__ import annotations

import hashlib
import secrets

from jvmwire.errors import ConfigError

KEY_LENGTH = 16
"""Bytes of a key, as SipHash takes them."""
_SALT = b"jvmwire redaction"


def redaction_key(secret: bytes | None = None) -> bytes:
    """Return the redaction key derived from `secret`, or a new random key.

    With the same key, equal values get equal replacements in all tables and files. An owner of the
    key can test which name a replacement stands for, so that the secret must be hard to guess.

    Args:
        secret: The secret, or None for a random key.

    Returns:
        The key, 16 bytes.

    Raises:
        ConfigError: the secret is empty, as of an unset variable or a file that is not there yet.
    """
    if secret is None:
        return secrets.token_bytes(KEY_LENGTH)
    if not secret:
        raise ConfigError("the secret for replacing data of users is empty: anyone could guess it")
    # Slow on purpose, so that each guess of a secret takes as long.
    return hashlib.scrypt(secret, salt=_SALT, n=1 << 14, r=8, p=1, dklen=KEY_LENGTH)
