"""Pytest fixtures of the double of Pravega, for `pytest_plugins` of a `conftest.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmwire.pravega.testing._double import PravegaDouble

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["segment_store_double"]


@pytest.fixture
def segment_store_double() -> Iterator[PravegaDouble]:
    """Double of a segment store without segments, at a free port."""
    with PravegaDouble() as double:
        yield double
