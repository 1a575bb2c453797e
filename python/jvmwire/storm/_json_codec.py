"""JSON codec compatible with Storm's json-smart, based on the stricter orjson."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

import orjson

from jvmwire.errors import DecodeError
from jvmwire.storm.errors import NotJsonSerializable

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import StormDecoder

DEPTH_LIMIT: Final = 400
"""Levels of nesting that Storm's parser accepts.

One more is a "malicious payload": JSONParserBase.MAX_DEPTH.
"""


def batch(decoder: StormDecoder, count: int) -> list[Any]:
    """Decode the `count` messages of the decoder's batch.

    Raises `DecodeError` if one of them is not JSON.
    """
    text, wide = decoder.array()
    # json accepts NaN, lone surrogates and integers of any width; orjson does not.
    for parse in (json.loads,) if wide else (orjson.loads, json.loads):
        try:
            messages: list[Any] = parse(text)
        except (ValueError, RecursionError):
            continue
        if len(messages) == count:
            return messages
    return [decode(message) for message in decoder.batch()]


def decode(message: bytes) -> Any:
    """Decode one message; raise `DecodeError` if it is not JSON."""
    try:
        return json.loads(message)
    except (ValueError, RecursionError) as error:
        shown = message[:80]
        raise DecodeError(f"message {shown!r} is not valid JSON: {error}", "message") from error


def encode(
    fields: dict[str, Any],
    *,
    nonfinite_as_null: bool = False,
    convert: Callable[[Any], Any] | None = None,
) -> bytes:
    """Encode a message, including its `end` line.

    Args:
        fields: The message.
        nonfinite_as_null: Send NaN and infinities as null.
        convert: Returns a value that orjson writes for one that it rejects.

    Raises:
        NotJsonSerializable: Storm would read a value differently.
    """
    try:
        text = orjson.dumps(fields, None, orjson.OPT_APPEND_NEWLINE)
    except (TypeError, ValueError):
        text = _encode_rare(fields, nonfinite_as_null=nonfinite_as_null, convert=convert)
    else:
        # orjson writes NaN and infinities as null without an error.
        if b"null" in text and not nonfinite_as_null:
            _refuse_nonfinite(fields)
    # Storm's parser drops an unescaped U+007F (JSONParserString.readString).
    return text.replace(b"\x7f", b"\\u007f") + b"end\n"


def _encode_rare(
    fields: dict[str, Any], *, nonfinite_as_null: bool, convert: Callable[[Any], Any] | None
) -> bytes:
    """Encode values that orjson rejects: wide integers, lone surrogates, deep nesting."""
    _refuse_depth(fields)
    if nonfinite_as_null:
        fields = _without_nonfinite(fields)
    try:
        if convert is not None:
            return orjson.dumps(convert(fields), None, orjson.OPT_APPEND_NEWLINE)
        return json.dumps(fields, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except NotJsonSerializable:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise NotJsonSerializable(f"not expressible in JSON: {error}") from error


def _refuse_nonfinite(value: Any) -> None:
    for part in _parts(value):
        if isinstance(part, float) and not math.isfinite(part):
            raise NotJsonSerializable(
                f"{part} has no JSON representation; nonfinite_as_null sends it as null"
            )


def _without_nonfinite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nonfinite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nonfinite(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _refuse_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEPTH_LIMIT):
        level = [
            part
            for outer in level
            if isinstance(outer, dict | list | tuple)
            for part in _inner(outer)
        ]
        if not level:
            return
    if any(isinstance(part, dict | list | tuple) for part in level):
        raise NotJsonSerializable(
            f"values are nested deeper than the {DEPTH_LIMIT} levels that Storm takes"
        )


def _parts(value: Any) -> Any:
    stack = [value]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, dict | list | tuple):
            stack += _inner(part)


def _inner(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value
