"""Rows of RESULTS.md that an earlier run measured, and that the present one leaves as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Sections = dict[str, dict[str, list[str]]]
"""The lines of the tables by section and subject."""

LOAD = "load of the machine before a comparison"
"""The condition that is a range of numbers."""


def read(text: str) -> tuple[dict[str, str], Sections]:
    """Return the conditions and the rows of a page.

    Args:
        text: The page.

    Returns:
        Texts of the conditions by their names; and the rows.
    """
    conditions: dict[str, str] = {}
    sections: Sections = {}
    held: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("- ") and ": " in line:
            name, _, value = line[2:].partition(": ")
            conditions[name] = value
        elif line.startswith("## "):
            held = sections.setdefault(line[3:], {})
        elif line.startswith("| ") and not line.startswith(("| ---", "| subject |")):
            held.setdefault(line.split(" | ")[0][2:], []).append(line)
    return conditions, sections


def merge(old: Sections, new: Sections) -> Sections:
    """Return the rows of both, those of `new` in place of older ones of the same subject."""
    return {name: old.get(name, {}) | new.get(name, {}) for name in [*old, *new]}


def letter(conditions: dict[str, str], machine: str) -> str:
    """Return the name of a machine in the tables: a new letter unless the page describes it."""
    known = {
        name.removeprefix("machine "): described
        for name, described in conditions.items()
        if name.startswith("machine ")
    }
    for name, described in known.items():
        if described == machine:
            return name
    return chr(max(map(ord, known), default=ord("A") - 1) + 1)


def conditions(old: dict[str, str], new: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of the conditions of both runs."""
    both = dict(old)
    for name, value in new:
        before = both.get(name)
        if before is not None and name == LOAD:
            loads = [float(found) for found in re.findall(r"[\d.]+", f"{before} {value}")]
            value = f"{min(loads):.1f} to {max(loads):.1f}"
        elif before is not None and name in ("measured", "seeds"):
            value = ", ".join(sorted({*before.split(", "), *value.split(", ")}))
        both[name] = value
    machines = sorted(name for name in both if name.startswith("machine "))
    for name in [*machines, *(name for name in both if name not in machines)]:
        yield f"- {name}: {both[name]}"
