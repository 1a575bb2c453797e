"""Hama's streaming protocol, seen from the child: a configuration, three phases, a line a word."""

from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmwire._core import HamaDecoder
from jvmwire.errors import ConfigError, DecodeError, LocalProtocolError
from jvmwire.hama.commands import (
    Abort,
    AllPeerNames,
    Clear,
    Command,
    Count,
    Finish,
    Log,
    PeerName,
    Read,
    Receive,
    Reopen,
    Send,
    Sync,
    Write,
)
from jvmwire.hama.conf import Conf, conf_of
from jvmwire.hama.errors import NotALine, SyncFailed
from jvmwire.hama.ops import NOTHING, TABLES, Op, ack_of, line_of
from jvmwire.sansio import NEED_DATA, Event, NeedData, Opened, Pushed, Reply, Session, State

if TYPE_CHECKING:
    from collections.abc import Iterable

PROTOCOL: Final = 0
"""The only one there is."""

CONF_LIMIT: Final = 1_000_000
"""Lines of a configuration. Ours: real ones have about 1500."""

PEERS_LIMIT: Final = 1_000_000
"""Peers of a job. Ours."""

PHASE: Final = "phase"
"""The key of what is pushed when a phase begins: a `Phase`."""


class Phase(enum.Enum):
    """The three parts of a task, in order."""

    SETUP = Op.RUN_SETUP
    BSP = Op.RUN_BSP
    CLEANUP = Op.RUN_CLEANUP


@dataclass(slots=True)
class _Asked:
    """A command whose answer has not all come."""

    call_id: int
    command: Command
    wanted: int
    """Lines."""
    lines: list[str] = field(default_factory=list)


