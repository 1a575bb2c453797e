from collections.abc import Callable, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, final, overload
from uuid import UUID

from typing_extensions import Buffer

from jvmwire.capture._condition import Condition
from jvmwire.codec._arrow import ArrowArray

__all__ = [
    "HADOOP_TEXT",
    "HADOOP_UTF8",
    "HAZELCAST_DATA_STRING",
    "HAZELCAST_STRING",
    "JAVA_UTF",
    "LEVELS",
    "MESSAGE_LIMIT",
    "PRAVEGA_EVENT_LIMIT",
    "PRAVEGA_FRAME_LIMIT",
    "PRAVEGA_LARGE_EVENT_LIMIT",
    "PROTOBUF_INT32",
    "PROTOCOLS",
    "SIGNED32",
    "SIGNED64",
    "UNSIGNED32",
    "UNSIGNED64",
    "VERSION",
    "VINT",
    "VLONG",
    "ZIGZAG32",
    "ZIGZAG64",
    "Array",
    "CaptureDecoder",
    "CaptureWriter",
    "Decoder",
    "DumpDecoder",
    "Fixed",
    "FrameDecoder",
    "Framing",
    "HadoopCaller",
    "HadoopCalls",
    "HadoopDataInput",
    "HadoopDataOutput",
    "HadoopList",
    "HadoopMethod",
    "HadoopRecord",
    "HadoopReplyDecoder",
    "HadoopReplyTable",
    "HadoopRequest",
    "HadoopRequestDecoder",
    "HadoopResponse",
    "HamaOpReader",
    "HamaOpWriter",
    "HamaReplyReader",
    "HazelcastDataCodec",
    "HazelcastDataInput",
    "HazelcastDataOutput",
    "HazelcastDecoder",
    "HazelcastEntryColumns",
    "HazelcastMessage",
    "HazelcastPackedList",
    "HazelcastReplies",
    "JavaClass",
    "KeyedAssembler",
    "LatencySketch",
    "MergedTraffic",
    "PravegaAppendAssembler",
    "PravegaBlockEncoder",
    "PravegaDataAppended",
    "PravegaDecoder",
    "PravegaDialect",
    "PravegaEventSplitter",
    "PravegaEvents",
    "RecordBatch",
    "RowSorter",
    "StormBoltWriter",
    "StormDecoder",
    "StreamAssembler",
    "StringFormat",
    "Text",
    "Tuple",
    "TypedFrameDecoder",
    "TypedFraming",
    "Varint",
    "View",
    "decode_message",
    "decode_object",
    "directories_of",
    "encode_invocation",
    "encode_message",
    "encode_old_version",
    "encode_refusal",
    "encode_sasl",
    "encode_storm_emit",
    "hadoop_messages",
    "hadoop_methods",
    "hadoop_protocols",
    "hazelcast_hash64",
    "hazelcast_pack",
    "hazelcast_partition_hash",
    "hazelcast_partition_id",
    "hazelcast_partition_ids",
    "hazelcast_partition_list",
    "jobs_of",
    "level",
    "pick_field",
    "pravega_positions",
    "pravega_split",
    "pravega_table_position",
]

PROTOCOLS: Final[list[str]]
"""Names of the protocols that the decoders of captures and dumps support."""
VERSION: Final[str]
"""Version of the core."""

@final
class RecordBatch:
    """Rows of a table, exported through Arrow's PyCapsule interface.

    `pyarrow.record_batch(batch)` imports it without copying.
    """

    @property
    def num_rows(self) -> int:
        """Number of rows."""
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def to_jsonl(self) -> bytes:
        """Encode the rows as JSON, one object per line, in UTF-8."""

@final
class View:
    """Selection of a table, its columns and its rows.

    Args:
        table: The name of the table: `messages`, `calls`, `streams` or `traffic`.
        columns: Names of columns, in order; None (the default) selects the default columns.
        condition: The condition that rows must meet; None (the default) selects all rows.
        counted: The condition on rows of `calls` that calls must meet to be counted in the table
            `traffic`; None (the default) counts all calls.

    Raises:
        ValueError: the table or a column does not exist, a condition does not fit its table, or
            `counted` is given for another table than `traffic`.
    """

    def __new__(
        cls,
        table: str,
        *,
        columns: Sequence[str] | None = None,
        condition: Condition | None = None,
        counted: Condition | None = None,
    ) -> View: ...
    @property
    def table(self) -> str:
        """Name of the table."""
    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
    def __arrow_c_schema__(self) -> object: ...

@final
class CaptureDecoder:
    """Decoder of a capture file that is fed in pieces, into record batches.

    Args:
        views: The tables to decode, with columns and conditions.
        protocol: The protocol of all connections; None (the default) detects it per connection.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the
            built-in ones; None (the default) selects the built-in ones.
        first_stream: Number of the first stream, 0 by default.
        in_order: Sort rows by (stream, offset), to be taken after `finish`; False by default.
        explain: Produce explanations instead of rows; `views` must be empty. False by default.
        redact: A key of 16 bytes, with which values chosen by users are replaced; None (the
            default) keeps them.
        state: A state from `save`, from which decoding continues; None (the default) starts anew.

    Raises:
        ValueError: the protocol or a type is unknown, or `explain` is combined with views.
        DecodeError: `state` was not saved by this build.
    """

    def __new__(
        cls,
        views: Sequence[View],
        *,
        protocol: str | None = None,
        types: dict[str, int] | None = None,
        first_stream: int = 0,
        in_order: bool = False,
        explain: bool = False,
        redact: bytes | None = None,
        state: bytes | None = None,
    ) -> CaptureDecoder: ...
    @property
    def next_stream(self) -> int:
        """One more than the number of the last stream."""
    def feed(self, data: bytes) -> None:
        """Decode the next bytes of the file.

        Args:
            data: The next bytes of the file, in chunks of any size.

        Raises:
            NotACapture: the file has another format.
            DecodeError: the file is damaged and cannot be read further; `finish` still ends the
                tables.
        """
    def finish(self) -> None:
        """End the file, its streams and the tables.

        Raises:
            DecodeError: the file is damaged or ends inside a record; the tables are ended anyway.
        """
    def end_file(self) -> None:
        """End the file; the next bytes are those of another file of the same capture.

        Connections continue in the next file.

        Raises:
            DecodeError: the file that ends is damaged.
        """
    def suspend(self) -> None:
        """End the tables but no stream: the rest of the capture is decoded elsewhere."""
    def save(self) -> tuple[int, bytes] | None:
        """Save the state from which another decoder can continue.

        Returns:
            The offset in the file from which the other decoder must be fed, and the state; None
            inside a compressed file, after damage, or if the decoder produces rows or
            explanations.

        Raises:
            DecodeError: the state exceeds its size limit.
        """
    def break_off(self, reason: str) -> None:
        """Record that the file cannot be read further, with the reason.

        Args:
            reason: The reason, which the DecodeError of `finish` or `end_file` contains.
        """
    def flush(self) -> None:
        """Complete the batches of all rows decoded so far, for readers of a growing file."""
    def next_batch(self) -> tuple[str, RecordBatch] | None:
        """Take the next batch that has rows.

        Returns:
            The name of the table and the batch; None if more must be fed, or an explanation taken.

        Raises:
            DecodeError: the file is damaged; raised once.
        """
    def take_sorter(self) -> RowSorter:
        """Take the rows of the one view, for a sorter that they are appended to.

        Returns:
            The sorted rows, which `next_batch` no longer returns.

        Raises:
            ValueError: the decoder has several views, or does not sort.
        """
    def undecoded(self) -> list[tuple[str, int, int]]:
        """Return the bytes that could not be decoded.

        Returns:
            Per reason: the reason, the number of pieces, and the number of bytes.
        """
    def take_explanation(self) -> str:
        """Take the explanation of the bytes decoded so far, an annotated hex dump.

        Raises:
            DecodeError: the file is damaged; raised once.
        """

@final
class RowSorter:
    """Sorter of the rows of one view by (stream, offset), in bounded memory.

    Rows that do not fit into memory are in temporary files. Rows with equal keys come in the order
    in which they were appended.

    Args:
        view: The view of the decoders whose rows are sorted.
    """

    def __new__(cls, view: View) -> RowSorter: ...
    def append(self, part: RowSorter) -> None:
        """Add rows after those added before.

        Args:
            part: The sorter of a decoder with the same view, which has no rows afterwards.

        Raises:
            ValueError: the view is another one, or batches were taken from either sorter.
        """
    def next_batch(self) -> RecordBatch | None:
        """Take the next batch, after all rows were added.

        Returns:
            The batch; None after the last one.
        """

@final
class DumpDecoder:
    """Decoder of raw dumps of one direction, or of both, into record batches.

    Args:
        views: The tables to decode, with columns and conditions.
        protocol: The protocol of the connection.
        of: The content of the dump: `client`, `server` or `both`, or `any` for single messages.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the
            built-in ones; None (the default) selects the built-in ones.
        in_order: Sort rows by (stream, offset), to be taken after `finish`; False by default.
        explain: Produce explanations instead of rows; `views` must be empty. False by default.
        redact: A key of 16 bytes, with which values chosen by users are replaced; None (the
            default) keeps them.

    Raises:
        ValueError: the protocol, a type or `of` is unknown, or `explain` is combined with views.
    """

    def __new__(
        cls,
        views: Sequence[View],
        *,
        protocol: str,
        of: str,
        types: dict[str, int] | None = None,
        in_order: bool = False,
        explain: bool = False,
        redact: bytes | None = None,
    ) -> DumpDecoder: ...
    def feed(self, side: str, data: bytes) -> None:
        """Decode the next bytes of `side`, `client` or `server`.

        Args:
            side: The side that wrote the bytes.
            data: The bytes, in chunks of any size.
        """
    def held(self, side: str) -> int:
        """Return the number of bytes of `side` that wait.

        They wait for the rest of their message, for the other side, or for rows to be taken.

        Args:
            side: `client` or `server`.
        """
    def end_of(self, side: str) -> None:
        """End the bytes of `side`, `client` or `server`.

        Args:
            side: `client` or `server`.
        """
    def finish(self) -> None:
        """End the dump and the tables."""
    def next_batch(self) -> tuple[str, RecordBatch] | None:
        """Take the next batch that has rows.

        Returns:
            The name of the table and the batch; None if more must be fed, or an explanation taken.
        """
    def undecoded(self) -> list[tuple[str, int, int]]:
        """Return the bytes that could not be decoded.

        Returns:
            Per reason: the reason, the number of pieces, and the number of bytes.
        """
    def take_explanation(self) -> str:
        """Take the explanation of the bytes decoded so far, an annotated hex dump."""

