"""A server of Hadoop RPC: interfaces of both engines, on one port."""

from jvmwire.hadoop.server.call import Caller, RpcCall, current_call
from jvmwire.hadoop.server.metrics import MethodMetrics, ServerMetrics
from jvmwire.hadoop.server.options import RpcServerOptions
from jvmwire.hadoop.server.server import AsyncRpcServer, RpcServer

__all__ = [
    "AsyncRpcServer",
    "Caller",
    "MethodMetrics",
    "RpcCall",
    "RpcServer",
    "RpcServerOptions",
    "ServerMetrics",
    "current_call",
]
