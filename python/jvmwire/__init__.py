"""Clients, servers and decoders for the wire protocols of the JVM data stack, without a JVM.

    jvmwire.capture     captures and dumps as tables of messages, calls and connections
    jvmwire.hadoop      clients of the NameNode and of any Hadoop service, and a server
    jvmwire.hazelcast   a client of Hazelcast 3 clusters
    jvmwire.pravega     clients of Pravega's segments and streams
    jvmwire.storm       spouts and bolts that Storm starts
    jvmwire.hama        BSP tasks that Hama starts
    jvmwire.transports  endpoints of clients: TCP, TLS, pipes; recordings of connections
    jvmwire.spark       captures and live systems as sources and sinks of Spark
    jvmwire.codec       the byte formats that the protocols are made of

All errors that the package raises on purpose are subclasses of `JvmWireError`; see
`jvmwire.errors`.
"""

from __future__ import annotations

from jvmwire._lazy import lazy_exports

__all__ = [
    "NEVER",
    "AuthenticationError",
    "CallCancelled",
    "CallReport",
    "CallTimeout",
    "ClientClosed",
    "ClientOptions",
    "ConfigError",
    "ConnectFailed",
    "ConnectRetries",
    "ConnectTimeout",
    "ConnectionLost",
    "DecodeError",
    "Finished",
    "InternalError",
    "JvmWireError",
    "LimitExceeded",
    "Limits",
    "LocalProtocolError",
    "MessagesLost",
    "MissingExtra",
    "NotStarted",
    "OutcomeUnknown",
    "ProtocolError",
    "RemoteProtocolError",
    "RetryPolicy",
    "ServerError",
    "StateError",
    "TransportError",
    "WrongLoop",
    "WrongProcess",
    "__version__",
    "read_capture",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jvmwire import capture as capture
    from jvmwire import codec as codec
    from jvmwire import hadoop as hadoop
    from jvmwire import hama as hama
    from jvmwire import hazelcast as hazelcast
    from jvmwire import pravega as pravega
    from jvmwire import report as report
    from jvmwire import spark as spark
    from jvmwire import storm as storm
    from jvmwire import transports as transports
    from jvmwire.capture import read_capture
    from jvmwire.errors import (
        AuthenticationError,
        CallCancelled,
        CallTimeout,
        ClientClosed,
        ConfigError,
        ConnectFailed,
        ConnectionLost,
        ConnectTimeout,
        DecodeError,
        Finished,
        InternalError,
        JvmWireError,
        LimitExceeded,
        LocalProtocolError,
        MessagesLost,
        MissingExtra,
        NotStarted,
        OutcomeUnknown,
        ProtocolError,
        RemoteProtocolError,
        ServerError,
        StateError,
        TransportError,
        WrongLoop,
        WrongProcess,
    )
    from jvmwire.options import (
        NEVER,
        CallReport,
        ClientOptions,
        ConnectRetries,
        Limits,
        RetryPolicy,
    )

    __version__: str
else:
    # Lazy: the command line handles Ctrl-C from its first line on, and this module is imported
    # before it. Even the core takes longer to load than all of this.
    _OPTIONS = {
        "NEVER",
        "CallReport",
        "ClientOptions",
        "ConnectRetries",
        "Limits",
        "RetryPolicy",
    }
    _load = lazy_exports(
        __name__,
        read_capture="capture",
        __version__="_core:VERSION",
        **{
            name: "options" if name in _OPTIONS else "errors"
            for name in __all__
            if name not in {"__version__", "read_capture"}
        },
    )
    _PACKAGES = {
        "capture",
        "codec",
        "hadoop",
        "hama",
        "hazelcast",
        "pravega",
        "report",
        "spark",
        "storm",
        "transports",
    }

    def __getattr__(name: str) -> Any:
        # So that `import jvmwire` is enough for `jvmwire.hadoop.connect`.
        from importlib import import_module

        return import_module(f"jvmwire.{name}") if name in _PACKAGES else _load(name)
