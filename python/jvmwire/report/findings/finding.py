"""What a finding is made of: a question, its answer in a sentence, and the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from jvmwire.report.naming import method_labels
from jvmwire.report.wording import Clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.report.traffic import Traffic


TOO_FEW = 10
"""With fewer calls than this nobody is busiest and nothing is slow: we say so."""

ROWS = 20
"""Rows of a table of detail; the rest is counted."""


class Severity(StrEnum):
    """How much a finding wants to be looked at."""

    CALM = "calm"
    NOTICE = "notice"
    ALARM = "alarm"


class Unit(StrEnum):
    """What a column's values are, and so how they are written."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"
    BYTES = "bytes"
    MICROSECONDS = "microseconds"
    MOMENT = "moment"
    RATIO = "ratio"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of detail."""

    key: str
    title: str
    unit: Unit = Unit.TEXT


@dataclass(frozen=True, slots=True)
class Detail:
    """A table under a finding. Its values are raw: names are as hostile as the wire."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    left_out: int = 0
    """Rows there were no room for."""

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[tuple[Any, ...]],
        *,
        every: int | None = None,
    ) -> Detail:
        """Keep the first `ROWS` of `rows`; of `every` one, if `rows` are only the first."""
        given = tuple(rows)
        count = len(given) if every is None else every
        return cls(title, tuple(columns), given[:ROWS], max(0, count - ROWS))


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question."""

    kind: str
    question: str
    sentence: str
    severity: Severity
    details: tuple[Detail, ...]
    clock: Clock | None
    data: Any
    """What its plots are drawn from; a dataclass of the module that found it."""


def labels_of(traffic: Traffic) -> dict[str | None, str]:
    """Name the methods in short; of two with one name, the one called more has it."""
    return method_labels(total.key[0] for total in traffic.methods)


def clock_of(traffic: Traffic) -> Clock | None:
    """Make the clock that says this traffic's moments; None if it has none."""
    return None if traffic.ends is None else Clock(*traffic.ends)
