"""No integer argument ends the process, panics, or exhausts its memory."""

import subprocess
import sys
from pathlib import Path

from kit import core_arguments

KIT = Path(core_arguments.__file__).parents[1]


def test_every_integer_argument_is_tried() -> None:
    assert set(core_arguments.integers()) <= set(core_arguments.CALLS)


def test_extreme_integers_are_refused_or_right() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kit.core_arguments"],
        cwd=KIT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.splitlines()[-5:]
    assert done.stdout == ""