@final
class LatencySketch:
    """Sketch of the durations of calls, in microseconds."""

    def __new__(cls) -> LatencySketch: ...
    @staticmethod
    def from_times(times: Iterable[tuple[int, int]], /) -> LatencySketch:
        """Build a sketch from pairs of a duration and the number of calls that took it."""
    @staticmethod
    def pool(packed: ArrowArray, bounds: Sequence[int], /) -> list[LatencySketch]:
        """Merge the packed sketches of an Arrow array.

        Returns one sketch per pair of neighbouring bounds.
        """
    def pack(self) -> bytes:
        """Encode the sketch in a few bytes."""
    @property
    def calls(self) -> int:
        """Number of calls."""
    @property
    def longest(self) -> int:
        """Longest duration in microseconds; 0 without calls."""
    def bins(self) -> list[tuple[int, int]]:
        """List the bins that are not empty: longest duration and number of calls of each."""
    def quantile(self, share: float) -> int:
        """Return the duration that a share of the calls did not exceed.

        The result is up to a sixteenth larger; 0 without calls.
        """
    def above(self, micros: int) -> int:
        """Return the number of calls in bins that extend beyond a duration."""

@final
class MergedTraffic:
    """Merged `traffic` tables, whose counts are added as batches arrive."""

    def __new__(cls, *, buckets: int, clock_end: int) -> MergedTraffic: ...
    def add(self, batches: Sequence[ArrowArray], /) -> None:
        """Add record batches of the table `traffic`."""
    def finish(self) -> RecordBatch:
        """Take the merged counts, one row per key."""

def jobs_of(attributes: ArrowArray, /) -> Array:
    """Return the job of each text of the column `attributes`, as the table `traffic` counts jobs.

    Args:
        attributes: Strings, nulls among them.

    Returns:
        Strings of 64-bit offsets, null for rows without a caller context.
    """

def directories_of(
    protocols: ArrowArray, names: ArrowArray, targets: ArrowArray, /, *, depth: int
) -> Array:
    """Return the directory of each call, as the table `traffic` counts directories.

    Args:
        protocols: The column `protocol` of the table `calls`.
        names: The column `name`.
        targets: The column `target`.
        depth: Largest number of levels below the root, at least 1.

    Returns:
        Strings, null for rows without a target.

    Raises:
        ValueError: the columns differ in length, or `depth` is 0.
    """

@final
class CaptureWriter:
    """Writer of conversations as the bytes of a pcap file.

    Each method returns the bytes to append to the file. Times are microseconds since 1970.
    """

    def __new__(cls) -> CaptureWriter: ...
    def header(self) -> bytes:
        """Encode the header of the file."""
    def open(self, client: str, server: str, ts: int) -> tuple[int, bytes]:
        """Open a connection: SYN, SYN-ACK, ACK.

        Args:
            client: Address and port of the client, such as `127.0.0.1:40000`.
            server: Address and port of the server; if only one address is IPv6, the other is
                mapped.
            ts: Time in microseconds since 1970.

        Returns:
            The number of the connection, and the packets.

        Raises:
            ValueError: an address is invalid.
        """
    def data(self, connection: int, side: str, data: bytes, ts: int) -> bytes:
        """Encode bytes that `side` wrote, in as many segments as they need.

        Args:
            connection: The number of the connection, from `open`.
            side: The side that wrote the bytes, `client` or `server`.
            data: The bytes.
            ts: Time in microseconds since 1970.

        Returns:
            The packets.

        Raises:
            ValueError: the connection is not open, or `side` is not `client` or `server`.
        """
    def close(self, connection: int, ts: int) -> bytes:
        """Close a connection: FIN, FIN, ACK, the client first.

        Args:
            connection: The number of the connection, from `open`.
            ts: Time in microseconds since 1970.

        Returns:
            The packets.

        Raises:
            ValueError: the connection is not open.
        """
    def reset(self, connection: int, side: str, ts: int) -> bytes:
        """Abort a connection with a RST of `side`.

        Args:
            connection: The number of the connection, from `open`.
            side: The side that aborts, `client` or `server`.
            ts: Time in microseconds since 1970.

        Returns:
            The packet.

        Raises:
            ValueError: the connection is not open, or `side` is not `client` or `server`.
        """

_ByteOrder: TypeAlias = Literal["big", "little"]
_Encoding: TypeAlias = Literal["modified-utf-8", "cesu-8", "utf-8"]
_Length: TypeAlias = Literal["uint16", "int32", "utf16-units", "vint"]
_Value = TypeVar("_Value")
_Text = TypeVar("_Text")
_Made = TypeVar("_Made")

LEVELS: Final[tuple[str, ...]]
"""Names of the kernel levels that this processor supports, the lowest first."""
MESSAGE_LIMIT: Final[int]
"""Default limit of the bytes of one message or payload: 64 MiB (chosen by jvmwire)."""

def level() -> str:
    """Return the name of the kernel level in use.

    The default is the highest of `LEVELS`; the environment variable `JVMWIRE_KERNELS` overrides it.
    """

@final
class Array:
    """Array of values, exported through Arrow's PyCapsule interface.

    `pyarrow.array(array)` imports it without copying.
    """

    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int:
        """Bytes of memory that the values take."""
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Decoder:
    """Incremental decoder of a stream of values of one format."""

    def feed(self, data: Buffer, /) -> Array:
        """Decode the values that are complete with these bytes.

        Args:
            data: The next bytes of the stream, in chunks of any size.

        Returns:
            The values, which may be none; values before malformed bytes are returned first.

        Raises:
            DecodeError: malformed bytes follow the values returned before.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their value."""
    def finish(self) -> None:
        """Check that the stream ended at the end of a value.

        Raises:
            DecodeError: the stream ended inside a value, or was malformed.
        """

@final
class Varint:
    """Format of a variable-length integer.

    Args:
        name: The name of the format: `unsigned32`, `unsigned64`, `signed32`, `signed64`,
            `protobuf-int32`, `zigzag32`, `zigzag64`, `vint` or `vlong`.

    Raises:
        ValueError: the name is unknown.
    """

    def __new__(cls, name: str, /) -> Varint: ...
    @property
    def name(self) -> str:
        """Name of the format."""
    def encode(self, value: int, /) -> bytes:
        """Encode one value.

        Args:
            value: The number.

        Returns:
            The bytes of the value.

        Raises:
            ValueError: the value does not fit the format.
            TypeError: the value has another type.
        """
    def decode(self, data: Buffer, offset: int = 0, /) -> tuple[int, int]:
        """Decode one value.

        Args:
            data: The bytes that contain the value.
            offset: Where the value begins, 0 by default.

        Returns:
            The value, and the offset of its end.

        Raises:
            DecodeError: the value is incomplete or malformed.
            ValueError: the offset is beyond the data.
        """
    def encode_all(self, values: ArrowArray, /) -> bytes:
        """Encode a column of values, one after the other.

        Args:
            values: An Arrow array of exactly the format's type, without nulls.

        Returns:
            The bytes of all values.

        Raises:
            ValueError: a value is null.
            TypeError: the array has another type.
        """
    def decode_all(self, data: Buffer, /) -> Array:
        """Decode bytes that consist of complete values.

        Args:
            data: The bytes, read in place if no other thread can write to them.

        Returns:
            An Arrow array of the values.

        Raises:
            DecodeError: a value is malformed, or the last one is incomplete.
        """
    def decoder(self) -> Decoder:
        """Return a new incremental decoder of this format."""

UNSIGNED32: Final[Varint]
"""Base 128, unsigned, 32 bits, up to 5 bytes: protobuf's `uint32`."""
UNSIGNED64: Final[Varint]
"""Base 128, unsigned, 64 bits: protobuf's `uint64`."""
SIGNED32: Final[Varint]
"""Base 128 of the two's complement, 32 bits, up to 5 bytes (not a format of protobuf)."""
SIGNED64: Final[Varint]
"""Base 128 of the two's complement, 64 bits: protobuf's `int64`."""
PROTOBUF_INT32: Final[Varint]
"""Base 128, sign-extended to 64 bits, ten bytes if negative: protobuf's `int32`."""
ZIGZAG32: Final[Varint]
"""Base 128 with the sign in the lowest bit, 32 bits: protobuf's `sint32`."""
ZIGZAG64: Final[Varint]
"""Base 128 with the sign in the lowest bit, 64 bits: protobuf's `sint64`."""
VINT: Final[Varint]
"""Hadoop's `WritableUtils.writeVInt`, 32 bits."""
VLONG: Final[Varint]
"""Hadoop's `WritableUtils.writeVLong`, 64 bits."""

