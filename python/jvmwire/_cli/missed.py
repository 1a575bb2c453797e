"""Errors about single items of a command, which goes on with the others."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jvmwire._cli.tabular import warn
from jvmwire.errors import AuthenticationError, ServerError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Missed:
    """Handler of errors about items: prints them, so that a command goes on and exits with 1."""

    def __init__(self) -> None:
        self.items: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.items)

    def __call__(self, item: str, error: ServerError) -> None:
        if error.fatal or error.retryable or isinstance(error, AuthenticationError):
            raise error  # the error concerns the server, not the item
        self.items.append(item)
        sentence = str(error)
        warn(sentence if sentence.startswith((f"{item}: ", repr(item))) else f"{item}: {sentence}")

    @contextmanager
    def about(self, item: str) -> Iterator[None]:
        """Handle an error of the server about an item, which ends the block.

        Args:
            item: The item, such as a path.

        Returns:
            A context manager of the block.
        """
        try:
            yield
        except ServerError as error:
            self(item, error)
