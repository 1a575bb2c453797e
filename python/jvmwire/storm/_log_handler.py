"""Logging handler that sends Python's log records to Storm's log."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError
from jvmwire.storm._commands import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class StormHandler(logging.Handler):
    """Handler that sends every record to Storm, with the nearest level."""

    def __init__(self, log: Callable[[str, Level], None]) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record; it is dropped if Storm has ended."""
        try:
            self._log(self.format(record), level_of(record.levelno))
        except JvmWireError:
            pass
        except Exception:  # noqa: BLE001, RUF100  # as logging's handlers do
            self.handleError(record)


@contextmanager
def log_to_storm(log: Callable[[str, Level], None]) -> Iterator[None]:
    """Send the records of Python's root logger to Storm, unless a component has configured it.

    `logging.basicConfig` would have no effect, as the root logger has a handler. Within the block
    it sets the level and the format of this handler, and adds files and other handlers.
    """
    root = logging.getLogger()
    if root.handlers:
        yield
        return
    handler, original = StormHandler(log), logging.basicConfig

    def configure(**options: Any) -> None:
        if root.handlers != [handler] or options.get("force"):
            original(**options)
            return
        root.removeHandler(handler)
        try:
            if {"filename", "handlers"} & options.keys():
                original(**options)
            else:
                options.pop("stream", None)  # replaced by Storm's log
                original(**options, handlers=[handler])
                if not {"format", "datefmt", "style"} & options.keys():
                    handler.setFormatter(None)
        finally:
            if handler not in root.handlers:
                root.addHandler(handler)

    root.addHandler(handler)
    if root.level == logging.WARNING:  # the default level: Storm filters by its own
        root.setLevel(logging.INFO)
    logging.basicConfig = configure
    try:
        yield
    finally:
        logging.basicConfig = original
        root.removeHandler(handler)


def level_of(number: int) -> Level:
    """Convert a level of Python's to Storm's."""
    if number >= logging.ERROR:
        return Level.ERROR
    if number >= logging.WARNING:
        return Level.WARN
    if number >= logging.INFO:
        return Level.INFO
    return Level.DEBUG if number >= logging.DEBUG else Level.TRACE