@final
class Fixed(Generic[_Value]):
    """Format of numbers or UUIDs of a fixed width.

    Args:
        kind: The type: `int8` to `int64`, `uint8` to `uint64`, `float32`, `float64` or `uuid`.
        byte_order: `big` (the default) or `little`.

    Raises:
        ValueError: the kind or the byte order is unknown.
    """

    @overload
    def __new__(
        cls,
        kind: Literal["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"],
        byte_order: _ByteOrder = "big",
        /,
    ) -> Fixed[int]: ...
    @overload
    def __new__(
        cls, kind: Literal["float32", "float64"], byte_order: _ByteOrder = "big", /
    ) -> Fixed[float]: ...
    @overload
    def __new__(cls, kind: Literal["uuid"], byte_order: _ByteOrder = "big", /) -> Fixed[UUID]: ...
    def __class_getitem__(cls, key: object) -> GenericAlias: ...
    @property
    def kind(self) -> str:
        """Name of the type."""
    @property
    def byte_order(self) -> str:
        """Byte order, `big` or `little`."""
    @property
    def width(self) -> int:
        """Bytes of one value."""
    def encode(self, value: _Value, /) -> bytes:
        """Encode one value.

        Args:
            value: The number or UUID.

        Returns:
            The bytes of the value.

        Raises:
            ValueError: the value does not fit the format.
            TypeError: the value has another type.
        """
    def decode(self, data: Buffer, offset: int = 0, /) -> tuple[_Value, int]:
        """Decode one value.

        Args:
            data: The bytes that contain the value.
            offset: Where the value begins, 0 by default.

        Returns:
            The value, and the offset of its end.

        Raises:
            DecodeError: the value is incomplete or malformed.
            ValueError: the offset is beyond the data.
        """
    def encode_all(self, values: ArrowArray, /) -> bytes:
        """Encode a column of values, one after the other.

        Args:
            values: An Arrow array of exactly the format's type, without nulls.

        Returns:
            The bytes of all values.

        Raises:
            ValueError: a value is null.
            TypeError: the array has another type.
        """
    def decode_all(self, data: Buffer, /) -> Array:
        """Decode bytes that consist of complete values.

        Args:
            data: The bytes, read in place if no other thread can write to them.

        Returns:
            An Arrow array of the values.

        Raises:
            DecodeError: a value is malformed, or the last one is incomplete.
        """
    def decoder(self) -> Decoder:
        """Return a new incremental decoder of this format."""

@final
class Framing:
    """Format of the frames of a stream: length-prefixed, lines, or Storm's messages."""

    @staticmethod
    def length(
        *, byte_order: _ByteOrder = "big", includes_itself: bool = False, limit: int = ...
    ) -> Framing:
        """Return the format of frames with a length of 32 bits before the payload.

        Args:
            byte_order: The byte order of the length, `big` (the default) or `little`.
            includes_itself: Whether the length counts its own 4 bytes; False by default.
            limit: Maximum bytes of a payload, `MESSAGE_LIMIT` by default.
        """
    @staticmethod
    def lines(*, limit: int = ...) -> Framing:
        r"""Return the format of lines as Java reads them: ended by `\n`, `\r\n` or a lone `\r`.

        Lines are encoded with `\n`.

        Args:
            limit: Maximum bytes of a line, `MESSAGE_LIMIT` by default.
        """
    @staticmethod
    def end_messages(*, limit: int = ...) -> Framing:
        """Return the format of Storm's subprocesses: lines, followed by a line `end`.

        Args:
            limit: Maximum bytes of a message, `MESSAGE_LIMIT` by default.
        """
    @property
    def limit(self) -> int:
        """Maximum bytes of a payload."""
    def encode(self, payload: Buffer, /) -> bytes:
        """Encode one frame.

        Args:
            payload: The payload.

        Returns:
            The bytes of the frame.

        Raises:
            ValueError: the payload is too long, or contains the delimiter.
        """
    def decode(self, data: Buffer, offset: int = 0, /) -> tuple[bytes, int] | None:
        """Decode the frame at an offset.

        Args:
            data: The bytes that contain the frame.
            offset: Where the frame begins, 0 by default.

        Returns:
            The payload, and the offset of the frame's end; None if the frame is incomplete.

        Raises:
            DecodeError: the length is invalid or exceeds `limit`.
            ValueError: the offset is beyond the data.
        """
    def encode_all(self, payloads: ArrowArray, /) -> bytes:
        """Encode a column of payloads as frames, one after the other.

        Args:
            payloads: An Arrow array of type binary, without nulls.

        Returns:
            The bytes of all frames.

        Raises:
            ValueError: a payload is null, too long, or contains the delimiter.
            TypeError: the array has another type.
        """
    def decode_all(self, data: Buffer, /) -> tuple[Array, int]:
        """Copy the payloads of all complete frames into an Arrow array.

        Args:
            data: The bytes, whose first frame begins at 0.

        Returns:
            A binary array of the payloads, and the number of bytes that their frames take.

        Raises:
            DecodeError: a length is invalid or exceeds `limit`.
        """
    def view_all(self, data: Buffer, /) -> tuple[Array, int]:
        """Return the payloads of all complete frames as views of the data, without copying.

        The array keeps the data alive; buffers that other threads can write to are copied first.

        Args:
            data: The bytes, whose first frame begins at 0.

        Returns:
            A binary view array of the payloads, and the number of bytes that their frames take.

        Raises:
            DecodeError: a length is invalid or exceeds `limit`.
        """
    def scan(self, data: Buffer, /) -> tuple[Array, Array, int]:
        """Find all complete frames.

        Args:
            data: The bytes, whose first frame begins at 0.

        Returns:
            Two int64 arrays with the start and the end of each payload, and the number of bytes
            that the frames take.

        Raises:
            DecodeError: a length is invalid or exceeds `limit`.
        """
    def decoder(self) -> FrameDecoder:
        """Return a new incremental decoder of this format."""

@final
class FrameDecoder:
    """Incremental decoder of the frames of a stream."""

    def feed(self, data: Buffer, /) -> None:
        """Append the next bytes of the stream, in chunks of any size.

        Args:
            data: The bytes.
        """
    def finish(self) -> None:
        """End the stream.

        A last line, and Storm's `end`, need no line end; other incomplete frames become errors.
        """
    def next_frame(self) -> bytes | None:
        """Take the payload of the next complete frame, or None if more must be fed.

        Raises:
            DecodeError: the frame is malformed, exceeds the limit, or is cut off by the end.
        """
    def next_batch(self) -> Array:
        """Take the payloads of all complete frames, as a binary array.

        Raises:
            DecodeError: the first remaining frame is malformed, exceeds the limit, or is cut off.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their frame."""

@final
class TypedFraming:
    """Format of frames with a type and a length, 32 bits each, before the payload.

    Args:
        byte_order: The byte order of both, `big` (the default) or `little`.
        includes_itself: Whether the length counts the header; False by default.
        limit: Maximum bytes of a payload, `MESSAGE_LIMIT` by default.
    """

    def __new__(
        cls, *, byte_order: _ByteOrder = "big", includes_itself: bool = False, limit: int = ...
    ) -> TypedFraming: ...
    @property
    def limit(self) -> int:
        """Maximum bytes of a payload."""
    def encode(self, kind: int, payload: Buffer, /) -> bytes:
        """Encode one frame.

        Args:
            kind: The type, an int32.
            payload: The payload.

        Returns:
            The bytes of the frame.

        Raises:
            ValueError: the type does not fit, or the payload is too long.
        """
    def decode(self, data: Buffer, offset: int = 0, /) -> tuple[int, bytes, int] | None:
        """Decode the frame at an offset.

        Args:
            data: The bytes that contain the frame.
            offset: Where the frame begins, 0 by default.

        Returns:
            The type, the payload, and the offset of the frame's end; None if it is incomplete.

        Raises:
            DecodeError: the length is invalid or exceeds `limit`.
            ValueError: the offset is beyond the data.
        """
    def encode_all(self, kinds: ArrowArray, payloads: ArrowArray, /) -> bytes:
        """Encode columns of types and payloads as frames, one after the other.

        Args:
            kinds: An Arrow array of type int32, without nulls.
            payloads: An Arrow array of type binary of the same length, without nulls.

        Returns:
            The bytes of all frames.

        Raises:
            ValueError: a value is null, a payload is too long, or the lengths of the arrays differ.
            TypeError: an array has another type.
        """
    def decode_all(self, data: Buffer, /) -> tuple[Array, Array, int]:
        """Copy the types and payloads of all complete frames into Arrow arrays.

        Args:
            data: The bytes, whose first frame begins at 0.

        Returns:
            An int32 array of the types, a binary array of the payloads, and the number of bytes
            that the frames take.

        Raises:
            DecodeError: a length is invalid or exceeds `limit`.
        """
    def scan(self, data: Buffer, /) -> tuple[Array, Array, Array, int]:
        """Find all complete frames.

        Args:
            data: The bytes, whose first frame begins at 0.

        Returns:
            An int32 array of the types, two int64 arrays with the start and the end of each
            payload, and the number of bytes that the frames take.

        Raises:
            DecodeError: a length is invalid or exceeds `limit`.
        """
    def decoder(self) -> TypedFrameDecoder:
        """Return a new incremental decoder of this format."""

@final
class TypedFrameDecoder:
    """Incremental decoder of the typed frames of a stream."""

    def feed(self, data: Buffer, /) -> None:
        """Append the next bytes of the stream, in chunks of any size.

        Args:
            data: The bytes.
        """
    def finish(self) -> None:
        """End the stream: an incomplete frame becomes an error."""
    def next_frame(self) -> tuple[int, bytes] | None:
        """Take the type and payload of the next complete frame, or None if more must be fed.

        Raises:
            DecodeError: the frame is malformed, exceeds the limit, or is cut off by the end.
        """
    def next_batch(self) -> tuple[Array, Array]:
        """Take the types (int32) and payloads (binary) of all complete frames.

        Raises:
            DecodeError: the first remaining frame is malformed, exceeds the limit, or is cut off.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their frame."""

