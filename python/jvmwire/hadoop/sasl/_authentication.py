"""Credentials of a client, and their selection for each new connection."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import shorten
from jvmwire.errors import ConfigError
from jvmwire.hadoop.sasl._credentials import TokenCredential
from jvmwire.hadoop.sasl._kerberos import Kerberos, KerberosCredential
from jvmwire.hadoop.sasl._negotiation import SaslClient
from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST, Protection
from jvmwire.hadoop.sasl._token import Token, environment_tokens, kinds_for, token_for
from jvmwire.hadoop.sasl.errors import AuthenticationFailed
from jvmwire.options import check_options, of_class
from jvmwire.transports._transport import never_cancelled

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection, Sequence

    from jvmwire.transports import AsyncTransport, Endpoint, Tcp, Transport
    from jvmwire.transports._transport import Side

MAX_NAMED = 16
"""The largest number of tokens that an error message lists (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """Credentials of a client: a token for the server takes precedence over Kerberos.

    Args:
        tokens: The delegation tokens.
        kerberos: The Kerberos settings, None without Kerberos.
        protection: The acceptable protections, the preferred first, by the names of
            `hadoop.rpc.protection`.
        fallback_to_simple: Whether to accept a server that requires no authentication:
            `ipc.client.fallback-to-simple-auth-allowed`.
    """

    tokens: Sequence[Token] = field(default=(), repr=False, metadata=of_class(Token))
    kerberos: Kerberos | None = field(default=None, metadata=of_class(Kerberos))
    protection: str | Sequence[Protection] = STRONGEST_FIRST
    fallback_to_simple: bool = False

    def __post_init__(self) -> None:
        check_options(self)
        object.__setattr__(self, "protection", Protection.in_order(self.protection))
        if not self.tokens and self.kerberos is None and not self.fallback_to_simple:
            raise ConfigError("no credentials: neither a token nor Kerberos is configured")

    @classmethod
    def of_environment(
        cls, files: Sequence[str] = (), tokens: Sequence[str] = ()
    ) -> Authentication | None:
        """Return the credentials of this process: its tokens, if any.

        They are those of `UserGroupInformation.createLoginUser`. Since nothing requires
        authentication, the client also calls servers that do not request it.

        Args:
            files: Token files, in addition to those in `HADOOP_TOKEN_FILE_LOCATION` (separated by
                commas); missing files are skipped. Default: none.
            tokens: Encoded tokens, in addition to those in `HADOOP_TOKEN` (separated by commas).
                Default: none.

        Returns:
            The credentials, or None if there are no tokens.

        Raises:
            ConfigError: a file or a text is not valid.
        """
        found = environment_tokens(files, tokens)
        return cls(tokens=found, fallback_to_simple=True) if found else None

    def for_members(self, group: str, servers: Sequence[Tcp]) -> Authentication:
        """Return credentials in which tokens of a name service are valid for each of its servers.

        Args:
            group: Service of the tokens, such as `ha-hdfs:name`.
            servers: Servers of the group.

        Returns:
            The credentials with the additional tokens.

        Source: HAUtilClient.cloneDelegationTokenForLogicalUri.
        """
        found = [
            token.for_service(f"{server.host}:{server.port}")
            for token in self.tokens
            if token.service.lower() == group.lower()
            for server in servers
        ]
        return replace(self, tokens=[*self.tokens, *found])

    def negotiation(self) -> SaslClient:
        """Return the SASL client of a new connection; `prepare` adds its credentials.

        Returns:
            The SASL client.
        """
        return SaslClient(fallback_to_simple=self.fallback_to_simple)

    def prepare(self, endpoint: Endpoint, negotiation: SaslClient, protocol: str) -> Endpoint:
        """Return an endpoint that selects the credentials, and calls the KDC, before it connects.

        Tokens are selected by the server, and by the kinds that servers of the protocol accept.

        Args:
            endpoint: Endpoint of the server.
            negotiation: SASL client of the connection.
            protocol: Name of the protocol on the wire.

        Returns:
            The endpoint; connecting to it raises `AuthenticationFailed` if there are no
            credentials.
        """
        kinds = kinds_for(protocol)
        return _AuthenticatingEndpoint(
            endpoint, lambda: self._prepare(endpoint, negotiation, kinds)
        )

    @property
    def _protections(self) -> tuple[Protection, ...]:
        return Protection.in_order(self.protection)

    def _prepare(
        self, endpoint: Endpoint, negotiation: SaslClient, kinds: Collection[str] | None
    ) -> None:
        host, port = _address(endpoint)
        if (token := self._token(host, port, kinds)) is not None:
            negotiation.credentials.append(TokenCredential(token, self._protections))
        elif self.kerberos is not None:
            found = KerberosCredential(self.kerberos, host, self._protections)
            negotiation.credentials.append(found)
        elif not self.fallback_to_simple:
            there = ", ".join(
                f"{token.kind} for {token.service or 'any server'}"
                for token in self.tokens[:MAX_NAMED]
            )
            kind = "" if kinds is None else f" of the kind {' or '.join(kinds)}"
            raise AuthenticationFailed(
                f"no token{kind} is for {endpoint}; there are {shorten(there)}"
            )

    def _token(
        self, host: str | None, port: int | None, kinds: Collection[str] | None
    ) -> Token | None:
        if host is None or not self.tokens:
            return token_for(self.tokens, [], kinds)
        services = [f"{host}:{port}"]
        named = token_for(self.tokens, services, kinds)
        if named is None or not named.service:
            # SecurityUtil.buildTokenService: by address, unless
            # hadoop.security.token.service.use_ip is off.
            with suppress(OSError):  # the connection attempt reports the reason
                addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                services += [f"{address[0]}:{port}" for *_, address in addresses]
        return token_for(self.tokens, services, kinds)


def _address(endpoint: Any) -> tuple[str | None, int | None]:
    """Return the host and the port of an endpoint, inside any wrappers."""
    while hasattr(endpoint, "endpoint"):
        endpoint = endpoint.endpoint
    return getattr(endpoint, "host", None), getattr(endpoint, "port", None)


@dataclass(frozen=True, slots=True)
class _AuthenticatingEndpoint:
    """Endpoint with a function that runs before each connection and may block."""

    endpoint: Endpoint
    prepare: Callable[[], None]

    @property
    def side(self) -> Side:
        return self.endpoint.side

    def __str__(self) -> str:
        return str(self.endpoint)

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> Transport:
        self.prepare()
        return self.endpoint.connect(timeout=timeout, cancelled=cancelled)

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        from asyncio import get_running_loop  # blocking clients need no asyncio

        await get_running_loop().run_in_executor(None, self.prepare)
        return await self.endpoint.connect_async(protocol, timeout=timeout)
