"""Calls of `jvmwire._core`, one for each integer argument, and the results of extreme integers.

Run as a program, it makes all calls in a process whose memory is bounded, and prints the failures.
"""

import ast
import os
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa

import jvmwire
import jvmwire._core as core
from jvmwire.errors import JvmWireError

EXTREMES = [0, -1, 1 << 31, 1 << 44, 1 << 62, 1 << 63, 1 << 64, (1 << 31) - 1, (1 << 63) - 1]

# The exceptions that a call may raise for a wrong argument.
EXPECTED = (TypeError, ValueError, OverflowError, MemoryError, IndexError, JvmWireError)

MEMORY = 6 << 30
"""Bytes of address space that the program may have, however much memory a machine has."""

WRITER = UUID(int=7)
CAPTURE = b"\xd4\xc3\xb2\xa1" + bytes(30)
NAME_NODE = "org.apache.hadoop.hdfs.protocol.ClientProtocol"


def integers() -> Iterator[str]:
    """Return the arguments that the stub declares as integers, as `Class.method:argument`."""
    stub = Path(jvmwire.__file__).with_name("_core.pyi")
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield from (f"{node.name}:{name}" for name in _integers_of(node))
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    place = node.name if method.name == "__new__" else f"{node.name}.{method.name}"
                    yield from (f"{place}:{name}" for name in _integers_of(method))


def _integers_of(function: ast.FunctionDef) -> Iterator[str]:
    given = function.args
    for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
        if argument.annotation and ast.unparse(argument.annotation) in {
            "int",
            "int | None",
            "Sequence[int]",
            "Iterable[tuple[int, int]]",
        }:
            yield argument.arg


def _caller(**options: Any) -> core.HadoopCaller:
    return core.HadoopCaller(**({"client_id": bytes(16), "protocol": NAME_NODE} | options))


def _file_infos(first: int = 1, count: int = 2, **options: Any) -> bytes:
    return _caller().encode_calls("getFileInfo", first, count, {"src": ["/a", "/b"]}, **options)


def _calls() -> core.HadoopCalls:
    decoder = core.HadoopRequestDecoder()
    decoder.feed(b"hrpc\x09\x00\x00")
    decoder.feed(core.HadoopCaller.encode_connection_header(sasl=False)[7:])
    decoder.feed(_caller().encode_context("user"))
    decoder.feed(_file_infos())
    while (calls := decoder.next_calls({}, 10)) is None:
        assert decoder.next_request() is not None
    return calls


class _Status:
    __slots__ = ("length",)


def _part(start: int, most: int) -> object:
    record = core.HadoopRecord(_Status, "HdfsFileStatusProto", [("length", "length", "")], {})
    entries = core.HadoopList("GetListingResponseProto", "dir_list.partial_listing")
    return entries.part("", b"\x0a\x04\x0a\x02\x18\x05", record, start, most)


def _read_writable(read: Callable[[Any], object]) -> None:
    class Read:
        java_class = "x.Y"

        @classmethod
        def read(cls, data: Any) -> object:
            return read(data)

    core.decode_object(b"\0\3x.Y\0\3x.Y123", {"x.Y": Read})


def _hazelcast(**options: Any) -> core.HazelcastDataCodec:
    given: dict[str, Any] = {
        "byte_order": "big",
        "default_int_type": "integer",
        "opaque": type("Opaque", (), {}),
        "kinds": {},
        "readers": {},
        "find_reader": lambda _: None,
        "writers": {},
        "find_writer": lambda _: None,
    }
    return core.HazelcastDataCodec(**(given | options))


def _write(write: Callable[[Any], object]) -> None:
    class Value: ...

    writer = (77, lambda output, _: write(output))
    _hazelcast(writers={Value: writer}).to_data(Value())


def _read(read: Callable[[Any], object]) -> None:
    wire = bytes(4) + (77).to_bytes(4, "big") + b"\0\0\0\3abcdefgh"
    _hazelcast(readers={77: read}, find_reader=lambda _: read).to_object(wire)


def _read_at(data: Any, position: int) -> object:
    data.position = position
    return data.read_byte()


def _put_int(output: Any, value: int) -> None:
    output.write_int(1)
    output.put_int(output.position - 4, value)


def _message() -> core.HazelcastMessage:
    return core.HazelcastMessage.named("Client.removePartitionLostListener")


