"""Data types of findings: a question, its answer in a sentence, and the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from jvmwire.report._formatting import Clock
from jvmwire.report._labels import method_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.report._traffic import Traffic


TOO_FEW = 10
"""Number of calls below which findings make no statistical statement and say so."""

ROWS = 20
"""Rows of a detail table that the page shows at once."""

KEPT = 200
"""Maximum rows of a detail table, which the page shows on request; further rows are counted."""


class Severity(StrEnum):
    """The severity of a finding, in ascending order."""

    INFO = "calm"
    NOTICE = "notice"
    ALARM = "alarm"


class Unit(StrEnum):
    """The unit of a column's values, which determines their format."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"
    BYTES = "bytes"
    MICROSECONDS = "microseconds"
    MOMENT = "moment"
    RATIO = "ratio"
    RATE = "rate"
    """Calls per second."""
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a detail table."""

    key: str
    title: str
    unit: Unit = Unit.TEXT
    is_key: bool = True
    """Whether a text tells rows apart; others describe their row, such as its usual method."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail table of a finding, with raw values: names are untrusted data from the wire."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    left_out: int = 0
    """Number of rows that were left out."""
    where: str | None = None
    """Condition that all calls of the table meet, beyond the texts of a row."""

    @classmethod
    def from_rows(
        cls,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[tuple[Any, ...]],
        *,
        every: int | None = None,
        where: str | None = None,
    ) -> Detail:
        """Return a table of the first `KEPT` rows; `every` is their full number if it differs."""
        given = tuple(rows)
        count = len(given) if every is None else every
        kept = given[:KEPT]
        return cls(title, tuple(columns), kept, max(0, count - len(kept)), where)


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question of the report.

    Args:
        kind: Identifier of the question, such as `callers`, `slowness`, `failures` or `storms`.
        question: The question, as the page shows it.
        sentence: The answer, with names escaped and cut.
        severity: The severity of the answer.
        details: Tables with the numbers of the answer.
        clock: The format of moments; None without timestamps.
        data: The data of the plots: a dataclass of the module that made the finding.
    """

    kind: str
    question: str
    sentence: str
    severity: Severity
    details: tuple[Detail, ...]
    clock: Clock | None
    data: Any
    """The data of the finding's plots: a dataclass of the module that made the finding."""


def labels_of(traffic: Traffic) -> dict[str | None, str]:
    """Return short labels of the methods; a label shared by two goes to the busier."""
    return method_labels(total.key[0] for total in traffic.methods)


def clock_of(traffic: Traffic) -> Clock | None:
    """Return the clock that formats the moments of this traffic; None without timestamps."""
    return None if traffic.ends is None else Clock(*traffic.ends)
