"""The seals of DIGEST-MD5: RFC 2831, sections 2.3 and 2.4."""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jvmwire.errors import MissingExtra, RemoteProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext

    from jvmwire.hadoop.sasl.protection import SecurityLayer

Side = Literal["client", "server"]

MAC_LEN = 10
"""Bytes of a HMAC that are sent."""
TRAILER = struct.Struct(">HI")
"""Behind the HMAC: the version of the format, and the message's number."""
FORMAT = 1
BLOCK = 8
"""Bytes of a block of DES."""
INTEGRITY_OVERHEAD = MAC_LEN + TRAILER.size
PRIVACY_OVERHEAD = INTEGRITY_OVERHEAD + BLOCK + 2
"""Java keeps 26 bytes free of a buffer, whatever the cipher: `DigestMD5Base`."""

_WAYS = {"client": "client-to-server", "server": "server-to-client"}


@dataclass(frozen=True, slots=True)
class CipherSuite:
    """A cipher by its name in RFC 2831."""

    name: str
    key_len: int
    """Bytes of H(A1) that its keys are made of."""
    block: int
    """Bytes that must be filled; 1 of a stream cipher."""


CIPHERS = {
    suite.name: suite
    for suite in (
        # Most wanted first, as in Java.
        CipherSuite("3des", 16, BLOCK),
        CipherSuite("rc4", 16, 1),
        CipherSuite("des", 16, BLOCK),
        CipherSuite("rc4-56", 7, 1),
        CipherSuite("rc4-40", 5, 1),
    )
}


class IntegrityLayer:
    """What `auth-int` puts behind bytes."""

    def __init__(self, secret: bytes, side: Side, peer_buffer: int) -> None:
        peer: Side = "server" if side == "client" else "client"
        self.max_size = peer_buffer - INTEGRITY_OVERHEAD
        self._ours, self._theirs = _MacSequence(secret, side), _MacSequence(secret, peer)

    def wrap(self, data: bytes) -> bytes:
        """Return `data` with its HMAC and number."""
        mac = self._ours.mac(data)
        return data + mac + self._ours.next_trailer()

    def unwrap(self, token: bytes) -> bytes:
        """Return the bytes before a HMAC, if it is theirs."""
        self._theirs.take_trailer(token)
        end = len(token) - INTEGRITY_OVERHEAD
        if end < 0:
            raise RemoteProtocolError(f"DIGEST-MD5: a wrap of {len(token)} bytes has no HMAC")
        data = token[:end]
        self._theirs.check(data, token[end : end + MAC_LEN])
        return data


class PrivacyLayer:
    """What `auth-conf` makes of bytes."""

    def __init__(self, secret: bytes, side: Side, peer_buffer: int, suite: CipherSuite) -> None:
        peer: Side = "server" if side == "client" else "client"
        self.max_size = peer_buffer - PRIVACY_OVERHEAD
        self._block = suite.block
        self._ours, self._theirs = _MacSequence(secret, side), _MacSequence(secret, peer)
        # Each direction is one stream of the cipher: a message goes on where the last one ended.
        self._encryptor = _cipher(suite, secret, side, encrypting=True)
        self._decryptor = _cipher(suite, secret, peer, encrypting=False)

    def wrap(self, data: bytes) -> bytes:
        """Return `data` and its HMAC in cipher, then the number."""
        mac = self._ours.mac(data)
        fill = -(len(data) + MAC_LEN) % self._block
        if self._block > 1 and not fill:
            fill = self._block
        sealed = self._encryptor.update(data + bytes([fill]) * fill + mac)
        return sealed + self._ours.next_trailer()

    def unwrap(self, token: bytes) -> bytes:
        """Return what was in cipher, if its HMAC is theirs."""
        self._theirs.take_trailer(token)
        sealed = token[: -TRAILER.size]
        if len(sealed) < MAC_LEN + (self._block > 1) or len(sealed) % self._block:
            raise RemoteProtocolError(f"DIGEST-MD5: {len(sealed)} bytes are nothing in this cipher")
        opened = self._decryptor.update(sealed)
        data, mac = opened[:-MAC_LEN], opened[-MAC_LEN:]
        if self._block > 1:
            # A fill that is none is a HMAC that is none: neither tells more than the other.
            fill = data[-1]
            data = data[: len(data) - fill] if fill <= self._block else b""
        self._theirs.check(data, mac)
        return data