def _request(**changes: Any) -> bytes:
    given = {"id": 1, "partition": 1} | changes
    partition = given.pop("partition")
    return _message().encode(given.pop("id"), partition, ("name",), **given)


def _requests(first: int = 1, partition: int = 1, **options: Any) -> bytes:
    return _message().encode_all(first, [partition] * 3, [("name",)] * 3, **options)


def _events(limit: int = 100, enough: int = 1000, *, bare: bool = False) -> core.PravegaEvents:
    events = core.PravegaEvents(limit, enough, bare=bare)
    events.push(b"x" * 50)
    events.push_all([b"a" * 50] * 2000)
    events.push_all(pa.array([b"z" * 20], pa.binary()))
    events.push_all([b"a" * 500] * 20)
    return events


def _sent(events: core.PravegaEvents) -> core.PravegaEvents:
    events.is_due(5)
    while events.unsent:
        events.next_blocks(WRITER, 1, 1)
    events.rewind()
    events.next_blocks(WRITER, 2, 1)
    events.to_list()
    return events


def _fed(decoder: Any, data: bytes, *then: str) -> None:
    decoder.feed(data)
    for name in then:
        getattr(decoder, name)()


def _framed(framing: Any) -> None:
    _fed(framing.decoder(), b"\0\0\0\1xend\n", "next_frame")
    framing.encode(b"x")
    framing.decode_all(b"\0\0\0\1x")
    framing.view_all(b"\0\0\0\1x")


def _strings(limit: int) -> None:
    strings = core.StringFormat("utf-8", "int32", limit=limit)
    strings.decode(b"\0\0\0\1x")
    strings.decoder().feed(b"\0\0\0\1x")


def _joined(limits: dict[str, int]) -> None:
    assembler = core.KeyedAssembler(**limits)
    for correlation_id, flags in ((1, 0x80), (2, 0x80), (1, 0x40), (3, 0xC0)):
        assembler.push(correlation_id, flags, b"x")


def _stream(limit: int) -> None:
    assembler = core.StreamAssembler(limit=limit)
    for flag in (0, 1):
        assembler.push(flag, b"x")


def _expected(first: int) -> None:
    decoder = core.HazelcastDecoder(limit=1000)
    for _ in range(2):
        decoder.expect(first, core.HazelcastReplies(2, 1))
    decoder.forget(first)
    decoder.next_messages()


def _blocks(size: int = 100, request: int = 1, number: int = 1) -> None:
    encoder = core.PravegaBlockEncoder(size)
    encoder.append(WRITER, request, number, b"x" * 10)
    encoder.append(WRITER, 1, 2, b"x" * 200)
    encoder.finish()


def _cut(offset: int = 0, **limit: int) -> None:
    cutter = core.PravegaEventSplitter(offset, **limit)
    cutter.feed(b"\0\0\0\0\0\0\0\1x" * 3)
    cutter.feed_list(b"\0\0\0\0\0\0\0\1x")
    cutter.check()


def _ended(size: int, count: int) -> None:
    assembler = core.PravegaAppendAssembler()
    assembler.begin(WRITER, b"abc")
    assembler.end(WRITER, size, b"d", count)


def _sketch(micros: int = 5, calls: int = 1) -> core.LatencySketch:
    sketch = core.LatencySketch.from_times([(micros, calls), (1 << 40, calls)])
    sketch.quantile(0.5)
    sketch.bins()
    sketch.pack()
    return sketch


def _pooled(bound: int) -> object:
    return core.LatencySketch.pool(pa.array([_sketch().pack()], pa.binary()), [0, bound])


def _written(connection: int | None = None, ts: int = 0) -> None:
    writer = core.CaptureWriter()
    for end in ("data", "close", "reset"):
        number, _ = writer.open("127.0.0.1:1", "127.0.0.1:2", ts)
        number = number if connection is None else connection
        if end == "data":
            writer.data(number, "client", b"x", ts)
        elif end == "close":
            writer.close(number, ts)
        else:
            writer.reset(number, "client", ts)


def _repacked(count: int) -> None:
    for packed in core.hazelcast_pack([bytes(10)], None, 271).values():
        packed.packed_anew(count)


def _lines(take: str, count: int) -> None:
    reader = core.HamaReplyReader()
    reader.feed(b"abc\n")
    getattr(reader, take)(count)