@final
class StreamAssembler:
    """Assembler of the fragments of one stream, as early Pravega sends them.

    Args:
        limit: Maximum bytes of a message, `MESSAGE_LIMIT` by default.
    """

    def __new__(cls, *, limit: int = ...) -> StreamAssembler: ...
    @staticmethod
    def split(message: Buffer, size: int, /) -> list[tuple[int, bytes]]:
        """Split a message into fragments of at most `size` bytes.

        Args:
            message: The bytes of the message.
            size: Maximum bytes of a fragment.

        Returns:
            Pairs of flag and fragment.

        Raises:
            ValueError: `size` is not positive.
        """
    @staticmethod
    def split_all(messages: ArrowArray, size: int, /) -> tuple[Array, Array]:
        """Split a binary column of messages into fragments of at most `size` bytes.

        Args:
            messages: A binary array, without nulls.
            size: Maximum bytes of a fragment.

        Returns:
            A uint8 array of the flags, and a binary array of the fragments.
        """
    def push(self, flag: int, fragment: Buffer, /) -> bytes | None:
        """Add a fragment.

        Args:
            flag: The flag of the fragment: 0 begins a message, 1 continues it, 2 ends it.
            fragment: The bytes of the fragment.

        Returns:
            The message if this fragment completes it, else None.

        Raises:
            DecodeError: the flag is invalid at this point, or the message exceeds the limit.
        """
    def push_all(self, flags: ArrowArray, fragments: ArrowArray, /) -> Array:
        """Add columns of flags (uint8) and fragments (binary).

        Args:
            flags: A uint8 array, without nulls.
            fragments: A binary array of the same length, without nulls.

        Returns:
            A binary array of the messages that they complete.

        Raises:
            DecodeError: a flag is invalid at its point, or a message exceeds the limit.
            ValueError: the arrays differ in length.
        """
    def finish(self) -> None:
        """Check that the stream ended at the end of a message.

        Raises:
            DecodeError: a message is incomplete.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their message."""

@final
class KeyedAssembler:
    """Assembler of fragments with the id of their message, as Hazelcast sends them.

    Args:
        limit: Maximum bytes of a message, `MESSAGE_LIMIT` by default.
        total_limit: Maximum bytes of all incomplete messages, 256 MiB by default.
        open_limit: Maximum number of incomplete messages, 65,536 by default.
    """

    def __new__(
        cls, *, limit: int = ..., total_limit: int = ..., open_limit: int = ...
    ) -> KeyedAssembler: ...
    @staticmethod
    def split(message: Buffer, size: int, /) -> list[tuple[int, bytes]]:
        """Split a message into fragments of at most `size` bytes.

        Args:
            message: The bytes of the message.
            size: Maximum bytes of a fragment.

        Returns:
            Pairs of flags and fragment.

        Raises:
            ValueError: `size` is not positive.
        """
    @staticmethod
    def split_all(
        ids: ArrowArray, messages: ArrowArray, size: int, /
    ) -> tuple[Array, Array, Array]:
        """Split a binary column of messages into fragments of at most `size` bytes.

        Args:
            ids: An int64 array of the correlation ids.
            messages: A binary array of the same length.
            size: Maximum bytes of a fragment.

        Returns:
            An int64 array of the ids, a uint8 array of the flags, and a binary array of the
            fragments.
        """
    def push(self, correlation_id: int, flags: int, fragment: Buffer, /) -> bytes | None:
        """Add a fragment.

        Args:
            correlation_id: The id of the fragment's message.
            flags: The flags of its header, a byte.
            fragment: The bytes of the fragment.

        Returns:
            The message if this fragment completes it, else None.

        Raises:
            DecodeError: the fragment is invalid at this point, or a limit is exceeded.
        """
    def push_all(
        self, ids: ArrowArray, flags: ArrowArray, fragments: ArrowArray, /
    ) -> tuple[Array, Array]:
        """Add columns of ids (int64), flags (uint8) and fragments (binary).

        Args:
            ids: An int64 array of the correlation ids, without nulls.
            flags: A uint8 array of the same length, without nulls.
            fragments: A binary array of the same length, without nulls.

        Returns:
            An int64 array of the ids and a binary array of the messages that they complete.

        Raises:
            DecodeError: a fragment is invalid at its point, or a limit is exceeded.
            ValueError: the arrays differ in length.
        """
    def forget(self, correlation_id: int, /) -> None:
        """Discard the fragments of an incomplete message.

        Args:
            correlation_id: The id of the message.
        """
    @property
    def open(self) -> int:
        """Number of incomplete messages."""
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their messages."""

@final
class Text:
    """Encoding of text without a length prefix.

    Args:
        encoding: `modified-utf-8`, `cesu-8` or `utf-8`.
        lossless: Whether lone surrogates are kept; False (the default) refuses them. If true,
            columns are binary arrays of WTF-8 instead of string arrays.

    Raises:
        ValueError: the encoding is unknown.
    """

    def __new__(cls, encoding: _Encoding, /, *, lossless: bool = False) -> Text: ...
    @property
    def encoding(self) -> str:
        """Name of the encoding."""
    @property
    def lossless(self) -> bool:
        """Whether lone surrogates are kept."""
    def encode(self, text: str, /) -> bytes:
        """Encode a text.

        Args:
            text: The text.

        Returns:
            The bytes of the text.

        Raises:
            ValueError: the text has a lone surrogate, and the encoding is not lossless.
        """
    def decode(self, data: Buffer, /) -> str:
        """Decode bytes that are one text.

        Args:
            data: The bytes of the text.

        Returns:
            The text.

        Raises:
            DecodeError: the bytes are malformed.
        """
    def encode_all(self, texts: ArrowArray, /) -> Array:
        """Encode a column of texts; nulls stay null.

        Args:
            texts: An Arrow array of type string, or binary (WTF-8) if lossless.

        Returns:
            A binary array.

        Raises:
            TypeError: the array has another type.
        """
    def decode_all(self, texts: ArrowArray, /) -> Array:
        """Decode a binary column of texts; nulls stay null.

        Args:
            texts: An Arrow array of type binary.

        Returns:
            A string array, or a binary array of WTF-8 if lossless.

        Raises:
            DecodeError: a text is malformed.
            TypeError: the array has another type.
        """

@final
class StringFormat(Generic[_Text]):
    """Format of a text with a length prefix.

    Args:
        encoding: `modified-utf-8`, `cesu-8` or `utf-8`.
        length: The prefix: bytes as `uint16` or `int32` or Hadoop's `vint`, or `utf16-units`, an
            int32 that counts UTF-16 units.
        byte_order: The byte order of an int32, `big` (the default) or `little`.
        nullable: Whether the format has a null; False by default, and required for `uint16`.
        lossless: Whether lone surrogates are kept; False (the default) refuses them. If true,
            columns are binary arrays of WTF-8 instead of string arrays.
        limit: Maximum of the length, `MESSAGE_LIMIT` by default.

    Raises:
        ValueError: an argument is unknown, or a `uint16` is little-endian or nullable.
    """

    @overload
    def __new__(
        cls,
        encoding: _Encoding,
        length: _Length,
        /,
        *,
        byte_order: _ByteOrder = "big",
        nullable: Literal[False] = False,
        lossless: bool = False,
        limit: int = ...,
    ) -> StringFormat[str]: ...
    @overload
    def __new__(
        cls,
        encoding: _Encoding,
        length: _Length,
        /,
        *,
        byte_order: _ByteOrder = "big",
        nullable: Literal[True],
        lossless: bool = False,
        limit: int = ...,
    ) -> StringFormat[str | None]: ...
    def __class_getitem__(cls, key: object) -> GenericAlias: ...
    @property
    def encoding(self) -> str:
        """Name of the encoding."""
    @property
    def length(self) -> str:
        """Name of the length prefix."""
    @property
    def byte_order(self) -> str:
        """Byte order of the length, `big` or `little`."""
    @property
    def nullable(self) -> bool:
        """Whether the format has a null."""
    @property
    def lossless(self) -> bool:
        """Whether lone surrogates are kept."""
    @property
    def limit(self) -> int:
        """Maximum of the length."""
    def encode(self, text: _Text, /) -> bytes:
        """Encode one text.

        Args:
            text: The text; None encodes a null.

        Returns:
            The bytes of the text and its length.

        Raises:
            ValueError: the text is too long, has a lone surrogate and the format is not lossless,
                or is None and the format has no null.
        """
    def decode(self, data: Buffer, offset: int = 0, /) -> tuple[_Text, int]:
        """Decode one value.

        Args:
            data: The bytes that contain the value.
            offset: Where the value begins, 0 by default.

        Returns:
            The value, and the offset of its end.

        Raises:
            DecodeError: the value is incomplete or malformed.
            ValueError: the offset is beyond the data.
        """
    def encode_all(self, texts: ArrowArray, /) -> bytes:
        """Encode a column of texts, one after the other.

        Args:
            texts: An Arrow array of type string, or binary (WTF-8) if lossless.

        Returns:
            The bytes of all texts.

        Raises:
            ValueError: a text is too long, or is null and the format has no null.
            TypeError: the array has another type.
        """
    def decode_all(self, data: Buffer, /) -> Array:
        """Decode bytes that consist of complete texts.

        Args:
            data: The bytes, read in place if no other thread can write to them.

        Returns:
            A string array, or a binary array of WTF-8 if lossless.

        Raises:
            DecodeError: a text is malformed, or the last one is incomplete.
        """
    def decoder(self) -> Decoder:
        """Return a new incremental decoder of this format."""

JAVA_UTF: Final[StringFormat[str]]
"""Format of `java.io.DataOutput.writeUTF`."""
HADOOP_UTF8: Final[StringFormat[str]]
"""Format of `org.apache.hadoop.io.UTF8`."""
HADOOP_TEXT: Final[StringFormat[str]]
"""Format of `org.apache.hadoop.io.Text`."""
HAZELCAST_STRING: Final[StringFormat[str]]
"""Format of a string parameter of a Hazelcast message."""
HAZELCAST_DATA_STRING: Final[StringFormat[str | None]]
"""Format of a string in Hazelcast's `Data`."""

_SaslState: TypeAlias = Literal["SUCCESS", "NEGOTIATE", "INITIATE", "CHALLENGE", "RESPONSE", "WRAP"]
_SaslAuth: TypeAlias = tuple[str, str, str | None, str | None, bytes | None]
_Sasl: TypeAlias = tuple[_SaslState, bytes | None, list[_SaslAuth]]

