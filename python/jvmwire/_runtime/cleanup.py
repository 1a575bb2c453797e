"""Cleanup at the end of a `with` block: it never replaces the exception of the block."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jvmwire.errors import JvmWireError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def cleanup_after(error: BaseException | None, what: str) -> Iterator[None]:
    """Add a failure of the cleanup to the exception of the block as a note.

    So a `KeyboardInterrupt` remains one, although a call that it ended may have closed the client.

    Args:
        error: The exception of the block; None if it ended normally, so that failures are raised.
        what: The cleanup as the subject of the note: "rolling back".
    """
    try:
        yield
    except JvmWireError as failure:
        if error is None:
            raise
        error.add_note(f"{what} failed too: {failure}")
