"""Requests to members: one request, or many of the same kind."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire._core import HazelcastEntryColumns, HazelcastMessage
    from jvmwire._runtime.operations import Operation

NO_PARTITION = -1
"""Partition id of a request that has no partition."""


class Key(enum.Enum):
    """Placeholder for a key, which selects the partition of a request."""

    ANY_PARTITION = enum.auto()
    """Any partition, in turn."""


@dataclass(slots=True)  # not frozen: making one would take twice as long
class Request:
    """One request, whose result is the tuple of the response's fields."""

    expected_replies: ClassVar[int] = 1

    message: HazelcastMessage
    fields: tuple[Any, ...]
    partition_id: int = NO_PARTITION
    idempotent: bool = False
    gathered: HazelcastEntryColumns | None = None
    """Where the list in the answer goes; then the answer has its length."""
    key: bytes | str | Key | None = None
    """Serialized key, name of a structure, or `Key.ANY`, from which each attempt computes the
    partition. Between two attempts a cluster may be restarted with other partitions."""
    structure: tuple[str, str] | None = None
    """Service and name of the proxy that must have been created in the cluster."""
    on_abandoned_reply: Callable[[tuple[Any, ...]], Operation[Any]] | None = None
    """Function that undoes a result whose caller has stopped waiting: see `Call`."""

    def __repr__(self) -> str:
        # Without the fields, which hold keys, values and credentials.
        where = "" if self.partition_id == NO_PARTITION else f" on partition {self.partition_id}"
        return f"<{self.message.name}{where}>"


@dataclass(slots=True)
class Requests:
    """Many requests of one kind, whose result is a `HazelcastReplies`."""

    message: HazelcastMessage
    rows: list[tuple[Any, ...]]
    partition_ids: Sequence[int]
    idempotent: bool = False

    @property
    def expected_replies(self) -> int:
        """The number of calls."""
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<{len(self.rows)} x {self.message.name}>"


Command = Request | Requests
