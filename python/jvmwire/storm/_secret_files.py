"""Secret files: names and contents by which keys and passwords in a folder are recognised.

The names are those that tools use. The contents are formats that hold only secrets (keytabs, key
stores, token files), and texts with a private key, a password of JAAS or a secret key of AWS.
Archives are not opened, and a password in a file of any other format is not recognised.
"""

from __future__ import annotations

import re
import struct
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

NAMES: Final = (
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.jceks", "*.keystore", "*.truststore", "*.p8"),
    *("*.bcfks", "*.keytab", "*.ppk", "*.kdbx", "*.gpg", "*.pgp", "*.asc", "*.ovpn", "*.der"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "krb5cc_*", "credentials", "credentials.*"),
    *("*.secret", "*.secrets", "*.token", "*_token", "*.jwt", "*.password", "secrets.*"),
    *("htpasswd", "_netrc", "*jaas*.conf"),
)
"""Lower-case name patterns of files that hold keys or passwords."""

CODE: Final = ("*.py", "*.pyi", "*.so", "*.pyd")
"""Names of files that are checked by content only: `secrets.py` is a module."""

CHUNK: Final = 1 << 20
"""Bytes of a file that are searched at a time (chosen by jvmwire)."""
OVERLAP: Final = 8192
"""Bytes of the previous chunk that are searched again (chosen by jvmwire)."""

_PRIVATE_KEY = re.compile(
    rb"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
    rb"(?s:.{0,400}?)[A-Za-z0-9+/=]{40}"
    rb"|PuTTY-User-Key-File-\d: "
)
"""Private keys of RFC 7468 and similar formats.

The pattern requires some of the key, since programs that search for keys contain the headers.
"""
_AWS = re.compile(rb"(?i)aws_secret_access_key[\"']?\s{0,8}[:=]\s{0,8}[\"']?[A-Za-z0-9/+=]{40}")
_JAAS = re.compile(
    rb"(?i)LoginModule\s{1,80}(?:required|requisite|sufficient|optional)\s"
    rb"[^;{}]{0,1000}?\b(?:\w{0,40}password|user_\w{1,40}|clientsecret)"
    rb"\s{0,8}=\s{0,8}\\{0,2}[\"'][^\"'\\%{$<]"
)
"""A login configuration (javax.security.auth.login.Configuration) with a password.

It is `password="..."`, or for the plain and the digest mechanism `user_NAME="..."`; a configuration
in which a program sets the password does not match.
"""

_DER = rb"\x30(?:[\x00-\x80]|\x81.|\x82..|\x83...|\x84....)"
"""The beginning of a SEQUENCE in DER or BER."""
_PKCS = rb"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01"
"""An object identifier 1.2.840.113549.1.x.y, up to x."""
_BINARY = (
    (re.compile(rb"(?:\xfe\xed\xfe\xed|\xce\xce\xce\xce)\0\0\0[\1\2]"), "a Java key store"),
    (re.compile(rb"(?s)" + _DER + rb"\x02\x01\x03" + _DER + _PKCS), "a key store (PKCS #12)"),
    (
        # RSA (PKCS #1), elliptic curves (SEC 1), any algorithm, plain or encrypted (PKCS #8).
        re.compile(
            rb"(?s)" + _DER + rb"(?:\x02\x01\x00\x02[\x40-\x84]|\x02\x01\x01\x04[\x1c-\x42]"
            rb"|\x02\x01[\x00\x01]" + _DER + rb"\x06[\x03-\x0c]"
            rb"|" + _DER + _PKCS + rb"\x05)"
        ),
        "a private key",
    ),
    (re.compile(rb"HDTS[\0\1]"), "a file of Hadoop's tokens"),
    (re.compile(rb"\x03\xd9\xa2\x9a[\x65-\x67]\xfb\x4b\xb5"), "a password store (KeePass)"),
)
_TEXTS = (
    (b"private key", _PRIVATE_KEY, "a private key"),
    (b"putty-user-key-file-", _PRIVATE_KEY, "a private key"),
    (b"aws_secret_access_key", _AWS, "a secret key of AWS"),
    (b"loginmodule", _JAAS, "a password of JAAS"),
)
"""A lower-case string that is searched first, the pattern, and the kind of secret."""
_KEYTAB_ENTRY = struct.Struct(">iHH")
"""The size, the number of components, and the length of the realm."""
_MAX_COMPONENTS = 16


def reason_by_name(name: str) -> str | None:
    """Return the reason why a file of this name counts as a secret, as a sentence, or None."""
    small = name.lower()
    if any(fnmatchcase(small, known) for known in CODE):
        return None
    if any(fnmatchcase(small, known) for known in NAMES):
        return "its name is that of a key or a password"
    return None


def reason_by_content(path: Path) -> str | None:
    """Return the reason why the content of a file counts as a secret, as a sentence, or None.

    A file that cannot be read does not count.
    """
    try:
        with path.open("rb", buffering=0) as file:
            chunk = file.read(CHUNK)
            if (kind := _binary_kind(chunk)) is not None:
                return f"it is {kind}"
            while True:
                small = chunk.lower()
                for needle, pattern, kind in _TEXTS:
                    if needle in small and pattern.search(chunk) is not None:
                        return f"it holds {kind}"
                more = file.read(CHUNK)
                if not more:
                    return None
                chunk = chunk[-OVERLAP:] + more
    except OSError:
        return None


def _binary_kind(start: bytes) -> str | None:
    for pattern, kind in _BINARY:
        if pattern.match(start) is not None:
            return kind
    if _is_keytab(start):
        return "a keytab"
    if _is_credential_cache(start):
        return "a cache of Kerberos tickets"
    return None


def _is_keytab(start: bytes) -> bool:
    """Return whether a file begins like a keytab of MIT Kerberos: version 5.2, then entries."""
    if start[:2] != b"\5\2":
        return False
    at = 2
    while len(start) >= at + _KEYTAB_ENTRY.size:
        size, components, realm = _KEYTAB_ENTRY.unpack_from(start, at)
        if size < 0:  # the place of a removed entry
            at += 4 - size
            continue
        return bool(0 < components <= _MAX_COMPONENTS and 0 < realm < size)
    return False


def _is_credential_cache(start: bytes) -> bool:
    """Return whether a file begins like a ticket cache of MIT Kerberos, version 5.3 or 5.4."""
    if start[:2] not in (b"\5\3", b"\5\4"):
        return False
    at = 2 if start[1] == 3 else 4 + int.from_bytes(start[2:4])
    if len(start) < at + 12:
        return False
    kind, components, realm = struct.unpack_from(">III", start, at)
    return bool(max(kind, components) <= _MAX_COMPONENTS and 0 < realm < len(start))
