"""Configuration of a job, as a task passes it to its child."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, overload

from jvmwire.errors import ConfigError

MAX_DEPTH: Final = 20
"""Maximum depth of variables within variables: `JobConfiguration.MAX_SUBST`."""

_KEY: Final = re.compile(r"[A-Za-z0-9_.\-$*:/]+")
_VARIABLE: Final = re.compile(r"\$\{([^}$ ]+)\}")
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "0"})


class JobConfiguration(Mapping[str, str]):
    """The properties of the job as a mapping, with variables not expanded.

    Args:
        values: The properties.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    @classmethod
    def of_lines(cls, lines: list[str], count: int) -> JobConfiguration:
        """Return the configuration from `lines` with `count / 2` properties.

        There are more than `count` lines if values contain line ends. While there is a surplus, a
        line that does not look like the name of a property continues the value before it.

        Args:
            lines: Names and values in turns.
            count: The number of lines that the task announced.

        Returns:
            The configuration.
        """
        surplus = len(lines) - count
        values: dict[str, str] = {}
        key = None
        rest = iter(lines)
        for line in rest:
            if key is not None and surplus and not _KEY.fullmatch(line):
                values[key] += "\n" + line
                surplus -= 1
                continue
            key = line
            values[key] = next(rest, "")
        return cls(values)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        # not the values: they may contain secrets
        return f"<Configuration of {len(self)} properties>"

    def expanded(self, name: str) -> str:
        """Return a value with variables replaced by other properties, as Java's `get` does.

        Args:
            name: The name of the property.

        Returns:
            The value without variables; those of unknown properties stay.

        Raises:
            KeyError: there is no such property.
            ConfigError: variables are nested deeper than 20 levels.
        """
        value = self[name]
        for _ in range(MAX_DEPTH):
            replaced = _VARIABLE.sub(lambda found: self.get(found[1], found[0]), value)
            if replaced == value:
                return value
            value = replaced
        raise ConfigError(f"{name}: variables are nested deeper than {MAX_DEPTH} levels")

    @overload
    def get_int(self, name: str) -> int | None: ...
    @overload
    def get_int(self, name: str, default: int) -> int: ...
    def get_int(self, name: str, default: int | None = None) -> int | None:
        """Return a property as an integer, decimal or hexadecimal (0x).

        Args:
            name: The name of the property.
            default: The result if there is no such property.

        Returns:
            The integer, or `default`.

        Raises:
            ConfigError: the value is not an integer.
        """
        if name not in self:
            return default
        value = self.expanded(name).strip()
        try:
            return int(value, 16 if value.lower().startswith(("0x", "-0x")) else 10)
        except ValueError:
            # The unexpanded value, since the value of a variable `${name}` may be a secret.
            raise ConfigError(f"{name} is {self[name]!r}, which is not an integer") from None

    @overload
    def get_bool(self, name: str) -> bool | None: ...
    @overload
    def get_bool(self, name: str, default: bool) -> bool: ...  # noqa: FBT001  # as Java's
    def get_bool(self, name: str, default: bool | None = None) -> bool | None:  # noqa: FBT001
        """Return a property as a boolean.

        Args:
            name: The name of the property.
            default: The result if there is no such property.

        Returns:
            The boolean, or `default`.

        Raises:
            ConfigError: the value is neither true (true, yes, on, 1) nor false (false, no, off, 0).
        """
        if name not in self:
            return default
        value = self.expanded(name).strip().lower()
        if value not in _TRUE | _FALSE:
            raise ConfigError(f"{name} is {self[name]!r}, which is neither true nor false")
        return value in _TRUE
