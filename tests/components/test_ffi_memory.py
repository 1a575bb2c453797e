"""Python code cannot change memory that the Rust half reads or writes.

Each script that could crash the interpreter runs in a separate process.
"""

import functools
import gc
import io
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jvmwire import codec
from jvmwire._core import HadoopRecord, PravegaEvents
from kit.arrow_c_data import exported
from kit.primitives import arrow


def run(script: str) -> str:
    """Run a script in a separate process, and return its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


RUST = Path(__file__).parents[2] / "rust"
UNSAFE = (RUST / "codec/src/kernels", RUST / "python/src/ffi")


def test_unsafe_code_is_in_the_kernels_and_the_ffi_layer_only() -> None:
    sources = [path for path in RUST.rglob("*.rs") if "target" not in path.parts]
    with_unsafe = {path for path in sources if "unsafe" in path.read_text()}
    assert with_unsafe
    assert all(any(home in path.parents for home in UNSAFE) for path in with_unsafe)


RELEASE_ALL_VIEWS = """
import gc
def release_all_views():
    for one in gc.get_objects():
        if isinstance(one, memoryview):
            one.release()
"""


def test_frames_in_place_outlive_every_view_that_python_can_release() -> None:
    script = """
    import pyarrow as pa
    import jvmwire._core as core
    base = bytes(bytearray((b"\\0\\0\\0\\x64" + b"h" * 100) * 400_000))
    frames = pa.array(core.Framing.length().view_all(memoryview(base))[0])
    release_all_views()
    del base
    junk = [bytes([65]) * 40_000_000 for _ in range(2)]
    assert set(frames[at].as_py() for at in range(0, 400_000, 999)) == {b"h" * 100}
    """
    run(RELEASE_ALL_VIEWS + textwrap.dedent(script))


def test_events_outlive_every_view_that_python_can_release() -> None:
    script = """
    import jvmwire._core as core
    events = core.PravegaEvents(1000, 10000)
    events.push_all([b"a" * 100] * 40_000)
    release_all_views()
    junk = [bytearray(b"Z") * 1000 for _ in range(4000)]
    assert set(events.to_list()) == {b"a" * 100}
    """
    run(RELEASE_ALL_VIEWS + textwrap.dedent(script))


def test_blocks_that_were_handed_out_lead_to_nothing_that_can_be_written_to() -> None:
    events = PravegaEvents(1000, 10000)
    events.push_all([b"a" * 100] * 40)
    blocks, _ = events.next_blocks(uuid.uuid4(), 0, 1)
    view = memoryview(blocks)
    assert view.readonly
    assert type(view.obj) is bytes
    assert set(events.to_list()) == {b"a" * 100}


CONSUMED = """
import ctypes, pyarrow as pa
import jvmwire._core as core

array = pa.array([1, 2, 3], pa.int32())
schema_capsule, array_capsule = array.__arrow_c_array__()

class Producer:
    def __arrow_c_array__(self, requested_schema=None):
        return schema_capsule, array_capsule

def refused():
    try:
        core.VINT.encode_all(Producer())
    except ValueError as error:
        return str(error)
