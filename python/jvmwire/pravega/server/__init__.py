"""A segment store's side of Pravega's wire protocol: what doubles and proxies are made of."""

from jvmwire.pravega.server.session import Appended, PravegaServerSession, Requested, SendReply

__all__ = ["Appended", "PravegaServerSession", "Requested", "SendReply"]
