"""The public modules, their names, and the module that describes each object."""

from __future__ import annotations

import functools
import importlib
import inspect
from pathlib import Path

import jvmwire

PACKAGE = Path(jvmwire.__path__[0])


def public_modules() -> list[str]:
    """Return the names of the modules that have no underscore in any part of their names."""
    names = []
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if not any(part.startswith("_") for part in name.split(".")):
            names.append(name)
    return sorted(names)


def exported(module: str) -> list[str]:
    """Return the public names of a module, in alphabetical order."""
    return sorted(getattr(importlib.import_module(module), "__all__", []))


@functools.cache
def home_modules() -> dict[int, str]:
    """Return the module that describes each object that has a page, by the `id` of the object.

    An object that several modules export is described in the one with the most specific name;
    the others refer to it.
    """
    homes: dict[int, str] = {}
    for module in sorted(public_modules(), key=lambda name: (-name.count("."), name)):
        for name in exported(module):
            found = getattr(importlib.import_module(module), name)
            if inspect.isclass(found) or inspect.isroutine(found):
                homes.setdefault(id(found), module)
    return homes
