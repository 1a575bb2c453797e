"""Import of the packages that only an extra of jvmwire installs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from jvmwire.errors import MissingExtra


def import_extra(module: str, because: str, install: str) -> Any:
    """Import a module of an extra.

    Args:
        module: Name of the module.
        because: Beginning of the error, such as "data frames need".
        install: Name of the package, or extra, that pip installs.

    Returns:
        The module.

    Raises:
        MissingExtra: the module is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        text = f"{because} {module}: pip install {install}"
        raise MissingExtra(text, name=missing.name) from missing
