"""Pytest fixtures of the double of Pravega, for `pytest_plugins` of a `conftest.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmwire.pravega.testing._double import PravegaDouble

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pravega_double", "segment_store_double"]


@pytest.fixture
def segment_store_double() -> Iterator[PravegaDouble]:
    """Double of a segment store without segments, at a free port; it needs no gRPC."""
    with PravegaDouble() as double:
        yield double


@pytest.fixture
def pravega_double() -> Iterator[PravegaDouble]:
    """Double of a segment store and a controller without scopes, at free ports."""
    with PravegaDouble(controller=True) as double:
        yield double
