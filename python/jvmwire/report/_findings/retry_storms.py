"""Finding: retry storms, which are repeated calls that fail or are retried."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import OTHERS_LABEL, SECOND
from jvmwire.report._findings.finding import (
    KEPT,
    ROWS,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._findings.groups import most_common
from jvmwire.report._findings.repeated_calls import BucketSlice, Runs
from jvmwire.report._formatting import Clock, duration, number, plural, share
from jvmwire.report._labels import caller, sanitize_label
from jvmwire.report._traffic import Traffic, having, plain, sort_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DRAWN = 5

SHARE_OF_JOB = 0.8
"""Share of the calls of a user and method, while a run lasts, from which a job is named for it."""


@dataclass(frozen=True, slots=True)
class RepeatedRun:
    """Repetitions of the same call without a long pause."""

    user: str | None
    client: str | None
    name: str | None
    label: str
    """The label of the method."""
    target: str | None
    slices: tuple[BucketSlice, ...]
    worst_second: int | None
    """The most calls in a clock second; None if they were counted in longer buckets."""
    is_storm: bool = False
    """Whether the run looks like a retry storm."""
    scattered: bool = False
    """Whether the run consists of retries on many targets, each too rare to be a repeat."""
    job: str | None = None
    """The job that makes nearly all calls of this user and method in the time of the run."""

    @property
    def calls(self) -> int:
        """Number of calls."""
        return sum(part.calls for part in self.slices)

    @property
    def retries(self) -> int:
        """Number of calls that failed or were retries."""
        return sum(part.retries for part in self.slices)

    @property
    def start(self) -> int | None:
        """Time of the first call in microseconds; None without a clock."""
        return min((part.first for part in self.slices if part.first is not None), default=None)

    @property
    def end(self) -> int | None:
        """Time of the last call in microseconds; None without a clock."""
        return max((part.last for part in self.slices if part.last is not None), default=None)

    @property
    def duration(self) -> int | None:
        """Microseconds from the first call to the last; None without a clock."""
        return None if self.start is None or self.end is None else self.end - self.start

    @property
    def what(self) -> str:
        """A short text for the call: getFileInfo of /a/b."""
        of = (
            " of many targets"
            if self.scattered
            else f" of {sanitize_label(self.target)}"
            if self.target
            else ""
        )
        return f"{sanitize_label(self.label)}{of}"


@dataclass(frozen=True, slots=True)
class StormsData:
    """The runs to draw: storms if there are any, else the most repeated calls."""

    runs: tuple[RepeatedRun, ...]
    storms: int


def find_storms(traffic: Traffic) -> Finding:
    """Find callers that repeat the same call without success."""
    labels = labels_of(traffic)
    limits = traffic.thresholds
    repeated = Runs(traffic.repeats, "user", "client", "name", "target", thresholds=limits)
    storming = {repeated.key(run)[:3] for run in repeated.storms}
    # A failover makes a client retry everything, each path once: there are no repeats, but a storm.
    methods = [method.key[0] for method in traffic.methods if method.retries]
    calls = having(traffic.calls, "name", methods)
    retried = Runs(calls, "user", "client", "name", thresholds=limits, retried=limits.storm_share)
    scattered = [run for run in retried.storms if retried.key(run) not in storming]
    storms = len(repeated.storms) + len(scattered)
    runs = [
        *(_run(repeated, run, labels, storm=True) for run in repeated.storms[:KEPT]),
        *(_run(retried, run, labels, storm=True, scattered=True) for run in scattered[:KEPT]),
    ]
    runs = sorted(runs, key=lambda run: (-run.calls, _identity(run)))[:KEPT]
    # A job is looked for in all rows: the page shows those of the first runs.
    runs = [*(_of_job(run, traffic) for run in runs[:ROWS]), *runs[ROWS:]]
    runs += (_run(repeated, run, labels) for run in repeated.longest[: KEPT - len(runs)])
    clock = clock_of(traffic)
    return Finding(
        kind="storms",
        question="What looks like a retry storm?",
        sentence=_sentence(traffic, runs, storms, clock),
        severity=Severity.ALARM if storms else Severity.INFO,
        details=(_detail(runs, storms + len(repeated.longest)),) if runs else (),
        clock=clock,
        data=StormsData(tuple(runs[: min(storms, DRAWN) or 3]), storms),
    )


def _sentence(
    traffic: Traffic, runs: Sequence[RepeatedRun], storms: int, clock: Clock | None
) -> str:
    if storms:
        worst = runs[0]
        failed = "all" if worst.retries == worst.calls else share(worst.retries, worst.calls)
        how = "were retries" if worst.scattered else "failed or were retries"
        more = f" {plural(storms - 1, 'more run looks', 'more runs look')} like it." * (storms > 1)
        return f"{_describe(worst, clock)}; {failed} of them {how}.{more}"
    nothing = "Nothing looks like a retry storm"
    retries = traffic.retries
    if runs:
        return (
            f"{nothing}: the most repeated call is {runs[0].what}, "
            f"{number(runs[0].calls)} times{_span(runs[0], clock)}, "
            f"by {sanitize_label(caller(runs[0].user, runs[0].client))}, "
            f"{'none' if not runs[0].retries else share(runs[0].retries, runs[0].calls)} "
            f"of them failed or retried."
        )
    of = plural(traffic.count, "call")
    if retries:
        verb = "is a retry" if retries == 1 else "are retries"
        return f"{nothing}: {number(retries)} of {of} {verb}, no call came back often."
    return f"{nothing}: no call was repeated often, none is a retry."


def _describe(run: RepeatedRun, clock: Clock | None) -> str:
    name = sanitize_label(caller(run.user, run.client))
    if run.job is not None:
        name += f" (job {sanitize_label(run.job)})"
    return f"{name} asked {run.what} {number(run.calls)} times{_span(run, clock)}"


def _span(run: RepeatedRun, clock: Clock | None) -> str:
    if run.start is None or run.duration is None or clock is None:
        return ""
    at = clock.moment(run.start)
    if not run.duration:
        return f" at once, at {at}"
    worst = "" if run.worst_second is None else f", {number(run.worst_second)} in the worst second"
    return f" in {duration(run.duration)}{worst if run.duration > SECOND else ''}, from {at}"


def _run(
    runs: Runs,
    number: int,
    labels: Mapping[str | None, str],
    *,
    storm: bool = False,
    scattered: bool = False,
) -> RepeatedRun:
    user, client, name, *rest = runs.key(number)
    [target] = rest or [None]
    label = labels.get(name) or str(name)
    slices, worst_second = runs.slices(number), runs.worst_second(number)
    return RepeatedRun(user, client, name, label, target, slices, worst_second, storm, scattered)


def _of_job(run: RepeatedRun, traffic: Traffic) -> RepeatedRun:
    """Return the run with its job: repeats are counted without one, jobs without a target."""
    start, end = run.start, run.end
    if start is None or end is None:
        return run
    jobs: Counter[str] = Counter()
    table = having(having(traffic.contexts, "name", [run.name]), "user", [run.user])
    table = table.select(["context", "bucket", "first", "last", "calls"])
    for row in plain(table).to_pylist():
        if row["first"] is not None and row["first"] <= end and start <= row["last"]:
            jobs[row["context"]] += row["calls"]
    job = most_common(jobs)
    made = traffic.calls
    made = having(having(made, "name", [run.name]), "user", [run.user])
    spans = plain(made.select(["first", "last", "calls"])).to_pylist()
    every = sum(
        row["calls"]
        for row in spans
        if row["first"] is not None and row["first"] <= end and start <= row["last"]
    )
    is_alone = job is not None and jobs[job] >= SHARE_OF_JOB * max(every, run.calls)
    return replace(run, job=job if is_alone and job != OTHERS_LABEL else None)


def _identity(run: RepeatedRun) -> tuple[tuple[bool, object], ...]:
    return sort_key((run.user, run.client, run.name, run.target, run.start))


def _detail(runs: Sequence[RepeatedRun], every: int) -> Detail:
    columns = (
        Column("user", "user"),
        Column("client", "host"),
        Column("calls", "calls", Unit.COUNT),
        Column("share_retried", "failed, retried", Unit.SHARE),
        Column("first", "from", Unit.MOMENT),
        Column("duration_us", "for", Unit.MICROSECONDS),
        Column("worst_second", "worst second", Unit.COUNT),
        Column("storm", "storm", Unit.FLAG),
        Column("job", "job"),
        Column("method", "method"),
        Column("target", "of"),
    )
    return Detail.from_rows(
        "Repeated calls",
        columns,
        (
            (
                run.user,
                run.client,
                run.calls,
                run.retries / run.calls,
                run.start,
                run.duration,
                run.worst_second,
                run.is_storm,
                run.job,
                run.name,
                "(many)" if run.scattered else run.target,
            )
            for run in runs
        ),
        every=every,
    )
