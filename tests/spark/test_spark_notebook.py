"""The notebook on Spark runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kit.environment import ROOT
from kit.notebooks import run_notebook

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.timeout(300)
def test_the_notebook_on_spark_runs(tmp_path: Path) -> None:
    results = run_notebook(ROOT / "examples" / "captures_in_spark.ipynb", tmp_path)
    assert "Row(user='alice', count=5432)" in results
    assert "Row(user='erin', name='ClientProtocol.getBlockLocations', count=300)" in results
