"""Base of results whose fields are those of a wire message, and Java's view of its numbers."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance


class Record:
    """Frozen dataclass whose fields have the names of a message's fields."""

    __slots__ = ()

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> Self:
        """Return the record of a decoded message; fields that it lacks have their defaults.

        Args:
            message: Fields of the message by name.

        Returns:
            The record.
        """
        names = (field.name for field in fields(cast("type[DataclassInstance]", cls)))
        return cls(**{name: message[name] for name in names if name in message})


def signed(value: int) -> int:
    """Return an unsigned number of 64 bits as Java's signed `long`.

    Args:
        value: 0 to 2**64 - 1.

    Returns:
        The signed number.
    """
    return value - (1 << 64) if value >= 1 << 63 else value


def quota_or_none(value: int) -> int | None:
    """Return a quota, or None for `HdfsConstants.QUOTA_RESET` (-1 in 64 bits).

    Args:
        value: Quota as an unsigned number of 64 bits.

    Returns:
        The quota, or None for no limit.
    """
    return None if value >= 1 << 63 else value
