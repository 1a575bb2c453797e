"""Values that simplejson writes and other JSON libraries refuse, for components of pystorm."""

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
    """Return a value that orjson writes as simplejson writes `value` by pystorm's settings.

    Decimals are numbers with all of their digits, `bytes` are texts in UTF-8, as keys too, and keys
    that are numbers, booleans or None are texts.

    Raises:
        NotJson: `bytes` that are not UTF-8, a number that is not finite, or a key of another type.
    """
    match value:
        case dict():
            return {_key(key): as_simplejson(part) for key, part in value.items()}
        case list() | tuple():
            return [as_simplejson(part) for part in value]
        case bytes():
            return as_simplejson(_text(value))
        case str():
            # Lone surrogates, which orjson refuses.
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
