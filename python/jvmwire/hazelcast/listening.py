"""Listeners: one registration of ours for those of all members."""

from __future__ import annotations

import itertools
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import HazelcastMessage
    from jvmwire.drivers.connection import Connection
    from jvmwire.mailbox import Mailbox

NO_EVENTS = 0
"""Stands for the correlation id of a registration that is not answered yet."""

_ids = itertools.count(1)


def next_event_id() -> int:
    """Return a correlation id for a registration: below zero, where no call counts."""
    return -next(_ids)


@dataclass(eq=False, slots=True)
class Registration:
    """What is listened to, and on which connections."""

    add: HazelcastMessage
    fields: tuple[Any, ...]
    """Of `add`, but for `local_only`, which stands last where the message has it."""
    remove: HazelcastMessage | None
    remove_fields: tuple[Any, ...]
    """Of `remove`, but for the registration's id, which stands last."""
    mailbox: Mailbox
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Ours: what `remove_listener` takes."""
    on: dict[Connection, tuple[int, str]] = field(default_factory=dict)
    """Correlation id and the member's own id, by connection."""
    restored: Callable[[Connection], None] | None = None

    def request_fields(self, *, local_only: bool) -> tuple[Any, ...]:
        """Return the fields of `add` for one member."""
        if len(self.fields) < self.add.required:
            return (*self.fields, local_only)
        return self.fields
