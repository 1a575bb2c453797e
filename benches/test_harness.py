"""The measurement of rivals in `benches`, and the figures derived from it."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from benches import criterion, html_report, kept_results
from benches.harness import FEWEST, Measurement, PreparedRun, Target, compare
from benches.markdown_report import HEAD, RESULTS, aim, rows
from benches.statistics import Match
from kit.environment import ROOT


@pytest.fixture
def benchmark(benchmark: Any) -> Any:
    """pytest-benchmark's fixture, also where tests run side by side: no time is measured here."""
    benchmark.disabled = False
    return benchmark


class Rivals:
    """Two rivals that record their runs; the oracle is the input itself."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, int]] = []
        self.answer: Any = lambda given: given

    def __getitem__(self, name: str) -> Any:
        def ready(given: int) -> PreparedRun:
            def run() -> Measurement:
                self.ran.append((name, given))
                return Measurement(1, 0.002 if name == "theirs" else 0.001, 0.001)

            return PreparedRun(run, lambda: self.answer(given))

        return ready

    def compete(self, benchmark: Any, **how: Any) -> None:
        compare(
            benchmark,
            {"ours": self["ours"], "theirs": self["theirs"]},
            inputs=lambda random: int(random.integers(1 << 62)),
            check=lambda given, answer: answer == given,
            unit="value",
            work="nothing",
            rounds=FEWEST,
            **how,
        )


def test_rivals_run_forth_and_back_each_round_on_an_input_of_its_own(benchmark):
    rivals = Rivals()
    rivals.compete(benchmark)
    names = [name for name, _ in rivals.ran]
    assert names == ["ours", "theirs", *(["theirs", "ours", "ours", "theirs"] * 4)][: len(names)]
    assert len(names) == 2 * (1 + FEWEST)  # one for the warm-up
    given = [given for _, given in rivals.ran]
    assert given[::2] == given[1::2]
    assert len(set(given)) == 1 + FEWEST
    assert len(benchmark.extra_info["rivals"]["theirs"]) == FEWEST


def test_a_rival_with_another_answer_than_the_oracle_ends_the_duel(benchmark):
    rivals = Rivals()
    rivals.answer = lambda given: given + 1
    with pytest.raises(AssertionError, match="ours is not what the oracle says"):
        rivals.compete(benchmark)
    benchmark.pedantic(lambda: None)  # a requested fixture has to be used


def match(ours: list[float], theirs: list[float], **how: Any) -> Match:
    rivals = {"ours": ours, "theirs": theirs}
    about: dict[str, Any] = {"section": "", "place": "", "work": "", "unit": "value"}
    return Match(
        rivals={
            name: [Measurement(10, cost, cost) for cost in costs] for name, costs in rivals.items()
        },
        **about | how,
    )


def test_a_ratio_is_that_of_neighbouring_rounds_with_its_quartiles():
    noisy = match([1.0, 2.0, 3.0, 4.0, 50.0], [2.0, 4.0, 9.0, 12.0, 200.0], paired=True)
    assert noisy.ratio("theirs", "cpu") == pytest.approx((3.0, 2.0, 3.0))
    assert noisy.shown("ours", "cpu").median == pytest.approx(0.3e9)


def test_rounds_that_are_no_pairs_are_all_compared_with_each_other():
    apart = match([1.0, 2.0], [2.0, 4.0], paired=False)
    assert apart.ratio("theirs", "cpu").median == 2.0


def test_what_is_aimed_at_is_missed_by_less():
    even = match([1.0, 1.0], [2.0, 2.0], paired=True)
    assert even.reached(Target("theirs", times=2))
    assert not even.reached(Target("theirs", times=2.1))
    slower = match([17e-8, 17e-8], [10e-8, 10e-8], paired=True)
    assert slower.reached(Target("theirs", within_ns=7.1))
    assert not slower.reached(Target("theirs", within_ns=6.9))


def test_one_of_two_ways_is_enough_to_reach_what_is_aimed_at():
    clients = Target("theirs", times=3, by="wall", alternative="clients")
    socket = Target("ours", times=1, alternative="socket")
    held = match([1.0, 1.0], [2.0, 2.0], paired=True, targets=[clients, socket])
    assert aim(held, "theirs") == "3x by wall: not needed"
    held = match([1.0, 1.0], [2.0, 2.0], paired=True, targets=[clients])
    assert aim(held, "theirs") == "3x by wall: **missed**"
    held = match([1.0, 1.0], [4.0, 4.0], paired=True, targets=[clients])
    assert aim(held, "theirs") == "3x by wall: reached"


def of_memory(peaks: list[float], unit: str, most: float) -> Match:
    """Return a duel of rounds of ten units with these peaks; the limit is per unit."""
    rounds = [Measurement(10, 0.001, 0.001, peak) for peak in peaks]
    return Match(
        section="What is kept",
        place="",
        work="keep",
        unit=unit,
        rivals={"ours": rounds},
        paired=True,
        targets=[Target("ours", at_most=most)],
    )


def test_memory_of_each_has_a_limit_of_its_own():
    kept = of_memory([25_300.0, 25_300.0], "call", most=4096)
    assert kept.measure == "bytes a call"
    assert str(kept.shown("ours", "cpu")) == "2,530 (2,530 to 2,530)"
    assert aim(kept, "ours") == "at most 4,096: reached"
    assert aim(of_memory([41_000.0, 41_000.0], "call", 4096), "ours") == "at most 4,096: **missed**"
    expected = (
        "| keep | none | 2,530 bytes a call | 2,530 to 2,530 | at most 4,096: reached | A |  |"
    )
    assert [*rows(kept, "A")] == [expected]


def test_memory_for_many_bytes_is_told_by_the_byte():
    decoded = of_memory([30e6, 30e6], "MB", most=4)
    assert decoded.measure == "bytes a byte"
    assert str(decoded.shown("ours", "cpu")) == "3 (3 to 3)"
    assert aim(decoded, "ours") == "at most 4: reached"


def test_a_rate_is_aimed_at_without_a_rival():
    target = Target("ours", at_least=200)
    quick = match([0.04, 0.04], [1.0, 1.0], paired=True, unit="MB", targets=[target])
    assert aim(quick, "ours") == "at least 200: reached"
    assert quick.room(target).median == pytest.approx(1.25)
    slow = match([0.06, 0.06], [1.0, 1.0], paired=True, unit="MB", targets=[target])
    assert aim(slow, "ours") == "at least 200: **missed**"
    [row] = [line for line in rows(slow, "A") if "missed" in line]
    assert "| none | 167 MB/s | 167 to 167 |" in row


def test_results_are_one_small_file_with_lines_of_one_form():
    text = (ROOT / RESULTS).read_text()
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.count(" | ") for line in lines} == {HEAD[0].count(" | ")}
    assert len(text.encode()) <= 64 * 1024


def test_rows_that_are_not_measured_again_stay_as_they_are():
    text = (ROOT / RESULTS).read_text()
    before, kept = kept_results.read(text)
    assert kept_results.merge(kept, {}) == kept
    assert kept_results.letter(before, before["machine A"]) == "A"
    assert kept_results.letter({}, "a machine") == "A"
    new = kept_results.letter(before, "another machine")
    assert f"machine {new}" not in before
    section, subjects = next(iter(kept.items()))
    subject = next(iter(subjects))
    merged = kept_results.merge(kept, {section: {subject: ["| new |"]}, "New": {"x": ["| x |"]}})
    assert merged[section] == subjects | {subject: ["| new |"]}
    assert list(merged) == [*kept, "New"]
    told = [("machine Z", "another machine"), (kept_results.LOAD, "99.0 to 99.5")]
    shown = list(kept_results.conditions(before, told))
    assert f"- machine A: {before['machine A']}" in shown
    assert any(line.startswith(f"- {kept_results.LOAD}: 0.2 to 99.5") for line in shown)


def test_the_page_shows_a_limit_without_a_rival():
    shown = html_report.written([of_memory([20_480.0, 20_480.0], "call", most=4096)], [], "")
    assert "at most 4,096 bytes a call" in shown
    assert "2x: 2,048 bytes a call" in shown


def left_by_criterion(target: Path, costs: dict[str, float]) -> None:
    """Write files as criterion does for a group with these contenders."""
    for name, cost in costs.items():
        directory = target / "varint-decode_small" / name / "new"
        directory.mkdir(parents=True)
        about = {
            "group_id": "varint-decode/small",
            "function_id": name,
            "throughput": {"Elements": 10},
        }
        sample = {"iters": [1.0, 2.0], "times": [cost, 2 * cost]}
        (directory / "benchmark.json").write_bytes(orjson.dumps(about))
        (directory / "sample.json").write_bytes(orjson.dumps(sample))


def test_what_criterion_leaves_becomes_a_match(tmp_path, monkeypatch):
    left_by_criterion(tmp_path, {"prost": 4000.0, "portable": 2000.0, "avx2": 1000.0})
    monkeypatch.setattr(criterion, "TARGET", tmp_path)
    [made] = criterion.matches()
    assert list(made.rivals) == ["jvmwire, avx2", "jvmwire, portable", "prost"]
    assert made.shown("jvmwire, avx2", "cpu").median == pytest.approx(100)
    assert made.ratio("prost", "cpu").median == pytest.approx(4)
    assert aim(made, "prost") == "2x: reached"


def test_the_highest_level_stands_for_us_and_more_is_aimed_at_with_avx512(tmp_path, monkeypatch):
    costs = {"prost": 5000.0, "portable": 4000.0, "avx2": 900.0, "avx512": 1000.0}
    left_by_criterion(tmp_path, costs)
    monkeypatch.setattr(criterion, "TARGET", tmp_path)
    [made] = criterion.matches()
    assert made.ours == "jvmwire, avx512"
    assert aim(made, "prost") == "6x: **missed**"
