"""Connection pool of a client: one channel per user, protocol and timeout, as `ConnectionId`."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from jvmwire._runtime.channel import FailoverChannel
from jvmwire.errors import ConfigError
from jvmwire.hadoop._commands import CLIENT_PROTOCOL
from jvmwire.hadoop._instance import AskInstance, learn_instance
from jvmwire.hadoop._observer_reads import ObserverReadChannel
from jvmwire.hadoop._options import DEFAULT_RETRY, FAILOVER_RETRY
from jvmwire.hadoop._session import HadoopClientSession, StateAlignment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hadoop._options import HadoopOptions
    from jvmwire.hadoop.rpc._interface import Engine
    from jvmwire.transports import Endpoint

MAX_IDLE_ENTRIES = 1024
"""The number of channels of a client that are kept without a connection. (Chosen by jvmwire.)"""

_Key = tuple[str, str, str | None, float | None]

_DEFAULT_ENGINE: tuple[Engine, int | None] = "protobuf", None


class ConnectionPool:
    """Pool of the channels of one client; each leads to one server, or to a group with failover.

    Args:
        endpoints: Endpoints of the server, or of all servers of the group.
        options: Options of the client.
        engines: Engine and version of each protocol that the Rust core does not describe. Default:
            none.
        ask_instance: Whether to query the instance id of the server of each new connection.
            Default: False.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        options: HadoopOptions,
        engines: Mapping[str, tuple[Engine, int | None]] | None = None,
        *,
        ask_instance: bool = False,
    ) -> None:
        self._endpoints = endpoints
        self._options = options
        self._engines = engines or {}
        self._ask_instance = ask_instance
        """Whether to query the instance id of the server of each new connection."""
        # The same on all connections: with the call id it identifies a call to retry caches.
        self.client_id = uuid.uuid4().bytes
        # ClientGSIContext: the latest state is shared by all users of the client.
        self._alignment = StateAlignment()
        self._links: dict[_Key, FailoverChannel] = {}
        """The channels by protocol, user, real user and timeout."""

    @classmethod
    def from_options(
        cls,
        endpoints: Endpoint | Sequence[Endpoint],
        options: HadoopOptions,
        engines: Mapping[str, tuple[Engine, int | None]] | None = None,
        *,
        ask_instance: bool = False,
    ) -> Self:
        """Return the pool of one server, or of a group of servers with failover.

        Args:
            endpoints: Endpoint of the server, or endpoints of all servers of the group.
            options: Options of the client.
            engines: Engine and version of each protocol that the Rust core does not describe.
                Default: none.
            ask_instance: Whether to query the instance id of the server of each new connection.
                Default: False.

        Returns:
            The pool.

        Raises:
            ConfigError: there is no endpoint.
        """
        found = list(endpoints) if isinstance(endpoints, Sequence) else [endpoints]
        if not found:
            raise ConfigError("no server to connect to: pass at least one endpoint")
        return cls(found, options, engines, ask_instance=ask_instance)

    def find(
        self, protocol: str, user: str, real_user: str | None, timeout: float | None
    ) -> FailoverChannel:
        """Return the channel of a user to a protocol, which connects with its first call.

        As in Java, calls with different timeouts do not share a connection.

        Args:
            protocol: Name of the protocol on the wire.
            user: Effective user.
            real_user: Real user, if it differs.
            timeout: Timeout of calls in seconds, or None.

        Returns:
            The channel.
        """
        key = protocol, user, real_user, timeout
        link = self._links.get(key)
        if link is None:
            if len(self._links) >= MAX_IDLE_ENTRIES:
                self._links = {one: link for one, link in self._links.items() if link.connected}
            link = self._links[key] = self._new(protocol, user, real_user)
        return link

    def _new(self, protocol: str, user: str, real_user: str | None) -> FailoverChannel:
        options = self._options
        first, *others = self._endpoints
        reads = options.observer_reads if protocol == CLIENT_PROTOCOL else None
        alignment = None if reads is None else self._alignment
        authentication = options.authentication

        def prepare(endpoint: Endpoint, session: HadoopClientSession) -> Endpoint:
            if authentication is None or session.sasl is None:
                return endpoint
            return authentication.prepare(endpoint, session.sasl, protocol)

        engine, version = self._engines.get(protocol, _DEFAULT_ENGINE)

        def new_session() -> HadoopClientSession:
            return HadoopClientSession(
                protocol=protocol,
                user=user,
                real_user=real_user,
                client_id=self.client_id,
                caller_context=options.caller_context,
                ping_interval=options.ping_interval,
                reply_limit=options.reply_limit,
                sasl=None if authentication is None else authentication.negotiation(),
                engine=engine,
                version=version,
                service_class=options.service_class,
                beta=options.beta,
                idle_timeout=options.idle_timeout,
                alignment=alignment,
            )

        retry = options.retry or (FAILOVER_RETRY if others else DEFAULT_RETRY)
        if reads is not None:
            return ObserverReadChannel(
                self._endpoints,
                new_session,
                reads=reads,
                connect_timeout=options.connect_timeout,
                retry=retry,
                connect_retries=options.connect_retries,
                prepare_endpoint=prepare,
            )
        question = AskInstance(engine, self.client_id, beta=options.beta)

        def greet(connection: Connection) -> Operation[None]:
            yield from learn_instance(connection, question)

        return FailoverChannel(
            first,
            new_session,
            connect_timeout=options.connect_timeout,
            retry=retry,
            connect_retries=options.connect_retries,
            others=others,
            prepare_endpoint=prepare,
            greet=greet if self._ask_instance else None,
        )
