"""Measurements that criterion made of the crates and left in `target/criterion`.

Its groups run one contender after the other, so their rounds are not paired; it measures CPU time.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

from benches.harness import Measurement, Target
from benches.statistics import Match

TARGET = Path("target", "criterion")

_RIVALS = ("tokio-util", "varint-simd", "prost", "simd_cesu8", "cesu8", "one-by-one", "memcpy")
_LEVELS = ("portable", "avx2", "avx512")
"""Levels of the kernels in ascending order; the highest one stands for jvmwire."""
_OF_TEXTS = {
    "ascii": ("memcpy", {"portable": 0.85}),
    "latin": ("simd_cesu8", {"portable": 1.2}),
    "greek": ("simd_cesu8", {"portable": 1.2}),
    "cjk": ("simd_cesu8", {"portable": 1.05}),
    "emoji": ("cesu8", {"portable": 1.3, "avx512": 4.0}),
}
_AIMS = {
    f"varint-decode/{sizes}": ("prost", {"portable": 1.2, "avx2": 2.0, "avx512": 6.0})
    for sizes in ("uniform", "small")
} | {f"mutf8-{way}/{of}": aim for way in ("decode", "encode") for of, aim in _OF_TEXTS.items()}
"""The rival of a group's target, and the factors aimed at, from which level on."""
_UNITS = {"frames": "frame", "mutf8-short": "text"}
"""The unit of a group that does not count values."""
_NANOSECONDS = 1e-9


def matches() -> list[Match]:
    """Read all existing groups."""
    benches = [_read(path.parent) for path in sorted(TARGET.glob("*/*/new/benchmark.json"))]
    benches.sort(key=lambda bench: bench["group_id"])
    return [_match(*group) for group in groupby(benches, key=lambda bench: bench["group_id"])]


def _read(directory: Path) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name in ("benchmark", "sample"):
        read |= orjson.loads((directory / f"{name}.json").read_bytes())
    return read


def _match(group: str, benches: Any) -> Match:
    contenders = {bench["function_id"]: bench for bench in benches}
    ordered = sorted(contenders, key=_rank)
    [kind] = {next(iter(bench["throughput"])) for bench in contenders.values()}
    what, _, of = group.partition("/")
    return Match(
        section=f"Rust: {what}",
        place=f"cargo bench -p jvmwire-codec -- '{group}/'",
        work=f"{what}, {of}",
        unit="MB" if kind == "Bytes" else _UNITS.get(what, "value"),
        rivals={
            name if name in _RIVALS else f"jvmwire, {name}": _rounds(contenders[name])
            for name in ordered
        },
        paired=False,
        has_wall=False,
        targets=_targets(group, ordered[0]),
    )


def _targets(group: str, highest: str) -> list[Target]:
    """Return the targets where `highest` is the highest existing level."""
    if group not in _AIMS:
        return []
    rival, by_level = _AIMS[group]
    reached = _LEVELS[: _LEVELS.index(highest) + 1]
    return [Target(rival, times=[by_level[level] for level in reached if level in by_level][-1])]


def _rank(name: str) -> tuple[bool, int, str]:
    level = max((rank for rank, level in enumerate(_LEVELS) if name.endswith(level)), default=-1)
    return name in _RIVALS, -level, name


def _rounds(bench: dict[str, Any]) -> list[Measurement]:
    [(kind, amount)] = bench["throughput"].items()
    amount /= 1e6 if kind == "Bytes" else 1
    return [
        Measurement(amount, 0.0, taken / times * _NANOSECONDS)
        for times, taken in zip(bench["iters"], bench["times"], strict=True)
    ]
