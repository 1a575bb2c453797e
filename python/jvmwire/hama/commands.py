"""What a child asks of its BSP task, and how the task begins its steps."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from jvmwire.errors import RemoteProtocolError
from jvmwire.hama.errors import SyncFailed

if TYPE_CHECKING:
    from jvmwire._core import HamaOpWriter, HamaReplyReader

SYNCED = "%11%=_SUCCESS"
"""What answers a sync."""

CLEARED = 18
"""What answers CLEAR: one byte, the operation's number (`BinaryProtocol`)."""


class Step(enum.StrEnum):
    """What a task has its child do, in this order."""

    SETUP = "RUN_SETUP"
    BSP = "RUN_BSP"
    CLEANUP = "RUN_CLEANUP"


class ChildCommand(Protocol):
    """Operations that the child writes together."""

    @property
    def repeatable(self) -> bool:
        """Whether carrying it out twice does and answers the same as once."""

    @property
    def calls(self) -> int:
        """1 if it is answered, 0 if not."""

    def write(self, writer: HamaOpWriter) -> None:
        """Add the operations."""

    def take(self, reader: HamaReplyReader) -> Any:
        """Return the answer, or None if not all of it has come."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Operations that a `HamaOpWriter` gathered: keys and values, messages, log lines."""

    calls: ClassVar[int] = 0
    repeatable: ClassVar[bool] = False

    operations: bytes
    """As the writer wrote them."""

    def write(self, writer: HamaOpWriter) -> None:
        writer.extend(self.operations)

    def take(self, reader: HamaReplyReader) -> None:
        """Nothing is answered."""


@dataclass(frozen=True, slots=True)
class Log:
    """Has the task log a text, a line at a time."""

    calls: ClassVar[int] = 0
    repeatable: ClassVar[bool] = False

    text: str

    def write(self, writer: HamaOpWriter) -> None:
        writer.log(self.text)

    def take(self, reader: HamaReplyReader) -> None:
        """Nothing is answered."""


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Says that a step has ended; after the last the task is told that all is done."""

    calls: ClassVar[int] = 0
    repeatable: ClassVar[bool] = False

    step: Step

    def write(self, writer: HamaOpWriter) -> None:
        writer.acknowledge(self.step)
        if self.step is Step.CLEANUP:
            # Together: the task may close its end as soon as it has read the first.
            writer.add("TASK_DONE")
            writer.add("DONE")

    def take(self, reader: HamaReplyReader) -> None:
        """Nothing is answered."""


@dataclass(frozen=True, slots=True)
class Abort:
    """Fails the job."""

    calls: ClassVar[int] = 0
    repeatable: ClassVar[bool] = False

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("ABORT")

    def take(self, reader: HamaReplyReader) -> None:
        """Nothing is answered."""


@dataclass(frozen=True, slots=True)
class ReadKeyValues:
    """Asks for the next pairs of the input; answered with keys and values in turns."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = False

    count: int

    def write(self, writer: HamaOpWriter) -> None:
        writer.repeat("READ_KEYVALUE", self.count)

    def take(self, reader: HamaReplyReader) -> list[str] | None:
        return reader.take_values(2 * self.count)


@dataclass(frozen=True, slots=True)
class GetMessages:
    """Asks for the next messages, so many as there are at least."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = False

    count: int

    def write(self, writer: HamaOpWriter) -> None:
        writer.repeat("GET_MSG", self.count)

    def take(self, reader: HamaReplyReader) -> list[str] | None:
        return reader.take_values(self.count)


@dataclass(frozen=True, slots=True)
class AskNumber:
    """Asks for a number: an operation's name says which."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = True

    operation: str

    def write(self, writer: HamaOpWriter) -> None:
        writer.add(self.operation)

    def take(self, reader: HamaReplyReader) -> int | None:
        if (lines := reader.take_lines(1)) is None:
            return None
        try:
            return int(lines[0])
        except ValueError:
            raise RemoteProtocolError(
                f"{self.operation} was answered with {lines[0]!r}, which is no number"
            ) from None


@dataclass(frozen=True, slots=True)
class GetPeerName:
    """Asks for the name of the peer of an index; -1 is this one's own."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = True

    index: int

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("GET_PEERNAME", str(self.index))

    def take(self, reader: HamaReplyReader) -> str | None:
        lines = reader.take_lines(1)
        return None if lines is None else lines[0]


@dataclass(frozen=True, slots=True)
class GetAllPeerNames:
    """Asks for the names of all peers, in order of their index."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = True

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("GET_ALL_PEERNAME")

    def take(self, reader: HamaReplyReader) -> list[str] | None:
        return reader.take_counted()


@dataclass(frozen=True, slots=True)
class Sync:
    """Waits for all peers; answered with True."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = False

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("SYNC")

    def take(self, reader: HamaReplyReader) -> bool | None:
        if (lines := reader.take_lines(1)) is None:
            return None
        if lines[0] != SYNCED:
            raise SyncFailed(f"the task answered {lines[0]!r} to a sync")
        return True


@dataclass(frozen=True, slots=True)
class Clear:
    """Drops the messages that wait; answered with True."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = True

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("CLEAR")

    def take(self, reader: HamaReplyReader) -> bool | None:
        byte = reader.take_byte()
        if byte not in {None, CLEARED}:
            raise RemoteProtocolError(f"the task answered {byte} to CLEAR, which is not {CLEARED}")
        return None if byte is None else True


@dataclass(frozen=True, slots=True)
class ReopenInput:
    """Begins the input again."""

    calls: ClassVar[int] = 0
    repeatable: ClassVar[bool] = True

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("REOPEN_INPUT")

    def take(self, reader: HamaReplyReader) -> None:
        """Nothing is answered."""
