"""Conversion of docstrings, which write code in single backticks, to reStructuredText."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from typing import Any

from site_generator.reference_names import exported, home_modules, public_modules

CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)(?=(\w?))")
NAME = re.compile(r"[A-Za-z_][\w.]*(\(\))?$")


def process_docstring(
    _app: object, _what: str, name: str, _found: Any, _options: object, lines: list[str]
) -> None:
    """Convert the docstring of an object.

    Args:
        name: The full name of the object.
        lines: The lines of its docstring, which are changed.
    """
    lines[:] = convert("\n".join(lines), name).split("\n")


def convert(text: str, place: str) -> str:
    """Return a docstring with its code marked as literals and as links to public objects.

    Args:
        text: The docstring.
        place: The full name of its object, by which the nearest of several objects of one name is
            chosen.
    """

    def code(matched: re.Match[str]) -> str:
        target = _target(matched[1], place) if NAME.match(matched[1]) else None
        after = "\\ " if matched[2] else ""
        if target:
            return f":py:obj:`{matched[1]} <{target}>`{after}"
        return f"``{matched[1]}``{after}"

    return CODE.sub(code, text)


def module_docstring(module: str) -> list[str]:
    """Return the lines of a module's docstring; a drawing of a tree becomes a literal block.

    Args:
        module: The name of the module.
    """
    lines: list[str] = []
    for paragraph in (inspect.getdoc(importlib.import_module(module)) or "").split("\n\n"):
        rows = paragraph.splitlines()
        if any(row.startswith("  ") for row in rows) and not rows[0].startswith("- "):
            lines += ["::", "", *(f"    {row}" for row in rows), ""]
        else:
            lines += [*convert(paragraph, module).splitlines(), ""]
    return lines


@functools.cache
def _targets() -> dict[str, list[str]]:
    """Return the full names of all described objects, by their last part."""
    homes = home_modules()
    found: dict[str, list[str]] = {}
    for module in public_modules():
        for name in exported(module):
            public = getattr(importlib.import_module(module), name)
            if homes.get(id(public)) == module:
                found.setdefault(name, []).append(f"{module}.{name}")
    return found


def _target(written: str, place: str) -> str | None:
    """Return the object that a name in a docstring means: the one nearest to its place."""
    first, _, rest = written.removesuffix("()").partition(".")
    candidates = _targets().get(first, [])
    if not candidates or place.endswith(f".{first}"):
        return None
    shared = {path: _shared(path, place) for path in candidates}
    best = max(candidates, key=lambda path: shared[path])
    if shared[best] < 2 and len(candidates) > 1:
        return None
    return f"{best}.{rest}" if rest else best


def _shared(path: str, place: str) -> int:
    count = 0
    for one, other in zip(path.split("."), place.split("."), strict=False):
        if one != other:
            break
        count += 1
    return count
