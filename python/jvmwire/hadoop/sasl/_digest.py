"""DIGEST-MD5, client and server: mutual proof of a shared password (RFC 2831)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import RemoteProtocolError
from jvmwire.hadoop.sasl._directives import (
    MAX_CHALLENGE,
    MAX_RESPONSE,
    Directives,
    joined,
    quoted,
)
from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST, Protection
from jvmwire.hadoop.sasl._security_layer import CIPHERS, PRIVACY_OVERHEAD, seal
from jvmwire.hadoop.sasl.errors import AuthenticationFailed, ServerNotTrusted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.hadoop.sasl._protection import SecurityLayer

BUFFER = 65_536
"""The largest wrap in bytes that this side accepts, and the default of a peer: RFC 2831, section
2.1.1."""
LARGEST_BUFFER = (1 << 24) - 1
"""The largest `maxbuf` that RFC 2831 allows."""
NONCE_LEN = 30
"""The random bytes of a nonce, as in Java: `DigestMD5Base.generateNonce`."""
FIRST = "00000001"
"""The count of a nonce that is used once."""


def _nonce() -> str:
    return b64encode(secrets.token_bytes(NONCE_LEN)).decode()


def _md5(data: bytes) -> bytes:
    return hashlib.md5(data).digest()  # noqa: S324  # as RFC 2831 requires


def _in_hash(text: str) -> bytes:
    """Return the bytes of a name or password for hashing: RFC 2831, section 2.1.2.1."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exchange:
    """Values that both sides have after the response."""

    username: str = field(repr=False)
    password: str = field(repr=False)
    realm: str
    nonce: str = field(repr=False)
    cnonce: str = field(repr=False)
    digest_uri: str
    quality: str

    def secret(self) -> bytes:
        """Return H(A1), from which all keys are derived."""
        parts = (self.username, self.realm, self.password)
        start = _md5(b":".join(map(_in_hash, parts)))
        return _md5(b":".join((start, self.nonce.encode(), self.cnonce.encode())))

    def response(self, method: str) -> str:
        """Return the proof of the password; `method` is `AUTHENTICATE` for the client's proof."""
        asked = f"{method}:{self.digest_uri}"
        if self.quality != "auth":
            asked += ":" + "0" * 32
        parts = (
            self.secret().hex(),
            self.nonce,
            FIRST,
            self.cnonce,
            self.quality,
            _md5(asked.encode()).hex(),
        )
        return _md5(":".join(parts).encode()).hex()


CLIENT = "AUTHENTICATE"
SERVER = ""


class DigestClient:
    """Client side of one DIGEST-MD5 exchange.

    Args:
        username: Name of the user.
        password: Password of the user.
        protocol: First part of the digest URI.
        server_id: Second part of the digest URI.
        protections: Acceptable protections, the preferred first. Default: the strongest first.
        nonce: Function that returns the client's nonce. Default: random.
    """

    def __init__(
        self,
        username: str,
        password: str,
        *,
        protocol: str,
        server_id: str,
        protections: Sequence[Protection] = STRONGEST_FIRST,
        nonce: Callable[[], str] = _nonce,
    ) -> None:
        self._username = username
        self._password = password
        self._digest_uri = f"{protocol}/{server_id}"
        self._protections = protections
        self._nonce = nonce
        self._exchange: _Exchange | None = None
        self._seal: SecurityLayer | None = None
        self.complete = False
        """Whether the server has proved the password."""

    @property
    def seal(self) -> SecurityLayer | None:
        """The security layer of all further bytes, or None."""
        return self._seal

    def respond(self, challenge: bytes) -> bytes:
        """Return the response to a challenge of the server; empty after the server's proof.

        Args:
            challenge: Challenge of the server.

        Returns:
            The response.

        Raises:
            RemoteProtocolError: the challenge is not valid.
            AuthenticationFailed: the server offers no acceptable protection.
            ServerNotTrusted: the server does not know the password.
        """
        if self._exchange is None:
            return self._answer(Directives(challenge, limit=MAX_CHALLENGE))
        if self.complete:
            raise RemoteProtocolError("DIGEST-MD5: a challenge behind the last one")
        proof = Directives(challenge, limit=MAX_CHALLENGE).one("rspauth")
        expected = self._exchange.response(SERVER)
        if not hmac.compare_digest(proof.encode(), expected.encode()):
            raise ServerNotTrusted("the server does not know the token's password")
        self.complete = True
        return b""

    def _answer(self, challenge: Directives) -> bytes:
        if (algorithm := challenge.one("algorithm")) != "md5-sess":
            raise RemoteProtocolError(f"DIGEST-MD5: algorithm is {algorithm!r}, not md5-sess")
        protection = self._protection(challenge)
        cipher = self._cipher(challenge) if protection is Protection.PRIVACY else None
        most = challenge.number("maxbuf", BUFFER, least=PRIVACY_OVERHEAD + 1, most=LARGEST_BUFFER)
        realm, *_ = challenge.all("realm") or [""]
        exchange = self._exchange = _Exchange(
            username=self._username,
            password=self._password,
            realm=realm,
            nonce=challenge.one("nonce"),
            cnonce=self._nonce(),
            digest_uri=self._digest_uri,
            quality=protection.quality,
        )
        self._seal = seal(exchange.secret(), "client", exchange.quality, most, cipher)
        directives = [
            ("charset", "utf-8"),
            ("username", quoted(self._username)),
            ("realm", quoted(realm)),
            ("nonce", quoted(exchange.nonce)),
            ("nc", FIRST),
            ("cnonce", quoted(exchange.cnonce)),
            ("digest-uri", quoted(self._digest_uri)),
            ("maxbuf", str(BUFFER)),
            ("response", exchange.response(CLIENT)),
            ("qop", exchange.quality),
        ]
        if cipher is not None:
            directives.append(("cipher", quoted(cipher)))
        return joined(directives)

    def _protection(self, challenge: Directives) -> Protection:
        offered = _words(challenge.one("qop", "auth"))
        for protection in self._protections:
            if protection.quality in offered:
                return protection
        wanted = ", ".join(self._protections)
        raise AuthenticationFailed(
            f"no protection in common: the server offers {', '.join(offered)}, wanted is {wanted}"
        )

    def _cipher(self, challenge: Directives) -> str:
        offered = _words(challenge.one("cipher"))
        for name in CIPHERS:
            if name in offered:
                return name
        raise AuthenticationFailed(f"no cipher in common: the server offers {', '.join(offered)}")


