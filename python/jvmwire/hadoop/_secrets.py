"""Removal of secrets from the fields of Hadoop's messages, for logs, reprs and commands."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from jvmwire._core import hadoop_messages

HIDDEN = "(hidden)"
"""The text in place of a secret."""


def without_secrets(message: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a message with every secret replaced by `HIDDEN`.

    Args:
        message: The name of the message type, for example `GetDelegationTokenResponseProto`.
        fields: Values by the names of their fields, in snake_case.

    Returns:
        A new dictionary in the same order. A field that the message type does not have is hidden
        too, since it may be a secret.
    """
    known = _fields_of(message)
    return {name: _shown(known.get(name), value) for name, value in fields.items()}


def _shown(field: tuple[str, bool] | None, value: Any) -> Any:
    if value is None:
        return None
    if field is None or field[1]:
        return HIDDEN
    match value:
        case Mapping():
            return without_secrets(field[0], value)
        case str() | bytes() | bytearray() | memoryview():
            return value
        case Sequence():
            return [_shown(field, inner) for inner in value]
        case other:
            return other


@functools.cache
def _fields_of(message: str) -> dict[str, tuple[str, bool]]:
    """Return the type of each field by name, and whether it is a secret."""
    fields = _messages().get(message, [])
    return {name: (kind, is_secret) for _, name, kind, _, is_secret in fields}


@functools.cache
def _messages() -> dict[str, list[tuple[int, str, str, bool, bool]]]:
    return hadoop_messages()
