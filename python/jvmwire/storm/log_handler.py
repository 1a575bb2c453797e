"""Python's log messages, in Storm's log."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError
from jvmwire.storm.commands import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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


@contextmanager
def log_to_storm(log: Callable[[str, Level], None]) -> Iterator[None]:
    """Let Python's root logger log to Storm, unless a component has set it up already.

    `logging.basicConfig` would do nothing, as the root logger has a handler. Within the block it
    sets the level and the format of this handler, and adds files and other handlers.
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
                options.pop("stream", None)  # Storm's log stands for it
                original(**options, handlers=[handler])
                if not {"format", "datefmt", "style"} & options.keys():
                    handler.setFormatter(None)
        finally:
            if handler not in root.handlers:
                root.addHandler(handler)

    root.addHandler(handler)
    if root.level == logging.WARNING:  # as it comes: Storm filters by its own
        root.setLevel(logging.INFO)
    logging.basicConfig = configure
    try:
        yield
    finally:
        logging.basicConfig = original
        root.removeHandler(handler)


def level_of(number: int) -> Level:
    """Return Storm's level for one of Python's."""
    if number >= logging.ERROR:
        return Level.ERROR
    if number >= logging.WARNING:
        return Level.WARN
    if number >= logging.INFO:
        return Level.INFO
    return Level.DEBUG if number >= logging.DEBUG else Level.TRACE
