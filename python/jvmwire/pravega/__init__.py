"""Client of Pravega's segment store, blocking and asyncio; each append is stored exactly once."""

from jvmwire._lazy import lazy_exports
from jvmwire.pravega._appender import Appender, AsyncAppender
from jvmwire.pravega._client import (
    ANY_VERSION,
    BY_EVENT_RATE,
    BY_THROUGHPUT,
    NO_SCALING,
    NOT_THERE,
    AsyncSegmentStore,
    SegmentStore,
    SegmentStoreOptions,
)
from jvmwire.pravega._responses import SegmentInfo, SegmentRead, TableEntry, TableInfo, TableKey
from jvmwire.pravega._segment_reader import EventBatch
from jvmwire.pravega.errors import PravegaError

TYPE_CHECKING = False  # importing `typing` itself takes time
if TYPE_CHECKING:
    from jvmwire.pravega.streams._client import connect, connect_async
else:  # streams need gRPC, which segments do not
    __getattr__ = lazy_exports(__name__, connect="streams._client", connect_async="streams._client")

__all__ = [
    "ANY_VERSION",
    "BY_EVENT_RATE",
    "BY_THROUGHPUT",
    "NOT_THERE",
    "NO_SCALING",
    "Appender",
    "AsyncAppender",
    "AsyncSegmentStore",
    "EventBatch",
    "PravegaError",
    "SegmentInfo",
    "SegmentRead",
    "SegmentStore",
    "SegmentStoreOptions",
    "TableEntry",
    "TableInfo",
    "TableKey",
    "connect",
    "connect_async",
    "connect_store",
    "connect_store_async",
]

connect_store = SegmentStore.connect
"""Return a client that is connected to a segment store: `SegmentStore.connect`."""
connect_store_async = AsyncSegmentStore.connect
"""Return an asyncio client that is connected to a segment store: `AsyncSegmentStore.connect`."""
