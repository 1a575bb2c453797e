"""Commands of a child to its BSP task, and the steps that the task starts."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from jvmwire.errors import RemoteProtocolError
from jvmwire.hama.errors import SyncFailed

if TYPE_CHECKING:
    from jvmwire._core import HamaOpWriter, HamaReplyReader

SYNCED = "%11%=_SUCCESS"
"""The reply to SYNC."""

CLEARED = 18
"""The reply to CLEAR: one byte, the number of the operation (`BinaryProtocol`)."""


class Step(enum.StrEnum):
    """The steps that a task has its child run, in this order."""

    SETUP = "RUN_SETUP"
    BSP = "RUN_BSP"
    CLEANUP = "RUN_CLEANUP"


class ChildCommand(Protocol):
    """Interface of operations that the child writes together."""

    @property
    def idempotent(self) -> bool:
        """Whether a second execution has no further effect and the same reply."""

    @property
    def expected_replies(self) -> int:
        """1 if there is a reply, else 0."""

    def write(self, writer: HamaOpWriter) -> None:
        """Append the operations to `writer`."""

    def handle_line(self, reader: HamaReplyReader) -> Any:
        """Return the reply, or None while it is incomplete."""


@dataclass(frozen=True, slots=True)
class BufferedOperations:
    """Operations without replies from a `HamaOpWriter`: keys and values, messages, log lines."""

    expected_replies: ClassVar[int] = 0
    idempotent: ClassVar[bool] = False

    operations: bytes
    """The encoded operations."""

    def write(self, writer: HamaOpWriter) -> None:
        writer.extend(self.operations)

    def handle_line(self, reader: HamaReplyReader) -> None:
        """Return None, since there is no reply."""


@dataclass(frozen=True, slots=True)
class Log:
    """Request to log a text, one operation per line."""

    expected_replies: ClassVar[int] = 0
    idempotent: ClassVar[bool] = False

    text: str

    def write(self, writer: HamaOpWriter) -> None:
        writer.log(self.text)

    def handle_line(self, reader: HamaReplyReader) -> None:
        """Return None, since there is no reply."""


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Acknowledgement of a finished step; after the last step also the end of the task."""

    expected_replies: ClassVar[int] = 0
    idempotent: ClassVar[bool] = False

    step: Step

    def write(self, writer: HamaOpWriter) -> None:
        writer.acknowledge(self.step)
        if self.step is Step.CLEANUP:
            # Written together, since the task may close its end as soon as it has read the first.
            writer.add("TASK_DONE")
            writer.add("DONE")

    def handle_line(self, reader: HamaReplyReader) -> None:
        """Return None, since there is no reply."""


@dataclass(frozen=True, slots=True)
class Abort:
    """Request to fail the job."""

    expected_replies: ClassVar[int] = 0
    idempotent: ClassVar[bool] = False

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("ABORT")

    def handle_line(self, reader: HamaReplyReader) -> None:
        """Return None, since there is no reply."""


@dataclass(frozen=True, slots=True)
class ReadKeyValues:
    """Request for the next `count` pairs of the input; the reply alternates keys and values."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = False

    count: int

    def write(self, writer: HamaOpWriter) -> None:
        writer.repeat("READ_KEYVALUE", self.count)

    def handle_line(self, reader: HamaReplyReader) -> list[str] | None:
        return reader.take_values(2 * self.count)


@dataclass(frozen=True, slots=True)
class GetMessages:
    """Request for the next `count` messages; the reply has `END` for missing messages."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = False

    count: int

    def write(self, writer: HamaOpWriter) -> None:
        writer.repeat("GET_MSG", self.count)

    def handle_line(self, reader: HamaReplyReader) -> list[str] | None:
        return reader.take_values(self.count)


@dataclass(frozen=True, slots=True)
class GetCount:
    """Request for a number by an operation without arguments."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = True

    operation: str

    def write(self, writer: HamaOpWriter) -> None:
        writer.add(self.operation)

    def handle_line(self, reader: HamaReplyReader) -> int | None:
        if (lines := reader.take_lines(1)) is None:
            return None
        try:
            return int(lines[0])
        except ValueError:
            raise RemoteProtocolError(
                f"{self.operation} was answered with {lines[0]!r}, which is not a number"
            ) from None


@dataclass(frozen=True, slots=True)
class GetPeerName:
    """Request for the name of a peer by index; -1 is the peer itself."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = True

    index: int

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("GET_PEERNAME", str(self.index))

    def handle_line(self, reader: HamaReplyReader) -> str | None:
        lines = reader.take_lines(1)
        return None if lines is None else lines[0]


@dataclass(frozen=True, slots=True)
class GetAllPeerNames:
    """Request for the names of all peers, in order of their index."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = True

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("GET_ALL_PEERNAME")

    def handle_line(self, reader: HamaReplyReader) -> list[str] | None:
        return reader.take_counted()


@dataclass(frozen=True, slots=True)
class Sync:
    """Request to wait for all peers at the barrier; the reply is True."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = False

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("SYNC")

    def handle_line(self, reader: HamaReplyReader) -> bool | None:
        if (lines := reader.take_lines(1)) is None:
            return None
        if lines[0] != SYNCED:
            raise SyncFailed(f"the task answered {lines[0]!r} to a sync")
        return True


@dataclass(frozen=True, slots=True)
class Clear:
    """Request to drop the waiting messages; the reply is True."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = True

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("CLEAR")

    def handle_line(self, reader: HamaReplyReader) -> bool | None:
        byte = reader.take_byte()
        if byte not in {None, CLEARED}:
            raise RemoteProtocolError(f"the task answered {byte} to CLEAR, which is not {CLEARED}")
        return None if byte is None else True


@dataclass(frozen=True, slots=True)
class ReopenInput:
    """Request to start the input from its beginning."""

    expected_replies: ClassVar[int] = 0
    idempotent: ClassVar[bool] = True

    def write(self, writer: HamaOpWriter) -> None:
        writer.add("REOPEN_INPUT")

    def handle_line(self, reader: HamaReplyReader) -> None:
        """Return None, since there is no reply."""
