"""Conversion of values that simplejson writes and orjson rejects, for components of pystorm."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import orjson

from jvmwire.storm.errors import NotJsonSerializable

_INT64 = range(-(1 << 63), 1 << 64)
"""Integers that orjson writes."""


def as_simplejson(value: Any) -> Any:
    """Convert a value so that orjson writes it as simplejson does with pystorm's settings.

    Decimals become numbers with all of their digits, `bytes` become text in UTF-8, also as keys,
    and keys that are numbers, booleans or None become text.

    Raises:
        NotJsonSerializable: `bytes` are not UTF-8, a number is not finite, or a key has another
            type.
    """
    match value:
        case dict():
            return {_key(key): as_simplejson(part) for key, part in value.items()}
        case list() | tuple():
            return [as_simplejson(part) for part in value]
        case bytes():
            return as_simplejson(_text(value))
        case str():
            # Lone surrogates, which orjson rejects.
            return value if value.isascii() else orjson.Fragment(json.dumps(value))
        case Decimal() | float() if not math.isfinite(value):
            raise NotJsonSerializable(f"{value} cannot be sent: JSON has finite numbers only")
        case Decimal():
            return orjson.Fragment(str(value))
        case int() if not isinstance(value, bool) and value not in _INT64:
            return orjson.Fragment(str(int(value)))
        case _:
            return value


def _key(key: Any) -> str:
    match key:
        case bytes():
            return _text(key)
        case str():
            return key
        case None | bool() | int() | float():
            return json.dumps(key)
        case _:
            raise NotJsonSerializable(
                f"a key of a JSON object must be text, got {type(key).__name__}"
            )


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotJsonSerializable(
            f"bytes are sent as text and must be UTF-8: byte {error.start}"
        ) from error
