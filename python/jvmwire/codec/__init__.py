"""Encoders and decoders of the byte formats that the wire protocols are made of.

A format object encodes and decodes one value (`encode`, `decode`), a stream that arrives in chunks
of any size (`decoder`), or a column of values from and to Arrow arrays (`encode_all`,
`decode_all`). The column functions release the GIL if there is enough work; they read `bytes` and
read-only views in place, and copy buffers that other threads can write to. For formats that only
delimit payloads, `view_all` returns Arrow binary views of the input without copying; the array
keeps the input alive.

Malformed input raises `jvmwire.DecodeError` with the byte offset; wrong arguments raise ValueError
or TypeError.
"""

from __future__ import annotations

from jvmwire._core import (
    HADOOP_TEXT,
    HADOOP_UTF8,
    HAZELCAST_DATA_STRING,
    HAZELCAST_STRING,
    JAVA_UTF,
    LEVELS,
    MESSAGE_LIMIT,
    PROTOBUF_INT32,
    SIGNED32,
    SIGNED64,
    UNSIGNED32,
    UNSIGNED64,
    VINT,
    VLONG,
    ZIGZAG32,
    ZIGZAG64,
    Array,
    Decoder,
    Fixed,
    FrameDecoder,
    Framing,
    KeyedAssembler,
    StreamAssembler,
    StringFormat,
    Text,
    TypedFrameDecoder,
    TypedFraming,
    Varint,
    level,
)
from jvmwire.codec._arrow import ArrowArray

__all__ = [
    "HADOOP_TEXT",
    "HADOOP_UTF8",
    "HAZELCAST_DATA_STRING",
    "HAZELCAST_STRING",
    "JAVA_UTF",
    "LEVELS",
    "MESSAGE_LIMIT",
    "PROTOBUF_INT32",
    "SIGNED32",
    "SIGNED64",
    "UNSIGNED32",
    "UNSIGNED64",
    "VINT",
    "VLONG",
    "ZIGZAG32",
    "ZIGZAG64",
    "Array",
    "ArrowArray",
    "Decoder",
    "Fixed",
    "FrameDecoder",
    "Framing",
    "KeyedAssembler",
    "StreamAssembler",
    "StringFormat",
    "Text",
    "TypedFrameDecoder",
    "TypedFraming",
    "Varint",
    "level",
]