"""


def test_a_consumed_arrow_schema_is_refused() -> None:
    script = """
    pa.DataType._import_from_c_capsule(schema_capsule)
    print(refused())
    """
    assert "the schema was released" in run(CONSUMED + textwrap.dedent(script))


def test_an_arrow_array_is_taken_once() -> None:
    script = """
    assert core.VINT.encode_all(Producer()) == b"\\1\\2\\3"
    print(refused())
    """
    assert "was released" in run(CONSUMED + textwrap.dedent(script))


NUMBERS = pa.array([1, 2, 3], pa.int64())
TEXTS = pa.array(["a", "b"])
LISTS = pa.array([[1], [2]])
PAIRS = pa.array([[1, 2]], pa.list_(pa.int64(), 2))
DICTIONARY = pa.array(["a", "b"]).dictionary_encode()


@pytest.mark.parametrize(
    ("values", "changes"),
    [
        (NUMBERS, {"array_length": -1}),
        (NUMBERS, {"array_length": 1 << 62}),
        (NUMBERS, {"array_length": (1 << 63) - 1, "array_offset": 1}),
        (NUMBERS, {"array_offset": -1}),
        (NUMBERS, {"array_n_buffers": 0}),
        (NUMBERS, {"array_n_buffers": 1}),
        (NUMBERS, {"array_n_buffers": -1}),
        (NUMBERS, {"array_buffers": None}),
        (NUMBERS, {"array_n_children": 1}),
        (NUMBERS, {"schema_format": None}),
        (NUMBERS, {"schema_format": b"\xff\xfe"}),
        (NUMBERS, {"schema_format": b"w:-4"}),
        (NUMBERS, {"schema_format": b"+l"}),
        (NUMBERS, {"schema_name": b"\xff\xfe"}),
        (TEXTS, {"array_n_buffers": 2}),
        (LISTS, {"array_n_children": 0}),
        (LISTS, {"array_children": None}),
        (LISTS, {"schema_n_children": 0}),
        (LISTS, {"schema_n_children": -1}),
        (LISTS, {"schema_children": None}),
        (PAIRS, {"schema_format": b"+w:2147483647", "array_length": 1 << 62}),
        (PAIRS, {"schema_format": b"+w:-1"}),
        (DICTIONARY, {"schema_format": b"w:-1"}),
        (DICTIONARY, {"schema_format": b"u"}),
    ],
    ids=lambda given: (
        " ".join(f"{name}={value}" for name, value in given.items())
        if isinstance(given, dict)
        else str(given.type)
    ),
)
def test_a_malformed_arrow_structure_is_refused(values: Any, changes: dict[str, Any]) -> None:
    producer = exported(values, **changes)
    take: Callable[[Any], object] = (
        codec.Text("utf-8").encode_all if values is TEXTS else codec.VLONG.encode_all
    )
    with pytest.raises(ValueError, match="cannot be read"):
        take(producer)


@pytest.mark.parametrize("shift", range(8))
@pytest.mark.parametrize("kind", [pa.binary(), pa.utf8(), pa.int64()])
def test_an_array_whose_buffers_are_not_aligned_is_read(kind: pa.DataType, shift: int) -> None:
    wanted: list[Any] = [1, 2, -3] if kind == pa.int64() else [b"one", b"", b"three"]
    aligned = pa.array(wanted, pa.int64() if kind == pa.int64() else pa.binary()).cast(kind)

    def shifted(buffer: pa.Buffer | None) -> pa.Buffer | None:
        if buffer is None:
            return None
        return pa.py_buffer(bytes(shift) + buffer.to_pybytes()).slice(shift)

    values = pa.Array.from_buffers(kind, 3, [shifted(it) for it in aligned.buffers()])
    formats: dict[pa.DataType, Any] = {
        pa.binary(): codec.Framing.length(),
        pa.utf8(): codec.JAVA_UTF,
        pa.int64(): codec.VLONG,
    }
    assert formats[kind].encode_all(values) == formats[kind].encode_all(aligned)


def test_empty_arrays_with_and_without_offsets_are_read() -> None:
    without = pa.Array.from_buffers(pa.binary(), 0, [None, pa.py_buffer(b""), pa.py_buffer(b"")])
    assert codec.Framing.length().encode_all(without) == b""
    assert codec.Framing.length().encode_all(pa.array([], pa.binary())) == b""
    sliced = pa.array([b"a", b"b"]).slice(2)
    assert codec.Framing.length().encode_all(sliced) == b""


class _Partial(functools.partial):  # type: ignore[type-arg]
    __slots__ = ("length",)


class _Error(Exception):
    __slots__ = ("length",)


class _Dict(dict):  # type: ignore[type-arg]
    __slots__ = ("length",)


class _Bytes(io.BytesIO):
    __slots__ = ("length",)


class _Base:
    __slots__ = ()


class _Derived(_Base):
    __slots__ = ("length",)


@pytest.mark.parametrize("native", [_Partial, _Error, _Dict, _Bytes, _Derived, slice, type])
def test_a_record_class_with_another_base_than_object_is_refused(native: type) -> None:
    field = "start" if native is slice else "length"
    with pytest.raises(TypeError):
        HadoopRecord(native, "HdfsFileStatusProto", [(field, "length", "")], {})


def test_a_record_class_that_is_written_in_c_is_refused() -> None:
    for native, field in ((slice, "start"), (functools.partial, "func")):
        with pytest.raises(TypeError):
            HadoopRecord(native, "HdfsFileStatusProto", [(field, "length", "")], {})


def test_a_record_without_fields_survives_the_collector() -> None:
    script = """
    import gc
    import jvmwire._core as core
    class Empty:
        __slots__ = ()
    record = core.HadoopRecord(Empty, "HdfsFileStatusProto", [], {})
    kept = [record.decode("", b"") for _ in range(200_000)]
    gc.collect()
    print(len(kept))
    """
    assert run(script) == "200000\n"


def test_a_buffer_is_released_before_python_code_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = bytearray(range(16))
    made = uuid.UUID.__init__

    def growing(self: uuid.UUID, *arguments: Any, **options: Any) -> None:
        buffer.extend(b"more")  # a BufferError while the buffer is exported
        made(self, *arguments, **options)

    monkeypatch.setattr(uuid.UUID, "__init__", growing)
    value, end = codec.Fixed("uuid").decode(buffer)
    assert (value.bytes, end, len(buffer)) == (bytes(range(16)), 16, 20)


@pytest.mark.parametrize(
    ("decode", "wire", "wanted"),
    [
        (codec.JAVA_UTF.decode, b"\0\5hello", ("hello", 7)),
        (codec.Framing.length().decode, b"\0\0\0\5hello", (b"hello", 9)),
        (codec.Framing.lines().decode, b"hello\n", (b"hello", 6)),
    ],
)
def test_finalizers_that_run_while_a_value_is_made_do_not_change_it(
    decode: Callable[[Any], Any], wire: bytes, wanted: Any
) -> None:
    buffer = bytearray(wire)
    ran = []

    class Cycle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            buffer[:] = wire + b"more"  # a BufferError while the buffer is exported
            ran.append(1)

    before = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(200):
            Cycle()
            buffer[:] = wire
            assert decode(buffer) == wanted
    finally:
        gc.set_threshold(*before)
    assert len(ran) > 100


@pytest.mark.parametrize(
    "view",
    [
        lambda whole: memoryview(whole)[7:],
        lambda whole: memoryview(memoryview(whole)[3:])[4:],
        lambda whole: memoryview(whole)[7:].cast("b"),
        lambda whole: memoryview(bytearray(whole))[7:],
        lambda whole: memoryview(bytearray(whole)).toreadonly()[7:],
        lambda whole: pa.py_buffer(whole).slice(7),
    ],
    ids=["part", "part of a part", "cast", "writable", "read-only", "Arrow"],
)
def test_a_part_of_a_buffer_is_read_from_its_place(view: Callable[[bytes], Any]) -> None:
    wire = b"".join(codec.Framing.length().encode(b"%d" % number) for number in range(100))
    whole = b"skipped" + wire
    part = view(whole)
    framing = codec.Framing.length()
    frames = arrow(framing.view_all(part)[0])
    assert frames.to_pylist() == arrow(framing.decode_all(part)[0]).to_pylist()
    assert frames[99].as_py() == b"99"
    assert framing.decode(part, 5) == (b"1", 10)
    assert codec.VINT.decode(part, 3) == (1, 4)
    decoder = framing.decoder()
    decoder.feed(part)
    assert decoder.next_frame() == b"0"


def test_a_buffer_that_is_not_contiguous_is_refused() -> None:
    for wire in (memoryview(bytes(20))[::2], memoryview(bytearray(20))[::-1]):
        with pytest.raises(ValueError, match="not contiguous"):
            codec.VINT.decode(wire)


# A thread releases Arrow's memory while the main thread has the GIL and waits for that thread.
DROP_WITHOUT_THE_GIL = """
import ctypes, gc, sys, threading, time
import pyarrow as pa
import jvmwire._core as core

