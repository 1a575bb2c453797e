"""Client of Pravega's streams through a controller: events, reader groups, tables."""

from jvmwire.errors import MissingExtra

try:
    from jvmwire.pravega.streams.byte_stream import (
        AsyncByteReader,
        AsyncByteWriter,
        ByteReader,
        ByteWriter,
    )
    from jvmwire.pravega.streams.client import AsyncStreamClient, StreamClient
    from jvmwire.pravega.streams.configuration import (
        RetentionPolicy,
        ScalingPolicy,
        StreamConfiguration,
    )
    from jvmwire.pravega.streams.controllers import Controllers
    from jvmwire.pravega.streams.errors import (
        ControllerError,
        InvalidName,
        NoSuchReaderGroup,
        NoSuchScope,
        NoSuchStream,
        NoSuchTable,
        NoSuchTransaction,
        NotAllowed,
        ReaderGroupExists,
        ReaderInGroup,
        ReaderNotInGroup,
        ScaleRefused,
        ScopeNotEmpty,
        StreamIsSealed,
        StreamNotSealed,
        TooManyCheckpoints,
        TransactionEnded,
    )
    from jvmwire.pravega.streams.event_writer import AsyncEventWriter, EventWriter
    from jvmwire.pravega.streams.group_reader import AsyncGroupReader, GroupBatch, GroupReader
    from jvmwire.pravega.streams.names import StreamSegment
    from jvmwire.pravega.streams.options import StreamOptions
    from jvmwire.pravega.streams.position import Position
    from jvmwire.pravega.streams.reader import StreamBatch
    from jvmwire.pravega.streams.reader_group import (
        AsyncReaderGroup,
        ReaderGroup,
        ReaderGroupConfig,
    )
    from jvmwire.pravega.streams.revisioned import (
        AsyncRevisionedStream,
        RevisionedEntry,
        RevisionedStream,
    )
    from jvmwire.pravega.streams.stream_cut import StreamCut
    from jvmwire.pravega.streams.synchronizer import (
        AsyncStateSynchronizer,
        StateKind,
        StateSynchronizer,
    )
    from jvmwire.pravega.streams.tables import (
        AsyncKeyValueTable,
        KeyValueEntry,
        KeyValueTable,
        KeyValueTableConfig,
    )
    from jvmwire.pravega.streams.transaction import AsyncTransaction, Transaction
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
    "InvalidName",
    "KeyValueEntry",
    "KeyValueTable",
    "KeyValueTableConfig",
    "NoSuchReaderGroup",
    "NoSuchScope",
    "NoSuchStream",
    "NoSuchTable",
    "NoSuchTransaction",
    "NotAllowed",
    "Position",
    "ReaderGroup",
    "ReaderGroupConfig",
    "ReaderGroupExists",
    "ReaderInGroup",
    "ReaderNotInGroup",
    "RetentionPolicy",
    "RevisionedEntry",
    "RevisionedStream",
    "ScaleRefused",
    "ScalingPolicy",
    "ScopeNotEmpty",
    "StateKind",
    "StateSynchronizer",
    "StreamBatch",
    "StreamClient",
    "StreamConfiguration",
    "StreamCut",
    "StreamIsSealed",
    "StreamNotSealed",
    "StreamOptions",
    "StreamSegment",
    "TooManyCheckpoints",
    "Transaction",
    "TransactionEnded",
]
