"""Tables of the fields of dataclasses, made from the sections of their docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

SECTION = re.compile(r"(Args|Attributes):$")
FIELD = re.compile(r"    (\w+): (.*)$")


def replace_sections(
    _app: object, what: str, _name: str, found: Any, _options: object, lines: list[str]
) -> None:
    """Replace the section of fields in the docstring of a dataclass by a table.

    Args:
        what: The kind of the object.
        found: The object.
        lines: The lines of its docstring, which are changed.
    """
    if what != "class" or not inspect.isclass(found) or not dataclasses.is_dataclass(found):
        return
    fields = {field.name: field for field in dataclasses.fields(found)}
    begin = next((n for n, line in enumerate(lines) if SECTION.match(line)), None)
    if begin is None:
        return
    end = begin + 1
    described: dict[str, list[str]] = {}
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith("    ")):
        if matched := FIELD.match(lines[end]):
            described[matched[1]] = [matched[2]]
        elif lines[end].strip() and described:
            described[list(described)[-1]].append(lines[end].strip())
        end += 1
    table = [".. list-table::", "   :header-rows: 1", "   :widths: 20 20 60", ""]
    table += ["   * - field", "     - type and default", "     - meaning"]
    for name, text in described.items():
        table += [f"   * - ``{name}``", f"     - {_type(fields.get(name))}"]
        table += [f"     - {' '.join(text)}"]
    lines[begin:end] = [*table, ""]


def _type(field: dataclasses.Field[Any] | None) -> str:
    if field is None:
        return ""
    written = isinstance(field.type, str)
    kind = field.type if written else inspect.formatannotation(field.type)
    if isinstance(field.default, (bool, int, float, str, bytes, type(None))):
        return f"``{kind}`` = ``{field.default!r}``"
    return f"``{kind}``"
