"""Python's log messages, in Storm's log."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from jvmwire.errors import JvmWireError
from jvmwire.storm.commands import Level

if TYPE_CHECKING:
    from collections.abc import Callable


class StormHandler(logging.Handler):
    """Hands every record to Storm, with the level that is nearest."""

    def __init__(self, log: Callable[[str, Level], None]) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Say it; if Storm is gone, nobody hears it."""
        try:
            self._log(self.format(record), level_of(record.levelno))
        except JvmWireError:
            pass
        except Exception:  # noqa: BLE001, RUF100  # as logging's handlers do
            self.handleError(record)


def level_of(number: int) -> Level:
    """Return Storm's level for one of Python's."""
    if number >= logging.ERROR:
        return Level.ERROR
    if number >= logging.WARNING:
        return Level.WARN
    if number >= logging.INFO:
        return Level.INFO
    return Level.DEBUG if number >= logging.DEBUG else Level.TRACE
