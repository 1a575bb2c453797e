"""The options of the format `jvmwire`, checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from jvmwire.capture import PROTOCOLS, View
from jvmwire.capture.arrow import arrow_schema
from jvmwire.capture.condition import parse_condition
from jvmwire.capture.cutting import RANGE_SIZE
from jvmwire.errors import ConfigError
from jvmwire.spark.files import FILES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire.capture.condition import Condition

SIDES = ("client", "server", "any")
MIN_RANGE_SIZE = 1 << 10
"""Bytes of a range, at least: smaller ones would be all state."""
_BOOLEANS = ("true", "false")
_KNOWN = {
    "path", "paths", "table", "columns", "where", "protocol", "side", "redact", "range_size",
    "index", "rotated", "journal",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a read."""

    paths: tuple[str, ...]
    table: str
    columns: tuple[str, ...] | None
    condition: Condition | None
    """Parsed where the read is planned: tasks need no SQL parser."""
    protocol: str | None
    side: str | None
    redact: bool
    range_size: int
    index: Path | None
    rotated: bool
    journal: Path | None

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Options:
        """Check Spark's options; names and values it does not know are refused.

        Raises `ConfigError`.
        """
        given = {name.lower(): value for name, value in options.items()}
        unknown = given.keys() - _KNOWN
        if unknown:
            raise ConfigError(f"format jvmwire knows no option {', '.join(sorted(unknown))}")
        columns = given.get("columns")
        checked = cls(
            paths=_paths(given),
            table=given.get("table", "messages"),
            columns=None if columns is None else tuple(columns.replace(" ", "").split(",")),
            condition=parse_condition(given["where"]) if "where" in given else None,
            protocol=_one_of("protocol", given.get("protocol"), PROTOCOLS),
            side=_one_of("side", given.get("side"), SIDES),
            redact=_is_true("redact", given),
            range_size=_size("range_size", given, RANGE_SIZE),
            index=_directory("index", given),
            rotated=_is_true("rotated", given),
            journal=_directory("journal", given),
        )
        if checked.side is not None and checked.protocol is None:
            raise ConfigError("a raw dump does not say what it is: set the option protocol")
        if checked.side is not None and (checked.rotated or checked.is_of_files):
            raise ConfigError("a raw dump is no capture: leave out rotated, and table files")
        checked.arrow_schema()
        return checked

    @classmethod
    def of_read(cls, options: Mapping[str, str]) -> Options:
        """Check the options of a read that is no stream."""
        checked = cls.of(options)
        if checked.journal is not None:
            raise ConfigError("a journal is for readStream: a read keeps its index in option index")
        return checked

    @property
    def is_of_files(self) -> bool:
        """Whether it is the table `files` that is read."""
        return self.table == "files"

    def view(self) -> View:
        """Return what is to be seen of the table.

        Raises `ConfigError` for a name or a condition that the table does not have.
        """
        try:
            return View(self.table, columns=self.columns, condition=self.condition)
        except ValueError as error:
            raise ConfigError(str(error)) from error

    def arrow_schema(self) -> pa.Schema:
        """Return the columns that are read; raises `ConfigError` as `view` does."""
        if not self.is_of_files:
            return arrow_schema(self.view())
        if self.condition is not None:
            raise ConfigError("table files is small: use .where() of the DataFrame")
        columns = FILES.names if self.columns is None else list(self.columns)
        unknown = [name for name in columns if name not in FILES.names]
        if unknown:
            raise ConfigError(f"table files has no column {unknown[0]!r}; it has {FILES.names}")
        return pa.schema([FILES.field(name) for name in columns])


def _one_of(name: str, value: str | None, known: Sequence[str]) -> str | None:
    # What is misspelt must not be ignored: `redact` least of all.
    if value is not None and value not in known:
        raise ConfigError(f"option {name} cannot be {value!r}; it is one of {', '.join(known)}")
    return value


def _is_true(name: str, given: Mapping[str, str]) -> bool:
    return _one_of(name, given.get(name, "false").lower(), _BOOLEANS) == "true"


def _size(name: str, given: Mapping[str, str], default: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not text.isdecimal() or int(text) < MIN_RANGE_SIZE:
        raise ConfigError(f"option {name} is {MIN_RANGE_SIZE} bytes or more, not {text!r}")
    return int(text)


def _directory(name: str, given: Mapping[str, str]) -> Path | None:
    return Path(_local(given[name])).absolute() if name in given else None


def _paths(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the one path, or the many that Spark hands over as a JSON list."""
    paths = [given["path"]] if "path" in given else json.loads(given.get("paths", "[]"))
    if not paths:
        raise ConfigError('format jvmwire needs a path: .load("captures/")')
    return tuple(_local(path) for path in paths)


def _local(path: str) -> str:
    url = urlsplit(path)
    if url.scheme == "file":
        return unquote(url.path)
    if url.scheme and url.netloc:
        raise ConfigError(
            f"format jvmwire reads files of a file system that is mounted, not {path}"
        )
    return path