@final
class HadoopCaller:
    """Encoder of the bytes that one client writes to a protocol of Hadoop RPC."""

    def __new__(
        cls,
        *,
        client_id: bytes,
        protocol: str,
        version: int | None = None,
        engine: Literal["writable", "protobuf"] = "protobuf",
        beta: bool = False,
        context: str | None = None,
        limit: int = ...,
    ) -> HadoopCaller: ...
    def encode_message(
        self,
        method: str,
        call_id: int,
        message: bytes,
        /,
        *,
        retry: int = 0,
        state_id: int | None = None,
    ) -> bytes:
        """Encode a call of the Protobuf engine; `message` is the encoded argument."""
    def encode_invocation(
        self, call_id: int, invocation: bytes, /, *, retry: int = 0, state_id: int | None = None
    ) -> bytes:
        """Encode a call of the Writable engine; `invocation` is the encoded invocation."""
    @staticmethod
    def encode_connection_header(*, sasl: bool, service_class: int = 0) -> bytes:
        """Encode the first bytes of a connection."""
    def encode_context(self, user: str | None, real_user: str | None = None, /) -> bytes:
        """Encode the connection context, which precedes all calls."""
    def encode_ping(self) -> bytes:
        """Encode a ping, which has no reply."""
    def encode_calls(
        self,
        method: str,
        first_id: int,
        count: int,
        columns: dict[str, Sequence[Any]],
        /,
        *,
        retry: int = 0,
        state_id: int | None = None,
    ) -> bytes:
        """Encode `count` calls, one frame per call.

        `columns` maps each field of the request to a sequence of `count` values.
        """

@final
class HadoopResponse:
    """Response of a server."""

    @property
    def kind(self) -> Literal["success", "error", "fatal", "sasl", "old version", "http"]:
        """Kind of the response: `success`, `error`, `fatal`, `sasl`, `old version` or `http`."""
    @property
    def call_id(self) -> int:
        """Id of the call, in a success or an error."""
    @property
    def payload(self) -> bytes:
        """Payload of a success."""
    @property
    def failure(self) -> tuple[str, str, str | None]:
        """Failure of a reply other than a success: class, message and error code."""
    @property
    def words(self) -> list[str]:
        """Status line as one element, in a response of an HTTP server."""
    @property
    def sasl(self) -> _Sasl | None:
        """SASL message, in a response of this kind: state, token and authentication methods."""

@final
class HadoopReplyDecoder:
    """Decoder of the bytes that a server writes to one client."""

    def __new__(
        cls,
        *,
        client_id: bytes,
        limit: int = ...,
        engine: Literal["writable", "protobuf"] = "protobuf",
    ) -> HadoopReplyDecoder: ...
    def feed(self, data: bytes, /) -> None:
        """Append the next bytes of the stream."""
    def next_response(self) -> HadoopResponse | None:
        """Take the next complete response, or None if more must be fed."""
    def peek_call_id(self) -> int | None:
        """Return the id of the call that the next complete response answers, without taking it."""
    def next_replies(self, first_id: int, table: HadoopReplyTable, /) -> int:
        """Take consecutive replies to the calls from `first_id` on, and return their number."""
    @property
    def state_id(self) -> int | None:
        """Last state id of the server in a reply."""
    @property
    def version(self) -> int | None:
        """Version of Hadoop RPC that the server supports, if the last response has it."""
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their frame."""

@final
class HadoopReplyTable:
    """Replies to a batch of calls, in the order of the calls."""

    def __new__(cls, count: int, /) -> HadoopReplyTable: ...
    def __len__(self) -> int: ...
    @property
    def missing(self) -> int:
        """Number of calls without a reply."""
    def payload(self, index: int, /) -> bytes:
        """Return the message in the reply to the call at `index`."""
    def failures(self) -> list[tuple[int, tuple[str, str, str | None]]]:
        """List the failed calls: index and failure."""
    def records(
        self, message: str, path: str, keys: Sequence[str], record: HadoopRecord[_Made], /
    ) -> list[_Made | None]:
        """Make an object per call, from the message at `path` of its reply and the call's key.

        Returns a list in the order of the calls, with None for a call that failed or whose reply
        has no such message.
        """
    def columns(
        self,
        message: str,
        keys: tuple[str, Sequence[str]],
        columns: Sequence[tuple[str, str, str]],
        /,
    ) -> RecordBatch:
        """Build a table of one row per call.

        The columns are the named `keys`, the fields of the reply, and the class and
        message of a failure.
        """

@final
class HadoopList:
    """List of messages in a field of messages of one type."""

    def __new__(cls, message: str, path: str, /) -> HadoopList: ...
    def measure(
        self, payload: bytes, /, name: str | None = None
    ) -> tuple[int, bytes | None, bytes | None]:
        """Measure the list in `payload`.

        Returns the number of messages, the last one, encoded, and the first value of the field
        `name` that is empty or cannot be a name in a directory.
        """
    def records(
        self,
        payloads: Sequence[tuple[str, bytes]],
        record: HadoopRecord[_Made],
        /,
        of: tuple[str, str] | None = None,
    ) -> list[_Made]:
        """Make an object of each message of the lists.

        `payloads` has pairs of the path that a payload is about and the payload. `of` selects the
        messages in which a field (its first element) has the value of an enumeration (its second
        element).
        """
    def part(
        self, parent: str, payload: bytes, record: HadoopRecord[_Made], /, start: int, most: int
    ) -> tuple[list[_Made], int | None]:
        """Make objects of at most `most` messages of one list, from the byte offset `start` on.

        Returns the objects, and the offset at which to continue if messages remain.
        """
    def columns(
        self, payloads: Sequence[tuple[str, bytes]], columns: Sequence[tuple[str, str, str]], /
    ) -> RecordBatch:
        """Build a table of one row per message of the lists.

        `payloads` has pairs of the path that a payload is about and the payload.
        """

@final
class HadoopRecord(Generic[_Made]):
    """Mapping of messages to instances of a Python class."""

    def __new__(
        cls,
        class_: type[_Made],
        message: str,
        fields: Sequence[tuple[str, str, str | Callable[[Any], Any]]],
        defaults: dict[str, Any],
        /,
    ) -> HadoopRecord[_Made]:
        """Create the mapping from a slot, a field path and a conversion per field.

        The conversions are `text` or `child` for bytes, `signed` for an unsigned number that is
        signed in Java, `mode` for a permission, a callable that receives the value, or empty. If
        consecutive entries have the same slot, the second has the path and the callable for
        messages in which the first has no value.
        """
    def __class_getitem__(cls, key: object) -> GenericAlias: ...
    def decode(self, parent: str, data: bytes, /) -> _Made:
        """Decode one message into an object.

        `parent` is the path of the file, or of the directory that contains it.
        """

@final
class HadoopMethod:
    """Method of a protocol, with the names of its request and response messages."""

    @property
    def name(self) -> str:
        """Name of the method."""
    @property
    def request(self) -> str:
        """Name of the request message."""
    @property
    def response(self) -> str:
        """Name of the response message."""
    @property
    def idempotent(self) -> bool:
        """Whether the server may execute the call twice with the same result as once."""
    @property
    def at_most_once(self) -> bool:
        """Whether the server recognises a retried call and answers it from its retry cache."""

def hadoop_messages() -> dict[str, list[tuple[int, str, str, bool, bool]]]:
    """List the messages of the generated tables.

    Per message and field: its number, its name, its kind (`bytes`, `text` or the name of a
    message), whether it is repeated, and whether it is a secret.
    """

def hadoop_protocols() -> list[str]:
    """List the protocols of the generated tables."""

def hadoop_methods(protocol: str, /) -> list[HadoopMethod]:
    """List the methods of a protocol, sorted by name."""

def decode_message(name: str, data: bytes, /) -> dict[str, Any]:
    """Decode a message, which must have all required fields, into a dict of its fields."""

def encode_message(name: str, fields: dict[str, Any], /) -> bytes:
    """Encode a message from a dict of its fields."""

def encode_sasl(
    side: Literal["client", "server"],
    state: _SaslState,
    token: bytes | None = None,
    auths: Sequence[_SaslAuth] = ...,
    /,
) -> bytes:
    """Encode a SASL message in its frame, as the client or the server writes it."""

def pick_field(name: str, data: bytes, path: str, /) -> Any:
    """Read the value at a path of field names in a message; other fields are not validated."""

@final
class HazelcastDataCodec:
    """Codec of values in Hazelcast's `Data`.

    Types that it does not know are read and written by Python callables.
    """

    def __new__(
        cls,
        *,
        byte_order: str,
        default_int_type: str,
        opaque: type,
        kinds: dict[int, type],
        readers: dict[int, Callable[[HazelcastDataInput], Any]],
        find_reader: Callable[[int], Callable[[HazelcastDataInput], Any] | None],
        writers: dict[
            type, tuple[int, Callable[[HazelcastDataOutput, Any], None]] | Callable[[Any], Any]
        ],
        find_writer: Callable[
            [Any], tuple[int, Callable[[HazelcastDataOutput, Any], None]] | Callable[[Any], Any]
        ],
    ) -> HazelcastDataCodec: ...
    def to_data(self, value: object, /, *, partition_hash: int = 0) -> bytes:
        """Encode a value as a `Data`."""
    def to_data_all(self, values: Iterable[object], /) -> list[bytes]:
        """Encode values, one `Data` per value."""
    def to_object(self, data: Buffer | None, /) -> Any:
        """Decode a `Data` to a value; None is a null."""
    def read_column(self, datas: list[bytes | None] | list[bytes] | ArrowArray, /) -> Array:
        """Decode values of one type into an Arrow array."""
    def take_values(self, columns: HazelcastEntryColumns, /) -> list[Any]:
        """Take the gathered values as objects and empty `columns`."""
    def take_entries(self, columns: HazelcastEntryColumns, /) -> list[tuple[Any, Any]]:
        """Take the gathered keys and values as pairs of objects and empty `columns`."""
    def read_columns(self, columns: HazelcastEntryColumns, /) -> tuple[Array, Array]:
        """Take the gathered keys and values as two Arrow arrays and empty `columns`."""
    def write_column(self, values: ArrowArray, /) -> Array:
        """Encode each value of an Arrow array as a `Data`; nulls stay null."""
    def to_object_all(self, datas: Iterable[Buffer | None], /) -> list[Any]:
        """Decode each `Data` to a value."""

@final
class HazelcastDataInput:
    """Reader of a value in Python code, as `ObjectDataInput`."""

    position: int
    @property
    def size(self) -> int:
        """Number of bytes of the `Data`, including its header."""
    def read_boolean(self) -> bool:
        """Read a boolean."""
    def read_byte(self) -> int:
        """Read a signed byte."""
    def read_short(self) -> int:
        """Read a signed 16-bit integer."""
    def read_char_code(self) -> int:
        """Read a UTF-16 code unit."""
    def read_int(self) -> int:
        """Read a signed 32-bit integer."""
    def read_long(self) -> int:
        """Read a signed 64-bit integer."""
    def read_float(self) -> float:
        """Read a 32-bit floating-point number."""
    def read_double(self) -> float:
        """Read a 64-bit floating-point number."""
    def read_utf(self) -> str | None:
        """Read a string; None for a null."""
    def read_byte_array(self) -> bytes | None:
        """Read bytes after their number; None for a null."""
    def read_utf_array(self) -> list[str | None] | None:
        """Read a list of strings after their number; None for a null."""
    def read_count(self, width: int, /) -> int | None:
        """Read a number of elements, of which each takes `width` bytes; None for a null."""
    def read_bytes(self, count: int, /) -> bytes:
        """Read `count` bytes."""
    def read_object(self) -> Any:
        """Read a value with its type id."""
    def read_list(self) -> list[Any] | None:
        """Read a list of values with their type ids; None for a null."""
    def enter(self) -> None:
        """Enter a nested value without a type id and check the depth."""
    def leave(self) -> None:
        """Leave a nested value that was entered with `enter`."""

@final
class HazelcastDataOutput:
    """Writer of a value in Python code, as `ObjectDataOutput`."""

    @property
    def position(self) -> int:
        """Number of bytes from the start of the data."""
    def write_boolean(self, value: bool, /) -> None:
        """Write a boolean."""
    def write_byte(self, value: int, /) -> None:
        """Write a signed byte."""
    def write_short(self, value: int, /) -> None:
        """Write a signed 16-bit integer."""
    def write_char_code(self, value: int, /) -> None:
        """Write a UTF-16 code unit."""
    def write_int(self, value: int, /) -> None:
        """Write a signed 32-bit integer."""
    def write_long(self, value: int, /) -> None:
        """Write a signed 64-bit integer."""
    def write_float(self, value: float, /) -> None:
        """Write a 32-bit floating-point number."""
    def write_double(self, value: float, /) -> None:
        """Write a 64-bit floating-point number."""
    def write_big_integer(self, value: int, /) -> None:
        """Write an integer as a `java.math.BigInteger`: the shortest two's complement."""
    def write_utf(self, value: str | None, /) -> None:
        """Write a string; None writes a null."""
    def write_byte_array(self, value: Buffer | None, /) -> None:
        """Write bytes after their number; None writes a null."""
    def write_utf_array(self, values: Sequence[str | None] | None, /) -> None:
        """Write a list of strings after their number; None writes a null."""
    def write_count(self, count: int | None, /) -> None:
        """Write the number of elements that follow; None writes a null."""
    def write_bytes(self, value: Buffer, /) -> None:
        """Write bytes, without their number."""
    def write_object(self, value: object, /) -> None:
        """Write a value with its type id."""
    def write_list(self, values: list[Any], /) -> None:
        """Write a list of values with their type ids."""
    def enter(self) -> None:
        """Enter a nested value without a type id and check the depth."""
    def leave(self) -> None:
        """Leave a nested value that was entered with `enter`."""
    def put_int(self, position: int, value: int, /) -> None:
        """Overwrite an `int` that was written before, at a position."""
    def to_bytes(self) -> bytes:
        """Return the written bytes."""

