"""A server of Hadoop RPC: interfaces of both engines, on one port."""

from jvmwire.hadoop.server.call import CallBatch, Caller, RpcCall, current_call, in_batches
from jvmwire.hadoop.server.metrics import MethodMetrics, ServerMetrics
from jvmwire.hadoop.server.options import RpcServerOptions
from jvmwire.hadoop.server.server import AsyncRpcServer, RpcServer

__all__ = [
    "AsyncRpcServer",
    "CallBatch",
    "Caller",
    "MethodMetrics",
    "RpcCall",
    "RpcServer",
    "RpcServerOptions",
    "ServerMetrics",
    "current_call",
    "in_batches",
]
