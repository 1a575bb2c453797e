"""Hadoop RPC servers, which serve interfaces of both engines on one port."""

from jvmwire.hadoop.server._call import (
    CallBatch,
    Caller,
    Disconnect,
    RpcCall,
    ServedCall,
    batched,
    current_call,
)
from jvmwire.hadoop.server._metrics import MethodMetrics, ServerMetrics
from jvmwire.hadoop.server._options import RpcServerOptions
from jvmwire.hadoop.server._server import AsyncRpcServer, RpcServer

__all__ = [
    "AsyncRpcServer",
    "CallBatch",
    "Caller",
    "Disconnect",
    "MethodMetrics",
    "RpcCall",
    "RpcServer",
    "RpcServerOptions",
    "ServedCall",
    "ServerMetrics",
    "batched",
    "current_call",
]
