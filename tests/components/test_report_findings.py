"""The text of the findings, branch by branch."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from jvmwire.capture._aggregates import SECOND
from jvmwire.report import Capture, ReportSource, Severity, Traffic, find
from kit.traffic import (
    CREATE,
    GET,
    LIST,
    MISSING,
    NOON,
    STANDBY,
    Rows,
    busy_cluster,
    calls,
    repeats,
    traffic,
)

if TYPE_CHECKING:
    from jvmwire.report._findings import Finding

NOTHING = ReportSource()


def ask(kind: str, *parts: Rows, source: ReportSource = NOTHING) -> Finding:
    return next(each for each in find(traffic(*parts), source) if each.kind == kind)


def say(kind: str, *parts: Rows, source: ReportSource = NOTHING) -> str:
    return ask(kind, *parts, source=source).sentence


# Section about the capture.


def test_captures_without_calls_get_one_sentence():
    source = ReportSource((Capture("a.pcap", 24),), streams=2, messages=1)
    (finding,) = find(traffic(), source)
    assert finding.sentence == (
        "The captures hold no calls. (2 connections, 1 message; everything was decoded.)"
    )


def test_the_summary_counts_calls_connections_time_failures_and_what_stayed_unread():
    source = ReportSource(streams=12, undecoded={"too long": 2, "no header": 1}, duration=603.0)
    many = calls(97), calls(3, status="error", error_class=MISSING)
    assert say("summary", *many, source=source) == (
        "100 calls over 12 connections in 10 min 3 s (2 March 2026, 10:00:00 UTC): "
        "3 % failed, 3 pieces could not be decoded."
    )


def test_the_summary_of_a_raw_dump_says_that_there_is_no_clock():
    assert say("summary", calls(5, at=None)) == (
        "5 calls (no clock): none failed, everything was decoded."
    )


def test_the_summary_of_one_call_is_singular():
    source = ReportSource(streams=1, undecoded={"odd": 1}, duration=0.0034)
    assert say("summary", calls(1, status="lost", at=None), source=source) == (
        "1 call over 1 connection in 3.4 ms (no clock): it failed, 1 piece could not be decoded."
    )


# Section about the most active callers.


def test_the_only_call_has_a_caller():
    assert say("callers", calls(1)) == "The only call is getFileInfo, made by alice@10.0.0.7."


def test_three_calls_are_too_few_to_tell_who_calls_most():
    assert say("callers", calls(2), calls(1, user="bob")) == (
        "3 calls are too few to tell; alice@10.0.0.7 made 2."
    )
    assert say("callers", calls(3)) == "3 calls are too few to tell; alice@10.0.0.7 made all 3."


def test_a_lone_caller_makes_all_calls():
    assert say("callers", calls(30), calls(10, name=LIST)) == (
        "alice@10.0.0.7 makes all 40 calls. The most frequent method is getFileInfo (75 %)."
    )


def test_the_busiest_of_several_callers_is_named_with_its_share():
    finding = ask("callers", calls(80), calls(20, user="bob"))
    assert finding.sentence == (
        "alice@10.0.0.7 calls most: 80 % of 100 calls. All of them are getFileInfo."
    )
    assert finding.severity is Severity.NOTICE


def test_among_equals_no_one_stands_out():
    equals = (calls(25, user=f"u{n}") for n in range(4))
    finding = ask("callers", *equals)
    assert finding.sentence == (
        "No one stands out among 4 callers: the busiest, u0@10.0.0.7, makes 25 % of 100 calls. "
        "All of them are getFileInfo."
    )
    assert finding.severity is Severity.INFO


def test_a_user_spread_over_many_hosts_is_named_without_a_host():
    spread = (calls(9, user="etl", client=f"10.0.1.{n}") for n in range(10))
    assert say("callers", *spread, calls(10, user="bob")) == (
        "etl calls most: 90 % of 100 calls, from 10 hosts. All of them are getFileInfo."
    )


def test_a_caller_nothing_is_known_of_is_called_that():
    assert say("callers", calls(1, user=None, client=None)).endswith("made by an unknown caller.")


def test_callers_beyond_the_first_five_are_others():
    many = [calls(10 + n, at=at, user=f"u{n}") for n in range(40) for at in (0, 4)]
    data = ask("callers", *many).data
    assert [layer.label for layer in data.timeline.layers][-1] == "35 others"
    assert len(data.timeline.layers) == 6
    assert sum(sum(layer.calls) for layer in data.timeline.layers) == traffic(*many).count
    assert sum(bar.calls for bar in data.callers) == traffic(*many).count


# Section about failures.


def test_nothing_failed():
    assert say("failures", calls(50)) == "None of 50 calls failed."
    assert say("failures", calls(1)) == "The only call did not fail."


def test_the_only_call_failed():
    assert say("failures", calls(1, status="lost")) == (
        "The only call failed: getFileInfo (no answer)."
    )


def test_one_failure_has_a_moment():
    one = calls(1, at=7, status="error", error_class=MISSING)
    assert say("failures", calls(99), one) == (
        "1 of 100 calls failed: getFileInfo (FileNotFoundException), at 10:00:07."
    )


def test_a_few_failures_lie_between_two_moments():
    few = [calls(1, at=at, status="error", error_class=MISSING) for at in (3, 9)]
    assert say("failures", calls(198), *few) == (
        "1 % of 200 calls failed (2), all as getFileInfo (FileNotFoundException), "
        "between 10:00:03 and 10:00:09."
    )


def test_of_a_handful_of_calls_no_share_is_told():
    assert say("failures", calls(1), calls(2, status="fatal")) == (
        "2 of 3 calls failed, all as getFileInfo (fatal, connection ended)."
    )


def every_second(number: int, *, since: int = 0, until: int = 100, **how: Any) -> list[Rows]:
    return [calls(number, at=at, **how) for at in range(since, until)]


def test_failures_that_began_are_told_since_when():
    failing = every_second(2, since=60, status="error", error_class=STANDBY)
    finding = ask("failures", *every_second(18), *failing)
    assert finding.sentence == (
        "4.3 % of 1,880 calls failed (80), all as getFileInfo (StandbyException); "
        "all came since 10:01:00."
    )
    assert finding.severity is Severity.NOTICE


def test_failures_that_ended_are_told_until_when():
    failing = every_second(9, until=40, status="error", error_class=STANDBY)
    finding = ask("failures", *every_second(10), *failing)
    assert finding.sentence.endswith("; all came by 10:00:39.")
    assert finding.severity is Severity.ALARM


def test_a_burst_of_failures_is_told_from_when_to_when():
    failing = every_second(9, since=30, until=50, status="error", error_class=STANDBY)
    stray = calls(1, at=80, status="error", error_class=STANDBY)
    assert say("failures", *every_second(10), *failing, stray).endswith(
        "; 99.4 % came between 10:00:30 and 10:00:49."
    )


def test_failures_early_and_late_are_told_so():
    early = every_second(9, until=10, status="error", error_class=STANDBY)
    late = every_second(9, since=90, status="error", error_class=STANDBY)
    assert say("failures", *every_second(10), *early, *late).endswith(
        "; all came by 10:00:09 or since 10:01:30."
    )


def test_failures_that_come_evenly_are_spread():
    assert say("failures", *every_second(9), *every_second(1, status="lost")) == (
        "10 % of 1,000 calls failed (100), all as getFileInfo (no answer); "
        "they came when the other calls did."
    )


def test_a_quiet_hour_does_not_make_failures_begin():
    early, late = range(50), range(3600, 3650)
    rows = [calls(9, at=at, width=16) for at in (*early, *late)]
    rows += [calls(1, at=at, width=16, status="lost") for at in (*early, *late)]
    assert say("failures", *rows).endswith("they came when the other calls did.")


def test_the_main_kind_of_failure_is_named_or_the_number_of_kinds():
    missing = calls(60, status="error", error_class=MISSING)
    lost = calls(40, status="lost", name=LIST)
    assert "60 % of them as getFileInfo (FileNotFoundException)" in say("failures", missing, lost)
    kinds = [calls(10, status="error", error_class=f"a.E{n}") for n in range(4)]
    assert "in 4 ways, 25 % of them as getFileInfo (E0)" in say("failures", *kinds)


# Section about retry storms.


def test_without_repeats_and_retries_there_is_no_storm():
    assert say("storms", calls(50)) == (
        "Nothing looks like a retry storm: no call was repeated often, none is a retry."
    )


def test_a_few_retries_are_counted_but_no_storm():
    assert say("storms", calls(50, retries=3)) == (
        "Nothing looks like a retry storm: 3 of 50 calls are retries, no call came back often."
    )
    assert "1 of 50 calls is a retry" in say("storms", calls(50, retries=1))


def test_a_poll_that_succeeds_is_no_storm():
    finding = ask("storms", calls(90), *(repeats(30, at=at, retries=0) for at in range(3)))
    assert finding.sentence == (
        "Nothing looks like a retry storm: the most repeated call is getFileInfo of /a/b, "
        "90 times in 3 s, 30 in the worst second, from 10:00:00, by alice@10.0.0.7, "
        "none of them failed or retried."
    )
    assert finding.severity is Severity.INFO


def test_the_same_call_failing_again_and_again_is_a_storm():
    storm = [repeats(150 + at, at=at + 182, retries=145 + at) for at in range(8)]
    finding = ask("storms", calls(2000), *storm)
    assert finding.sentence == (
        "alice@10.0.0.7 asked getFileInfo of /a/b 1,228 times in 8 s, 157 in the worst second, "
        "from 10:03:02; "
        "97 % of them failed or were retries."
    )
    assert finding.severity is Severity.ALARM


def test_a_pause_of_more_than_eight_seconds_ends_a_run():
    runs = ask("storms", *(repeats(9, at=at) for at in (0, 1, 8, 18, 19)), calls(50)).data.runs
    assert [(run.calls, run.start - NOON) for run in runs] == [(27, 0)]
    runs = ask("storms", *(repeats(19, at=at, retries=19) for at in (0, 1, 11, 12)), calls(50))
    assert [(run.calls, run.start - NOON) for run in runs.data.runs] == [
        (38, 0),
        (38, 11 * SECOND),
    ]
    assert "1 more run looks like it." in runs.sentence


def test_of_many_runs_the_largest_are_shown_and_the_others_counted():
    storms = [repeats(40 + n, at=n, target=f"/{n}", retries=40 + n) for n in range(205)]
    polls = [repeats(400, at=at, target=f"/poll/{n}") for n in range(30) for at in (0, 90)]
    finding = ask("storms", calls(90), *storms, *polls)
    assert finding.sentence.endswith("204 more runs look like it.")
    (detail,) = finding.details
    assert [row[-1] for row in detail.rows] == [f"/{n}" for n in range(204, 4, -1)]
    assert detail.left_out == 5 + 30


def test_a_storm_without_a_clock_has_no_time():
    assert say("storms", calls(90, at=None), repeats(90, at=None, retries=90, target=None)) == (
        "alice@10.0.0.7 asked getFileInfo 90 times; all of them failed or were retries."
    )


def test_retries_over_many_paths_are_a_storm_too():
    retried = every_second(10, until=20, name=CREATE, retries=9)
    assert say("storms", *every_second(10), *retried) == (
        "alice@10.0.0.7 asked create of many targets 200 times in 20 s, 10 in the worst second, "
        "from 10:00:00; "
        "90 % of them were retries."
    )


# All findings together.


def test_ten_million_calls_are_told_with_the_alarms_first():
    busy = busy_cluster(10_000_000, width=8)
    found = find(Traffic.from_table(busy), ReportSource(streams=12, duration=600.0))
    assert [each.kind for each in found[:3]] == ["summary", "storms", "slowness"]
    said = {each.kind: each.sentence for each in found}
    assert said["summary"].startswith("10 million calls over 12 connections in 10 min (2 March")
    assert said["callers"].startswith("etl calls most: 57 % of 10 million calls, from 4 hosts.")
    assert "its median is 6." in said["slowness"]
    assert "(FileNotFoundException)" in said["failures"]
    assert said["storms"].startswith(
        "bob@10.0.0.8 asked getFileInfo of /warehouse/sales/2026/03/02/_SUCCESS"
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_matter(seed):
    rows = [*calls(5), *calls(5, user="bob"), *calls(7, at=9, name=LIST, status="lost")]
    rows += repeats(9) + repeats(9, user="bob")
    shuffled = rows.copy()
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    assert find(traffic(shuffled), NOTHING) == find(traffic(rows), NOTHING)


def test_of_two_methods_with_one_name_the_rarer_is_told_in_full():
    both = calls(1, name="AdminProtocol.getFileInfo") + calls(2, name=GET)
    labels = [method.label for method in ask("slowness", both).data.overview]
    assert sorted(labels) == ["AdminProtocol.getFileInfo", "getFileInfo"]
