"""Who we prove to be, and with what: for every connection of a client anew."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConfigError
from jvmwire.escaping import shorten
from jvmwire.hadoop.sasl.credentials import TokenCredential
from jvmwire.hadoop.sasl.errors import AuthenticationFailed
from jvmwire.hadoop.sasl.kerberos import KerberosCredential
from jvmwire.hadoop.sasl.negotiation import SaslClient
from jvmwire.hadoop.sasl.protection import STRONGEST_FIRST, Protection
from jvmwire.hadoop.sasl.token import environment_tokens, kinds_for, token_for
from jvmwire.transports.transport import never_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from jvmwire.hadoop.sasl.kerberos import Kerberos
    from jvmwire.hadoop.sasl.token import Token
    from jvmwire.transports import AsyncTransport, Endpoint, Tcp, Transport
    from jvmwire.transports.transport import Side

MAX_NAMED = 16
"""Tokens that an error names (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """What a client may prove who it is with: a token for the server first, then Kerberos."""

    tokens: Sequence[Token] = field(default=(), repr=False)
    kerberos: Kerberos | None = None
    protection: str | Sequence[Protection] = STRONGEST_FIRST
    """What may be done to the bytes, most wanted first, by the names of `hadoop.rpc.protection`."""
    fallback_to_simple: bool = False
    """Whether a server may serve us that asks for no proof, whoever it is:
    `ipc.client.fallback-to-simple-auth-allowed`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "protection", Protection.in_order(self.protection))
        if not self.tokens and self.kerberos is None and not self.fallback_to_simple:
            raise ConfigError("there is neither a token nor Kerberos to prove who we are with")

    @classmethod
    def of_environment(
        cls, files: Sequence[str] = (), tokens: Sequence[str] = ()
    ) -> Authentication | None:
        """Return the one by the tokens of this process; None if there are none.

        They are those of `UserGroupInformation.createLoginUser`: in files (`files` and, between
        commas, `HADOOP_TOKEN_FILE_LOCATION`; those that are not there are passed over), and
        encoded (`tokens` and, between commas, `HADOOP_TOKEN`).

        Nobody said that there must be proof: a server that wants none is called without.

        Raises:
            ConfigError: a file, or a text, holds something else.
        """
        found = environment_tokens(files, tokens)
        return cls(tokens=found, fallback_to_simple=True) if found else None

    def for_members(self, group: str, servers: Sequence[Tcp]) -> Authentication:
        """Return the same, in which tokens for `group` are for each of its servers too.

        `group` is as `ha-hdfs:name`: `HAUtilClient.cloneDelegationTokenForLogicalUri`.
        """
        found = [
            token.for_service(f"{server.host}:{server.port}")
            for token in self.tokens
            if token.service.lower() == group.lower()
            for server in servers
        ]
        return replace(self, tokens=[*self.tokens, *found])

    def negotiation(self) -> SaslClient:
        """Return what a new connection begins with; `approach` gives it its credentials."""
        return SaslClient(fallback_to_simple=self.fallback_to_simple)

    def prepare(self, endpoint: Endpoint, negotiation: SaslClient, protocol: str) -> Endpoint:
        """Return how to connect to `endpoint`: after a look for tokens and a visit to the KDC.

        Tokens are looked for by the kind that servers of `protocol` take, and by the server.
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
            with suppress(OSError):  # connecting will say why
                addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                services += [f"{address[0]}:{port}" for *_, address in addresses]
        return token_for(self.tokens, services, kinds)


def _address(endpoint: Any) -> tuple[str | None, int | None]:
    """Return the host and the port behind whatever is around an endpoint."""
    while hasattr(endpoint, "endpoint"):
        endpoint = endpoint.endpoint
    return getattr(endpoint, "host", None), getattr(endpoint, "port", None)


@dataclass(frozen=True, slots=True)
class _AuthenticatingEndpoint:
    """An endpoint, and what is done before each connection to it, which may block."""

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
        await asyncio.get_running_loop().run_in_executor(None, self.prepare)
        return await self.endpoint.connect_async(protocol, timeout=timeout)
