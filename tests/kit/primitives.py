"""Table of the codec's primitives: each encodes and decodes one value, a stream, and many."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
from hypothesis import strategies as st

from jvmwire import DecodeError, codec


class Incremental(Protocol):
    """A decoder of a stream of values."""

    def feed(self, data: bytes, out: list[Any]) -> None:
        """Append the values that are complete by now."""

    def finish(self) -> None:
        """Raise if the stream ends within a value."""


@dataclass(frozen=True)
class Primitive:
    """A format, with Python's values on one side and bytes on the other."""

    name: str
    encode: Callable[[Any], bytes]
    # Returns the value at an offset, and where it ends; raises DecodeError if it is incomplete.
    decode: Callable[[bytes, int], tuple[Any, int]]
    encode_all: Callable[[Sequence[Any]], bytes]
    decode_all: Callable[[bytes], list[Any]]
    decoder: Callable[[], Incremental]
    values: st.SearchStrategy[Any]


def arrow(array: codec.Array) -> Any:
    """Return pyarrow's view of an array."""
    # Its stubs accept the interface only if a type is given too.
    return pa.array(array)  # type: ignore[call-overload]


def python(array: codec.Array) -> list[Any]:
    """Return the values of an array."""
    return list(arrow(array).to_pylist())


@dataclass
class _Values:
    decoder: codec.Decoder
    to_python: Callable[[codec.Array], list[Any]]

    def feed(self, data: bytes, out: list[Any]) -> None:
        out += self.to_python(self.decoder.feed(data))

    def finish(self) -> None:
        self.decoder.finish()


@dataclass
class _Frames:
    decoder: codec.FrameDecoder | codec.TypedFrameDecoder

    def feed(self, data: bytes, out: list[Any]) -> None:
        self.decoder.feed(data)
        while batch := _rows(self.decoder.next_batch()):
            out += batch

    def finish(self) -> None:
        # Complete frames only: the last line of a stream may lack its end.
        if self.decoder.buffered:
            raise _torn(None)


def _rows(batch: codec.Array | tuple[codec.Array, ...]) -> list[Any]:
    if isinstance(batch, tuple):
        return list(zip(*map(python, batch), strict=True))
    return python(batch)


def _torn(offset: int | None) -> DecodeError:
    return DecodeError("the frame is torn", "frame", offset)


def _varint(varint: codec.Varint, kind: pa.DataType) -> Primitive:
    bits, signed = kind.bit_width, pa.types.is_signed_integer(kind)
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    edges = [v for b in range(bits + 1) for e in (1 << b, -1 << b) for v in (e - 1, e, e + 1)]
    edges += [-112, -113, -120, -121, 127, 128]
    return Primitive(
        varint.name,
        varint.encode,
        varint.decode,
        lambda values: varint.encode_all(pa.array(values, kind)),
        lambda data: python(varint.decode_all(data)),
        lambda: _Values(varint.decoder(), python),
        st.integers(low, high) | st.sampled_from([v for v in edges if low <= v <= high]),
    )


def _fixed(name: str, fixed: codec.Fixed[Any], kind: pa.DataType, values: Any) -> Primitive:
    return Primitive(
        name,
        fixed.encode,
        fixed.decode,
        lambda values: fixed.encode_all(pa.array(values, kind)),
        lambda data: python(fixed.decode_all(data)),
        lambda: _Values(fixed.decoder(), python),
        values,
    )


def _frames(name: str, framing: codec.Framing, payloads: st.SearchStrategy[bytes]) -> Primitive:
    def decode(data: bytes, offset: int) -> tuple[bytes, int]:
        if (frame := framing.decode(data, offset)) is None:
            raise _torn(offset)
        return frame

    def decode_all(data: bytes) -> list[bytes]:
        payloads, consumed = framing.decode_all(data)
        starts, ends, scanned = framing.scan(data)
        places = zip(python(starts), python(ends), strict=True)
        found = python(payloads)
        assert found == [data[start:end] for start, end in places]
        assert consumed == scanned
        if consumed < len(data):
            raise _torn(consumed)
        return found

    return Primitive(
        name,
        framing.encode,
        decode,
        lambda payloads: framing.encode_all(pa.array(payloads, pa.binary())),
        decode_all,
        lambda: _Frames(framing.decoder()),
        payloads,
    )


def _typed_frames(name: str, framing: codec.TypedFraming) -> Primitive:
    def decode(data: bytes, offset: int) -> tuple[tuple[int, bytes], int]:
        if (frame := framing.decode(data, offset)) is None:
            raise _torn(offset)
        kind, payload, end = frame
        return (kind, payload), end

    def encode_all(frames: Sequence[tuple[int, bytes]]) -> bytes:
        kinds = pa.array([kind for kind, _ in frames], pa.int32())
        return framing.encode_all(kinds, pa.array([payload for _, payload in frames], pa.binary()))

    def decode_all(data: bytes) -> list[tuple[int, bytes]]:
        kinds, payloads, consumed = framing.decode_all(data)
        found = _rows((kinds, payloads))
        kinds, starts, ends, scanned = framing.scan(data)
        assert found == [
            (kind, data[start:end]) for kind, start, end in _rows((kinds, starts, ends))
        ]
        assert consumed == scanned
        if consumed < len(data):
            raise _torn(consumed)
        return found

    return Primitive(
        name,
        lambda frame: framing.encode(*frame),
        decode,
        encode_all,
        decode_all,
        lambda: _Frames(framing.decoder()),
        st.tuples(st.integers(-(1 << 31), (1 << 31) - 1), BYTES),
    )


