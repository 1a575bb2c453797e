"""Security layers of DIGEST-MD5: RFC 2831, sections 2.3 and 2.4."""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jvmwire.errors import MissingExtra, RemoteProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext

    from jvmwire.hadoop.sasl._protection import SecurityLayer

Side = Literal["client", "server"]

MAC_LEN = 10
"""The bytes of an HMAC that are sent."""
TRAILER = struct.Struct(">HI")
"""The fields after the HMAC: the version of the format, and the sequence number."""
FORMAT = 1
BLOCK = 8
"""The block size of DES in bytes."""
INTEGRITY_OVERHEAD = MAC_LEN + TRAILER.size
PRIVACY_OVERHEAD = INTEGRITY_OVERHEAD + BLOCK + 2
"""The bytes of a buffer that Java reserves, 26 for any cipher: `DigestMD5Base`."""

_WAYS = {"client": "client-to-server", "server": "server-to-client"}


@dataclass(frozen=True, slots=True)
class CipherSuite:
    """Cipher of RFC 2831."""

    name: str
    key_len: int
    """The bytes of H(A1) from which its keys are derived."""
    block: int
    """The block size in bytes; 1 for a stream cipher."""


CIPHERS = {
    suite.name: suite
    for suite in (
        # The preferred first, as in Java.
        CipherSuite("3des", 16, BLOCK),
        CipherSuite("rc4", 16, 1),
        CipherSuite("des", 16, BLOCK),
        CipherSuite("rc4-56", 7, 1),
        CipherSuite("rc4-40", 5, 1),
    )
}


class IntegrityLayer:
    """Security layer of `auth-int`.

    Args:
        secret: H(A1).
        side: This side.
        peer_buffer: Size of the peer's buffer in bytes.
    """

    def __init__(self, secret: bytes, side: Side, peer_buffer: int) -> None:
        peer: Side = "server" if side == "client" else "client"
        self.max_size = peer_buffer - INTEGRITY_OVERHEAD
        self._ours, self._theirs = _MacSequence(secret, side), _MacSequence(secret, peer)

    def wrap(self, data: bytes) -> bytes:
        """Return a message with its HMAC and sequence number.

        Args:
            data: The message.

        Returns:
            The token.
        """
        mac = self._ours.mac(data)
        return data + mac + self._ours.next_trailer()

    def unwrap(self, token: bytes) -> bytes:
        """Return the message of a token after the check of its HMAC.

        Args:
            token: The token.

        Returns:
            The message.

        Raises:
            RemoteProtocolError: the token is not valid, or not the next in sequence.
        """
        self._theirs.take_trailer(token)
        end = len(token) - INTEGRITY_OVERHEAD
        if end < 0:
            raise RemoteProtocolError(f"DIGEST-MD5: a wrap of {len(token)} bytes has no HMAC")
        data = token[:end]
        self._theirs.check(data, token[end : end + MAC_LEN])
        return data


class PrivacyLayer:
    """Security layer of `auth-conf`.

    Args:
        secret: H(A1).
        side: This side.
        peer_buffer: Size of the peer's buffer in bytes.
        suite: The cipher.

    Raises:
        MissingExtra: the ciphers are not installed.
    """

    def __init__(self, secret: bytes, side: Side, peer_buffer: int, suite: CipherSuite) -> None:
        peer: Side = "server" if side == "client" else "client"
        self.max_size = peer_buffer - PRIVACY_OVERHEAD
        self._block = suite.block
        self._ours, self._theirs = _MacSequence(secret, side), _MacSequence(secret, peer)
        # Each direction is one stream of the cipher: a message continues where the last one ended.
        self._encryptor = _cipher(suite, secret, side, encrypting=True)
        self._decryptor = _cipher(suite, secret, peer, encrypting=False)

    def wrap(self, data: bytes) -> bytes:
        """Return a message and its HMAC encrypted, followed by the sequence number.

        Args:
            data: The message.

        Returns:
            The token.
        """
        mac = self._ours.mac(data)
        fill = -(len(data) + MAC_LEN) % self._block
        if self._block > 1 and not fill:
            fill = self._block
        sealed = self._encryptor.update(data + bytes([fill]) * fill + mac)
        return sealed + self._ours.next_trailer()

    def unwrap(self, token: bytes) -> bytes:
        """Return the decrypted message of a token after the check of its HMAC.

        Args:
            token: The token.

        Returns:
            The message.

        Raises:
            RemoteProtocolError: the token is not valid, or not the next in sequence.
        """
        self._theirs.take_trailer(token)
        sealed = token[: -TRAILER.size]
        if len(sealed) < MAC_LEN + (self._block > 1) or len(sealed) % self._block:
            raise RemoteProtocolError(f"DIGEST-MD5: {len(sealed)} bytes are nothing in this cipher")
        opened = self._decryptor.update(sealed)
        data, mac = opened[:-MAC_LEN], opened[-MAC_LEN:]
        if self._block > 1:
            # Wrong padding is treated as a wrong HMAC, so that the error reveals neither.
            fill = data[-1]
            data = data[: len(data) - fill] if fill <= self._block else b""
        self._theirs.check(data, mac)
        return data


class _MacSequence:
    """HMACs and sequence numbers of one direction."""

    def __init__(self, secret: bytes, side: Side) -> None:
        magic = f"Digest session key to {_WAYS[side]} signing key magic constant"
        self._key = hashlib.md5(secret + magic.encode()).digest()  # noqa: S324  # as RFC 2831 requires
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
        # Single DES is triple DES with three equal keys.
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
    """Return the security layer of a quality of protection.

    Args:
        secret: H(A1).
        side: This side.
        quality: `auth`, `auth-int` or `auth-conf`.
        peer_buffer: Size of the peer's buffer in bytes.
        cipher: Name of the cipher, for `auth-conf`.

    Returns:
        The security layer, or None for `auth`.
    """
    match quality:
        case "auth-int":
            return IntegrityLayer(secret, side, peer_buffer)
        case "auth-conf" if cipher is not None:
            return PrivacyLayer(secret, side, peer_buffer, CIPHERS[cipher])
        case _:
            return None
