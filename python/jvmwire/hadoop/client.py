"""A client of any service of Hadoop: every call once, for threads and for asyncio."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime.client import AsyncClient, SyncClient, operation
from jvmwire.escaping import quote
from jvmwire.hadoop.commands import CLIENT_PROTOCOL, Invocation, find_method
from jvmwire.hadoop.connection_pool import ConnectionPool
from jvmwire.hadoop.errors import InvalidPath
from jvmwire.hadoop.namenode.paths import absolute, are_absolute, short_name
from jvmwire.hadoop.options import HadoopOptions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire._runtime.channel import FailoverChannel
    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop.commands import MessageFields, RawMessage
    from jvmwire.transports import Endpoint


class RpcMethods:
    """What clients of every service can do."""

    _options: HadoopOptions
    _links: ConnectionPool
    _protocol: str
    _user: str
    _real_user: str | None
    _timeout: float | None

    @operation
    def call(
        self, method: str, fields: Mapping[str, Any] | None = None, *, protocol: str | None = None
    ) -> Operation[MessageFields]:
        """Call any method, by the names of the protocol's own files, and return what it answers.

        `protocol` is the name on the wire, by default the client's. Fields are named in
        snake_case, messages in them are dicts, enumerations the names of their values.

        Raises:
            ValueError: there is no such protocol, method or field.
            HadoopError: what the server answered.
        """
        return (yield from self._invoke(method, fields or {}, protocol))

    @operation
    def open(self) -> Operation[None]:
        """Connect, if there is no connection; calls do so by themselves."""
        yield from self._link().connection()

    def do_as(self, user: str) -> Self:
        """Return this client, acting for `user`: the server must allow that. They share all else.

        Each user has a connection; calls name `user` as who acts and ours as who really does.
        """
        other = copy.copy(self)
        other._user, other._real_user = user, self._real_user or self._user
        return other

    @property
    def home_directory(self) -> str:
        """The directory of relative paths: by default `/user/` and the name of the caller.

        Raises:
            InvalidPath: `HadoopOptions.home_prefix` is not a path from the root on.
        """
        prefix = self._options.home_prefix
        if prefix and not prefix.startswith("/"):
            raise InvalidPath(f"home_prefix {quote(prefix)} does not begin with a slash")
        return absolute(f"{prefix}/{short_name(self._caller())}", "/")

    def _caller(self) -> str:
        """Return the user in whose name calls are made, as far as this side knows."""
        authentication = self._options.authentication
        if self._real_user is None and authentication is not None and authentication.kerberos:
            return authentication.kerberos.owner() or self._user
        return self._user

    def _absolute(self, path: str) -> str:
        """Return a path from the root on, as the server is to be asked for it."""
        return absolute(path, self._home_of(path))

    def _all_absolute(self, paths: list[str]) -> list[str]:
        """Return the same of many paths."""
        return paths if are_absolute(paths) else [self._absolute(path) for path in paths]

    def _home_of(self, path: str) -> str:
        """Return the directory that a path is in, which only matters if it is relative."""
        return "" if path.startswith("/") else self.home_directory

    def _link(self, protocol: str | None = None) -> FailoverChannel:
        return self._links.find(
            protocol or self._protocol, self._user, self._real_user, self._timeout
        )

    def _invoke(
        self, method: str, fields: Mapping[str, Any], protocol: str | None = None
    ) -> Operation[MessageFields]:
        description = find_method(protocol or self._protocol, method)
        answer: MessageFields = yield from self._link(protocol).call(
            Invocation(description, fields), server_deduplicates=description.at_most_once
        )
        return answer

    def _invoke_raw(self, method: str, fields: Mapping[str, Any]) -> Operation[RawMessage]:
        description = find_method(self._protocol, method)
        payload: RawMessage = yield from self._link().call(
            Invocation(description, fields, undecoded=True),
            server_deduplicates=description.at_most_once,
        )
        return payload

    def _configure(
        self, endpoints: Endpoint | Sequence[Endpoint], options: HadoopOptions, protocol: str
    ) -> None:
        self._options = options
        self._links = ConnectionPool.from_options(endpoints, options)
        self._protocol = protocol
        self._user, self._real_user = options.user, options.real_user


class HadoopClient(RpcMethods, SyncClient):
    """Blocking client of a server, or of servers that stand in for each other; threads share it."""

    def __init__(
        self,
        endpoints: Endpoint | Sequence[Endpoint],
        options: HadoopOptions | None = None,
        *,
        protocol: str = CLIENT_PROTOCOL,
    ) -> None:
        options = options or HadoopOptions()
        self._configure(endpoints, options, protocol)
        super().__init__(options)

    @classmethod
    def connect(
        cls, endpoints: Endpoint | Sequence[Endpoint], options: HadoopOptions | None = None
    ) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoints, options)
        return client._connect_or_close(client.open)


class AsyncHadoopClient(RpcMethods, AsyncClient):
    """The same calls, awaited; they may overlap."""

    def __init__(
        self,
        endpoints: Endpoint | Sequence[Endpoint],
        options: HadoopOptions | None = None,
        *,
        protocol: str = CLIENT_PROTOCOL,
    ) -> None:
        options = options or HadoopOptions()
        self._configure(endpoints, options, protocol)
        super().__init__(options)

    @classmethod
    async def connect(
        cls, endpoints: Endpoint | Sequence[Endpoint], options: HadoopOptions | None = None
    ) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoints, options)
        return await client._connect_or_close(client.open)
