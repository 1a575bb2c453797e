"""The protocol that Pravega's began with: a client, and a small server that keeps all in memory."""

from jvmwire._core import PravegaDialect as Dialect
from jvmwire.pravega.early.client import (
    AsyncEarlyAppender,
    AsyncEarlyClient,
    EarlyAppender,
    EarlyClient,
    EarlyOptions,
)
from jvmwire.pravega.early.messages import SegmentRead
from jvmwire.pravega.early.server import EarlyServer, Segment

__all__ = [
    "AsyncEarlyAppender",
    "AsyncEarlyClient",
    "Dialect",
    "EarlyAppender",
    "EarlyClient",
    "EarlyOptions",
    "EarlyServer",
    "Segment",
    "SegmentRead",
]
