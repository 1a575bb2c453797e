"""Finding: the directories with the most calls, and with the most failures.

For Hazelcast it is the structure, for Pravega the segment, for Storm the component and its stream,
for Hama the key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.report._findings.charts import BARS, Bar
from jvmwire.report._findings.finding import (
    KEPT,
    TOO_FEW,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._findings.groups import Group, ranked, rows
from jvmwire.report._formatting import number, plural, share
from jvmwire.report._labels import sanitize_label
from jvmwire.report._traffic import Traffic, count, totals, undercount

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAJORITY = 0.5
"""Share of calls, or of failures, from which a directory is named for them."""

SAME_CALLS = 0.99
"""Share of a directory's calls in one directory below it from which only that one is listed."""

NOUNS = {
    "hadoop": ("directory", "directories"),
    "hazelcast": ("structure", "structures"),
    "pravega": ("segment", "segments"),
    "pravega-early": ("segment", "segments"),
    "storm": ("component", "components"),
    "hama": ("key", "keys"),
}
"""The object of a call in the words of each protocol, in singular and plural."""


@dataclass(frozen=True, slots=True)
class DirectoriesData:
    """Totals by directory."""

    noun: str
    directories: tuple[Bar, ...]


def find_directories(traffic: Traffic) -> Finding | None:
    """Find the directory that most calls, or most failures, are in; None if calls have none."""
    table = traffic.directories
    every: dict[str, Group] = {}
    for row in rows(table, "target"):
        for text in _with_parents(row["target"] or ""):
            every.setdefault(text, Group(text)).add(row)
    every.pop(OTHERS_LABEL, None)
    if not every:
        return None
    calls = count(table)
    listed = _listed(every)
    protocol = totals(traffic.foreground, "protocol")
    known = protocol[0].key[0] if protocol else None
    noun, nouns = NOUNS.get(known or "", NOUNS["hadoop"])
    failed = sum(group.failed for text, group in every.items() if not _parent(text))
    busiest = _deepest(every, calls, lambda group: group.calls) or listed[0]
    culprit = _deepest(every, failed, lambda group: group.failed) if failed >= TOO_FEW else None
    majority = busiest.calls >= MAJORITY * calls
    labels = labels_of(traffic)
    return Finding(
        kind="directories",
        question=f"Which {noun}?",
        sentence=_sentence(busiest, culprit, calls, failed, (noun, nouns), len(listed), labels),
        severity=Severity.NOTICE
        if calls >= TOO_FEW and len(listed) > 1 and (majority or culprit)
        else Severity.INFO,
        details=(_detail(listed, calls, noun, undercount(table)),),
        clock=clock_of(traffic),
        data=DirectoriesData(noun, _bars(listed, calls)),
    )


def _parent(text: str) -> str | None:
    """Return the directory above; None for the topmost one."""
    head, slash, tail = text.rpartition("/")
    if not slash or not tail:
        return None
    return head or "/"


def _with_parents(text: str) -> Iterator[str]:
    """Yield a directory and all above it."""
    at: str | None = text
    while at:
        yield at
        at = _parent(at)


def _listed(every: dict[str, Group]) -> list[Group]:
    """Return directories, most calls first, without those with all calls in one below."""
    largest: dict[str, int] = {}
    for text, group in every.items():
        above = _parent(text)
        if above is not None:
            largest[above] = max(largest.get(above, 0), group.calls)
    return ranked(
        group
        for text, group in every.items()
        if text != "/" or not largest.get(text)
        if largest.get(text, 0) < SAME_CALLS * group.calls
    )


def _deepest(every: dict[str, Group], of: int, measure: Callable[[Group], int]) -> Group | None:
    """Return the deepest directory with most of `of` calls."""
    most = [group for group in every.values() if of and measure(group) >= MAJORITY * of]
    most = [group for group in most if group.text != "/"]
    key = lambda group: (-group.text.count("/"), -measure(group), group.text)  # noqa: E731
    return min(most, key=key, default=None)


def _sentence(
    busiest: Group,
    culprit: Group | None,
    calls: int,
    failed: int,
    nouns: tuple[str, str],
    listed: int,
    labels: dict[str | None, str],
) -> str:
    name = sanitize_label(busiest.text)
    what = sanitize_label(labels.get(busiest.method) or str(busiest.method))
    most = "all" if busiest.methods[busiest.method or ""] == busiest.calls else "mostly"
    noun, several = nouns
    if busiest.calls >= MAJORITY * calls:
        part = "All" if busiest.calls == calls else share(busiest.calls, calls)
        verb = "is" if calls == 1 else "are"
        said = f"{part} of {plural(calls, 'call')} with a {noun} {verb} in {name}, {most} {what}"
        if noun != "directory":
            said = f"{part} of {plural(calls, 'call')} {verb} on {name}, {most} {what}"
    else:
        said = (
            f"No {noun} has most of {plural(calls, 'call')}: the busiest of {number(listed)} "
            f"{several} is {name} with {share(busiest.calls, calls)}, {most} {what}"
        )
    if culprit:
        part = "all" if culprit.failed == failed else share(culprit.failed, failed)
        where = "there" if culprit is busiest else f"in {sanitize_label(culprit.text)}"
        said += f"; {part} of {plural(failed, 'failure')} are {where}"
    return f"{said}."


def _bars(listed: Sequence[Group], calls: int) -> tuple[Bar, ...]:
    # Calls of a directory are those of the ones below it, too: no bar is the rest.
    return tuple(Bar(group.text, group.calls, calls) for group in listed[:BARS])


def _detail(listed: Sequence[Group], calls: int, noun: str, missing: int) -> Detail:
    title = f"Calls by {noun}, with those below"
    if missing:
        title += f" (of each, up to {plural(missing, 'call')} more are counted above)"
    columns = (
        Column("directory", noun),
        Column("calls", "calls", Unit.COUNT),
        Column("share", "share", Unit.SHARE),
        Column("failed", "failed", Unit.COUNT),
        Column("write_lock_calls", "write lock", Unit.COUNT),
        Column("mean_us", "mean", Unit.MICROSECONDS),
        Column("max_us", "longest", Unit.MICROSECONDS),
        Column("user", "mostly by", is_key=False),
        Column("method", "mostly", is_key=False),
    )
    return Detail.from_rows(
        title,
        columns,
        (
            (
                group.text,
                group.calls,
                group.calls / calls,
                group.failed,
                group.writes,
                group.mean_us,
                group.latency_max_us,
                group.user,
                group.method,
            )
            for group in listed[:KEPT]
        ),
        every=len(listed),
    )
