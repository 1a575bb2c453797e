"""What criterion measured of the crates, as it left it in `target/criterion`.

Its groups run one contender after the other, so their rounds are no pairs; it measures CPU time.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

from benches.duel import Round
from benches.measured import Match

TARGET = Path("target", "criterion")

_RIVALS = ("tokio-util", "varint-simd", "prost", "simd_cesu8", "cesu8", "one-by-one", "memcpy")
_LEVELS = ("portable", "bmi2", "avx2")
"""The last is the highest: it stands for us."""
_UNITS = {"frames": "frame", "mutf8-short": "text"}
"""What a group counts that counts no values."""
_NANOSECONDS = 1e-9


def matches() -> list[Match]:
    """Read all groups that are there."""
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
    )


def _rank(name: str) -> tuple[bool, int, str]:
    level = max((rank for rank, level in enumerate(_LEVELS) if name.endswith(level)), default=-1)
    return name in _RIVALS, -level, name


def _rounds(bench: dict[str, Any]) -> list[Round]:
    [(kind, amount)] = bench["throughput"].items()
    amount /= 1e6 if kind == "Bytes" else 1
    return [
        Round(amount, 0.0, taken / times * _NANOSECONDS)
        for times, taken in zip(bench["iters"], bench["times"], strict=True)
    ]
