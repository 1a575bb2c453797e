"""Names of a package that are loaded once somebody asks for them."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # `typing` itself takes a while to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def later(package: str, **modules: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of `package`, where each name stands in the module that is said."""

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return load
