"""Queues between incoming events and the listeners of a client."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._runtime.operations import NewMailbox
from jvmwire.errors import MessagesLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast._options import HazelcastOptions

RECEIVED: Any = object()
"""Placeholder for a callback if the events are received by an iterator instead."""

_HINT = ": see the options event_queue, event_queue_bytes and event_threads"


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The event that a listener gets in the place of events that its queue could not hold.

    Args:
        count: Number of dropped events.
    """

    count: int


def new_mailbox(
    options: HazelcastOptions,
    callback: Callable[[Any], Any],
    understand: Callable[[Any], Any] | None = None,
    *,
    awaits: bool,
) -> NewMailbox:
    """Return the instruction that creates the queue of a listener.

    Args:
        options: Options of the client, with the limits of the queue.
        callback: Function called with each event; `RECEIVED` if an iterator receives them.
        understand: Function from a received message to the event.
        awaits: Whether the client awaits the results of callbacks.

    Returns:
        The instruction for the driver.

    Raises:
        TypeError: `callback` is not callable, or is a coroutine function of a blocking client.
    """
    deliver: Callable[[Any], Any] | None = None
    if callback is not RECEIVED:
        if not callable(callback):
            raise TypeError(f"callback must be callable, got {type(callback).__name__}")
        if not awaits and _is_coroutine_function(callback):
            raise TypeError(
                "callback is a coroutine function: a blocking client awaits none;"
                " pass a plain function, or take AsyncHazelcastClient"
            )

        def deliver(pushed: Any) -> Any:
            if isinstance(pushed, MessagesLost):
                return callback(EventsLost(pushed.count))
            return callback(pushed if understand is None else understand(pushed))

    return NewMailbox(
        deliver, options.event_queue, options.event_queue_bytes, bytes_of_event, _HINT
    )


def _is_coroutine_function(callback: Callable[[Any], Any]) -> bool:
    plain = inspect.unwrap(callback)
    return inspect.iscoroutinefunction(plain) or inspect.iscoroutinefunction(
        getattr(type(plain), "__call__", None)  # noqa: B004 - what it is, not whether it is
    )


def bytes_of_event(pushed: Any) -> int:
    """Return the number of data bytes in a received event, or 0 for an event of the client itself.

    Args:
        pushed: Pair of type and fields, or an event of the client.

    Returns:
        The number of bytes.
    """
    if type(pushed) is not tuple:
        return 0
    size = 0
    for field in pushed[1]:
        if type(field) is bytes:
            size += len(field)
        elif type(field) is list:  # of a batch
            size += sum(len(one) for one in field if type(one) is bytes)
    return size
