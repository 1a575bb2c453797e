"""Benchmarks: what they compare with, and the inputs that they make."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The checkout."""

PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
"""Of processes that a benchmark starts and that import it or the kit."""