def _refused(index: int = 0, code: int = 1) -> bytes:
    return _calls().refuse(index, "X", "message", code)


def _answered(at: int = 0, first: int = 0) -> None:
    _calls().answer_messages([b"", b""], at, first)


def _answered_objects(at: int = 0, first: int = 0) -> None:
    _calls().answer_objects(core.JavaClass("int"), [1, 1], at, first)


def _dialect() -> core.PravegaDialect:
    return core.PravegaDialect.today()


VARINTS = [core.UNSIGNED32, core.UNSIGNED64, core.SIGNED32, core.ZIGZAG64, core.VINT, core.VLONG]
INTEGERS: list[Any] = ["int8", "uint16", "int32", "uint64", "float32", "float64"]

CALLS: dict[str, Callable[[int], object]] = {
    "CaptureDecoder:first_stream": lambda it: _fed(
        core.CaptureDecoder([core.View("messages")], first_stream=it), CAPTURE, "finish"
    ),
    "LatencySketch.from_times:times": lambda it: (_sketch(micros=it), _sketch(calls=it)),
    "LatencySketch.pool:bounds": _pooled,
    "LatencySketch.above:micros": lambda it: _sketch().above(it),
    "MergedTraffic:buckets": lambda it: core.MergedTraffic(buckets=it, clock_end=5).finish(),
    "MergedTraffic:clock_end": lambda it: core.MergedTraffic(buckets=5, clock_end=it).finish(),
    "directories_of:depth": lambda it: core.directories_of(*[pa.array(["/a/b"])] * 3, depth=it),
    "CaptureWriter.open:ts": lambda it: _written(ts=it),
    "CaptureWriter.data:connection": lambda it: _written(connection=it),
    "CaptureWriter.data:ts": lambda it: _written(ts=it),
    "CaptureWriter.close:connection": lambda it: core.CaptureWriter().close(it, 1),
    "CaptureWriter.close:ts": lambda it: _written(ts=it),
    "CaptureWriter.reset:connection": lambda it: core.CaptureWriter().reset(it, "client", 1),
    "CaptureWriter.reset:ts": lambda it: _written(ts=it),
    "Varint.encode:value": lambda it: [_tried(one.encode, it) for one in VARINTS],
    "Varint.decode:offset": lambda it: [_tried(one.decode, bytes(16), it) for one in VARINTS],
    "Fixed.encode:value": lambda it: [_tried(core.Fixed(one).encode, it) for one in INTEGERS],
    "Fixed.decode:offset": lambda it: [
        _tried(core.Fixed(one).decode, kind(16), it)
        for one in INTEGERS
        for kind in (bytes, bytearray)
    ],
    "Framing.length:limit": lambda it: _framed(core.Framing.length(limit=it)),
    "Framing.lines:limit": lambda it: _framed(core.Framing.lines(limit=it)),
    "Framing.end_messages:limit": lambda it: _framed(core.Framing.end_messages(limit=it)),
    "Framing.decode:offset": lambda it: [
        _tried(core.Framing.length().decode, kind(16), it) for kind in (bytes, bytearray)
    ],
    "TypedFraming:limit": lambda it: _fed(
        core.TypedFraming(limit=it).decoder(), b"\0\0\0\1\0\0\0\1x", "next_frame"
    ),
    "TypedFraming.encode:kind": lambda it: core.TypedFraming().encode(it, b"x"),
    "TypedFraming.decode:offset": lambda it: core.TypedFraming().decode(bytes(16), it),
    "StreamAssembler:limit": _stream,
    "StreamAssembler.split:size": lambda it: core.StreamAssembler.split(b"abc", it),
    "StreamAssembler.split_all:size": lambda it: core.StreamAssembler.split_all(
        pa.array([b"abc"], pa.binary()), it
    ),
    "StreamAssembler.push:flag": lambda it: core.StreamAssembler().push(it, b"x"),
    "KeyedAssembler:limit": lambda it: _joined({"limit": it}),
    "KeyedAssembler:total_limit": lambda it: _joined({"total_limit": it}),
    "KeyedAssembler:open_limit": lambda it: _joined({"open_limit": it}),
    "KeyedAssembler.split:size": lambda it: core.KeyedAssembler.split(b"abc", it),
    "KeyedAssembler.split_all:size": lambda it: core.KeyedAssembler.split_all(
        pa.array([1], pa.int64()), pa.array([b"abc"], pa.binary()), it
    ),
    "KeyedAssembler.push:correlation_id": lambda it: core.KeyedAssembler().push(it, 0xC0, b"x"),
    "KeyedAssembler.push:flags": lambda it: core.KeyedAssembler().push(1, it, b"x"),
    "KeyedAssembler.forget:correlation_id": lambda it: core.KeyedAssembler().forget(it),
    "StringFormat:limit": _strings,
    "StringFormat.decode:offset": lambda it: core.JAVA_UTF.decode(b"\0\1x", it),
    "HadoopCaller:version": lambda it: _caller(version=it).encode_context("user"),
    "HadoopCaller:limit": lambda it: _caller(limit=it).encode_ping(),
    "HadoopCaller.encode_message:call_id": lambda it: _caller().encode_message(
        "getFileInfo", it, b"x"
    ),
    "HadoopCaller.encode_message:retry": lambda it: _caller().encode_message(
        "getFileInfo", 1, b"x", retry=it
    ),
    "HadoopCaller.encode_message:state_id": lambda it: _caller().encode_message(
        "getFileInfo", 1, b"x", state_id=it
    ),
    "HadoopCaller.encode_invocation:call_id": lambda it: _caller(
        engine="writable", version=1
    ).encode_invocation(it, b"x"),
    "HadoopCaller.encode_invocation:retry": lambda it: _caller(
        engine="writable", version=1
    ).encode_invocation(1, b"x", retry=it),
    "HadoopCaller.encode_invocation:state_id": lambda it: _caller(
        engine="writable", version=1
    ).encode_invocation(1, b"x", state_id=it),
    "HadoopCaller.encode_connection_header:service_class": lambda it: (
        core.HadoopCaller.encode_connection_header(sasl=False, service_class=it)
    ),
    "HadoopCaller.encode_calls:first_id": lambda it: _file_infos(first=it),
    "HadoopCaller.encode_calls:count": lambda it: _file_infos(count=it),
    "HadoopCaller.encode_calls:retry": lambda it: _file_infos(retry=it),
    "HadoopCaller.encode_calls:state_id": lambda it: _file_infos(state_id=it),
    "HadoopReplyDecoder:limit": lambda it: _fed(
        core.HadoopReplyDecoder(client_id=bytes(16), limit=it), b"\0\0\0\4abcd", "next_response"
    ),
    "HadoopReplyDecoder.next_replies:first_id": lambda it: core.HadoopReplyDecoder(
        client_id=bytes(16)
    ).next_replies(it, core.HadoopReplyTable(2)),
    "HadoopReplyTable:count": core.HadoopReplyTable,
    "HadoopReplyTable.payload:index": lambda it: core.HadoopReplyTable(2).payload(it),
    "HadoopList.part:start": lambda it: _part(it, 5),
    "HadoopList.part:most": lambda it: _part(0, it),
    "HazelcastDataCodec.to_data:value": lambda it: _hazelcast().to_data(it),
    "HazelcastDataCodec.to_data:partition_hash": lambda it: _hazelcast().to_data(
        "x", partition_hash=it
    ),
    "HazelcastDataInput.position:value": lambda it: _read(lambda data: _read_at(data, it)),
    "HazelcastDataInput.read_count:width": lambda it: _read(lambda data: data.read_count(it)),
    "HazelcastDataInput.read_bytes:count": lambda it: _read(lambda data: data.read_bytes(it)),
    "HazelcastDataOutput.write_byte:value": lambda it: _write(lambda out: out.write_byte(it)),
    "HazelcastDataOutput.write_short:value": lambda it: _write(lambda out: out.write_short(it)),
    "HazelcastDataOutput.write_char_code:value": lambda it: _write(
        lambda out: out.write_char_code(it)
    ),
    "HazelcastDataOutput.write_int:value": lambda it: _write(lambda out: out.write_int(it)),
    "HazelcastDataOutput.write_long:value": lambda it: _write(lambda out: out.write_long(it)),
    "HazelcastDataOutput.write_big_integer:value": lambda it: _write(
        lambda out: out.write_big_integer(it)
    ),
    "HazelcastDataOutput.write_count:count": lambda it: _write(lambda out: out.write_count(it)),
    "HazelcastDataOutput.put_int:position": lambda it: _write(lambda out: out.put_int(it, 1)),
    "HazelcastDataOutput.put_int:value": lambda it: _write(lambda out: _put_int(out, it)),
    "hazelcast_partition_ids:partition_count": lambda it: core.hazelcast_partition_ids(
        [bytes(10)], it
    ),
    "hazelcast_partition_id:partition_hash": lambda it: core.hazelcast_partition_id(it, 271),
    "hazelcast_partition_id:partition_count": lambda it: core.hazelcast_partition_id(5, it),
    "hazelcast_partition_list:count": lambda it: core.hazelcast_partition_list([bytes(10)], it),
    "HazelcastMessage.of_type:number": core.HazelcastMessage.of_type,
    "HazelcastMessage.encode:correlation_id": lambda it: _request(id=it),
    "HazelcastMessage.encode:partition_id": lambda it: _request(partition=it),
    "HazelcastMessage.encode:flags": lambda it: _request(flags=it),
    "HazelcastMessage.encode:limit": lambda it: _request(limit=it),
    "HazelcastMessage.encode_all:first_id": lambda it: _requests(first=it),
    "HazelcastMessage.encode_all:partition_ids": lambda it: _requests(partition=it),
    "HazelcastMessage.encode_all:limit": lambda it: _requests(limit=it),
    "HazelcastDecoder:limit": lambda it: _fed(
        core.HazelcastDecoder(limit=it), b"\x20\0\0\0" + bytes(28), "next_messages"
    ),
    "HazelcastDecoder.expect:first_id": _expected,
    "HazelcastDecoder.gather:call_id": lambda it: core.HazelcastDecoder(limit=1000).gather(
        it, core.HazelcastEntryColumns(0)
    ),
    "HazelcastDecoder.forget:correlation_id": lambda it: core.HazelcastDecoder(limit=1000).forget(
        it
    ),
    "HazelcastEntryColumns:kind": core.HazelcastEntryColumns,
    "HazelcastPackedList.packed_anew:count": _repacked,
    "hazelcast_pack:count": lambda it: core.hazelcast_pack([bytes(10)], None, it),
    "HazelcastReplies:count": lambda it: core.HazelcastReplies(it, 1),
    "HazelcastReplies:kind": lambda it: core.HazelcastReplies(1, it),
    "PravegaDialect.decoder:limit": lambda it: _fed(
        _dialect().decoder(limit=it), b"\0\0\0\x1e\0\0\0\4abcd", "next_command"
    ),
    "PravegaDialect.encode:request_id": lambda it: _dialect().encode(
        "SegmentSealed", {"request_id": it, "segment": "s"}
    ),
    "PravegaDataAppended:writer": lambda it: repr(core.PravegaDataAppended(it, 1, 1)),
    "PravegaDataAppended:event_number": lambda it: repr(core.PravegaDataAppended(7, it, 1)),
    "PravegaDataAppended:write_offset": lambda it: repr(core.PravegaDataAppended(7, 1, it)),
    "PravegaEvents:limit": lambda it: [_sent(_events(it, bare=bare)) for bare in (False, True)],
    "PravegaEvents:enough": lambda it: [
        _sent(_events(100, it, bare=bare)) for bare in (False, True)
    ],
    "PravegaEvents.is_due:most": lambda it: _events().is_due(it),
    "PravegaEvents.next_blocks:last_event_number": lambda it: _events().next_blocks(WRITER, it, 1),
    "PravegaEvents.next_blocks:request_id": lambda it: _events().next_blocks(WRITER, 1, it),
    "PravegaEvents.acknowledge:count": lambda it: _sent(_events()).acknowledge(it),
    "PravegaEvents.release:count": lambda it: _sent(_events()).release(it),
    "PravegaEventSplitter:offset": _cut,
    "PravegaEventSplitter:limit": lambda it: _cut(limit=it),
    "PravegaBlockEncoder:block_size": lambda it: _blocks(size=it),
    "PravegaBlockEncoder.append:request_id": lambda it: _blocks(request=it),
    "PravegaBlockEncoder.append:event_number": lambda it: _blocks(number=it),
    "PravegaAppendAssembler.end:size_of_whole_events": lambda it: _ended(it, 1),
    "PravegaAppendAssembler.end:num_events": lambda it: _ended(0, it),
    "HadoopDataInput.read_bytes:length": lambda it: _read_writable(
        lambda data: data.read_bytes(it)
    ),
    "HadoopDataOutput.write_byte:value": lambda it: core.HadoopDataOutput().write_byte(it),
    "HadoopDataOutput.write_short:value": lambda it: core.HadoopDataOutput().write_short(it),
    "HadoopDataOutput.write_int:value": lambda it: core.HadoopDataOutput().write_int(it),
    "HadoopDataOutput.write_long:value": lambda it: core.HadoopDataOutput().write_long(it),
    "HadoopDataOutput.write_vlong:value": lambda it: core.HadoopDataOutput().write_vlong(it),
    "HadoopRequestDecoder:limit": lambda it: _fed(
        core.HadoopRequestDecoder(limit=it), b"hrpc\x09\x00\x00", "next_request"
    ),
    "HadoopRequestDecoder.next_calls:most": lambda it: core.HadoopRequestDecoder().next_calls(
        {}, it
    ),
    "HadoopCalls.call_id:index": lambda it: _calls().call_id(it),
    "HadoopCalls.answer_objects:at": lambda it: _answered_objects(at=it),
    "HadoopCalls.answer_objects:first": lambda it: _answered_objects(first=it),
    "HadoopCalls.answer_messages:at": lambda it: _answered(at=it),
    "HadoopCalls.answer_messages:first": lambda it: _answered(first=it),
    "HadoopCalls.refuse:index": lambda it: _refused(index=it),
    "HadoopCalls.refuse:code": lambda it: _refused(code=it),
    "JavaClass.encode:value": lambda it: [
        _tried(core.JavaClass(name).encode, it) for name in ("int", "long", "short", "byte")
    ],
    "encode_invocation:version": lambda it: core.encode_invocation("p", "m", it, 1, [], []),
    "encode_invocation:methods_hash": lambda it: core.encode_invocation("p", "m", 1, it, [], []),
    "encode_old_version:version": lambda it: core.encode_old_version(it, "X", "message"),
    "encode_refusal:call_id": lambda it: core.encode_refusal(it, 0, "X", "message", 1),
    "encode_refusal:retry_count": lambda it: core.encode_refusal(0, it, "X", "message", 1),
    "encode_refusal:code": lambda it: core.encode_refusal(0, 0, "X", "message", it),
    "HamaOpWriter.repeat:count": lambda it: core.HamaOpWriter().repeat("READ_KEYVALUE", it),
    "HamaReplyReader:limit": lambda it: _fed(core.HamaReplyReader(limit=it), b"a\n", "take_byte"),
    "HamaReplyReader.take_lines:count": lambda it: _lines("take_lines", it),
    "HamaReplyReader.take_values:count": lambda it: _lines("take_values", it),
    "HamaOpReader:limit": lambda it: _fed(core.HamaOpReader(limit=it), b"a\n", "next_op"),
    "StormDecoder:limit": lambda it: _fed(
        core.StormDecoder(limit=it), b'{"command":"next"}\nend\n', "next_batch"
    ),
    "Tuple:task": lambda it: repr(core.Tuple("1", "component", "stream", it, [])),
    "encode_storm_emit:task": lambda it: core.encode_storm_emit([1], "stream", None, [], it, True),
}


def _tried(call: Callable[..., object], *arguments: Any) -> object:
    """Return the result of one of many calls, or the error by which it refuses its argument."""
    try:
        return call(*arguments)
    except EXPECTED as error:
        return error


def failures() -> Iterator[str]:
    """Make each call with each number; return the calls that raise an undocumented exception."""
    for name, call in CALLS.items():
        try:
            call(1)
        except TypeError as error:  # the call itself is wrong, and would never succeed
            yield f"{name}: 1: {error!r}"
        except EXPECTED:
            pass
        for number in EXTREMES:
            sys.stderr.write(f"{name} {number}\n")
            try:
                call(number)
            except EXPECTED:
                pass
            except BaseException as error:
                yield f"{name}: {number}: {error!r}"


if __name__ == "__main__":
    # AddressSanitizer reserves more, and bounds allocations itself.
    if "ASAN_OPTIONS" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.write("".join(f"{failure}\n" for failure in failures()))
