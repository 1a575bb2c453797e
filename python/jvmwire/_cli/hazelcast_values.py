"""Keys and values of maps, as `jvmwire hazelcast` reads and prints them."""

from __future__ import annotations

import base64
import json
import math
import re
from typing import Any

import click

from jvmwire._escaping import escape_json, quote, shorten
from jvmwire.hazelcast.serialization import HazelcastJsonValue


def parse_value(text: str) -> Any:
    """Return the value of an argument: parsed if it is JSON, else the text itself.

    JSON objects become `HazelcastJsonValue` with the unchanged text, since members can query them.
    Integers are exact, whatever their size.

    Args:
        text: The argument.

    Returns:
        The value.

    Raises:
        click.UsageError: it is JSON that no structure can hold.
    """
    try:
        found = json.loads(text, parse_constant=_refuse_constant, parse_float=_float)
    except RecursionError as error:
        raise click.UsageError(f"{quote(text)} is nested too deep") from error
    except ValueError as error:
        if isinstance(error, _NoValue):
            raise click.UsageError(f"{quote(text)} cannot be stored: {error}") from error
        # An integer with more digits than Python parses.
        if re.fullmatch(r"\s*-?[0-9]{100,}\s*", text):
            raise click.UsageError(f"{quote(text)} has too many digits to be stored") from error
        found = text
    if isinstance(found, dict):
        return HazelcastJsonValue(text)
    if found is None:
        raise click.UsageError("null cannot be a key or a value of a map")
    return _storable(found)


class _NoValue(ValueError):
    """Number that JSON can express and a double cannot hold."""


def _float(text: str) -> float:
    found = float(text)
    if math.isinf(found):
        raise _NoValue(f"{shorten(text)} is larger than a double can be")
    return found


def _refuse_constant(text: str) -> Any:
    # Python's `json` accepts NaN and Infinity; JSON does not, so they are texts.
    raise ValueError(f"{text} is not JSON")


def _storable(value: Any) -> Any:
    """Return a value with the objects in lists as `HazelcastJsonValue`."""
    if isinstance(value, list):
        return [_storable(one) for one in value]
    return HazelcastJsonValue(json.dumps(value)) if isinstance(value, dict) else value


def key_and_value(key: Any, value: Any) -> dict[str, Any]:
    """Return an entry in a form that JSON has.

    Args:
        key: The key.
        value: The value.
    """
    return {"key": plain_value(key), "value": plain_value(value)}


def plain_value(value: Any) -> Any:
    """Return a value in a form that JSON has; other values as the text of their `repr`.

    Args:
        value: Any value of a map.
    """
    match value:
        case HazelcastJsonValue():
            try:
                return json.loads(value.to_string())
            except (RecursionError, ValueError):
                return value.to_string()
        case float() if not math.isfinite(value):
            # The same texts as in `jvmwire decode`.
            return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(float(value))]
        case bool() | int() | float() | str() | None:
            return value
        case bytes():
            return {"base64": base64.b64encode(value).decode()}
        case list() | tuple():
            return [plain_value(one) for one in value]
        case dict() if all(isinstance(name, str) for name in value):
            return {name: plain_value(one) for name, one in value.items()}
        case _:
            return repr(value)


def _as_json(value: Any) -> str:
    # Not orjson, since integers may have more than 64 bits.
    text = json.dumps(plain_value(value), ensure_ascii=False, separators=(",", ":"))
    return escape_json(text.encode("utf-8", "backslashreplace")).decode()


def shown_value(value: Any) -> str:
    """Return the text of a value that `put` accepts; a text is quoted only if it parses as JSON.

    Args:
        value: Any value of a map.
    """
    if not isinstance(value, str):
        return value.to_string() if isinstance(value, HazelcastJsonValue) else _as_json(value)
    try:
        json.loads(value, parse_constant=_refuse_constant)
    except (RecursionError, ValueError):
        return value
    return _as_json(value)


def print_json(row: Any) -> None:
    """Print a row as one line of JSON, with integers of any size.

    Args:
        row: The row.
    """
    click.echo(_as_json(row))
