"""What members are asked: one request, or many of the same kind."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire._core import HazelcastEntryColumns, HazelcastMessage
    from jvmwire._runtime.operations import Operation

NO_PARTITION = -1
"""The partition id of a request that is for none."""


class Key(enum.Enum):
    """What is no key, and yet says for which partition a request is."""

    ANY = enum.auto()
    """Any partition will do: they take turns."""


@dataclass(slots=True)  # not frozen: making one would take twice as long
class Request:
    """One request; answered with the tuple of its response's fields."""

    calls: ClassVar[int] = 1

    message: HazelcastMessage
    fields: tuple[Any, ...]
    partition_id: int = NO_PARTITION
    repeatable: bool = False
    gathered: HazelcastEntryColumns | None = None
    """Where the list in the answer goes; then the answer has its length."""
    key: bytes | str | Key | None = None
    """Whose partition it is for, computed at each try: a serialized key, a structure's name, any.
    Between two tries a cluster may be started anew, with other partitions."""
    structure: tuple[str, str] | None = None
    """Service and name of what the cluster must have been told of."""
    on_abandoned_reply: Callable[[tuple[Any, ...]], Operation[Any]] | None = None
    """What undoes what it is answered when nobody waits for that any more: see `Call`."""

    def __repr__(self) -> str:
        # Not the fields: keys and values are the user's, and credentials nobody's to read.
        where = "" if self.partition_id == NO_PARTITION else f" on partition {self.partition_id}"
        return f"<{self.message.name}{where}>"


@dataclass(slots=True)
class Requests:
    """Many requests of one kind, answered with a `HazelcastReplies`."""

    message: HazelcastMessage
    rows: list[tuple[Any, ...]]
    partition_ids: Sequence[int]
    repeatable: bool = False

    @property
    def calls(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<{len(self.rows)} x {self.message.name}>"


Command = Request | Requests
