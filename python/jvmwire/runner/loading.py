"""A component by its name."""

from __future__ import annotations

import importlib

from jvmwire.errors import ConfigError


def load(name: str, kind: type) -> type:
    """Import `package.module:Class`, which must be a `kind`.

    What the module raises passes through. Raises `ConfigError` for a name of nothing.
    """
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name.isidentifier():
        raise ConfigError(f"{name!r} names no component: it looks like package.module:Class")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            raise ConfigError(f"there is no module {error.name!r} to load {name!r} from") from error
        raise
    found = getattr(module, class_name, None)
    if not isinstance(found, type) or not issubclass(found, kind):
        what = "nothing" if found is None else repr(found)
        raise ConfigError(f"{name!r} is {what}, and must be a {kind.__module__}.{kind.__name__}")
    return found
