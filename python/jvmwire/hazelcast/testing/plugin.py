"""Pytest fixtures of the double of a cluster, for `pytest_plugins` of a `conftest.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmwire.hazelcast.testing._double import HazelcastDouble

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["hazelcast_double", "hazelcast_double_cluster"]


@pytest.fixture
def hazelcast_double() -> Iterator[HazelcastDouble]:
    """Double of a cluster of one member, which stores nothing yet, at a free port."""
    with HazelcastDouble() as double:
        yield double


@pytest.fixture
def hazelcast_double_cluster() -> Iterator[HazelcastDouble]:
    """Double of a cluster of three members, which stores nothing yet, at free ports."""
    with HazelcastDouble(members=3) as double:
        yield double
