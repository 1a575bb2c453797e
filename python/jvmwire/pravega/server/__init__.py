"""Server side of Pravega's wire protocol, without I/O, for test doubles and proxies."""

from jvmwire.pravega.server._session import (
    AppendReceived,
    CommandReceived,
    PravegaServerSession,
    SendReply,
)

__all__ = ["AppendReceived", "CommandReceived", "PravegaServerSession", "SendReply"]
