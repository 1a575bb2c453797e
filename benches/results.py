"""Turn what pytest-benchmark measured into benches/RESULTS.md.

pytest benches --benchmark-only --benchmark-json=FILE
python -m benches.results FILE
"""

from __future__ import annotations

import importlib.metadata
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import orjson

RESULTS = Path(__file__).with_name("RESULTS.md")
PACKAGES = ("jvmwire", "pyspark", "pyarrow", "dpkt", "numpy")


class Spread(NamedTuple):
    """The median of some rounds, and the range of them all."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        """Sum up the values of all rounds."""
        return cls(statistics.median(values), min(values), max(values))

    def __str__(self) -> str:
        return f"{_figure(self.median)} ({_figure(self.low)} to {_figure(self.high)})"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(bench: dict[str, Any]) -> list[str]:
    """Write what one duel was about, and each rival's rate beside ours."""
    told = bench["extra_info"]
    unit, rivals = told["unit"], told["rivals"]
    ours = next(iter(rivals))
    lines = [
        f"## {told['work']}",
        "",
        f"`{bench['fullname']}`, {len(rivals[ours]['rounds'])} rounds each, in turn.",
        "",
        f"| | {unit} a run | {unit}/s | {unit} a second of CPU | jvmwire by wall | by CPU |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    rates = {
        name: {
            how: [rival["amount"] / max(one[how], 1e-9) for one in rival["rounds"]]
            for how in ("wall", "cpu")
        }
        for name, rival in rivals.items()
    }
    for name, rival in rivals.items():
        wall, cpu = Spread.of(rates[name]["wall"]), Spread.of(rates[name]["cpu"])
        ratios = [
            # Round by round: neighbours in time had the same noise.
            Spread.of([o / r for o, r in zip(rates[ours][how], rates[name][how], strict=True)])
            for how in ("wall", "cpu")
        ]
        times = ["", ""] if name == ours else [f"**{ratio}x**" for ratio in ratios]
        lines.append(f"| {name} | {rival['amount']:.0f} | {wall} | {cpu} | {' | '.join(times)} |")
    if told["target"]:
        lines += ["", f"Aimed at: {told['target']}x the last one."]
    return [*lines, ""]


def machine() -> str:
    """Say what it ran on, without names of hosts or users."""
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
    """Name the versions of what took part."""
    java = subprocess.run(
        ["java", "-version"], capture_output=True, text=True, check=False
    ).stderr.partition("\n")[0]
    found = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    return ", ".join([f"Python {sys.version.split()[0]}", *found, java])


def main() -> None:
    """Write the results of the JSON file that the command line names."""
    run = orjson.loads(Path(sys.argv[1]).read_bytes())
    duels = [bench for bench in run["benchmarks"] if "rivals" in bench["extra_info"]]
    lines = [
        "# Measured",
        "",
        "Made by `make bench`: `benches/results.py` writes this file. A figure is the median of",
        "all rounds, with the least and the most behind it; a ratio is that of neighbouring",
        "rounds. CPU is that of all processes that took part, the JVM and Spark's Python workers",
        "included. Inputs are made by `benches/amplify.py` of the recording that `jvmwire demo`",
        "shows; what the rivals read of them was compared, row by row or by a hash of all rows.",
        "",
        f"- {run['datetime'][:10]}, {machine()}",
        f"- load before: {os.getloadavg()[2]:.1f} (15 minutes)",
        f"- {versions()}",
        "",
    ]
    for bench in sorted(duels, key=lambda bench: bench["fullname"], reverse=True):
        lines += table(bench)
    RESULTS.write_text("\n".join(lines).rstrip() + "\n")
    sys.stdout.write(f"{RESULTS}\n")


if __name__ == "__main__":
    main()
