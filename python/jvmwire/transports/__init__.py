"""Transports: TCP, TLS, pipes of a child, standard input and output, memory, and recording taps.

Drivers use all of them through the same interfaces, `Transport` and `AsyncTransport`.
"""

import select
from typing import TYPE_CHECKING

from jvmwire._lazy import lazy_exports
from jvmwire.transports._transport import AsyncTransport, Endpoint, Transport, transport_error

if not hasattr(select, "poll"):
    raise ImportError(
        "jvmwire needs select.poll, which this Python lacks: Windows has none, and "
        "eventlet.monkey_patch() takes it away (gevent does not)"
    )

if TYPE_CHECKING:
    from jvmwire.transports._child import Child
    from jvmwire.transports._memory import memory_pair
    from jvmwire.transports._recorder import Recorder
    from jvmwire.transports._stdio import Stdio
    from jvmwire.transports._tap import Tap
    from jvmwire.transports._tcp import Tcp
    from jvmwire.transports._tls import Tls
else:
    # Lazy: a caller of one transport does not import the modules of the others (TLS, asyncio,
    # subprocess).
    __getattr__ = lazy_exports(
        __name__,
        Child="_child",
        Recorder="_recorder",
        Stdio="_stdio",
        Tap="_tap",
        Tcp="_tcp",
        Tls="_tls",
        memory_pair="_memory",
    )

__all__ = [
    "AsyncTransport",
    "Child",
    "Endpoint",
    "Recorder",
    "Stdio",
    "Tap",
    "Tcp",
    "Tls",
    "Transport",
    "memory_pair",
    "transport_error",
]
