"""What a recorded program and its Hama said, for the session to say again."""

import functools
from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

from jvmwire.hama.commands import (
    AllPeerNames,
    Clear,
    Count,
    Finish,
    Log,
    PeerName,
    Send,
    Sync,
    Write,
)
from jvmwire.hama.ops import Op
from jvmwire.hama.session import HamaSession

from .conversation import Conversation, Hears, Sends, Step, Writes
from .directions import Directions, directions

RECORDING = Path(__file__).parents[1] / "vectors" / "hama" / "recordings" / "recorded-0.7.1.pcap"


@functools.cache
def recorded() -> Directions:
    """Return what crossed."""
    [both] = directions(RECORDING)
    return both


def _shortened() -> bytes:
    """Return the recorded beginning with the first and the last settings alone."""
    before, _, _ = recorded().server.partition(b"%3%=\n")
    lines = before.splitlines(keepends=True)
    return b"".join([*lines[:3], b"8\n", *lines[4:8], *lines[-4:]])


def _steps() -> Iterator[Step]:
    yield Hears(_shortened())
    yield Writes(b"%ACK_0%=\n")
    yield Hears(b"%3%=\n")
    yield Sends(Finish())
    yield Writes(b"%ACK_3%=\n")
    yield Hears(b"%4%=\n")
    yield Sends(Send("local:0", ["héllo", "world"]))
    yield Sends(Sync(), 1)
    yield Writes("%10%=\nlocal:0\nhéllo\n%10%=\nlocal:0\nworld\n%11%=\n".encode())
    yield Hears(b"%11%=_SUCCESS\n")
    yield Sends(AllPeerNames(), 2)
    yield Sends(Count(Op.GET_PEER_COUNT), 3)
    yield Sends(Clear(), 4)
    yield Sends(PeerName(0), 5)
    yield Writes(b"%12%=\n%15%=\n%18%=\n%13%=\n0\n")
    yield Hears(b"2\nlocal:0\nlocal:1\n1\n\x12local:0\n")


def _decode(data: bytes) -> list[str]:
    return data.decode().split("\n")


def _meaning(command: Write | Send | Log) -> list[str]:
    match command:
        case Write(pairs):
            lines = [line for pair in pairs for line in ("%7%=", *map(str, pair))]
        case Send(peer, messages):
            lines = [line for message in messages for line in ("%10%=", peer, str(message))]
        case Log(text):
            lines = [f"%31%={line}" for line in text.splitlines() or [""]]
    return [*lines, ""]


_LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=20)

PROGRAM = Conversation(
    "hama",
    HamaSession,
    list(_steps()),
    commands=st.builds(Write, st.lists(st.tuples(_LINE, _LINE), min_size=1, max_size=4))
    | st.builds(Send, _LINE, st.lists(_LINE, min_size=1, max_size=4)),
    decode=_decode,
    meaning=_meaning,
)
