"""Kerberos credentials of a client, for SASL's GSSAPI mechanism (RFC 4752)."""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jvmwire._escaping import quote
from jvmwire.errors import ConfigError, RemoteProtocolError
from jvmwire.hadoop.errors import InvalidPath
from jvmwire.hadoop.namenode._glob import Glob
from jvmwire.hadoop.sasl import _gssapi
from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST, Protection
from jvmwire.hadoop.sasl.errors import (
    AuthenticationFailed,
    ClockSkew,
    KdcUnreachable,
    KerberosError,
    NoCredentials,
    ServerNotTrusted,
    TicketExpired,
    UnknownPrincipal,
    WrongKeytab,
    WrongRealm,
)
from jvmwire.options import check_options, of_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmwire.hadoop.sasl._message import SaslAuth

HOST = "_HOST"
"""The placeholder in principals for the host of the connection: `SecurityUtil.HOSTNAME_PATTERN`."""
BUFFER = 65_536
"""The largest wrap in bytes that this side accepts, as Java's `Sasl.MAX_BUFFER`."""
LARGEST_BUFFER = (1 << 24) - 1
LAYER_LEN = 4
"""The bytes of an offer, a set of protections and the size of a buffer: RFC 4752, section 3.1."""

_BITS = {Protection.AUTHENTICATION: 1, Protection.INTEGRITY: 2, Protection.PRIVACY: 4}

KRB5 = -1765328384
"""The base of Kerberos's error numbers: ERROR_TABLE_BASE_krb5."""
_ERRORS: dict[int, type[KerberosError]] = {
    1: UnknownPrincipal,  # the entry of the client has expired
    6: UnknownPrincipal,  # the client
    7: UnknownPrincipal,  # the service
    24: WrongKeytab,  # the KDC does not know the key
    31: WrongKeytab,  # the client cannot decrypt the KDC's reply
    32: TicketExpired,
    33: ClockSkew,  # a ticket that is not valid yet
    37: ClockSkew,
    141: NoCredentials,
    148: ClockSkew,  # in the reply of the KDC
    154: WrongRealm,
    156: KdcUnreachable,
    181: WrongKeytab,  # the principal is not in the keytab
    195: NoCredentials,
    210: WrongKeytab,
    217: WrongRealm,
    220: WrongRealm,  # the KDC has no address
    224: WrongRealm,  # no realm is given, and there is no default
}
_NO_CREDENTIALS, _EXPIRED = 7 << 16, 11 << 16
"""The statuses of GSSAPI for missing and expired credentials."""


@contextmanager
def _named(what: str) -> Iterator[None]:
    """Raise errors of the library as `KerberosError` with a description of the failed step."""
    try:
        yield
    except _gssapi.GssError as error:
        kind = _ERRORS.get(error.minor - KRB5)
        if kind is None and error.major & _gssapi.ROUTINE_ERROR == _EXPIRED:
            kind = TicketExpired
        if kind is None and error.major & _gssapi.ROUTINE_ERROR == _NO_CREDENTIALS:
            kind = NoCredentials
        if kind is UnknownPrincipal and "krbtgt/" in str(error):
            kind = WrongRealm  # the KDC does not know the path to the realm
        raise (kind or KerberosError)(f"{what}: {error}", error.minor) from error


