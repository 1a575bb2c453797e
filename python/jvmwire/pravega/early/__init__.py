"""Pravega's first wire protocol: a client, and a small server."""

from jvmwire._core import PravegaDialect as Dialect
from jvmwire.pravega.early._client import (
    AsyncEarlyAppender,
    AsyncEarlyClient,
    EarlyAppender,
    EarlyClient,
    EarlyOptions,
)
from jvmwire.pravega.early._limits import EarlyLimits
from jvmwire.pravega.early._messages import SegmentRead
from jvmwire.pravega.early._server import EarlyServer
from jvmwire.pravega.early._store import FileStore, MemoryStore, Segment, Store

__all__ = [
    "AsyncEarlyAppender",
    "AsyncEarlyClient",
    "Dialect",
    "EarlyAppender",
    "EarlyClient",
    "EarlyLimits",
    "EarlyOptions",
    "EarlyServer",
    "FileStore",
    "MemoryStore",
    "Segment",
    "SegmentRead",
    "Store",
]
