"""The schema that a user passes to Spark's `.schema()`: the columns that it selects, and casts."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql.types import StructType

_IN_UTC: dict[str, Any] = (
    {"timezone": "UTC"} if "timezone" in inspect.signature(to_arrow_schema).parameters else {}
)
"""Arguments for times in UTC: the default of Spark 4.1, which has no such parameter."""


def selected(schema: StructType, known: Sequence[str], what: str) -> pa.Schema:
    """Return the Arrow schema for the columns that a user's `schema` selects.

    Raises `ConfigError` if a column is not among the `known` columns of `what`, or is named twice.
    """
    for at, name in enumerate(schema.names):
        if name not in known:
            raise ConfigError(f"{what} has no column {name!r}; it has {', '.join(known)}")
        if name in schema.names[:at]:
            raise ConfigError(f"the schema names column {name!r} twice")
    return arrow_schema_of(schema)


def arrow_schema_of(schema: StructType) -> pa.Schema:
    """Return a Spark schema in Arrow types, with times in UTC."""
    return to_arrow_schema(schema, **_IN_UTC)


def check_types(schema: pa.Schema, held: pa.Schema, what: str) -> None:
    """Raise `ConfigError` if a column of the table `what` cannot be cast to its type in `schema`.

    `held` are the columns of the table.

    Strings are cast to strings only: a plan cannot know whether each string is a number.
    """
    for field in schema:
        given = held.field(field.name).type
        if not _can_cast(given, field.type):
            raise ConfigError(
                f"column {field.name!r} of {what} holds {given}, "
                f"which cannot be cast to {field.type}"
            )


def cast(batch: pa.RecordBatch, schema: pa.Schema, what: str) -> pa.RecordBatch:
    """Return a batch with the columns of `schema` alone, found by name and cast to its types.

    Raises `ConfigError` if a value cannot be cast.
    """
    try:
        return batch.select(schema.names).cast(schema)
    except (ValueError, pa.ArrowNotImplementedError) as error:  # ArrowInvalid is a ValueError
        held = ", ".join(f"{field.name} {field.type}" for field in batch.schema)
        raise ConfigError(f"{what} holds {held}, which does not fit the schema: {error}") from error


def _can_cast(given: pa.DataType, wanted: pa.DataType) -> bool:
    if pa.types.is_string(given) and not _is_text(wanted):
        return False
    try:
        pa.array([], given).cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True


def _is_text(type_: pa.DataType) -> bool:
    return pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_binary(type_)