def _strings(name: str, strings: codec.StringFormat[Any]) -> Primitive:
    texts = LOSSLESS_TEXTS if strings.lossless else TEXTS

    def given(values: Sequence[str | None]) -> Any:
        if not strings.lossless:
            return pa.array(values, pa.string())
        encoded = [v if v is None else v.encode("utf-8", "surrogatepass") for v in values]
        return pa.array(encoded, pa.binary())

    def to_python(array: codec.Array) -> list[str | None]:
        if not strings.lossless:
            return python(array)
        return [v if v is None else v.decode("utf-8", "surrogatepass") for v in python(array)]

    return Primitive(
        name,
        strings.encode,
        strings.decode,
        lambda values: strings.encode_all(given(values)),
        lambda data: to_python(strings.decode_all(data)),
        lambda: _Values(strings.decoder(), to_python),
        st.none() | texts if strings.nullable else texts,
    )


# Maximum size of a message in these tests: less than two bytes can express.
LIMIT = 1000

BYTES = st.binary(max_size=40) | st.integers(0, LIMIT).map(bytes)
TEXTS = (
    st.text("abc \0\u00e9\u20ac\ud7ff\U0001f600", max_size=60)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.sampled_from(["x" * 127, "x" * 128, "\u20ac" * 300, "\U0001f600" * 100])
)
# The two halves of a pair that stand apart in a `str` come back joined, as they do in Java.
LOSSLESS_TEXTS = st.text(
    st.characters() | st.sampled_from("\ud800\udbff\udc00\udfff"), max_size=40
).map(lambda text: text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass"))

_BYTE_ORDERS: list[Any] = ["big", "little"]
_INTEGERS: list[Any] = [f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")]


def _all() -> list[Primitive]:
    line = BYTES.map(lambda payload: payload.replace(b"\n", b"").replace(b"\r", b""))
    message = BYTES.map(lambda payload: payload.replace(b"\r", b"").replace(b"end", b""))
    found = [
        _varint(codec.UNSIGNED32, pa.uint32()),
        _varint(codec.UNSIGNED64, pa.uint64()),
        _varint(codec.SIGNED32, pa.int32()),
        _varint(codec.SIGNED64, pa.int64()),
        _varint(codec.PROTOBUF_INT32, pa.int32()),
        _varint(codec.ZIGZAG32, pa.int32()),
        _varint(codec.ZIGZAG64, pa.int64()),
        _varint(codec.VINT, pa.int32()),
        _varint(codec.VLONG, pa.int64()),
        _frames("lines", codec.Framing.lines(limit=LIMIT), line),
        _frames("end messages", codec.Framing.end_messages(limit=LIMIT), message),
        _strings("java utf", codec.JAVA_UTF),
        _strings("hadoop utf8", codec.HADOOP_UTF8),
        _strings("hadoop text", codec.HADOOP_TEXT),
        _strings("hazelcast string", codec.HAZELCAST_STRING),
        _strings("hazelcast data string", codec.HAZELCAST_DATA_STRING),
        _strings(
            "int32 or null",
            codec.StringFormat("modified-utf-8", "int32", nullable=True, limit=LIMIT),
        ),
        _strings(
            "vint or null, lossless",
            codec.StringFormat("cesu-8", "vint", nullable=True, lossless=True),
        ),
        _strings(
            "java utf, lossless", codec.StringFormat("modified-utf-8", "uint16", lossless=True)
        ),
        _strings(
            "little utf16 units, lossless",
            codec.StringFormat("cesu-8", "utf16-units", byte_order="little", lossless=True),
        ),
    ]
    for order in _BYTE_ORDERS:
        for kind in _INTEGERS:
            width = getattr(pa, kind)()
            values = _varint(codec.VLONG, width).values
            found.append(_fixed(f"{kind} {order}", codec.Fixed(kind, order), width, values))
        float32 = st.floats(width=32, allow_nan=False)
        float64 = st.floats(allow_nan=False)
        found += [
            _fixed(f"float32 {order}", codec.Fixed("float32", order), pa.float32(), float32),
            _fixed(f"float64 {order}", codec.Fixed("float64", order), pa.float64(), float64),
            _fixed(f"uuid {order}", codec.Fixed("uuid", order), pa.uuid(), st.uuids()),
        ]
        for counts, itself in [("", False), (", itself", True)]:
            length = codec.Framing.length(byte_order=order, includes_itself=itself, limit=LIMIT)
            typed = codec.TypedFraming(byte_order=order, includes_itself=itself, limit=LIMIT)
            found += [
                _frames(f"frames {order}{counts}", length, BYTES),
                _typed_frames(f"typed frames {order}{counts}", typed),
            ]
    return found


PRIMITIVES = {primitive.name: primitive for primitive in _all()}
