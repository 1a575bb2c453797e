"""Pytest fixtures of the double of a NameNode, for `pytest_plugins` of a `conftest.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmwire.hadoop.testing._namenode import NameNodeDouble

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["namenode_double", "namenode_pair"]


@pytest.fixture
def namenode_double() -> Iterator[NameNodeDouble]:
    """Double of one NameNode with an empty namespace, at a free port."""
    with NameNodeDouble() as double:
        yield double


@pytest.fixture
def namenode_pair() -> Iterator[NameNodeDouble]:
    """Double of an active NameNode and its standby, with an empty namespace, at free ports."""
    with NameNodeDouble(standby=True) as double:
        yield double
