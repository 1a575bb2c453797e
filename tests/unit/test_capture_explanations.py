"""A decoder returns either rows or explanations, not both."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from jvmwire.capture import DecodeSession, View, read_dump, read_tables


@pytest.mark.parametrize(
    "read",
    [
        lambda views: read_tables(io.BytesIO(), views, explain=True),
        lambda views: read_dump(
            views, protocol="hadoop", side="client", path=Path("absent"), explain=True
        ),
    ],
    ids=["capture", "dump"],
)
def test_views_and_explanations_are_refused_together(
    read: Callable[[list[View]], DecodeSession],
) -> None:
    with pytest.raises(ValueError, match="views must be empty"):
        read([View("messages")])
    assert isinstance(read([]), DecodeSession)
