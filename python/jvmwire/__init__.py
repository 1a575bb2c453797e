"""The wire protocols of the JVM data stack, without a JVM."""

from __future__ import annotations

from jvmwire import _core
from jvmwire.errors import (
    CallTimeout,
    ConfigError,
    ConnectFailed,
    ConnectionLost,
    ConnectTimeout,
    DecodeError,
    JvmWireError,
    LimitExceeded,
    LocalProtocolError,
    MissingExtra,
    OutcomeUnknown,
    ProtocolError,
    RemoteProtocolError,
    ServerError,
    TransportError,
)

__version__ = _core.VERSION

__all__ = [
    "CallTimeout",
    "ConfigError",
    "ConnectFailed",
    "ConnectTimeout",
    "ConnectionLost",
    "DecodeError",
    "JvmWireError",
    "LimitExceeded",
    "LocalProtocolError",
    "MissingExtra",
    "OutcomeUnknown",
    "ProtocolError",
    "RemoteProtocolError",
    "ServerError",
    "TransportError",
    "__version__",
]
