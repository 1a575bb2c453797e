"""The options of a read or a write, as Spark hands them over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_BOOLEANS = ("true", "false")
OF_SINKS = {"checkpointlocation"}
"""What Spark hands to sinks beside their options."""


class Given:
    """Options by name; one that is misspelt, or means nothing, is a `ConfigError`."""

    def __init__(self, format_: str, options: Mapping[str, str], known: Collection[str]) -> None:
        self.format = format_
        self._values = {name.lower(): value for name, value in options.items()}
        unknown = self._values.keys() - set(known)
        if unknown:
            raise ConfigError(f"format {format_} knows no option {', '.join(sorted(unknown))}")

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str) -> str | None:
        """Return an option as it was given."""
        return self._values.get(name)

    def needed(self, name: str, such_as: str) -> str:
        """Return an option that must be given, for example `such_as`."""
        value = self._values.get(name)
        if not value:
            raise ConfigError(f"format {self.format} needs the option {name}, such as {such_as!r}")
        return value

    def one_of(self, name: str, known: Sequence[str]) -> str | None:
        """Return an option that is one of those known."""
        value = self._values.get(name)
        return None if value is None else self._among(name, value, known)

    def is_true(self, name: str, *, default: bool = False) -> bool:
        """Return whether an option is `true`."""
        value = self._values.get(name)
        return default if value is None else self._among(name, value.lower(), _BOOLEANS) == "true"

    def _among(self, name: str, value: str, known: Sequence[str]) -> str:
        # What is misspelt must not be ignored: `redact` least of all.
        if value not in known:
            raise ConfigError(f"option {name} cannot be {value!r}; it is one of {', '.join(known)}")
        return value

    def number(self, name: str, default: int, *, least: int, of: str) -> int:
        """Return an option that is a number of such things, at least `least`."""
        text = self._values.get(name)
        if text is None:
            return default
        if not text.isdecimal() or int(text) < least:
            raise ConfigError(f"option {name} is {least} {of} or more, not {text!r}")
        return int(text)

    def directory(self, name: str) -> Path | None:
        """Return an option that is a directory, the same for the driver and each executor."""
        value = self._values.get(name)
        return None if value is None else Path(mounted(value)).absolute()


def mounted(path: str) -> str:
    """Return a path of a file system that is mounted; `file:` may stand before it."""
    url = urlsplit(path)
    if url.scheme == "file":
        return unquote(url.path)
    if url.scheme and url.netloc:
        raise ConfigError(
            f"format jvmwire reads files of a file system that is mounted, not {path}"
        )
    return path