def hazelcast_hash64(data: bytes, /) -> int: ...
def hazelcast_partition_hash(data: bytes, /) -> int: ...
def hazelcast_partition_ids(
    datas: list[bytes | None] | list[bytes] | ArrowArray, partition_count: int, /
) -> Array:
    """Return the partition of each `Data`."""

def hazelcast_partition_id(partition_hash: int, partition_count: int, /) -> int:
    """Return the partition that a hash selects."""

def hazelcast_partition_list(keys: list[bytes], count: int, /) -> list[int]:
    """Return the partition of each key, of `count` partitions."""

@final
class HazelcastMessage:
    """Message type of the protocol's table."""

    @staticmethod
    def named(name: str, /) -> HazelcastMessage:
        """Return the message type with this name, or raise `ValueError`."""
    @staticmethod
    def of_type(number: int, /) -> HazelcastMessage | None:
        """Return the message type with this number, or None."""
    @staticmethod
    def names() -> list[str]:
        """List the names of all messages."""
    @property
    def id(self) -> int:
        """Number of the message type."""
    @property
    def name(self) -> str:
        """Name of the message, such as `Map.put`."""
    @property
    def fields(self) -> list[str]:
        """Names of the fields, in order."""
    @property
    def secrets(self) -> list[str]:
        """Names of the secret fields, which may occur at any depth."""
    @property
    def required(self) -> int:
        """Number of fields in the first version of the message."""
    @property
    def retryable(self) -> bool:
        """Whether a repeated request has the same effect and response as one."""
    @property
    def response(self) -> int:
        """Type of the response; 0 for a message other than a request."""
    @property
    def partition(self) -> str:
        """Source of the partition: `none`, `any`, `given`, or the name of a field."""
    def encode(
        self,
        correlation_id: int,
        partition_id: int,
        fields: tuple[Any, ...],
        /,
        *,
        flags: int = 0,
        limit: int = ...,
    ) -> bytes:
        """Encode one message, in frames of at most `limit` bytes."""
    def encode_all(
        self,
        first_id: int,
        partition_ids: Sequence[int],
        rows: list[tuple[Any, ...]],
        /,
        *,
        limit: int = ...,
    ) -> bytes:
        """Encode a message per row, with consecutive correlation ids from `first_id` on."""
    def decode(self, fields: bytes, /) -> tuple[Any, ...]:
        """Decode the fields of a message without a frame."""

@final
class HazelcastDecoder:
    """Decoder of the bytes that one peer writes."""

    def __new__(cls, *, limit: int) -> HazelcastDecoder: ...
    def feed(self, data: bytes, /) -> None:
        """Append the next bytes of the stream."""
    def expect(self, first_id: int, replies: HazelcastReplies, /) -> None:
        """Store the responses to the requests from `first_id` on in `replies`."""
    def gather(self, call_id: int, columns: HazelcastEntryColumns, /) -> None:
        """Gather the list in the response to request `call_id` into `columns`.

        In the response that `next_messages` returns, the list is replaced by its length.
        """
    def next_messages(self) -> list[tuple[int, int, bool, Any]]:
        """Take all complete messages."""
    def forget(self, correlation_id: int, /) -> None:
        """Discard the response to a request, or the responses to the batch that begins with it.

        The responses are still counted.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that are not part of a complete message."""
    @property
    def spent(self) -> bool:
        """Whether no message is returned before more bytes are fed."""

@final
class HazelcastEntryColumns:
    """Values, or keys and values, of many responses, without an object for each."""

    def __new__(cls, kind: int, /) -> HazelcastEntryColumns: ...
    def __len__(self) -> int: ...
    def keys(self) -> list[bytes]:
        """Return the gathered keys, serialized."""

@final
class HazelcastPackedList:
    """Encoded list of `Data`, or of pairs of them, as a request contains it."""

    def __len__(self) -> int: ...
    def packed_anew(self, count: int, /) -> dict[int, HazelcastPackedList]:
        """Group the elements by partition, for `count` partitions."""

def hazelcast_pack(
    keys: list[bytes | None] | list[bytes] | ArrowArray,
    values: list[bytes | None] | list[bytes] | ArrowArray | None,
    count: int,
    /,
) -> dict[int, HazelcastPackedList]:
    """Group keys, or pairs of a key and a value, by partition, as encoded lists for requests."""

@final
class HazelcastReplies:
    """Responses to a batch of requests, in the order of the requests."""

    def __new__(cls, count: int, kind: int, /) -> HazelcastReplies: ...
    def __len__(self) -> int: ...
    @property
    def missing(self) -> int:
        """Number of missing responses."""
    def values(self) -> list[Any]:
        """Return the first field of each response; None for a response without fields."""
    def failures(self) -> list[tuple[int, int, tuple[Any, ...]]]:
        """List the responses of another type than expected: index, type and fields."""

PRAVEGA_EVENT_LIMIT: Final[int]
"""Maximum bytes of an event in an append: 8 MiB (`Serializer.MAX_EVENT_SIZE`)."""
PRAVEGA_LARGE_EVENT_LIMIT: Final[int]
"""Default limit of the bytes of a large event: 256 MiB (chosen by jvmwire)."""
PRAVEGA_FRAME_LIMIT: Final[int]
"""Maximum bytes of a frame with its header: 16 MiB - 1 (`WireCommands.MAX_WIRECOMMAND_SIZE`)."""

@final
class PravegaDialect:
    """Commands of one of Pravega's two protocols."""

    @staticmethod
    def today() -> PravegaDialect:
        """Return the protocol of the current segment store."""
    @staticmethod
    def early(types: dict[str, int] | None = None, /) -> PravegaDialect:
        """Return the first proposal of the protocol, with other type numbers if given, by name."""
    def commands(self) -> list[tuple[int, str, str, list[Any]]]:
        """List the commands: type, name, sender and fields.

        Per field: name, kind and whether it is optional.
        """
    def encode(self, name: str, fields: dict[str, Any], /) -> bytes:
        """Encode a command."""
    def decoder(self, *, limit: int = ...) -> PravegaDecoder:
        """Return a new incremental decoder of this dialect."""

