"""Slow calls and the start of slowness: quantiles, rises, and the text about them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from jvmwire._core import LatencySketch
from jvmwire.capture._aggregates import SECOND
from jvmwire.report import ReportSource, Severity, find
from jvmwire.report._findings.change_point import MIN_POINTS_PER_SIDE, find_change_point
from jvmwire.report._thresholds import DEFAULTS
from kit.traffic import GET, LIST, NOON, Rows, calls, sketched, traffic

if TYPE_CHECKING:
    from jvmwire.report._findings import Finding

RISE = DEFAULTS.rise_ratio


def ask(*parts: Rows) -> Finding:
    found = find(traffic(*parts), ReportSource())
    return next(each for each in found if each.kind == "slowness")


def noisy(typical: float, number: int, chance: random.Random) -> list[int]:
    return [round(typical * chance.lognormvariate(0, 0.8)) for _ in range(number)]


def series(*typical: float, name: str = GET, number: int = 30, seed: int = 1) -> list[Rows]:
    """Make one bucket per second, each with its typical latency."""
    chance = random.Random(seed)  # noqa: S311
    return [
        calls(number, at=at, name=name, took=noisy(each, number, chance))
        for at, each in enumerate(typical)
    ]


def test_a_call_that_was_never_answered_has_no_time():
    assert ask(calls(1, status="lost")).sentence == (
        "The only call was not answered, so there is no time to tell."
    )
    assert ask(calls(40, status="lost")).sentence == (
        "None of 40 calls was answered, so there is no time to tell."
    )


def test_a_lone_answer_is_told_to_the_microsecond():
    finding = ask(calls(1, took=3_437))
    assert finding.sentence == "The only answered call, getFileInfo, took 3.4 ms."
    (method,) = finding.data.overview
    assert (method.p50, method.p99, method.maximum) == (3_437, 3_437, 3_437)


def test_three_answers_are_too_few_to_tell():
    assert ask(calls(2, took=900), calls(1, name=LIST, took=34_000)).sentence == (
        "3 answered calls are too few to tell; the longest took 34 ms (getListing)."
    )


def test_a_p99_of_few_calls_is_not_told():
    assert ask(calls(12, took=900)).sentence == (
        "No method was answered 20 times, too few for a p99; "
        "the longest call took 900 µs (getFileInfo); no lasting rise over time."
    )


def test_the_slowest_method_is_the_one_with_the_highest_p99():
    finding = ask(calls(5_000, took=900), calls(50, name=LIST, took=212_000), calls(3, name="A.b"))
    assert finding.sentence == (
        "getListing is slowest: p99 212 ms over 50 calls; no lasting rise over time."
    )
    assert finding.severity is Severity.INFO


def test_a_slow_method_that_was_called_for_a_while_only_is_told_when():
    others = series(*[900] * 60)
    while_ = [calls(40, at=at, name=LIST, took=70_000) for at in (31, 32)]
    stray = calls(1, at=50, name=LIST, took=900)
    assert ask(*others, *while_, stray).sentence == (
        "getListing is slowest: p99 70 ms over 81 calls, nearly all of them between 10:00:31 and "
        "10:00:32; no lasting rise over time."
    )


def test_without_a_clock_nothing_is_said_of_when():
    assert ask(calls(50, at=None, took=900)).sentence == (
        "getFileInfo is the only method: p99 900 µs over 50 calls; "
        "without a clock, nothing says since when."
    )


def test_a_rise_is_found_in_the_very_bucket_it_was_put_in():
    finding = ask(*series(*[9_000] * 37, *[55_000] * 23, name=LIST), *series(*[800] * 60))
    assert finding.sentence.startswith("getListing is slowest: p99 ")
    assert "; since 10:00:37 its median is 6." in finding.sentence
    assert finding.sentence.endswith("x what it was before.")
    assert finding.severity is Severity.ALARM


def test_a_rise_of_a_method_that_is_not_the_slowest_is_told_too():
    finding = ask(*series(*[900] * 30, *[4_000] * 30), *series(*[90_000] * 60, name=LIST))
    assert "getListing is slowest" in finding.sentence
    assert "with no lasting rise; but since 10:00:30 getFileInfo's median is 4." in finding.sentence


def test_a_rise_of_the_p99_alone_is_found():
    chance = random.Random(5)  # noqa: S311
    parts = [
        calls(
            200,
            at=at,
            took=noisy(900, 190, chance) + noisy(40_000 if at >= 24 else 900, 10, chance),
        )
        for at in range(40)
    ]
    (found,) = [history.rise for history in ask(*parts).data.histories]
    assert (found.measure, found.since) == ("p99", NOON + 24 * SECOND)


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_no_rise(seed):
    assert ask(*series(*[2_000] * 60, seed=seed)).sentence.endswith("no lasting rise over time.")


def test_a_burst_that_passes_is_no_lasting_rise():
    finding = ask(*series(*[900] * 25, *[9_000] * 10, *[900] * 25))
    assert finding.sentence.endswith("no lasting rise over time.")


def test_growing_faster_is_no_rise():
    assert ask(*series(*[9_000] * 30, *[900] * 30)).sentence.endswith("no lasting rise over time.")


def test_a_rise_needs_enough_points_on_both_sides():
    assert (
        find_change_point([100.0] * MIN_POINTS_PER_SIDE + [1000.0] * MIN_POINTS_PER_SIDE, RISE)
        == MIN_POINTS_PER_SIDE
    )
    assert (
        find_change_point(
            [100.0] * MIN_POINTS_PER_SIDE + [1000.0] * (MIN_POINTS_PER_SIDE - 1), RISE
        )
        is None
    )
    assert find_change_point([], RISE) is None


def test_a_rise_by_less_than_half_is_none():
    assert find_change_point([100.0] * 50 + [140.0] * 50, RISE) is None
    assert find_change_point([100.0] * 50 + [160.0] * 50, RISE) == 50


def test_a_quantile_is_at_most_a_sixteenth_more_than_the_time():
    chance = random.Random(3)  # noqa: S311
    times = sorted(round(chance.lognormvariate(8, 1)) for _ in range(5_001))
    latencies = sketched(times, [1] * len(times))
    for q in (0.5, 0.9, 0.99):
        exact = times[int(q * 5_001)]
        assert exact <= latencies.quantile(q) <= exact * 17 / 16
    assert latencies.quantile(1) == times[-1]


def test_latencies_that_are_pooled_are_those_of_all_calls_in_whatever_order():
    chance = random.Random(4)  # noqa: S311
    parts = [sketched(noisy(typical, 100, chance), [1] * 100) for typical in (90, 8_000, 700_000)]
    packed = [part.pack() for part in parts]
    [there], [back] = (
        LatencySketch.pool(pa.array(some), (0, 3)) for some in (packed, packed[::-1])
    )
    assert there.bins() == back.bins()
    assert (there.calls, there.longest) == (back.calls, back.longest) == (300, parts[-1].longest)
    assert [parts[0].above(-1), there.above(90_000), there.above(10**9)] == [100, 100, 0]


def test_what_is_no_packed_sketch_is_refused():
    with pytest.raises(ValueError, match="not a packed sketch of latencies"):
        LatencySketch.pool(pa.array([b""]), (0, 1))
    with pytest.raises(TypeError, match="an array of binary is needed"):
        LatencySketch.pool(pa.array([1]), (0, 1))


def test_latencies_are_pooled_between_bounds():
    packed = pa.array([sketched([took], [1]).pack() for took in (5, 6, 7)])
    pooled = LatencySketch.pool(packed, (0, 0, 2, 3))
    assert [pool.bins() for pool in pooled] == [[], [(5, 1), (6, 1)], [(7, 1)]]
    assert LatencySketch.pool(packed, ()) == LatencySketch.pool(packed, (3,)) == []
    for bounds in ((0, 4), (2, 1)):
        with pytest.raises(ValueError, match="bounds go up, to 3 at most"):
            LatencySketch.pool(packed, bounds)


def test_no_quantile_exceeds_the_longest():
    latencies = sketched([1_001], [3])
    assert latencies.quantile(0.99) == 1_001


def test_empty_sketch_quantile_is_zero():
    assert LatencySketch().quantile(0.5) == 0


# All calls over time.


def test_the_heat_map_counts_every_answered_call_once():
    rows = [calls(40 + at, at=at, took=[100 * (1 + at), 9_000]) for at in range(0, 200, 2)]
    finding = ask(*rows, calls(7, at=3, status="lost"), calls(9, at=5, pace="waits"))
    cells = finding.data.heat
    assert sum(map(sum, cells.columns)) == sum(40 + at for at in range(0, 200, 2))
    assert len(cells.columns) <= 60
    assert all(len(column) == len(cells.columns[0]) for column in cells.columns)
    assert cells.p99[0] is not None
    assert 9_000 <= cells.p99[0] <= 9_000 * 17 / 16
    [every] = [each for each in finding.details if each.title.startswith("Percentiles")]
    assert every.rows[0][0] == sum(map(sum, cells.columns))
    assert every.rows[0][-1] == 19_900


def test_columns_of_the_heat_map_without_calls_have_no_median():
    cells = ask(calls(90, at=0), calls(90, at=3)).data.heat
    assert cells.p50[1:3] == (None, None)
    assert sum(cells.columns[1]) == 0


def test_few_calls_and_one_second_have_no_heat_map():
    assert ask(calls(50, at=0), calls(49, at=3)).data.heat is None
    assert ask(calls(500, at=0)).data.heat is None
    assert ask(calls(500, at=None)).data.heat is None
