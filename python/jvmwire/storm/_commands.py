"""Commands that a component sends to Storm."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class Level(enum.IntEnum):
    """Level of a log message (ShellMsg.ShellLogLevel)."""

    TRACE = 0
    DEBUG = 1
    INFO = 2
    WARN = 3
    ERROR = 4


class MetricKind(enum.StrEnum):
    """Aggregation of the values of a metric since it was last read.

    `COUNT` is the sum of whole numbers, `MEAN` the mean of numbers, `VALUE` the last
    value, of any type.
    """

    COUNT = "count"
    MEAN = "mean"
    VALUE = "value"


@dataclass(slots=True)  # these are not frozen: creating one would take twice as long
class Emit:
    """Emits a tuple."""

    idempotent: ClassVar[bool] = False

    values: Sequence[Any]
    stream: str | None = None
    anchors: Sequence[str] = ()
    """The ids of the tuples that fail if this one does; for bolts."""
    task: int | None = None
    """The task that receives the tuple: a direct emit."""
    id: Any = None
    """A JSON value that Storm passes to ack or fail; None for an untracked tuple; for spouts."""
    need_task_ids: bool = False

    @property
    def expected_replies(self) -> int:
        # Direct emits never have a reply.
        return int(self.need_task_ids and self.task is None)


@dataclass(slots=True)
class Ack:
    """Acks a tuple, which was processed."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    id: str


@dataclass(slots=True)
class AckAll:
    """Acks tuples; those that were acked or failed before are skipped."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    ids: list[str]


@dataclass(frozen=True, slots=True)
class Fail:
    """Fails a tuple, which could not be processed."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    id: str


@dataclass(frozen=True, slots=True)
class Log:
    """Writes a line to the worker's log."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    message: str
    level: Level = Level.INFO


@dataclass(frozen=True, slots=True)
class ReportError:
    """Reports an error, which Storm shows as the component's latest one."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    message: str


@dataclass(frozen=True, slots=True)
class ReportMetric:
    """Updates a metric that was registered on the Java side under `name`."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    name: str
    params: Any = None


def check_metric(name: str, kind: MetricKind, value: Any) -> None:
    """Raise `TypeError` if a metric does not take a value; Storm would end the worker."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is MetricKind.COUNT and value is not None and not (number and isinstance(value, int)):
        raise TypeError(f"the metric {name!r} counts whole numbers, got {value!r}")
    if kind is MetricKind.COUNT and value is not None and not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"the metric {name!r} counts numbers of 64 bits, got {value!r}")
    if kind is MetricKind.MEAN and not number:
        raise TypeError(f"the metric {name!r} is the mean of numbers, got {value!r}")


@dataclass(frozen=True, slots=True)
class Sync:
    """Ends a spout's output for the latest command."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0


Command = Emit | Ack | AckAll | Fail | Log | ReportError | ReportMetric | Sync
