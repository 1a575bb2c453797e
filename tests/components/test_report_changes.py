"""What changed when: bursts of calls, of failures and of slow calls, and steady traffic."""

import pytest

from jvmwire.capture._aggregates import SECOND
from jvmwire.report import Finding, ReportSource, Traffic, find
from kit.scale import seeded
from kit.traffic import MISSING, NOON, calls, jobs, table


def ask(*rows) -> Finding | None:
    findings = find(Traffic.from_table(table(*rows)), ReportSource())
    return next((each for each in findings if each.kind == "changes"), None)


def steady(seconds: int = 60, seed: int = 1):
    """Return calls at a rate with the scatter of chance."""
    chance = seeded(seed)
    return [
        calls(sum(chance.random() < 0.05 for _ in range(1000)), at=at, took=[900, 1100])
        for at in range(seconds)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_steady_traffic_has_no_change(seed: int) -> None:
    finding = ask(*steady(120, seed))
    assert finding is not None
    assert finding.sentence.startswith("Nothing changed")
    assert (finding.details, finding.severity) == ((), "calm")


def test_a_burst_of_a_user_has_its_time_and_its_rate() -> None:
    burst = [calls(400, at=at, user="mallory") for at in (20, 21, 22)]
    finding = ask(*steady(), *burst)
    assert finding is not None
    rows = {row[0]: row[1:] for row in finding.details[0].rows}
    within, share, first, last, times = rows["calls of user mallory"]
    assert (within, share, times) == (1200, 1.0, None)
    assert (first, last) == (NOON + 20 * SECOND, NOON + 23 * SECOND)
    within, _, first, last, times = rows["calls"]
    assert (first, last) == (NOON + 20 * SECOND, NOON + 23 * SECOND)
    assert within >= 1200
    assert 7 < times < 12
    assert finding.severity == "calm"


def test_slow_calls_come_before_other_changes() -> None:
    slow = [calls(60, at=at, took=50_000) for at in (40, 41)]
    burst = [calls(900, at=10, user="mallory")]
    finding = ask(*steady(), *slow, *burst)
    assert finding is not None
    assert finding.sentence.startswith(
        "All of the 120 calls longer than 10 ms came within 2 s from 10:00:40; "
    )
    assert finding.severity == "notice"


def test_failures_are_compared_with_the_calls_and_not_with_the_time() -> None:
    usual = [calls(5, at=at, status="error", error_class=MISSING) for at in range(60)]
    more = [calls(450, at=30), calls(50, at=30, status="error", error_class=MISSING)]
    finding = ask(*steady(), *usual, *more)
    assert finding is not None
    assert not [row for row in finding.details[0].rows if row[0] == "failures"]
    finding = ask(*steady(), *usual, calls(200, at=30, status="error", error_class=MISSING))
    assert finding is not None
    assert finding.sentence.startswith("41 % of the 500 failures came within 1 s from 10:00:30, ")


def test_a_job_is_named_for_readers() -> None:
    burst = [jobs(400, "evil\x1bjob", at=at) for at in (20, 21)]
    finding = ask(*steady(), *burst, *[jobs(2, "evil\x1bjob", at=at) for at in range(60)])
    assert finding is not None
    names = [row[0] for row in finding.details[0].rows]
    assert [name for name in names if "job evil" in name and "\x1b" not in name]


def test_too_few_calls_or_times_say_nothing() -> None:
    assert ask(calls(1000, at=0), calls(1000, at=3)) is None
    assert ask(*(calls(1, at=at) for at in range(10))) is None
    assert ask(calls(1000, at=None)) is None
