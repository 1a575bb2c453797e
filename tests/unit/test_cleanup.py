"""Cleanup at the end of a `with` block."""

import pytest

from jvmwire._runtime.cleanup import cleanup_after
from jvmwire.errors import ClientClosed


def close() -> None:
    raise ClientClosed("the client is closed")


def test_exception_of_a_block_keeps_its_kind_and_notes_the_failed_cleanup() -> None:
    error = KeyboardInterrupt()
    with cleanup_after(error, "closing the writer"):
        close()
    assert error.__notes__ == ["closing the writer failed too: the client is closed"]


def test_cleanup_that_fails_after_a_normal_end_is_raised() -> None:
    with pytest.raises(ClientClosed), cleanup_after(None, "closing the writer"):
        close()


def test_interrupt_of_the_cleanup_itself_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt), cleanup_after(ValueError(), "closing the writer"):
        raise KeyboardInterrupt
