"""Generator of benches/RESULTS.md and of a page of plots from all measurements.

PYTHONPATH=tests python -m benches.markdown_report

pytest-benchmark leaves its files in build/bench, criterion in target/criterion. Of a benchmark that
was run more than once, the last run counts: so parts may be measured one by one.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from benches import criterion, html_report
from benches.harness import Measurement, Target
from benches.statistics import Match, bound
from kit.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS = Path("build", "bench")
RESULTS = Path("benches", "RESULTS.md")
PAGE = Path("benches", "RESULTS.html")
PACKAGES = (
    "jvmwire",
    "cython",
    "mutf8",
    "leb128",
    "varint",
    "pyarrow",
    "numpy",
    "pyspark",
    "dpkt",
    "pravega",
)
CRATES = ("prost", "varint-simd", "simd_cesu8", "cesu8", "tokio-util")

GUARDS = """\
Made by `make bench`; `make bench B=varint` measures one part anew. In a duel the rivals run in
turn, forth and back (ABBA), after a round to warm up, on inputs that are made from a seed for each
round; what they made of them is compared with an oracle after the clocks have stopped. What memory
was freed stays with the process, so that nobody pays by chance for fresh pages; but what CPython
takes for small objects it gives back whenever it can, and who makes many pays for that. Who cuts
chunks into frames does so in a process of its own, behind a chunk that it has dropped. A figure is
the median of all rounds, with the quartiles behind it; a ratio is that of neighbouring rounds. CPU
is that of all threads and processes that took part. Under "Rust", criterion ran the contenders one
after the other, and ratios are of all pairs. What is aimed at is compared with the ratio by CPU,
or by wall where it says so; "at most" and "at least" are of our own figure; "not needed" is one of
two ways, of which the other is reached."""


def from_python() -> Iterator[Match]:
    """Read the duels that pytest-benchmark recorded."""
    last: dict[str, dict[str, Any]] = {}
    runs = [orjson.loads(path.read_bytes()) for path in RUNS.glob("*.json")]
    for run in sorted(runs, key=lambda run: run["datetime"]):
        for bench in run["benchmarks"]:
            if "rivals" in bench["extra_info"]:
                last[bench["fullname"]] = bench["extra_info"] | {"date": run["datetime"][:10]}
    for place in sorted(last):
        told = last[place]
        yield Match(
            section=_section(place),
            place=place,
            work=told["work"],
            unit=told["unit"],
            rivals={
                name: [Measurement(**one) for one in rounds]
                for name, rounds in told["rivals"].items()
            },
            paired=True,
            targets=[Target(**target) for target in told["targets"]],
            few_because=told["few_because"],
            told={name: str(told[name]) for name in ("date", "level", "load", "seed")},
        )


def _section(place: str) -> str:
    """Return the first line of the benchmark's module docstring."""
    source = (ROOT / place.partition("::")[0]).read_text()
    return (ast.get_docstring(ast.parse(source)) or place).partition("\n")[0].rstrip(".")


def table(match: Match) -> Iterator[str]:
    """Write the work of one duel, and the cost of each contender."""
    how = ["cpu", "wall"] if match.has_wall and not match.of_memory else ["cpu"]
    names = {"cpu": "by CPU", "wall": "by wall"}
    rounds = f"{len(match.rivals[match.ours])} rounds each"
    if match.few_because:
        rounds += f", because {match.few_because}"
    figures = [match.measure] if match.of_memory else [f"{match.measure} {names[h]}" for h in how]
    ratios = ["of ours"] if match.of_memory else [f"jvmwire is, {names[h]}" for h in how]
    yield from [f"### {match.work}", "", f"`{match.place}`, {rounds}.", ""]
    yield f"| | {' | '.join([*figures, *ratios])} | aimed at |"
    yield f"| --- |{' ---: |' * (len(figures) + len(ratios))} --- |"
    for name in match.rivals:
        cells = [str(match.shown(name, one)) for one in how]
        if name != match.ours:
            cells += [f"**{match.ratio(name, one).of_unit('x')}**" for one in how]
        else:
            cells += ["" for _ in how]
        yield f"| {name} | {' | '.join(cells)} | {aim(match, name)} |"
    yield ""


def aim(match: Match, name: str) -> str:
    """Return the target of a contender or relative to it, and whether it is reached."""
    return "; ".join(verdict(match, one) for one in match.targets if one.rival == name)


def verdict(match: Match, target: Target) -> str:
    """Return the target, and whether it is reached."""
    if match.reached(target):
        found = "reached"
    else:
        found = "not needed" if match.spared(target) else "**missed**"
    if limit := bound(target):
        return f"{limit}: {found}"
    if target.within_ns is not None:
        more = match.more_ns(target.rival, target.by).median
        return f"at most {target.within_ns:g} ns more: {more:+.1f}, {found}"
    by = " by wall" if target.by == "wall" else ""
    return f"{target.times:.3g}x{by}: {found}"


def aims(matches: list[Match]) -> Iterator[str]:
    """Summarize all targets."""
    yield from ["| | beside | jvmwire is | aimed at |", "| --- | --- | ---: | --- |"]
    for match in matches:
        for target in match.targets:
            if bound(target):
                beside = "none"
                found = match.shown(target.rival, target.by).of_unit(f" {match.measure}")
            else:
                beside = target.rival
                found = match.ratio(target.rival, target.by).of_unit("x")
            yield f"| {match.work} | {beside} | {found} | {verdict(match, target)} |"
    yield ""


def conditions(matches: list[Match]) -> Iterator[str]:
    """Return the place, time and circumstances of the measurement."""
    told = [match.told for match in matches if match.told]
    yield f"- {machine()}"
    for name, title in (("date", "measured"), ("level", "kernels"), ("seed", "seeds")):
        yield f"- {title}: {', '.join(sorted({one[name] for one in told}))}"
    loads = [float(one["load"]) for one in told]
    if loads:
        yield f"- load of the machine before a duel: {min(loads):.1f} to {max(loads):.1f}"
    yield f"- {versions()}"
    yield ""


def machine() -> str:
    """Describe the machine, without names of hosts or users."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        "an unknown processor",
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"{os.cpu_count()} cores of {model}, {memory:.0f} GB, Linux {os.uname().release}"


def versions() -> str:
    """Return the versions of the programs that took part."""
    java = subprocess.run(
        ["java", "-version"], capture_output=True, text=True, check=False
    ).stderr.partition("\n")[0]
    found = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    locked = (ROOT / "Cargo.lock").read_text().split("[[package]]\n")
    crates = dict(line.split('"')[1::2][:2] for line in locked[1:])
    found += [f"{name} {crates[name]}" for name in CRATES]
    return ", ".join([f"Python {sys.version.split()[0]}", *found, java])


def main() -> None:
    """Write the results."""
    matches = [*from_python(), *criterion.matches()]
    lines = ["# Measured", "", *GUARDS.splitlines(), "", *conditions(matches)]
    lines += ["## What is aimed at", "", *aims(matches)]
    for section, held in groupby(matches, key=lambda match: match.section):
        lines += [f"## {section}", ""]
        for match in held:
            lines += table(match)
    RESULTS.write_text("\n".join(lines).rstrip() + "\n")
    PAGE.write_text(html_report.written(matches, list(conditions(matches)), GUARDS))
    print(RESULTS)
    print(PAGE)


if __name__ == "__main__":
    main()
