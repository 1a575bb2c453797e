"""Hypothesis strategies for values of every type of ObjectWritable."""

from hypothesis import strategies as st

from jvmwire._core import HadoopDataInput, HadoopDataOutput
from jvmwire.hadoop.rpc._writable import (
    BooleanWritable,
    BytesWritable,
    ByteWritable,
    DoubleWritable,
    FloatWritable,
    IntWritable,
    LongWritable,
    MapWritable,
    MD5Hash,
    NullWritable,
    ProtocolSignature,
    ShortWritable,
    SortedMapWritable,
    Text,
    VIntWritable,
    VLongWritable,
    Writable,
)

from .hadoop_echo import PEER, Kind

WRITABLE = Writable.java_class


class Point(Writable, java_class="test.Point"):
    """A user-defined Writable."""

    def __init__(self, x: int, name: Text) -> None:
        self.x, self.name = x, name

    def write(self, out: HadoopDataOutput) -> None:
        out.write_int(self.x)
        out.write_writable(self.name)

    @classmethod
    def read(cls, source: HadoopDataInput) -> "Point":
        return cls(source.read_int(), source.read_writable(Text.java_class))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and (self.x, self.name) == (other.x, other.name)

    def __hash__(self) -> int:
        return hash(self.x)


def bits(count: int) -> st.SearchStrategy[int]:
    return st.integers(-(1 << count - 1), (1 << count - 1) - 1)


TEXTS = st.text(max_size=20) | st.sampled_from(["\ud83d", "a\udc00b", "\0"])
FLOATS = st.floats(width=32, allow_nan=False)
DOUBLES = st.floats(allow_nan=False)

LEAVES = st.one_of(
    st.builds(BooleanWritable, st.booleans()),
    st.builds(ByteWritable, bits(8)),
    st.builds(ShortWritable, bits(16)),
    st.builds(IntWritable, bits(32)),
    st.builds(LongWritable, bits(64)),
    st.builds(VIntWritable, bits(32)),
    st.builds(VLongWritable, bits(64)),
    st.builds(FloatWritable, FLOATS),
    st.builds(DoubleWritable, DOUBLES),
    st.builds(Text, st.text(max_size=20)),
    st.builds(BytesWritable, st.binary(max_size=20)),
    st.builds(MD5Hash, st.binary(min_size=16, max_size=16)),
    st.just(NullWritable()),
    st.builds(Point, bits(32), st.builds(Text, st.text(max_size=9))),
)
# Java sorts them, which requires values of one class.
NUMBERS = st.builds(LongWritable, bits(64))
WRITABLES = LEAVES | st.recursive(
    st.builds(MapWritable, st.dictionaries(LEAVES, LEAVES, max_size=4)),
    lambda maps: st.builds(SortedMapWritable, st.dictionaries(NUMBERS, maps, max_size=3)),
    max_leaves=4,
)
VALUES = st.one_of(
    st.tuples(st.just("boolean"), st.booleans()),
    st.tuples(st.just("byte"), bits(8)),
    st.tuples(st.just("short"), bits(16)),
    st.tuples(st.just("int"), bits(32)),
    st.tuples(st.just("long"), bits(64)),
    st.tuples(st.just("float"), FLOATS),
    st.tuples(st.just("double"), DOUBLES),
    st.tuples(st.just("char"), st.characters(max_codepoint=0xFFFF)),
    st.tuples(st.just("java.lang.String"), TEXTS | st.none()),
    st.tuples(st.just("void"), st.none()),
    st.tuples(st.just("[B"), st.binary(max_size=20) | st.none()),
    st.tuples(st.just("[I"), st.lists(bits(32), max_size=5)),
    st.tuples(st.just("[Z"), st.lists(st.booleans(), max_size=5)),
    st.tuples(st.just("[C"), st.lists(st.characters(max_codepoint=0xFFFF), max_size=5)),
    st.tuples(st.just("[[J"), st.lists(st.lists(bits(64), max_size=3) | st.none(), max_size=3)),
    st.tuples(st.just("[Ljava.lang.String;"), st.lists(TEXTS | st.none(), max_size=4)),
    st.tuples(st.just(f"[L{WRITABLE};"), st.lists(WRITABLES | st.none(), max_size=4)),
    st.tuples(st.just(WRITABLE), WRITABLES | st.none()),
    st.tuples(st.just(f"{PEER}Kind"), st.sampled_from(Kind) | st.none()),
    st.tuples(
        st.just(ProtocolSignature.java_class),
        st.builds(ProtocolSignature, bits(64), st.lists(bits(32)) | st.none()),
    ),
)
