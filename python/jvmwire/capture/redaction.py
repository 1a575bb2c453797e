"""Keys by which redaction replaces what users chose: paths, names, payloads."""

from __future__ import annotations

import hashlib
import secrets

KEY_LENGTH = 16
"""Bytes of a key: SipHash takes as many."""
_SALT = b"jvmwire redaction"


def redaction_key(secret: bytes | None = None) -> bytes:
    """Return the key of `secret`, always the same, or one that nobody has had before.

    By one key the same is replaced by the same, in all tables and files. Who has it can try which
    name a replacement stands for: a secret must be hard to guess.
    """
    if secret is None:
        return secrets.token_bytes(KEY_LENGTH)
    # Slow on purpose: each guess of a secret takes as long.
    return hashlib.scrypt(secret, salt=_SALT, n=1 << 14, r=8, p=1, dklen=KEY_LENGTH)