class _MacSequence:
    """The HMACs and numbers of one direction."""

    def __init__(self, secret: bytes, side: Side) -> None:
        magic = f"Digest session key to {_WAYS[side]} signing key magic constant"
        self._key = hashlib.md5(secret + magic.encode()).digest()  # noqa: S324  # RFC 2831 says so
        self._number = 0

    def mac(self, data: bytes) -> bytes:
        return hmac.digest(self._key, struct.pack(">I", self._number) + data, "md5")[:MAC_LEN]

    def check(self, data: bytes, mac: bytes) -> None:
        if not hmac.compare_digest(self.mac(data), mac):
            raise RemoteProtocolError(f"DIGEST-MD5: the seal of message {self._number} is broken")
        self._advance()

    def next_trailer(self) -> bytes:
        trailer = TRAILER.pack(FORMAT, self._number)
        self._advance()
        return trailer

    def take_trailer(self, token: bytes) -> None:
        if len(token) < TRAILER.size:
            raise RemoteProtocolError(f"DIGEST-MD5: a wrap of {len(token)} bytes has no number")
        version, number = TRAILER.unpack_from(token, len(token) - TRAILER.size)
        if version != FORMAT:
            raise RemoteProtocolError(f"DIGEST-MD5: a wrap is of version {version}, not {FORMAT}")
        if number != self._number:
            raise RemoteProtocolError(f"DIGEST-MD5: message {number} came for {self._number}")

    def _advance(self) -> None:
        self._number = (self._number + 1) % (1 << 32)


def _cipher(suite: CipherSuite, secret: bytes, side: Side, *, encrypting: bool) -> CipherContext:
    try:
        from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4, TripleDES
        from cryptography.hazmat.primitives.ciphers import Cipher
        from cryptography.hazmat.primitives.ciphers.modes import CBC
    except ImportError as error:
        raise MissingExtra(
            "privacy by DIGEST-MD5 needs ciphers: pip install 'jvmwire[kerberos]'"
        ) from error
    magic = f"Digest H(A1) to {_WAYS[side]} sealing key magic constant"
    key = hashlib.md5(secret[: suite.key_len] + magic.encode()).digest()  # noqa: S324  # as above
    cipher: Cipher[CBC | None]
    if suite.block == 1:
        cipher = Cipher(ARC4(key), None)
    else:
        first = _des_key(key[:7])
        second = _des_key(key[7:14]) if suite.name == "3des" else first
        # DES alone is DES three times with one key.
        cipher = Cipher(TripleDES(first + second + first), CBC(key[8:]))
    return cipher.encryptor() if encrypting else cipher.decryptor()


def _des_key(bits: bytes) -> bytes:
    """Spread 56 bits over 8 bytes, each with odd parity."""
    number = int.from_bytes(bits)
    sevens = [number >> shift & 0x7F for shift in range(49, -1, -7)]
    return bytes(seven << 1 | (~seven.bit_count() & 1) for seven in sevens)


def seal(
    secret: bytes, side: Side, quality: str, peer_buffer: int, cipher: str | None
) -> SecurityLayer | None:
    """Return what a quality of protection puts around bytes; None of `auth`."""
    match quality:
        case "auth-int":
            return IntegrityLayer(secret, side, peer_buffer)
        case "auth-conf" if cipher is not None:
            return PrivacyLayer(secret, side, peer_buffer, CIPHERS[cipher])
        case _:
            return None
