"""Pytest plugin with the distributions of this checkout, each built once per run."""

from pathlib import Path

import pytest

from kit.environment import build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of this checkout."""
    return build("sdist", tmp_path_factory.mktemp("sdist"))
