"""Generator of benches/RESULTS.md and of build/RESULTS.html, a page of plots.

PYTHONPATH=tests python -m benches.markdown_report

pytest-benchmark leaves its files in build/bench, criterion in target/criterion. Of a benchmark that
was run more than once, the last run counts: so parts may be measured one by one. Rows of
RESULTS.md whose benchmarks were not run stay as they are.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from benches import criterion, html_report, kept_results
from benches.harness import Measurement, Target
from benches.statistics import Match, bound
from kit.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS = Path("build", "bench")
RESULTS = Path("benches", "RESULTS.md")
PAGE = Path("build", "RESULTS.html")
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

HEAD = (
    "| subject | baseline | ratio | spread | target | machine | date |",
    "| --- | --- | ---: | --- | --- | --- | --- |",
)

GUARDS = """\
`make bench` writes this page; `make bench B=varint` measures one part again and leaves the other
lines. The same command writes plots of the costs of all subjects to `build/RESULTS.html`.

Each line compares jvmwire with one baseline. The ratio is the cost of the baseline divided by the
cost of jvmwire: 2 means that jvmwire costs half. It is the median of the ratios of neighbouring
rounds. The spread is the range of the quartiles. Costs are the CPU time of all threads and
processes that take part, or peak memory. A target "by wall" is about elapsed time. If the baseline
is "none", the figure is the cost of jvmwire. "Not needed" marks a target with an alternative that
is reached.

Subjects run in turn, forward and backward (ABBA), after a warm-up round, on inputs that are
generated from a seed for each round. An oracle compares their results after the clocks have
stopped. Freed memory stays with the process, so that no subject pays by chance for fresh pages.
CPython returns the memory of small objects whenever it can, and a subject that makes many of them
pays for that. A subject that splits chunks into frames runs in a separate process, after a chunk
that it has dropped. In the sections "Rust", criterion runs the subjects one after the other, and
ratios are of all pairs."""


def from_python() -> Iterator[Match]:
    """Read the comparisons that pytest-benchmark recorded."""
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


def rows(match: Match, machine: str) -> Iterator[str]:
    """Yield one line for each comparison of a benchmark, and for each target of jvmwire itself."""
    date = match.told.get("date", "")
    for name in match.rivals:
        targets = [target for target in match.targets if target.rival == name]
        if name != match.ours and not targets:
            yield row(match, name, str(match.ratio(name, "cpu")), "", machine, date)
        for target in targets:
            if bound(target):
                baseline = "none"
                found = match.shown(name, target.by).of_unit(f" {match.measure}")
            else:
                baseline, found = name, str(match.ratio(name, target.by))
            yield row(match, baseline, found, verdict(match, target), machine, date)


def row(match: Match, baseline: str, found: str, target: str, machine: str, date: str) -> str:
    """Return one line of the table."""
    figure, _, spread = found.partition(" (")
    spread, _, unit = spread.partition(")")
    return (
        f"| {match.work} | {baseline} | {figure}{unit} | {spread} | {target} | {machine} | {date} |"
    )


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


def conditions(matches: list[Match], letter: str) -> Iterator[tuple[str, str]]:
    """Yield the place, time and circumstances of the measurement, each with its name."""
    told = [match.told for match in matches if match.told]
    yield f"machine {letter}", machine(matches)
    for name, title in (("date", "measured"), ("seed", "seeds")):
        yield title, ", ".join(sorted({one[name] for one in told}))
    loads = [float(one["load"]) for one in told]
    if loads:
        yield kept_results.LOAD, f"{min(loads):.1f} to {max(loads):.1f}"
    yield "versions", versions()


def machine(matches: list[Match]) -> str:
    """Describe the machine and the kernels it runs, without names of hosts or users."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        "an unknown processor",
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    level = ", ".join(sorted({match.told["level"] for match in matches if match.told}))
    return (
        f"{os.cpu_count()} cores of {model} with {level}, {memory:.0f} GB, "
        f"Linux {os.uname().release}"
    )


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
    before, kept = kept_results.read(RESULTS.read_text() if RESULTS.exists() else "")
    letter = kept_results.letter(before, machine(matches))
    new: kept_results.Sections = {}
    for match in matches:
        new.setdefault(match.section, {})[match.work] = [*rows(match, letter)]
    told = [*conditions(matches, letter)]
    lines = ["# Measured", "", *GUARDS.splitlines(), "", *kept_results.conditions(before, told), ""]
    for section, subjects in kept_results.merge(kept, new).items():
        lines += [f"## {section}", "", *HEAD]
        lines += [line for held in subjects.values() for line in held]
        lines.append("")
    PAGE.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines).rstrip() + "\n")
    PAGE.write_text(html_report.written(matches, [f"- {name}: {it}" for name, it in told], GUARDS))
    print(RESULTS)
    print(PAGE)


if __name__ == "__main__":
    main()
