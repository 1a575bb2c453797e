"""Options of the format `jvmwire`, with checks."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmwire.capture import PROTOCOLS, View
from jvmwire.capture._arrow import arrow_schema
from jvmwire.capture._condition import parse_condition
from jvmwire.capture._redaction import redaction_key
from jvmwire.capture._splitting import RANGE_SIZE
from jvmwire.errors import ConfigError
from jvmwire.spark._files import FILES
from jvmwire.spark._option_parser import SourceOptions, local_path
from jvmwire.spark._selection import cast, check_types, selected

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pyspark.sql.types import StructType

    from jvmwire.capture._condition import Condition

SIDES = ("client", "server", "any")
MIN_RANGE_SIZE = 1 << 10
"""Minimum bytes per range: smaller ranges would consist mostly of state."""
_KNOWN = {
    "path", "paths", "table", "columns", "where", "protocol", "side", "redact", "redact_secret",
    "range_size", "index", "rotated", "journal",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """The checked options of a read."""

    paths: tuple[str, ...]
    table: str
    columns: tuple[str, ...] | None
    condition: Condition | None
    """Parsed on the driver, so that tasks need no SQL parser."""
    protocol: str | None
    side: str | None
    redact: bytes | None = field(repr=False)
    """The redaction key, equal for all tasks."""
    range_size: int
    index: Path | None
    rotated: bool
    journal: Path | None
    schema: pa.Schema | None = None
    """The columns from `.schema()`, to which rows are cast."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> CaptureOptions:
        """Check Spark's options; unknown names and values are refused.

        Raises:
            ConfigError: an option is unknown, missing or invalid.
        """
        given = SourceOptions("jvmwire", options, _KNOWN)
        table, columns, where = (given.text(name) for name in ("table", "columns", "where"))
        checked = cls(
            paths=_paths(given),
            table="messages" if table is None else table,
            columns=None if columns is None else tuple(columns.replace(" ", "").split(",")),
            condition=None if where is None else parse_condition(where),
            protocol=given.one_of("protocol", PROTOCOLS),
            side=given.one_of("side", SIDES),
            redact=_key(given),
            range_size=given.integer(
                "range_size", RANGE_SIZE, minimum=MIN_RANGE_SIZE, unit="bytes"
            ),
            index=given.directory("index"),
            rotated=given.is_true("rotated"),
            journal=given.directory("journal"),
        )
        if checked.side is not None and checked.protocol is None:
            raise ConfigError("a raw dump does not name its protocol: set the option protocol")
        if checked.side is not None and (checked.rotated or checked.is_of_files):
            raise ConfigError(
                "a raw dump is not a capture: remove the option rotated and table files"
            )
        checked.arrow_schema()
        return checked

    @classmethod
    def of_read(cls, options: Mapping[str, str]) -> CaptureOptions:
        """Check the options of a batch read; raises as `of` does."""
        checked = cls.of(options)
        if checked.journal is not None:
            raise ConfigError("a journal is for readStream: a read keeps its index in option index")
        return checked

    def selecting(self, schema: StructType) -> CaptureOptions:
        """Return options that read only the columns of `schema`, in its types.

        Raises:
            ConfigError: the table does not have a column, or cannot cast it.
        """
        table = f"table {self.table}"
        columns = tuple(schema.names)
        known = self.columns or tuple(FILES.names if self.is_of_files else View(self.table).columns)
        if self.columns is None and self.table == "messages":
            known += ("fields",)
        asked = selected(schema, known, table)
        chosen = replace(self, columns=columns, schema=asked)
        check_types(asked, chosen.arrow_schema(), table)
        return chosen

    def cast(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return a batch of the table in the schema of the read."""
        return batch if self.schema is None else cast(batch, self.schema, f"table {self.table}")

    @property
    def is_of_files(self) -> bool:
        """Whether the table is `files`."""
        return self.table == "files"

    def view(self) -> View:
        """Return the view of the table.

        Raises:
            ConfigError: the table does not have a column, or the condition is invalid.
        """
        try:
            return View(self.table, columns=self.columns, condition=self.condition)
        except ValueError as error:
            raise ConfigError(str(error)) from error

    def arrow_schema(self) -> pa.Schema:
        """Return the columns to read; raises `ConfigError` as `view` does."""
        if not self.is_of_files:
            return arrow_schema(self.view())
        if self.condition is not None:
            raise ConfigError("table files is small: use .where() of the DataFrame")
        columns = FILES.names if self.columns is None else list(self.columns)
        unknown = [name for name in columns if name not in FILES.names]
        if unknown:
            raise ConfigError(f"table files has no column {unknown[0]!r}; it has {FILES.names}")
        return pa.schema([FILES.field(name) for name in columns])


def _key(given: SourceOptions) -> bytes | None:
    secret = given.text("redact_secret")
    if not given.is_true("redact"):
        if secret is not None:
            raise ConfigError("a redact_secret is of use with redact true only")
        return None
    return redaction_key(None if secret is None else secret.encode())


def _paths(given: SourceOptions) -> tuple[str, ...]:
    """Return the one path, or the paths that Spark passes as a JSON list."""
    one = given.text("path")
    paths = json.loads(given.text("paths") or "[]") if one is None else [one]
    if not paths:
        raise ConfigError('format jvmwire needs a path: .load("captures/")')
    return tuple(local_path(path) for path in paths)
