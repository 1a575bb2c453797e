"""Lazy loading of the public names of a package."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # importing `typing` itself takes time
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def lazy_exports(package: str, **modules: str) -> Callable[[str], Any]:
    """Return a module `__getattr__` for `package` that imports each name on first use.

    Each keyword is a public name, with the submodule that defines it as the value.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = import_module(f"{package}.{modules[name]}")
        except AttributeError as error:
            # `from package import name` would hide it, and say that there is no such name.
            raise ImportError(f"{package}.{modules[name]} cannot be loaded: {error}") from error
        found = getattr(module, name)
        setattr(sys.modules[package], name, found)
        return found

    return load