class DigestServer:
    """Server side of one DIGEST-MD5 exchange.

    Args:
        password_of: Function that returns the password of a name, or None if the name is unknown.
        protocol: First part of the digest URI. Default: empty.
        server_id: Second part of the digest URI, and the realm. Default: "default".
        protections: Offered protections. Default: all.
        nonce: Function that returns the server's nonce. Default: random.
    """

    def __init__(
        self,
        password_of: Callable[[str], str | None],
        *,
        protocol: str = "",
        server_id: str = "default",
        protections: Sequence[Protection] = STRONGEST_FIRST,
        nonce: Callable[[], str] = _nonce,
    ) -> None:
        self._password_of = password_of
        self._digest_uri = f"{protocol}/{server_id}"
        self._realm = server_id
        self._qualities = [found.quality for found in Protection if found in protections]
        self._nonce = nonce()
        self.username: str | None = None
        """The name of the client that has proved the password."""
        self.protection: Protection | None = None
        self.seal: SecurityLayer | None = None
        """The security layer of all bytes after the exchange, or None."""

    def challenge(self) -> bytes:
        """Return the challenge for the client.

        Returns:
            The challenge.
        """
        directives = [
            ("realm", quoted(self._realm)),
            ("nonce", quoted(self._nonce)),
            ("qop", quoted(",".join(self._qualities))),
            ("charset", "utf-8"),
        ]
        if Protection.PRIVACY.quality in self._qualities:
            directives.append(("cipher", quoted(",".join(CIPHERS))))
        return joined([*directives, ("algorithm", "md5-sess")])

    def evaluate(self, data: bytes) -> bytes:
        """Return the proof of the server for a client with the right password.

        Args:
            data: Response of the client.

        Returns:
            The proof.

        Raises:
            RemoteProtocolError: the response is not valid.
            AuthenticationFailed: the name is unknown, or the password is wrong.
        """
        if self.username is not None:
            raise RemoteProtocolError("DIGEST-MD5: a response behind the last one")
        response = Directives(data, limit=MAX_RESPONSE)
        for name, expected in (
            ("nonce", self._nonce),
            ("nc", FIRST),
            ("realm", self._realm),
            ("digest-uri", self._digest_uri),
        ):
            if (said := response.one(name)) != expected:
                raise RemoteProtocolError(f"DIGEST-MD5: {name} is {said!r}, not {expected!r}")
        quality = response.one("qop", "auth")
        if quality not in self._qualities:
            raise RemoteProtocolError(f"DIGEST-MD5: {quality!r} was not offered")
        cipher = response.one("cipher") if quality == Protection.PRIVACY.quality else None
        if cipher is not None and cipher not in CIPHERS:
            raise RemoteProtocolError(f"DIGEST-MD5: the cipher {cipher!r} was not offered")
        most = response.number("maxbuf", BUFFER, least=PRIVACY_OVERHEAD + 1, most=LARGEST_BUFFER)
        username = response.one("username")
        password = self._password_of(username)
        exchange = _Exchange(
            username=username,
            # An unknown name takes the same time as a wrong password.
            password=password or "",
            realm=self._realm,
            nonce=self._nonce,
            cnonce=response.one("cnonce"),
            digest_uri=self._digest_uri,
            quality=quality,
        )
        proof = response.one("response").encode()
        if not hmac.compare_digest(proof, exchange.response(CLIENT).encode()) or password is None:
            raise AuthenticationFailed("DIGEST-MD5: the name is not known, or not the password")
        self.username = username
        self.protection = Protection.of_quality(quality)
        self.seal = seal(exchange.secret(), "server", quality, most, cipher)
        return joined([("rspauth", exchange.response(SERVER))])


def _words(text: str) -> list[str]:
    return [word for word in (part.strip() for part in text.split(",")) if word]
