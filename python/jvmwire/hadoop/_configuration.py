"""Hadoop's configuration files, parsed by the rules of `org.apache.hadoop.conf.Configuration`."""

from __future__ import annotations

import getpass
import math
import os
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import unquote

from jvmwire._documents import parse_xml, read_document
from jvmwire._escaping import quote, shorten
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET
    from collections.abc import Callable, Iterable

FILES = ("core-site.xml", "hdfs-site.xml", "yarn-site.xml")
"""The files of a configuration directory, in the order of reading; missing ones are skipped."""
DEPRECATED = {
    "dfs.block.size": "dfs.blocksize",
    "dfs.federation.nameservices": "dfs.nameservices",
    "dfs.umaskmode": "fs.permissions.umask-mode",
    "fs.default.name": "fs.defaultFS",
}
"""The present names of deprecated settings that jvmwire reads: `DeprecationDelta`."""
MAX_EXPANSIONS = 20
"""The largest number of variables that one value may expand: `Configuration.MAX_SUBST`."""
SHORTEST_SECRET = 3
"""The shortest value, in characters, that error messages replace by its variable (chosen by
jvmwire)."""
MAX_INCLUDES = 16
"""The largest depth of nested includes (chosen by jvmwire)."""
MAX_FILES = 256
"""The largest number of files that one directory's files include together (chosen by jvmwire)."""

T = TypeVar("T")

_XINCLUDE = "{http://www.w3.org/2001/XInclude}"
_VARIABLE = re.compile(r"\$\{([^}$\s]+)\}")
_NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 86400 * 10**9,
}
_SIZES = {letter: 1 << (10 * power) for power, letter in enumerate("kmgtpe", 1)}
_TRUTHS = {"true": True, "false": False}


