"""Clients of any Hadoop RPC service, blocking and asyncio; each call is written once for both."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from jvmwire._checks import check_type
from jvmwire._escaping import quote
from jvmwire._runtime.client import (
    AsyncClient,
    Client,
    Connecting,
    Either,
    SyncClient,
    connector,
    operation,
)
from jvmwire.hadoop._commands import CLIENT_PROTOCOL, Invocation, find_method
from jvmwire.hadoop._connection_pool import ConnectionPool
from jvmwire.hadoop._options import NAMENODE_PORT, HadoopOptions, with_url_user
from jvmwire.hadoop.errors import InvalidPath
from jvmwire.hadoop.namenode._paths import absolute, are_absolute, is_plain, path_text, short_name
from jvmwire.options import merge_options
from jvmwire.transports._addresses import AddressFormat

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from jvmwire._runtime.channel import FailoverChannel
    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop._commands import MessageFields, RawMessage
    from jvmwire.hadoop._options import HadoopKeywords
    from jvmwire.hadoop.namenode._paths import StrPath
    from jvmwire.transports._addresses import EndpointsLike


NAMENODE = AddressFormat(
    server="NameNode", port=NAMENODE_PORT, schemes={"hdfs": False}, has_user=True, has_path=True
)
"""The forms of the address of a NameNode."""
SERVICE = AddressFormat(server="Hadoop service", has_user=True)
"""The forms of the address of another Hadoop service."""


class RpcMethods(Client):
    """Calls that clients of every Hadoop RPC service have."""

    def __init__(
        self,
        endpoints: EndpointsLike,
        options: HadoopOptions | None = None,
        *,
        protocol: str = CLIENT_PROTOCOL,
        **keywords: Unpack[HadoopKeywords],
    ) -> None:
        options = merge_options(HadoopOptions, options, keywords)
        form = NAMENODE if protocol == CLIENT_PROTOCOL else SERVICE
        found = form.parse(endpoints)
        options = with_url_user(options, found.user)
        self._servers = ",".join(map(str, found.endpoints))
        self._options = options
        self._links = ConnectionPool.from_options(found.endpoints, options)
        self._protocol = protocol
        self._user, self._real_user = options.user, options.real_user
        super().__init__(options)

    @connector
    def connect(
        cls,
        endpoints: EndpointsLike,
        options: HadoopOptions | None = None,
        **keywords: Unpack[HadoopKeywords],
    ) -> Either[Self, Connecting[Self]]:
        """Return a connected client; it reconnects when it has to.

        Args:
            endpoints: The address of the server, or of all servers, as for the class.
            options: Options of the client. Default: `HadoopOptions()`.
            **keywords: Fields of `HadoopOptions`, which take precedence over `options`.

        Returns:
            A client of this class, with an open connection. An asyncio client is awaited, or used
            in `async with`.

        Raises:
            TransportError: no server accepts a connection.
        """
        return cls._open(endpoints, options, **keywords)

    @operation
    def call(
        self, method: str, fields: Mapping[str, Any] | None = None, *, protocol: str | None = None
    ) -> Operation[MessageFields]:
        """Call any method by its name in the protocol's `.proto` file, and return the response.

        Args:
            method: Name of the method on the wire, such as `getFileInfo`.
            fields: Fields of the request message by their names in snake_case: messages are dicts,
                enumerations the names of their values. Default: no field.
            protocol: Name of the protocol on the wire. Default: the protocol of this client.

        Returns:
            The fields of the response message, in the same form; its repr hides secrets.

        Raises:
            ValueError: there is no such protocol, method or field.
            HadoopError: the server refused the call with a Java exception.
        """
        return (yield from self._invoke(method, fields or {}, protocol))

    @operation
    def _connect(self) -> Operation[None]:
        """Connect if there is no connection; calls do so by themselves."""
        yield from self._link().connection()

    def do_as(self, user: str) -> Self:
        """Return a client that acts for another user and shares everything else with this client.

        Each user has a separate connection. Its context names `user` as the effective user and the
        user of this client as the real user.

        Args:
            user: Name of the effective user; the server must allow this client's user to
                impersonate it.

        Returns:
            A client of the same class. Closing either client closes the connections of both.
        """
        check_type("user", user, str)
        other = copy.copy(self)
        other._user, other._real_user = user, self._real_user or self._user
        return other

    @property
    def home_directory(self) -> str:
        """The directory of relative paths: by default `/user/` and the short name of the caller.

        Raises:
            InvalidPath: `HadoopOptions.home_prefix` is not an absolute path.
        """
        prefix = self._options.home_prefix
        if prefix and not prefix.startswith("/"):
            raise InvalidPath(f"home_prefix {quote(prefix)} does not begin with a slash")
        return absolute(f"{prefix}/{short_name(self._caller())}", "/")

    def _caller(self) -> str:
        """Return the effective user of calls, as far as the client can determine it."""
        authentication = self._options.authentication
        if self._real_user is None and authentication is not None and authentication.kerberos:
            return authentication.kerberos.owner() or self._user
        return self._user

    def _absolute(self, path: StrPath) -> str:
        """Return the absolute form of a path, as requests contain it."""
        # A call of a NameNode has a path: the usual ones are returned by the shortest way.
        text = path if type(path) is str else path_text(path)
        return text if is_plain(text) else absolute(text, self._home_of(text))

    def _all_absolute(self, given: Iterable[StrPath]) -> list[str]:
        """Return the absolute forms of many paths."""
        check_type("the paths", given, Iterable)
        paths = [path if type(path) is str else path_text(path) for path in given]
        return paths if are_absolute(paths) else [self._absolute(path) for path in paths]

    def _home_of(self, path: str) -> str:
        """Return the home directory if a path is relative, and an empty text if it is absolute."""
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

    def _target(self) -> str:
        real = "" if self._real_user is None else f" by {quote(self._real_user)}"
        return f"{self._servers} user={quote(self._user)}{real}"


class HadoopClient(RpcMethods, SyncClient):
    """Blocking client of a server, or of a group of servers of which one is active.

    Threads may share a client.

    Args:
        endpoints: The address of the server, or of all servers of the group: `host`, `host:port`,
            `[::1]:port`, `hdfs://user@host:port`, several of them with commas between them or in a
            list, or endpoint objects such as `Tcp`. The default port is 8020 for a NameNode.
        options: Options of the client. Default: `HadoopOptions()`.
        **keywords: Fields of `HadoopOptions`, which take precedence over `options`.
        protocol: Name of the protocol on the wire. Default: `ClientProtocol` of the NameNode.
    """


class AsyncHadoopClient(RpcMethods, AsyncClient):
    """Asyncio client with the calls of `HadoopClient` as coroutines, which may overlap.

    Args:
        endpoints: The address of the server, or of all servers of the group: `host`, `host:port`,
            `[::1]:port`, `hdfs://user@host:port`, several of them with commas between them or in a
            list, or endpoint objects such as `Tcp`. The default port is 8020 for a NameNode.
        options: Options of the client. Default: `HadoopOptions()`.
        **keywords: Fields of `HadoopOptions`, which take precedence over `options`.
        protocol: Name of the protocol on the wire. Default: `ClientProtocol` of the NameNode.
    """