class HamaSession(Session[Command]):
    """The child's side. Between phases Hama is silent, within one it answers."""

    conf: Conf
    """There once the session is open."""

    def __init__(
        self, *, table: str = "0.6.2", escape: bool = False, keep_nuls: bool = False
    ) -> None:
        super().__init__()
        if table not in TABLES:
            raise ConfigError(f"there is no table {table!r} of operations: {', '.join(TABLES)}")
        self.phase: Phase | None = None
        """What runs now; None before, between and after."""
        self.is_finished = False
        """Whether the last phase was finished, and said so."""
        self._numbers = TABLES[table]
        self._escape = escape
        self._keep_nuls = keep_nuls
        self._decoder = HamaDecoder()
        self._asked: deque[_Asked] = deque()
        self._next_phases = deque(Phase)
        self._opening: list[str] = []
        self._count: int | None = None
        self._is_acked = False

    def _feed(self, data: bytes) -> None:
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        if self.state is State.OPENING:
            return self._open()
        if self.phase is None:
            return self._begin_phase()
        while self._asked:
            asked = self._asked[0]
            if isinstance(asked.command, Clear):
                byte = self._decoder.take_byte()
                if byte is None:
                    return NEED_DATA
                # BinaryProtocol.clear answers with a vint and no line end.
                if byte != self._numbers[Op.CLEAR]:
                    raise DecodeError(f"clear was answered by the byte {byte}", "clear")
            elif not self._has_lines(asked):
                return NEED_DATA
            self._asked.popleft()
            return Reply(asked.call_id, self._meaning(asked))
        if lines := self._decoder.take_lines(1):
            raise DecodeError(f"{lines[0][:80]!r} answers nothing that was asked", "answer")
        return NEED_DATA

    def _has_lines(self, asked: _Asked) -> bool:
        asked.lines += self._texts(asked.wanted - len(asked.lines))
        if len(asked.lines) < asked.wanted:
            return False
        if isinstance(asked.command, AllPeerNames) and asked.wanted == 1:
            asked.wanted += _number(asked.lines[0], "peers", PEERS_LIMIT)
            return self._has_lines(asked)
        return True

    def _texts(self, count: int) -> list[str]:
        lines = self._decoder.take_lines(count) if count else []
        try:
            return [line.decode() for line in lines]
        except UnicodeDecodeError:
            # Java writes in its platform's charset; what is not UTF-8 is shown, not lost.
            return [line.decode("utf-8", "surrogateescape") for line in lines]

    def _open(self) -> Event | NeedData:
        """Read the configuration, and all that follows it up to the first phase."""
        opening = self._opening
        if self._count is None:
            opening += self._texts(4 - len(opening))
            if len(opening) < 4:
                return NEED_DATA
            self._count = self._judge_opening(*opening)
            opening.clear()
        opening += self._texts(max(0, self._count - len(opening)))
        if len(opening) < self._count:
            return NEED_DATA
        if not self._is_acked:
            self._queue(ack_of(self._numbers[Op.START]))
            self._is_acked = True
        setup = self._line(Op.RUN_SETUP)
        # A value of many lines counts as one: the rest of them comes before the phase.
        while line := self._texts(1):
            if line == [setup]:
                self.conf = conf_of(opening, self._count)
                self.state = State.OPEN
                self._decoder_holds_phase = True
                return Opened()
            if len(opening) >= CONF_LIMIT:
                raise DecodeError("the configuration does not end", "configuration")
            opening += line
        return NEED_DATA

    _decoder_holds_phase = False

    def _judge_opening(self, start: str, protocol: str, conf: str, count: str) -> int:
        if start != self._line(Op.START):
            raise DecodeError(f"{start[:80]!r} is not how a Hama task begins", "start")
        if _number(protocol, "protocol", 1 << 31) != PROTOCOL:
            raise DecodeError(f"protocol {protocol}, and only {PROTOCOL} is known", "protocol")
        if conf != self._line(Op.SET_BSPJOB_CONF):
            raise DecodeError(f"{conf[:80]!r} instead of a configuration", "configuration")
        lines = _number(count, "lines of configuration", CONF_LIMIT)
        if lines % 2:
            raise DecodeError(f"{lines} lines of configuration are no pairs", "configuration")
        return lines

    def _begin_phase(self) -> Event | NeedData:
        if not self._next_phases:
            # Nothing is asked any more; what comes does not matter.
            self._decoder.take_lines(1)
            return NEED_DATA
        phase = self._next_phases[0]
        if not self._decoder_holds_phase:
            lines = self._texts(1)
            if not lines:
                return NEED_DATA
            if lines != [self._line(phase.value)]:
                raise DecodeError(f"{lines[0][:80]!r} instead of {phase.name}", "phase")
        self._decoder_holds_phase = False
        self._next_phases.popleft()
        self.phase = phase
        return Pushed(PHASE, phase)

    def _meaning(self, asked: _Asked) -> Any:
        match asked.command:
            case Clear():
                return None
            case Sync():
                success = f"{self._line(Op.SYNC)}_SUCCESS"
                return (
                    None
                    if asked.lines == [success]
                    else SyncFailed(f"sync was answered by {asked.lines[0][:80]!r}")
                )
            case Count(op):
                return _number(asked.lines[0], op.name, 1 << 63)
            case AllPeerNames():
                return asked.lines[1:]
            case PeerName():
                return asked.lines[0]
            case Read():
                values = [self._value(line) for line in asked.lines]
                pairs = list(zip(values[::2], values[1::2], strict=True))
                # Past the end Hama says so again and again.
                return [pair for pair in pairs if pair != (NOTHING, NOTHING)]
            case _:
                return [self._value(line) for line in asked.lines]

    def _value(self, line: str) -> str:
        # On a cluster Hama sends the whole array behind a text, which may be longer than the text.
        text = line if self._keep_nuls else line.rstrip("\0")
        return _unescaped(text) if self._escape else text

    def _encode(self, command: Command, call_id: int) -> bytes:
        if self.phase is None and not isinstance(command, Log | Abort):
            raise LocalProtocolError(f"{command} outside of setup, bsp and cleanup")
        line = self._op
        match command:
            case Read(count):
                data, wanted = line(Op.READ_KEYVALUE) * count, 2 * count
            case Receive(count):
                data, wanted = line(Op.GET_MSG) * count, count
            case Write(pairs):
                write, safe = line(Op.WRITE_KEYVALUE), self._safe
                parts = [b"%b%b\n%b\n" % (write, safe(key), safe(value)) for key, value in pairs]
                return b"".join(parts)
            case Send(peer, messages):
                head = line(Op.SEND_MSG) + self._safe(peer) + b"\n"
                return b"".join([b"%b%b\n" % (head, self._safe(it)) for it in messages])
            case Sync():
                data, wanted = line(Op.SYNC), 1
            case Count(op):
                data, wanted = line(op), 1
            case PeerName(index):
                data, wanted = line(Op.GET_PEERNAME) + b"%d\n" % index, 1
            case AllPeerNames():
                data, wanted = line(Op.GET_ALL_PEERNAME), 1
            case Clear():
                data, wanted = line(Op.CLEAR), 0
            case Reopen():
                return line(Op.REOPEN_INPUT)
            case Log(text):
                head = line(Op.LOG).rstrip(b"\n")
                lines = text.splitlines() or [""]
                return b"".join([b"%b%b\n" % (head, _bytes(one)) for one in lines])
            case Abort():
                self.phase = None
                self._next_phases.clear()
                return line(Op.ABORT)
            case Finish():
                return self._finish()
        self._asked.append(_Asked(call_id, command, wanted))
        return data

    def _finish(self) -> bytes:
        if self._asked:
            raise LocalProtocolError(f"{len(self._asked)} answers have not come yet")
        assert_phase = self.phase
        self.phase = None
        data = ack_of(self._numbers[assert_phase.value]) if assert_phase else b""
        if not self._next_phases:
            # In one write: Hama may close the pipe behind the first.
            self.is_finished = True
            data += self._op(Op.TASK_DONE) + self._op(Op.DONE)
        return data

    def _op(self, op: Op) -> bytes:
        return line_of(self._numbers[op])

    def _line(self, op: Op) -> str:
        return self._op(op).decode().rstrip("\n")

    def _safe(self, value: object) -> bytes:
        text = str(value)
        if self._escape:
            text = _escaped(text)
        elif "\n" in text or "\r" in text:
            raise NotALine(f"{text[:80]!r} holds a line end: escape it, or have both sides do so")
        return _bytes(text)


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape" if _came_so(text) else "replace")


def _came_so(text: str) -> bool:
    """Whether all lone surrogates stand for bytes that came as no UTF-8."""
    return all(not 0xD800 <= ord(c) < 0xE000 or 0xDC80 <= ord(c) <= 0xDCFF for c in text)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    parts: Iterable[str] = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\r", "\r") for part in parts)


def _number(text: str, what: str, limit: int) -> int:
    """Return a whole number from 0 up to `limit`."""
    digits = text.rstrip("\0").strip()
    if not digits.isascii() or not digits.isdecimal() or len(digits) > len(str(limit)):
        raise DecodeError(f"{what}: {text[:80]!r} is no number that may stand there", what)
    if (number := int(digits)) > limit:
        raise DecodeError(f"{what}: {number} is over the limit of {limit}", what, value=number)
    return number
