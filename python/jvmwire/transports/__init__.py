"""How bytes get to a peer and back: TCP, and what drivers ask of any such way."""

from jvmwire.transports.tcp import Tcp
from jvmwire.transports.transport import AsyncTransport, Endpoint, Transport, transport_error

__all__ = ["AsyncTransport", "Endpoint", "Tcp", "Transport", "transport_error"]
