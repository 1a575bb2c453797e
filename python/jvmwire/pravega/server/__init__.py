"""A segment store's side of Pravega's wire protocol: what doubles and proxies are made of."""

from jvmwire.pravega.server.session import (
    AppendReceived,
    CommandReceived,
    PravegaServerSession,
    SendReply,
)

__all__ = ["AppendReceived", "CommandReceived", "PravegaServerSession", "SendReply"]