@final
class PravegaDataAppended:
    """Acknowledgement that a writer's events are stored, up to an event number."""

    def __new__(
        cls, writer: int, event_number: int, write_offset: int, /
    ) -> PravegaDataAppended: ...
    def __eq__(self, other: object, /) -> bool: ...
    @property
    def writer(self) -> int:
        """The writer's UUID as an `int`, which can be hashed without a Python call."""
    @property
    def event_number(self) -> int:
        """Number of the last event that is stored."""
    @property
    def write_offset(self) -> int:
        """Offset of the segment's end after these events; -1 if an old store does not send it."""

@final
class PravegaDecoder:
    """Incremental decoder of a stream of commands."""

    def feed(self, data: Buffer, /) -> None:
        """Append the next bytes of the stream."""
    def next_command(self) -> tuple[int, str | None, dict[str, Any]] | None:
        """Take the next command: type, name and fields.

        An unknown type has no name, and its bytes instead of fields. The data of a segment is a
        view. Returns None if more bytes must be fed.
        """
    def next_reply(
        self,
    ) -> tuple[int, str | None, dict[str, Any]] | PravegaDataAppended | None:
        """Take the next command of the current segment store's protocol.

        An acknowledgement of appends is an object instead of a dict.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their command."""

@final
class PravegaEvents:
    """Queue of a writer's events, from their addition until they are stored."""

    def __new__(cls, limit: int, enough: int, /, *, bare: bool = False) -> PravegaEvents: ...
    def __len__(self) -> int: ...
    @property
    def size(self) -> int:
        """Number of bytes that the events take in a segment."""
    @property
    def unsent(self) -> int:
        """Number of events that are not sent."""
    def is_due(self, most: int, /) -> bool:
        """Whether events must be sent now.

        True if nothing is in flight, or if the events fill a block and less than `most`
        bytes are in flight.
        """
    def push(self, event: Buffer, /) -> int:
        """Add an event and return 1."""
    def push_all(self, events: list[bytes] | ArrowArray, /) -> int:
        """Add all events of a list of byte strings or of a binary Arrow array, or none of them.

        Returns their number.
        """
    def next_blocks(
        self, writer_id: UUID, last_event_number: int, request_id: int, /
    ) -> tuple[bytes | memoryview, int]:
        """Take the next unsent events, as blocks of at most `limit` bytes.

        Takes one block, and further full ones until there are `enough` bytes.

        Returns the encoded blocks and the number of their events.
        """
    def acknowledge(self, count: int, /) -> int:
        """Mark the first `count` events as stored, if that many are sent.

        Returns the number that are not.
        """
    def release(self, count: int, /) -> None:
        """Remove the first `count` events as stored, whether they were sent or not."""
    def rewind(self) -> None:
        """Mark all events that are not stored as unsent."""
    def to_list(self) -> list[bytes]:
        """Return the events that are not stored, in order."""

def pravega_positions(keys: list[str], /) -> list[float]:
    """Return the position of each routing key among the key ranges of a stream's segments."""

def pravega_split(
    events: list[bytes], positions: list[float], ends: list[float], /
) -> list[tuple[int, list[bytes], list[float]]]:
    """Split events by the range that contains their position, in order.

    `ends` has the ends of the ranges.
    """

def pravega_table_position(primary_key: bytes, /) -> float:
    """Return the position of a primary key among the partitions of a key-value table."""

@final
class PravegaEventSplitter:
    """Splitter of a segment's data into events."""

    def __new__(cls, offset: int = 0, /, *, limit: int = ...) -> PravegaEventSplitter: ...
    @property
    def offset(self) -> int:
        """Offset in the segment at which the next event begins."""
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their event."""
    def feed(self, data: Buffer, /) -> tuple[Array, Array]:
        """Take the events that are complete with these bytes.

        Returns the events as a binary array, and the offset in the segment at which each begins.
        """
    def feed_list(self, data: Buffer, /) -> list[bytes]:
        """Take the events that are complete with these bytes, as a list."""
    def check(self) -> None:
        """Raise the error in the bytes after the events that were returned last, if any."""

@final
class PravegaBlockEncoder:
    """Encoder of appends as blocks, as in Java's client."""

    def __new__(cls, block_size: int, /) -> PravegaBlockEncoder: ...
    def append(
        self, writer_id: UUID, request_id: int, event_number: int, event: Buffer, /
    ) -> bytes:
        """Add an event and return the bytes to write, which may be empty."""
    def finish(self) -> bytes:
        """End the block that is open, before another command or after an idle period.

        Returns the bytes to write.
        """

@final
class PravegaAppendAssembler:
    """Assembler of the parts of an append."""

    def __new__(cls) -> PravegaAppendAssembler: ...
    @property
    def is_open(self) -> bool:
        """Whether an `AppendBlock` waits for its end."""
    def begin(self, writer_id: UUID, data: bytes, /) -> None:
        """Add the data of an `AppendBlock`."""
    def end(
        self, writer_id: UUID, size_of_whole_events: int, data: bytes, num_events: int, /
    ) -> bytes:
        """Add an `AppendBlockEnd` and return the bytes that the append stores."""

@final
class JavaClass:
    """Java type, identified by the name that `Class.getName` returns."""

    def __new__(cls, name: str, /) -> JavaClass: ...
    @property
    def name(self) -> str:
        """Name of the type, as `Class.getName` returns it."""
    def encode(self, value: object, /) -> bytes:
        """Encode a value as an `ObjectWritable`, as replies contain it."""

@final
class HadoopDataInput:
    """Reader of the fields of a user's `Writable`, as `java.io.DataInput`.

    Every read is checked.
    """

    def read_boolean(self) -> bool:
        """Read a boolean."""
    def read_byte(self) -> int:
        """Read a signed byte."""
    def read_char(self) -> str:
        """Read a UTF-16 code unit, big-endian, as a text of one character."""
    def read_short(self) -> int:
        """Read a signed 16-bit integer, big-endian."""
    def read_int(self) -> int:
        """Read a signed 32-bit integer, big-endian."""
    def read_long(self) -> int:
        """Read a signed 64-bit integer, big-endian."""
    def read_float(self) -> float:
        """Read a 32-bit floating-point number, big-endian."""
    def read_double(self) -> float:
        """Read a 64-bit floating-point number, big-endian."""
    def read_vlong(self) -> int:
        """Read a `VInt` or `VLong`, as `WritableUtils.readVLong`."""
    def read_bytes(self, length: int, /) -> bytes:
        """Read `length` bytes."""
    def read_utf(self) -> str:
        """Read a text, as `java.io.DataInput.readUTF`."""
    def read_utf8(self) -> str:
        """Read a text, as `org.apache.hadoop.io.UTF8`."""
    def read_text(self) -> str:
        """Read a text, as `org.apache.hadoop.io.Text`."""
    def read_writable(self, java_class: str, /) -> Any:
        """Read the fields of a `Writable` of the given Java class."""

@final
class HadoopDataOutput:
    """Writer of the fields of a user's `Writable`, as `java.io.DataOutput`."""

    def __new__(cls) -> HadoopDataOutput: ...
    def getvalue(self) -> bytes:
        """Return the written bytes."""
    def write_boolean(self, value: bool, /) -> None:
        """Write a boolean."""
    def write_byte(self, value: int, /) -> None:
        """Write a signed byte."""
    def write_char(self, value: str, /) -> None:
        """Write a text of one UTF-16 code unit, big-endian."""
    def write_short(self, value: int, /) -> None:
        """Write a signed 16-bit integer, big-endian."""
    def write_int(self, value: int, /) -> None:
        """Write a signed 32-bit integer, big-endian."""
    def write_long(self, value: int, /) -> None:
        """Write a signed 64-bit integer, big-endian."""
    def write_float(self, value: float, /) -> None:
        """Write a 32-bit floating-point number, big-endian."""
    def write_double(self, value: float, /) -> None:
        """Write a 64-bit floating-point number, big-endian."""
    def write_vlong(self, value: int, /) -> None:
        """Write a `VInt` or `VLong`, as `WritableUtils.writeVLong`."""
    def write_bytes(self, data: bytes, /) -> None:
        """Write bytes, without a length."""
    def write_utf(self, text: str, /) -> None:
        """Write a text, as `java.io.DataOutput.writeUTF`."""
    def write_utf8(self, text: str, /) -> None:
        """Write a text, as `org.apache.hadoop.io.UTF8`."""
    def write_text(self, text: str, /) -> None:
        """Write a text, as `org.apache.hadoop.io.Text`."""
    def write_writable(self, value: object, /) -> None:
        """Write the fields of a `Writable`, without its class."""

@final
class HadoopRequestDecoder:
    """Decoder of the bytes that one client writes to a server."""

    def __new__(
        cls, *, limit: int = ..., beta: bool = False, within: bool = False
    ) -> HadoopRequestDecoder:
        """Create the decoder.

        If `within` is true, the bytes are frames inside other frames (SASL `WRAP`), without a
        connection header.
        """
    def feed(self, data: bytes, /) -> None:
        """Append the next bytes of the stream."""
    def next_request(self) -> HadoopRequest | None:
        """Take the next complete request, or None if more must be fed."""
    def next_calls(self, classes: dict[str, Any], most: int, /) -> HadoopCalls | None:
        """Take the next calls that differ only in their ids and arguments, at most `most`.

        `classes` maps names of Java classes to Python classes. Returns None if no call is next.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the rest of their frame."""

