"""Text of commands and events in the log `jvmwire.wire`, without stored or sent bytes.

A type with its own `repr` decides itself, as Hadoop's messages do, whose secrets are hidden. Other
values are shown as they are, but bytes only by their number.
"""

from __future__ import annotations

import dataclasses
from typing import Any

_MAX_DEPTH = 16
"""Maximum nesting depth of shown values (chosen by jvmwire)."""


class Described:
    """A command or an event as an argument of a log record, described when it is formatted."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __str__(self) -> str:
        return describe(self.value)

    __repr__ = __str__


def describe(value: Any, *, depth: int = 0) -> str:
    """Return the `repr` of a value, with `<n bytes>` in the place of bytes."""
    kind = type(value)
    if depth > _MAX_DEPTH:
        return "..."
    if isinstance(value, bytes | bytearray | memoryview) and kind.__module__ == "builtins":
        size = value.nbytes if isinstance(value, memoryview) else len(value)
        return f"<{size} bytes>"
    inner = depth + 1
    if kind is list:
        return f"[{', '.join(describe(each, depth=inner) for each in value)}]"
    if kind is tuple:
        comma = "," if len(value) == 1 else ""
        return f"({', '.join(describe(each, depth=inner) for each in value)}{comma})"
    if kind is dict:
        pairs = (
            f"{describe(key, depth=inner)}: {describe(held, depth=inner)}"
            for key, held in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):  # a NamedTuple
        return _of_fields(value, kind._fields, inner)
    if dataclasses.is_dataclass(value) and _shows_fields(kind):
        shown = [field.name for field in dataclasses.fields(value) if field.repr]
        return _of_fields(value, shown, inner)
    return repr(value)


def _of_fields(value: Any, names: Any, depth: int) -> str:
    fields = (f"{name}={describe(getattr(value, name), depth=depth)}" for name in names)
    return f"{type(value).__qualname__}({', '.join(fields)})"


def _shows_fields(kind: Any) -> bool:
    """Return whether a dataclass has the generated `repr`."""
    return hasattr(kind.__repr__, "__wrapped__") and kind.__dataclass_params__.repr