@contextmanager
def _of_keytab(kerberos: Kerberos) -> Iterator[None]:
    """Raise `WrongKeytab` if the library found no key in the keytab and tried a ticket cache."""
    try:
        yield
    except NoCredentials as error:
        if kerberos.keytab is None:
            raise
        text = f"{kerberos.keytab} has no key of {kerberos.principal}"
        raise WrongKeytab(text, error.code) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Kerberos:
    """Kerberos identity of a client, and the expected principal of servers.

    Args:
        server_principal: The principal of servers, such as `nn/_HOST@REALM`, in which `_HOST` is
            the host of the connection: `dfs.namenode.kerberos.principal`.
        server_pattern: The pattern of principals that a server may have instead, such as
            `hdfs/*@REALM`, with the rules of `glob`: `dfs.namenode.kerberos.principal.pattern`. The
            server states its principal.
        principal: The principal of the client; None for the one of the credential cache.
        keytab: The keytab of the principal; None to take a ticket from the credential cache.
        ccache: The credential cache, such as `FILE:/tmp/krb5cc_1000`; None for the default of the
            process.

    Raises:
        ConfigError: the settings contradict each other, or there is no such keytab.
    """

    server_principal: str | None = None
    server_pattern: str | None = None
    principal: str | None = None
    keytab: Path | None = field(default=None, metadata=of_class(Path))
    ccache: str | None = None
    _own: str = field(default_factory=lambda: f"MEMORY:jvmwire-{uuid.uuid4()}", repr=False)
    _learned: dict[str | None, str] = field(default_factory=dict, repr=False, compare=False)
    """The principals that servers stated, by host."""

    def __post_init__(self) -> None:
        check_options(self)
        if self.server_principal is None and self.server_pattern is None:
            raise ConfigError(
                "the server's principal is unknown: set server_principal or server_pattern"
            )
        if self.server_pattern is not None:
            try:
                Glob(self.server_pattern)
            except InvalidPath as error:
                raise ConfigError(f"server_pattern: {error}") from None
        if self.server_principal is not None and "/" not in self.server_principal:
            raise ConfigError(f"server_principal {self.server_principal!r} is of no host")
        if self.keytab is not None and self.principal is None:
            raise ConfigError(f"{self.keytab} holds keys of any number: whose is the principal?")
        if self.keytab is not None and not self.keytab.is_file():
            raise ConfigError(f"no such keytab: {self.keytab}")

    def store(self) -> dict[str, str]:
        """Return the locations of keys and tickets for the library.

        Returns:
            The credential store of `gss_acquire_cred_from`.
        """
        store = {}
        if self.keytab is not None:
            # Tickets obtained with a keytab are not shared with other processes.
            store = {"client_keytab": f"FILE:{self.keytab}", "ccache": self._own}
        if self.ccache is not None:
            store["ccache"] = self.ccache
        return store

    def owner(self) -> str | None:
        """Return the principal of the client.

        Returns:
            `principal`, or the principal of the credential cache, or None if it has none.
        """
        if self.principal is not None:
            return self.principal
        try:
            return _gssapi.GssCredential(None, self.store()).principal()
        except _gssapi.GssError:
            return None

    def server(self, host: str | None) -> str | None:
        """Return the expected principal of a server.

        Args:
            host: Host of the server, if it has one.

        Returns:
            The principal; None if the server is to state it.

        Raises:
            ConfigError: the principal contains `_HOST`, and the endpoint has no host.
        """
        if self.server_principal is None:
            return self._learned.get(host)
        service, _, rest = self.server_principal.partition("/")
        named, at, realm = rest.partition("@")
        if named != HOST:
            return self.server_principal
        if host is None:
            raise ConfigError(f"{self.server_principal}: this endpoint has no host")
        return f"{service}/{host.lower()}{at}{realm}"


class KerberosCredential:
    """Credential of a Kerberos ticket for one server.

    Args:
        kerberos: Identity of the client.
        host: Host of the server, if it has one.
        protections: Acceptable protections, the preferred first.

    Raises:
        KerberosError: there is no ticket.
    """

    def __init__(
        self, kerberos: Kerberos, host: str | None, protections: Sequence[Protection]
    ) -> None:
        self._kerberos, self._host = kerberos, host
        self._server = kerberos.server(host)
        self._protections = protections
        self._started: tuple[_gssapi.GssContext, bytes] | None = None
        with self._blamed(self._server or "any server"):
            name = None if kerberos.principal is None else _gssapi.Name(kerberos.principal)
            self._credential = _gssapi.GssCredential(name, kerberos.store())
        if self._server is not None:
            # Call the KDC here, where blocking is allowed.
            try:
                self._started = self._start(self._server)
            except (KdcUnreachable, UnknownPrincipal, WrongRealm):
                if kerberos.server_pattern is None:
                    raise
        with self._blamed(self._server or "any server"):
            self.user: str = self._credential.principal()

    @contextmanager
    def _blamed(self, server: str) -> Iterator[None]:
        principal = self._kerberos.principal or "the credential cache"
        with _of_keytab(self._kerberos), _named(f"no ticket for {server} with {principal}"):
            yield

    def _start(self, server: str) -> tuple[_gssapi.GssContext, bytes]:
        """Return a context with a server, and its first token, which contains a ticket."""
        with self._blamed(server):
            context = _gssapi.GssContext(self._credential, _gssapi.Name(server))
            return context, context.step(b"")

    def mechanism(self, auth: SaslAuth) -> GssapiClient | None:
        """Return the GSSAPI mechanism, if the server accepts it and states the expected principal.

        Args:
            auth: Mechanism that the server offers.

        Returns:
            The mechanism, or None if the server does not accept Kerberos.

        Raises:
            ServerNotTrusted: the server states another principal.
        """
        if (auth.method, auth.mechanism) != ("KERBEROS", "GSSAPI"):
            return None
        said = f"{auth.protocol}/{auth.server_id}"
        expected = None if self._server is None else self._server.partition("@")[0]
        if self._kerberos.server_pattern is not None:
            server = self._matching(auth.protocol or "", auth.server_id or "")
            if self._started is None or said != expected:
                self._started = self._start(server)
        elif said != expected:
            raise ServerNotTrusted(f"the server says that it is {said}, and should be {expected}")
        assert self._started is not None  # noqa: S101 - without a pattern, by the constructor
        return GssapiClient(*self._started, self._protections)

    def _matching(self, service: str, host: str) -> str:
        """Return the principal that a server states: SaslRpcClient.getServerPrincipal."""
        pattern = self._kerberos.server_pattern or ""
        if not service or not host or any(letter in service + host for letter in "/@\\\0"):
            raise ServerNotTrusted(
                f"the server says that it is {quote(f'{service}/{host}')}, which is not a principal"
            )
        principal = self._server
        if principal is None or principal.partition("@")[0] != f"{service}/{host}":
            with _named(f"no realm is known of {quote(host)}"):
                realm = _gssapi.realm_of(host)
                principal = f"{service}/{host}@{realm}" if realm else f"{service}/{host}"
        with _named(f"{quote(principal)} cannot be read"):
            whole = str(_gssapi.Name(principal))
        if not Glob(pattern).matches(whole):
            raise ServerNotTrusted(
                f"the server says that it is {whole}, and should match {pattern}"
            )
        self._kerberos._learned[self._host] = whole
        return whole


