"""Import of a component class or instance by name."""

from __future__ import annotations

import importlib
from typing import TypeVar

from jvmwire.errors import ConfigError

T = TypeVar("T")


def load(name: str, kind: type) -> type:
    """Import `package.module:Class`, which must be a subclass of `kind`.

    Exceptions raised by the module itself are propagated.

    Raises:
        ConfigError: the name has another form, the module does not exist, or the class is missing
            or not a subclass of `kind`.
    """
    found = _find(name)
    if not isinstance(found, type) or not issubclass(found, kind):
        raise _wrong(name, found, kind)
    return found


def load_instance(name: str, kind: type[T]) -> T:
    """Import `package.module:name`, which must be an instance of `kind`; see `load`."""
    found = _find(name)
    if not isinstance(found, kind):
        raise _wrong(name, found, kind)
    return found


def _find(name: str) -> object:
    module_name, _, attribute = name.partition(":")
    if not module_name or not attribute.isidentifier():
        raise ConfigError(f"{name!r} is not the name of a component: expected package.module:Name")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            raise ConfigError(f"there is no module {error.name!r} to load {name!r} from") from error
        raise
    return getattr(module, attribute, None)


def _wrong(name: str, found: object, kind: type) -> ConfigError:
    what = "nothing" if found is None else repr(found)
    return ConfigError(f"{name!r} is {what}, and must be a {kind.__module__}.{kind.__name__}")
