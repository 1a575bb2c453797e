"""What a component says to Storm."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class Level(enum.IntEnum):
    """How loud a log message is (ShellMsg.ShellLogLevel)."""

    TRACE = 0
    DEBUG = 1
    INFO = 2
    WARN = 3
    ERROR = 4


@dataclass(slots=True)  # these are not frozen: making one would take twice as long
class Emit:
    """Sends values on."""

    idempotent: ClassVar[bool] = False

    values: Sequence[Any]
    stream: str | None = None
    anchors: Sequence[str] = ()
    """Of a bolt: the tuples that fail if this one does."""
    task: int | None = None
    """Sends it to this task: a direct emit."""
    id: Any = None
    """Of a spout: what Storm acks or fails it by, any JSON; None for a tuple it does not track."""
    need_task_ids: bool = False

    @property
    def expected_replies(self) -> int:
        # Direct emits are never answered.
        return int(self.need_task_ids and self.task is None)


@dataclass(slots=True)
class Ack:
    """A tuple is done with."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    id: str


@dataclass(slots=True)
class AckAll:
    """Tuples are done with; of those that were ended before, nothing is said."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    ids: list[str]


@dataclass(frozen=True, slots=True)
class Fail:
    """A tuple could not be processed."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    id: str


@dataclass(frozen=True, slots=True)
class Log:
    """A line for the worker's log."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    message: str
    level: Level = Level.INFO


@dataclass(frozen=True, slots=True)
class ReportError:
    """What Storm shows as the component's latest error."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    message: str


@dataclass(frozen=True, slots=True)
class ReportMetric:
    """An update of a metric that the Java side registered under `name`."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    name: str
    params: Any = None


@dataclass(frozen=True, slots=True)
class Sync:
    """Of a spout: all is said about the latest command."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0


Command = Emit | Ack | AckAll | Fail | Log | ReportError | ReportMetric | Sync