class Array(ctypes.Structure):
    _fields_ = [("numbers", ctypes.c_int64 * 5), ("pointers", ctypes.c_void_p * 3),
                ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]

class Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]

whole = core.Framing.length().encode(bytes(100)) * 100
before = sys.getrefcount(whole)
frames = core.Framing.length().view_all(memoryview(whole))[0]
schema, array = frames.__arrow_c_array__()
del frames
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
at = pointer(array, b"arrow_array")
release = Array.from_address(at).release
with_gil = ctypes.PyDLL(None)  # does not let the GIL go
thread = ctypes.c_ulong()
arguments = (ctypes.byref(thread), None, ctypes.c_void_p(release), ctypes.c_void_p(at))
assert with_gil.pthread_create(*arguments) == 0
until = Time(int(time.time()) + 20, 0)
joined = with_gil.pthread_timedjoin_np(thread, None, ctypes.byref(until))
assert joined == 0, "the thread waits for the GIL"
def settle():
    for _ in range(100):
        if sys.getrefcount(whole) == before:
            return
        time.sleep(0.01)
settle()
print(sys.getrefcount(whole) - before)
"""


def test_memory_is_let_go_without_waiting_for_the_gil() -> None:
    assert run(DROP_WITHOUT_THE_GIL) == "0\n"


def test_memory_that_is_let_go_while_the_interpreter_ends_is_no_crash() -> None:
    script = """
    import atexit, sys
    import pyarrow as pa
    import jvmwire._core as core
    kept = pa.array(core.Framing.length().view_all(core.Framing.length().encode(bytes(100)))[0])
    sys.kept = kept
    class Last:
        def __del__(self):
            self.kept = None
    last = Last()
    last.kept = kept
    atexit.register(lambda: None)
    print("end")
    """
    assert run(script) == "end\n"
