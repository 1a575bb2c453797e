"""Client of Pravega's streams through a controller: events, reader groups, tables."""

from jvmwire.errors import MissingExtra

try:
    from jvmwire.pravega.streams._byte_stream import (
        AsyncByteReader,
        AsyncByteWriter,
        ByteReader,
        ByteWriter,
    )
    from jvmwire.pravega.streams._client import AsyncStreamClient, StreamClient
    from jvmwire.pravega.streams._configuration import (
        RetentionPolicy,
        ScalingPolicy,
        StreamConfiguration,
    )
    from jvmwire.pravega.streams._controllers import Controllers
    from jvmwire.pravega.streams._event_writer import AsyncEventWriter, EventWriter
    from jvmwire.pravega.streams._group_reader import AsyncGroupReader, GroupBatch, GroupReader
    from jvmwire.pravega.streams._names import StreamSegment
    from jvmwire.pravega.streams._options import StreamOptions
    from jvmwire.pravega.streams._position import Position
    from jvmwire.pravega.streams._reader import StreamBatch
    from jvmwire.pravega.streams._reader_group import (
        AsyncReaderGroup,
        ReaderGroup,
        ReaderGroupConfig,
    )
    from jvmwire.pravega.streams._revisioned import (
        AsyncRevisionedStream,
        RevisionedEntry,
        RevisionedStream,
    )
    from jvmwire.pravega.streams._stream_cut import StreamCut
    from jvmwire.pravega.streams._stream_info import StreamInfo
    from jvmwire.pravega.streams._synchronizer import (
        AsyncStateSynchronizer,
        StateKind,
        StateSynchronizer,
    )
    from jvmwire.pravega.streams._tables import (
        AsyncKeyValueTable,
        KeyValueEntry,
        KeyValueTable,
        KeyValueTableConfig,
    )
    from jvmwire.pravega.streams._transaction import AsyncTransaction, Transaction
    from jvmwire.pravega.streams._watermarks import TimeWindow, Watermark
    from jvmwire.pravega.streams.errors import ControllerError
except ModuleNotFoundError as missing:
    package = {"google": "protobuf", "grpc": "grpcio"}.get((missing.name or "").partition(".")[0])
    if package is None:
        raise
    raise MissingExtra(
        f"Pravega's streams need {package}: pip install 'jvmwire[pravega]'", name=missing.name
    ) from missing

__all__ = [
    "AsyncByteReader",
    "AsyncByteWriter",
    "AsyncEventWriter",
    "AsyncGroupReader",
    "AsyncKeyValueTable",
    "AsyncReaderGroup",
    "AsyncRevisionedStream",
    "AsyncStateSynchronizer",
    "AsyncStreamClient",
    "AsyncTransaction",
    "ByteReader",
    "ByteWriter",
    "ControllerError",
    "Controllers",
    "EventWriter",
    "GroupBatch",
    "GroupReader",
    "KeyValueEntry",
    "KeyValueTable",
    "KeyValueTableConfig",
    "Position",
    "ReaderGroup",
    "ReaderGroupConfig",
    "RetentionPolicy",
    "RevisionedEntry",
    "RevisionedStream",
    "ScalingPolicy",
    "StateKind",
    "StateSynchronizer",
    "StreamBatch",
    "StreamClient",
    "StreamConfiguration",
    "StreamCut",
    "StreamInfo",
    "StreamOptions",
    "StreamSegment",
    "TimeWindow",
    "Transaction",
    "Watermark",
]
