"""Sessions of both sides of Hama streaming: a BSP task (the JVM) and its child process.

The task speaks first: a protocol number, the configuration of the job, then one step after the
other. Within a step the child sends requests and the task replies, strictly in order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from jvmwire._core import HamaOpReader, HamaOpWriter, HamaReplyReader
from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    OPENING,
    Event,
    NeedData,
    Opened,
    Pushed,
    Reply,
    Session,
)
from jvmwire.errors import RemoteProtocolError
from jvmwire.hama._commands import Abort, Acknowledge, ChildCommand, Log, Step
from jvmwire.hama._configuration import JobConfiguration

if TYPE_CHECKING:
    from collections.abc import Iterator

PROTOCOL: Final = "0"
"""The only protocol number."""

LINE_LIMIT: Final = 64 << 20
"""Maximum bytes of a line, and of all lines of a configuration (chosen by jvmwire)."""

MAX_CONFIGURATION: Final = 1 << 20
"""Maximum lines of a configuration (chosen by jvmwire): a typical job has about 1,500."""

_STEPS: Final = {"%3%=": Step.SETUP, "%4%=": Step.BSP, "%5%=": Step.CLEANUP}
_BEFORE: Final = {Step.SETUP: None, Step.BSP: Step.SETUP, Step.CLEANUP: Step.BSP}


class HamaChildSession(Session[ChildCommand]):
    """The child's side of the protocol; a `Pushed` event "step" carries the `Step` to run."""

    def __init__(
        self,
        *,
        hama_0_6: bool = False,
        escaping: bool = False,
        strip_nul_padding: bool = True,
        limit: int = LINE_LIMIT,
    ) -> None:
        super().__init__()
        self.configuration = JobConfiguration({})
        """The configuration of the job, valid from `Opened` on."""
        self._writer = HamaOpWriter(early=hama_0_6, escaping=escaping)
        self._reader = HamaReplyReader(padded=strip_nul_padding, escaping=escaping, limit=limit)
        self._limit = limit
        self._waiting: deque[tuple[int, ChildCommand]] = deque()
        self._done: Step | None = None
        """The last acknowledged step."""
        self._next_step: Step | None = None
        """A step that was received but not yet returned as an event."""
        self._opening = self._open()

    def send(self, command: ChildCommand, call_id: int = 0, retry: int = 0) -> None:
        """Queue `command`; log lines and aborts are allowed in any state."""
        if isinstance(command, Log | Abort):
            self._queue(self._encode(command, call_id))
        else:
            super().send(command, call_id, retry=retry)

    def _encode(self, command: ChildCommand, call_id: int) -> bytes:
        command.write(self._writer)
        if command.expected_replies:
            self._waiting.append((call_id, command))
        if isinstance(command, Acknowledge):
            self._done = command.step
        return self._writer.take()

    def _feed(self, data: bytes) -> None:
        self._reader.feed(data)

    def _buffered(self) -> int:
        return self._reader.buffered

    def _next_event(self) -> Event | NeedData:
        if self.state is OPENING:
            if next(self._opening, None) is None:
                return NEED_DATA
            self.state = OPEN
            self._next_step = Step.SETUP
            return Opened()
        if self._next_step is not None:
            self._next_step, first = None, self._next_step
            return Pushed("step", first)
        if self._waiting:
            call_id, command = self._waiting[0]
            if (answer := command.handle_line(self._reader)) is None:
                return NEED_DATA
            self._waiting.popleft()
            return Reply(call_id, answer)
        if (lines := self._reader.take_lines(1)) is None:
            return NEED_DATA
        step = _STEPS.get(lines[0])
        if step is None or step is Step.SETUP or _BEFORE[step] is not self._done:
            raise RemoteProtocolError(f"the task said {lines[0]!r}, out of turn")
        return Pushed("step", step)

    def _open(self) -> Iterator[bool | None]:
        """Yield None whenever more bytes are needed, then True."""
        for expected, what in (
            ("%0%=", "START"),
            (PROTOCOL, "protocol"),
            ("%1%=", "configuration"),
        ):
            while (lines := self._reader.take_lines(1)) is None:
                yield None
            if lines[0] != expected:
                raise RemoteProtocolError(f"{what}: {lines[0]!r} is not {expected!r}")
        while (lines := self._reader.take_lines(1)) is None:
            yield None
        count = _count(lines[0])
        while (lines := self._reader.take_lines(count)) is None:
            self._check_size(self._reader.buffered)
            yield None
        size = sum(map(len, lines))
        # Values with line ends make the count too small. The remaining lines have arrived already,
        # and the task sends no more before this acknowledgement.
        self._writer.acknowledge("START")
        self._queue(self._writer.take())
        while True:
            while (line := self._reader.take_lines(1)) is None:
                yield None
            if line[0] == "%3%=":
                break
            lines += line
            size += len(line[0])
            self._check_size(size)
            if len(lines) > MAX_CONFIGURATION:
                raise RemoteProtocolError(f"the configuration goes on after {len(lines)} lines")
        self.configuration = JobConfiguration.of_lines(lines, count)
        yield True

    def _check_size(self, size: int) -> None:
        if size > self._limit:
            raise RemoteProtocolError(
                f"{size} bytes of configuration are over the limit of {self._limit}"
            )


