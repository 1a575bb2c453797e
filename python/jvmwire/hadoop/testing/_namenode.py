"""A double of a NameNode: an in-memory namespace on a Hadoop RPC server of this process."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

from jvmwire._faults import Fault, Faults
from jvmwire.errors import ConfigError
from jvmwire.hadoop import rpc
from jvmwire.hadoop.errors import HadoopError, from_java
from jvmwire.hadoop.server import Caller, Disconnect, RpcServerOptions, _error_responses
from jvmwire.hadoop.testing import _java_errors as java
from jvmwire.hadoop.testing._client_protocol import ALWAYS, WRITES, ClientProtocol
from jvmwire.hadoop.testing._namespace import Namespace
from jvmwire.hadoop.testing._protocols import (
    CLIENT,
    GROUP_MAPPINGS,
    HA_SERVICE,
    REFRESH_POLICY,
    services,
    snake_case,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from jvmwire.hadoop.server import RpcServer

Fields = dict[str, Any]

MAX_INODES = 1_000_000
"""The default of `max_inodes`; one takes about 500 bytes."""
ACTIVE, STANDBY = "ACTIVE", "STANDBY"


class NameNodeDouble:
    """Double of one NameNode, or of a pair with failover, for tests of programs that use HDFS.

    It is no NameNode: it keeps the namespace in memory, has no DataNodes and so no bytes of files,
    no security, and no journal. What it answers is held by the tests that a real NameNode passes.

    Args:
        host: Address to listen at. Default: 127.0.0.1.
        port: Port to listen at. Default: 0, for a free port.
        superuser: Name of the user whose access is not checked. Default: `hdfs`.
        supergroup: Group whose members are superusers too. Default: `supergroup`.
        groups: Groups of users by name; a user that is not there has one group of its own name.
        proxy_users: Users that may act for any other user. Default: none.
        trash_interval: Minutes that clients keep deleted files in their trash. Default: 0, for no
            trash.
        standby: Whether a second server is a standby of the same namespace. Default: False.
        standby_port: Port of the standby. Default: 0, for a free port.
        max_inodes: Largest number of files and directories, snapshots included.

    Raises:
        ConfigError: a value is out of its range.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        superuser: str = "hdfs",
        supergroup: str = "supergroup",
        groups: Mapping[str, Sequence[str]] | None = None,
        proxy_users: Sequence[str] = (),
        trash_interval: int = 0,
        standby: bool = False,
        standby_port: int = 0,
        max_inodes: int = MAX_INODES,
    ) -> None:
        if not superuser:
            raise ConfigError("superuser must be the name of a user, got an empty text")
        if max_inodes < 1:
            raise ConfigError(f"max_inodes must be at least 1, got {max_inodes}")
        self.host = host
        self.faults = Faults()
        """The failures that calls have."""
        self._places = [port, standby_port] if standby else [port]
        self._proxy_users = frozenset(proxy_users)
        self._lock = threading.RLock()
        self._namespace = Namespace(
            superuser,
            supergroup,
            dict(groups or {}),
            max_inodes,
            lambda: time.time_ns() // 1_000_000,
        )
        self._client = ClientProtocol(self._namespace, trash_interval)
        self._active = 0
        self._servers: list[RpcServer] = []

    # Life

    def start(self) -> Self:
        """Start to serve.

        Returns:
            This double.

        Raises:
            TransportError: a port is in use, or the address is not one of this machine.
        """
        options = RpcServerOptions(on_connect=self._check_caller, trust_retries=True)
        try:
            for number, port in enumerate(self._places):
                found = services(_Answers(self, number))
                served = rpc.serve(found, host=self.host, port=port, options=options)
                self._servers.append(served)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Stop to serve; the namespace stays as it is, and `start` serves it again."""
        while self._servers:
            self._servers.pop().stop(grace=0)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def ports(self) -> list[int]:
        """The ports, of the standby too."""
        return [server.port for server in self._servers]

    @property
    def port(self) -> int:
        """The port of the first server."""
        return self.ports[0]

    @property
    def addresses(self) -> list[str]:
        """The addresses that clients connect to, as `host:port`."""
        return [f"{self.host}:{port}" for port in self.ports]

    @property
    def url(self) -> str:
        """The address of the first server, as `hdfs://host:port`."""
        return f"hdfs://{self.addresses[0]}"

    # Control

    def fail(self, fault: Fault) -> None:
        """Let calls fail.

        Args:
            fault: The failure.
        """
        self.faults.add(fault)

    def fail_over(self) -> None:
        """Make the standby active, and the active server the standby.

        Raises:
            ConfigError: there is no standby.
        """
        if len(self._places) < 2:
            raise ConfigError("this double has no standby: pass standby=True")
        self._active = 1 - self._active

    def put(self, path: str, length: int = 0, *, owner: str | None = None) -> None:
        """Create a file of a length, which has no bytes, and the directories above it.

        Args:
            path: The path.
            length: Number of bytes that the file is said to have. Default: 0.
            owner: Name of its owner. Default: the superuser.

        Raises:
            HadoopError: the path exists, or is no path.
            ConfigError: the length is negative.
        """
        if length < 0:
            raise ConfigError(f"length must not be negative, got {length}")
        with self._lock:
            user = self._namespace.user(self._namespace.superuser)
            try:
                made = self._namespace.create(
                    *(user, path),
                    permission=0o644,
                    unmasked=0o644,
                    replication=3,
                    block_size=128 << 20,
                )
            except HadoopError as error:
                failure = (error.java_class or "", str(error), error.code)
                raise from_java(failure, path) from None
            made.length = length
            made.owner = owner or made.owner

    # Answers

    def _check_caller(self, caller: Caller) -> None:
        if caller.real_user is None or caller.real_user in self._proxy_users:
            return
        text = f"User: {caller.real_user} is not allowed to impersonate {caller.user}"
        error = HadoopError(text, _error_responses.AUTHORIZATION)
        error.code = "FATAL_UNAUTHORIZED"
        raise error

    async def answer(
        self, number: int, protocol: str, name: str, caller: str | None, request: Fields
    ) -> Fields:
        """Answer a call.

        Args:
            number: Number of the server that was called.
            protocol: The protocol.
            name: Name of the method.
            caller: Name of the user.
            request: Fields of the request.

        Returns:
            Fields of the response.

        Raises:
            HadoopError: the call is refused.
            Disconnect: the connection is closed, as a fault says.
        """
        fault = self.faults.take(name)
        if fault is not None:
            await _fail_before(fault)
        with self._lock:
            answered = self._answer(number, protocol, name, caller, request)
        if fault is not None and fault.executes:
            if fault.drop:
                await asyncio.Event().wait()  # until the server stops
            raise Disconnect(answered)
        return answered

    def _answer(
        self, number: int, protocol: str, name: str, caller: str | None, request: Fields
    ) -> Fields:
        is_active = number == self._active
        if protocol == CLIENT:
            return self._client_call(name, caller, request, is_active=is_active)
        if protocol == HA_SERVICE:
            return self._ha_call(name, is_active=is_active)
        if protocol == GROUP_MAPPINGS:
            return {"groups": sorted(self._namespace.user(request["user"]).groups)}
        if protocol == REFRESH_POLICY:
            raise java.refuse(
                "org.apache.hadoop.security.authorize.AuthorizationException",
                "Service Level Authorization not enabled!",
            )
        self._namespace.user(caller).check_superuser()
        return {}

    def _client_call(
        self, name: str, caller: str | None, request: Fields, *, is_active: bool
    ) -> Fields:
        if name == "getHAServiceState":
            return {"state": ACTIVE if is_active else STANDBY}
        if not is_active and name not in ALWAYS:
            kind = "WRITE" if name in WRITES else "READ"
            text = f"Operation category {kind} is not supported in state standby"
            raise java.refuse(java.STANDBY, text)
        if self._client.is_in_safe_mode and name in WRITES:
            text = (
                f"Cannot {name} {_about(request)}. Name node is in safe mode.\nIt was turned on "
                'manually. Use "hdfs dfsadmin -safemode leave" to turn safe mode off.'
            )
            raise java.refuse(java.SAFE_MODE, text)
        function = getattr(self._client, snake_case(name), None)
        if function is None:
            raise java.refuse(java.UNSUPPORTED, f"the double of a NameNode has no {name}")
        answered: Fields = function(self._namespace.user(caller), request)
        return answered

    def _ha_call(self, name: str, *, is_active: bool) -> Fields:
        if len(self._places) < 2:
            raise java.refuse(
                "org.apache.hadoop.ha.ServiceFailedException"
                if name.startswith("transition")
                else java.IO,
                "HA for namenode is not enabled",
            )
        if name == "getServiceStatus":
            return {"state": ACTIVE if is_active else STANDBY, "ready_to_become_active": True}
        if (name == "transitionToActive") != is_active and name.startswith("transition"):
            self._active = 1 - self._active
        return {}

    def __repr__(self) -> str:
        places = ", ".join(self.addresses) if self._servers else "not started"
        return f"<NameNodeDouble {places}>"


class _Answers:
    """The answers of one server of a double."""

    def __init__(self, double: NameNodeDouble, number: int) -> None:
        self._double, self._number = double, number

    async def __call__(
        self, protocol: str, name: str, user: str | None, request: Fields, /
    ) -> Fields:
        return await self._double.answer(self._number, protocol, name, user, request)


def _about(request: Fields) -> str:
    """Return the path of a request, for messages."""
    for name in ("src", "path", "link", "snapshot_root", "trg"):
        if name in request:
            return str(request[name])
    return ""


async def _fail_before(fault: Fault) -> None:
    """Have the part of a fault that comes before the call is executed.

    Raises:
        HadoopError: the error of the fault.
        Disconnect: the connection is to be closed.
    """
    if fault.delay:
        await asyncio.sleep(fault.delay)
    if fault.error is not None:
        error = HadoopError(str(fault.error), fault.error.java_class)
        error.code = "ERROR_APPLICATION"
        raise error
    if fault.disconnect and not fault.executes:
        raise Disconnect
    if fault.drop and not fault.executes:
        await asyncio.Event().wait()  # until the server stops
