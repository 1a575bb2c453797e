"""The formats of bytes that the protocols are made of.

A format is a value: it encodes and decodes one value (`encode`, `decode`), a stream however it was
cut (`decoder`), or very many (`encode_all`, `decode_all`) from and to Arrow arrays. The latter
release the GIL where there is enough to do; they read `bytes` and views of them where they are,
and copy first what others may write to. Where payloads are only cut out, `view_all` gives Arrow's
binary views of them: nothing is copied, and the array holds the bytes.

What a peer got wrong is a `jvmwire.DecodeError` with the byte's offset; what the caller got wrong
is a ValueError or TypeError.
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
from jvmwire.codec.arrow import ArrowArray

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
