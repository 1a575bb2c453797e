"""Options of a Spark read or write, with checks of names and values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from jvmwire._escaping import hide_password
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_BOOLEANS = ("true", "false")
OF_SINKS = {"checkpointlocation"}
"""Options that Spark adds for sinks."""


class SourceOptions:
    """Options by name; an unknown name or an invalid value raises `ConfigError`."""

    def __init__(self, format_: str, options: Mapping[str, str], known: Collection[str]) -> None:
        self.format = format_
        self._values = {name.lower(): value for name, value in options.items()}
        unknown = self._values.keys() - set(known)
        if unknown:
            raise ConfigError(f"format {format_} knows no option {', '.join(sorted(unknown))}")

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str) -> str | None:
        """Return an option as given, or None."""
        return self._values.get(name)

    def required(self, name: str, example: str) -> str:
        """Return a required option; `example` is an example for the error message."""
        value = self._values.get(name)
        if not value:
            raise ConfigError(f"format {self.format} needs the option {name}, such as {example!r}")
        return value

    def one_of(self, name: str, known: Sequence[str]) -> str | None:
        """Return an option that must be one of `known`, or None."""
        value = self._values.get(name)
        return None if value is None else self._among(name, value, known)

    def is_true(self, name: str, *, default: bool = False) -> bool:
        """Return whether an option is `true`; it must be `true` or `false`."""
        value = self._values.get(name)
        return default if value is None else self._among(name, value.lower(), _BOOLEANS) == "true"

    def _among(self, name: str, value: str, known: Sequence[str]) -> str:
        # A misspelt value must not be ignored, least of all for `redact`.
        if value not in known:
            raise ConfigError(f"option {name} cannot be {value!r}; it is one of {', '.join(known)}")
        return value

    def integer(self, name: str, default: int, *, minimum: int, unit: str) -> int:
        """Return an option that is an integer, at least `least`; `of` is the unit for errors."""
        text = self._values.get(name)
        if text is None:
            return default
        if not text.isdecimal() or int(text) < minimum:
            raise ConfigError(f"option {name} is {minimum} {unit} or more, not {text!r}")
        return int(text)

    def directory(self, name: str) -> Path | None:
        """Return an option that is a directory, equal on the driver and all executors, or None."""
        value = self._values.get(name)
        return None if value is None else Path(local_path(value)).absolute()


def local_path(path: str) -> str:
    """Return a path of a mounted file system, without the prefix `file:`."""
    url = urlsplit(path)
    if url.scheme == "file":
        return unquote(url.path)
    if url.scheme and url.netloc:
        raise ConfigError(
            "format jvmwire reads files of a file system that is mounted, not "
            f"{hide_password(path)}"
        )
    return path