class GssapiClient:
    """Client side of one GSSAPI exchange.

    Args:
        context: Security context with the server.
        first: First token of the context.
        protections: Acceptable protections, the preferred first. Default: the strongest first.
    """

    def __init__(
        self,
        context: _gssapi.GssContext,
        first: bytes,
        protections: Sequence[Protection] = STRONGEST_FIRST,
    ) -> None:
        self._context = context
        self._first: bytes | None = first
        self._protections = protections
        self.complete = False
        self.seal: GssapiSeal | None = None

    def respond(self, challenge: bytes) -> bytes:
        """Return the response to a challenge of the server.

        Args:
            challenge: Challenge of the server.

        Returns:
            The response.

        Raises:
            RemoteProtocolError: the challenge is not valid.
            KerberosError: the token of the server is rejected.
            AuthenticationFailed: the server offers no acceptable protection.
        """
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if not self._context.complete:
            with _named("the server's proof is not believed"):
                return self._context.step(challenge)
        if self.complete:
            raise RemoteProtocolError("GSSAPI: a challenge behind the last one")
        return self._agree(challenge)

    def _agree(self, challenge: bytes) -> bytes:
        """Select a protection that the server offers."""
        with _named("the server's offer is not believed"):
            layer = self._context.unwrap(challenge, private=False)
        if len(layer) != LAYER_LEN:
            raise RemoteProtocolError(f"GSSAPI: an offer of {len(layer)} bytes, not {LAYER_LEN}")
        offered, size = layer[0], int.from_bytes(layer[1:])
        for protection in self._protections:
            if offered & _BITS[protection]:
                break
        else:
            offers = ", ".join(found for found, bit in _BITS.items() if offered & bit)
            wanted = ", ".join(self._protections)
            raise AuthenticationFailed(
                f"no protection in common: the server offers {offers}, wanted is {wanted}"
            )
        ours = 0
        with _named("the server's offer cannot be taken"):
            if protection is not Protection.AUTHENTICATION:
                ours = BUFFER
                private = protection is Protection.PRIVACY
                limit = self._context.wrap_limit(size, private=private)
                if not limit:
                    raise RemoteProtocolError(f"GSSAPI: no wrap fits into {size} bytes")
                self.seal = GssapiSeal(self._context, limit, private=private)
            chosen = bytes([_BITS[protection]]) + ours.to_bytes(LAYER_LEN - 1)
            answer = self._context.wrap(chosen, private=False)
        self.complete = True
        return answer


class GssapiSeal:
    """Security layer of a GSSAPI context.

    Args:
        context: The security context.
        max_size: Longest message in bytes.
        private: Whether to encrypt messages.
    """

    def __init__(self, context: _gssapi.GssContext, max_size: int, *, private: bool) -> None:
        self._context = context
        self._private = private
        self.max_size = max_size

    def wrap(self, data: bytes) -> bytes:
        """Return the token of a message.

        Args:
            data: The message, at most `max_size` bytes.

        Returns:
            The token.
        """
        with _named("nothing can be wrapped any more"):
            return self._context.wrap(data, private=self._private)

    def unwrap(self, token: bytes) -> bytes:
        """Return the message of a token.

        Args:
            token: The token.

        Returns:
            The message.

        Raises:
            RemoteProtocolError: the token is not valid, or not the next in sequence.
        """
        try:
            return self._context.unwrap(token, private=self._private)
        except _gssapi.GssError as error:
            raise RemoteProtocolError(f"GSSAPI: the seal of a wrap is broken: {error}") from error