def _count(line: str) -> int:
    if not line.isascii() or not line.isdigit():
        raise RemoteProtocolError(f"{line!r} is not a count of configuration items")
    count = int(line)
    if count > MAX_CONFIGURATION:
        raise RemoteProtocolError(
            f"{count} configuration items are over the limit of {MAX_CONFIGURATION}"
        )
    if count % 2:
        raise RemoteProtocolError(f"{count} configuration items: a key has no value")
    return count


@dataclass(frozen=True, slots=True)
class StartStep:
    """Command to run a step."""

    step: Step
    expected_replies: int = 1
    idempotent: bool = False

    def encode(self) -> str:
        """Return the command as lines."""
        return {step: line for line, step in _STEPS.items()}[self.step] + "\n"


@dataclass(frozen=True, slots=True)
class SendLines:
    """Command to send a reply of these lines; None sends the reply to CLEAR, a single byte."""

    lines: tuple[str, ...] | None
    expected_replies: int = 0
    idempotent: bool = False

    def encode(self) -> str:
        """Return the reply as lines."""
        if self.lines is None:
            return "\x12"
        return "".join(f"{line}\n" for line in self.lines)


class HamaTaskSession(Session["StartStep | SendLines"]):
    """The task's side of the protocol, which the JVM has in Hama, and jvmwire in local jobs.

    A `Pushed` event "operation" carries the name and the arguments of an operation of the child.

    An acknowledgement is an operation too, `("ACK", number)`.
    """

    def __init__(
        self, configuration: dict[str, str], *, hama_0_6: bool = False, limit: int = LINE_LIMIT
    ) -> None:
        super().__init__()
        self._reader = HamaOpReader(early=hama_0_6, limit=limit)
        items = [item for pair in configuration.items() for item in pair]
        opening = ["%0%=", PROTOCOL, "%1%=", str(len(items)), *items]
        self._queue("".join(f"{line}\n" for line in opening).encode())

    def receive_data(self, data: bytes) -> None:
        if not data:
            self._reader.finish()
        super().receive_data(data)

    def _encode(self, command: StartStep | SendLines, _call_id: int) -> bytes:
        return command.encode().encode()

    def _feed(self, data: bytes) -> None:
        self._reader.feed(data)

    def _buffered(self) -> int:
        return self._reader.buffered

    def _next_event(self) -> Event | NeedData:
        operation: Any = self._reader.next_op()
        if operation is None:
            return NEED_DATA
        # A failing child may log or abort in any state.
        if self.state is OPENING and operation[0] not in {"LOG", "ABORT"}:
            if operation[0] != "ACK":
                raise RemoteProtocolError(f"the child said {operation[0]} before a step")
            self.state = OPEN
            return Opened()
        return Pushed("operation", operation)
