"""Conversation of a BSP task and its child, for both sessions to repeat."""

from hypothesis import strategies as st

from jvmwire._core import HamaOpReader, HamaOpWriter
from jvmwire.hama._commands import (
    BufferedOperations,
    ChildCommand,
    Clear,
    GetAllPeerNames,
    GetCount,
    GetMessages,
    GetPeerName,
    Log,
    ReadKeyValues,
    ReopenInput,
    Step,
    Sync,
)
from jvmwire.hama._session import HamaChildSession, HamaTaskSession, SendLines, StartStep
from kit.transcript import Conversation, Hears, Sends, Writes

Operation = tuple[str, ...]

_LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=20)


def _operations(data: bytes) -> list[Operation]:
    reader = HamaOpReader()
    reader.feed(data)
    return list(iter(reader.next_op, None))


def _written(pairs: list[tuple[str, str]]) -> BufferedOperations:
    writer = HamaOpWriter()
    writer.add_pairs("WRITE_KEYVALUE", pairs)
    return BufferedOperations(writer.take())


def _meant(command: ChildCommand) -> list[Operation]:
    match command:
        case ReadKeyValues(count):
            return [("READ_KEYVALUE",)] * count
        case GetMessages(count):
            return [("GET_MSG",)] * count
        case GetCount(operation):
            return [(operation,)]
        case GetPeerName(index):
            return [("GET_PEERNAME", str(index))]
        case Log(text):
            return [("LOG", text)]
        case BufferedOperations(operations):
            return _operations(operations)
        case _:
            names = {Sync: "SYNC", Clear: "CLEAR", ReopenInput: "REOPEN_INPUT"}
            return [(names.get(type(command), "GET_ALL_PEERNAME"),)]


HAMA_CHILD = Conversation(
    "Hama's child",
    HamaChildSession,
    [
        Hears(b"%0%=\n0\n%1%=\n4\nuser.name\nbob\na.key\na value\n"),
        Writes(b"%ACK_0%=\n"),
        Hears(b"%3%=\n"),
        Sends(ReadKeyValues(2), 1),
        Sends(GetCount("GET_PEER_COUNT"), 2),
        Writes(b"%6%=\n%6%=\n%15%=\n"),
        Hears(b"0\nfirst\n6\nsecond \xc3\xa9\n3\n"),
        Sends(Clear(), 3),
        Sends(GetAllPeerNames(), 4),
        Sends(_written([("key", "value")])),
        Sends(Sync(), 5),
        Writes(b"%18%=\n%12%=\n%7%=\nkey\nvalue\n%11%=\n"),
        Hears(b"\x122\nlocal:0\nlocal:1\n%11%=_SUCCESS\n"),
        Sends(GetMessages(3), 6),
        Writes(b"%8%=\n%8%=\n%8%=\n"),
        Hears(b"hello\n\n%%-1%%\n"),
    ],
    commands=st.one_of(
        st.builds(ReadKeyValues, st.integers(1, 20)),
        st.builds(GetMessages, st.integers(1, 20)),
        st.builds(GetPeerName, st.integers(-1, 99)),
        st.builds(Log, _LINES),
        st.lists(st.tuples(_LINES, _LINES), min_size=1, max_size=5).map(_written),
        st.sampled_from([GetCount("GET_MSG_COUNT"), GetCount("GET_SUPERSTEP_COUNT")]),
        st.sampled_from([Sync(), Clear(), ReopenInput(), GetAllPeerNames()]),
    ),
    decode=_operations,
    meaning=_meant,
)


def _lines(command: StartStep | SendLines) -> bytes:
    match command:
        case StartStep(step):
            return {Step.SETUP: b"%3%=\n", Step.BSP: b"%4%=\n", Step.CLEANUP: b"%5%=\n"}[step]
        case SendLines(None):
            return b"\x12"
        case SendLines(lines):
            return b"".join(line.encode() + b"\n" for line in lines or ())


HAMA_TASK = Conversation(
    "Hama's task",
    lambda: HamaTaskSession({"a.key": "a value"}),
    [
        Writes(b"%0%=\n0\n%1%=\n2\na.key\na value\n"),
        Hears(b"%ACK_0%=\n"),
        Sends(StartStep(Step.SETUP)),
        Writes(b"%3%=\n"),
        Hears(b"%6%=\n%7%=\nk\nv\n%10%=\nlocal:0\nhi\n%31%=a=b\n"),
        Sends(SendLines(("0", "line"))),
        Sends(SendLines(None)),
        Writes(b"0\nline\n\x12"),
        Hears(b"%ACK_3%=\n\n%13%=\n-1\n"),
    ],
    commands=st.one_of(
        st.builds(StartStep, st.sampled_from(Step)),
        st.builds(SendLines, st.none() | st.lists(_LINES, min_size=1, max_size=4).map(tuple)),
    ),
    decode=lambda data: data,
    meaning=_lines,
)
