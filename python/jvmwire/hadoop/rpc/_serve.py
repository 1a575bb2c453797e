"""Servers of interfaces, made and started in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from jvmwire._runtime.client import Connecting
from jvmwire.hadoop.server import AsyncRpcServer, RpcServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmwire.hadoop.rpc._interface import Interface
    from jvmwire.hadoop.server import RpcServerOptions

ServerT = TypeVar("ServerT", RpcServer, AsyncRpcServer)


def _add_all(server: ServerT, implementations: Mapping[type[Interface], object]) -> ServerT:
    for interface, implementation in implementations.items():
        server.add(interface, implementation)
    return server


def serve(
    implementations: Mapping[type[Interface], object],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    options: RpcServerOptions | None = None,
) -> RpcServer:
    """Serve interfaces in a thread, until `stop`, or the end of a `with`.

    Args:
        implementations: The object with the methods of each interface: functions, which run in
            threads, or coroutines, which run on the server's loop.
        host: Address to listen at. Default: 127.0.0.1.
        port: Port to listen at. Default: 0, for a free port, which is the server's `port`.
        options: Options of the server. Default: `RpcServerOptions()`.

    Returns:
        The server, which was started.

    Raises:
        ConfigError: an interface is not valid, or an implementation lacks a method.
        TransportError: the port is in use, or the address is not one of this machine.
    """
    server = _add_all(RpcServer(options), implementations)
    server.start(host, port)
    return server


def serve_async(
    implementations: Mapping[type[Interface], object],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    options: RpcServerOptions | None = None,
) -> Connecting[AsyncRpcServer]:
    """Serve interfaces on the running event loop, until `stop`, or the end of an `async with`.

    Args:
        implementations: The object with the methods of each interface: functions, which run in
            threads, or coroutines, which run on this loop.
        host: Address to listen at. Default: 127.0.0.1.
        port: Port to listen at. Default: 0, for a free port, which is the server's `port`.
        options: Options of the server. Default: `RpcServerOptions()`.

    Returns:
        The server: `await` it, or use it in `async with`.

    Raises:
        ConfigError: an interface is not valid, or an implementation lacks a method.
        TransportError: the port is in use, or the address is not one of this machine.
    """

    async def started() -> AsyncRpcServer:
        server = _add_all(AsyncRpcServer(options), implementations)
        await server.start(host, port)
        return server

    return Connecting(started())
