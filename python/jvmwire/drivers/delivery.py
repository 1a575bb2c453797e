"""Callbacks, off the I/O path: what they raise is logged, and delivery goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError, MessagesLost
from jvmwire.escaping import get_logger

if TYPE_CHECKING:
    from collections.abc import Callable

TURN = 64
"""Messages that one listener is handed before the others have their turn. Ours."""

_log = get_logger("jvmwire.callbacks")


def call_back(callback: Callable[[Any], Any], message: Any) -> Any:
    """Hand a message to a callback and return its result; what it raises is logged."""
    if isinstance(message, MessagesLost):
        _log.warning("%s", message)
    try:
        return callback(message)
    except Exception:
        log_failure()
        return None


def log_delay(error: JvmWireError) -> None:
    """Log why a callback has to wait."""
    _log.error("%s: no callback is called before the next message", error)


def log_failure() -> None:
    """Log the exception that a callback raised."""
    _log.exception("a callback failed; the next message is delivered all the same")


def log_coroutine() -> None:
    """Log that a callback of a blocking client returned a coroutine, which nobody awaits."""
    _log.error("a callback returned a coroutine: a blocking client awaits none")