@final
class HadoopRequest:
    """Message of a client."""

    @property
    def opening(self) -> bytes | None:
        """First bytes of a connection; all other fields are empty then."""
    @property
    def error(self) -> str | None:
        """Reason why the header is unreadable."""
    @property
    def rpc_kind(self) -> int | None:
        """Serialisation engine (`RpcKindProto`): 1 is Writable, 2 is Protobuf."""
    @property
    def rpc_op(self) -> int | None:
        """Operation (`OperationProto`): servers accept 0 only."""
    @property
    def call_id(self) -> int:
        """Id of the call; a negative id is that of another message."""
    @property
    def client_id(self) -> bytes | None:
        """Id of the client, the same on all its connections."""
    @property
    def retry_count(self) -> int:
        """Number of earlier attempts of the call."""
    @property
    def body(self) -> bytes:
        """Bytes after the header."""
    def decode_sasl(self) -> _Sasl:
        """Decode a SASL message: state, token and authentication methods."""
    def decode_context(self) -> list[str | None]:
        """Decode the connection context: the user, the real user and the protocol."""

@final
class HadoopCalls:
    """Consecutive calls that differ only in their ids and arguments."""

    def __len__(self) -> int: ...
    @property
    def bytes_per_call(self) -> int:
        """Number of bytes of the frames per call, rounded up."""
    @property
    def arguments(self) -> list[list[Any]]:
        """Arguments per call; in the Protobuf engine one encoded message."""
    @property
    def error(self) -> str | None:
        """Reason why the arguments are unreadable; the batch has one call in this case."""
    @property
    def rpc_kind(self) -> int:
        """Serialisation engine (`RpcKindProto`): 1 is Writable, 2 is Protobuf."""
    @property
    def client_id(self) -> bytes:
        """Id of the client, the same on all its connections."""
    @property
    def retry_count(self) -> int:
        """Number of earlier attempts of the call."""
    @property
    def caller_context(self) -> str | None:
        """Caller context for audit logs."""
    @property
    def protocol(self) -> str:
        """Name of the protocol."""
    @property
    def method(self) -> str:
        """Name of the method."""
    @property
    def engine_version(self) -> int:
        """Version of the Writable engine."""
    @property
    def version(self) -> int:
        """Version of the protocol."""
    @property
    def classes(self) -> tuple[str, ...]:
        """Classes of the parameters; empty in the Protobuf engine."""
    @property
    def key(self) -> tuple[str, ...]:
        """Method and classes."""
    def call_id(self, index: int, /) -> int:
        """Return the id of the call at `index`."""
    def answer_objects(
        self, java_class: JavaClass, values: list[Any], at: int, first: int, /
    ) -> tuple[bytes, int]:
        """Encode replies of the Writable engine to consecutive calls.

        The first call is at index `first`, its value at index `at`.

        Returns the bytes and the number of replies, up to the first value that is an exception or
        cannot be encoded. If that is the first value, its error is raised.
        """
    def answer_messages(self, messages: list[bytes], at: int, first: int, /) -> tuple[bytes, int]:
        """Encode replies of the Protobuf engine, as `answer_objects` does.

        The values are encoded messages.
        """
    def refuse(self, index: int, java_class: str, message: str, code: int, /) -> bytes:
        """Encode an error reply to one call; the connection stays open."""

def decode_object(data: bytes, classes: dict[str, Any], /) -> tuple[str, Any]:
    """Decode an `ObjectWritable` that takes all of `data`.

    `classes` maps names of Java classes to Python classes. Returns the value's Java class and the
    value.
    """

def encode_invocation(
    protocol: str,
    method: str,
    version: int,
    methods_hash: int,
    types: Sequence[JavaClass],
    parameters: Sequence[object],
    /,
) -> bytes:
    """Encode a `WritableRpcEngine.Invocation` from parameters and their types."""

def encode_old_version(version: int, java_class: str, message: str, /) -> bytes:
    """Encode the error reply for clients of the versions 2 to 8; empty for older ones."""

def encode_refusal(
    call_id: int,
    retry_count: int,
    java_class: str,
    message: str,
    code: int,
    /,
    *,
    fatal: bool = True,
) -> bytes:
    """Encode an error reply to a request other than a regular call.

    By default it ends the connection.
    """

@final
class HamaOpWriter:
    """Writer of a child's operations, buffered for one write."""

    def __new__(cls, *, early: bool = False, escaping: bool = False) -> HamaOpWriter: ...
    def add(self, op: str, /, *arguments: str) -> None:
        """Add an operation with its arguments."""
    def add_pairs(self, op: str, pairs: Sequence[tuple[str, str]], /) -> None:
        """Add an operation once per pair of arguments."""
    def repeat(self, op: str, count: int, /) -> None:
        """Add an operation without arguments, `count` times."""
    def extend(self, operations: bytes, /) -> None:
        """Add operations that another writer has encoded."""
    def log(self, text: str, /) -> None:
        """Add a LOG for each line of a text."""
    def acknowledge(self, op: str, /) -> None:
        """Add the acknowledgement that a step has ended."""
    def take(self) -> bytes:
        """Take the buffered bytes."""
    def __len__(self) -> int: ...

@final
class HamaReplyReader:
    """Reader of a task's output, as lines and single bytes."""

    def __new__(
        cls, *, padded: bool = True, escaping: bool = False, limit: int = ...
    ) -> HamaReplyReader: ...
    def feed(self, data: bytes, /) -> None:
        """Append the next bytes of the stream."""
    def take_lines(self, count: int, /) -> list[str] | None:
        """Take the next `count` lines, or None if they are incomplete."""
    def take_values(self, count: int, /) -> list[str] | None:
        """Take the next `count` lines and decode their escapes, or None if they are incomplete."""
    def take_counted(self) -> list[str] | None:
        """Take a line with a count and that number of lines, or None if they are incomplete."""
    def take_byte(self) -> int | None:
        """Take the next byte, or None if there is none."""
    @property
    def buffered(self) -> int:
        """Number of bytes that are not taken."""

@final
class HamaOpReader:
    """Reader of a child's output, one operation with its lines at a time."""

    def __new__(cls, *, early: bool = False, limit: int = ...) -> HamaOpReader: ...
    def feed(self, data: bytes, /) -> None:
        """Append the next bytes of the stream."""
    def finish(self) -> None:
        """End the stream: the remaining bytes are the last line."""
    def next_op(self) -> tuple[str, ...] | None:
        """Take the next complete operation: its name and its arguments."""
    @property
    def buffered(self) -> int:
        """Number of bytes that are not taken."""

@final
class StormBoltWriter:
    """Writer of a bolt's commands, buffered for one write.

    It also keeps the ids of the tuples that are not acked or failed yet.
    """

    def __new__(cls) -> StormBoltWriter: ...
    def open(self, streams: Mapping[str, int] | None, /) -> None:
        """Accept emits from now on, to these streams with their numbers of fields."""
    def expect(self, ids: list[str], /) -> None:
        """Record tuples as received, to be acked or failed."""
    def is_pending(self, id: str, /) -> bool:  # noqa: A002  # Storm's word
        """Return whether a tuple is neither acked nor failed."""
    def end(self, id: str, /) -> bool:  # noqa: A002  # Storm's word
        """Record a tuple as acked or failed, and return whether it was pending."""
    def emit(
        self, values: Sequence[Any], stream: str | None, anchors: Sequence[str], /
    ) -> int | None:
        """Add an emit, and return the number of buffered bytes.

        Returns None, and adds nothing, if a value or the emit is unusual or invalid.
        """
    def ack(self, ids: list[str], /) -> int:
        """Ack the pending ones of these tuples, and return their number."""
    def extend(self, messages: bytes, /) -> None:
        """Add complete, encoded messages."""
    def take(self) -> bytearray:
        """Take the buffered bytes."""
    def __len__(self) -> int: ...

@final
class StormDecoder:
    """Decoder of the messages in Storm's stream."""

    def __new__(cls, *, limit: int = ...) -> StormDecoder: ...
    def feed(self, data: bytes, /) -> None:
        """Append the next bytes of the stream."""
    def next_batch(self) -> int:
        """Take all complete messages as the current batch, and return their number."""
    def batch(self) -> list[bytes]:
        """Return the messages of the batch, one by one."""
    def array(self) -> tuple[bytes, bool]:
        """Return the batch as one JSON array, and whether an integer may exceed 64 bits."""
    def tuples(
        self, loads: Callable[[bytes], Any], /
    ) -> tuple[list[Tuple], list[str], list[str]] | None:
        """Return the batch as tuples, whose values `loads` parses.

        Their ids; and the names of their streams.

        Returns None unless every message is a tuple that all JSON parsers read alike.
        """
    @property
    def buffered(self) -> int:
        """Number of bytes that wait for the end of their message."""

@final
class Tuple:
    """One tuple of a bolt, as Storm delivered it.

    Args:
        id: The id by which the tuple is acked or failed.
        component: The component that emitted the tuple; Storm may give none.
        stream: The stream of the tuple.
        task: The task of the component; -1 for tuples of Storm itself.
        values: The values, as JSON has them.
    """

    __match_args__: Final = ("id", "component", "stream", "task", "values")

    def __new__(
        cls,
        id: str,  # noqa: A002  # Storm's word
        component: str | None,
        stream: str,
        task: int,
        values: list[Any],
    ) -> Tuple: ...
    @property
    def id(self) -> str:
        """Id by which the tuple is acked or failed."""
    @property
    def component(self) -> str | None:
        """Component that emitted the tuple; Storm may give none."""
    @property
    def stream(self) -> str:
        """Stream of the tuple."""
    @property
    def task(self) -> int:
        """Task of the component; -1 for tuples of Storm itself."""
    @property
    def values(self) -> list[Any]:
        """Values of the tuple, as JSON has them."""
    @property
    def is_tick(self) -> bool:
        """Whether the tuple is a tick of Storm's clock (`topology.tick.tuple.freq.secs`)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[Tuple], tuple[Any, ...]]: ...

def encode_storm_emit(
    values: Sequence[Any],
    stream: str | None,
    id: Any,  # noqa: A002  # Storm's word
    anchors: Sequence[str] | None,
    task: int | None,
    need_task_ids: bool,
    /,
) -> bytes | None:
    """Encode an emit; None if a value is of a type that is rare in JSON."""
