"""Lazy loading of the public names of a package."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing `typing` itself takes time
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def lazy_exports(package: str, **modules: str) -> Callable[[str], Any]:
    """Return a module `__getattr__` for `package` that imports each name on first use.

    Each keyword is a public name, with the submodule that defines it as the value, and after a
    colon its name there if that is another one.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Imported here: it takes longer than the rest of a package that is lazy.
        from importlib import import_module

        submodule, _, own_name = modules[name].partition(":")
        try:
            module = import_module(f"{package}.{submodule}")
        except AttributeError as error:
            # `from package import name` would hide it, and say that there is no such name.
            raise ImportError(f"{package}.{submodule} cannot be loaded: {error}") from error
        found = getattr(module, own_name or name)
        setattr(sys.modules[package], name, found)
        return found

    return load
