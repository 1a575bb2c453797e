"""A segment store's side of Pravega's wire protocol: what doubles and proxies are made of."""

from jvmwire.pravega.server.session import Answer, Appended, PravegaServerSession, Requested

__all__ = ["Answer", "Appended", "PravegaServerSession", "Requested"]
