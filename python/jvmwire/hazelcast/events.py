"""Events on their way to a listener: what waits, what is lost, and who may be called back."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._runtime.operations import NewMailbox
from jvmwire.errors import MessagesLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast.options import HazelcastOptions

RECEIVED: Any = object()
"""Stands for a callback where events are received instead."""

_HINT = ": see the options event_queue, event_queue_bytes and event_threads"


@dataclass(frozen=True, slots=True)
class EventsLost:
    """A listener gets this in the place of events that found no room in its queue."""

    count: int


def new_mailbox(
    options: HazelcastOptions,
    callback: Callable[[Any], Any],
    understand: Callable[[Any], Any] | None = None,
    *,
    awaits: bool,
) -> NewMailbox:
    """Return the instruction that makes the queue of a listener.

    Args:
        options: Of the client: how much waits.
        callback: Called with each event; `RECEIVED` if the events are received.
        understand: Makes the event of what a member pushed.
        awaits: Whether the client awaits what callbacks return.

    Raises:
        TypeError: `callback` cannot be called, or is a coroutine function and nobody awaits it.
    """
    hear: Callable[[Any], Any] | None = None
    if callback is not RECEIVED:
        if not callable(callback):
            raise TypeError(f"callback must be callable, got {type(callback).__name__}")
        if not awaits and _is_coroutine_function(callback):
            raise TypeError(
                "callback is a coroutine function: a blocking client awaits none;"
                " pass a plain function, or take AsyncHazelcastClient"
            )

        def hear(pushed: Any) -> Any:
            if isinstance(pushed, MessagesLost):
                return callback(EventsLost(pushed.count))
            return callback(pushed if understand is None else understand(pushed))

    return NewMailbox(hear, options.event_queue, options.event_queue_bytes, bytes_of_event, _HINT)


def _is_coroutine_function(callback: Callable[[Any], Any]) -> bool:
    plain = inspect.unwrap(callback)
    return inspect.iscoroutinefunction(plain) or inspect.iscoroutinefunction(
        getattr(type(plain), "__call__", None)  # noqa: B004 - what it is, not whether it is
    )


def bytes_of_event(pushed: Any) -> int:
    """Return how many bytes of data an event holds: of type and fields, or of our own."""
    if type(pushed) is not tuple:
        return 0
    size = 0
    for field in pushed[1]:
        if type(field) is bytes:
            size += len(field)
        elif type(field) is list:  # of a batch
            size += sum(len(one) for one in field if type(one) is bytes)
    return size