class HadoopConfiguration(Mapping[str, str]):
    """Settings by name, with variables expanded; final settings are not overridden.

    Args:
        settings: Settings by name; deprecated names are replaced by the present ones. Default:
            none.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        given = dict(settings or {})
        self._raw = {_present_name(name): value for name, value in given.items()}
        self._final: set[str] = set()
        self._expansions: dict[str, str] = {}
        self._files = 0

    @classmethod
    def load(cls, directory: str | Path | None = None) -> Self:
        """Load the files of a configuration directory.

        Args:
            directory: Path of the directory. Default: `HADOOP_CONF_DIR`, else `etc/hadoop` in
                `HADOOP_HOME`.

        Returns:
            The configuration; it is empty if there is no directory and neither variable is set.

        Raises:
            ConfigError: the directory does not exist, or one of its files cannot be read.
        """
        if directory is None:
            directory = os.environ.get("HADOOP_CONF_DIR")
        if not directory and (home := os.environ.get("HADOOP_HOME")):
            directory = Path(home) / "etc" / "hadoop"
        if not directory:
            return cls()
        if not Path(directory).is_dir():
            raise ConfigError(f"{directory} is not a directory with Hadoop's configuration")
        return cls.read(Path(directory) / name for name in FILES)

    @classmethod
    def read(cls, files: Iterable[Path]) -> Self:
        """Load files in order; missing ones are skipped.

        Args:
            files: Paths of the files.

        Returns:
            The configuration.

        Raises:
            ConfigError: a file cannot be read.
        """
        configuration = cls()
        for file in files:
            if file.exists():
                configuration._include(file, [])
        return configuration

    def _include(self, file: Path, within: list[Path]) -> None:
        """Read a file, with the chain of files that include it in `within`, the outermost first."""
        if len(within) > MAX_INCLUDES:
            raise ConfigError(f"{file}: more than {MAX_INCLUDES} files include each other")
        if any(_is_same(file, other) for other in within):
            raise ConfigError(f"{file}: the files include each other without end")
        document = self._document(file)
        try:
            root = parse_xml(document, place=str(file), read_entity=self._read_entity)
        except ConfigError as error:
            raise ConfigError(f"{file}: {error}") from error
        if root.tag != "configuration":
            raise ConfigError(f"{file}: {shorten(root.tag)} is not the element configuration")
        self._parse_element(root, [*within, file])

    def _document(self, file: Path) -> bytes:
        self._files += 1
        if self._files > MAX_FILES:
            raise ConfigError(f"{file}: more than {MAX_FILES} files are included")
        return read_document(file)

    def _read_entity(self, base: str | None, name: str | None) -> tuple[str, bytes]:
        """Return the path and the content of an external entity's file."""
        file = _located(name or "", Path(base or ""))
        return str(file), self._document(file)

    def _parse_element(self, element: ET.Element, files: list[Path]) -> None:
        for inner in element:
            # Java ignores the namespaces of these names.
            if inner.tag in (f"{_XINCLUDE}include", "include"):
                if "href" not in inner.attrib:
                    continue
                # Configuration.handleInclude: an included file resolves names by the outermost
                # file.
                included = _located(inner.attrib["href"], files[0])
                fallback = inner.find("{*}fallback")
                if os.path.isfile(included) or fallback is None:  # noqa: PTH113 - raises nothing
                    self._include(included, files)
                else:
                    self._parse_element(fallback, files)
            elif inner.tag == "configuration":
                self._parse_element(inner, files)
            elif inner.tag == "property":
                self._set(inner)

    def _set(self, element: ET.Element) -> None:
        name = (element.get("name") or element.findtext("name") or "").strip()
        name = _present_name(name)
        value = element.get("value")
        if value is None:
            value = element.findtext("value")
        final = element.get("final") or element.findtext("final") or ""
        if not name or value is None or name in self._final:
            return
        self._raw[name] = value
        if final.strip() == "true":
            self._final.add(name)

    def __getitem__(self, name: str) -> str:
        name = _present_name(name)
        return self._expanded(name, self._raw[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __repr__(self) -> str:
        # Values may be secrets.
        return f"<Configuration of {len(self)} settings>"

    def _expanded(self, name: str, value: str) -> str:
        for _ in range(MAX_EXPANSIONS):
            for variable in _VARIABLE.finditer(value):
                found = self._variable(variable[1])
                if found is not None:
                    self._expansions[found] = variable[0]
                    value = value[: variable.start()] + found + value[variable.end() :]
                    break
            else:
                # A variable that is not set stays as it is written.
                return value
        # Without the value: that of `${ssl.keystore.password}` is a password at this point.
        raise ConfigError(f"{name}: more than {MAX_EXPANSIONS} variables lead on from each other")

    def _variable(self, name: str) -> str | None:
        if name.startswith("env."):
            # `${env.NAME-default}` if it is not set, `${env.NAME:-default}` if it is empty too.
            variable, dash, default = name[len("env.") :].partition("-")
            value = os.environ.get(variable.removesuffix(":"))
            if value is None or (not value and variable.endswith(":")):
                return default if dash else value
            return value
        if name == "user.name":
            return getpass.getuser()
        return self._raw.get(_present_name(name))

    def as_written(self, value: str) -> str:
        """Return a value for an error message, with variables in place of their values.

        The values of variables may be secrets.

        Args:
            value: Expanded value, or a text that contains it.

        Returns:
            The text with the variables.
        """
        for found, variable in sorted(self._expansions.items(), key=lambda item: -len(item[0])):
            if len(found) >= SHORTEST_SECRET:
                value = value.replace(found, variable)
        return value

    # Typed values; `default` if the setting is missing.

    def seconds(self, name: str, default: float) -> float:
        """Return a duration as `getTimeDuration` parses it.

        Args:
            name: Name of the setting; its value is in milliseconds unless it has a unit.
            default: Seconds if the setting is missing.

        Returns:
            The duration in seconds.

        Raises:
            ConfigError: the value is not a duration.
        """
        return self._read(name, default, _seconds)

    def milliseconds(self, name: str, default: float) -> float:
        """Return a duration that is written as a number of milliseconds, as `getInt` parses it.

        Args:
            name: Name of the setting.
            default: Seconds if the setting is missing.

        Returns:
            The duration in seconds.

        Raises:
            ConfigError: the value is not a number of 32 bits.
        """
        return self._read(name, default, _milliseconds)

    def minutes(self, name: str, default: float) -> float:
        """Return a duration that is written as a number of minutes, as `getFloat` parses it.

        Args:
            name: Name of the setting.
            default: Minutes if the setting is missing.

        Returns:
            The duration in minutes.

        Raises:
            ConfigError: the value is not a finite number.
        """
        return self._read(name, default, _minutes)

    def integer(self, name: str, default: int) -> int:
        """Return a number of 32 bits as `getInt` parses it; `0x10` is valid too.

        Args:
            name: Name of the setting.
            default: Number if the setting is missing.

        Returns:
            The number.

        Raises:
            ConfigError: the value is not a number of 32 bits.
        """
        return self._read(name, default, _integer)

    def size(self, name: str, default: int) -> int:
        """Return a number of 64 bits as `getLongBytes` parses it; `64m` is 64 MiB.

        Args:
            name: Name of the setting.
            default: Number if the setting is missing.

        Returns:
            The number.

        Raises:
            ConfigError: the value is not a number of 64 bits.
        """
        return self._read(name, default, _size)

    def boolean(self, name: str, *, default: bool) -> bool:
        """Return a truth value.

        Args:
            name: Name of the setting.
            default: Value if the setting is missing, or neither `true` nor `false`, as in Java.

        Returns:
            The truth value.
        """
        return _TRUTHS.get(self.text(name, "").lower(), default)

    def text(self, name: str, default: str) -> str:
        """Return a text without surrounding white space.

        Args:
            name: Name of the setting.
            default: Text if the setting is missing or empty.

        Returns:
            The text.
        """
        return self.get(name, default).strip() or default

    def words(self, name: str) -> list[str]:
        """Return the items of a list that is separated by commas.

        Args:
            name: Name of the setting.

        Returns:
            The items without surrounding white space; empty if the setting is missing.
        """
        return [word.strip() for word in self.get(name, "").split(",") if word.strip()]

    def _read(self, name: str, default: T, read: Callable[[str], T]) -> T:
        value = self.get(name)
        if value is None:
            return default
        value = value.strip()
        try:
            return read(value)
        except ValueError:
            # No cause: it quotes the value.
            written = quote(self.as_written(value))
            raise ConfigError(f"{name} is {written}: {_EXPECTED[read]}") from None


def _located(name: str, base: Path) -> Path:
    """Return the path of a file that the file `base` names by a path or a `file:` URL.

    Raises:
        ConfigError: the URL has another scheme or host; nothing is read over the network.
    """
    scheme, colon, rest = name.partition(":")
    if colon and scheme.isalpha() and len(scheme) > 1:
        host = rest[2:].partition("/")[0] if rest.startswith("//") else ""
        if scheme.lower() != "file" or host not in ("", "localhost"):
            raise ConfigError(f"{base}: {quote(name)} is not read: expected a file")
        name = unquote(rest[2 + len(host) :] if rest.startswith("//") else rest)
    return base.parent / name


def _is_same(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False


def _present_name(name: str) -> str:
    return DEPRECATED.get(name, name)


def _seconds(value: str) -> float:
    # Configuration.getTimeDurationHelper: whole milliseconds, and no space before the unit.
    matched = re.fullmatch(r"([+-]?\d+)([num]?s|[mhd]?)", value.lower())
    if matched is None:
        raise ValueError("no time")
    count = _of_bits(int(matched[1]), 64)
    milliseconds = int(Fraction(count * _NANOSECONDS[matched[2] or "ms"], _NANOSECONDS["ms"]))
    return max(-1 << 63, min((1 << 63) - 1, milliseconds)) / 1000


def _minutes(value: str) -> float:
    # Float.parseFloat: a suffix of its type, and no underscore.
    minutes = float(re.sub("[fFdD]$", "", value))
    if "_" in value or not math.isfinite(minutes):
        raise ValueError("no time")
    return minutes


def _milliseconds(value: str) -> float:
    return _integer(value) / 1000


def _integer(value: str) -> int:
    # Configuration.getHexDigits, Integer.parseInt: digits of any script, no underscore.
    matched = re.fullmatch(r"(-?)0[xX]([0-9a-fA-F]+)", value)
    if matched is not None:
        return _of_bits(int(matched[1] + matched[2], 16), 32)
    if re.fullmatch(r"[+-]?\d+", value) is None:
        raise ValueError("no integer")
    return _of_bits(int(value), 32)


def _size(value: str) -> int:
    # StringUtils.TraditionalBinaryPrefix.string2long.
    matched = re.fullmatch(r"([+-]?\d+)([kmgtpe]?)", value.lower())
    if matched is None:
        raise ValueError("no size")
    return _of_bits(int(matched[1]) * _SIZES.get(matched[2], 1), 64)


def _of_bits(number: int, bits: int) -> int:
    if not -1 << (bits - 1) <= number < 1 << (bits - 1):
        raise ValueError(f"more than {bits} bits")
    return number


_EXPECTED: dict[Callable[[str], Any], str] = {
    _seconds: "expected a time, as 500 (milliseconds), 20s or 5m",
    _milliseconds: "expected a number of milliseconds, without a unit, as 500 or 0x10",
    _minutes: "expected a number of minutes, as 360 or 0.5",
    _integer: "expected a number of 32 bits, as 500 or 0x10",
    _size: "expected a number of 64 bits, as 500 or 64k",
}
"""The expected forms of values, for error messages."""
