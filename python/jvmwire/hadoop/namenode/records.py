"""Results that are a message of the wire, field by field."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance


class Record:
    """A frozen dataclass whose fields are named as those of a message."""

    __slots__ = ()

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> Self:
        """Make one of a decoded message; what it does not have is the default."""
        names = (field.name for field in fields(cast("type[DataclassInstance]", cls)))
        return cls(**{name: message[name] for name in names if name in message})


def signed(value: int) -> int:
    """Return an unsigned number of 64 bits as Java's `long`."""
    return value - (1 << 64) if value >= 1 << 63 else value


def quota_or_none(value: int) -> int | None:
    """Return a quota; `HdfsConstants.QUOTA_RESET`, -1 in 64 bits, is none."""
    return None if value >= 1 << 63 else value
